"""Chess positions with up to four men as numbers, for endgame tables.

A class is named by its men, the stronger side first: KQKR. Its positions are turned so that this side is White; with
the same men on both sides, so that White is to move. A board without pawns is turned until the white king is in the
triangle a1-d1-d4, one with pawns until it is on files a to d.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo.game.state import u64
from zermelo.games.chess.board import (
    BISHOP,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    ROOK_SLIDERS,
    TURN_KEY,
    ChessState,
)
from zermelo.games.chess.moves import ENDS, ChessMoves
from zermelo.kernel.bits import count_bits, lowest_bit

MEN = 4
"""The most men that are numbered, kings included."""
LETTERS = "PNBRQ"
ARMIES = 3**5
"""How many armies there are with up to two of each kind besides the king."""
TURNED = 1 << 10
"""Added to the class of an army pair if the colours are to be exchanged."""
TRIANGLE, HALF = 10, 32
"""How many squares the white king can have without pawns, and with them."""


class Classes(NamedTuple):
    """All classes.

    names      as people call them
    after      for each class, those that a capture or a promotion can lead to
    of         for each pair of armies its class, plus TURNED if the colours are to be exchanged
    men        for each class the men besides the kings, two at most: kind, plus 8 if black; -1 for none
    sizes      for each class the number of indices
    sides      2, or 1 if both sides have the same men
    """

    names: tuple[str, ...]
    after: tuple[tuple[int, ...], ...]
    of: Any
    men: Any
    sizes: Any
    sides: Any


def army_number(kinds: tuple[int, ...]) -> int:
    """A number for the men of one side."""
    return sum(3**kind for kind in kinds)


@functools.cache
def classes() -> Classes:
    """All classes with up to MEN men. A capture or a promotion leads to an earlier one."""
    pairs = []
    for count in range(MEN - 1):
        for whites in range(count, -1, -1):
            for white in itertools.combinations_with_replacement(range(QUEEN, -1, -1), whites):
                for black in itertools.combinations_with_replacement(range(QUEEN, -1, -1), count - whites):
                    if (len(white), white) >= (len(black), black):
                        pairs.append((white, black))
    pairs.sort(key=lambda pair: (sum(map(len, pair)), sum(side.count(PAWN) for side in pair)))
    number = {pair: c for c, pair in enumerate(pairs)}

    def found(white: tuple[int, ...], black: tuple[int, ...]) -> int:
        one, other = tuple(sorted(white, reverse=True)), tuple(sorted(black, reverse=True))
        return number[one, other] if (one, other) in number else number[other, one]

    of = np.full(ARMIES * ARMIES, -1, np.int16)
    men = np.full((len(pairs), 2), -1, np.int16)
    after = []
    for c, (white, black) in enumerate(pairs):
        of[ARMIES * army_number(black) + army_number(white)] = c + TURNED
        of[ARMIES * army_number(white) + army_number(black)] = c
        men[c, : len(white) + len(black)] = [*white, *(8 + kind for kind in black)]
        reached = set()
        for own, other in ((white, black), (black, white)):
            grown = [own]
            if PAWN in own:
                rest = list(own)
                rest.remove(PAWN)
                grown += [(*rest, kind) for kind in (KNIGHT, BISHOP, ROOK, QUEEN)]
            shrunk = [other, *(other[:i] + other[i + 1 :] for i in range(len(other)))]
            reached |= {found(one, two) for one in grown for two in shrunk}
        after.append(tuple(sorted(reached - {c})))
    sides = np.array([1 if white == black else 2 for white, black in pairs])
    sizes = np.array(
        [
            side * (HALF if PAWN in (*white, *black) else TRIANGLE) * 64
            * int(np.prod([48 if kind == PAWN else 64 for kind in (*white, *black)]))
            for (white, black), side in zip(pairs, sides, strict=True)
        ]
    )  # fmt: skip
    names = tuple("K" + "K".join("".join(LETTERS[kind] for kind in side) for side in pair) for pair in pairs)
    return Classes(names, tuple(after), of, men, sizes, sides)


class ChessNumbering(ChessMoves):
    """Positions with few men as numbers."""

    draws_count: bool
    plies_without_progress: int

    def __init__(self) -> None:
        super().__init__()
        known = classes()
        self.class_table, self.class_men = known.of, known.men
        self.class_sizes, self.class_sides = known.sizes, known.sides

    def class_names(self) -> tuple[str, ...]:
        return classes().names

    def classes_after(self, c: int) -> tuple[int, ...]:
        return classes().after[c]

    def class_of(self, s: ChessState) -> int:
        if count_bits(s.white | s.black) > MEN:
            return -1
        return self.class_and_turn(s) & TURNED - 1 if self.class_and_turn(s) >= 0 else -1

    def class_and_turn(self, s: ChessState) -> int:
        """The class of a position with few men, plus TURNED if the colours are to be exchanged; -1 if it has none."""
        if s.castling != 0 or s.en_passant != 0:
            return -1
        white, black = self.army(s, s.white), self.army(s, s.black)
        if white < 0 or black < 0:
            return -1
        found = int(self.class_table[ARMIES * white + black])
        if found < 0:
            return -1
        c = found & TURNED - 1
        men = 2 + (1 if self.class_men[c, 0] >= 0 else 0) + (1 if self.class_men[c, 1] >= 0 else 0)
        if count_bits(s.white | s.black) != men or count_bits(s.kings) != 2:
            return -1
        if self.class_sides[c] == 1:
            return c + TURNED * s.mover
        return found

    def army(self, s: ChessState, own: int) -> int:
        """The number of the men of one side; -1 if there are more than two of a kind."""
        pawns, knights, bishops = count_bits(s.pawns & own), count_bits(s.knights & own), count_bits(s.bishops & own)
        rooks, queens = count_bits(s.rooks & own), count_bits(s.queens & own)
        if max(pawns, knights, bishops, rooks, queens) > 2:
            return -1
        return pawns + 3 * knights + 9 * bishops + 27 * rooks + 81 * queens

    def class_size(self, c: int) -> int:
        return int(self.class_sizes[c])

    def index_of(self, s: ChessState) -> int:
        found = self.class_and_turn(s)
        c = found & TURNED - 1
        flip = 56 if found >= TURNED else 0  # the other colour's view, by rows
        white, black = (s.black, s.white) if flip else (s.white, s.black)
        mover = 1 - s.mover if flip else int(s.mover)
        king, other = lowest_bit(s.kings & white) ^ flip, lowest_bit(s.kings & black) ^ flip
        first, second = -1, -1
        if self.class_men[c, 0] >= 0:
            men = self.men_of(s, int(self.class_men[c, 0]), white, black)
            first = lowest_bit(men) ^ flip
            if self.class_men[c, 1] >= 0:
                if self.class_men[c, 1] == self.class_men[c, 0]:
                    men &= men - 1
                else:
                    men = self.men_of(s, int(self.class_men[c, 1]), white, black)
                second = lowest_bit(men) ^ flip
        if king & 7 > 3:
            king, other, first, second = king ^ 7, other ^ 7, first ^ 7, second ^ 7
        if s.pawns == 0:
            if king >> 3 > 3:
                king, other, first, second = king ^ 56, other ^ 56, first ^ 56, second ^ 56
            if king >> 3 > king & 7:
                king, other = transposed(king), transposed(other)
                first, second = transposed(first), transposed(second)
            elif king >> 3 == king & 7:
                one = self.place(c, mover, king, other, first, second)
                two = self.place(c, mover, king, transposed(other), transposed(first), transposed(second))
                return min(one, two)
        return self.place(c, mover, king, other, first, second)

    def men_of(self, s: ChessState, man: int, white: int, black: int) -> int:
        """The squares of a kind of man, plus 8 if it is black."""
        return self.squares_of(s, man & 7) & (black if man >= 8 else white)

    def place(self, c: int, mover: int, king: int, other: int, first: int, second: int) -> int:
        """The index of these squares. Two equal men are in the order of their squares."""
        one, two = int(self.class_men[c, 0]), int(self.class_men[c, 1])
        if one == two and first > second:
            first, second = second, first
        has_pawns = one >= 0 and (one & 7 == PAWN or (two >= 0 and two & 7 == PAWN))
        if has_pawns:
            index = mover * HALF + (king >> 3) * 4 + (king & 7)
        else:
            row, column = king >> 3, king & 7
            index = mover * TRIANGLE + column * (column + 1) // 2 + row
        index = index * 64 + other
        if one >= 0:
            index = index * 48 + first - 8 if one & 7 == PAWN else index * 64 + first
        if two >= 0:
            index = index * 48 + second - 8 if two & 7 == PAWN else index * 64 + second
        return index

    def state_at(self, c: int, i: int) -> ChessState:
        one, two = int(self.class_men[c, 0]), int(self.class_men[c, 1])
        first, second = -1, -1
        if two >= 0:
            second = i % 48 + 8 if two & 7 == PAWN else i & 63
            i = i // 48 if two & 7 == PAWN else i >> 6
        if one >= 0:
            first = i % 48 + 8 if one & 7 == PAWN else i & 63
            i = i // 48 if one & 7 == PAWN else i >> 6
        other = i & 63
        i >>= 6
        if one >= 0 and (one & 7 == PAWN or (two >= 0 and two & 7 == PAWN)):
            mover, slot = i >> 5, i & 31
            king = (slot >> 2) * 8 + (slot & 3)
        else:
            mover, slot = i // TRIANGLE, i % TRIANGLE
            column = 0
            while (column + 1) * (column + 2) // 2 <= slot:
                column += 1
            king = (slot - column * (column + 1) // 2) * 8 + column
        key = u64(self.keys[TURN_KEY]) if mover == 0 else u64(0)
        s = ChessState(0, 0, 0, 0, 0, 0, 0, 0, mover, 0, 0, 0, 1, key)
        s = self.with_man(self.with_man(s, KING, king), KING + 8, other)
        if one >= 0:
            s = self.with_man(s, one, first)
        if two >= 0:
            s = self.with_man(s, two, second)
        return s

    def with_man(self, s: ChessState, man: int, square: int) -> ChessState:
        """The state with one more man, whose kind has 8 added if it is black."""
        bit, kind = u64(1) << square, man & 7
        return ChessState(
            s.pawns | (bit if kind == PAWN else u64(0)),
            s.knights | (bit if kind == KNIGHT else u64(0)),
            s.bishops | (bit if kind == BISHOP else u64(0)),
            s.rooks | (bit if kind == ROOK else u64(0)),
            s.queens | (bit if kind == QUEEN else u64(0)),
            s.kings | (bit if kind == KING else u64(0)),
            s.white | (u64(0) if man >= 8 else bit),
            s.black | (bit if man >= 8 else u64(0)),
            s.mover,
            0,
            0,
            0,
            1,
            s.key ^ self.piece_key(man >> 3, kind, square),
        )

    def may_occur(self, s: ChessState) -> bool:
        """The player who has just moved may not be in check, and pawns are not on the first or the last row."""
        king = lowest_bit(s.kings & self.other(s))
        return s.pawns & ENDS == 0 and self.attackers(s, king, s.white | s.black) & self.own(s) == 0

    def retractions(self, s: ChessState) -> Iterator[int]:
        """Quiet moves of the other player, backwards: where a piece is now + 64 · whence it may have come."""
        empty = ~(s.white | s.black)
        left = self.other(s)
        while left != 0:
            at = lowest_bit(left)
            left &= left - 1
            sources = self.sources(s, at) & empty
            while sources != 0:
                yield at + 64 * lowest_bit(sources)
                sources &= sources - 1

    def sources(self, s: ChessState, at: int) -> int:
        """The squares from which the piece on a square may have come without a capture, and some that are occupied."""
        place, occupied = u64(1) << at, s.white | s.black
        if s.kings & place != 0:
            return u64(self.king_moves[at])
        if s.knights & place != 0:
            return u64(self.knight_moves[at])
        if s.pawns & place != 0:
            back = place >> 8 if s.mover == 1 else place << 8
            if at >> 3 == (3 if s.mover == 1 else 4) and back & occupied == 0:
                back |= back >> 8 if s.mover == 1 else back << 8
            return back & ~ENDS
        reached = u64(0)
        if (s.bishops | s.queens) & place != 0:
            reached |= self.slide(at, occupied)
        if (s.rooks | s.queens) & place != 0:
            reached |= self.slide(ROOK_SLIDERS + at, occupied)
        return reached

    def retract(self, s: ChessState, a: int) -> ChessState:
        at, source = a & 63, a >> 6
        kind, p = self.kind_at(s, at), 1 - s.mover
        key = s.key ^ u64(self.keys[TURN_KEY]) ^ self.piece_key(p, kind, at)
        keep = ~(u64(1) << at)
        bare = ChessState(
            s.pawns & keep,
            s.knights & keep,
            s.bishops & keep,
            s.rooks & keep,
            s.queens & keep,
            s.kings & keep,
            s.white & keep,
            s.black & keep,
            p,
            0,
            0,
            0,
            1,
            key,
        )
        return self.with_man(bare, kind + 8 * p, source)

    def in_time(self, s: ChessState, plies: int) -> bool:
        return not self.draws_count or s.clock + plies <= self.plies_without_progress


def transposed(square: int) -> int:
    """The square mirrored at the diagonal from a1 to h8."""
    return (square >> 3) + ((square & 7) << 3)
