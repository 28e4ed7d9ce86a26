"""Positions as text: FEN, with the castling rights of X-FEN and Shredder-FEN, and the 960 starting positions.

Every error says which field of the text is wrong, and what would be right there.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from zermelo.game.errors import StateError
from zermelo.games.chess.board import ChessState
from zermelo.games.chess.moves import ENDS
from zermelo.games.parameters import require_text
from zermelo.kernel.bits import bits, count_bits, highest_bit, lowest_bit

if TYPE_CHECKING:
    from zermelo.games.chess.rules import Chess

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LETTERS = "pnbrqk"
"""The kinds of pieces in their order; White's are written as capitals."""

FIELDS = ("the board", "the side to move", "castling rights", "the en passant square", "the clock", "the move number")
MOST = 65_535
"""The greatest clock and move number."""


def square_name(square: int) -> str:
    """The name of a square."""
    return "abcdefgh"[square & 7] + str((square >> 3) + 1)


def square_named(name: str) -> int | None:
    """The square with that name; None if there is none."""
    if len(name) == 2 and name[0] in "abcdefgh" and name[1] in "12345678":
        return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)
    return None


def pieces(s: ChessState) -> tuple[int, ...]:
    """The sets of squares of the six kinds, in their order."""
    return s[:6]


def letter_at(s: ChessState, square: int) -> str:
    """The piece on a square as FEN writes it; a full stop if the square is empty."""
    for letter, squares in zip(LETTERS, pieces(s), strict=True):
        if squares >> square & 1:
            return letter.upper() if s.white >> square & 1 else letter
    return "."


# Reading.


def parse(game: Chess, text: str) -> ChessState:
    """The position of a FEN; the clock and the move number are optional."""
    require_text(text, "a FEN")
    words = text.split()
    if len(words) not in (4, 5, 6):
        raise StateError(
            f"a FEN has six fields ({', '.join(FIELDS)}), of which the last two may be left out; "
            f"this text has {len(words)}: {_shown(text)}"
        )
    board = _board(text, words[0])
    if words[1] not in ("w", "b"):
        raise _wrong(text, 1, f"must be w or b, not {_shown(words[1])}")
    mover = "wb".index(words[1])
    numbers = [0, 1]
    for i, word in enumerate(words[4:]):
        if not (word.isascii() and word.isdigit() and len(word) <= 5 and int(word) <= MOST):
            raise _wrong(text, 4 + i, f"must be a whole number up to {MOST:,}, not {_shown(word)}")
        numbers[i] = int(word)
    s = ChessState._make((*board, mover, 0, 0, numbers[0], max(numbers[1], 1), 0))
    reason = board_problem(game, s)
    if reason is not None:
        raise _wrong(text, 0, reason)
    s = s._replace(castling=_castling(game, s, text, words[2]))
    s = s._replace(en_passant=_en_passant(game, s, text, words[3]))
    return s._replace(key=game.key_from_scratch(s))


def _shown(text: str) -> str:
    return repr(text if len(text) <= 120 else text[:117] + "...")


def _wrong(text: str, field: int, reason: str) -> StateError:
    return StateError(f"FEN {_shown(text)}, field {field + 1} ({FIELDS[field]}): {reason}")


def _board(text: str, word: str) -> tuple[int, ...]:
    """The squares of each kind, then White's and Black's."""
    rows = word.split("/")
    if len(rows) != 8:
        raise _wrong(text, 0, f"must have 8 rows, from row 8 to row 1 and with / between them, not {len(rows)}")
    kinds, colours = [0] * 6, [0, 0]
    for number, row in zip(range(7, -1, -1), rows, strict=True):
        column = 0
        for letter in row:
            if letter in "12345678":
                column += int(letter)
            elif letter.lower() in LETTERS and letter.isascii():
                if column < 8:
                    kinds[LETTERS.index(letter.lower())] |= 1 << 8 * number + column
                    colours[letter.islower()] |= 1 << 8 * number + column
                column += 1
            else:
                raise _wrong(text, 0, f"row {number + 1} has {letter!r}; it is made of KQRBNP, kqrbnp and 1 to 8")
        if column != 8:
            raise _wrong(text, 0, f"row {number + 1}, {row!r}, has {column} squares, not 8")
    return (*kinds, *colours)


def _castling(game: Chess, s: ChessState, text: str, word: str) -> int:
    """The rooks that may castle: KQkq for the outermost ones, or the letters of their files."""
    if word == "-":
        return 0
    found = 0
    for letter in word:
        p = 0 if letter.isupper() else 1
        own = s.white if p == 0 else s.black
        king, home = lowest_bit(s.kings & own), 56 * p
        rooks = s.rooks & own & 0xFF << home
        short, long = rooks >> king + 1 << king + 1, rooks & (1 << king) - 1
        small = letter.lower()
        if letter not in "KQkqABCDEFGHabcdefgh":
            raise _wrong(text, 2, f"{letter!r} is not one of KQkq, the letter of a rook's file, or a single -")
        if king >> 3 != home >> 3:
            raise _wrong(text, 2, f"{letter!r}, but {game.player_name(p)}'s king is on {square_name(king)}")
        if small == "k":
            rook = highest_bit(short)
        elif small == "q":
            rook = lowest_bit(long) if long else -1
        else:
            rook = home + "abcdefgh".index(small)
            rook = rook if rooks >> rook & 1 else -1
        if rook < 0:
            raise _wrong(text, 2, f"{letter!r}, but {game.player_name(p)} has no rook there")
        if found >> rook & 1:
            raise _wrong(text, 2, f"{letter!r} names the rook on {square_name(rook)} a second time")
        found |= 1 << rook
    reason = castling_problem(game, s._replace(castling=found))
    if reason is not None:
        raise _wrong(text, 2, reason)
    return found


def _en_passant(game: Chess, s: ChessState, text: str, word: str) -> int:
    """The square, if a pawn can legally capture there; many programs write it after every double step."""
    if word == "-":
        return 0
    square = square_named(word)
    if square is None:
        raise _wrong(text, 3, f"must be a square or -, not {_shown(word)}")
    reason = en_passant_problem(s._replace(en_passant=square))
    if reason is not None:
        raise _wrong(text, 3, reason)
    passed = s._replace(en_passant=square)
    hunters = s.pawns & game.own(s)
    return square if any(game.en_passant_target(passed, pawn) for pawn in bits(hunters)) else 0


# Validity of a position.


def board_problem(game: Chess, s: ChessState) -> str | None:
    """What is wrong with the pieces of a position; None if nothing is."""
    for p, own in enumerate((s.white, s.black)):
        player = game.player_name(p)
        kings = count_bits(s.kings & own)
        if kings != 1:
            return f"{player} has {kings or 'no'} king{'s' * (kings > 1)}; each player has one"
        counts = [count_bits(kind & own) for kind in pieces(s)]
        if counts[0] > 8:
            return f"{player} has {counts[0]} pawns; there are at most 8"
        promoted = sum(max(n - usual, 0) for n, usual in zip(counts[1:5], (2, 2, 2, 1), strict=True))
        if promoted > 8 - counts[0]:
            return f"{player} has {promoted} promoted pieces beside {counts[0]} pawns, of which there were 8"
    if s.pawns & ENDS:
        return f"there is a pawn on {square_name(lowest_bit(s.pawns & ENDS))}; none can be on rows 1 and 8"
    if game.in_check(s._replace(mover=1 - s.mover)):
        return f"{game.player_name(1 - s.mover)} is in check, but {game.player_name(s.mover)} is to move"
    return None


def castling_problem(game: Chess, s: ChessState) -> str | None:
    """What is wrong with the castling rights; None if nothing is."""
    if s.castling & ~s.rooks:
        return f"there is no rook on {square_name(lowest_bit(s.castling & ~s.rooks))} that could castle"
    for p, own in enumerate((s.white, s.black)):
        king, home = lowest_bit(s.kings & own), 0xFF << 56 * p
        rooks = s.castling & own
        if rooks and not s.kings & own & home:
            return f"{game.player_name(p)}'s king is not on its first row, so it cannot castle"
        if rooks & ~home:
            return f"the rook on {square_name(lowest_bit(rooks & ~home))} is not on its first row, so it cannot castle"
        if count_bits(rooks >> king) > 1 or count_bits(rooks & (1 << king) - 1) > 1:
            return f"two rooks of {game.player_name(p)} on the same side of the king cannot both castle"
        if game.chess960 is None and rooks and (king & 7 != 4 or rooks & ~(0x81 << 56 * p)):
            return (
                f"{game.player_name(p)} castles with the king from {square_name(56 * p + 4)} and a rook from "
                f"{square_name(56 * p)} or {square_name(56 * p + 7)}; for Chess960 use Chess(chess960=...)"
            )
    return None


def en_passant_problem(s: ChessState) -> str | None:
    """What is wrong with the en passant square; None if nothing is."""
    square = s.en_passant
    row = 5 if s.mover == 0 else 2
    name = square_name(square)
    if square >> 3 != row:
        return f"{name} is not on row {row + 1}, where the pawn that has just moved would be captured"
    step = 8 if s.mover == 0 else -8
    other = s.black if s.mover == 0 else s.white
    if not s.pawns & other & 1 << square - step:
        return f"there is no pawn on {square_name(square - step)} that could be captured on {name}"
    if (s.white | s.black) & (1 << square | 1 << square + step):
        return f"no pawn can have come past {name}: it and {square_name(square + step)} must be empty"
    return None


def problem(game: Chess, s: ChessState) -> str | None:
    """Why a state is not a legal position; None if it is."""
    for one, another in itertools.combinations((*pieces(s), 0), 2):
        if one & another:
            return f"there are two pieces on {square_name(lowest_bit(one & another))}"
    both = s.pawns | s.knights | s.bishops | s.rooks | s.queens | s.kings
    odd = both ^ (s.white | s.black) | s.white & s.black
    if odd:
        return f"the piece on {square_name(lowest_bit(odd))} must be of one kind and of one colour"
    if s.mover > 1:
        return f"the mover is 0 or 1, not {s.mover}"
    reason = board_problem(game, s) or castling_problem(game, s)
    if reason is None and s.en_passant:
        reason = en_passant_problem(s) if s.en_passant < 64 else f"{s.en_passant} is no square"
        if reason is None and not any(game.en_passant_target(s, pawn) for pawn in bits(s.pawns & game.own(s))):
            reason = f"no pawn can legally capture on {square_name(s.en_passant)}"
    if reason is None and s.key != game.key_from_scratch(s):
        reason = f"its key must be {game.key_from_scratch(s)}, not {s.key}"
    return reason


# Writing.


def write(game: Chess, s: ChessState, *, shredder: bool = False) -> str:
    """The position as FEN; the rights of Chess960 as X-FEN, or all by the rooks' files as Shredder-FEN."""
    return f"{' '.join(four_fields(s, shredder=shredder))} {s.clock} {s.number}"


def four_fields(s: ChessState, *, shredder: bool = False) -> tuple[str, str, str, str]:
    """The fields that FEN and EPD share."""
    rows = []
    for row in range(7, -1, -1):
        written = ""
        for empty, group in itertools.groupby((letter_at(s, 8 * row + x) for x in range(8)), lambda c: c == "."):
            run = "".join(group)
            written += str(len(run)) if empty else run
        rows.append(written)
    castling = "".join(_right(s, p, rook, shredder) for p in (0, 1) for rook in reversed(_castling_rooks(s, p)))
    en_passant = square_name(s.en_passant) if s.en_passant else "-"
    return "/".join(rows), "wb"[s.mover], castling or "-", en_passant


def _castling_rooks(s: ChessState, p: int) -> list[int]:
    return list(bits(s.castling & (s.white if p == 0 else s.black)))


def _right(s: ChessState, p: int, rook: int, shredder: bool) -> str:
    own = s.white if p == 0 else s.black
    king, rooks = lowest_bit(s.kings & own), s.rooks & own & 0xFF << 56 * p
    outermost = highest_bit(rooks) if rook > king else lowest_bit(rooks)
    letter = "abcdefgh"[rook & 7] if shredder or rook != outermost else "k" if rook > king else "q"
    return letter.upper() if p == 0 else letter


# The 960 starting positions.


def start_960(number: int) -> str:
    """The FEN of one of the starting positions of Chess960, by Reinhard Scharnagl's numbers; 518 is the usual one."""
    row = [""] * 8
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    row[2 * light + 1] = row[2 * dark] = "b"
    row[_free(row)[queen]] = "q"
    free = _free(row)
    for place in list(itertools.combinations(range(5), 2))[knights]:
        row[free[place]] = "n"
    for square, piece in zip(_free(row), "rkr", strict=True):
        row[square] = piece
    back = "".join(row)
    return f"{back}/pppppppp/8/8/8/8/PPPPPPPP/{back.upper()} w KQkq - 0 1"


def number_960(s: ChessState) -> int | None:
    """The number of this starting position; None if it is not one."""
    board = four_fields(s)[0]
    return next((n for n in range(960) if start_960(n).split()[0] == board), None)


def _free(row: list[str]) -> list[int]:
    return [i for i, piece in enumerate(row) if not piece]
