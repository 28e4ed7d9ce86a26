"""The path to a state: positions that have occurred before, and hooks that a search calls at every node.

The search keeps the record of the path in a copy of the game (`remembering`), one for each thread.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any, Self

from zermelo.game.hashing import mixed
from zermelo.game.repetition import count_key, index_key, slots_for
from zermelo.game.rules import Rules, State


class Path(Rules):
    """Repetition, for games that declare `uses_history`, and what a game keeps up to date along the path."""

    history: Any = ()
    """The keys of the positions up to here, oldest first; the search fills it if `uses_history` is set."""
    history_length: Any = (0,)
    """[0] is the length of the path: how many nodes the search has entered and not left."""
    history_index: Any = ()
    """A hash table of the history, for `occurrences`: the place in `history` of the key in each slot."""
    history_slots: Any = ()
    """The slot of each key of the history. A slot is in use only if both refer to each other, so that a path can be
    shortened by its length alone (Briggs and Torczon 1993)."""
    indexes_history: bool = True
    """Is there such a table? A game that never calls `occurrences` saves a little time without it."""
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

    def history_key(self, s: State) -> int:
        """The key that `history` records: equal for positions that count as repetitions. By default `key`."""
        return self.key(s)

    def occurrences(self, key: int) -> int:
        """How often a position with this `history_key` has occurred on the way to here, including the present one."""
        return count_key(self, key)

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
        network: Any = getattr(self, "network", None)
        keeps_sums = getattr(network, "keeps_sums", False)
        if not self.uses_history and not self.has_hooks and not keeps_sums:
            return self
        import numpy as np  # here, so that importing zermelo is quick

        states = list(past)
        own: Any = copy.copy(self)
        if keeps_sums:
            own.network = network.for_thread()
        if not self.uses_history and not self.has_hooks:
            return own  # type: ignore[no-any-return]
        own.history_length = np.zeros(1, np.int64)
        own.reserve(len(states) + room)
        if self.uses_history:
            own.history = np.zeros(len(states) + room, np.uint64)
            own.history[: len(states)] = [self.history_key(s) for s in states]
        if self.uses_history and self.indexes_history:
            own.history_slots = np.zeros(len(states) + room, np.int64)
            own.history_index = np.zeros(slots_for(len(states) + room), np.int64)
        for s in states:
            if self.uses_history and self.indexes_history:
                index_key(own, own.history[own.history_length[0]])
            own.enter(s)
            own.history_length[0] += 1
        return own  # type: ignore[no-any-return]
