"""Equity in hold'em: the share of the pot that a hand or a range wins on average, exact or sampled."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.games.poker.cards import CARDS, cards_named
from zermelo.games.poker.hands import as_set
from zermelo.games.poker.ranges import combinations, range_of, without
from zermelo.games.poker.showdown import Showdown
from zermelo.kernel.calls import read_flag
from zermelo.kernel.no_game import NoGame
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import Stopped, run

NO_GAME = NoGame("Equity")
PAIRS, WINS, TIES, SQUARES, PRODUCTS, PAIR_SQUARES = range(6)
"""Sums over boards: the weight of all pairs of hands, of those won and tied by the first; squares for the error."""
FULL_BOARD = 5
EXACT = 100_000_000
"""If boards times hands are at most so many, all boards are compared; otherwise boards are drawn."""
SAMPLED_BOARDS = 20_000


@dataclass(frozen=True)
class Equity:
    """What the first range wins against the second.

    share      of the pot, on average; error is its standard error, 0 if exact
    win, tie   how often it wins and ties
    boards     how many boards were looked at
    exact      were all boards compared?
    """

    share: float
    error: float
    win: float
    tie: float
    boards: int
    exact: bool

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)


def equity(
    first: str,
    second: str,
    board: str = "",
    *,
    boards: int | None = None,
    seed: int = 0,
    stop: StopToken | None = None,
) -> Equity:
    """The equity of a range against another, on a board of none, three, four or five cards.

    boards   how many boards to draw; by default all of them are compared, unless that would take too long
    stop     ends it early: with the boards drawn so far, or with `Stopped` if all were to be compared
    """
    dealt = cards_named(board)
    if len(dealt) not in (0, 3, 4, 5):
        raise GameError(f"a board has no card, or three, four or five; {board!r} has {len(dealt)}")
    one, other = without(range_of(first), dealt), without(range_of(second), dealt)
    for text, weights in ((first, one), (second, other)):
        if not weights.any():
            raise GameError(f"no hand of the range {text!r} is possible on the board {board}")
    if pairs_of(one, other) <= 0.0:
        raise GameError(f"the ranges {first!r} and {second!r} cannot meet: they need the same cards")
    missing = FULL_BOARD - len(dealt)
    possible = math.comb(CARDS - len(dealt), missing)
    live = np.flatnonzero((one > 0) | (other > 0))
    show, sums = Showdown(live), np.zeros(6)
    drawn = boards if boards is not None else 0 if possible * len(live) <= EXACT else SAMPLED_BOARDS
    left = np.array([c for c in range(CARDS) if c not in dealt], np.int64)
    flag: Any = np.zeros(1, np.int64)
    arguments = (show, Random(seed), one, other, sums, left, as_words(dealt), missing, drawn, flag)
    program = COMPARE.compiled(NO_GAME, *arguments)
    with (stop or StopToken()).watching(flag):
        seen = int(run(lambda: program(NO_GAME.initial()), flag))
    if seen == 0 or (flag[0] != 0 and not drawn):
        raise Stopped
    return _found(sums, seen, drawn > 0)


def as_words(cards: tuple[int, ...]) -> Any:
    """A set of cards for compiled code, in an array."""
    return np.array([as_set(cards)], np.uint64)


def pairs_of(one: Any, other: Any) -> float:
    """The weight of all pairs of hands of two ranges that share no card."""
    cards = combinations()
    sums = [np.bincount(cards.ravel(), np.repeat(weights, 2), CARDS) for weights in (one, other)]
    return round(float(one.sum() * other.sum() - sums[0] @ sums[1] + one @ other), 9)


def _found(sums: Any, seen: int, drawn: bool) -> Equity:
    """The equity from the sums over boards. Its error is that of a ratio of two means."""
    share = (sums[WINS] + 0.5 * sums[TIES]) / sums[PAIRS]
    spread = sums[SQUARES] - 2.0 * share * sums[PRODUCTS] + share * share * sums[PAIR_SQUARES]
    error = math.sqrt(max(spread, 0.0)) / sums[PAIRS] if drawn else 0.0
    win, tie = float(sums[WINS] / sums[PAIRS]), float(sums[TIES] / sums[PAIRS])
    return Equity(float(share), float(error), win, tie, seen, not drawn)


def compare_on(show: Showdown, board: int, one: Any, other: Any, sums: Any) -> bool:
    """Add what happens on one board. Can the ranges meet on it?"""
    show.set_board(board)
    show.compare(other)
    pairs, wins, ties = 0.0, 0.0, 0.0
    for i in range(show.counts[0]):
        c = show.order[i]
        pairs += one[c] * show.meets[c]
        wins += one[c] * show.wins[c]
        ties += one[c] * show.ties[c]
    share = wins + 0.5 * ties
    sums[PAIRS] += pairs
    sums[WINS] += wins
    sums[TIES] += ties
    sums[SQUARES] += share * share
    sums[PRODUCTS] += share * pairs
    sums[PAIR_SQUARES] += pairs * pairs
    return pairs > 0.0


def compare(
    game: Any, s: Any, show: Showdown, random: Random, one: Any, other: Any, sums: Any, left: Any, dealt: Any,
    missing: int, drawn: int, stop: Any,
) -> int:  # fmt: skip
    """Compare two ranges on all boards, or on so many that are drawn; returns how many boards there were."""
    places = np.zeros(8, np.int64)
    count = len(left)
    if drawn > 0:
        for done in range(drawn):
            if read_flag(stop, 0) != 0:
                return done
            board = dealt[0]
            drawn_cards = 0
            while drawn_cards < missing:
                bit = show.bits[left[random.below(count)]]
                if board & bit == 0:
                    board |= bit
                    drawn_cards += 1
            compare_on(show, board, one, other, sums)
        return drawn
    for i in range(missing):
        places[i] = i
    boards = 0
    while True:
        if read_flag(stop, 0) != 0:
            return boards
        board = dealt[0]
        for i in range(missing):
            board |= show.bits[left[places[i]]]
        if compare_on(show, board, one, other, sums):
            boards += 1
        i = missing - 1  # the next set of places, in lexicographic order
        while i >= 0 and places[i] == count - missing + i:
            i -= 1
        if i < 0:
            return boards
        places[i] += 1
        for j in range(i + 1, missing):
            places[j] = places[j - 1] + 1


COMPARE = Routine(compare)
