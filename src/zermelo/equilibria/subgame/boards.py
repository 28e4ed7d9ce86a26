"""The cards of a subgame: hands in the order of their strength on every river, and suits that can be exchanged.

If exchanging suits changes neither the board nor a range, then river cards that are exchanged with each other lead to
the same subgame with other names. One of them is solved for all.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from zermelo.games.poker.cards import CARDS
from zermelo.games.poker.equity import as_words
from zermelo.games.poker.ranges import COMBINATIONS, combinations
from zermelo.games.poker.showdown import Showdown
from zermelo.kernel.no_game import NoGame
from zermelo.kernel.routine import Routine

NO_GAME = NoGame("Hands on the river")


class Boards:
    """The rivers that are solved, and the hands on each.

    hands        [hand] the combination, for all hands that are in a range
    rivers       the river cards that are solved: one of each class of exchangeable cards; -1 if it is on the board
    cards        [river] the cards that this river stands for, each with [hand] the same hand after the exchange
    count        [river] how many hands are possible; below, hands are in the order of their strength
    order        [river, place] the hand
    ties         [river, place] the first place after the hands that are as strong as this one
    """

    def __init__(self, board: tuple[int, ...], ranges: Any, exchange: bool = True, compile: bool = True):
        self.board = board
        self.hands = np.flatnonzero((ranges[0] > 0) | (ranges[1] > 0))
        if len(board) == 5:
            same = np.arange(len(self.hands))
            self.rivers, self.cards = [-1], [[(-1, same)]]
        else:
            self.rivers, self.cards = self._classes(suit_exchanges(board, ranges) if exchange else [range(4)])
        self.count = np.zeros(len(self.rivers), np.int64)
        self.order, self.ties = (np.zeros((len(self.rivers), len(self.hands)), np.int64) for _ in range(2))
        self._rank(compile)

    def _classes(self, exchanges: list[Any]) -> tuple[list[int], list[Any]]:
        """One river card of each class, and all cards of the class with where its hands go."""
        places = np.full(COMBINATIONS, -1)
        places[self.hands] = np.arange(len(self.hands))
        moved = [places[exchanged_hands(each)[self.hands]] for each in exchanges]
        rivers, cards, seen = [], [], set(self.board)
        for card in range(CARDS):
            if card in seen:
                continue
            found: dict[int, Any] = {}
            for exchange, hands in zip(exchanges, moved, strict=True):
                found.setdefault(exchanged(card, exchange), hands)
            seen.update(found)
            rivers.append(card)
            cards.append(list(found.items()))
        return rivers, cards

    def _rank(self, compile: bool) -> None:
        boards = np.concatenate([as_words(self.board if r < 0 else (*self.board, r)) for r in self.rivers])
        show = Showdown(self.hands)
        places = np.full(COMBINATIONS, -1)
        places[self.hands] = np.arange(len(self.hands))
        arguments = (show, boards, places, self.count, self.order, self.ties)
        if compile:
            RANK.compiled(NO_GAME, *arguments)(NO_GAME.initial())
        else:
            RANK.run_plain(NO_GAME, NO_GAME.initial(), *arguments)


def rank(
    game: Any, s: Any, show: Showdown, boards: Any, places: Any, counts: Any, orders: Any, ties: Any
) -> int:  # fmt: skip
    """Sort the hands of each board by strength."""
    for k in range(len(boards)):
        show.set_board(boards[k])
        count = show.counts[0]
        counts[k] = count
        end = count
        for back in range(count):
            i = count - 1 - back
            c = show.order[i]
            orders[k, i] = places[c]
            if i + 1 < count and show.strength[c] >> 11 != show.strength[show.order[i + 1]] >> 11:
                end = i + 1
            ties[k, i] = end
    return len(boards)


RANK = Routine(rank)


def exchanged(card: int, suits: Any) -> int:
    """A card after an exchange of suits."""
    return card & ~3 | int(suits[card & 3])


def exchanged_hands(suits: Any) -> Any:
    """Each combination after an exchange of suits."""
    cards = combinations()
    moved = np.sort(cards & ~3 | np.array(suits)[cards & 3], axis=1)
    return moved[:, 1] * (moved[:, 1] - 1) // 2 + moved[:, 0]


def suit_exchanges(board: tuple[int, ...], ranges: Any) -> list[tuple[int, ...]]:
    """All exchanges of suits that change neither the board nor the ranges; the first one changes nothing."""
    found = []
    for suits in itertools.permutations(range(4)):
        if {exchanged(card, suits) for card in board} == set(board):
            hands = exchanged_hands(suits)
            if all(np.array_equal(weights[hands], weights) for weights in ranges):
                found.append(suits)
    return found
