"""How every kind of hold'em hand does against every other before the flop, on all boards.

All 2,598,960 boards are looked at, or rather one of each set that is equal but for the names of the suits. On each, the
hands are sorted by strength, and every hand collects how many of each kind are weaker. The result is shipped as a file
(scripts/count_preflop.py writes it).
"""

from __future__ import annotations

import functools
import itertools
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.games.poker.cards import CARDS
from zermelo.games.poker.ranges import KINDS, kinds
from zermelo.games.poker.showdown import Showdown
from zermelo.kernel.archives import read_arrays
from zermelo.kernel.parts import Part
from zermelo.kernel.routine import Routine

FILE = Path(__file__).with_name("preflop.npz")
BOARDS = 1_712_304
"""Boards that two given hands can meet on."""


class Tally(Part):
    """Room for the counts, each with a weight: how many boards are equal but for the names of the suits.

    wins, ties   [kind, kind] pairs of hands and boards that the first wins, and that are tied
    weaker       [kind] hands weaker than the present one; by_card [card, kind] those that contain a card
    """

    settled = True

    def __init__(self) -> None:
        self.show, self.kinds = Showdown(), kinds().copy()
        self.wins, self.ties = np.zeros((KINDS, KINDS)), np.zeros((KINDS, KINDS))
        self.weaker, self.by_card = np.zeros(KINDS), np.zeros((CARDS, KINDS))
        self.swaps = np.array(list(itertools.permutations(range(4))), np.int64)

    def weight_of(self, board: int) -> int:
        """How many different boards it becomes by renaming suits; 0 if one of those is a smaller number."""
        same = 0
        for row in range(len(self.swaps)):
            image = board & 0
            for suit in range(4):
                image |= (board >> 16 * suit & 8191) << 16 * self.swaps[row, suit]
            if image < board:
                return 0
            same += 1 if image == board else 0
        return len(self.swaps) // same

    def add(self, board: int, weight: float) -> None:
        """Count a board."""
        show, kind, weaker, by_card = self.show, self.kinds, self.weaker, self.by_card
        show.set_board(board)
        order, strength, low, high = show.order, show.strength, show.low, show.high
        for k in range(len(weaker)):
            weaker[k] = 0.0
        for card in range(len(by_card)):
            for k in range(len(weaker)):
                by_card[card, k] = 0.0
        count, i = show.counts[0], 0
        while i < count:
            end = i
            while end < count and strength[order[end]] >> 11 == strength[order[i]] >> 11:
                end += 1
            for j in range(i, end):
                c = order[j]
                row, one, other = self.wins[kind[c]], by_card[low[c]], by_card[high[c]]
                for k in range(len(weaker)):
                    row[k] += weight * (weaker[k] - one[k] - other[k])
                for m in range(i, end):
                    d = order[m]
                    if low[c] != low[d] and low[c] != high[d] and high[c] != low[d] and high[c] != high[d]:
                        self.ties[kind[c], kind[d]] += weight
            for j in range(i, end):
                c = order[j]
                weaker[kind[c]] += 1.0
                by_card[low[c], kind[c]] += 1.0
                by_card[high[c], kind[c]] += 1.0
            i = end


def count_boards(game: Any, s: Any, tally: Tally, first: int) -> int:
    """Count all boards whose lowest card is this one; returns how many were looked at."""
    bits, looked = tally.show.bits, 0
    for b in range(first + 1, CARDS):
        for c in range(b + 1, CARDS):
            for d in range(c + 1, CARDS):
                for e in range(d + 1, CARDS):
                    board = bits[first] | bits[b] | bits[c] | bits[d] | bits[e]
                    weight = tally.weight_of(board)
                    if weight > 0:
                        tally.add(board, 1.0 * weight)
                        looked += 1
    return looked


COUNT_BOARDS = Routine(count_boards)


@functools.cache
def preflop() -> tuple[Any, Any]:
    """For each pair of kinds: the share of the pot that the first wins, and how many pairs of hands there are."""
    arrays = read_arrays(FILE)
    wins, ties = arrays["wins"].astype(np.float64), arrays["ties"].astype(np.float64)
    total = wins + wins.T + ties
    return (wins + 0.5 * ties) / total, total / BOARDS
