"""The board editor: pieces are put on the text of a position, which need not be legal until it is used.

Chess, Go and Othello have a board to click on. Every other game that reads positions has its text, checked and drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from zermelo.game.board import Board, Piece
from zermelo.game.errors import StateError, ZermeloError
from zermelo.game.protocol import Game
from zermelo.games.chess.rules import PIECES, Chess
from zermelo.games.go.names import BLACK, WHITE
from zermelo.games.go.rules import Go
from zermelo.games.othello import Othello
from zermelo.games.resolve import position
from zermelo.pictures.svg import board_of, render

EMPTY = "."
MEN = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))


class Sheet(NamedTuple):
    """A position that is being edited.

    signs      what is on each square, row by row from the top; EMPTY: nothing
    turn       the player to move
    castling   the castling rights as in FEN; None: the game has none
    """

    signs: tuple[str, ...]
    turn: int
    castling: str | None = None


class Editor(NamedTuple):
    """How a game writes positions.

    palette   the pieces by their signs, and `symbols` for the buttons
    read      the sheet of a text, as far as it can be read
    write     the text of a sheet
    """

    palette: dict[str, Piece]
    symbols: dict[str, str]
    read: Callable[[str, int], Sheet]
    write: Callable[[Sheet, int], str]


def editor_of(game: Game) -> Editor | None:
    """The editor of a game; None if only its text can be edited."""
    stones = {"X": BLACK, "O": WHITE}
    marks = {"X": "black", "O": "white"}
    if isinstance(game, Chess):
        return Editor(PIECES, MEN, _read_fen, _write_fen)
    if isinstance(game, Go):
        return Editor(stones, marks, _read_rows, _write_rows)
    return Editor(stones, marks, _read_rows, _write_line) if isinstance(game, Othello) else None


def edited(game: Game, text: str, **changes: Any) -> dict[str, Any]:
    """What the page shows of a position after a change: its text, its picture, and what is wrong with it.

    square, sign     put a piece on a square, or remove it with EMPTY
    turn, castling   the player to move, and the castling rights
    fresh            "empty" for an empty board, "start" for the first position
    """
    editor = editor_of(game)
    if editor is not None and changes.get("sign") not in editor.palette:
        changes["sign"] = EMPTY
    if changes.get("fresh") == "start":
        text = game.to_text(game.initial()) or ""
    said: dict[str, Any] = {"kind": "edited", "text": text, "svg": None, "palette": [], "turn": None, "castling": None}
    if editor is not None:
        board = board_of(game, game.initial())
        sheet = _changed(editor.read(text, len(board.squares)), board, **changes)
        if changes.keys() & {"square", "turn", "castling", "fresh"}:
            text = editor.write(sheet, len(board.squares))
        said |= {"text": text, "turn": sheet.turn, "castling": sheet.castling}
        said["svg"] = render(_drawn(editor, board, sheet), "the edited position")
        said["palette"] = [
            {"sign": sign, "name": piece.name, "symbol": editor.symbols[sign]} for sign, piece in editor.palette.items()
        ]
    try:
        s = position(game, text)
        if game.is_terminal(s):
            raise StateError("the game is over in this position")
        said["svg"] = said["svg"] or render(board_of(game, s), "the edited position")
    except ZermeloError as error:
        said["error"] = str(error)
    return said


def _changed(sheet: Sheet, board: Board, **changes: Any) -> Sheet:
    signs = list(sheet.signs)
    names = [name for row in board.squares for name in row]
    if changes.get("fresh") == "empty":
        signs = [EMPTY] * len(names)
        sheet = sheet._replace(castling=sheet.castling and "-")
    if changes.get("square"):
        if changes["square"] not in names:
            raise ValueError(f"there is no square {changes['square'][:20]!r}")
        signs[names.index(changes["square"])] = changes["sign"]
    sheet = sheet._replace(signs=tuple(signs), turn=changes.get("turn", sheet.turn))
    if "castling" in changes and sheet.castling is not None:
        sheet = sheet._replace(castling="".join(c for c in "KQkq" if c in changes["castling"]) or "-")
    return sheet


def _drawn(editor: Editor, board: Board, sheet: Sheet) -> Board:
    names = (name for row in board.squares for name in row)
    pieces = {n: editor.palette[sign] for n, sign in zip(names, sheet.signs, strict=True) if sign in editor.palette}
    return replace(board, pieces=pieces, marked=(), owners={}, lines=())


# Texts. What cannot be read is left empty.


def _filled(signs: str, size: int) -> tuple[str, ...]:
    return tuple(signs[: size * size].ljust(size * size, EMPTY))


def _read_fen(text: str, size: int) -> Sheet:
    rows, turn, castling, *_ = [*text.split(), "", "w", "-"][: max(len(text.split()), 3)]
    signs = "".join(EMPTY * int(c) if c in "12345678" else c for c in rows if c in PIECES or c in "12345678")
    return Sheet(_filled(signs, size), int(turn == "b"), castling)


def _write_fen(sheet: Sheet, size: int) -> str:
    rows = []
    for at in range(0, len(sheet.signs), size):
        row = "".join(sheet.signs[at : at + size])
        for count in range(size, 0, -1):
            row = row.replace(EMPTY * count, str(count))
        rows.append(row)
    return f"{'/'.join(rows)} {'wb'[sheet.turn]} {sheet.castling or '-'} - 0 1"


def _read_rows(text: str, size: int) -> Sheet:
    rows, turn, *_ = [*text.upper().split(), "", "X"][: max(len(text.split()), 2)]
    signs = "".join(c if c in "XO" else EMPTY for c in rows.replace("/", ""))
    return Sheet(_filled(signs, size), int(turn == "O"))


def _write_rows(sheet: Sheet, size: int) -> str:
    rows = ("".join(sheet.signs[at : at + size]) for at in range(0, len(sheet.signs), size))
    return f"{'/'.join(rows)} {'XO'[sheet.turn]}"


def _write_line(sheet: Sheet, size: int) -> str:
    return f"{''.join(sheet.signs).replace(EMPTY, '-')} {'XO'[sheet.turn]}"
