"""How the pieces move: the legal targets of each, and the position after a move.

A move is origin + 64 · target + 4096 · kind, where the kind is the promoted piece and otherwise 0. Castling is the
king capturing its own rook, as Chess960 requires. Only legal moves are generated: pins and checks are known beforehand,
so no move has to be tried and undone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zermelo.game.state import u64
from zermelo.games.chess.board import (
    BISHOP,
    EN_PASSANT_KEYS,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    ROOK_SLIDERS,
    TURN_KEY,
    ChessBoard,
    ChessState,
)
from zermelo.kernel.bits import count_bits, lowest_bit

ROW = 0xFF
EVERYWHERE = (1 << 64) - 1
COLUMN = 0x0101010101010101
ENDS = ROW | ROW << 56
"""The first and the last row."""


class ChessMoves(ChessBoard):
    """Moves, ignoring draws."""

    def checkers_and_pinned(self, s: ChessState) -> tuple[int, int]:
        """The opponent's pieces that give check, and the mover's pieces that shield their king from a slider."""
        own, other = self.own(s), self.other(s)
        king = lowest_bit(s.kings & own)
        checkers = u64(self.knight_moves[king]) & s.knights | u64(self.pawn_attacks[64 * s.mover + king]) & s.pawns
        checkers &= other
        pinned = u64(0)
        snipers = self.slide(king, other) & (s.bishops | s.queens)
        snipers |= self.slide(ROOK_SLIDERS + king, other) & (s.rooks | s.queens)
        snipers &= other
        while snipers != 0:
            sniper = lowest_bit(snipers)
            snipers &= snipers - 1
            shields = u64(self.between[64 * king + sniper]) & own
            if shields == 0:
                checkers |= u64(1) << sniper
            elif shields & (shields - 1) == 0:
                pinned |= shields
        return checkers, pinned

    def allowed(self, s: ChessState, checkers: int) -> int:
        """The squares for pieces other than the king: in check, only the checker or between it and the king."""
        own = self.own(s)
        if checkers == 0:
            return ~(own | s.kings)
        if checkers & (checkers - 1) != 0:
            return u64(0)  # of two checks only the king can get out
        return checkers | u64(self.between[64 * lowest_bit(s.kings & own) + lowest_bit(checkers)])

    def targets(self, s: ChessState, origin: int, checkers: int, pinned: int) -> int:
        """The legal target squares of the piece on a square; an own rook means castling."""
        place, occupied = u64(1) << origin, s.white | s.black
        if s.kings & place != 0:
            return self.king_targets(s, checkers, EVERYWHERE)
        allowed = self.allowed(s, checkers)
        if pinned & place != 0:
            allowed &= u64(self.lines[64 * lowest_bit(s.kings & self.own(s)) + origin])
        if s.pawns & place != 0:
            return self.pawn_targets(s, origin) & allowed | self.en_passant_target(s, origin)
        if s.knights & place != 0:
            return u64(self.knight_moves[origin]) & allowed
        reached = u64(0)
        if (s.bishops | s.queens) & place != 0:
            reached = self.slide(origin, occupied)
        if (s.rooks | s.queens) & place != 0:
            reached |= self.slide(ROOK_SLIDERS + origin, occupied)
        return reached & allowed

    def pawn_targets(self, s: ChessState, origin: int) -> int:
        """The target squares of a pawn, without en passant."""
        place, empty = u64(1) << origin, ~(s.white | s.black)
        captures = u64(self.pawn_attacks[64 * s.mover + origin]) & self.other(s)
        if s.mover == 0:
            step = place << 8 & empty
            return step | (step & ROW << 16) << 8 & empty | captures
        step = place >> 8 & empty
        return step | (step & ROW << 40) >> 8 & empty | captures

    def en_passant_target(self, s: ChessState, origin: int) -> int:
        """The square that a pawn can legally capture en passant; none otherwise."""
        if s.en_passant == 0:
            return u64(0)
        target = u64(1) << s.en_passant
        if u64(self.pawn_attacks[64 * s.mover + origin]) & target == 0:
            return u64(0)
        captured = u64(1) << (s.en_passant ^ 8)
        after = (s.white | s.black) ^ u64(1) << origin ^ captured | target
        king = lowest_bit(s.kings & self.own(s))
        attacked = self.attackers(s, king, after) & self.other(s) & ~captured != 0
        return u64(0) if attacked else target

    def king_targets(self, s: ChessState, checkers: int, wanted: int) -> int:
        """The target squares of the king within a set, including castling."""
        own, occupied = self.own(s), s.white | s.black
        home = s.kings & own
        king = lowest_bit(home)
        steps = u64(self.king_moves[king]) & ~(own | s.kings) & wanted
        rooks = u64(0) if checkers != 0 else s.castling & own & wanted
        if rooks != 0:
            rooks &= self.slide(ROOK_SLIDERS + king, occupied)  # nothing may stand between them
        if steps == 0 and rooks == 0:
            return u64(0)
        danger = self.attacked(s, occupied ^ home)
        found = steps & ~danger
        while rooks != 0:
            rook = lowest_bit(rooks)
            corner = u64(1) << rook
            rooks &= rooks - 1
            king_to, rook_to = (king & 56) + (6 if rook > king else 2), (king & 56) + (5 if rook > king else 3)
            way = u64(self.between[64 * king + king_to]) | u64(1) << king_to
            free = way | u64(self.between[64 * rook + rook_to]) | u64(1) << rook_to
            after = occupied & ~(home | corner)
            exposed = self.slide(ROOK_SLIDERS + king_to, after | u64(1) << rook_to) & (s.rooks | s.queens) & ~own
            if free & after | way & danger | exposed == 0:
                found |= corner
        return found

    def attacked(self, s: ChessState, occupied: int) -> int:
        """The squares that the opponent attacks, if these squares were occupied."""
        other = self.other(s)
        pawns = s.pawns & other
        if s.mover == 0:
            found = (pawns & ~COLUMN) >> 9 | (pawns & ~(COLUMN << 7)) >> 7
        else:
            found = (pawns & ~COLUMN) << 7 | (pawns & ~(COLUMN << 7)) << 9
        found |= u64(self.king_moves[lowest_bit(s.kings & other)])
        left = s.knights & other
        while left != 0:
            found |= u64(self.knight_moves[lowest_bit(left)])
            left &= left - 1
        left = (s.bishops | s.queens) & other
        while left != 0:
            found |= self.slide(lowest_bit(left), occupied)
            left &= left - 1
        left = (s.rooks | s.queens) & other
        while left != 0:
            found |= self.slide(ROOK_SLIDERS + lowest_bit(left), occupied)
            left &= left - 1
        return found

    # All moves.

    def is_drawn(self, s: ChessState) -> bool:
        """Is the game drawn by rule, regardless of legal moves?"""
        return False

    def has_move(self, s: ChessState) -> bool:
        """Is there a legal move? Most often a glance at pawns and knights that cannot be pinned is enough."""
        own = self.own(s)
        if not self.in_check(s):
            king = lowest_bit(s.kings & own)
            loose = own & ~(self.slide(king, u64(0)) | self.slide(ROOK_SLIDERS + king, u64(0)))
            pawns = s.pawns & loose
            if (pawns << 8 if s.mover == 0 else pawns >> 8) & ~(s.white | s.black) != 0:
                return True
            knights = s.knights & loose
            if knights != 0 and u64(self.knight_moves[lowest_bit(knights)]) & ~own != 0:
                return True
        checkers, pinned = self.checkers_and_pinned(s)
        left = own
        while left != 0:
            if self.targets(s, lowest_bit(left), checkers, pinned) != 0:
                return True
            left &= left - 1
        return False

    def actions(self, s: ChessState) -> Iterator[int]:
        left = u64(0) if self.is_drawn(s) else self.own(s)
        checkers, pinned = self.checkers_and_pinned(s)
        while left != 0:
            origin = lowest_bit(left)
            left &= left - 1
            targets = self.targets(s, origin, checkers, pinned)
            promotes = s.pawns >> origin & 1 != 0 and targets & ENDS != 0
            while targets != 0:
                a = origin + 64 * lowest_bit(targets)
                targets &= targets - 1
                if promotes:
                    for kind in range(QUEEN, PAWN, -1):
                        yield a + 4096 * kind
                else:
                    yield a

    def noisy_actions(self, s: ChessState) -> Iterator[int]:
        """Captures and promotions."""
        left = self.own(s)
        checkers, pinned = self.checkers_and_pinned(s)
        while left != 0:
            origin = lowest_bit(left)
            left &= left - 1
            targets = self.targets(s, origin, checkers, pinned)
            is_pawn = s.pawns >> origin & 1 != 0
            targets &= self.other(s) | (ENDS | u64(s.en_passant != 0) << s.en_passant if is_pawn else u64(0))
            promotes = is_pawn and targets & ENDS != 0
            while targets != 0:
                a = origin + 64 * lowest_bit(targets)
                targets &= targets - 1
                if promotes:
                    for kind in range(QUEEN, PAWN, -1):
                        yield a + 4096 * kind
                else:
                    yield a

    def list_actions(self, s: ChessState, room: Any) -> int:
        return 0 if self.is_drawn(s) else self.list_moves_to(s, room, EVERYWHERE, EVERYWHERE)

    def list_noisy_actions(self, s: ChessState, room: Any) -> int:
        other = self.other(s)
        return self.list_moves_to(s, room, other, other | ENDS | u64(s.en_passant != 0) << s.en_passant)

    def forcing_actions(self, s: ChessState) -> Iterator[int]:
        """Quiet moves of pieces that give check themselves."""
        own, other, occupied = self.own(s), self.other(s), s.white | s.black
        checkers, pinned = self.checkers_and_pinned(s)
        king = lowest_bit(s.kings & other)
        diagonal, straight = self.slide(king, occupied), self.slide(ROOK_SLIDERS + king, occupied)
        left = own & ~(s.pawns | s.kings | pinned) if checkers == 0 else u64(0)
        while left != 0:
            origin = lowest_bit(left)
            place = u64(1) << origin
            left &= left - 1
            if s.knights & place != 0:
                targets = u64(self.knight_moves[origin]) & u64(self.knight_moves[king])
            elif s.bishops & place != 0:
                targets = self.slide(origin, occupied) & diagonal
            elif s.rooks & place != 0:
                targets = self.slide(ROOK_SLIDERS + origin, occupied) & straight
            else:
                targets = self.slide(origin, occupied) | self.slide(ROOK_SLIDERS + origin, occupied)
                targets &= diagonal | straight
            targets &= ~occupied
            while targets != 0:
                yield origin + 64 * lowest_bit(targets)
                targets &= targets - 1

    def list_moves_to(self, s: ChessState, room: Any, wanted: int, wanted_by_pawns: int) -> int:
        """Write into an array the moves of pieces, and of pawns, to these squares: those of all pawns set by set."""
        own, occupied = self.own(s), s.white | s.black
        king = lowest_bit(s.kings & own)
        checkers, pinned = self.checkers_and_pinned(s)
        count = 0
        targets = self.king_targets(s, checkers, wanted)
        while targets != 0:
            room[count] = king + 64 * lowest_bit(targets)
            count += 1
            targets &= targets - 1
        allowed = self.allowed(s, checkers)
        if allowed == 0:
            return count
        left = own & ~(s.pawns | s.kings)
        while left != 0:
            origin = lowest_bit(left)
            place = u64(1) << origin
            left &= left - 1
            targets = u64(self.knight_moves[origin]) if s.knights & place != 0 else u64(0)
            if (s.bishops | s.queens) & place != 0:
                targets = self.slide(origin, occupied)
            if (s.rooks | s.queens) & place != 0:
                targets |= self.slide(ROOK_SLIDERS + origin, occupied)
            targets &= allowed & wanted
            if pinned & place != 0:
                targets &= u64(self.lines[64 * king + origin])
            while targets != 0:
                room[count] = origin + 64 * lowest_bit(targets)
                count += 1
                targets &= targets - 1
        step, double, west, east = self.pawn_moves(s, s.pawns & own)
        allowed &= wanted_by_pawns
        ahead = 8 - 16 * s.mover
        count = self.list_pawn_moves(room, count, west & allowed, ahead - 1, king, pinned)
        count = self.list_pawn_moves(room, count, east & allowed, ahead + 1, king, pinned)
        count = self.list_pawn_moves(room, count, step & allowed, ahead, king, pinned)
        count = self.list_pawn_moves(room, count, double & allowed, 2 * ahead, king, pinned)
        if s.en_passant != 0:
            left = u64(self.pawn_attacks[64 - 64 * s.mover + s.en_passant]) & s.pawns & own
            while left != 0:
                if self.en_passant_target(s, lowest_bit(left)) != 0:
                    room[count] = lowest_bit(left) + 64 * s.en_passant
                    count += 1
                left &= left - 1
        return count

    def list_pawn_moves(self, room: Any, count: int, targets: int, step: int, king: int, pinned: int) -> int:
        """Append the moves of pawns that reach these squares by such a step; returns the new number of moves."""
        while targets != 0:
            target = lowest_bit(targets)
            targets &= targets - 1
            origin = target - step
            if pinned >> origin & 1 != 0 and u64(self.lines[64 * king + origin]) >> target & 1 == 0:
                continue
            a = origin + 64 * target
            if 8 <= target < 56:
                room[count] = a
                count += 1
            else:
                for kind in range(QUEEN, PAWN, -1):
                    room[count] = a + 4096 * kind
                    count += 1
        return count

    def pawn_moves(self, s: ChessState, pawns: int) -> tuple[int, int, int, int]:
        """The targets of these pawns of the mover: by one step, by two, and by captures to the left and right."""
        other, empty = self.other(s), ~(s.white | s.black)
        if s.mover == 0:
            step = pawns << 8 & empty
            double = (step & ROW << 16) << 8 & empty
            return step, double, (pawns & ~COLUMN) << 7 & other, (pawns & ~(COLUMN << 7)) << 9 & other
        step = pawns >> 8 & empty
        double = (step & ROW << 40) >> 8 & empty
        return step, double, (pawns & ~COLUMN) >> 9 & other, (pawns & ~(COLUMN << 7)) >> 7 & other

    def count_actions(self, s: ChessState) -> int:
        """The number of moves that `actions` yields, kind by kind, with all unpinned pawns at once."""
        if self.is_drawn(s):
            return 0
        own, occupied = self.own(s), s.white | s.black
        checkers, pinned = self.checkers_and_pinned(s)
        allowed = self.allowed(s, checkers)
        count = count_bits(self.king_targets(s, checkers, EVERYWHERE))
        if allowed == 0:
            return count
        left = s.knights & own & ~pinned
        while left != 0:
            count += count_bits(u64(self.knight_moves[lowest_bit(left)]) & allowed)
            left &= left - 1
        left = (s.bishops | s.queens) & own & ~pinned
        while left != 0:
            count += count_bits(self.slide(lowest_bit(left), occupied) & allowed)
            left &= left - 1
        left = (s.rooks | s.queens) & own & ~pinned
        while left != 0:
            count += count_bits(self.slide(ROOK_SLIDERS + lowest_bit(left), occupied) & allowed)
            left &= left - 1
        step, double, west, east = self.pawn_moves(s, s.pawns & own & ~pinned)
        count += count_bits(step & allowed) + count_bits(double & allowed)
        count += count_bits(west & allowed) + count_bits(east & allowed)
        if (step | west | east) & allowed & ENDS != 0:
            last = allowed & ENDS
            count += 3 * (count_bits(step & last) + count_bits(west & last) + count_bits(east & last))
        left = pinned & ~s.knights
        if s.en_passant != 0:
            left |= s.pawns & own
        while left != 0:
            origin = lowest_bit(left)
            place = u64(1) << origin
            left &= left - 1
            targets = self.targets(s, origin, checkers, pinned)
            if pinned & place == 0:
                targets &= u64(1) << s.en_passant  # its other moves have been counted
            count += count_bits(targets)
            if s.pawns & place != 0:
                count += 3 * count_bits(targets & ENDS)
        return count

    # The position after a move.

    def result(self, s: ChessState, a: int) -> ChessState:
        origin, target, promoted = a & 63, a >> 6 & 63, a >> 12
        p = s.mover
        own, other = self.own(s), self.other(s)
        leave, arrive = u64(1) << origin, u64(1) << target
        if own & arrive != 0:
            return self.castled(s, origin, target)
        kind = self.kind_at(s, origin)
        placed = promoted if promoted != 0 else kind
        key = s.key ^ u64(self.keys[TURN_KEY]) ^ self.piece_key(p, kind, origin) ^ self.piece_key(p, placed, target)
        taken = arrive & other
        if s.en_passant != 0:
            key ^= u64(self.keys[EN_PASSANT_KEYS + (s.en_passant & 7)])
            if kind == PAWN and target == s.en_passant:
                taken = u64(1) << (target ^ 8)
        if taken != 0:
            victim = lowest_bit(taken)
            key ^= self.piece_key(1 - p, self.kind_at(s, victim), victim)
        lost = s.castling & (leave | taken | (own if kind == KING else u64(0)))
        if lost != 0:
            key ^= self.castling_key(s, lost)
        keep = ~(leave | taken)
        own, other = own & keep | arrive, other & keep
        after = ChessState(
            s.pawns & keep | (arrive if placed == PAWN else 0),
            s.knights & keep | (arrive if placed == KNIGHT else 0),
            s.bishops & keep | (arrive if placed == BISHOP else 0),
            s.rooks & keep | (arrive if placed == ROOK else 0),
            s.queens & keep | (arrive if placed == QUEEN else 0),
            s.kings & keep | (arrive if placed == KING else 0),
            own if p == 0 else other,
            other if p == 0 else own,
            1 - p,
            s.castling ^ lost,
            0,
            0 if kind == PAWN or taken != 0 else s.clock + 1,
            s.number + p,
            key,
        )
        if kind == PAWN and origin ^ target == 16:
            return self.after_double_step(after, (origin + target) >> 1)
        return after

    def after_double_step(self, s: ChessState, square: int) -> ChessState:
        """The position after a pawn has passed this square: can it be captured there?"""
        hunters = u64(self.pawn_attacks[64 * (1 - s.mover) + square]) & s.pawns & self.own(s)
        if hunters == 0:
            return s
        key = s.key ^ u64(self.keys[EN_PASSANT_KEYS + (square & 7)])
        passed = s._replace(en_passant=square, key=key)
        while hunters != 0:
            if self.en_passant_target(passed, lowest_bit(hunters)) != 0:
                return passed
            hunters &= hunters - 1
        return s

    def castled(self, s: ChessState, king: int, rook: int) -> ChessState:
        """The position after castling."""
        p = s.mover
        row = king & 56
        king_to, rook_to = (row + 6, row + 5) if rook > king else (row + 2, row + 3)
        key = s.key ^ u64(self.keys[TURN_KEY]) ^ self.castling_key(s, s.castling & self.own(s))
        key ^= self.piece_key(p, KING, king) ^ self.piece_key(p, KING, king_to)
        key ^= self.piece_key(p, ROOK, rook) ^ self.piece_key(p, ROOK, rook_to)
        if s.en_passant != 0:
            key ^= u64(self.keys[EN_PASSANT_KEYS + (s.en_passant & 7)])
        keep = ~(u64(1) << king | u64(1) << rook)
        both = u64(1) << king_to | u64(1) << rook_to
        own = self.own(s) & keep | both
        white, black = (own, s.black) if p == 0 else (s.white, own)
        return s._replace(
            rooks=s.rooks & keep | u64(1) << rook_to,
            kings=s.kings & keep | u64(1) << king_to,
            white=white,
            black=black,
            mover=1 - p,
            castling=s.castling & ~self.own(s),
            en_passant=0,
            clock=s.clock + 1,
            number=s.number + p,
            key=key,
        )
