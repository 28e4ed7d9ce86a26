"""The bookkeeping of a search: nodes and limits, the path, the principal line, the root's moves, the observer.

Every algorithm is given one of these and tells it what it does, so that each algorithm's own page holds only the
algorithm. It is compiled along with the game; the parts that an unobserved search does not need compile to nothing.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.game.errors import GameError, TooDeep
from zermelo.game.protocol import CHANCE
from zermelo.kernel.calls import StopFlag, read_flag
from zermelo.kernel.history import forget, remember
from zermelo.kernel.parts import Part
from zermelo.kernel.worker import Stopped

INF = math.inf

# The counters, and the limits beside them.
NODES, DEEPEST, ROOT_MOVES, ESTIMATES, HIGHEST, LOWEST, FAULT = range(7)
DEPTH_LIMIT, NODE_LIMIT, PLY_LIMIT = range(3)

# Why a branch is cut; see `observer.Reason` for the sentences.
ALPHA, BETA, CHANCE_LOW, CHANCE_HIGH, BEAM, DECIDED = range(6)

NO_VALUE = "no legal moves in a state that is not terminal, or a utility that is not a finite number"

LINE_NUMBERS = 1 << 21
"""How many moves the table of principal lines may hold; very deep searches keep only the beginning of each line."""


class Search(Part):
    """What one search has done so far, and how far it may go.

    counts  NODES visited, DEEPEST ply, ROOT_MOVES finished, ESTIMATES made, and how many of these estimates are
            as high as any utility can be (HIGHEST) or as low (LOWEST); the ply of an error in the rules (FAULT)
    limits  DEPTH_LIMIT, NODE_LIMIT, PLY_LIMIT
    stop    [0] is set from another thread to end the search
    path    [ply] the move being tried at that ply
    line    [ply][i] the i-th move of the best line found from that ply on; [length[ply]] moves of it are known
    roots   the root's moves in the order searched, with root_values[i][p] for each player p
    bounds  the least and the greatest utility

    `width` is the most moves, or outcomes, that any state has: room for those algorithms that list them.
    """

    settled = True

    def __init__(
        self, *, compiled: bool, plies: int, root_moves: int, columns: int, bounds: tuple[float, float], width: int
    ):
        self.counts: Any = np.zeros(7, np.int64) if compiled else [0] * 7
        self.limits: Any = np.zeros(3, np.int64) if compiled else [0] * 3
        self.stop: Any = np.zeros(1, np.int64) if compiled else StopFlag()
        self.bounds = np.array(bounds, np.float64)
        moves = np.int64 if compiled else object
        self.path = np.zeros(plies + 1, moves)
        self.line = np.empty((plies + 1, min(plies, LINE_NUMBERS // (plies + 1))), moves)
        self.length = np.zeros(plies + 2, np.int64)
        self.roots = np.zeros(root_moves, moves)
        self.root_values = np.zeros((root_moves, columns), np.float64)
        self.limits[PLY_LIMIT] = plies

    # What an algorithm calls.

    def visit(self, game: Any, s: Any, ply: int) -> None:
        """The search enters a node."""
        nodes = self.counts[NODES] + 1
        if nodes > self.limits[NODE_LIMIT] or read_flag(self.stop, 0) != 0:
            raise Stopped
        self.counts[NODES] = nodes
        if ply > self.counts[DEEPEST]:
            if ply >= self.limits[PLY_LIMIT]:
                raise TooDeep
            self.counts[DEEPEST] = ply
        self.length[ply] = 0
        remember(game, s)
        self.on_visit(ply)

    def leave(self, game: Any, ply: int, value: float) -> float:
        """The search leaves a node with this value; returns the value."""
        if not -INF < value < INF:
            self.counts[FAULT] = ply
            raise GameError(NO_VALUE)
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
                self.counts[FAULT] = ply
                raise GameError(NO_VALUE)
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
        """Apart, so that the usual way stays short."""
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
        """Raise an error where an algorithm cannot work with an estimate; most can with any."""

    def estimate_vector(self, ply: int, vector: tuple[float, ...]) -> tuple[float, ...]:
        """The same for a vector of estimates."""
        self.counts[ESTIMATES] += 1
        self.on_estimate(ply, vector[0])
        return vector

    def play(self, ply: int, a: Any) -> None:
        """The search is about to try this move."""
        self.path[ply] = a

    def prefer(self, ply: int) -> None:
        """The move just tried is the best so far: the principal line goes through it."""
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
        """What a pruned node returns, given the window it was entered with: all that is known of it (fail-soft)."""
        return value

    def check_total(self, ply: int, probability: float) -> None:
        """Raise an error where the probabilities of a chance node do not add up to 1."""
        if not abs(probability - 1.0) <= 1e-9:
            self.counts[FAULT] = ply
            raise GameError("the probabilities of a chance node's outcomes do not add up to 1")

    def root_place(self) -> int:
        """Where the move being tried at the root is noted: a new place, or the last one if it is searched again."""
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

    # What an observed search tells, and an unobserved one does not.

    def on_visit(self, ply: int) -> None:
        """A node has been entered."""

    def on_value(self, ply: int, value: float) -> None:
        """A node has its value."""

    def on_component(self, ply: int, p: int, value: float) -> None:
        """A node has its value for player p."""

    def on_estimate(self, ply: int, value: float) -> None:
        """A node is cut off and has been estimated."""


class StrictCuts(Search):
    """Bookkeeping that cuts only where a value passes the limit: ties are searched to the end."""

    def is_enough(self, value: float, limit: float) -> bool:
        return value > limit


class FailHard(Search):
    """Bookkeeping that never returns a value outside the window, as alpha-beta was first published."""

    def settle(self, value: float, low: float, high: float) -> float:
        return min(max(value, low), high)


class StrictFailHard(StrictCuts, FailHard):
    """Both."""
