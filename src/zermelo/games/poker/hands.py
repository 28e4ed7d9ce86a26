"""The value of a poker hand of five to seven cards, by bits: more is better, equal hands share.

A hand is four sets of ranks, one for each suit. Their intersections say which ranks occur twice, three times and four
times. A value is the class of the hand above two sets of ranks: those that decide first, and those that decide after
them. The set with the higher ranks is the larger number, so values compare as hands do.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from zermelo.game.state import i64
from zermelo.games.poker.cards import CARDS, RANKS, bit_of
from zermelo.kernel.bits import count_bits
from zermelo.kernel.parts import Part

CLASSES = (
    "high card",
    "one pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(9)
SETS = 1 << len(RANKS)
WHEEL = 0b1_0000_0000_1111
"""Ace, two, three, four, five: the lowest straight."""


def ranked(kind: int, major: int, minor: int) -> int:
    """A value: the class of the hand, the ranks that decide first, and those that decide after them."""
    return kind << 26 | major << 13 | minor


class Hands(Part):
    """The value of hands. The tables are indexed by sets of ranks.

    highest    the highest rank of a set, as a set
    best       the five highest ranks
    straights  the highest rank of the best straight, as a set; 0 if there is none
    """

    settled = True

    def __init__(self) -> None:
        self.highest, self.best, self.straights = tables()

    def value(self, cards: int) -> int:
        """The value of a set of five to seven cards."""
        clubs, diamonds = i64(cards & 8191), i64(cards >> 16 & 8191)
        hearts, spades = i64(cards >> 32 & 8191), i64(cards >> 48 & 8191)
        return self.value_of_suits(clubs, diamonds, hearts, spades)

    def value_of_suits(self, clubs: int, diamonds: int, hearts: int, spades: int) -> int:
        """The value of a hand, given as the ranks of each suit."""
        highest, best, straights = self.highest, self.best, self.straights
        flush = 0
        for suit in (clubs, diamonds, hearts, spades):
            if count_bits(suit) >= 5:
                flush = suit
        if flush != 0 and straights[flush] != 0:
            return ranked(STRAIGHT_FLUSH, straights[flush], 0)
        ranks = clubs | diamonds | hearts | spades
        black, red = clubs & spades, diamonds & hearts
        either_black, either_red = clubs | spades, diamonds | hearts
        twice = black | red | (either_black & either_red)
        if twice == 0:
            if flush != 0:
                return ranked(FLUSH, best[flush], 0)
            if straights[ranks] != 0:
                return ranked(STRAIGHT, straights[ranks], 0)
            return ranked(HIGH_CARD, best[ranks], 0)
        thrice = (black & either_red) | (red & either_black)
        four = black & red
        if four != 0:
            return ranked(FOUR, four, highest[ranks ^ four])
        if thrice != 0 and twice != highest[thrice]:
            major = highest[thrice]
            return ranked(FULL_HOUSE, major, highest[twice ^ major])
        if flush != 0:
            return ranked(FLUSH, best[flush], 0)
        if straights[ranks] != 0:
            return ranked(STRAIGHT, straights[ranks], 0)
        if thrice != 0:
            return ranked(THREE, thrice, self.top(ranks ^ thrice, 2))
        first = highest[twice]
        if twice == first:
            return ranked(PAIR, first, self.top(ranks ^ first, 3))
        pairs = first | highest[twice ^ first]
        return ranked(TWO_PAIR, pairs, highest[ranks ^ pairs])

    def top(self, ranks: int, count: int) -> int:
        """The highest ranks of a set, so many."""
        found, left = 0, ranks
        for _ in range(count):
            one = self.highest[left]
            found |= one
            left ^= one
        return found


@functools.cache
def tables() -> tuple[Any, Any, Any]:
    """The tables of `Hands`."""
    highest, best, straights = (np.zeros(SETS, np.int64) for _ in range(3))
    for ranks in range(1, SETS):
        highest[ranks] = 1 << (ranks.bit_length() - 1)
        best[ranks] = ranks
        while int(best[ranks]).bit_count() > 5:
            best[ranks] &= best[ranks] - 1
        for top in range(len(RANKS) - 1, 2, -1):
            run = WHEEL if top == 3 else 0b11111 << (top - 4)
            if ranks & run == run:
                straights[ranks] = 1 << top
                break
    return highest, best, straights


def class_of(value: int) -> str:
    """The class of a hand by its value, in words."""
    return CLASSES[value >> 26]


def as_set(cards: tuple[int, ...]) -> int:
    """Cards as a set."""
    return sum(bit_of(card) for card in cards)


def count_classes(game: Any, s: Any, hands: Hands, bits: Any, first: int, last: int, counts: Any) -> int:
    """Count the classes of all hands of seven cards whose lowest card is from `first` to `last`."""
    total = 0
    for a in range(first, last):
        for b in range(a + 1, CARDS):
            two = bits[a] | bits[b]
            for c in range(b + 1, CARDS):
                three = two | bits[c]
                for d in range(c + 1, CARDS):
                    four = three | bits[d]
                    for e in range(d + 1, CARDS):
                        five = four | bits[e]
                        for f in range(e + 1, CARDS):
                            six = five | bits[f]
                            for g in range(f + 1, CARDS):
                                counts[hands.value(six | bits[g]) >> 26] += 1
                                total += 1
    return total
