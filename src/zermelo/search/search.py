"""`Search`: the bookkeeping of a textbook algorithm. Limits, the principal variation, the root's moves, the observer.

Every algorithm is given one and reports to it what it does, so that the algorithm's own page holds only the algorithm.
It is compiled along with the game; what an unobserved search does not need compiles to nothing.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.game.protocol import CHANCE
from zermelo.kernel.history import forget, remember
from zermelo.search.bookkeeping import FAULT, FIRST_COUNTER, FIRST_LIMIT, Bookkeeping
from zermelo.search.checks import UNLIMITED

INF = math.inf

# Counters and limits beside those of all searches.
ROOT_MOVES, ESTIMATES, HIGHEST, LOWEST = range(FIRST_COUNTER, FIRST_COUNTER + 4)
DEPTH_LIMIT = FIRST_LIMIT

# Why a branch is cut; see `observer.Reason` for the sentences.
ALPHA, BETA, CHANCE_LOW, CHANCE_HIGH, BEAM, DECIDED = range(6)

LINE_NUMBERS = 1 << 21
"""The most moves that the table of principal variations holds; very deep searches keep the beginning of each line."""


class Search(Bookkeeping):
    """What one search has done so far, and how far it may go.

    counts  ROOT_MOVES finished, ESTIMATES made, and how many of these estimates are as high as any utility can be
            (HIGHEST) or as low (LOWEST); and those of all searches
    limits  DEPTH_LIMIT, and those of all searches
    line    [ply][i] the i-th move of the best line found from that ply on; [length[ply]] moves of it are known
    roots   the root's moves in the order searched, with root_values[i][p] for each player p
    bounds  the least and the greatest utility

    `width` is the most moves, or outcomes, of any state: room for algorithms that list them.
    """

    def __init__(
        self, *, compiled: bool, plies: int, root_moves: int, columns: int, bounds: tuple[float, float], width: int
    ):
        super().__init__(compiled=compiled, plies=plies, counters=FIRST_COUNTER + 4, limits=[UNLIMITED])
        self.bounds = np.array(bounds, np.float64)
        moves = np.int64 if compiled else object
        self.line = np.empty((plies + 1, min(plies, LINE_NUMBERS // (plies + 1))), moves)
        self.length = np.zeros(plies + 2, np.int64)
        self.roots = np.zeros(root_moves, moves)
        self.root_values = np.zeros((root_moves, columns), np.float64)

    # What an algorithm calls.

    def visit(self, game: Any, s: Any, ply: int) -> None:
        """The search enters a node."""
        self.count_node(ply)
        self.length[ply] = 0
        remember(game, s)
        self.on_visit(ply)

    def leave(self, game: Any, ply: int, value: float) -> float:
        """The search leaves a node with this value; returns the value."""
        if not -INF < value < INF:
            self.fail(ply)
        forget(game)
        if ply == 1:
            self.note_root_value(self.root_place(), 0, value)
        self.on_value(ply, value)
        return value

    def leave_vector(self, game: Any, ply: int, vector: tuple[float, ...]) -> tuple[float, ...]:
        """The same for a vector of values, one for each player."""
        forget(game)
        place = self.root_place() if ply == 1 else 0
        for p in range(game.players):
            if not -INF < vector[p] < INF:
                self.fail(ply)
            if ply == 1:
                self.note_root_value(place, p, vector[p])
            self.on_component(ply, p, vector[p])
        self.on_value(ply, vector[0])
        return vector

    def mover(self, game: Any, s: Any, ply: int) -> int:
        """Who moves: the game's `to_move`, which must be a player, or CHANCE in a game that declares it."""
        p = game.to_move(s)
        if (p < 0 or p >= game.players) and not (p == CHANCE and game.chance):
            self.reject_mover(ply)
        return p  # type: ignore[no-any-return]

    def reject_mover(self, ply: int) -> None:
        """A method of its own, so that the usual path stays short."""
        self.counts[FAULT] = ply
        raise GameError("to_move gives neither a player's number nor, in a game that declares `chance`, CHANCE")

    def cutoff(self, ply: int) -> bool:
        """The cutoff test: is this as deep as the search may go?"""
        return bool(ply >= self.limits[DEPTH_LIMIT])

    def estimate(self, ply: int, value: float) -> float:
        """Note that a value is the evaluation's estimate; returns the value."""
        self.check_estimate(ply, value)
        self.counts[ESTIMATES] += 1
        if value >= self.bounds[1]:
            self.counts[HIGHEST] += 1
        if value <= self.bounds[0]:
            self.counts[LOWEST] += 1
        self.on_estimate(ply, value)
        return value

    def check_estimate(self, ply: int, value: float) -> None:
        """Raise an error if the algorithm cannot work with this estimate. Most can work with any."""

    def estimate_vector(self, ply: int, vector: tuple[float, ...]) -> tuple[float, ...]:
        """The same for a vector of estimates."""
        self.counts[ESTIMATES] += 1
        self.on_estimate(ply, vector[0])
        return vector

    def play(self, ply: int, a: Any) -> None:
        """The search is about to try this move."""
        self.path[ply] = a

    def prefer(self, ply: int) -> None:
        """The move just tried is the best so far: the principal variation goes through it."""
        row = self.line[ply]
        rest = self.line[ply + 1]
        row[0] = self.path[ply]
        known = min(self.length[ply + 1], len(row) - 1)
        for i in range(known):
            row[i + 1] = rest[i]
        self.length[ply] = known + 1

    def is_enough(self, value: float, limit: float) -> bool:
        """Does a value reach the limit, so that the rest can be cut? At a tie it does (the textbook's ≥ and ≤)."""
        return value >= limit

    def settle(self, value: float, low: float, high: float) -> float:
        """What a pruned node returns, given the window that it was entered with: all that is known (fail-soft)."""
        return value

    def probability(self, ply: int, probability: float) -> float:
        """The probability of an outcome; raises an error if it is negative, or not a number."""
        if not probability >= 0.0:
            self.counts[FAULT] = ply
            raise GameError("the probability of a chance node's outcome is negative")
        return probability

    def check_total(self, ply: int, probability: float) -> None:
        """Raise an error if the probabilities of a chance node do not add up to 1."""
        if not abs(probability - 1.0) <= 1e-9:
            self.counts[FAULT] = ply
            raise GameError("the probabilities of a chance node's outcomes do not add up to 1")

    def root_place(self) -> int:
        """The place for the value of the move being tried at the root: the last place again if it is searched again."""
        count = self.counts[ROOT_MOVES]
        if count > 0 and count <= len(self.roots) and self.roots[count - 1] == self.path[0]:
            return int(count - 1)
        self.counts[ROOT_MOVES] = count + 1
        return int(count)

    def note_root_value(self, place: int, p: int, value: float) -> None:
        """The move being tried at the root is worth this to player p."""
        if place < len(self.roots):
            self.roots[place] = self.path[0]
            self.root_values[place, p] = value

    def bound(self, ply: int, low: float, high: float) -> None:
        """The window of a node, or the range of a chance node, is now this."""

    def cut(self, ply: int, reason: int, value: float, limit: float) -> None:
        """The rest of a node is pruned: the value already reaches the limit."""

    # What an observed search reports. In others, these methods compile to nothing.

    def on_visit(self, ply: int) -> None:
        """A node has been entered."""

    def on_value(self, ply: int, value: float) -> None:
        """A node has its value."""

    def on_component(self, ply: int, p: int, value: float) -> None:
        """A node has its value for player p."""

    def on_estimate(self, ply: int, value: float) -> None:
        """A node is cut off and has been estimated."""


class StrictCuts(Search):
    """Bookkeeping that prunes only if a value exceeds the limit. Ties are searched to the end."""

    def is_enough(self, value: float, limit: float) -> bool:
        return value > limit


class FailHard(Search):
    """Bookkeeping that never returns a value outside the window, as alpha-beta was first published."""

    def settle(self, value: float, low: float, high: float) -> float:
        return min(max(value, low), high)


class StrictFailHard(StrictCuts, FailHard):
    """Both."""
