"""Features of pawns: their structure, and passed pawns with what helps and hinders them."""

from __future__ import annotations

from typing import Any

from zermelo.game.state import u64
from zermelo.games.chess.attacks import Attacks, ChessAttacks
from zermelo.games.chess.board import ChessState
from zermelo.games.chess.features import (
    GUARDED,
    PASSED,
    PASSED_BLOCKED,
    PASSED_OTHER_KING,
    PASSED_OWN_KING,
    PASSED_PATH,
    PASSED_PIECES,
    PASSED_STEP,
    PASSED_SUPPORT,
    SIDE_BY_SIDE,
    STRUCTURE,
)
from zermelo.games.chess.moves import COLUMN
from zermelo.kernel.bits import count_bits, lowest_bit

ROOK_BEHIND, THEIR_ROOK_BEHIND, RUNNER = range(PASSED_PIECES, PASSED_PIECES + 3)
DOUBLED, ISOLATED, ISOLATED_OPEN, BACKWARD, BACKWARD_OPEN, BLOCKED = range(STRUCTURE, STRUCTURE + 6)


class ChessPawns(ChessAttacks):
    """Pawn structure and passed pawns."""

    def passed(self, s: ChessState, p: int) -> int:
        """A player's passed pawns that no pawn of their own blocks."""
        own, other = self.pieces_of(s, p), self.pieces_of(s, 1 - p)
        stopped = self.all_ahead(self.ahead(s.pawns & other, 1 - p), 1 - p)
        stopped |= self.sideways(stopped) | self.all_ahead(self.ahead(s.pawns & own, 1 - p), 1 - p)
        return s.pawns & own & ~stopped

    def pawn_features(self, s: ChessState, p: int, mine: Attacks, theirs: Attacks, ledger: Any, total: Any) -> Any:
        """The total with the structure of a player's pawns."""
        pawns, their_pawns = s.pawns & self.pieces_of(s, p), s.pawns & self.pieces_of(s, 1 - p)
        files = self.all_ahead(self.all_ahead(pawns, 0), 1)
        opposed = self.all_ahead(their_pawns, 1 - p)
        neighbours = self.sideways(files)
        isolated = pawns & ~neighbours
        doubled = pawns & self.all_ahead(self.ahead(pawns, p), p)
        stopped = self.ahead(pawns, p) & (theirs.pawns | their_pawns) & neighbours & ~self.all_ahead(mine.pawns, p)
        backward = self.ahead(stopped, 1 - p)
        total = ledger.add(self, total, DOUBLED, count_bits(doubled))
        total = ledger.add(self, total, ISOLATED, count_bits(isolated))
        total = ledger.add(self, total, ISOLATED_OPEN, count_bits(isolated & ~opposed))
        total = ledger.add(self, total, BACKWARD, count_bits(backward))
        total = ledger.add(self, total, BACKWARD_OPEN, count_bits(backward & ~opposed))
        total = ledger.add(self, total, BLOCKED, count_bits(self.ahead(pawns, p) & their_pawns))
        left = pawns & self.sideways(pawns)
        while left != 0:
            total = ledger.add(self, total, SIDE_BY_SIDE - 1 + self.row_of(lowest_bit(left), p), 1)
            left &= left - 1
        left = pawns & mine.pawns
        while left != 0:
            total = ledger.add(self, total, GUARDED - 1 + self.row_of(lowest_bit(left), p), 1)
            left &= left - 1
        return total

    def passed_features(self, s: ChessState, p: int, mine: Attacks, theirs: Attacks, ledger: Any, total: Any) -> Any:
        """The total with a player's passed pawns.

        The kings' distances are those to the square ahead of the pawn, and count the more the further it has advanced.
        """
        own, other = self.pieces_of(s, p), self.pieces_of(s, 1 - p)
        king, their_king = lowest_bit(s.kings & own), lowest_bit(s.kings & other)
        left = self.passed(s, p)
        while left != 0:
            square = lowest_bit(left)
            left &= left - 1
            row = self.row_of(square, p)
            front = square + 8 if p == 0 else square - 8
            step = u64(1) << front
            total = ledger.add(self, total, PASSED - 1 + row, 1)
            if step & (own | other) != 0:
                total = ledger.add(self, total, PASSED_BLOCKED - 1 + row, 1)
            elif step & theirs.all == 0:
                path = self.all_ahead(step, p)
                safe = path & (other | theirs.all) == 0
                total = ledger.add(self, total, (PASSED_PATH if safe else PASSED_STEP) - 1 + row, 1)
            if step & mine.all != 0:
                total = ledger.add(self, total, PASSED_SUPPORT - 1 + row, 1)
            if row >= 2:
                total = ledger.add(self, total, PASSED_OWN_KING + self.distances[64 * king + front], row - 1)
                total = ledger.add(self, total, PASSED_OTHER_KING + self.distances[64 * their_king + front], row - 1)
            behind = COLUMN << (square & 7) & ~self.all_ahead(u64(1) << square, p)
            if behind & s.rooks != 0:
                total = ledger.add(self, total, ROOK_BEHIND, 1 if behind & s.rooks & own != 0 else 0)
                total = ledger.add(self, total, THEIR_ROOK_BEHIND, 1 if behind & s.rooks & other != 0 else 0)
            if other & ~(s.pawns | s.kings) == 0 and self.outruns(s, p, square):
                total = ledger.add(self, total, RUNNER, 1)
        return total

    def outruns(self, s: ChessState, p: int, square: int) -> bool:
        """Does a passed pawn promote before the other king can catch it, if there is nothing else to stop it?"""
        ahead = self.all_ahead(u64(1) << square, p) & ~(u64(1) << square)
        if ahead & (s.white | s.black) != 0:
            return False
        last = square & 7 | (56 if p == 0 else 0)
        steps = 7 - max(self.row_of(square, p), 2)  # from its first square it can make two steps at once
        other_king = lowest_bit(s.kings & self.pieces_of(s, 1 - p))
        away: int = self.distances[64 * other_king + last]
        return away - (0 if s.mover == p else 1) > steps
