"""A matrix game: both choose at once, and a table says what each gets. By default rock, paper, scissors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from zermelo.game.board import Board
from zermelo.game.errors import GameError
from zermelo.game.protocol import Game
from zermelo.game.state import u8

ROCK_PAPER_SCISSORS = "0 -1 1; 1 0 -1; -1 1 0"
MOST = 200
"""Rows or columns."""


class MatrixState(NamedTuple):
    """The row and the column, from 1; 0 if not chosen yet."""

    row: u8
    column: u8


class Matrix(Game):
    """The first player chooses a row, the second a column without seeing it, and the table says what they get."""

    hidden = True

    def __init__(self, payoffs: str = ROCK_PAPER_SCISSORS, rows: str = "", columns: str = ""):
        """`payoffs`: rows separated by semicolons; an entry is the first player's number, or both as in 3,1.

        `rows` and `columns`: the names of the choices, separated by spaces.
        """
        self.payoffs, self.rows, self.columns = str(payoffs), str(rows), str(columns)  # "5" may be read as a number
        self.first, self.second = tables_of(self.payoffs)
        self.zero_sum = bool((self.first == -self.second).all())
        self.height, self.width = self.first.shape
        default = "rock paper scissors" if self.payoffs == ROCK_PAPER_SCISSORS else ""
        self.row_names = names_of("rows", self.rows or default, self.height)
        self.column_names = names_of("columns", self.columns or default, self.width)
        self.utility_range = (
            float(min(self.first.min(), self.second.min())),
            float(max(self.first.max(), self.second.max())),
        )
        self.max_actions = max(self.height, self.width)

    def initial(self) -> MatrixState:
        return MatrixState(0, 0)

    def to_move(self, s: MatrixState) -> int:
        return 0 if s.row == 0 else 1

    def actions(self, s: MatrixState) -> Iterator[int]:
        if s.column == 0:
            for a in range(1, (self.height if s.row == 0 else self.width) + 1):
                yield a

    def result(self, s: MatrixState, a: int) -> MatrixState:
        return MatrixState(a, 0) if s.row == 0 else MatrixState(s.row, a)

    def is_terminal(self, s: MatrixState) -> bool:
        return s.column != 0

    def utility(self, s: MatrixState, p: int) -> float:
        table = self.first if p == 0 else self.second
        worth: float = table[s.row - 1, s.column - 1]
        return worth

    def information(self, s: MatrixState, p: int) -> tuple[int, int]:
        """The player's own choice, and both at the end."""
        if s.column != 0:
            return s.row, s.column
        return (s.row if p == 0 else 0), 0

    def resample(self, s: MatrixState, p: int, random: Any) -> MatrixState:
        if p == 0 or s.row == 0 or s.column != 0:
            return s
        return MatrixState(1 + random.below(self.height), 0)

    # For people.

    def action_name(self, s: MatrixState, a: int) -> str:
        return (self.row_names if s.row == 0 else self.column_names)[a - 1]

    def information_name(self, s: MatrixState, p: int) -> str:
        return "rows" if p == 0 else "columns"

    def seen_by(self, s: MatrixState, p: int) -> MatrixState:
        return MatrixState(0, 0) if p == 1 and s.column == 0 else s

    def picture(self, s: MatrixState) -> Board:
        """The table with names; then what was chosen."""
        cells = [["", *self.column_names]]
        for i, name in enumerate(self.row_names):
            cells.append([name, *(self._entry(i, j) for j in range(self.width))])
        wide = [max(len(row[column]) for row in cells) for column in range(self.width + 1)]
        lines = ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, wide, strict=True)) for row in cells]
        if s.row != 0:
            column = self.column_names[s.column - 1] if s.column else "?"
            lines.append(f"{self.row_names[s.row - 1]} against {column}")
        return Board(style="text", lines=tuple(lines))

    def _entry(self, i: int, j: int) -> str:
        if self.zero_sum:
            return f"{self.first[i, j]:g}"
        return f"{self.first[i, j]:g},{self.second[i, j]:g}"


def tables_of(text: str) -> tuple[Any, Any]:
    """The utilities of both players; raises a GameError that names the entry that is wrong."""
    import numpy as np  # here, so that the list of games is loaded quickly

    rows = [row.split() for row in text.strip().strip(";").split(";")]
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise GameError("payoffs must be rows of equal length, separated by semicolons, such as '1 -1; -1 1'")
    if len(rows) > MOST or len(rows[0]) > MOST:
        raise GameError(f"payoffs may have at most {MOST} rows and columns")
    both = np.zeros((2, len(rows), len(rows[0])))
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            parts = entry.split(",")
            try:
                numbers = [float(part) for part in parts]
            except ValueError:
                raise GameError(f"row {i + 1}, column {j + 1} of payoffs is {entry!r}, which is no number") from None
            if len(numbers) > 2 or not np.isfinite(numbers).all():
                raise GameError(f"row {i + 1}, column {j + 1} of payoffs is {entry!r}: write one finite number, or two")
            both[0, i, j] = numbers[0]
            both[1, i, j] = numbers[1] if len(numbers) == 2 else 0.0 - numbers[0]
    return both[0], both[1]


def names_of(what: str, text: str, count: int) -> tuple[str, ...]:
    """The names of the choices; by default their numbers."""
    names = tuple(text.split()) or tuple(str(i + 1) for i in range(count))
    if len(names) != count or len(set(names)) != count:
        raise GameError(f"{what} must be {count} different names, separated by spaces, not {text!r}")
    return names
