"""The board of Othello as 64-bit words: legal moves, flipped discs, and stable discs.

One bit per square and eight bits per row from the top left; on a smaller board the other bits stay empty.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import numpy as np

from zermelo.game.protocol import Game
from zermelo.game.state import u64
from zermelo.kernel.bits import count_bits, highest_bit, lowest_bit

DIRECTIONS = ((1, 0), (-1, 1), (0, 1), (1, 1))
"""Right, down left, down, down right: the bits rise. The other four directions are these turned round."""

COLUMN = 0x0101010101010101

UNABLE = -1000.0
"""The value of a move that does not exist."""


class OthelloBoard(Game):
    """Functions of two words, the discs of one player and those of the other, for a board of one size."""

    def __init__(self, size: int):
        self.size, self.squares, last = size, size * size, size - 1
        self.utility_range = (-float(self.squares), float(self.squares))
        self.max_actions = self.squares - 4
        places = [(x, y) for y in range(size) for x in range(size)]
        self.board = _word(places)
        self.inner = _word((x, y) for x, y in places if 0 < x < last)
        self.sides = _word((x, y) for x, y in places if x in (0, last))
        self.ends = _word((x, y) for x, y in places if y in (0, last))
        self.corners = self.sides & self.ends
        self.x_squares = _word((x, y) for x, y in places if x in (1, last - 1) and y in (1, last - 1))
        self.steps = np.array([x + 8 * y for x, y in DIRECTIONS], np.uint64)
        self.passable = np.array([self.inner if x else self.board for x, _ in DIRECTIONS], np.uint64)
        every = [(x * way, y * way) for way in (1, -1) for x, y in DIRECTIONS]
        rays = [_word(_line(a & 7, a >> 3, *direction, size)) for a in range(64) for direction in every]
        self.rays = np.array(rays, np.uint64).reshape(64, 8)
        ends = [_word(_leaving(x * k, y * k, size)) for x, y in DIRECTIONS for k in (1, 2, 4, -1, -2, -4)]
        self.line_ends = np.array(ends, np.uint64)  # [6 * direction + length]
        self.quarters = np.array([_word(_quarter(a & 7, a >> 3, size)) for a in range(64)], np.uint64)

    # Functions from two words to another. The loops over directions run over the length of a table, which is known only
    # at run time: the compiler then handles all directions in one vector, while it would unroll a constant number.

    def moves(self, own: int, other: int) -> int:
        """The squares on which `own` can place a disc: past a row of `other`, in shifts by 1, 1, 2 and 2."""
        found = u64(0)
        for i in range(self.steps.size):
            step = u64(self.steps[i])
            through = other & u64(self.passable[i])
            up, down = through & own << step, through & own >> step
            up |= through & up << step
            down |= through & down >> step
            twice = step + step
            pairs_up, pairs_down = through & through << step, through & through >> step
            up |= pairs_up & up << twice
            down |= pairs_down & down >> twice
            up |= pairs_up & up << twice
            down |= pairs_down & down >> twice
            found |= up << step | down >> step
        return found & self.board & ~(own | other)

    def turned(self, own: int, other: int, a: int) -> int:
        """The discs of `other` that a disc of `own` on this square flips.

        Along a ray the first square that is not `other`'s decides: if it is `own`'s, all before it are flipped.
        """
        found = u64(0)
        for i in range(self.steps.size):
            ray = u64(self.rays[a, i])
            end = ((other | ~ray) + 1) & own & ray  # the carry runs over `other`'s discs, and over what is off the ray
            found |= (end - (end != 0)) & ray
            ray = u64(self.rays[a, i + 4])
            end = u64(1) << highest_bit(ray & ~other | 1) & own & ray
            found |= (0 - 2 * end) & ray
        return found

    def final(self, own: int, other: int) -> float:
        """The value of the end for `own`: the empty squares go to the winner."""
        difference = count_bits(own) - count_bits(other)
        if difference == 0:
            return 0.0
        empty = self.squares - count_bits(own | other)
        return float(difference + empty if difference > 0 else difference - empty)

    def stable(self, own: int, occupied: int) -> int:
        """Discs of `own` that can never be flipped: on each line, the line is full or a neighbour is stable or absent.

        There are others, which only a search would find.
        """
        across = self.full_lines(occupied, 0) | self.sides
        falling = self.full_lines(occupied, 1) | self.sides | self.ends
        upright = self.full_lines(occupied, 2) | self.ends
        rising = self.full_lines(occupied, 3) | self.sides | self.ends
        found, before = u64(0), own
        while found != before:  # a shift that leaves a row comes to a square at the side, which needs no neighbour
            before = found
            found = own & (across | before << 1 | before >> 1) & (falling | before << 7 | before >> 7)
            found &= (upright | before << 8 | before >> 8) & (rising | before << 9 | before >> 9)
        return found

    def full_lines(self, occupied: int, direction: int) -> int:
        """The squares whose whole line in this direction is occupied: those of 2, 4 and 8 squares on either way are."""
        step = u64(self.steps[direction])
        up = down = occupied
        for i in range(3):
            up &= up >> (step << i) | u64(self.line_ends[6 * direction + i])
            down &= down << (step << i) | u64(self.line_ends[6 * direction + i + 3])
        return up & down

    def around(self, squares: int) -> int:
        """The squares and their neighbours."""
        wide = squares | (squares & ~(COLUMN << 7)) << 1 | (squares & ~COLUMN) >> 1
        return (wide | wide << 8 | wide >> 8) & self.board

    # The last squares, played out.

    def last_squares(self, own: int, other: int, empty: int) -> float:
        """The value for `own`, to move, with at most two empty squares."""
        if empty == 0:
            return float(count_bits(own) - count_bits(other))
        a, b = lowest_bit(empty), highest_bit(empty)
        if a == b:
            return self.last_square(own, other, a)
        value = self.last_two(own, other, a, b)
        if value == UNABLE:
            value = -self.last_two(other, own, a, b)
        return self.final(own, other) if value == -UNABLE else value

    def last_two(self, own: int, other: int, a: int, b: int) -> float:
        """The value of the better of two moves for `own`, who has no other; UNABLE if neither is legal."""
        value = UNABLE
        turned = self.turned(own, other, a)
        if turned != 0:
            value = -self.last_square(other ^ turned, own ^ turned ^ u64(1) << a, b)
        turned = self.turned(own, other, b)
        if turned != 0:
            value = max(value, -self.last_square(other ^ turned, own ^ turned ^ u64(1) << b, a))
        return value

    def last_square(self, own: int, other: int, a: int) -> float:
        """The value for `own`, to move, with one empty square."""
        difference = count_bits(own) - count_bits(other)
        gain = count_bits(self.turned(own, other, a))
        if gain != 0:
            return float(difference + 2 * gain + 1)
        loss = count_bits(self.turned(other, own, a))
        if loss != 0:
            return float(difference - 2 * loss - 1)
        return float(difference + 1 if difference > 0 else difference - 1)


def _word(places: Iterable[tuple[int, int]]) -> int:
    """The word with the bits of these squares, each a column and a row."""
    return sum(1 << 8 * y + x for x, y in set(places))


def _line(x: int, y: int, across: int, down: int, size: int) -> Iterator[tuple[int, int]]:
    """The squares from this one to the edge of the board, without itself."""
    x, y = x + across, y + down
    while 0 <= x < size and 0 <= y < size:
        yield x, y
        x, y = x + across, y + down


def _leaving(across: int, down: int, size: int) -> Iterator[tuple[int, int]]:
    """The squares from which such a step leaves the board."""
    for x, y in itertools.product(range(size), repeat=2):
        if not (0 <= x + across < size and 0 <= y + down < size):
            yield x, y


def _quarter(x: int, y: int, size: int) -> Iterator[tuple[int, int]]:
    """The squares of the same quarter of the board."""
    for i, j in itertools.product(range(size), repeat=2):
        if (i < size // 2) == (x < size // 2) and (j < size // 2) == (y < size // 2):
            yield i, j
