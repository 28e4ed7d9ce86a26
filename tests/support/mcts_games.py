"""A wide game for tests of Monte Carlo tree search, and short ways to run it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from zermelo import Analysis, Game, analyse, replaced, u8


class Cells(NamedTuple):
    taken: tuple[u8, u8, u8, u8, u8, u8]
    mover: u8


class Wide(Game):
    """Six rows of eight cells to take in turn: nothing is known of a position, and there are far too many."""

    utility_range = (-1, 1)

    def initial(self) -> Cells:
        return Cells((0, 0, 0, 0, 0, 0), 0)

    def to_move(self, s: Cells) -> int:
        return s.mover

    def actions(self, s: Cells) -> Iterator[int]:
        for a in range(48):
            if (s.taken[a // 8] >> (a % 8)) & 1 == 0:
                yield a

    def result(self, s: Cells, a: int) -> Cells:
        row = a // 8
        return Cells(replaced(s.taken, row, s.taken[row] | (1 << (a % 8))), 1 - s.mover)

    def is_terminal(self, s: Cells) -> bool:
        return s.taken[0] == 255 or s.taken[1] == 255

    def utility(self, s: Cells, p: int) -> float:
        return -1.0 if s.mover == p else 1.0


def mcts(game: Game, state: Any = None, **limits: Any) -> Analysis:
    return analyse(game, state, algorithm="mcts", **limits)


def same(one: Analysis, other: Analysis) -> None:
    for field in ("value", "action", "line", "moves", "nodes", "depth", "exact"):
        assert getattr(one, field) == getattr(other, field), field
