"""Rows of pieces, for pictures of games that are won by one."""

from __future__ import annotations

from collections.abc import Collection

Cell = tuple[int, int]


def in_a_row(cells: Collection[Cell], k: int) -> set[Cell]:
    """Those of the cells (column, row) that belong to k or more in a row, level, upright or diagonal."""
    found: set[Cell] = set()
    for x, y in cells:
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            row = {(x + i * right, y + i * up) for i in range(k)}
            if row <= set(cells):
                found |= row
    return found
