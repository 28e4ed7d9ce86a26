"""Hints for an engine: material, the gain of a capture, and which moves to try first."""

from __future__ import annotations

from zermelo.game.state import u64
from zermelo.games.chess.board import EN_PASSANT_KEYS, KING, PAWN, QUEEN, ROOK_SLIDERS, TURN_KEY, ChessState
from zermelo.games.chess.inputs import ChessInputs
from zermelo.kernel.bits import count_bits

VALUES = (1, 3, 3, 5, 9, 100)
"""What pieces count, in pawns, by kind; the king more than all others together."""

PAWN_WORTH = 0.1
"""The value of a pawn in the evaluation."""

NOISY = 1000.0
"""The bonus of captures and promotions, so that they come before quiet moves."""

OLD, OLD_STEP = 40, 8
"""From this halfmove clock on, tables distinguish positions by the clock, in steps of this many plies."""


class ChessHints(ChessInputs):
    """Estimates of moves, all of them from material alone."""

    def material(self, s: ChessState, p: int) -> int:
        """What player p's pieces count together, without the king."""
        own = s.white if p == 0 else s.black
        minor = count_bits((s.knights | s.bishops) & own)
        return count_bits(s.pawns & own) + 3 * minor + 5 * count_bits(s.rooks & own) + 9 * count_bits(s.queens & own)

    def may_stand(self, s: ChessState) -> bool:
        return not self.in_check(s)

    def may_pass(self, s: ChessState) -> bool:
        """Not with king and pawns and at most a knight or bishop, because zugzwang is common there."""
        pieces = self.own(s) & ~(s.pawns | s.kings)
        return pieces & (s.rooks | s.queens) != 0 or pieces & (pieces - 1) != 0

    def canonical_key(self, s: ChessState) -> int:
        """The key; near the end of fifty moves without progress, another one every few plies."""
        return s.key if s.clock < OLD else s.key ^ u64((s.clock // OLD_STEP) * 0x9E3779B97F4A7C15)

    def after_pass(self, s: ChessState) -> ChessState:
        """The position with the other player to move; no position before it counts as repeated."""
        key = s.key ^ u64(self.keys[TURN_KEY])
        if s.en_passant != 0:
            key ^= u64(self.keys[EN_PASSANT_KEYS + (s.en_passant & 7)])
        return s._replace(mover=1 - s.mover, en_passant=0, clock=0, number=s.number + s.mover, key=key)

    def gives_check(self, s: ChessState, a: int) -> bool:
        """Is the opponent in check after this move?"""
        return self.in_check(self.result(s, a))

    def is_capture(self, s: ChessState, a: int) -> bool:
        """Does this move capture something?"""
        origin, target = a & 63, a >> 6 & 63
        if self.other(s) >> target & 1 != 0:
            return True
        return s.en_passant != 0 and target == s.en_passant and s.pawns >> origin & 1 != 0

    def is_noisy(self, s: ChessState, a: int) -> bool:
        """Is it a capture or a promotion?"""
        return a >> 12 != 0 or self.is_capture(s, a)

    def victim(self, s: ChessState, a: int) -> int:
        """The captured piece."""
        target = a >> 6 & 63
        return PAWN if target == s.en_passant else self.kind_at(s, target)

    def promise(self, s: ChessState, a: int) -> float:
        """Captures first, of the most valuable piece by the least valuable one, and promotions; losing ones last."""
        promoted = a >> 12
        if promoted != 0 and promoted != QUEEN:
            return -2 * NOISY
        gain = 8 * VALUES[promoted] if promoted != 0 else 0
        if self.is_capture(s, a):
            attacker, victim = self.kind_at(s, a & 63), self.victim(s, a)
            gain += 8 * VALUES[victim] - attacker
            if VALUES[attacker] > VALUES[victim] and self.exchange(s, a) < 0:
                return gain - NOISY
        return NOISY + gain if gain != 0 else 0.0

    def move_kind(self, s: ChessState, a: int) -> int:
        """The moving piece and its target: where it comes from matters less."""
        return 64 * (6 * s.mover + self.kind_at(s, a & 63)) + (a >> 6 & 63)

    def gain(self, s: ChessState, a: int) -> float:
        """The captured and promoted value; if the moving piece is worth more than its victim, the exchange."""
        promoted = a >> 12
        if promoted != 0 and promoted != QUEEN:
            return -1.0  # underpromotions are left to searches that try quiet moves
        gain = VALUES[promoted] - VALUES[PAWN] if promoted != 0 else 0
        victim = VALUES[self.victim(s, a)] if self.is_capture(s, a) else 0
        if promoted == 0 and VALUES[self.kind_at(s, a & 63)] > victim:
            return PAWN_WORTH * self.exchange(s, a)
        return PAWN_WORTH * (gain + victim)

    def exchange(self, s: ChessState, a: int) -> int:
        """Static exchange evaluation: the gain in material if both players capture on the target while it pays.

        Each player captures with the least valuable piece and can stop at any time. Pins and later
        promotions are ignored.
        """
        origin, target, promoted = a & 63, a >> 6 & 63, a >> 12
        if self.own(s) >> target & 1 != 0:
            return 0
        place, occupied = u64(1) << target, s.white | s.black
        on_target = self.kind_at(s, origin)
        balance = VALUES[self.kind_at(s, target)] if occupied & place != 0 else 0
        occupied = occupied & ~(u64(1) << origin) | place
        if on_target == PAWN and s.en_passant != 0 and target == s.en_passant:
            balance = VALUES[PAWN]
            occupied &= ~(u64(1) << (target ^ 8))
        if promoted != 0:
            balance += VALUES[promoted] - VALUES[PAWN]
            on_target = promoted
        straight, diagonal = s.rooks | s.queens, s.bishops | s.queens
        low, high = -1000, 1000  # what the player is sure of, and what the opponent concedes at most
        side = 1 - s.mover
        attackers = self.attackers(s, target, occupied) & occupied
        while True:
            replying = side != s.mover
            if replying:
                high = min(high, balance)
            else:
                low = max(low, balance)
            mine = attackers & (s.white if side == 0 else s.black)
            if low >= high or mine == 0:
                break
            kind = self.least_kind(s, mine)
            if kind == KING and mine != attackers:
                break  # it would be captured
            balance += -VALUES[on_target] if replying else VALUES[on_target]
            on_target = kind
            least = mine & self.squares_of(s, kind)
            occupied ^= least & (0 - least)
            attackers |= (
                self.slide(target, occupied) & diagonal | self.slide(ROOK_SLIDERS + target, occupied) & straight
            )
            attackers &= occupied
            side = 1 - side
        return min(low, high) if side == s.mover else max(low, high)

    def least_kind(self, s: ChessState, squares: int) -> int:
        """The least valuable kind of piece on these squares."""
        kind = PAWN
        while self.squares_of(s, kind) & squares == 0:
            kind += 1
        return kind
