"""Tic-tac-toe as somebody using zermelo would write it: what the benchmark compiles and compares.

Run as a script it prints the analysis of the empty board.
"""

from collections.abc import Iterator
from typing import NamedTuple

import zermelo
from zermelo import u16

LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
FULL = 0b111111111


class Board(NamedTuple):
    mover: u16  # the squares of the player to move, one bit each
    other: u16


class NoughtsAndCrosses(zermelo.Game):
    utility_range = (-1, 1)
    max_actions = 9

    def initial(self) -> Board:
        return Board(0, 0)

    def to_move(self, s: Board) -> int:
        return zermelo.count_bits(s.mover | s.other) % 2

    def actions(self, s: Board) -> Iterator[int]:
        for square in range(9):
            if not (s.mover | s.other) >> square & 1:
                yield square

    def result(self, s: Board, a: int) -> Board:
        return Board(s.other, s.mover | 1 << a)

    def is_terminal(self, s: Board) -> bool:
        return self.has_line(s.other) or (s.mover | s.other) == FULL

    def utility(self, s: Board, p: int) -> float:
        if not self.has_line(s.other):
            return 0
        return -1 if self.to_move(s) == p else 1

    def has_line(self, squares: int) -> bool:
        for line in LINES:  # noqa: SIM110 - compiled code has no `any`
            if squares & line == line:
                return True
        return False


if __name__ == "__main__":
    print(zermelo.analyse(NoughtsAndCrosses()))
