"""Tic-tac-toe, and with it every m,n,k-game: on a board of m rows and n columns, k stones in a row win.

A board is a word with one bit a cell, numbered from 0 row by row from the top left; people count from 1.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from zermelo.game.board import Board, Piece
from zermelo.game.errors import GameError
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import u64
from zermelo.games.parameters import whole_number
from zermelo.games.rows import in_a_row
from zermelo.kernel.bits import bits, count_bits

CROSS, NOUGHT = Piece("X", "cross", "blue"), Piece("O", "ring", "red")


class TicTacToeState(NamedTuple):
    """The stones of both players. X moves first, so the number of stones determines the player to move."""

    x: u64
    o: u64


class TicTacToe(Game):
    """Two players take turns placing a stone on an empty cell; k in a row, column or diagonal win."""

    utility_range = (-1.0, 1.0)
    ends_without_moves = True

    def __init__(self, m: int = 3, n: int = 3, k: int = 3):
        self.m = whole_number("m, the number of rows,", m, 1, 64)
        self.n = whole_number("n, the number of columns,", n, 1, 64)
        self.k = whole_number("k, how many in a row win,", k, 1, 64)
        if m * n > 64:
            raise GameError(f"a board has at most 64 cells, one for each bit of a word; {m} × {n} are {m * n}")
        self.board = (1 << m * n) - 1
        self.max_actions = m * n
        self.directions = _directions(m, n, k)
        self.line_count = self.lines_within(self.board)

    def initial(self) -> TicTacToeState:
        return TicTacToeState(0, 0)

    def to_move(self, s: TicTacToeState) -> int:
        return count_bits(s.x | s.o) & 1

    def actions(self, s: TicTacToeState) -> Iterator[int]:
        empty = self.board & ~(s.x | s.o)
        return bits(u64(0) if self.is_terminal(s) else empty)

    def result(self, s: TicTacToeState, a: int) -> TicTacToeState:
        if self.to_move(s) == 0:
            return TicTacToeState(s.x | 1 << a, s.o)
        return TicTacToeState(s.x, s.o | 1 << a)

    def is_terminal(self, s: TicTacToeState) -> bool:
        return self.has_line(s.x) or self.has_line(s.o) or (s.x | s.o) == self.board

    def utility(self, s: TicTacToeState, p: int) -> float:
        if self.has_line(s.x):
            return 1.0 if p == 0 else -1.0
        if self.has_line(s.o):
            return 1.0 if p == 1 else -1.0
        return 0.0

    def has_line(self, stones: int) -> bool:
        """Are k of these stones in a row?"""
        for step, starts in self.directions:
            run = stones & starts  # the stones from which k in this direction stay on the board
            for i in range(1, self.k):
                run &= stones >> i * step
            if run != 0:
                return True
        return False

    # Knowledge of the game.

    def lines_within(self, cells: int) -> int:
        """The number of lines of k within these cells."""
        count = 0
        for step, starts in self.directions:
            run = cells & starts
            for i in range(1, self.k):
                run &= cells >> i * step
            count += count_bits(run)
        return count

    def open_lines(self, s: TicTacToeState, p: int) -> int:
        """The lines open to player p, that is without a stone of the opponent's, less those open to the opponent."""
        difference = self.lines_within(self.board & ~s.o) - self.lines_within(self.board & ~s.x)
        return difference if p == 0 else -difference

    def evaluate(self, s: TicTacToeState, p: int) -> float:
        """The difference in open lines, scaled to be strictly between a loss and a win."""
        return self.open_lines(s, p) / (self.line_count + 1)

    def feature_names(self) -> tuple[str, ...]:
        cells = range(1, self.m * self.n + 1)
        return (*(f"own stone on {i}" for i in cells), *(f"opponent's stone on {i}" for i in cells))

    def features(self, s: TicTacToeState, p: int) -> Iterator[tuple[int, float]]:
        """The board as it is: a network has to find out by itself what a line is."""
        for cell in range(self.m * self.n):
            if (s.x | s.o) >> cell & 1 != 0:
                owner = 0 if s.x >> cell & 1 != 0 else 1
                yield (cell if owner == p else self.m * self.n + cell), 1.0

    # For people.

    @property
    def title(self) -> str:
        return self._titled("Tic-tac-toe")

    def action_name(self, s: TicTacToeState, a: int) -> str:
        return str(a + 1)

    def player_name(self, p: int) -> str:
        return "chance" if p == CHANCE else "XO"[p]

    def ending(self, s: TicTacToeState) -> str:
        return f"{self.k} in a row" if self.has_line(s.x) or self.has_line(s.o) else "a full board"

    def text(self, s: TicTacToeState) -> str:
        width = len(str(self.m * self.n))
        cells = ["X" if s.x >> i & 1 else "O" if s.o >> i & 1 else str(i + 1) for i in range(self.m * self.n)]
        rows = [cells[r * self.n : (r + 1) * self.n] for r in range(self.m)]
        rule = "\n" + "+".join(["-" * (width + 2)] * self.n) + "\n"
        return rule.join("|".join(f" {cell:>{width}} " for cell in row).rstrip() for row in rows)

    def picture(self, s: TicTacToeState) -> Board:
        names = [str(i + 1) for i in range(self.m * self.n)]
        pieces = {name: CROSS for i, name in enumerate(names) if s.x >> i & 1}
        pieces |= {name: NOUGHT for i, name in enumerate(names) if s.o >> i & 1}
        rows = tuple(tuple(names[r * self.n : (r + 1) * self.n]) for r in range(self.m))
        won = [cell for stones in (s.x, s.o) for cell in in_a_row([divmod(i, self.n) for i in bits(stones)], self.k)]
        return Board(rows, pieces, highlights={rows[row][column]: "winning" for row, column in won})

    def paths(self, s: TicTacToeState, a: int) -> Iterable[tuple[str, ...]]:
        return ((str(a + 1),),)

    def canonical(self, s: TicTacToeState) -> TicTacToeState:
        """The least of the positions that rotations and reflections make of this one."""
        return min(
            TicTacToeState(sum(1 << image[i] for i in bits(s.x)), sum(1 << image[i] for i in bits(s.o)))
            for image in _symmetries(self.m, self.n)
        )


@functools.cache
def _symmetries(m: int, n: int) -> tuple[tuple[int, ...], ...]:
    """The target of each cell under each symmetry: eight for a square, four for another rectangle."""
    cells = [(row, column) for row in range(m) for column in range(n)]
    found = set()
    for row_end in (0, m - 1):
        for column_end in (0, n - 1):
            turned = [(abs(row_end - row), abs(column_end - column)) for row, column in cells]
            found.add(tuple(row * n + column for row, column in turned))
            if m == n:
                found.add(tuple(column * n + row for row, column in turned))
    return tuple(sorted(found))


def _directions(m: int, n: int, k: int) -> tuple[tuple[int, int], ...]:
    """For each direction: the step from a cell to the next, and the cells where a line of k can start."""
    found = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))[: 1 if k == 1 else 4]:  # a single stone has no direction
        fits = [
            row * n + column
            for row in range(m - down * (k - 1))
            for column in range(n)
            if 0 <= column + right * (k - 1) < n
        ]
        found.append((down * n + right, sum(1 << cell for cell in fits)))
    return tuple(found)
