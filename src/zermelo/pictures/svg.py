"""A board as SVG: for the web page, notebooks and documents; in light and dark, for eyes and for screen readers.

Every square is an element with its name and its content, so that a page can make it a button without knowing the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from html import escape
from typing import Any

from zermelo.game.board import FACE_DOWN, Board, Piece
from zermelo.game.protocol import Game
from zermelo.pictures import pieces
from zermelo.pictures.backgammon import Points
from zermelo.pictures.elements import button, circle, classes, line, path, rectangle, text
from zermelo.pictures.grids import GAP, SIZE, Hexagons, Squares
from zermelo.pictures.style import STYLE
from zermelo.pictures.things import beside


def draw(game: Game, s: Any, *, marked: Iterable[str] = (), flipped: bool = False, title: str = "") -> str:
    """A picture of a position: the game's `picture`, or else its text."""
    return render(board_of(game, s), title or game.title, tuple(marked), flipped)


def board_of(game: Game, s: Any) -> Board:
    """The game's picture, or else its text, line by line."""
    return game.picture(s) or Board(style="text", lines=tuple(game.text(s).splitlines()))


def render(board: Board, title: str, marked: tuple[str, ...] = (), flipped: bool = False) -> str:
    """A board as one SVG element, complete in itself."""
    parts, right, bottom = (_points if board.style == "backgammon" else _grid)(board, (*board.marked, *marked), flipped)
    more, below, wide = beside(board, bottom)
    total = max(right, wide + 16, 120)
    description = describe(board)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-board zb-{board.style}" role="group" '
        f'width="{total:g}" height="{below:g}" viewBox="0 0 {total:g} {below:g}" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc><style>{STYLE}</style>"
        f'<rect {classes("paper")} width="{total:g}" height="{below:g}"/>{"".join([*parts, *more])}</svg>\n'
    )


def _grid(board: Board, marked: tuple[str, ...], flipped: bool) -> tuple[list[str], float, float]:
    """Squares or hexagons with all that is on them; returns the elements, the right end and the lower end."""
    rows = [row[::-1] for row in board.squares[::-1]] if flipped else list(board.squares)
    if not rows:
        return [], 0.0, GAP
    columns, sides = (board.columns[::-1], board.rows[::-1]) if flipped else (board.columns, board.rows)
    grid = (Hexagons if board.style == "hexagons" else Squares)(len(rows[0]), len(rows), board)
    parts = [_frame(board, grid, flipped)]
    turned = (len(rows) + len(rows[0])) % 2 if flipped else 0  # a square keeps its colour
    for y, row in enumerate(rows):
        for x, name in enumerate(row):
            kind = "light" if (x + y + turned) % 2 == 0 else "dark"
            outline = grid.outline(x, y)
            if name:
                parts.append(_square(board, name, outline, grid.centre(x, y), kind, name in marked))
            else:
                parts.append(f"<g {classes(kind)}>{outline}</g>")
    parts += [text("label", *grid.column_label(x), name) for x, name in enumerate(columns)]
    parts += [text("label", *grid.row_label(y), name) for y, name in enumerate(sides)]
    return parts, grid.right, grid.bottom


def _points(board: Board, marked: tuple[str, ...], flipped: bool) -> tuple[list[str], float, float]:
    """A board of backgammon, in the same way."""
    grid = Points(flipped)
    rows = [row[::-1] for row in board.squares[::-1]] if flipped else list(board.squares)
    places = [(name, x, y) for y, row in enumerate(rows) for x, name in enumerate(row)]
    parts = [grid.frame(board, flipped), *(grid.drawn(x, y) for _, x, y in places)]
    for name, x, y in places:
        piece, count = board.stacks.get(name) or (board.pieces.get(name), 1)
        men = "" if piece is None else grid.stack(piece, count, x, y)
        parts.append(button(name, _label(board, name), grid.outline(x, y) + men, "marked" * (name in marked)))
        parts.append(grid.name(x, y, board.labels.get(name, name)))
    return parts, grid.right, grid.bottom


def describe(board: Board) -> str:
    """The position in words, for screen readers."""
    parts = [f"{piece.name} on {name}" for name, piece in board.pieces.items()]
    parts += [f"{count} {piece.name} on {name}" for name, (piece, count) in board.stacks.items()]
    checked = [name for name, kind in board.highlights.items() if kind == "check"]
    parts += [f"check on {' '.join(checked)}"] if checked else []
    for colour in dict.fromkeys(board.owners.values()):
        parts.append(f"owned by {colour}: {' '.join(name for name, owner in board.owners.items() if owner == colour)}")
    parts += [f"{name}: {count}" for name, count in board.heaps]
    parts += [f"dice {' '.join(str(value) if value else 'rolling' for value in board.dice)}"] if board.dice else []
    if board.cube is not None:
        value, owner = board.cube
        parts.append(f"doubling cube {value}, {'in the middle' if owner is None else f'owned by player {owner + 1}'}")
    for holder, cards in (("cards", board.cards), *board.hands):
        shown = " ".join("face down" if card == FACE_DOWN else card for card in cards)
        parts += [f"{holder} {shown}"] if cards else []
    parts += [f"{name}: {' '.join(str(die or 'hidden') for die in dice)}" for name, dice in board.cups]
    parts += [f"{name}: {amount:g} chips" for name, amount in board.chips]
    parts += map(str, board.tracks)
    return "; ".join([*parts, *board.lines]) or "an empty board"


def _frame(board: Board, grid: Squares | Hexagons, flipped: bool) -> str:
    """What is below the cells: a background and lines, or the coloured edges of a board of hexagons."""
    if isinstance(grid, Hexagons):
        colours = (*board.edges[2:], *board.edges[:2]) if flipped else board.edges
        return "".join(
            f'<polyline {classes(f"edge stroke-{colour}")} points="{points}"/>'
            for colour, points in zip(colours, grid.edges() if colours else (), strict=True)
        )
    lines = []
    left, width, height = grid.left, SIZE * len(board.squares[0]), SIZE * len(board.squares)
    if board.style in ("holes", "points"):
        lines.append(rectangle("frame", left, GAP, width, height, 8))
    if board.style in ("lines", "points"):
        first, inset = (0, SIZE / 2) if board.style == "points" else (1, 0.0)
        for i in range(first, width // SIZE):
            x = left + SIZE * i + inset
            lines.append(line("rule", x, GAP + inset, x, GAP + height - inset))
        for i in range(first, height // SIZE):
            y = GAP + SIZE * i + inset
            lines.append(line("rule", left + inset, y, left + width - inset, y))
    return "".join(lines)


def _square(board: Board, name: str, outline: str, middle: tuple[float, float], kind: str, is_marked: bool) -> str:
    piece = board.pieces.get(name)
    inside = outline
    if board.style == "holes":
        inside += circle("hole", *middle, 0.4 * SIZE)
    if name in board.stars:
        inside += circle("star", *middle, 0.08 * SIZE)
    if name in board.owners:
        inside += _owner(board.owners[name], *middle)
    highlight = board.highlights.get(name)
    if highlight == "check":
        inside += circle("check", *middle, 0.47 * SIZE)
    if highlight == "winning" and board.style in ("lines", "checkered"):  # elsewhere a ring around a disc
        x, y = middle
        inside += rectangle("won", x - SIZE / 2 + 2, y - SIZE / 2 + 2, SIZE - 4, SIZE - 4, 6)
    if board.numbered:
        inside += text("number", middle[0] - SIZE / 2 + 2, middle[1] - SIZE / 2 + 8.5, name)
    if piece is not None:
        inside += pieces.drawn(piece, *middle)
    elif name in board.stacks:
        inside += _stack(*board.stacks[name], *middle)
    elif board.style == "lines" and not board.columns:
        inside += text("name", middle[0], middle[1] + 5, name)
    if is_marked and board.style == "points":
        inside += circle("dot", *middle, 0.12 * SIZE)
    if highlight == "winning" and board.style not in ("lines", "checkered"):
        inside += circle("winning", *middle, 0.43 * SIZE)
    return button(name, _label(board, name), inside, kind + " marked" * is_marked)


def _label(board: Board, name: str) -> str:
    """What a square is called, and what is on it."""
    content = [board.pieces[name].name] if name in board.pieces else []
    if name in board.stacks:
        piece, count = board.stacks[name]
        content = [f"{count} {piece.name}"]
    if not content and name in board.owners:
        content = [f"owned by {board.owners[name]}"]
    called = board.labels.get(name, name)
    return f"{called}: {content[0]}" if content else called


def _stack(piece: Piece, count: int, x: float, y: float) -> str:
    """Pieces on one square: the topmost, and their number."""
    return pieces.drawn(replace(piece, symbol=str(count)), x, y)


def _owner(colour: str, x: float, y: float) -> str:
    """A small square: an empty point that belongs to a player."""
    side = 0.26 * SIZE
    return path(f"owner fill-{colour}", f"M{x - side / 2:g} {y - side / 2:g}h{side:g}v{side:g}h-{side:g}z")
