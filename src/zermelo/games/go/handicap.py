"""Star points, and where handicap stones are placed."""

from __future__ import annotations

from zermelo.game.errors import GameError


def star_points(size: int) -> tuple[tuple[int, int], ...]:
    """The points that are marked on a board, as rows and columns from A1: corners, sides and the middle."""
    if size < 7:
        return ((size // 2, size // 2),) if size == 5 else ()
    lines: tuple[int, ...] = _lines(size)
    if size % 2 == 0 or size < 9:
        lines = lines[::2]
    found = [(row, column) for row in lines for column in lines]
    if size < 13 and len(lines) == 3:  # on small boards the sides have no stars
        middle = lines[1]
        found = [(row, column) for row, column in found if (row == middle) == (column == middle)]
    return tuple(found)


def _lines(size: int) -> tuple[int, int, int]:
    edge = 2 if size < 13 else 3  # third line on small boards, fourth on large ones
    return edge, size // 2, size - 1 - edge


def handicap_points(size: int, stones: int) -> tuple[tuple[int, int], ...]:
    """Where fixed handicap stones are placed, as rows and columns from A1 (GTP 2, section 4.1.1)."""
    if stones == 0:
        return ()
    most = most_handicap(size)
    if not 2 <= stones <= most:
        allowed = f"0 or 2 to {most}" if most else "0"
        raise GameError(f"handicap must be {allowed} on a board of {size} × {size}, not {stones}")
    low, middle, high = _lines(size)
    order = [(low, low), (high, high), (low, high), (high, low)]  # lower left, upper right, lower right, upper left
    order += [(middle, low), (middle, high), (low, middle), (high, middle)]
    if stones in (5, 7, 9):  # the last stone of an odd number is in the middle
        return (*order[: stones - 1], (middle, middle))
    return tuple(order[:stones])


def most_handicap(size: int) -> int:
    """The largest fixed handicap on a board of this size."""
    if size < 7:
        return 0
    return 9 if size % 2 == 1 and size >= 9 else 4
