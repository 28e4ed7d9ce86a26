"""The path to a state: positions that have occurred before, and hooks that a search calls at every node.

The search keeps the record of the path in a copy of the game (`remembering`), one for each thread.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any, Self

from zermelo.game.hashing import mixed
from zermelo.game.rules import Rules, State


class Path(Rules):
    """Repetition, for games that declare `uses_history`, and what a game keeps up to date along the path."""

    history: Any = ()
    """The keys of the positions up to here, oldest first; the search fills it if `uses_history` is set."""
    history_length: Any = (0,)
    """[0] is the length of the path: how many nodes the search has entered and not left."""
    has_hooks: bool = False
    """Set for classes that define `enter`."""

    def __init_subclass__(cls, **options: Any):
        super().__init_subclass__(**options)
        if "enter" in vars(cls):
            cls.has_hooks = True

    # Repetition.

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

    # Hooks.

    def enter(self, s: State) -> None:
        """A search enters a node. Here a game can update, say, the accumulators of a network, at `history_length[0]`.

        Methods such as `evaluate` may also be called for other states than the one entered last, so compare.
        """

    def leave(self) -> None:
        """A search leaves the node that it entered last, whose place is `history_length[0]` again."""

    def reserve(self, nodes: int) -> None:
        """Allocate what `enter` writes, for so many nodes. Called on the copy of the game that one thread searches."""

    def remembering(self, past: Iterable[State], room: int = 0) -> Self:
        """A copy of the game that has come through these states, the present one last, with room for so many more.

        Its rules can ask how often a position has occurred. A game that keeps nothing along the path is its own copy.
        """
        if not self.uses_history and not self.has_hooks:
            return self
        import numpy as np  # here, so that importing zermelo is quick

        states = list(past)
        own = copy.copy(self)
        own.history_length = np.zeros(1, np.int64)
        own.reserve(len(states) + room)
        if self.uses_history:
            own.history = np.zeros(len(states) + room, np.uint64)
            own.history[: len(states)] = [self.key(s) for s in states]
        for s in states:
            own.enter(s)
            own.history_length[0] += 1
        return own
