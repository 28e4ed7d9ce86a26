"""The checkerboard as 64-bit words: the state, steps, and captures.

The 32 dark squares are the bits of a word, with one unused bit after every eight squares, as in Samuel's program
(*Some studies in machine learning using the game of checkers*, 1959). So each of the four directions is a shift by 4
or 5 on every row, and a piece that leaves the board at the side lands on an unused bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.game.protocol import Game
from zermelo.game.state import u8, u16, u64
from zermelo.kernel.bits import count_bits, lowest_bit

SQUARES = 32


def bit_of(square: int) -> int:
    """The bit of a square, 1 to 32."""
    return square - 1 + (square - 1) // 8


def square_of(bit: int) -> int:
    """The square of a bit, from 1 at Black's left to 32."""
    return bit - bit // 9 + 1


BOARD = sum(1 << bit_of(square) for square in range(1, SQUARES + 1))
"""All squares."""
TOP, BOTTOM = 0b1111, 0b1111 << 31
"""Black's home row, on which white men are crowned, and White's home row."""
ENDS = TOP | BOTTOM
"""Both: no man reaches its own home row, so a man on one of them is crowned."""
ARMIES = sum(1 << bit_of(square) for square in range(1, 13)), sum(1 << bit_of(square) for square in range(21, 33))
"""The squares of Black and of White at the start."""

LEAST_LOOP = 4
"""Only a king that captures at least so many pieces can capture the same pieces by two routes: it goes in a circle."""


class CheckersState(NamedTuple):
    """A position.

    black, white   the pieces of each player, men and kings
    kings          the kings of both
    mover          0 is Black, who begins and moves towards higher squares
    clock          plies since a man was moved or a piece captured
    """

    black: u64
    white: u64
    kings: u64
    mover: u8
    clock: u16


class CheckersBoard(Game):
    """Moves. A move is origin + 64 · target + 4096 · captured: two bits, and the set of captured pieces.

    So captures by two routes that leave the same position are one move.
    """

    def to_move(self, s: CheckersState) -> int:
        return s.mover

    def own(self, s: CheckersState) -> int:
        """The pieces of the player to move."""
        return s.black if s.mover == 0 else s.white

    def other(self, s: CheckersState) -> int:
        """The pieces of the other player."""
        return s.white if s.mover == 0 else s.black

    def empty(self, s: CheckersState) -> int:
        """The empty squares."""
        return BOARD & ~(s.black | s.white)

    # Whether a player can move at all. Black men and kings move down, white men and kings move up.

    def jumpers(self, s: CheckersState, own: int, other: int) -> int:
        """The pieces among `own` that can capture one of `other`."""
        down, up = own & (s.kings | s.black), own & (s.kings | s.white)
        empty = self.empty(s)
        found = down & ((empty >> 4 & other) >> 4 | (empty >> 5 & other) >> 5)
        return found | up & ((empty << 4 & other) << 4 | (empty << 5 & other) << 5)

    def steppers(self, s: CheckersState, own: int) -> int:
        """The pieces among `own` that can move to an empty square."""
        down, up = own & (s.kings | s.black), own & (s.kings | s.white)
        empty = self.empty(s)
        return down & (empty >> 4 | empty >> 5) | up & (empty << 4 | empty << 5)

    def must_capture(self, s: CheckersState) -> bool:
        """Can the player to move capture, and so must?"""
        return self.jumpers(s, self.own(s), self.other(s)) != 0

    def has_move(self, s: CheckersState) -> bool:
        """Has the player to move a move?"""
        return self.steppers(s, self.own(s)) != 0 or self.must_capture(s)

    # Moves.

    def is_drawn(self, s: CheckersState) -> bool:
        """Is the game drawn, although the player to move may have moves?"""
        return False

    def actions(self, s: CheckersState) -> Iterator[int]:
        own = u64(0) if self.is_drawn(s) else self.own(s)
        other, empty = self.other(s), self.empty(s)
        jumpers = self.jumpers(s, own, other)
        left = self.steppers(s, own) if jumpers == 0 else u64(0)
        while left != 0:
            origin = lowest_bit(left)
            left &= left - 1
            targets = self.reached(s, origin) & empty
            while targets != 0:
                yield origin + 64 * lowest_bit(targets)
                targets &= targets - 1
        while jumpers != 0:
            # Depth-first search through the landing squares. The trail has the squares before the last, six bits each.
            origin = at = lowest_bit(jumpers)
            jumpers &= jumpers - 1
            free = empty | u64(1) << origin
            trail, captured = u64(1), u64(0)
            left = self.landings(s, origin, at, other, free)
            while left != 0 or trail != 1:
                if left != 0:
                    to = lowest_bit(left)
                    trail = trail << 6 | at
                    captured |= u64(1) << (at + to >> 1)
                    at = to
                    left = self.landings(s, origin, at, other & ~captured, free)
                    if left == 0:
                        a = origin + 64 * at + 4096 * int(captured)
                        if count_bits(captured) < LEAST_LOOP or self.first_route(s, a) == trail:
                            yield a
                else:
                    to, at = at, int(trail & 63)
                    trail >>= 6
                    captured ^= u64(1) << (at + to >> 1)
                    left = self.landings(s, origin, at, other & ~captured, free) >> to + 1 << to + 1

    def count_actions(self, s: CheckersState) -> int:
        own = self.own(s)
        if self.jumpers(s, own, self.other(s)) != 0 or self.is_drawn(s):
            count = 0
            for _ in self.actions(s):
                count += 1
            return count
        down, up, empty = own & (s.kings | s.black), own & (s.kings | s.white), self.empty(s)
        falling = count_bits(down << 4 & empty) + count_bits(down << 5 & empty)
        return falling + count_bits(up >> 4 & empty) + count_bits(up >> 5 & empty)

    def reached(self, s: CheckersState, at: int) -> int:
        """The neighbours of the piece on a square in its directions."""
        piece = u64(1) << at
        down, up = piece & (s.kings | s.black), piece & (s.kings | s.white)
        return down << 4 | down << 5 | up >> 4 | up >> 5

    def landings(self, s: CheckersState, origin: int, at: int, prey: int, free: int) -> int:
        """Where the piece from `origin`, now `at` a square, lands after it jumps over one of `prey`.

        A man that is crowned has no jump left in its directions: crowning ends the move.
        """
        piece, start = u64(1) << at, u64(1) << origin
        down = piece if start & (s.kings | s.black) != 0 else u64(0)
        up = piece if start & (s.kings | s.white) != 0 else u64(0)
        falling = (down << 4 & prey) << 4 | (down << 5 & prey) << 5
        return (falling | (up >> 4 & prey) >> 4 | (up >> 5 & prey) >> 5) & free

    def first_route(self, s: CheckersState, a: int) -> int:
        """The first of the routes of a capture, by landing squares: all squares but the last, as `actions` packs them.

        The search is the one of `actions`, with the captured pieces as the only prey.
        """
        origin, target, wanted = a & 63, a >> 6 & 63, u64(a >> 12)
        free = self.empty(s) | u64(1) << origin
        at = origin
        trail, captured = u64(1), u64(0)
        left = self.landings(s, origin, at, wanted, free)
        while left != 0 or trail != 1:
            if left != 0:
                to = lowest_bit(left)
                trail = trail << 6 | at
                captured |= u64(1) << (at + to >> 1)
                at = to
                if captured == wanted and at == target:
                    return trail
                left = self.landings(s, origin, at, wanted & ~captured, free)
            else:
                to, at = at, int(trail & 63)
                trail >>= 6
                captured ^= u64(1) << (at + to >> 1)
                left = self.landings(s, origin, at, wanted & ~captured, free) >> to + 1 << to + 1
        return u64(0)

    def result(self, s: CheckersState, a: int) -> CheckersState:
        origin, target, captured = u64(1) << (a & 63), u64(1) << (a >> 6 & 63), u64(a >> 12)
        was_king = s.kings & origin != 0
        kings = s.kings & ~(origin | captured)
        if was_king or target & ENDS != 0:
            kings |= target
        clock = s.clock + 1 if was_king and captured == 0 else 0
        if s.mover == 0:
            return CheckersState(s.black & ~origin | target, s.white & ~captured, kings, 1, clock)
        return CheckersState(s.black & ~captured, s.white & ~origin | target, kings, 0, clock)

    def key(self, s: CheckersState) -> int:
        """The pieces and the mover, mixed; not the clock."""
        z = u64((s.black << 1 | s.mover) * 0x9E3779B97F4A7C15)
        z = u64(u64((z ^ z >> 32) + s.white) * 0xD1342543DE82EF95)
        z = u64(u64((z ^ z >> 29) + s.kings) * 0xBF58476D1CE4E5B9)
        z = u64((z ^ z >> 27) * 0x94D049BB133111EB)
        return z ^ z >> 31
