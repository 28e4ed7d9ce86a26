"""The chess board as 64-bit words: the state, attacks, and keys of positions."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo.game.protocol import Game
from zermelo.game.state import i64, u8, u16, u64
from zermelo.games.chess.tables import tables
from zermelo.kernel.bits import lowest_bit

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
"""Kinds of pieces."""

CASTLING_KEYS, EN_PASSANT_KEYS, TURN_KEY = 768, 772, 780
"""The index of the random numbers for rights and turns, after twelve kinds of pieces on 64 squares."""

ROOK_SLIDERS = 64
"""The number of the first rook among the sliders."""


class ChessState(NamedTuple):
    """A position: sets of squares by kind and by colour, and everything the board does not show.

    castling     the rooks that may still castle
    en_passant   the square behind a pawn that can legally be captured en passant; 0 if there is none
    clock        plies since a pawn was moved or a piece captured
    number       of the move, from 1, as scoresheets count
    key          of the position, kept up to date move by move
    """

    pawns: u64
    knights: u64
    bishops: u64
    rooks: u64
    queens: u64
    kings: u64
    white: u64
    black: u64
    mover: u8
    castling: u64
    en_passant: u8
    clock: u16
    number: u16
    key: u64


class ChessBoard(Game):
    """Facts about a position that need no move."""

    def __init__(self) -> None:
        known = tables()
        self.pawn_attacks = known.pawn_attacks
        self.knight_moves = known.knight_moves
        self.king_moves = known.king_moves
        self.between = known.between
        self.lines = known.lines
        self.magics = known.magics
        self.slides = known.slides
        self.keys = polyglot_numbers()

    def to_move(self, s: ChessState) -> int:
        return s.mover

    def own(self, s: ChessState) -> int:
        """The pieces of the player to move."""
        return s.white if s.mover == 0 else s.black

    def other(self, s: ChessState) -> int:
        """The pieces of the other player."""
        return s.black if s.mover == 0 else s.white

    def kind_at(self, s: ChessState, square: int) -> int:
        """The kind of piece on a square that is not empty."""
        kind = (s.knights >> square & 1) + 2 * (s.bishops >> square & 1) + 3 * (s.rooks >> square & 1)
        return i64(kind + 4 * (s.queens >> square & 1) + 5 * (s.kings >> square & 1))

    def squares_of(self, s: ChessState, kind: int) -> int:
        """The squares of all pieces of a kind."""
        return (s.pawns, s.knights, s.bishops, s.rooks, s.queens, s.kings)[kind]

    # Attacks.

    def slide(self, slider: int, occupied: int) -> int:
        """The squares of a sliding piece, up to the first piece on each line: one multiplication and one lookup."""
        mask, factor = u64(self.magics[4 * slider]), u64(self.magics[4 * slider + 1])
        shift, begin = u64(self.magics[4 * slider + 2]), u64(self.magics[4 * slider + 3])
        return u64(self.slides[begin + (u64((occupied & mask) * factor) >> shift)])

    def attackers(self, s: ChessState, square: int, occupied: int) -> int:
        """The pieces of both players that attack a square, if these squares were occupied."""
        by_pawns = u64(self.pawn_attacks[64 + square]) & s.white | u64(self.pawn_attacks[square]) & s.black
        found = by_pawns & s.pawns | u64(self.knight_moves[square]) & s.knights | u64(self.king_moves[square]) & s.kings
        found |= self.slide(square, occupied) & (s.bishops | s.queens)
        return found | self.slide(ROOK_SLIDERS + square, occupied) & (s.rooks | s.queens)

    def in_check(self, s: ChessState) -> bool:
        """Is the king of the player to move attacked?"""
        king = lowest_bit(s.kings & self.own(s))
        return self.attackers(s, king, s.white | s.black) & self.other(s) != 0

    # Keys, as books in Polyglot's format have them.

    def piece_key(self, p: int, kind: int, square: int) -> int:
        """The random number of a piece on a square."""
        return u64(self.keys[64 * (2 * kind + 1 - p) + square])

    def castling_key(self, s: ChessState, rooks: int) -> int:
        """The random numbers of the rights of these rooks."""
        key = u64(0)
        while rooks != 0:
            rook = lowest_bit(rooks)
            rooks &= rooks - 1
            p = 0 if s.white >> rook & 1 else 1
            king = lowest_bit(s.kings & (s.white if p == 0 else s.black))
            key ^= u64(self.keys[CASTLING_KEYS + 2 * p + (0 if rook > king else 1)])
        return key

    def key_from_scratch(self, s: ChessState) -> int:
        """The key that a position must have."""
        key = self.castling_key(s, s.castling)
        left = s.white | s.black
        while left != 0:
            square = lowest_bit(left)
            left &= left - 1
            key ^= self.piece_key(0 if s.white >> square & 1 else 1, self.kind_at(s, square), square)
        if s.en_passant != 0:
            key ^= u64(self.keys[EN_PASSANT_KEYS + (s.en_passant & 7)])
        return key ^ u64(self.keys[TURN_KEY]) if s.mover == 0 else key

    def key(self, s: ChessState) -> int:
        return s.key


@functools.cache
def polyglot_numbers() -> Any:
    """The 781 random numbers of Polyglot's book format, so that keys are those by which such books are looked up."""
    return np.load(Path(__file__).parent / "polyglot.npy")
