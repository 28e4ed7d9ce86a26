"""The positions on the way to a state, for rules that forbid or count repetitions.

The search writes the key of each position that it enters into the game's `history`, and takes it back when it
leaves. For games that do not ask (`uses_history`), compiled code does nothing here.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import numpy as np

from zermelo.game.protocol import Game


def remember(game: Any, s: Any) -> None:
    """The search enters this state."""
    if game.uses_history:
        game.history[game.history_length[0]] = game.key(s)
        game.history_length[0] += 1


def forget(game: Any) -> None:
    """The search leaves the state that it entered last."""
    if game.uses_history:
        game.history_length[0] -= 1


def with_history(game: Game, earlier: Iterable[Any] = (), room: int = 0) -> Game:
    """A copy of the game that has seen these states and has room for so many more; the game itself if it never asks."""
    if not game.uses_history:
        return game
    keys = [game.key(s) for s in earlier]
    own = copy.copy(game)
    own.history = np.zeros(len(keys) + room, np.uint64)
    own.history[: len(keys)] = keys
    own.history_length = np.array([len(keys)], np.int64)
    return own
