"""Features of pieces: threats, outposts, rooks on files, bishops and their pawns, space."""

from __future__ import annotations

from typing import Any

from zermelo.game.state import u64
from zermelo.games.chess.attacks import Attacks
from zermelo.games.chess.board import ROOK_SLIDERS, ChessState
from zermelo.games.chess.endgames import LIGHT
from zermelo.games.chess.features import BY_MINORS, BY_PAWNS, BY_ROOKS, PIECES, SPACE, THREATS
from zermelo.games.chess.kings import ChessKings
from zermelo.games.chess.moves import COLUMN, ROW
from zermelo.kernel.bits import count_bits, lowest_bit

BY_KING, HANGING, ON_THE_MOVE, STEPS, QUEEN_NEXT, CONTESTED = range(THREATS, THREATS + 6)
(
    ROOK_OPEN,
    ROOK_HALF_OPEN,
    ROOK_SEVENTH,
    KNIGHT_OUTPOST,
    BISHOP_OUTPOST,
    REACHED_OUTPOST,
    BISHOP_PAWNS,
    BISHOP_BLOCKED,
    MINOR_BEHIND,
    ROOK_SHUT_IN,
) = range(PIECES, PIECES + 10)

CENTRE_FILES = COLUMN << 2 | COLUMN << 3 | COLUMN << 4 | COLUMN << 5


class ChessThreats(ChessKings):
    """Threats, and where pieces stand well or badly."""

    def threat_features(self, s: ChessState, p: int, mine: Attacks, theirs: Attacks, ledger: Any, total: Any) -> Any:
        """The total with what a player threatens.

        A piece is weak if it is attacked, no pawn guards it, and it is not defended twice against a single attacker.
        """
        own, other = self.pieces_of(s, p), self.pieces_of(s, 1 - p)
        pawns, pieces = s.pawns & own, other & ~(s.pawns | s.kings)
        strong = theirs.pawns | theirs.twice & ~mine.twice
        weak = other & ~strong & mine.all
        exposed = weak | pieces & strong
        attacked = self.sideways(self.ahead(pawns & (mine.all | ~theirs.all), p)) & pieces
        total = ledger.add(self, total, BY_PAWNS, count_bits(attacked & s.knights))
        total = ledger.add(self, total, BY_PAWNS + 1, count_bits(attacked & s.bishops))
        total = ledger.add(self, total, BY_PAWNS + 2, count_bits(attacked & s.rooks))
        total = ledger.add(self, total, BY_PAWNS + 3, count_bits(attacked & s.queens))
        total = self.attacked_kinds(s, exposed & (mine.knights | mine.bishops), BY_MINORS, ledger, total)
        total = self.attacked_kinds(s, weak & mine.rooks, BY_ROOKS, ledger, total)
        total = ledger.add(self, total, BY_KING, count_bits(weak & mine.king))
        hanging = count_bits(weak & (~theirs.all | pieces & mine.twice))
        total = ledger.add(self, total, HANGING, hanging)
        if s.mover == p:
            total = ledger.add(self, total, ON_THE_MOVE, count_bits(weak & pieces))
        total = ledger.add(self, total, CONTESTED, count_bits(mine.all & theirs.all & ~strong))
        empty, safe = ~(s.white | s.black), ~theirs.pawns & (mine.all | ~theirs.all)
        first = self.ahead(pawns, p) & empty
        steps = first | self.ahead(first & (ROW << 16 if p == 0 else ROW << 40), p) & empty
        hit = self.sideways(self.ahead(steps & safe, p)) & pieces
        total = ledger.add(self, total, STEPS, count_bits(hit))
        queens = s.queens & other
        if queens != 0 and queens & (queens - 1) == 0:
            total = ledger.add(self, total, QUEEN_NEXT, self.attacks_next(s, lowest_bit(queens), own, mine, theirs))
        return total

    def attacked_kinds(self, s: ChessState, attacked: int, first: int, ledger: Any, total: Any) -> Any:
        """The total with these attacked pieces, one feature for each kind but the king."""
        if attacked == 0:
            return total
        total = ledger.add(self, total, first, count_bits(attacked & s.pawns))
        total = ledger.add(self, total, first + 1, count_bits(attacked & s.knights))
        total = ledger.add(self, total, first + 2, count_bits(attacked & s.bishops))
        total = ledger.add(self, total, first + 3, count_bits(attacked & s.rooks))
        return ledger.add(self, total, first + 4, count_bits(attacked & s.queens))

    def attacks_next(self, s: ChessState, queen: int, own: int, mine: Attacks, theirs: Attacks) -> int:
        """The number of safe squares from which a lesser piece could attack the queen after one move."""
        occupied = s.white | s.black
        safe = ~(own | theirs.pawns) & (~theirs.all | mine.twice & ~theirs.twice)
        found = u64(self.knight_moves[queen]) & mine.knights
        found |= self.slide(queen, occupied) & mine.bishops | self.slide(ROOK_SLIDERS + queen, occupied) & mine.rooks
        return count_bits(found & safe)

    def piece_features(self, s: ChessState, p: int, mine: Attacks, theirs: Attacks, ledger: Any, total: Any) -> Any:
        """The total with rooks on files, outposts, bishops behind their own pawns, and space."""
        own, other = self.pieces_of(s, p), self.pieces_of(s, 1 - p)
        pawns, their_pawns = s.pawns & own, s.pawns & other
        occupied = s.white | s.black
        knights, bishops, rooks = s.knights & own, s.bishops & own, s.rooks & own
        half_open = rooks & ~self.all_ahead(self.all_ahead(pawns, 0), 1)
        open = half_open & ~self.all_ahead(self.all_ahead(their_pawns, 0), 1)
        total = ledger.add(self, total, ROOK_OPEN, count_bits(open))
        total = ledger.add(self, total, ROOK_HALF_OPEN, count_bits(half_open & ~open))
        total = ledger.add(self, total, ROOK_SEVENTH, count_bits(rooks & (ROW << 48 if p == 0 else ROW << 8)))
        outposts = mine.pawns & ~self.all_ahead(theirs.pawns, 1 - p)
        outposts &= ROW << 24 | ROW << 32 | (ROW << 40 if p == 0 else ROW << 16)
        total = ledger.add(self, total, KNIGHT_OUTPOST, count_bits(outposts & knights))
        total = ledger.add(self, total, BISHOP_OUTPOST, count_bits(outposts & bishops))
        total = ledger.add(self, total, REACHED_OUTPOST, count_bits(outposts & mine.knights & ~own & ~theirs.pawns))
        blocked = pawns & self.ahead(occupied, 1 - p) & CENTRE_FILES
        light, dark = count_bits(bishops & LIGHT), count_bits(bishops & ~LIGHT)
        on_colour = light * count_bits(pawns & LIGHT) + dark * count_bits(pawns & ~LIGHT)
        hemmed = light * count_bits(blocked & LIGHT) + dark * count_bits(blocked & ~LIGHT)
        total = ledger.add(self, total, BISHOP_PAWNS, on_colour)
        total = ledger.add(self, total, BISHOP_BLOCKED, hemmed)
        behind = (knights | bishops) & self.ahead(s.pawns, 1 - p)
        total = ledger.add(self, total, MINOR_BEHIND, count_bits(behind))
        total = ledger.add(self, total, ROOK_SHUT_IN, self.shut_in(s, p, own, rooks))
        rows = ROW << 8 | ROW << 16 | ROW << 24 if p == 0 else ROW << 48 | ROW << 40 | ROW << 32
        space = CENTRE_FILES & rows & ~(pawns | theirs.pawns)
        total = ledger.add(self, total, SPACE, count_bits(space))
        covered = self.all_ahead(self.ahead(pawns, 1 - p), 1 - p)
        return ledger.add(self, total, SPACE + 1, count_bits(space & covered & ~theirs.all))

    def shut_in(self, s: ChessState, p: int, own: int, rooks: int) -> int:
        """Is a rook between its king and the edge on the first row, with castling no longer possible?"""
        row = ROW if p == 0 else ROW << 56
        king = s.kings & own & row
        if king == 0 or s.castling & own != 0:
            return 0
        file = lowest_bit(king) & 7
        beyond = row & ~(COLUMN * ((2 << file) - 1)) if file > 3 else row & COLUMN * ((1 << file) - 1)
        return 1 if rooks & u64(beyond) != 0 else 0
