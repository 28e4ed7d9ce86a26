"""What a picture of a position shows, as plain data: squares and pieces, dice, cards, heaps and lines of text.

A game that has a picture defines what it shows (`Game.picture`). Drawing is the same for all games, and is elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

STYLES = ("lines", "checkered", "felt", "holes", "points", "hexagons", "text")
"""Lines between squares, two colours of them, one colour with lines, round holes, stones where lines cross, hexagons
(each row half a cell to the right of the row above); no grid."""

COLOURS = ("white", "black", "red", "yellow", "blue", "green", "grey")
CHESSMEN = ("pawn", "knight", "bishop", "rook", "queen", "king")
SHAPES = ("disc", "crowned", "cross", "ring", "text", *CHESSMEN)
HIGHLIGHTS = ("check", "winning")
"""A piece that is attacked and must be saved; a square of the line, chain or move that has won."""


@dataclass(frozen=True)
class Piece:
    """Something that stands on a square: its shape and colour, its letter or symbol, and its name in words.

    The symbol is written where the shape is "text", on a disc, and wherever there are only characters to draw with.
    """

    name: str
    shape: str = "disc"
    colour: str = "black"
    symbol: str = ""

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise ValueError(f"a piece's shape is one of {', '.join(SHAPES)}, not {self.shape!r}")
        if self.colour not in COLOURS:
            raise ValueError(f"a piece's colour is one of {', '.join(COLOURS)}, not {self.colour!r}")


@dataclass(frozen=True)
class Board:
    """A position to be looked at.

    squares    the names of the squares, row by row from the top; empty where there is no board
    pieces     by the names of the squares that they stand on
    style      how squares are drawn: one of STYLES
    columns    what is written below the columns (of hexagons, above them), and `rows` beside the rows
    marked     squares to be pointed out, such as those of the last move
    highlights squares that matter for a reason: name to one of HIGHLIGHTS
    stars      squares with a small dot, such as the star points of a Go board
    owners     squares that belong to a colour although nothing stands on them, such as territory: name to colour
    dice       what they show, 0 while they roll; cards by their names ("K♠", "?" face down)
    heaps      as names and numbers; a heap's counters are squares too: A1, A2 and so on of heap A
    lines      what else is to be said, below it
    edges      the colours of the edges of a board of hexagons: top, right, bottom, left; empty if they have none
    facing     the players sit on opposite sides: the second player sees the board turned around
    """

    squares: tuple[tuple[str, ...], ...] = ()
    pieces: Mapping[str, Piece] = field(default_factory=dict)
    style: str = "lines"
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    heaps: tuple[tuple[str, int], ...] = ()
    lines: tuple[str, ...] = ()
    stars: tuple[str, ...] = ()
    owners: Mapping[str, str] = field(default_factory=dict)
    edges: tuple[str, ...] = ()
    highlights: Mapping[str, str] = field(default_factory=dict)
    facing: bool = False

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            raise ValueError(f"a board's style is one of {', '.join(STYLES)}, not {self.style!r}")
        if len({len(row) for row in self.squares}) > 1:
            raise ValueError("all rows of a board have as many squares")
        if self.edges and (self.style != "hexagons" or len(self.edges) != 4 or not set(self.edges) <= set(COLOURS)):
            raise ValueError(f"edges are four of {', '.join(COLOURS)}, of a board of hexagons, not {self.edges!r}")
        names = [name for row in self.squares for name in row]
        if len(set(names)) < len(names):
            raise ValueError("two squares of a board have the same name")
        for name in (*self.pieces, *self.marked, *self.stars, *self.owners, *self.highlights):
            if name not in names:
                raise ValueError(f"there is no square {name!r} on the board")
        for colour in self.owners.values():
            if colour not in COLOURS:
                raise ValueError(f"an owner's colour is one of {', '.join(COLOURS)}, not {colour!r}")
        for kind in self.highlights.values():
            if kind not in HIGHLIGHTS:
                raise ValueError(f"a highlight is one of {', '.join(HIGHLIGHTS)}, not {kind!r}")

    @property
    def places(self) -> frozenset[str]:
        """The names of all that can be pointed at: squares, and the counters of heaps."""
        counters = (f"{heap}{number}" for heap, count in self.heaps for number in range(1, count + 1))
        return frozenset((*(name for row in self.squares for name in row), *counters))


def squares(width: int, height: int) -> tuple[tuple[str, ...], ...]:
    """The names of a board's squares as chess players say them, a1 at the lower left."""
    return tuple(tuple(f"{letter(x)}{y + 1}" for x in range(width)) for y in reversed(range(height)))


def letter(number: int) -> str:
    """a to z for the first columns, then aa, ab and so on."""
    return chr(ord("a") + number) if number < 26 else letter(number // 26 - 1) + letter(number % 26)
