"""Test positions: EPD, a position without its counters, followed by operations such as `bm Qd1+; id "BK.01";`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from zermelo.game.errors import IllegalAction, NotationError
from zermelo.games.chess import fen, names
from zermelo.games.chess.board import ChessState
from zermelo.games.parameters import require_text

if TYPE_CHECKING:
    from zermelo.games.chess.rules import Chess

MOVES = frozenset({"am", "bm", "pm", "sm", "rm"})
"""Operations whose operands are moves of the position."""

LINES = frozenset({"pv", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9"})
"""Operations whose operands are a sequence of moves."""

CODE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,14}")
OPERAND = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s;"]+')
WHOLE = re.compile(r"[-+]?\d{1,18}")
REAL = re.compile(r"[-+]?\d{1,18}\.\d{1,18}")


def parse(game: Chess, text: str) -> tuple[ChessState, dict[str, tuple[Any, ...]]]:
    """The position of a line of EPD, and its operations with their operands.

    Operands are whole numbers, fractions and strings; those of bm, am, pm, sm and pv are moves. The operations hmvc and
    fmvn are the position's clock and move number.
    """
    require_text(text, "an EPD")
    words = text.split(maxsplit=4)
    if len(words) < 4:
        raise NotationError(f"an EPD begins with four fields ({', '.join(fen.FIELDS[:4])}); this has {len(words)}")
    s = fen.parse(game, " ".join(words[:4]))
    operations: dict[str, tuple[Any, ...]] = {}
    position = len(text) - len(words[4]) if len(words) == 5 else len(text)  # the fifth word is all the rest
    written: list[tuple[str, list[str], int]] = []
    while text[position:].strip(" \t\r\n;"):
        position += len(text[position:]) - len(text[position:].lstrip())
        code = CODE.match(text, position)
        if code is None:
            raise NotationError(f"EPD, column {position + 1}: an operation begins with a word, such as bm or id")
        operands, end = _operands(text, code.end())
        written.append((code[0], operands, position))
        position = end
    for code_name, operands, column in written:
        if code_name in operations:
            raise NotationError(f"EPD, column {column + 1}: {code_name} is there a second time")
        if code_name in ("hmvc", "fmvn"):
            if len(operands) != 1 or not re.fullmatch(r"\d{1,5}", operands[0]) or int(operands[0]) > fen.MOST:
                raise NotationError(f"EPD, column {column + 1}: {code_name} has one whole number up to {fen.MOST:,}")
            number = int(operands[0])
            s = s._replace(clock=number) if code_name == "hmvc" else s._replace(number=max(number, 1))
        operations[code_name] = tuple(operands)
    for code_name, operands, column in written:
        try:
            operations[code_name] = _values(game, s, code_name, operands)
        except IllegalAction as error:
            raise NotationError(f"EPD, column {column + 1}, {code_name}: {error}") from None
    return s, operations


def _operands(text: str, position: int) -> tuple[list[str], int]:
    """The operands from a position in the text up to the semicolon, and the start of the next operation."""
    found: list[str] = []
    while True:
        while position < len(text) and text[position].isspace():
            position += 1
        if position == len(text):
            return found, position
        if text[position] == ";":
            return found, position + 1
        operand = OPERAND.match(text, position)
        if operand is None:
            raise NotationError(f"EPD, column {position + 1}: a string begins with a quotation mark and does not end")
        found.append(operand[0])
        position = operand.end()


def _values(game: Chess, s: ChessState, code: str, operands: list[str]) -> tuple[Any, ...]:
    if code in MOVES:
        return tuple(names.parse(game, s, operand) for operand in operands)
    if code in LINES:
        moves = []
        for operand in operands:
            moves.append(names.parse(game, s, operand))
            s = game.result(s, moves[-1])
        return tuple(moves)
    return tuple(_value(operand) for operand in operands)


def _value(operand: str) -> Any:
    if operand.startswith('"'):
        return re.sub(r'\\(["\\])', r"\1", operand[1:-1])
    if WHOLE.fullmatch(operand):
        return int(operand)
    return float(operand) if REAL.fullmatch(operand) else operand


def write(game: Chess, s: ChessState, operations: Mapping[str, Any] | None = None) -> str:
    """The position with these operations; an operation's value is one operand, or a tuple or a list of several."""
    parts = [" ".join(fen.four_fields(s))]
    for code, value in (operations or {}).items():
        if not CODE.fullmatch(code):
            raise NotationError(f"{code!r} is no name of an operation: a letter, then up to 14 letters and digits")
        operands = list(value) if isinstance(value, tuple | list) else [value]
        if code in MOVES:
            words = [names.short_name(game, s, a) for a in operands]
        elif code in LINES:
            words, after = [], s
            for a in operands:
                words.append(names.short_name(game, after, a))
                after = game.result(after, a)
        else:
            words = [_written(operand) for operand in operands]
        parts.append(" ".join([code, *words]) + ";")
    return " ".join(parts)


def _written(operand: Any) -> str:
    if isinstance(operand, bool) or not isinstance(operand, str | int | float):
        raise NotationError(f"an operand is a string or a number, not {operand!r}")
    if isinstance(operand, str):
        escaped = re.sub(r'(["\\])', r"\\\1", operand.replace("\n", " "))
        return f'"{escaped}"'
    return str(operand)
