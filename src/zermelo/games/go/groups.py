"""A board of Go that changes in place, for random games: groups with their stones and liberties, and neighbourhoods.

Every group is known by the number of one of its points. Its stones and liberties are sets of points, so that atari is a
matter of counting bits. Colours are 1 for Black and 2 for White here, since two bits tell what is on a point.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from zermelo.game.state import u64
from zermelo.games.go.patterns import EYES, WANTED, opposite
from zermelo.games.go.state import words_for
from zermelo.kernel.bits import count_bits, lowest_bit
from zermelo.kernel.parts import Part
from zermelo.kernel.words import word_of

EMPTY, BORDER = 0, 3
AROUND = ((1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, -1), (-1, 0), (-1, 1))
"""The eight neighbours of a point by row and column; the opposite of number k is number 7 - k."""
NEAR = (1, 3, 4, 6)
"""Those along the lines."""

CHANGING = (
    "colour",
    "group",
    "size",
    "stones",
    "liberties",
    "nearby",
    "all_stones",
    "empty",
    "place",
    "count",
    "shown",
)
"""The tables that a game changes."""


class Groups(Part):
    """The board of one random game.

    colour      [point] what is on it; the number after the last point stands for all points beyond the board
    group       [point] of a stone: the group that it belongs to
    stones      [group] its stones, as words; `liberties`: its liberties; `size`: how many stones
    nearby      [point] what is on its eight neighbours, two bits each
    all_stones  [colour - 1] the stones of a colour, as words
    empty       the empty points in any order, `place` [point] where they are in it, `count` [0] how many there are
    shown       the key of the position, as long as nothing was changed; [1] says whether that is so
    near        [point] the four neighbours along the lines, and `around` all eight, those beyond the board included
    """

    settled = True

    def __init__(self, size: int):
        stride = size + 1
        self.points = size * stride
        self.words = words_for(size)
        number = self.points
        self.around = np.full((number + 1, 8), number, np.uint16)
        self.edge = np.zeros(number + 1, np.uint16)
        for p in range(number):
            row, column = divmod(p, stride)
            for k, (i, j) in enumerate(AROUND):
                if 0 <= row + i < size and 0 <= column + j < size and column < size:
                    self.around[p, k] = p + stride * i + j
                else:
                    self.edge[p] |= BORDER << 2 * k
        self.near = np.ascontiguousarray(self.around[:, NEAR])
        self.board = np.array([p for p in range(number) if p % stride < size], np.uint16)
        self.colour = np.full(number + 1, BORDER, np.int8)
        self.group = np.zeros(number + 1, np.uint16)
        self.size = np.zeros(number + 1, np.uint16)
        self.stones, self.liberties = (np.zeros((number + 1, self.words), np.uint64) for _ in range(2))
        self.nearby = np.zeros(number + 1, np.uint16)
        self.all_stones = np.zeros((2, self.words), np.uint64)
        self.empty, self.place = (np.zeros(number + 1, np.uint16) for _ in range(2))
        self.count = np.zeros(1, np.int64)
        self.shown = np.zeros(2, np.uint64)
        self.eyes, self.wanted = EYES, WANTED

    def copied(self) -> Groups:
        """A board of its own, for another thread."""
        own = copy.copy(self)
        for name in CHANGING:
            setattr(own, name, getattr(self, name).copy())
        return own

    # Setting up.

    def set_up(self, black: Any, white: Any) -> None:
        """Take over a position."""
        self.shown[1] = 0
        self.count[0] = 0
        for i in range(self.words):
            self.all_stones[0, i] = self.all_stones[1, i] = 0
        for i in range(len(self.board)):
            p = self.board[i]
            self.colour[p] = EMPTY
            self.nearby[p] = self.edge[p]
            self.add_empty(p)
        for i in range(self.words):
            for colour in range(1, 3):
                left = u64(word_of(black, i) if colour == 1 else word_of(white, i))
                while left != 0:
                    self.put(64 * i + lowest_bit(left), colour)
                    left &= left - 1

    def add_empty(self, p: int) -> None:
        self.empty[self.count[0]] = p
        self.place[p] = self.count[0]
        self.count[0] += 1

    def remove_empty(self, p: int) -> None:
        self.count[0] -= 1
        last = self.empty[self.count[0]]
        self.empty[self.place[p]] = last
        self.place[last] = self.place[p]

    # Stones.

    def put(self, p: int, colour: int) -> int:
        """Put a stone on an empty point; the move must be legal. Returns how many stones it captures."""
        word, bit = p >> 6, u64(1) << (p & 63)
        self.colour[p] = colour
        self.remove_empty(p)
        self.mark(p, colour)
        self.all_stones[colour - 1, word] |= bit
        self.group[p] = p
        self.size[p] = 1
        for i in range(self.words):
            self.stones[p, i] = self.liberties[p, i] = 0
        self.stones[p, word] = bit
        group = p
        captured = 0
        for k in range(4):
            n = self.near[p, k]
            there = self.colour[n]
            if there == EMPTY:
                self.liberties[group, n >> 6] |= u64(1) << (n & 63)
            elif there == colour:
                other = self.group[n]
                self.liberties[other, word] &= u64(~bit)
                if other != group:
                    group = self.join(group, other)
            elif there != BORDER:
                other = self.group[n]
                self.liberties[other, word] &= u64(~bit)
                if self.count_liberties(other) == 0:
                    captured += self.size[other]
                    self.remove(other, colour)
        return captured

    def mark(self, p: int, colour: int) -> None:
        """A stone appears or disappears in the neighbourhoods of its neighbours."""
        for k in range(8):
            self.nearby[self.around[p, k]] ^= colour << 2 * opposite(k)

    def join(self, a: int, b: int) -> int:
        """Make one group of two; returns its number."""
        if self.size[a] < self.size[b]:
            a, b = b, a
        for i in range(self.words):
            left = u64(self.stones[b, i])
            self.stones[a, i] |= left
            self.liberties[a, i] |= self.liberties[b, i]
            while left != 0:
                self.group[64 * i + lowest_bit(left)] = a
                left &= left - 1
        self.size[a] += self.size[b]
        return a

    def remove(self, group: int, other: int) -> None:
        """Take a group from the board; the groups of the `other` colour next to it get liberties."""
        colour = 3 - other
        for i in range(self.words):
            left = u64(self.stones[group, i])
            self.all_stones[colour - 1, i] &= u64(~left)
            while left != 0:
                p = 64 * i + lowest_bit(left)
                left &= left - 1
                self.colour[p] = EMPTY
                self.add_empty(p)
                self.mark(p, colour)
                for k in range(4):
                    n = self.near[p, k]
                    if self.colour[n] == other:
                        self.liberties[self.group[n], p >> 6] |= u64(1) << (p & 63)

    def forbidden_by_ko(self, p: int, captured: int) -> int:
        """The point that may not be retaken at once after a stone on p; the number of a pass if there is none."""
        if captured == 1 and self.size[self.group[p]] == 1 and self.count_liberties(p) == 1:
            return self.first_liberty(p)
        return self.points

    # Liberties.

    def count_liberties(self, group: int) -> int:
        count = 0
        for i in range(self.words):
            count += count_bits(u64(self.liberties[group, i]))
        return count

    def first_liberty(self, group: int) -> int:
        for i in range(self.words):
            if self.liberties[group, i] != 0:
                return 64 * i + lowest_bit(u64(self.liberties[group, i]))
        return self.points

    # Moves.

    def is_eye(self, p: int, colour: int) -> bool:
        """Is an empty point an eye of this colour?"""
        code = int(self.nearby[p])
        return (u64(self.eyes[colour - 1, code >> 6]) >> (code & 63)) & 1 != 0

    def is_wanted(self, p: int) -> bool:
        """Does the neighbourhood of an empty point match a pattern?"""
        code = int(self.nearby[p])
        return (u64(self.wanted[code >> 6]) >> (code & 63)) & 1 != 0

    def stones_at_risk(self, p: int, colour: int) -> int:
        """How many stones a stone on this empty point leaves in atari: 0 if it is safe, -1 if it is suicide.

        Captures count as safe.
        """
        free, last = 0, -1
        for k in range(4):
            n = self.near[p, k]
            there = self.colour[n]
            if there == EMPTY:
                free += 1
                last = n
            elif there == colour:
                if self.count_liberties(self.group[n]) > 2:
                    return 0
            elif there != BORDER and self.count_liberties(self.group[n]) == 1:
                return 0
        if free > 1:
            return 0
        size = 1
        for k in range(4):
            n = self.near[p, k]
            if self.colour[n] == colour:
                group = self.group[n]
                is_counted = False
                for j in range(k):
                    m = self.near[p, j]
                    is_counted = is_counted or (self.colour[m] == colour and self.group[m] == group)
                if is_counted:
                    continue
                size += self.size[group]
                for i in range(self.words):
                    left = u64(self.liberties[group, i])
                    while left != 0:
                        liberty = 64 * i + lowest_bit(left)
                        left &= left - 1
                        if liberty != p and liberty != last:
                            if last >= 0:
                                return 0
                            last = liberty
        return size if last >= 0 else -1
