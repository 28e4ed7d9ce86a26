"""What a picture of a position shows, as plain data: squares and pieces, dice, cards, heaps, scores and lines of text.

A game that has a picture defines what it shows (`Game.picture`). Drawing is the same for all games, and is elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

STYLES = ("lines", "checkered", "felt", "holes", "points", "hexagons", "backgammon", "text")
"""Lines between squares, two colours of them, one colour with lines, round holes, stones where lines cross, hexagons
(each row half a cell to the right of the row above), the points of a backgammon board; no grid.

A board of backgammon has two rows of 14 names: six points, the bar, six points, and the tray for men borne off."""

COLOURS = ("white", "black", "red", "yellow", "blue", "green", "grey")
CHESSMEN = ("pawn", "knight", "bishop", "rook", "queen", "king")
SHAPES = ("disc", "crowned", "cross", "ring", "text", *CHESSMEN)
FACE_DOWN = "?"
"""A card that is seen from behind."""
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
class Track:
    """A score on its way to an end: the points that are safe, and `more` that are not yet."""

    name: str
    value: float
    end: float
    more: float = 0
    colour: str = "blue"

    def __post_init__(self) -> None:
        if self.colour not in COLOURS:
            raise ValueError(f"a track's colour is one of {', '.join(COLOURS)}, not {self.colour!r}")
        if self.end <= 0:
            raise ValueError(f"a track ends at a positive number, not at {self.end}")

    def __str__(self) -> str:
        return f"{self.name}: {self.value:g} of {self.end:g}{f', {self.more:g} more at stake' if self.more else ''}"


@dataclass(frozen=True)
class Board:
    """A position to be looked at.

    squares    the names of the squares, row by row from the top; empty if there is no board. "" is a place without a
               square, such as the light squares in checkers
    pieces     by the names of the squares that they stand on
    stacks     several equal pieces on a square: its name to the piece and how many there are
    numbered   the names of squares are written in their corners, as in checkers
    style      how squares are drawn: one of STYLES
    columns    what is written below the columns (of hexagons, above them), and `rows` beside the rows
    marked     squares to be pointed out, such as those of the last move
    highlights squares that matter for a reason: name to one of HIGHLIGHTS
    stars      squares with a small dot, such as the star points of a Go board
    owners     squares that belong to a colour although nothing stands on them, such as territory: name to colour
    dice       what they show, 0 while they roll
    cube       the doubling cube of backgammon: its number, and the player who owns it (0 sits below); None: nobody does
    cards      on the table, by their names ("K♠", "?" face down)
    hands      the players' cards: a name and the cards; cards that are face up can be pointed at
    cups       the players' dice: a name and what they show, 0 under the cup
    chips      amounts of chips, such as ("pot", 4)
    tracks     scores
    heaps      as names and numbers; a heap's counters are squares too: A1, A2 and so on of heap A
    lines      what else is to be said, below it
    edges      the colours of the edges of a board of hexagons: top, right, bottom, left; empty if they have none
    labels     what is written at the points of a backgammon board instead of their names, for the player to move
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
    stacks: Mapping[str, tuple[Piece, int]] = field(default_factory=dict)
    numbered: bool = False
    cube: tuple[int, int | None] | None = None
    hands: tuple[tuple[str, tuple[str, ...]], ...] = ()
    cups: tuple[tuple[str, tuple[int, ...]], ...] = ()
    chips: tuple[tuple[str, float], ...] = ()
    tracks: tuple[Track, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            raise ValueError(f"a board's style is one of {', '.join(STYLES)}, not {self.style!r}")
        if len({len(row) for row in self.squares}) > 1:
            raise ValueError("all rows of a board have as many squares")
        if self.edges and (self.style != "hexagons" or len(self.edges) != 4 or not set(self.edges) <= set(COLOURS)):
            raise ValueError(f"edges are four of {', '.join(COLOURS)}, of a board of hexagons, not {self.edges!r}")
        if self.style == "backgammon" and [len(row) for row in self.squares] != [14, 14]:
            raise ValueError("a board of backgammon has two rows of 14: six points, the bar, six points, and the tray")
        names = [name for row in self.squares for name in row if name]
        if len(set(names)) < len(names):
            raise ValueError("two squares of a board have the same name")
        for name in (
            *self.pieces,
            *self.stacks,
            *self.marked,
            *self.stars,
            *self.owners,
            *self.highlights,
            *self.labels,
        ):
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
        """The names of all that can be pointed at: squares, the counters of heaps, and the cards of hands."""
        counters = (f"{heap}{number}" for heap, count in self.heaps for number in range(1, count + 1))
        cards = (card for _, cards in self.hands for card in cards if card != FACE_DOWN)
        return frozenset((*(name for row in self.squares for name in row if name), *counters, *cards))


@dataclass(frozen=True)
class Composition:
    """A move that is put together step by step, such as one checker after the other at backgammon.

    board    the position after the steps so far
    steps    the steps that can follow, each from a square to a square
    action   the move, if it is complete
    """

    board: Board
    steps: tuple[tuple[str, str], ...]
    action: Any = None


def squares(width: int, height: int) -> tuple[tuple[str, ...], ...]:
    """The names of a board's squares as chess players say them, a1 at the lower left."""
    return tuple(tuple(f"{letter(x)}{y + 1}" for x in range(width)) for y in reversed(range(height)))


def letter(number: int) -> str:
    """a to z for the first columns, then aa, ab and so on."""
    return chr(ord("a") + number) if number < 26 else letter(number // 26 - 1) + letter(number % 26)
