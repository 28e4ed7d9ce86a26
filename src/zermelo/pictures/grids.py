"""Where the cells of a board are: squares in straight rows, or hexagons, each row half a cell further right."""

from __future__ import annotations

import math

from zermelo.game.board import Board
from zermelo.pictures.elements import polygon, rectangle

SIZE, MARGIN, GAP = 48, 26, 8
"""The width of a cell, of a margin with labels and of one without, in pixels."""

Point = tuple[float, float]


class Squares:
    """Square cells."""

    def __init__(self, columns: int, rows: int, board: Board):
        self.left: float = MARGIN if board.rows else GAP
        self.right = self.left + SIZE * columns + GAP
        self.bottom = GAP + SIZE * rows + (MARGIN if board.columns else GAP)
        self.below = GAP + SIZE * rows + 17

    def centre(self, x: int, y: int) -> Point:
        """The centre of the cell in this column and row."""
        return self.left + SIZE * (x + 0.5), GAP + SIZE * (y + 0.5)

    def outline(self, x: int, y: int) -> str:
        """The cell as a shape that can be filled."""
        return rectangle("cell", self.left + SIZE * x, GAP + SIZE * y, SIZE, SIZE)

    def column_label(self, x: int) -> Point:
        """Below the column."""
        return self.left + SIZE * (x + 0.5), self.below

    def row_label(self, y: int) -> Point:
        """To the left of the row."""
        return self.left / 2, GAP + SIZE * (y + 0.5) + 5


class Hexagons:
    """Hexagonal cells with two vertical sides. A cell touches two cells of the row above and two of the row below."""

    side = SIZE / math.sqrt(3)

    def __init__(self, columns: int, rows: int, board: Board):
        self.columns, self.rows = columns, rows
        self.left: float = MARGIN if board.rows else GAP
        self.top: float = MARGIN if board.columns else GAP
        self.right = self.left + SIZE * (columns + 0.5 * (rows - 1)) + GAP
        self.bottom = self.top + self.side * (1.5 * rows + 0.5) + GAP

    def centre(self, x: int, y: int) -> Point:
        """The centre of the cell in this column and row."""
        return self.left + SIZE * (x + 0.5 + 0.5 * y), self.top + self.side * (1 + 1.5 * y)

    def outline(self, x: int, y: int) -> str:
        """The cell as a shape that can be filled."""
        return polygon("cell", _path(self.corners(x, y)))

    def column_label(self, x: int) -> Point:
        """Above the column, since the rows below it lead to the right."""
        return self.left + SIZE * (x + 0.5), self.top - 9

    def row_label(self, y: int) -> Point:
        """To the left of the row."""
        across, down = self.centre(0, y)
        return across - SIZE / 2 - 17, down + 5

    def corners(self, x: int, y: int) -> list[Point]:
        """The corners of a cell: from the upper left one to the top, and on clockwise."""
        a, b = self.centre(x, y)
        half, side = SIZE / 2, self.side
        offsets = (-half, -side / 2), (0, -side), (half, -side / 2), (half, side / 2), (0, side), (-half, side / 2)
        return [(a + across, b + down) for across, down in offsets]

    def edges(self) -> list[str]:
        """The top, right, bottom and left edges of the board, each as the points of a line.

        An acute corner of the board is a corner of two cell sides each; at an obtuse one, two edges share a cell side.
        """
        columns, rows = range(self.columns), range(self.rows)
        top = [corner for x in columns for corner in self.corners(x, 0)[:2]]
        right = [corner for y in rows for corner in self.corners(columns[-1], y)[2:4]]
        bottom = [corner for x in reversed(columns) for corner in self.corners(x, rows[-1])[3:5]]
        left = [corner for y in reversed(rows) for corner in self.corners(0, y)[::-5]]
        upper, lower = _middle(top[-1], right[0]), _middle(bottom[-1], left[0])
        lines = ([*top, upper], [upper, *right], [*bottom, lower], [lower, *left])
        return [_path(line) for line in lines]


def _middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _path(points: list[Point]) -> str:
    return " ".join(f"{x:.6g},{y:.6g}" for x, y in points)
