"""Positions as numbers, for tables of all positions with few pieces. Optional: a search does without.

A *class* holds all positions with the same material. Players and board are turned so that equal positions have one
number, no matter which player is to move. A move stays in its class or leads to an earlier one, for example by a
capture, so the classes can be solved one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from zermelo.game.errors import GameError
from zermelo.game.rules import Action, State
from zermelo.game.sampling import Sampling


class Numbering(Sampling):
    """The numbers of a game's positions."""

    def class_names(self) -> tuple[str, ...]:
        """All classes. A move leads to the same class or to one before it in this list."""
        return ()

    def classes_after(self, c: int) -> tuple[int, ...]:
        """The other classes that a move can lead to; by default all before it."""
        return tuple(range(c))

    def class_of(self, s: State) -> int:
        """The number of a state's class, its place in `class_names`; -1 if it has none."""
        return -1

    def class_size(self, c: int) -> int:
        """How many indices a class has, including those without a position."""
        return 0

    def index_of(self, s: State) -> int:
        """The index of a state within its class, the same for its mirror images."""
        return 0

    def state_at(self, c: int, i: int) -> State:
        """The state with this index. An index is in use if its state has this class and index, and `may_occur`."""
        raise GameError("a game that numbers its positions defines state_at")

    def may_occur(self, s: State) -> bool:
        """Can this state occur in a game? False, for example, if the player to move could capture the king."""
        return True

    def retractions(self, s: State) -> Iterable[Action]:
        """Yields the moves that may have led to a state from its own class, to be taken back by `retract`.

        More than those that are possible do no harm, but none may be missing. They make tables faster to build.
        """
        for a in range(0):
            yield a

    def retract(self, s: State, a: Action) -> State:
        """The state before a move that `retractions` yields."""
        return s

    def timeless(self) -> Self:
        """The game without rules that depend on the past, such as draws by repetition or by a count of moves."""
        return self

    def in_time(self, s: State, plies: int) -> bool:
        """Is a win in so many plies certain, in spite of rules such as fifty moves without progress?"""
        return True
