"""The strength of every hand on every board, for abstractions: what it wins against a random hand, now or later.

The *level* of a hand on a full board is its equity against a random hand, from 0 to 255. Before the river a hand has
the sums of its levels, and of their squares, over all boards that may come: E[HS] and E[HS²] up to a factor. Everything
is counted in whole numbers, so that tables and single hands agree exactly.

Boards that differ only by names of suits are one: their *canonical* form has the suits in descending order of their
sets of ranks. There are 1,755 flops, 16,432 boards on the turn and 134,459 on the river.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.game.state import i64, u64
from zermelo.games.poker.cards import CARDS, bit_of
from zermelo.games.poker.hands import Hands
from zermelo.games.poker.ranges import COMBINATIONS, combination, combinations
from zermelo.games.poker.showdown import Showdown
from zermelo.kernel.no_game import NoGame
from zermelo.kernel.parts import Part
from zermelo.kernel.routine import Routine

NO_GAME = NoGame("Strength")
LEVELS = 256
OPPONENTS = 990
"""The hands that an opponent may hold on a full board."""
RANKS_MASK = 8191
CHUNK = 1000
"""Boards between two calls of `on_progress`."""


def level_of(wins: int, ties: int) -> int:
    """The level of a hand that beats and ties with so many of the opponent's hands."""
    return (2 * wins + ties) * (LEVELS - 1) // (2 * OPPONENTS)


class Canonical(Part):
    """Canonical boards of one size.

    keys     the canonical boards as sets, in ascending order
    weights  how many boards each of them stands for
    suits    of the board that was looked up last: where each suit went
    """

    settled = True

    def __init__(self, cards: int):
        boards = np.array(list(itertools.combinations(range(CARDS), cards)), np.int64)
        suits = np.zeros((len(boards), 4), np.int64)
        for column in boards.T:
            suits[np.arange(len(boards)), column & 3] |= 1 << (column >> 2)
        suits.sort(axis=1)
        words = sum(suits[:, i].astype(np.uint64) << np.uint64(16 * (3 - i)) for i in range(4))
        self.keys, self.weights = np.unique(words, return_counts=True)
        self.suits = np.zeros(4, np.int64)
        self.ranks = np.zeros(4, np.int64)

    def place_of(self, board: int) -> int:
        """The number of a board; `suits` then says where each suit went."""
        ranks, suits = self.ranks, self.suits
        for suit in range(4):
            ranks[suit] = i64(board >> u64(16 * suit)) & RANKS_MASK
        key = u64(0)
        for suit in range(4):
            place = 0
            for other in range(4):
                if ranks[other] > ranks[suit] or (ranks[other] == ranks[suit] and other < suit):
                    place += 1
            suits[suit] = place
            key |= u64(ranks[suit]) << u64(16 * place)
        low, high = 0, len(self.keys) - 1
        while low < high:
            middle = (low + high) // 2
            if self.keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        return low

    def hand_of(self, one: int, other: int) -> int:
        """The combination of two cards, after the suits of the last board were renamed."""
        a = (one & ~3) | self.suits[one & 3]
        b = (other & ~3) | self.suits[other & 3]
        return combination(a, b)


class Boards(Part):
    """All canonical boards with the strength of all hands on them.

    levels         [river board, hand]
    turn, flop     [board, hand, 2] the sums of levels and of their squares, over all boards that may come
    """

    settled = True

    def __init__(self) -> None:
        self.flops, self.turns, self.rivers = Canonical(3), Canonical(4), Canonical(5)
        self.levels = np.zeros((len(self.rivers.keys), COMBINATIONS), np.uint8)
        self.turn = np.zeros((len(self.turns.keys), COMBINATIONS, 2), np.int32)
        self.flop = np.zeros((len(self.flops.keys), COMBINATIONS, 2), np.int32)
        self.bits = np.array([bit_of(card) for card in range(CARDS)], np.uint64)
        cards = combinations()
        self.low, self.high = cards[:, 0].copy(), cards[:, 1].copy()


def fill_rivers(game: Any, s: Any, boards: Boards, show: Showdown, even: Any, first: int, last: int) -> int:
    """The level of every hand on the river boards from `first` to `last`."""
    for place in range(first, last):
        show.set_board(boards.rivers.keys[place])
        show.compare(even)
        for i in range(show.counts[0]):
            hand = show.order[i]
            boards.levels[place, hand] = level_of(int(show.wins[hand] + 0.5), int(show.ties[hand] + 0.5))
    return last - first


def fill_turns(game: Any, s: Any, boards: Boards, first: int, last: int) -> int:
    """The sums of every hand over the river cards, on the turn boards from `first` to `last`."""
    bits, low, high = boards.bits, boards.low, boards.high
    for place in range(first, last):
        board = boards.turns.keys[place]
        for card in range(CARDS):
            if board & bits[card] != 0:
                continue
            full = board | bits[card]
            row = boards.rivers.place_of(full)
            for hand in range(COMBINATIONS):
                if (bits[low[hand]] | bits[high[hand]]) & full == 0:
                    level = i64(boards.levels[row, boards.rivers.hand_of(low[hand], high[hand])])
                    boards.turn[place, hand, 0] += level
                    boards.turn[place, hand, 1] += level * level
    return last - first


def fill_flops(game: Any, s: Any, boards: Boards, first: int, last: int) -> int:
    """The sums of every hand over turn and river cards in order, on the flops from `first` to `last`."""
    bits, low, high = boards.bits, boards.low, boards.high
    for place in range(first, last):
        board = boards.flops.keys[place]
        for card in range(CARDS):
            if board & bits[card] != 0:
                continue
            after = board | bits[card]
            row = boards.turns.place_of(after)
            for hand in range(COMBINATIONS):
                if (bits[low[hand]] | bits[high[hand]]) & after == 0:
                    same = boards.turns.hand_of(low[hand], high[hand])
                    boards.flop[place, hand, 0] += boards.turn[row, same, 0]
                    boards.flop[place, hand, 1] += boards.turn[row, same, 1]
    return last - first


FILL_RIVERS, FILL_TURNS, FILL_FLOPS = Routine(fill_rivers), Routine(fill_turns), Routine(fill_flops)


def all_boards(on_progress: Callable[[float], Any] = lambda share: None) -> Boards:
    """The strength of all hands on all boards; it takes about a minute and 600 MB.

    on_progress   is called with the share that is done, and may raise an error to stop
    """
    boards, show, even = Boards(), Showdown(), np.ones(COMBINATIONS)
    start, done = NO_GAME.initial(), 0
    steps: list[tuple[Routine, tuple[Any, ...], int]] = [
        (FILL_RIVERS, (boards, show, even), len(boards.rivers.keys)),
        (FILL_TURNS, (boards,), len(boards.turns.keys)),
        (FILL_FLOPS, (boards,), len(boards.flops.keys)),
    ]
    total = sum(count for _, _, count in steps)
    for routine, arguments, count in steps:
        for first in range(0, count, CHUNK):
            last = min(first + CHUNK, count)
            done += routine.compiled(NO_GAME, *arguments, first, last)(start)
            on_progress(done / total)
    return boards


class OneHand(Part):
    """The sums of one hand, counted without tables: `sums` after a call of `SUM_UP`."""

    settled = True

    def __init__(self) -> None:
        self.bits = np.array([bit_of(card) for card in range(CARDS)], np.uint64)
        self.sums = np.zeros(2, np.int64)
        self.hands = Hands()

    def level(self, own: int, board: int) -> int:
        """The level of a hand on a full board; both are sets of cards."""
        bits, mine, taken = self.bits, self.hands.value(own | board), own | board
        wins = ties = 0
        for one in range(1, CARDS):
            if bits[one] & taken != 0:
                continue
            with_one = board | bits[one]
            for other in range(one):
                if bits[other] & taken == 0:
                    value = self.hands.value(with_one | bits[other])
                    wins += 1 if mine > value else 0
                    ties += 1 if mine == value else 0
        return level_of(wins, ties)


def sum_up(game: Any, s: Any, one: OneHand, own: Any, board: Any, missing: int) -> int:
    """Sum up the levels of a hand over all boards that may come, with so many cards missing, in order."""
    bits, sums = one.bits, one.sums
    sums[0] = sums[1] = 0
    hand, table = own[0], board[0]
    if missing == 0:
        sums[0] = one.level(hand, table)
        sums[1] = sums[0] * sums[0]
        return 1
    for turn in range(CARDS):
        if bits[turn] & (hand | table) != 0:
            continue
        after = table | bits[turn]
        if missing == 1:
            level = one.level(hand, after)
            sums[0] += level
            sums[1] += level * level
            continue
        for river in range(turn):
            if bits[river] & (hand | after) == 0:
                level = one.level(hand, after | bits[river])
                sums[0] += 2 * level  # in both orders
                sums[1] += 2 * level * level
    return 1


SUM_UP = Routine(sum_up)
