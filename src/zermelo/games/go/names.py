"""Points, positions and pictures of Go for people: A1 to T19 without I, text boards, and what a picture shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from zermelo.game.board import Board, Piece
from zermelo.game.errors import IllegalAction, StateError
from zermelo.games.go.handicap import star_points
from zermelo.games.go.state import GoState
from zermelo.games.parameters import require_text
from zermelo.kernel.words import contains, count_items

if TYPE_CHECKING:
    from zermelo.games.go.rules import Go

PASS = "pass"
COLUMNS = "ABCDEFGHJKLMNOPQRST"
BLACK, WHITE = Piece("black"), Piece("white", colour="white")


# Points.


def point_name(game: Go, p: int) -> str:
    """The name of a point, such as D4."""
    row, column = divmod(p, game.stride)
    return f"{COLUMNS[column]}{row + 1}"


def point_named(game: Go, name: str) -> int:
    """The number of the point of this name, or of a pass; upper and lower case are equal."""
    wanted = name.strip().upper()
    if wanted == PASS.upper():
        return game.points
    found = re.fullmatch(r"([A-HJ-T])([1-9][0-9]?)", wanted, re.ASCII)
    if found:
        row, column = int(found[2]) - 1, COLUMNS.index(found[1])
        if row < game.size and column < game.size:
            return game.number(row, column)
    last = f"{COLUMNS[game.size - 1]}{game.size}"
    raise IllegalAction(f"{name.strip()!r} is not a move of {game.title}; moves are A1 to {last}, without I, and pass")


# Text.


def text(game: Go, s: GoState) -> str:
    """The board in characters: X is black, O is white, + a star point."""
    black, white = game.colours(s)
    stars = {game.number(*star) for star in star_points(game.size)}
    header = "   " + " ".join(COLUMNS[: game.size])
    lines = [header]
    for row in reversed(range(game.size)):
        cells = [
            "X" if contains(black, p) else "O" if contains(white, p) else "+" if p in stars else "."
            for p in (game.number(row, column) for column in range(game.size))
        ]
        lines.append(f"{row + 1:2} {' '.join(cells)} {row + 1}")
    return "\n".join([*lines, header, *_remarks(game, s, "black (X)", "white (O)")])


def _remarks(game: Go, s: GoState, *players: str) -> list[str]:
    """Whose turn it is, or the result; captures, if there were any."""
    if game.is_terminal(s):
        lead = game.lead(s)
        margin = f"{abs(lead):g} point{'s' * (abs(lead) != 1)}"
        first = f"the game is over: {'a draw' if lead == 0 else f'{players[lead < 0]} wins by {margin}'}"
    else:
        passed = f"{players[1 - s.mover]} passed; " if s.passes else ""
        first = f"{passed}{players[s.mover]} to move"
    lost = f"captured: {s.white_lost} by black, {s.black_lost} by white"
    return [first, *([lost] if s.black_lost or s.white_lost else [])]


def to_text(game: Go, s: GoState) -> str:
    """The position in one line: rows from the top, the player to move, ko, passes, moves, losses, the last move."""
    black, white = game.colours(s)
    rows = (
        "".join(
            "X" if contains(black, p) else "O" if contains(white, p) else "."
            for p in (game.number(row, column) for column in range(game.size))
        )
        for row in reversed(range(game.size))
    )
    ko = "-" if s.ko == game.points else point_name(game, s.ko)
    last = "-" if s.last == game.points else point_name(game, s.last)
    return f"{'/'.join(rows)} {'XO'[s.mover]} {ko} {s.passes} {s.moves} {s.black_lost} {s.white_lost} {last}"


def from_text(game: Go, text: str) -> GoState:
    """The inverse of `to_text`. Everything after the rows may be left out: Black to move, no ko, no passes."""
    require_text(text, f"a position of {game.title}")
    words = text.split()
    rows = words[0].upper().split("/") if words else []
    if len(rows) != game.size or any(len(row) != game.size for row in rows):
        raise StateError(f"a position of {game.title} begins with {game.size} rows of {game.size} points, not {text!r}")
    stones: dict[str, list[int]] = {"X": [], "O": [], ".": []}
    for row, signs in enumerate(reversed(rows)):
        for column, sign in enumerate(signs):
            p = game.number(row, column)
            if sign not in stones:
                name = point_name(game, p)
                raise StateError(f"point {name} is {sign!r}; it must be X (black), O (white) or . (empty)")
            stones[sign].append(p)
    mover, ko, *numbers, last = [*words[1:], *("X", "-", "0", "0", "0", "0", "-")[len(words) - 1 :]]
    if mover.upper() not in ("X", "O"):
        raise StateError(f"the player to move is X (black) or O (white), not {mover!r}")
    if len(numbers) != 4 or not all(re.fullmatch("[0-9]{1,5}", number, re.ASCII) for number in numbers):
        raise StateError(f"passes, moves, and black and white losses must be four numbers, not {' '.join(numbers)!r}")
    passes, moves, black_lost, white_lost = (int(number) for number in numbers)
    forbidden, played = _point_or_none(game, "ko point", ko), _point_or_none(game, "last move", last)
    s = game.position(stones["X"], stones["O"], "XO".index(mover.upper()))
    s = s._replace(ko=forbidden, passes=passes, moves=moves, black_lost=black_lost, white_lost=white_lost, last=played)
    return game.checked(s)


def _point_or_none(game: Go, what: str, word: str) -> int:
    try:
        return game.points if word == "-" else point_named(game, word)
    except IllegalAction:
        raise StateError(f"the {what} is a point or -, not {word!r}") from None


# Pictures.


def picture(game: Go, s: GoState) -> Board:
    """Stones on points; in the end also the owners of the empty points."""
    black, white = game.colours(s)
    numbers = [[game.number(row, column) for column in range(game.size)] for row in reversed(range(game.size))]
    named = tuple(tuple(point_name(game, p) for p in row) for row in numbers)
    pieces, owners = {}, {}
    areas = game.areas(black, white) if game.is_terminal(s) else ()
    for p in (p for row in numbers for p in row):
        for stones, piece in ((black, BLACK), (white, WHITE)):
            if contains(stones, p):
                pieces[point_name(game, p)] = piece
        for area, colour in zip(areas, ("black", "white"), strict=False):
            if contains(area, p) and point_name(game, p) not in pieces:
                owners[point_name(game, p)] = colour
    return Board(
        named,
        pieces,
        "points",
        tuple(COLUMNS[: game.size]),
        tuple(str(row + 1) for row in reversed(range(game.size))),
        stars=tuple(point_name(game, game.number(*star)) for star in star_points(game.size)),
        owners=owners,
    )


def ending(game: Go, s: GoState) -> str | None:
    """The margin at the end of the game; None if nobody has won."""
    black, white = (count_items(area) for area in game.areas(*game.colours(s)))
    lead = abs(black - white - game.compensation)
    return f"{lead:g} point{'s' * (lead != 1)}" if lead else None
