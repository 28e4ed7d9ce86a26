"""Positions of checkers as numbers, for endgame tables: every position with the same pieces has a number of its own.

A class is the material as the player to move sees it. The board turned around with the colours exchanged is the same
position to the player to move, so White to move shares the numbers of Black to move, and a class has as many numbers
as there are boards with its pieces: none is left out, and none is used twice.

The number is a mixed radix of four ranks in the combinatorial number system (Knuth, *The Art of Computer Programming*,
4A, 7.2.1.3): the own men, the other men, the own kings, the other kings, each on the squares that those before leave.
Own men cannot be on the last row, nor the other men on the first. So how many squares are left to the other men
depends on how many own men are on the 24 squares between, and positions are sorted by that first.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import NamedTuple

import numpy as np

from zermelo.game.state import i64, u64
from zermelo.games.checkers.board import BOARD, ENDS, SQUARES, TOP, CheckersState
from zermelo.kernel.bits import count_bits, lowest_bit, nth_bit
from zermelo.kernel.parts import Part

MOST = 12
"""The most pieces of a player."""
ROW, BETWEEN, HOMES = 4, 24, 28
"""Squares of a row, between the two home rows, and for men of one colour."""


class Material(NamedTuple):
    """The pieces of the player to move, and of the other one."""

    own_men: int
    own_kings: int
    other_men: int
    other_kings: int

    def __str__(self) -> str:
        """Such as "KKMvK": two kings and a man against a king."""
        own, other = ("K" * kings + "M" * men for men, kings in ((self[0], self[1]), (self[2], self[3])))
        return f"{own}v{other}"

    @property
    def pieces(self) -> int:
        """All pieces."""
        return sum(self)

    @property
    def positions(self) -> int:
        """How many positions there are."""
        own, own_kings, other, other_kings = self
        free = SQUARES - own - other
        men = sum(comb(ROW, own - k) * comb(BETWEEN, k) * comb(HOMES - k, other) for k in range(own + 1))
        return men * comb(free, own_kings) * comb(free - own_kings, other_kings)

    def after(self) -> Iterator[Material]:
        """Yields the classes that a move can lead to, as the other player sees them, who is then to move."""
        own, own_kings, other, other_kings = self
        for men in range(other + 1):
            for kings in range(other_kings + 1):
                yield Material(men, kings, own, own_kings)
                if own > 0:  # a man that is crowned
                    yield Material(men, kings, own - 1, own_kings + 1)


def classes(pieces: int) -> list[Material]:
    """The classes with so many pieces, in an order in which tables can be built.

    A move that stays among them only exchanges the sides, or crowns a man: so classes with fewer men come first, and
    next to each other those that lead to one another.
    """
    found = [
        Material(own_men, own_kings, other_men, pieces - own_men - own_kings - other_men)
        for own_men in range(pieces + 1)
        for own_kings in range(pieces + 1 - own_men)
        for other_men in range(pieces + 1 - own_men - own_kings)
    ]
    possible = [each for each in found if each[0] + each[1] <= MOST and each[2] + each[3] <= MOST]
    return sorted(possible, key=lambda each: (each[0] + each[2], max(each[:2], each[2:]), each))


def count_positions(pieces: int) -> int:
    """How many boards with so many pieces there are, as Chinook counts them: those of one colour alone as well."""
    return sum(material.positions for material in classes(pieces))


def material_of(s: CheckersState) -> Material:
    """The class of a position."""
    men, kings = ~s.kings, s.kings
    own, other = (s.black, s.white) if s.mover == 0 else (s.white, s.black)
    return Material(*(count_bits(side & kind) for side in (own, other) for kind in (men, kings)))


class Numbering(Part):
    """The number of a position within its class, and back. It runs in both modes."""

    def __init__(self) -> None:
        self.choose = np.array([comb(n, k) for n in range(SQUARES + 1) for k in range(MOST + 1)])

    def ways(self, n: int, k: int) -> int:
        """How many sets of k among n there are."""
        return i64(self.choose[(MOST + 1) * n + k]) if k >= 0 else 0

    def turned(self, word: int) -> int:
        """The squares on the board turned around."""
        word = u64(word)
        word = word >> 1 & 0x5555555555555555 | (word & 0x5555555555555555) << 1
        word = word >> 2 & 0x3333333333333333 | (word & 0x3333333333333333) << 2
        word = word >> 4 & 0x0F0F0F0F0F0F0F0F | (word & 0x0F0F0F0F0F0F0F0F) << 4
        word = word >> 8 & 0x00FF00FF00FF00FF | (word & 0x00FF00FF00FF00FF) << 8
        word = word >> 16 & 0x0000FFFF0000FFFF | (word & 0x0000FFFF0000FFFF) << 16
        return u64(word >> 32 | word << 32) >> 29

    def rank(self, pieces: int, squares: int) -> int:
        """The rank of a set among the sets of as many of these squares."""
        rank = count = 0
        while pieces != 0:
            place = u64(1) << lowest_bit(pieces)
            pieces &= pieces - 1
            count += 1
            rank += self.ways(count_bits(squares & (place - 1)), count)
        return rank

    def set_at(self, rank: int, count: int, squares: int) -> int:
        """The set of so many of these squares that has this rank."""
        pieces = u64(0)
        place = count_bits(squares)
        for k in range(count, 0, -1):
            place -= 1
            while self.ways(place, k) > rank:
                place -= 1
            rank -= self.ways(place, k)
            pieces |= u64(1) << nth_bit(squares, place)
        return pieces

    def index_of(self, s: CheckersState) -> int:
        """The number of a position within its class, from 0."""
        own, other, kings = u64(s.black), u64(s.white), u64(s.kings)
        if s.mover != 0:
            own, other, kings = self.turned(s.white), self.turned(s.black), self.turned(s.kings)
        own_men, other_men = own & ~kings, other & ~kings
        men, between = count_bits(own_men), count_bits(own_men & ~u64(ENDS))
        others = count_bits(other_men)
        before = 0  # positions with fewer own men between
        for k in range(between):
            before += self.ways(ROW, men - k) * self.ways(BETWEEN, k) * self.ways(HOMES - k, others)
        rank = self.rank(own_men & TOP, u64(TOP)) * self.ways(BETWEEN, between)
        rank += self.rank(own_men & ~u64(ENDS), u64(BOARD & ~ENDS))
        rank = before + rank * self.ways(HOMES - between, others) + self.rank(other_men, BOARD & ~TOP & ~own_men)
        free = BOARD & ~(own_men | other_men)
        own_kings, other_kings = own & kings, other & kings
        rank = rank * self.ways(count_bits(free), count_bits(own_kings)) + self.rank(own_kings, free)
        free &= ~own_kings
        return rank * self.ways(count_bits(free), count_bits(other_kings)) + self.rank(other_kings, free)

    def state_at(self, own_men: int, own_kings: int, other_men: int, other_kings: int, index: int) -> CheckersState:
        """The position of a class that has this number, with Black to move."""
        free = SQUARES - own_men - other_men
        last, kings = self.ways(free - own_kings, other_kings), self.ways(free, own_kings)
        rank, last_rank = index // last, index % last
        rank, kings_rank = rank // kings, rank % kings
        between = 0
        here = self.ways(ROW, own_men) * self.ways(HOMES, other_men)
        while rank >= here:
            rank -= here
            between += 1
            here = self.ways(ROW, own_men - between) * self.ways(BETWEEN, between)
            here *= self.ways(HOMES - between, other_men)
        others = self.ways(HOMES - between, other_men)
        rank, others_rank = rank // others, rank % others
        inner = self.ways(BETWEEN, between)
        own = self.set_at(rank // inner, own_men - between, u64(TOP))
        own |= self.set_at(rank % inner, between, u64(BOARD & ~ENDS))
        other = self.set_at(others_rank, other_men, BOARD & ~TOP & ~own)
        squares = BOARD & ~(own | other)
        crowned = self.set_at(kings_rank, own_kings, squares)
        rest = self.set_at(last_rank, other_kings, squares & ~crowned)
        return CheckersState(own | crowned, other | rest, crowned | rest, 0, 0)
