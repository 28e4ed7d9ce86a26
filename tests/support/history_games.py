"""Small games whose rules depend on earlier positions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo import Game, u8


class Ring(NamedTuple):
    at: u8
    mover: u8


class RingWalk(Game):
    """Players take turns moving one or two steps around a ring. A player who repeats a position loses."""

    utility_range = (-1, 1)
    uses_history = True
    max_actions = 2

    def __init__(self, cells: int = 5):
        self.cells = cells

    def initial(self) -> Ring:
        return Ring(0, 0)

    def to_move(self, s: Ring) -> int:
        return s.mover

    def actions(self, s: Ring) -> Iterator[int]:
        for a in range(1, 3):
            yield a

    def result(self, s: Ring, a: int) -> Ring:
        return Ring((s.at + a) % self.cells, 1 - s.mover)

    def is_terminal(self, s: Ring) -> bool:
        return self.occurrences(self.key(s)) > 1

    def utility(self, s: Ring, p: int) -> float:
        return 1.0 if s.mover == p else -1.0  # the opponent has repeated


class NoRepeats(RingWalk):
    """The same, but repetitions are illegal, and a player who cannot move loses."""

    def actions(self, s: Ring) -> Iterator[int]:
        for a in range(1, 3):
            if self.occurrences(self.key(self.result(s, a))) == 0:
                yield a

    def is_terminal(self, s: Ring) -> bool:
        one = self.occurrences(self.key(self.result(s, 1)))
        return one > 0 and self.occurrences(self.key(self.result(s, 2))) > 0

    def utility(self, s: Ring, p: int) -> float:
        return -1.0 if s.mover == p else 1.0
