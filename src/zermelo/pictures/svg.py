"""A board as SVG: for the web page, notebooks and documents; in light and dark, for eyes and for screen readers.

Every square is an element with its name and its content, so that a page can make it a button without knowing the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from zermelo.game.board import COLOURS, Board, Piece
from zermelo.game.protocol import Game
from zermelo.pictures.grids import GAP, SIZE, Hexagons, Squares
from zermelo.pictures.shapes import CHESSMEN, PIPS, SUITS

LINE = 22
"""The height of a line of text, in pixels."""
HEAP_ROW = 24
"""Counters of a heap per row."""

STYLE = """
.zermelo-board{--ink:#1b1f24;--soft:#59636e;--paper:#fff;--light:#f0ece2;--dark:#b7a284;--felt:#3f7d5a;--frame:#2d5fa8;
--wood:#e2c48d;--mark:#f5d76e;--white:#fbfbf8;--black:#22262b;--red:#c7372f;--yellow:#e8b71a;--blue:#2d5fa8;
--green:#2f7d4f;--grey:#8a929b;font-family:system-ui,"Segoe UI","DejaVu Sans",Helvetica,Arial,sans-serif}
@media (prefers-color-scheme:dark){.zermelo-board{--ink:#e8ecf1;--soft:#a9b4c0;--paper:#14181d;--light:#8d8577;
--dark:#5c5243;--felt:#2b5a40;--frame:#24487d;--wood:#96794a;--mark:#a8901f;--red:#e0574e;
--blue:#5b8fdd;--green:#4fa873;--grey:#9aa2ab}}
.zermelo-board .paper{fill:var(--paper)}
.zermelo-board .square rect{fill:transparent;stroke:none}
.zermelo-board.checkered .light>rect{fill:var(--light)}
.zermelo-board.checkered .dark>rect{fill:var(--dark)}
.zermelo-board.felt .square>rect{fill:var(--felt);stroke:var(--ink);stroke-width:.8}
.zermelo-board.holes .frame{fill:var(--frame)}
.zermelo-board.holes .hole{fill:var(--paper)}
.zermelo-board.points .frame{fill:var(--wood)}
:where(.zermelo-board).hexagons .square>polygon{fill:var(--light);stroke:var(--ink);stroke-width:1}
.zermelo-board.hexagons .edge{fill:none;stroke-width:11;stroke-linejoin:round}
.zermelo-board .square.marked>:is(rect,polygon){fill:var(--mark)}
.zermelo-board.holes .square.marked>rect,.zermelo-board.points .square.marked>rect{fill:transparent}
.zermelo-board.holes .marked .hole,.zermelo-board.holes .marked .piece{stroke:var(--mark);stroke-width:4}
.zermelo-board .rule{stroke:var(--ink);stroke-width:1.6}
.zermelo-board.points .rule{stroke:#1b1f24;stroke-width:1}
.zermelo-board .label{fill:var(--soft);font-size:13px;text-anchor:middle}
.zermelo-board .line{fill:var(--ink);font-size:14px}
.zermelo-board.text .line{font-family:ui-monospace,Menlo,"DejaVu Sans Mono",monospace}
.zermelo-board .name{fill:var(--soft);font-size:15px;text-anchor:middle;opacity:.55}
.zermelo-board .piece{stroke:var(--ink);stroke-width:1.2}
.zermelo-board .stroke{fill:none;stroke-width:5;stroke-linecap:round}
.zermelo-board .man{stroke:#22262b;stroke-width:1.4;stroke-linejoin:round}
.zermelo-board .man .inner{fill:none;stroke-linecap:round}
.zermelo-board .man.fill-black{stroke:#f3f1ea;stroke-width:1.1}
.zermelo-board .man .eye{stroke:none;fill:#22262b}
.zermelo-board .man.fill-black .eye{fill:#f3f1ea}
.zermelo-board .symbol{font-size:34px;text-anchor:middle;stroke:var(--soft);stroke-width:1;paint-order:stroke}
.zermelo-board .letter{font-size:18px;font-weight:700;text-anchor:middle;stroke:none}
.zermelo-board .dot{fill:var(--mark);stroke:#22262b;stroke-width:1}
.zermelo-board .tile{fill:var(--white);stroke:var(--soft);stroke-width:1.2}
.zermelo-board .pip{fill:var(--black)}
.zermelo-board .card{font-size:22px;font-weight:600;text-anchor:middle}
.zermelo-board .back{fill:var(--frame);stroke:none}
.zermelo-board .weave{fill:none;stroke:var(--white);stroke-width:1;opacity:.6}
""" + "".join(
    f".zermelo-board .fill-{c}{{fill:var(--{c})}}.zermelo-board .stroke-{c}{{stroke:var(--{c})}}\n" for c in COLOURS
)


def draw(game: Game, s: Any, *, marked: Iterable[str] = (), flipped: bool = False, title: str = "") -> str:
    """A picture of a position: the game's `picture`, or else its text."""
    return render(board_of(game, s), title or game.name, tuple(marked), flipped)


def board_of(game: Game, s: Any) -> Board:
    """The game's picture, or else its text, line by line."""
    return game.picture(s) or Board(style="text", lines=tuple(game.text(s).splitlines()))


def render(board: Board, title: str, marked: tuple[str, ...] = (), flipped: bool = False) -> str:
    """A board as one SVG element, complete in itself."""
    rows = [row[::-1] for row in board.squares[::-1]] if flipped else list(board.squares)
    columns, sides = (board.columns[::-1], board.rows[::-1]) if flipped else (board.columns, board.rows)
    grid = (Hexagons if board.style == "hexagons" else Squares)(len(rows[0]) if rows else 0, len(rows), board)
    parts = [_frame(board, grid, flipped)] if rows else []
    turned = (len(rows) + len(rows[0])) % 2 if flipped and rows else 0  # a square keeps its colour
    for y, row in enumerate(rows):
        for x, name in enumerate(row):
            is_light, is_marked = (x + y + turned) % 2 == 0, name in (*board.marked, *marked)
            parts.append(_square(board, name, grid.outline(x, y), grid.centre(x, y), is_light, is_marked))
    parts += [_text("label", *grid.column_label(x), name) for x, name in enumerate(columns)]
    parts += [_text("label", *grid.row_label(y), name) for y, name in enumerate(sides)]
    more, below, wide = _beside(board, grid.bottom if rows else GAP)
    total = max(grid.right, wide + 16, 120)
    description = describe(board)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-board {board.style}" role="group" '
        f'width="{total:g}" height="{below:g}" viewBox="0 0 {total:g} {below:g}" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc><style>{STYLE}</style>"
        f'<rect class="paper" width="{total:g}" height="{below:g}"/>{"".join([*parts, *more])}</svg>\n'
    )


def describe(board: Board) -> str:
    """The position in words, for screen readers."""
    parts = [f"{piece.name} on {name}" for name, piece in board.pieces.items()]
    parts += [f"{name}: {count}" for name, count in board.heaps]
    parts += [f"dice {' '.join(str(value) if value else 'rolling' for value in board.dice)}"] if board.dice else []
    parts += [f"cards {' '.join('face down' if card == '?' else card for card in board.cards)}"] if board.cards else []
    return "; ".join([*parts, *board.lines]) or "an empty board"


def _frame(board: Board, grid: Squares | Hexagons, flipped: bool) -> str:
    """What is below the cells: a background and lines, or the coloured edges of a board of hexagons."""
    if isinstance(grid, Hexagons):
        colours = (*board.edges[2:], *board.edges[:2]) if flipped else board.edges
        return "".join(
            f'<polyline class="edge stroke-{colour}" points="{points}"/>'
            for colour, points in zip(colours, grid.edges() if colours else (), strict=True)
        )
    lines = []
    left, width, height = grid.left, SIZE * len(board.squares[0]), SIZE * len(board.squares)
    if board.style in ("holes", "points"):
        lines.append(f'<rect class="frame" x="{left}" y="8" width="{width}" height="{height}" rx="8"/>')
    if board.style in ("lines", "points"):
        first, inset = (0, SIZE / 2) if board.style == "points" else (1, 0.0)
        for i in range(first, width // SIZE):
            x = left + SIZE * i + inset
            lines.append(_line("rule", x, 8 + inset, x, 8 + height - inset))
        for i in range(first, height // SIZE):
            y = 8 + SIZE * i + inset
            lines.append(_line("rule", left + inset, y, left + width - inset, y))
    return "".join(lines)


def _square(board: Board, name: str, outline: str, middle: tuple[float, float], is_light: bool, is_marked: bool) -> str:
    piece = board.pieces.get(name)
    inside = outline
    if board.style == "holes":
        inside += _circle("hole", *middle, 0.4 * SIZE)
    if piece is not None:
        inside += _piece(piece, *middle)
    elif board.style == "lines" and not board.columns:
        inside += _text("name", middle[0], middle[1] + 5, name)
    if is_marked and board.style == "points":
        inside += _circle("dot", *middle, 0.12 * SIZE)
    label = f"{name}: {piece.name}" if piece is not None else name
    return _button(name, label, inside, "light" if is_light else "dark", is_marked)


def _button(name: str, label: str, inside: str, kind: str = "", is_marked: bool = False) -> str:
    """An element that a page can make a button: a square with its content and its name."""
    classes = " ".join(filter(None, ["square", kind, "marked" * is_marked]))
    return f'<g class="{classes}" data-square="{escape(name)}" role="img" aria-label="{escape(label)}">{inside}</g>'


def _piece(piece: Piece, x: float, y: float) -> str:
    r = 0.3 * SIZE
    if piece.shape in CHESSMEN:
        place = f"translate({x:g} {y:g}) scale(1.1)"
        return f'<g class="man fill-{piece.colour}" transform="{place}">{CHESSMEN[piece.shape]}</g>'
    if piece.shape == "cross":
        kind = f"stroke stroke-{piece.colour}"
        return _line(kind, x - r, y - r, x + r, y + r) + _line(kind, x - r, y + r, x + r, y - r)
    if piece.shape == "ring":
        return _circle(f"stroke stroke-{piece.colour}", x, y, r)
    if piece.shape == "text":
        return _text(f"symbol fill-{piece.colour}", x, y + 12, piece.symbol)
    disc = _circle(f"piece fill-{piece.colour}", x, y, 0.4 * SIZE)
    ink = "black" if piece.colour in ("white", "yellow") else "white"
    return disc + (_text(f"letter fill-{ink}", x, y + 6, piece.symbol) if piece.symbol else "")


def _beside(board: Board, y: float) -> tuple[list[str], float, float]:
    """Dice, cards, heaps and lines of text below the board; returns the end and the width."""
    parts: list[str] = []
    wide = 0.0
    if board.dice or board.cards:
        parts += [_die(value, 8.0 + 48 * place, y) for place, value in enumerate(board.dice)]
        parts += [_card(card, 8.0 + 48 * place, y) for place, card in enumerate(board.cards, len(board.dice))]
        wide, y = 8.0 + 48 * (len(board.dice) + len(board.cards)), y + (66 if board.cards else 50)
    for name, count in board.heaps:
        parts.append(_text("line", 8, y + 20, name))
        left = 20.0 + 10 * len(name)
        for i in range(count):
            parts.append(_counter(f"{name}{i + 1}", left + 24 * (i % HEAP_ROW), y + 4 + 24 * (i // HEAP_ROW)))
        end = left + 24 * min(count, HEAP_ROW)
        parts.append(_text("line", end + 8, y + 20, str(count)))
        wide, y = max(wide, end + 40), y + 8 + 24 * max(1, -(-count // HEAP_ROW))
    for line in board.lines:
        parts.append(_text("line", 8, y + 15, line))
        wide, y = max(wide, 9.0 * len(line)), y + LINE
    return parts, y + 8, wide


def _counter(name: str, x: float, y: float) -> str:
    inside = f'<rect x="{x:g}" y="{y:g}" width="24" height="24"/>' + _circle("piece fill-blue", x + 12, y + 12, 9)
    return _button(name, name, inside)


def _die(value: int, x: float, y: float) -> str:
    face = f'<rect class="tile" x="{x:g}" y="{y:g}" width="40" height="40" rx="7"/>'
    if value not in PIPS:
        return face + _text("card fill-black", x + 20, y + 28, str(value) if value else "?")
    return face + "".join(_circle("pip", x + 10 + 10 * a, y + 10 + 10 * b, 3.6) for a, b in PIPS[value])


def _card(name: str, x: float, y: float) -> str:
    """A card with its rank and its suit, or face down."""
    tile = f'<rect class="tile" x="{x:g}" y="{y:g}" width="40" height="56" rx="5"/>'
    if name == "?":
        weave = "".join(f"M{x + 5:g} {y + 5 + 6 * i:g}l30 10" for i in range(7))
        back = f'<rect class="back" x="{x + 4:g}" y="{y + 4:g}" width="32" height="48" rx="3"/>'
        return f'{tile}{back}<path class="weave" d="{weave}"/>'
    rank = "".join(sign for sign in name if sign not in SUITS)
    suit = next((sign for sign in name if sign in SUITS), None)
    if suit is None:
        return tile + _text("card fill-black", x + 20, y + 36, rank)
    colour = "red" if suit in "♥♦" else "black"
    drawn = f'<path class="fill-{colour}" transform="translate({x + 20:g} {y + 41:g})" d="{SUITS[suit]}"/>'
    return tile + _text(f"card fill-{colour}", x + 20, y + 26, rank) + drawn


def _circle(kind: str, x: float, y: float, r: float) -> str:
    return f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{r:g}"/>'


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'


def _text(kind: str, x: float, y: float, words: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" xml:space="preserve">{escape(words)}</text>'
