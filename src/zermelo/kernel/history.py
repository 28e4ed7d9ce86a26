"""What happens at every node: the record of the path, and the game's hooks `enter` and `leave`.

Rules that forbid or count repetitions read the keys of the positions on the path in the game's `history`. For games
that keep nothing along the path, compiled code does nothing here.
"""

from __future__ import annotations

from typing import Any


def remember(game: Any, s: Any) -> None:
    """The search enters this state."""
    if game.uses_history or game.has_hooks:
        if game.uses_history:
            game.history[game.history_length[0]] = game.key(s)
        game.enter(s)
        game.history_length[0] += 1


def forget(game: Any) -> None:
    """The search leaves the state that it entered last."""
    if game.uses_history or game.has_hooks:
        game.history_length[0] -= 1
        game.leave()


def rewind(game: Any, length: int) -> None:
    """Go back to a path of this length, from which a search may not have returned because it was stopped."""
    if game.uses_history or game.has_hooks:
        game.history_length[0] = length
