"""What moves are called: standard algebraic notation, and the long one of the Universal Chess Interface."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from zermelo.game.errors import IllegalAction
from zermelo.games.chess.board import PAWN, ChessState
from zermelo.games.chess.fen import LETTERS, square_name, square_named
from zermelo.kernel.bits import bits

if TYPE_CHECKING:
    from zermelo.games.chess.rules import Chess

SHORT = re.compile(r"([NBRQK])?([a-h])?([1-8])?[-x:]?([a-h][1-8])(?:=?\(?([NBRQKnbrq])\)?)?(?: ?e\.?p\.?)?")
LONG = re.compile(r"([a-h][1-8])[-x]?([a-h][1-8])=?([nbrqNBRQ])?")
CASTLING = re.compile(r"([Oo0])-?\1(-?\1)?")
MARKS = re.compile(r"(?:\+\+|[+#†‡])?(?:[!?]{1,2})?$")


def short_name(game: Chess, s: ChessState, a: int) -> str:
    """The move in standard algebraic notation, such as Nbd7, exd8=Q+ or O-O."""
    after = game.result(s, a)
    check = "" if not game.in_check(after) else "+" if game.has_move(after) else "#"
    origin, target = a & 63, a >> 6 & 63
    if is_castling(game, s, a):
        return ("O-O" if target > origin else "O-O-O") + check
    kind = game.kind_at(s, origin)
    captures = "x" if game.other(s) >> target & 1 else ""
    if kind == PAWN:
        if origin & 7 != target & 7:
            captures = square_name(origin)[0] + "x"
        promoted = "=" + LETTERS[a >> 12].upper() if a >> 12 else ""
        return captures + square_name(target) + promoted + check
    return LETTERS[kind].upper() + _which(game, s, a, kind) + captures + square_name(target) + check


def _which(game: Chess, s: ChessState, a: int, kind: int) -> str:
    """The disambiguation from other pieces of its kind that can move to the same square."""
    origin, target = a & 63, a >> 6 & 63
    checkers, pinned = game.checkers_and_pinned(s)
    others = s[kind] & game.own(s) & ~(1 << origin)
    rivals = [square for square in bits(others) if game.targets(s, square, checkers, pinned) >> target & 1]
    if not rivals:
        return ""
    if all(square & 7 != origin & 7 for square in rivals):
        return square_name(origin)[0]
    if all(square >> 3 != origin >> 3 for square in rivals):
        return square_name(origin)[1]
    return square_name(origin)


def long_name(game: Chess, s: ChessState, a: int) -> str:
    """The move as the Universal Chess Interface writes it: e2e4, e7e8q; in Chess960 the king takes the rook."""
    origin, target = a & 63, a >> 6 & 63
    if is_castling(game, s, a) and game.chess960 is None:
        target = (origin & 56) + (6 if target > origin else 2)
    return square_name(origin) + square_name(target) + (LETTERS[a >> 12] if a >> 12 else "")


def is_castling(game: Chess, s: ChessState, a: int) -> bool:
    """Does the king take its own rook?"""
    return bool(game.own(s) >> (a >> 6 & 63) & 1)


def parse(game: Chess, s: ChessState, name: str) -> int:
    """The legal move with that name, short or long; an IllegalAction says why there is none."""
    text = name.strip()
    bare = MARKS.sub("", text)
    legal = [int(a) for a in game.actions(s)]
    castling = CASTLING.fullmatch(bare)
    long, short = LONG.fullmatch(bare), SHORT.fullmatch(bare)
    if castling:
        side = "queenside" if castling[2] else "kingside"
        found = [a for a in legal if is_castling(game, s, a) and (a >> 6 & 63 < a & 63) == bool(castling[2])]
        reason = f"{game.player_name(s.mover)} cannot castle {side} now"
    elif long and [a for a in legal if _is_long(game, s, a, long)]:
        found = [a for a in legal if _is_long(game, s, a, long)]
        reason = ""
    elif short:
        found = [a for a in legal if _is_short(game, s, a, short)]
        reason = _why_not(game, s, short)
    else:
        shown = repr(text if len(text) <= 20 else text[:17] + "...")
        raise IllegalAction(f"{shown} is not a move; moves are written like e4, Nf3, exd5, O-O, e8=Q or e2e4")
    if len(found) == 1:
        return found[0]
    if found:
        ways = ", ".join(short_name(game, s, a) for a in found)
        raise IllegalAction(f"{text!r} can mean {ways}: say which")
    raise IllegalAction(f"{text!r} is not legal here: {reason}")


def _is_long(game: Chess, s: ChessState, a: int, read: re.Match[str]) -> bool:
    origin, target = a & 63, a >> 6 & 63
    if square_named(read[1]) != origin or (LETTERS[a >> 12] if a >> 12 else "") != (read[3] or "").lower():
        return False
    wanted = square_named(read[2])
    if wanted == target:
        return True
    usual = is_castling(game, s, a) and game.chess960 is None
    return usual and wanted == (origin & 56) + (6 if target > origin else 2)


def _is_short(game: Chess, s: ChessState, a: int, read: re.Match[str]) -> bool:
    kind, column, row, target, promoted = read.groups()
    origin = square_name(a & 63)
    return (
        game.kind_at(s, a & 63) == LETTERS.index((kind or "P").lower())
        and column in (None, origin[0])
        and row in (None, origin[1])
        and square_named(target) == a >> 6 & 63
        and not is_castling(game, s, a)
        and (LETTERS[a >> 12] if a >> 12 else "") == (promoted or "").lower()
    )


def _why_not(game: Chess, s: ChessState, read: re.Match[str]) -> str:
    """Why no legal move matches a well-formed name."""
    kind, column, row, target, promoted = read.groups()
    words = ("pawn", "knight", "bishop", "rook", "queen", "king")
    number = LETTERS.index((kind or "P").lower())
    last = target[1] in "18"
    if number == PAWN and last and not promoted:
        return f"a pawn that reaches {target} is promoted; write which piece it becomes, such as {target}=Q"
    if promoted and (number != PAWN or not last):
        return "only a pawn that reaches the last row is promoted"
    if promoted and promoted.lower() == "k":
        return "a pawn is not promoted to a king"
    from_where = f" from {column or ''}{row or ''}" if column or row else ""
    reason = f"no {words[number]} of {game.player_name(s.mover)} can move{from_where} to {target}"
    return f"{reason}, being in check" if game.in_check(s) else reason


# The end, and what is shown at the players' seats.

KINDS = (
    ("queens", "♕♛", 1, 9),
    ("rooks", "♖♜", 2, 5),
    ("bishops", "♗♝", 2, 3),
    ("knights", "♘♞", 2, 3),
    ("pawns", "♙♟", 8, 1),
)
"""The fields of a state, the symbols, the number at the start, and the usual worth in pawns."""


def ending(game: Chess, s: ChessState) -> str | None:
    """Why the game is over; None if it is not."""
    if not game.has_move(s):
        return "checkmate" if game.in_check(s) else "stalemate"
    if not game.is_terminal(s):
        return None
    if game.is_dead(s):
        return "insufficient material"
    if s.clock >= game.plies_without_progress:
        return f"the {'fifty' if game.draws == 'claimed' else 'seventy-five'}-move rule"
    return f"{'threefold' if game.draws == 'claimed' else 'fivefold'} repetition"


def captured(s: ChessState, p: int) -> str:
    """The opponent's pieces that are missing, and by how many pawns this player is ahead: ♟♟♞ +2."""
    own, other = (s.white, s.black) if p == 0 else (s.black, s.white)
    taken, lead = [], 0
    for field, symbols, number, worth in KINDS:
        pieces = getattr(s, field)
        there = (pieces & other).bit_count()
        taken.append(symbols[1 - p] * max(number - there, 0))
        lead += worth * ((pieces & own).bit_count() - there)
    return " ".join(filter(None, ["".join(taken), f"+{lead}" if lead > 0 else ""]))
