"""A board of backgammon: 24 points, the bar, the trays, stacks of men, dice and the doubling cube."""

from __future__ import annotations

from zermelo.game.board import Board, Piece
from zermelo.pictures import pieces
from zermelo.pictures.elements import polygon, rectangle, text
from zermelo.pictures.grids import GAP, Point
from zermelo.pictures.things import STEP, die

WIDE, MAN, HIGH, MIDDLE = 46, 40, 216, 64
"""The width of a point, the size of a man, the height of a point, and the height of the strip between the points."""
SHOWN = 5
"""Men of a stack that are drawn one by one; a larger stack has its number written on it."""
SLAB = 13
"""The height of a man in a tray, who lies on his side."""
BAR, TRAY = 6, 13
"""The columns of the bar and of the trays, seen by the first player."""


class Points:
    """Where the 28 places are; a place is a column from the left in the upper or the lower row."""

    def __init__(self, flipped: bool):
        self.left, self.top = GAP + MAN + 12.0, GAP + 16.0  # the cube's room, and the names of the points
        self.right = self.left + 14 * WIDE + GAP
        self.bottom = self.top + 2 * HIGH + MIDDLE + 16 + GAP
        self.bar, self.tray = (13 - BAR, 13 - TRAY) if flipped else (BAR, TRAY)

    def centre(self, x: int, y: int) -> Point:
        """The middle of a place."""
        return self.left + WIDE * (x + 0.5), self.edge(y) + (HIGH / 2 if y == 0 else -HIGH / 2)

    def edge(self, y: int) -> float:
        """Where a stack begins: the upper or the lower edge of the board."""
        return self.top if y == 0 else self.top + 2 * HIGH + MIDDLE

    def outline(self, x: int, y: int) -> str:
        """The place as a shape that can be filled."""
        return rectangle("cell", self.left + WIDE * x, self.top if y == 0 else self.edge(1) - HIGH, WIDE, HIGH)

    def drawn(self, x: int, y: int) -> str:
        """The triangle of a point; the bar and the trays are strips of the frame."""
        if x in (self.bar, self.tray):
            return ""
        left, edge = self.left + WIDE * x, self.edge(y)
        tip = edge + (HIGH - 14) * (1 if y == 0 else -1)
        colour = "pale" if (x + y + (x > self.bar)) % 2 else "deep"
        return polygon(f"point {colour}", f"{left},{edge} {left + WIDE},{edge} {left + WIDE / 2:g},{tip:g}")

    def name(self, x: int, y: int, name: str) -> str:
        """The name of a point, outside the board."""
        if x in (self.bar, self.tray):
            return ""
        return text("label", self.left + WIDE * (x + 0.5), self.top - 5 if y == 0 else self.edge(1) + 14, name)

    def stack(self, piece: Piece, count: int, x: int, y: int) -> str:
        """Men one above the other, from the edge towards the middle."""
        across, inwards = self.left + WIDE * (x + 0.5), 1 if y == 0 else -1
        if x == self.tray:
            heights = (self.edge(y) + inwards * (i + 0.5) * SLAB - SLAB / 2 for i in range(count))
            slabs = (rectangle(f"disc fill-{piece.colour}", across - 17, h + 1, 34, SLAB - 2, 3) for h in heights)
            return "".join(slabs)
        men = [
            pieces.drawn(piece, across, self.edge(y) + inwards * (i + 0.5) * MAN, MAN / 40)
            for i in range(min(count, SHOWN))
        ]
        if count > SHOWN:
            ink = "black" if piece.colour in ("white", "yellow") else "white"
            high = self.edge(y) + inwards * (SHOWN - 0.5) * MAN
            men.append(text(f"letter fill-{ink}", across, high + 6, str(count)))
        return "".join(men)

    def frame(self, board: Board, flipped: bool) -> str:
        """The board without its places: the wood, the bar, the trays, the dice and the cube."""
        high = 2 * HIGH + MIDDLE
        strips = (rectangle("bar", self.left + WIDE * x, self.top, WIDE, high) for x in (self.bar, self.tray))
        wood = rectangle("frame", self.left, self.top, 14 * WIDE, high, 6)
        middle = self.top + HIGH + MIDDLE / 2
        start = self.left + WIDE * (self.bar + 1) + 3 * WIDE - STEP * len(board.dice) / 2 + 4
        dice = (die(value, start + STEP * i, middle - 20) for i, value in enumerate(board.dice))
        return "".join([wood, *strips, *dice, self._cube(board, middle, flipped)])

    def _cube(self, board: Board, middle: float, flipped: bool) -> str:
        """The cube on its owner's side, or in the middle. A cube that nobody has turned shows 64."""
        if board.cube is None:
            return ""
        value, owner = board.cube
        below = None if owner is None else (owner == 0) != flipped
        y = middle - 20 if below is None else self.edge(1) - 44 if below else self.top + 4
        return rectangle("tile", GAP, y, 40, 40, 5) + text(
            "cube fill-black", GAP + 20, y + 27, str(value if value > 1 else 64)
        )
