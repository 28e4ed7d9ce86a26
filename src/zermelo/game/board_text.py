"""A board in characters, for games that draw no text of their own."""

from __future__ import annotations

from zermelo.game.board import CHESSMEN, FACE_DOWN, Board, Piece, Track

SIGNS = {"cross": "X", "ring": "O"}
DISCS = {"white": "O", "black": "X"}
LEVELS = 5
"""The men of a stack that are written one above the other; the last is a number if there are more."""
TRACK = 20
"""The characters of a score track."""


def text_of(board: Board) -> str:
    """Everything that a board shows, line by line."""
    return "\n".join([*(points_of(board) if board.style == "backgammon" else _grid(board)), *lines_beside(board)])


def lines_beside(board: Board) -> list[str]:
    """Everything but the squares, line by line."""
    lines = [f"{name} {'o' * count} {count}" if count else f"{name} 0" for name, count in board.heaps]
    width = max((len(track.name) for track in board.tracks), default=0)
    lines += [_track(track, width) for track in board.tracks]
    if board.dice:
        lines.append("dice " + _dice(board.dice))
    if board.cube is not None:
        value, owner = board.cube
        lines.append(f"doubling cube {value}, {'in the middle' if owner is None else f'owned by player {owner + 1}'}")
    if board.cards:
        lines.append(_cards(board.cards))
    wide = max((len(name) for name, _ in board.hands), default=0)
    lines += [f"{name:<{wide}} {_cards(cards)}" for name, cards in board.hands]
    wide = max((len(name) for name, _ in board.cups), default=0)
    lines += [f"{name:<{wide}} {_dice(dice)}" for name, dice in board.cups]
    if board.chips:
        lines.append(", ".join(f"{name} {amount:g}" for name, amount in board.chips))
    lines += [f"check on {name}" for name, kind in board.highlights.items() if kind == "check"]
    return [*lines, *board.lines]


def sign_of(piece: Piece) -> str:
    """One character for a piece: its symbol, the letter of its shape, or of its colour; kings are capital letters.

    A number is written whole.
    """
    if piece.symbol.isdecimal():
        return piece.symbol
    if piece.symbol:
        return piece.symbol[:1].lower() if piece.shape in CHESSMEN and piece.colour == "black" else piece.symbol[:1]
    if piece.shape in SIGNS:
        return SIGNS[piece.shape]
    return piece.colour[0].upper() if piece.shape != "disc" else piece.colour[0]


def _cards(cards: tuple[str, ...]) -> str:
    return " ".join("[" + ("??" if card == FACE_DOWN else card) + "]" for card in cards)


def _dice(dice: tuple[int, ...]) -> str:
    return " ".join(f"[{value or '?'}]" for value in dice)


def _track(track: Track, width: int) -> str:
    safe = round(TRACK * min(max(track.value / track.end, 0.0), 1.0))
    hoped = round(TRACK * min(max((track.value + track.more) / track.end, 0.0), 1.0))
    bar = "#" * safe + "+" * (hoped - safe) + "." * (TRACK - max(safe, hoped))
    more = f" + {track.more:g}" if track.more else ""
    return f"{track.name:<{width}} [{bar}] {track.value:g}{more} of {track.end:g}"


def _on(board: Board, name: str) -> str:
    """What is on a square; "" if nothing is."""
    if name in board.stacks:
        piece, count = board.stacks[name]
        return f"{count}{sign_of(piece)}"
    return sign_of(board.pieces[name]) if name in board.pieces else ""


def _grid(board: Board) -> list[str]:
    """Rows of squares; an empty square is a dot, or its name if the board has no labels."""
    named = board.numbered or not board.columns
    cells = [[_on(board, name) or (name if named else ".") if name else "" for name in row] for row in board.squares]
    wide = max((len(cell) for row in [*cells, board.columns] for cell in row), default=0)
    margin = max((len(side) for side in board.rows), default=0)
    shift = (wide + 1) // 2 if board.style == "hexagons" else 0
    rows = []
    for y, row in enumerate(cells):
        side = f"{board.rows[y]:>{margin}} " if board.rows else ""
        rows.append((" " * shift * y + side + " ".join(f"{cell:>{wide}}" for cell in row)).rstrip())
    labels = " " * (margin + 1 if board.rows else 0) + " ".join(f"{name:>{wide}}" for name in board.columns)
    if not board.columns:
        return rows
    return [labels, *rows] if shift else [*rows, labels]


def points_of(board: Board, flipped: bool = False) -> list[str]:
    """A board of backgammon: the names of the points, and the men on them as a player sees them who sits below."""
    rows = [row[::-1] for row in board.squares[::-1]] if flipped else list(board.squares)
    bar, tray = (7, 0) if flipped else (6, 13)

    def cell(name: str, level: int, x: int) -> str:
        piece, number = board.stacks.get(name) or (board.pieces.get(name), 1)
        if piece is None:
            return "|" if x == bar else "" if level or x == tray else "·"
        if x == tray:
            return "" if level else f"{number}{DISCS.get(piece.colour, '?')}"
        if level == LEVELS - 1 and number > LEVELS:
            return str(number)
        return DISCS.get(piece.colour, "?") if level < number else "|" if x == bar else ""

    def joined(cells: list[str]) -> str:
        return "".join(f"{each:^5}" if x in (bar, tray) else f"{each:>3}" for x, each in enumerate(cells)).rstrip()

    def named(row: tuple[str, ...]) -> str:
        return joined(
            ["bar" if x == bar else "off" if x == tray else board.labels.get(n, n) for x, n in enumerate(row)]
        )

    def men(row: tuple[str, ...], level: int) -> str:
        return joined([cell(name, level, x) for x, name in enumerate(row)])

    legend = ", ".join(f"{mark} {colour}" for colour, mark in DISCS.items())
    upper, lower = rows
    top, bottom = [men(upper, i) for i in range(LEVELS)], [men(lower, i) for i in reversed(range(LEVELS))]
    return [named(upper), *top, joined(["|" if x == bar else "" for x in range(14)]), *bottom, named(lower), legend]
