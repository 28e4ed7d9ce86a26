"""From utilities to scores: the ends of the game, static bounds, and the range in which utilities lie."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.game.protocol import Game
from zermelo.kernel.ordinals import ordinal
from zermelo.search.bookkeeping import Bookkeeping
from zermelo.search.engine.scores import TOP, WIN
from zermelo.search.engine.switches import ESTIMATES, FROM_TABLES, LEAVES

LEAST, MOST, TOTAL = range(3)
GRAIN = 1e-6
"""The difference that one ply makes to a win that may come too late, as a share of its value."""
DRAWN = 1e-6
"""What evaluation counts in a position that an endgame table knows to be drawn."""


class Ranges(Bookkeeping):
    """The part of the engine's memory that turns utilities into scores.

    ranges     [player] its least and greatest utility, and the sum of its utility and its opponent's
    range_here the same for the player whose utilities are compared
    """

    decisive: bool
    horizon: bool
    has_evaluation: bool

    def _set_ranges(self, game: Game, compiled: bool) -> None:
        """Read the ranges of utilities from the game."""
        ranges = [range_of(game, p) for p in range(game.players)]
        low, high, total = ranges[0]
        finite = -math.inf < low and high < math.inf
        self.ranges: Any = np.array(ranges) if compiled else ranges
        self.range_here: Any = np.array(ranges[0]) if compiled else list(ranges[0])
        self.alike = finite and total == 0.0
        self.decisive = bool(game.decisive and finite and low < high)
        self.unit = float(game.evaluation_unit or ((high - low) / 100 if finite else 1.0))

    def look_from(self, player: int) -> None:
        """From now on, utilities are this player's."""
        for i in range(3):
            self.range_here[i] = self.ranges[player][i]

    def end(self, utility: float, view: int, ply: int) -> int:
        """The score of the game's end, by the first player's utility, as that player (1) or the other (-1) sees it."""
        self.counts[LEAVES] += 1
        if self.decisive:
            if utility >= self.range_here[MOST]:
                return view * WIN
            if utility <= self.range_here[LEAST]:
                return -view * WIN
        if not -math.inf < utility < math.inf:
            self.fail(ply)
        return view * ordinal(utility)

    def from_endgames(self, game: Any, s: Any, code: int, player: int, turn: int) -> int:
        """The mover's score of a position that an endgame table has: a draw, or a win or loss with its distance.

        A win that a rule may prevent, such as fifty moves without progress, is an estimate: better than any other, and
        better if it is near. Of two draws, the one with the better evaluation is a little better: the opponent may not
        have the tables.
        """
        self.counts[FROM_TABLES] += 1
        if code == 0:
            if self.horizon and self.has_evaluation:
                return ordinal(DRAWN * turn * self.finite(game.evaluate(s, player), 0))
            return ordinal(0.0)
        plies = abs(code) - 1
        score = WIN - plies
        if not game.in_time(s, plies):
            self.counts[ESTIMATES] += 1
            score = ordinal(self.range_here[MOST] * (1.0 - (plies + 1) * GRAIN))
        return score if code > 0 else -score

    def finite(self, value: float, ply: int) -> float:
        """An estimate, if it is a number."""
        if not -math.inf < value < math.inf:
            self.fail(ply)
        return value

    def least(self, value: float, turn: int) -> int:
        """The score of a lower bound on the mover's utility."""
        if value <= self.low_for(turn):
            return -TOP
        if self.decisive and value >= self.high_for(turn):
            value = self.high_for(turn)
        return ordinal(value if turn > 0 else value - self.range_here[TOTAL])

    def most(self, value: float, turn: int) -> int:
        """The score of an upper bound on the mover's utility."""
        if value >= self.high_for(turn):
            return TOP
        return ordinal(value if turn > 0 else value - self.range_here[TOTAL])

    def low_for(self, turn: int) -> float:
        here = self.range_here
        return here[LEAST] if turn > 0 else here[TOTAL] - here[MOST]  # type: ignore[no-any-return]

    def high_for(self, turn: int) -> float:
        here = self.range_here
        return here[MOST] if turn > 0 else here[TOTAL] - here[LEAST]  # type: ignore[no-any-return]


def range_of(game: Game, player: int) -> tuple[float, float, float]:
    """A player's least and greatest utility, and the sum of its utility and its opponent's (0 if unknown)."""
    low, high = (float(bound) for bound in game.utility_bounds(player))
    for other in range(game.players):
        if game.side(other) != game.side(player):
            total = low + float(game.utility_bounds(other)[1])
            return low, high, total if -math.inf < total < math.inf else 0.0
    return low, high, 0.0
