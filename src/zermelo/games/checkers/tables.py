"""Classes of positions for endgame tables: either player is to move, and the stronger one is named first.

A class has two halves, in which the first or the second player of its name is to move; with equal material one half is
enough. `numbering` has the numbers within a half.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo.game.state import u64
from zermelo.games.checkers.board import BOARD, CheckersBoard, CheckersState
from zermelo.games.checkers.numbering import Material, Numbering, classes
from zermelo.kernel.bits import count_bits, lowest_bit

MOST_PIECES = 8
"""Positions with more pieces have no class."""
KINDS = MOST_PIECES
"""Each player has at least one piece, so there are fewer than this many of a kind."""


class Classes(NamedTuple):
    """The classes, with fewer pieces and then with fewer men first, because captures and crowning lead there.

    materials   of the first half of each class
    numbers     [material as digits in base KINDS] the number of the class; -1: none
    counts      [4 · class …] its material
    halves      [class] the size of its first half
    sizes       [class] the size of both
    """

    materials: tuple[Material, ...]
    numbers: Any
    counts: Any
    halves: Any
    sizes: Any


def exchanged(material: Material) -> Material:
    """The material as the other player sees it."""
    return Material(*material[2:], *material[:2])


def is_first(material: Material) -> bool:
    """Is the player to move the stronger one, or as strong: more pieces, then more kings?"""
    own, other = (men + kings for men, kings in (material[:2], material[2:]))
    return (own, material.own_kings) >= (other, material.other_kings)


@functools.cache
def all_classes() -> Classes:
    """The classes of up to MOST_PIECES pieces, of which each player has at least one."""
    found = [
        material
        for pieces in range(2, MOST_PIECES + 1)
        for material in classes(pieces)
        if is_first(material) and any(material[:2]) and any(material[2:])
    ]
    numbers = np.full(KINDS**4, -1)
    for number, material in enumerate(found):
        for each in (material, exchanged(material)):
            numbers[_digits(each)] = number
    halves = [material.positions for material in found]
    sizes = [
        half if material == exchanged(material) else half + exchanged(material).positions
        for material, half in zip(found, halves, strict=True)
    ]
    made = Classes(tuple(found), numbers, np.array(found).ravel(), np.array(halves), np.array(sizes))
    for table in made[1:]:
        table.flags.writeable = False
    return made


def _digits(material: Material) -> int:
    number = 0
    for count in material:
        number = number * KINDS + count
    return number


class CheckersTables(CheckersBoard):
    """The numbers of positions with few pieces."""

    def __init__(self) -> None:
        super().__init__()
        known = all_classes()
        self.numbering = Numbering()
        self.class_numbers, self.class_counts = known.numbers, known.counts
        self.class_halves, self.class_sizes = known.halves, known.sizes

    def class_names(self) -> tuple[str, ...]:
        return tuple(str(material) for material in all_classes().materials)

    def classes_after(self, c: int) -> tuple[int, ...]:
        known = all_classes()
        first = known.materials[c]
        reached = {_digits(after) for each in (first, exchanged(first)) for after in each.after() if any(after[:2])}
        return tuple(sorted({int(known.numbers[digits]) for digits in reached} - {c}))

    def class_of(self, s: CheckersState) -> int:
        own, other = self.own(s), self.other(s)
        if own == 0 or other == 0 or count_bits(own | other) > MOST_PIECES:
            return -1
        men, kings = count_bits(own & ~s.kings), count_bits(own & s.kings)
        digits = (men * KINDS + kings) * KINDS + count_bits(other & ~s.kings)
        return int(self.class_numbers[digits * KINDS + count_bits(other & s.kings)])

    def class_size(self, c: int) -> int:
        return int(self.class_sizes[c])

    def index_of(self, s: CheckersState) -> int:
        c = self.class_of(s)
        own = self.own(s)
        men, kings = count_bits(own & ~s.kings), count_bits(own & s.kings)
        is_own = men == self.class_counts[4 * c] and kings == self.class_counts[4 * c + 1]
        return self.numbering.index_of(s) + (0 if is_own else int(self.class_halves[c]))

    def state_at(self, c: int, i: int) -> CheckersState:
        """The position with this index, Black to move."""
        own_men, own_kings = int(self.class_counts[4 * c]), int(self.class_counts[4 * c + 1])
        other_men, other_kings = int(self.class_counts[4 * c + 2]), int(self.class_counts[4 * c + 3])
        half = int(self.class_halves[c])
        if i < half:
            return self.numbering.state_at(own_men, own_kings, other_men, other_kings, i)
        return self.numbering.state_at(other_men, other_kings, own_men, own_kings, i - half)

    def retractions(self, s: CheckersState) -> Iterator[int]:
        """Steps of the other player's pieces, not those that crowned a man, as moves: from where, and to where."""
        left, empty = self.other(s), self.empty(s)
        while left != 0:
            target = lowest_bit(left)
            left &= left - 1
            piece = u64(1) << target
            rising, falling = piece & (s.kings | s.white), piece & (s.kings | s.black)
            origins = (rising << 4 | rising << 5 | falling >> 4 | falling >> 5) & empty & BOARD
            while origins != 0:
                yield lowest_bit(origins) + 64 * target
                origins &= origins - 1

    def retract(self, s: CheckersState, a: int) -> CheckersState:
        both = u64(1) << (a & 63) | u64(1) << (a >> 6 & 63)
        kings = s.kings ^ both if s.kings >> (a >> 6 & 63) & 1 != 0 else s.kings
        if s.mover == 0:
            return CheckersState(s.black, s.white ^ both, kings, 1, 0)
        return CheckersState(s.black ^ both, s.white, kings, 0, 0)
