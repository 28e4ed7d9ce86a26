"""What each player's pieces attack, found once per position and shared by all features; the mobility of pieces."""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.game.state import i64, u64
from zermelo.games.chess.board import BISHOP, KNIGHT, QUEEN, ROOK, ROOK_SLIDERS, ChessState
from zermelo.games.chess.endgames import ChessEndgames
from zermelo.games.chess.features import MOVES
from zermelo.games.chess.moves import COLUMN
from zermelo.games.chess.squares import squares
from zermelo.kernel.bits import count_bits, lowest_bit

LAST_COLUMN = COLUMN << 7


class Attacks(NamedTuple):
    """The squares that one player attacks, and the pieces that attack the squares around the other king.

    all, twice   by any piece; by at least two
    near         how many pieces attack the squares around the king, 8 bits for each kind
    close        how many attacks there are on the squares next to the king
    """

    pawns: u64
    knights: u64
    bishops: u64
    rooks: u64
    queens: u64
    king: u64
    all: u64
    twice: u64
    near: u64
    close: i64


class ChessAttacks(ChessEndgames):
    """Sets of squares as each player sees them, and attacks."""

    def __init__(self) -> None:
        super().__init__()
        self.places, self.zones, self.distances = squares()

    # Sets of squares.

    def ahead(self, squares: int, p: int) -> int:
        """The squares one row further on, as this player sees it."""
        return u64(squares << 8) if p == 0 else squares >> 8

    def all_ahead(self, squares: int, p: int) -> int:
        """These squares and all further on."""
        if p == 0:
            squares |= u64(squares << 8)
            squares |= u64(squares << 16)
            return squares | u64(squares << 32)
        squares |= squares >> 8
        squares |= squares >> 16
        return squares | squares >> 32

    def sideways(self, squares: int) -> int:
        """The squares to the left and to the right of these."""
        return self.left_of(squares) | self.right_of(squares)

    def left_of(self, squares: int) -> int:
        return (squares & ~COLUMN) >> 1

    def right_of(self, squares: int) -> int:
        return u64((squares & ~LAST_COLUMN) << 1)

    def pieces_of(self, s: ChessState, p: int) -> int:
        """All pieces of a player."""
        return s.white if p == 0 else s.black

    def row_of(self, square: int, p: int) -> int:
        """The row of a square, from 0, as this player sees it."""
        return square >> 3 if p == 0 else 7 - (square >> 3)

    # Attacks.

    def surveyed(self, s: ChessState, p: int, ledger: Any, total: Any) -> Any:
        """What a player attacks, and the total with the mobility of the player's pieces.

        Mobility counts squares that no enemy pawn guards, without those of the own king, queens and blocked pawns.
        Bishops see through their own queens, rooks through their own rooks and queens: behind them they still help.
        """
        own, other = self.pieces_of(s, p), self.pieces_of(s, 1 - p)
        occupied = s.white | s.black
        front = self.ahead(s.pawns & own, p)
        left, right = self.left_of(front), self.right_of(front)
        by_king = u64(self.king_moves[lowest_bit(s.kings & own)])
        all = left | right | by_king
        twice = left & right | (left | right) & by_king
        blocked = s.pawns & own & self.ahead(occupied, 1 - p)
        free = ~((s.kings | s.queens) & own | blocked | self.sideways(self.ahead(s.pawns & other, 1 - p)))
        there = lowest_bit(s.kings & other)
        by_knights, all, twice, near_knights, close_knights, total = self.surveyed_kind(
            KNIGHT, s.knights & own, occupied, free, there, 1 - p, all, twice, ledger, total
        )
        by_bishops, all, twice, near_bishops, close_bishops, total = self.surveyed_kind(
            BISHOP, s.bishops & own, occupied & ~(s.queens & own), free, there, 1 - p, all, twice, ledger, total
        )
        seen = occupied & ~((s.rooks | s.queens) & own)
        by_rooks, all, twice, near_rooks, close_rooks, total = self.surveyed_kind(
            ROOK, s.rooks & own, seen, free, there, 1 - p, all, twice, ledger, total
        )
        by_queens, all, twice, near_queens, close_queens, total = self.surveyed_kind(
            QUEEN, s.queens & own, occupied, free, there, 1 - p, all, twice, ledger, total
        )
        near = near_knights | near_bishops << 8 | near_rooks << 16 | near_queens << 24
        close = close_knights + close_bishops + close_rooks + close_queens
        attacks = Attacks(left | right, by_knights, by_bishops, by_rooks, by_queens, by_king, all, twice, near, close)
        return attacks, total

    def surveyed_kind(
        self,
        kind: int,
        pieces: int,
        occupied: int,
        free: int,
        king: int,
        other: int,
        all: int,
        twice: int,
        ledger: Any,
        total: Any,
    ) -> Any:
        """The same for the pieces of one kind: attacked squares, updated sets, pieces and attacks near the king."""
        zone, next_to_king = u64(self.zones[64 * other + king]), u64(self.king_moves[king])
        attacked, near, close = u64(0), 0, 0
        while pieces != 0:
            reached = self.reached(kind, lowest_bit(pieces), occupied)
            pieces &= pieces - 1
            twice |= all & reached
            all |= reached
            attacked |= reached
            total = ledger.add(self, total, MOVES[kind] + count_bits(reached & free), 1)
            if reached & zone != 0:
                near += 1
                close += count_bits(reached & next_to_king)
        return attacked, all, twice, near, close, total

    def reached(self, kind: int, square: int, occupied: int) -> int:
        """The squares that a piece attacks."""
        if kind == KNIGHT:
            return u64(self.knight_moves[square])
        if kind == BISHOP:
            return self.slide(square, occupied)
        if kind == ROOK:
            return self.slide(ROOK_SLIDERS + square, occupied)
        return self.slide(square, occupied) | self.slide(ROOK_SLIDERS + square, occupied)
