"""Features of kings: the pawns before them, and how dangerous an attack is.

One attacker is harmless, three are not: danger grows faster than the attack. So the parts of an attack add up to a
degree of danger, and every degree is a feature with its own weight.
"""

from __future__ import annotations

from typing import Any

from zermelo.game.state import i64, u64
from zermelo.games.chess.attacks import Attacks
from zermelo.games.chess.board import BISHOP, KNIGHT, QUEEN, ROOK, ROOK_SLIDERS, ChessState
from zermelo.games.chess.features import CHECKS, DANGER, DANGERS, KING_SIDE, NEAR_KING, SHELTER, STORM
from zermelo.games.chess.moves import COLUMN, EVERYWHERE
from zermelo.games.chess.pawns import ChessPawns
from zermelo.kernel.bits import count_bits, highest_bit, lowest_bit

OPEN_FILES, MINORS_AT_KING = KING_SIDE, KING_SIDE + 1
CLOSE, WEAK, PINNED = range(NEAR_KING + 4, NEAR_KING + 7)

ATTACKER_DANGER = (0, 5, 4, 6, 8)
"""The danger of a piece that attacks the squares around a king, by kind."""
CHECK_DANGER = (0, 9, 7, 11, 8)
"""The danger of a safe check, by kind."""
CLOSE_DANGER, WEAK_DANGER, WITHOUT_QUEEN = 2, 3, 10
"""The danger of an attack on a square next to the king, of a weak square there, and how much less without a queen."""
DEGREE = 3
"""So much danger is one degree."""


class ChessKings(ChessPawns):
    """The safety of the kings."""

    def shelter_features(self, s: ChessState, p: int, ledger: Any, total: Any) -> Any:
        """The total with the pawns of both players on the files of a player's king, and the pieces that defend it.

        For each of three files: the nearest own pawn, and the nearest enemy pawn, both not behind the king.
        """
        own, other = self.pieces_of(s, p), self.pieces_of(s, 1 - p)
        king = lowest_bit(s.kings & own)
        row = self.row_of(king, p)
        before = u64(EVERYWHERE << 8 * row) if p == 0 else EVERYWHERE >> 8 * row
        middle = min(max(king & 7, 1), 6)
        open_files = 0
        for file in range(middle - 1, middle + 2):
            pawns = s.pawns & COLUMN << file & before
            nearest = self.nearest_row(pawns & own, p)
            theirs = self.nearest_row(pawns & other, p)
            blocked = 7 if theirs != 0 and nearest == theirs - 1 else 0
            total = ledger.add(self, total, SHELTER + 7 * min(file, 7 - file) + nearest, 1)
            total = ledger.add(self, total, STORM + blocked + theirs, 1)
            if s.pawns & COLUMN << file == 0:
                open_files += 1
        total = ledger.add(self, total, OPEN_FILES, open_files)
        near = u64(self.zones[64 * p + king]) & (s.knights | s.bishops) & own
        return ledger.add(self, total, MINORS_AT_KING, count_bits(near))

    def nearest_row(self, pawns: int, p: int) -> int:
        """The row of the nearest of these pawns, as this player sees it; 0 if there is none."""
        if pawns == 0:
            return 0
        return lowest_bit(pawns) >> 3 if p == 0 else 7 - (highest_bit(pawns) >> 3)

    def attack_features(self, s: ChessState, p: int, mine: Attacks, theirs: Attacks, ledger: Any, total: Any) -> Any:
        """The total with a player's attack on the other king.

        A square is weak if it is attacked and at most the king or queen defends it. A check is safe on squares that
        are not defended, and on weak ones that are attacked twice.
        """
        own, other = self.pieces_of(s, p), self.pieces_of(s, 1 - p)
        occupied = s.white | s.black
        king = lowest_bit(s.kings & other)
        weak = mine.all & ~theirs.twice & (~theirs.all | theirs.king | theirs.queens)
        weak_near = count_bits(weak & theirs.king)
        safe = ~own & (~theirs.all | weak & mine.twice)
        diagonal, straight = self.slide(king, occupied), self.slide(ROOK_SLIDERS + king, occupied)
        danger = CLOSE_DANGER * mine.close + WEAK_DANGER * weak_near
        total = ledger.add(self, total, CLOSE, mine.close)
        total = ledger.add(self, total, WEAK, weak_near)
        checks = (
            u64(0),
            u64(self.knight_moves[king]) & mine.knights & safe,
            diagonal & mine.bishops & safe,
            straight & mine.rooks & safe,
            (diagonal | straight) & mine.queens & safe & ~theirs.queens,
        )
        for kind in (KNIGHT, BISHOP, ROOK, QUEEN):
            near = i64(mine.near >> 8 * (kind - 1) & 255)
            danger += ATTACKER_DANGER[kind] * near
            total = ledger.add(self, total, NEAR_KING - 1 + kind, near)
            if checks[kind] != 0:
                danger += CHECK_DANGER[kind]
                total = ledger.add(self, total, CHECKS - 1 + kind, min(count_bits(checks[kind]), 2))
        if s.queens & own == 0:
            danger -= WITHOUT_QUEEN
        if danger >= DEGREE:
            total = ledger.add(self, total, DANGER - 1 + min(danger // DEGREE, DANGERS), 1)
        pinned = self.pinned_by(s, king, own, diagonal, straight)
        return ledger.add(self, total, PINNED, count_bits(pinned))

    def pinned_by(self, s: ChessState, king: int, own: int, diagonal: int, straight: int) -> int:
        """The player's pieces that pin something to the other king, or would give check if a piece moved away."""
        occupied = s.white | s.black
        behind = self.slide(king, occupied & ~diagonal) & ~diagonal & (s.bishops | s.queens)
        behind |= self.slide(ROOK_SLIDERS + king, occupied & ~straight) & ~straight & (s.rooks | s.queens)
        return behind & own
