"""The positions on the way to a state, for rules that forbid or count repetitions.

The search writes the key of each position that it enters into the game's `history`, and takes it back when it
leaves. For games that do not ask (`uses_history`), compiled code does nothing here.
"""

from __future__ import annotations

from typing import Any


def remember(game: Any, s: Any) -> None:
    """The search enters this state."""
    if game.uses_history:
        game.history[game.history_length[0]] = game.key(s)
        game.history_length[0] += 1


def forget(game: Any) -> None:
    """The search leaves the state that it entered last."""
    if game.uses_history:
        game.history_length[0] -= 1
