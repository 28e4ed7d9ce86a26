"""Repetition: which positions have occurred on the way to a state. The search keeps the record, the rules read it."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any, Self

from zermelo.game.hashing import mixed
from zermelo.game.rules import Rules, State


class Repetition(Rules):
    """How often a position has occurred, for games that declare `uses_history`."""

    history: Any = ()
    """The keys of the positions up to here, oldest first; the search fills it if `uses_history` is set."""
    history_length: Any = (0,)

    def key(self, s: State) -> int:
        """A 64-bit number for the position, equal for equal states, mixed from the state's fields."""
        return mixed(s)

    def occurrences(self, key: int) -> int:
        """How often the position with this key has occurred on the way to here, including the present position."""
        count = 0
        for i in range(self.history_length[0]):
            if self.history[i] == key:
                count += 1
        return count

    def recurs(self, s: State) -> bool:
        """Is this position a repetition that a search may treat as the end of the game, with its `utility`?

        A position that can be repeated once can be repeated again.
        """
        return False

    def remembering(self, past: Iterable[State], room: int = 0) -> Self:
        """A copy of the game that has come through these states, the present one last, with room for so many more.

        Its rules can ask how often a position has occurred. If they never do, this is the game itself.
        """
        if not self.uses_history:
            return self
        import numpy as np  # here, so that importing zermelo is quick

        keys = [self.key(s) for s in past]
        own = copy.copy(self)
        own.history = np.zeros(len(keys) + room, np.uint64)
        own.history[: len(keys)] = keys
        own.history_length = np.array([len(keys)], np.int64)
        return own
