"""A board in colour, for terminals that support it."""

from __future__ import annotations

from collections.abc import Collection

from rich.text import Text

from zermelo.game.board import Board, Piece
from zermelo.game.board_text import lines_beside, points_of

GROUNDS = {
    "checkered": ("on #9c8b6c", "on #6f5d41"),
    "felt": ("on #2f6b49", "on #2a6243"),
    "holes": ("on #24487d", "on #24487d"),
    "points": ("on #c9a86a", "on #c9a86a"),
}
"""Background colours of squares by board style: two, so that neighbours differ."""
MARKED = "on #8a7420"
HIGHLIGHTED = {"check": "on #a83228", "winning": "on #2f7d4f"}
INKS = {
    "white": "bold #ffffff",
    "black": "bold #101010",
    "red": "bold #e0483e",
    "yellow": "bold #f2c530",
    "blue": "bold #4f8fe8",
    "green": "bold #4fa873",
    "grey": "bold #9aa2ab",
}
SIGNS = {"disc": "●", "cross": "X", "ring": "O"}
EMPTY = {"points": "┼", "checkered": " "}


def coloured(board: Board, marked: Collection[str] = (), flipped: bool = False) -> Text:
    """The squares with their pieces, the labels around and below them, and all that is beside the board."""
    if board.style == "backgammon":
        return Text("\n".join([*points_of(board, flipped), *lines_beside(board)]))
    rows = [row[::-1] for row in board.squares[::-1]] if flipped else list(board.squares)
    columns, sides = (board.columns[::-1], board.rows[::-1]) if flipped else (board.columns, board.rows)
    margin = max((len(side) for side in sides), default=0) + 1
    wide = max([3, *(len(name) + 2 for row in rows for name in row if not columns)])
    wide += wide % 2 if board.style == "hexagons" else 0
    shift = wide // 2 if board.style == "hexagons" else 0  # how far each row begins to the right of the row above
    top, left = (INKS[board.edges[0]], INKS[board.edges[3]]) if board.edges else ("dim", "dim")
    labels = Text(" " * margin + "".join(f"{name:^{wide}}" for name in columns), top)
    lines = [labels] if shift and columns else []
    for y, row in enumerate(rows):
        lines.append(Text(" " * shift * y).append(f"{sides[y] if sides else '':>{margin - 1}} ", left))
        for x, name in enumerate(row):
            piece = board.pieces.get(name)
            grounds = GROUNDS.get(board.style, ("", ""))
            ground = MARKED if name in marked or name in board.marked else grounds[(x + y) % 2]
            ground = HIGHLIGHTED.get(board.highlights.get(name, ""), ground)
            empty = name if board.numbered or not columns else EMPTY.get(board.style, "·")
            sign, ink = (empty, "dim") if piece is None else (sign_of(piece), INKS[piece.colour])
            if piece is not None and not ground and piece.colour in ("white", "black"):
                ink = "bold"  # readable on any terminal background
            lines[-1].append(f"{sign:^{wide}}", f"{ink} {ground}".strip())
    if columns and not shift:
        lines.append(labels)
    named = {piece.name: piece for piece in board.pieces.values() if sign_of(piece) == SIGNS["disc"]}
    if named:  # a legend of colours
        lines.append(Text(" " * margin))
        for name, piece in sorted(named.items()):
            lines[-1].append(
                f" {SIGNS['disc']} ", f"{INKS[piece.colour]} {GROUNDS.get(board.style, ('', ''))[0]}".strip()
            )
            lines[-1].append(f" {name}  ", "dim")
    return Text("\n").join([*lines, *map(Text, lines_beside(board))])


def sign_of(piece: Piece) -> str:
    """One character for a piece, or the number on it."""
    return (piece.symbol if piece.symbol.isdecimal() else piece.symbol[:1]) or SIGNS.get(piece.shape, "?")
