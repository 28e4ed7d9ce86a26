"""Showdowns of two whole ranges at once, in one pass over the hands in the order of their strength.

For each hand of one player, the weight of the other's hands that it beats is the weight of all weaker hands, less those
that share a card with it. Sums for each card, kept on the way, say how much that is (Johanson et al. 2011).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.state import u64
from zermelo.games.poker.cards import CARDS, bit_of
from zermelo.games.poker.hands import Hands
from zermelo.games.poker.ranges import COMBINATIONS, combinations
from zermelo.kernel.parts import Part


class Showdown(Part):
    """Room for one board.

    low, high     [combination] its two cards
    bits          [card] it as a set
    live          the combinations that matter, by default all
    order         those that the board allows, from the weakest to the strongest; counts[0] of them
    strength      [combination] its value on this board, above its number
    wins, ties, meets   [combination] the weight of the hands that it beats, that tie with it, that can meet it
    """

    settled = True

    def __init__(self, live: Any = None) -> None:
        cards = combinations()
        self.live = np.arange(COMBINATIONS) if live is None else np.asarray(live, np.int64)
        self.low, self.high = cards[:, 0].copy(), cards[:, 1].copy()
        self.bits = np.array([bit_of(card) for card in range(CARDS)], np.uint64)
        self.strength = np.zeros(COMBINATIONS, np.int64)
        self.order = np.zeros(COMBINATIONS, np.int64)
        self.counts = np.zeros(1, np.int64)
        self.wins, self.ties, self.meets = (np.zeros(COMBINATIONS) for _ in range(3))
        self.below, self.level = np.zeros(CARDS), np.zeros(CARDS)
        self.hands = Hands()

    def set_board(self, board: int) -> None:
        """Rank all combinations on a board of five cards, given as a set."""
        count = 0
        for c in self.live:
            own = u64(self.bits[self.low[c]]) | u64(self.bits[self.high[c]])
            self.wins[c] = self.ties[c] = self.meets[c] = 0.0
            if own & board == 0:
                self.strength[c] = self.hands.value(board | own) << 11 | c  # the number makes all values different
                self.order[count] = self.strength[c]
                count += 1
        self.counts[0] = count
        ranked = self.order[:count]
        ranked.sort()
        for i in range(count):
            self.order[i] = ranked[i] & 2047

    def compare(self, weights: Any) -> None:
        """For each combination the weight of the other player's hands that it beats, ties with, and can meet."""
        low, high, order, strength = self.low, self.high, self.order, self.strength
        below, level = self.below, self.level
        count = self.counts[0]
        total, all_cards = 0.0, self.level
        for card in range(len(below)):
            below[card] = all_cards[card] = 0.0
        for i in range(count):
            c = order[i]
            total += weights[c]
            all_cards[low[c]] += weights[c]
            all_cards[high[c]] += weights[c]
        for i in range(count):
            c = order[i]
            self.meets[c] = total - all_cards[low[c]] - all_cards[high[c]] + weights[c]
        for card in range(len(level)):
            level[card] = 0.0
        weaker, i = 0.0, 0
        while i < count:
            end, equal = i, 0.0
            value = strength[order[i]] >> 11
            while end < count and strength[order[end]] >> 11 == value:
                c = order[end]
                equal += weights[c]
                level[low[c]] += weights[c]
                level[high[c]] += weights[c]
                end += 1
            for j in range(i, end):
                c = order[j]
                self.wins[c] = weaker - below[low[c]] - below[high[c]]
                self.ties[c] = equal - level[low[c]] - level[high[c]] + weights[c]
            for j in range(i, end):
                c = order[j]
                below[low[c]] += weights[c]
                below[high[c]] += weights[c]
                level[low[c]] = level[high[c]] = 0.0
            weaker += equal
            i = end
