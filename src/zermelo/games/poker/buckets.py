"""An abstraction of hold'em: hands of about the same strength are one *bucket*.

Before the flop the buckets are the 169 kinds of hands. On the flop and on the turn, hands are sorted by E[HS] into
groups of equal size, and each group by E[HS²] into parts: of two hands with the same mean, the one with the higher
mean square is a draw. On the river, hands are sorted by their strength alone. (Gilpin and Sandholm 2007; Johanson 2007,
chapter 2.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.state import u64
from zermelo.games.poker.cards import CARDS, bit_of
from zermelo.games.poker.hands import Hands, as_set
from zermelo.games.poker.ranges import COMBINATIONS, combination, combinations, kinds
from zermelo.games.poker.strength import LEVELS, NO_GAME, SUM_UP, Boards, OneHand
from zermelo.kernel.parts import Part

GROUPS, PARTS, RIVER = 32, 8, 200
"""Buckets: groups by E[HS] and parts of each by E[HS²], on the flop and the turn; groups on the river. A bucket is
stored in eight bits."""
SAMPLES = 1_000_000
"""Hands drawn to find the limits between buckets."""


class Limits:
    """The limits between buckets, by which any hand finds its own.

    flop, turn     [group, part] the first column is the least sum of levels of a group; the others are the least sums
                   of squares of its second part, its third and so on
    river          [level] the bucket
    """

    def __init__(self, flop: Any, turn: Any, river: Any):
        self.flop, self.turn, self.river = flop, turn, river
        self.one = OneHand()

    @staticmethod
    def of(boards: Boards, *, groups: int = GROUPS, parts: int = PARTS, river: int = RIVER, seed: int = 0) -> Limits:
        """The limits that make all buckets about equally likely."""
        random = np.random.default_rng(seed)
        flop = _limits(_drawn(random, boards.flops, boards.flop), groups, parts)
        turn = _limits(_drawn(random, boards.turns, boards.turn), groups, parts)
        levels = _drawn(random, boards.rivers, boards.levels)
        below = np.cumsum(np.bincount(levels, minlength=LEVELS)) / len(levels)
        middle = np.concatenate(([0.0], below[:-1])) / 2 + below / 2
        return Limits(flop, turn, np.unique((middle * river).astype(np.int64), return_inverse=True)[1])

    def counts(self) -> tuple[int, int, int, int]:
        """The number of buckets on each street."""
        return 169, self.flop.size, self.turn.size, int(self.river.max()) + 1

    def places(self, sums: Any, limits: Any) -> Any:
        """The buckets of hands with these sums, on the flop or on the turn."""
        group = np.searchsorted(limits[1:, 0], sums[..., 0], side="right")
        parts = sum((sums[..., 1] >= limits[group, i]).astype(np.int64) for i in range(1, limits.shape[1]))
        return group * limits.shape[1] + parts

    def bucket(self, hand: tuple[int, int], board: tuple[int, ...]) -> int:
        """The bucket of one hand on a board of none, three, four or five cards."""
        if not board:
            return int(kinds()[combination(*hand)])
        own, table = (np.array([as_set(cards)], np.uint64) for cards in (hand, board))
        SUM_UP.compiled(NO_GAME, self.one, own, table, 5 - len(board))(NO_GAME.initial())
        if len(board) == 5:
            return int(self.river[self.one.sums[0]])
        return int(self.places(self.one.sums, self.flop if len(board) == 3 else self.turn))


def _drawn(random: Any, canonical: Any, table: Any) -> Any:
    """The rows of a table for random hands on random boards."""
    boards = random.choice(len(canonical.keys), SAMPLES, p=canonical.weights / canonical.weights.sum())
    hands = random.integers(COMBINATIONS, size=SAMPLES)
    sets = np.array([bit_of(card) for card in range(CARDS)], np.uint64)[combinations()]
    free = (sets[:, 0] | sets[:, 1])[hands] & canonical.keys[boards] == 0
    return table[boards[free], hands[free]]


def _limits(sums: Any, groups: int, parts: int) -> Any:
    """The limits of groups by the first sum, and of parts of each by the second."""
    made = np.zeros((groups, parts), np.int64)
    ends = np.quantile(sums[:, 0], np.arange(groups) / groups).astype(np.int64)
    group = np.searchsorted(ends[1:], sums[:, 0], side="right")
    for i in range(groups):
        squares = sums[group == i, 1]
        made[i, 0] = ends[i]
        made[i, 1:] = np.quantile(squares, np.arange(1, parts) / parts).astype(np.int64) if len(squares) else 0
    return made


class Dealer(Part):
    """Deals hands for sampling: all cards at once, as buckets."""

    settled = True

    def __init__(self, boards: Boards, limits: Limits):
        self.flops, self.turns, self.rivers = boards.flops, boards.turns, boards.rivers
        self.of_kind = kinds().astype(np.uint8)
        self.of_flop = limits.places(boards.flop, limits.flop).astype(np.uint8)
        self.of_turn = limits.places(boards.turn, limits.turn).astype(np.uint8)
        self.of_river = limits.river.astype(np.uint8)[boards.levels]
        self.bits, self.cards, self.hands = boards.bits, np.zeros(9, np.int64), Hands()

    def deal(self, random: Any, buckets: Any) -> int:
        """Put the buckets of both players on all streets into [player, street]; returns 1 if the first would win.

        It is -1 if the second would win, and 0 if they would share.
        """
        bits, cards, taken = self.bits, self.cards, u64(0)
        for place in range(9):
            card = random.pick(CARDS)
            while taken & bits[card] != 0:
                card = random.pick(CARDS)
            taken |= u64(bits[card])
            cards[place] = card
        flop = u64(bits[cards[4]]) | u64(bits[cards[5]]) | u64(bits[cards[6]])
        turn = flop | u64(bits[cards[7]])
        river = turn | u64(bits[cards[8]])
        rows = self.flops.place_of(flop), self.turns.place_of(turn), self.rivers.place_of(river)
        for p in range(2):
            one, other = cards[2 * p], cards[2 * p + 1]
            low, high = min(one, other), max(one, other)
            buckets[p, 0] = self.of_kind[high * (high - 1) // 2 + low]
            buckets[p, 1] = self.of_flop[rows[0], self.flops.hand_of(one, other)]
            buckets[p, 2] = self.of_turn[rows[1], self.turns.hand_of(one, other)]
            buckets[p, 3] = self.of_river[rows[2], self.rivers.hand_of(one, other)]
        first = self.hands.value(river | u64(bits[cards[0]]) | u64(bits[cards[1]]))
        second = self.hands.value(river | u64(bits[cards[2]]) | u64(bits[cards[3]]))
        return 0 if first == second else 1 if first > second else -1
