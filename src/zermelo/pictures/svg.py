"""A board as SVG: for the web page, notebooks and documents; in light and dark, for eyes and for screen readers.

Every square is an element of its own with its name and what stands on it, so that a page can make it a button without
knowing anything of the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from zermelo.game.board import Board, Piece
from zermelo.game.protocol import Game

SIZE, MARGIN, LINE = 48, 26, 22
"""Of a square, of the space around the board, and of a line of text, in pixels."""
PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}

STYLE = """
.zermelo-board{--ink:#1b1f24;--soft:#59636e;--paper:#fff;--light:#f0ece2;--dark:#b7a284;--felt:#3f7d5a;--frame:#2d5fa8;
--wood:#e2c48d;--mark:#f5d76e;--white:#fbfbf8;--black:#22262b;--red:#c7372f;--yellow:#e8b71a;--blue:#2d5fa8;
--green:#2f7d4f;--grey:#8a929b;font-family:system-ui,"Segoe UI","DejaVu Sans",Helvetica,Arial,sans-serif}
@media (prefers-color-scheme:dark){.zermelo-board{--ink:#e8ecf1;--soft:#a9b4c0;--paper:#14181d;--light:#8d8577;
--dark:#5c5243;--felt:#2b5a40;--frame:#24487d;--wood:#96794a;--mark:#8f7a1e;--grey:#9aa2ab}}
.zermelo-board .paper{fill:var(--paper)}
.zermelo-board .square rect{fill:transparent;stroke:none}
.zermelo-board.checkered .light>rect{fill:var(--light)}
.zermelo-board.checkered .dark>rect{fill:var(--dark)}
.zermelo-board.felt .square>rect{fill:var(--felt);stroke:var(--ink);stroke-width:.8}
.zermelo-board.holes .frame{fill:var(--frame)}
.zermelo-board.holes .hole{fill:var(--paper)}
.zermelo-board.points .frame{fill:var(--wood)}
.zermelo-board .square.marked>rect{fill:var(--mark)}
.zermelo-board.holes .square.marked>rect{fill:transparent}
.zermelo-board.holes .marked .hole,.zermelo-board.holes .marked .piece{stroke:var(--mark);stroke-width:4}
.zermelo-board .rule{stroke:var(--ink);stroke-width:1.6}
.zermelo-board.points .rule{stroke:#1b1f24;stroke-width:1}
.zermelo-board .label{fill:var(--soft);font-size:13px;text-anchor:middle}
.zermelo-board .line{fill:var(--ink);font-size:14px}
.zermelo-board.text .line{font-family:ui-monospace,Menlo,"DejaVu Sans Mono",monospace}
.zermelo-board .name{fill:var(--soft);font-size:15px;text-anchor:middle;opacity:.55}
.zermelo-board .piece{stroke:var(--ink);stroke-width:1.2}
.zermelo-board .stroke{fill:none;stroke-width:5;stroke-linecap:round}
.zermelo-board .symbol{font-size:40px;text-anchor:middle;stroke-width:1.5;paint-order:stroke}
.zermelo-board .letter{font-size:18px;font-weight:700;text-anchor:middle;stroke:none}
.zermelo-board .tile{fill:var(--white);stroke:var(--soft);stroke-width:1.2}
.zermelo-board .pip{fill:var(--black)}
.zermelo-board .card{fill:var(--black);font-size:22px;text-anchor:middle}
.zermelo-board .card.red{fill:var(--red)}
"""


def draw(game: Game, s: Any, *, marked: Iterable[str] = (), flipped: bool = False, title: str = "") -> str:
    """A picture of a position: what the game's `picture` says is there, or else its text."""
    return render(board_of(game, s), title or game.name, tuple(marked), flipped)


def board_of(game: Game, s: Any) -> Board:
    """What the game's picture shows, or else its text, line by line."""
    return game.picture(s) or Board(style="text", lines=tuple(game.text(s).splitlines()))


def render(board: Board, title: str, marked: tuple[str, ...] = (), flipped: bool = False) -> str:
    """A board as one SVG element, complete in itself."""
    rows = [row[::-1] for row in board.squares[::-1]] if flipped else list(board.squares)
    columns, sides = (board.columns[::-1], board.rows[::-1]) if flipped else (board.columns, board.rows)
    width, height = SIZE * len(rows[0]) if rows else 0, SIZE * len(rows)
    left = MARGIN if sides else 8
    parts = [_frame(board, left, width, height)]
    for y, row in enumerate(rows):
        for x, name in enumerate(row):
            parts.append(
                _square(board, name, left + SIZE * x, 8 + SIZE * y, (x + y) % 2 == 0, name in (*board.marked, *marked))
            )
    parts += [_text("label", left + SIZE * (x + 0.5), 8 + height + 17, name) for x, name in enumerate(columns)]
    parts += [_text("label", left / 2, 8 + SIZE * (y + 0.5) + 5, name) for y, name in enumerate(sides)]
    more, below, wide = _beside(board, 8.0 + height + (MARGIN if columns else 8) if rows else 8.0)
    total = max(left + width + 8, wide + 16, 120)
    description = describe(board)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-board {board.style}" role="group" '
        f'width="{total:g}" height="{below:g}" viewBox="0 0 {total:g} {below:g}" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc><style>{STYLE}</style>"
        f'<rect class="paper" width="{total:g}" height="{below:g}"/>{"".join([*parts, *more])}</svg>\n'
    )


def describe(board: Board) -> str:
    """The position in words, for those who hear it."""
    told = [f"{piece.name} on {name}" for name, piece in board.pieces.items()]
    told += [f"{name}: {count}" for name, count in board.heaps]
    told += [f"dice {' '.join(map(str, board.dice))}"] if board.dice else []
    told += [f"cards {' '.join(board.cards)}"] if board.cards else []
    return "; ".join([*told, *board.lines]) or "an empty board"


def _frame(board: Board, left: float, width: int, height: int) -> str:
    if not board.squares:
        return ""
    lines = []
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


def _square(board: Board, name: str, x: float, y: float, is_light: bool, is_marked: bool) -> str:
    piece = board.pieces.get(name)
    classes = " ".join(["square", "light" if is_light else "dark", *(["marked"] if is_marked else [])])
    label = f"{name}: {piece.name}" if piece is not None else name
    inside = f'<rect x="{x:g}" y="{y:g}" width="{SIZE}" height="{SIZE}"/>'
    middle = x + SIZE / 2, y + SIZE / 2
    if board.style == "holes":
        inside += f'<circle class="hole" cx="{middle[0]:g}" cy="{middle[1]:g}" r="{0.4 * SIZE:g}"/>'
    if piece is not None:
        inside += _piece(piece, *middle)
    elif board.style == "lines" and not board.columns:
        inside += _text("name", middle[0], middle[1] + 5, name)
    return f'<g class="{classes}" data-square="{escape(name)}" role="img" aria-label="{escape(label)}">{inside}</g>'


def _piece(piece: Piece, x: float, y: float) -> str:
    colour = f"var(--{piece.colour})"
    r = 0.3 * SIZE
    if piece.shape == "cross":
        paint = f"stroke:{colour}"
        return _line("stroke", x - r, y - r, x + r, y + r, paint) + _line("stroke", x - r, y + r, x + r, y - r, paint)
    if piece.shape == "ring":
        return f'<circle class="stroke" style="stroke:{colour}" cx="{x:g}" cy="{y:g}" r="{r:g}"/>'
    if piece.shape == "text":
        paint = f"fill:{colour};stroke:var(--{'white' if piece.colour == 'black' else 'black'})"
        return f'<text class="symbol" style="{paint}" x="{x:g}" y="{y + 14:g}">{escape(piece.symbol)}\ufe0e</text>'
    disc = f'<circle class="piece" style="fill:{colour}" cx="{x:g}" cy="{y:g}" r="{0.4 * SIZE:g}"/>'
    if not piece.symbol:
        return disc
    ink = "black" if piece.colour in ("white", "yellow") else "white"
    return f'{disc}<text class="letter" style="fill:var(--{ink})" x="{x:g}" y="{y + 6:g}">{escape(piece.symbol)}</text>'


def _beside(board: Board, y: float) -> tuple[list[str], float, float]:
    """Dice, cards, heaps and lines of text, below the board: where it ends, and how wide it is."""
    parts: list[str] = []
    wide = 0.0
    if board.dice or board.cards:
        x = 8.0
        for value in board.dice:
            parts.append(_die(value, x, y))
            x += 48
        for card in board.cards:
            red = " red" if any(suit in card for suit in "♥♦") else ""
            parts.append(f'<rect class="tile" x="{x:g}" y="{y:g}" width="40" height="56" rx="5"/>')
            parts.append(_text(f"card{red}", x + 20, y + 36, card))
            x += 48
        wide, y = max(wide, x), y + (66 if board.cards else 50)
    for name, count in board.heaps:
        parts.append(_text("line", 8, y + 16, name, "start"))
        for i in range(count):
            parts.append(f'<circle class="piece" style="fill:var(--blue)" cx="{44 + 20 * i:g}" cy="{y + 11:g}" r="8"/>')
        parts.append(_text("line", 56 + 20 * count, y + 16, str(count), "start"))
        wide, y = max(wide, 90.0 + 20 * count), y + 28
    for line in board.lines:
        parts.append(_text("line", 8, y + 15, line, "start"))
        wide, y = max(wide, 9.0 * len(line)), y + LINE
    return parts, y + 8, wide


def _die(value: int, x: float, y: float) -> str:
    face = f'<rect class="tile" x="{x:g}" y="{y:g}" width="40" height="40" rx="7"/>'
    if value not in PIPS:
        return face + _text("card", x + 20, y + 28, str(value))
    pips = (f'<circle class="pip" cx="{x + 10 + 10 * a:g}" cy="{y + 10 + 10 * b:g}" r="3.6"/>' for a, b in PIPS[value])
    return face + "".join(pips)


def _line(kind: str, x1: float, y1: float, x2: float, y2: float, paint: str = "") -> str:
    style = f' style="{paint}"' if paint else ""
    return f'<line class="{kind}"{style} x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'


def _text(kind: str, x: float, y: float, words: str, anchor: str = "") -> str:
    where = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}"{where} xml:space="preserve">{escape(words)}</text>'
