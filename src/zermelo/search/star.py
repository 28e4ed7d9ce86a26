"""What Star1 and Star2 share: the outcomes of chance nodes, and bounds on what they are worth.

A chance node is worth an average; while some of its outcomes are unknown, the average lies
between what the known ones give with the rest as low, and with the rest as high, as can be. When even the highest
is at most alpha, or the lowest at least beta, the rest need not be searched (Ballard 1983).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.kernel.history import forget, remember
from zermelo.search.bookkeeping import FAULT
from zermelo.search.search import Search

MARGIN = 1e-12
"""How much wider a child's window is than necessary, relative to the utility, so that rounding cannot matter."""


class StarSearch(Search):
    """Bookkeeping with the outcomes of each chance node on the path, and what is known of their values.

    outcome [ply][i], odds [ply][i]   the outcomes and their probabilities
    lower   [ply][i], upper [ply][i]  bounds on their values
    probe   [ply][i]                  what a probe has found for the first move below, or NaN
    """

    def __init__(self, *, compiled: bool, plies: int, width: int, **rest: Any):
        super().__init__(compiled=compiled, plies=plies, width=width, **rest)
        self.outcome = np.empty((plies + 1, width), np.int64 if compiled else object)
        self.odds = np.empty((plies + 1, width))
        self.lower = np.empty((plies + 1, width))
        self.upper = np.empty((plies + 1, width))
        self.probe = np.empty((plies + 1, width))
        self.margin = np.array([MARGIN * max(abs(self.bounds[0]), abs(self.bounds[1]))])

    def list_outcomes(self, game: Any, s: Any, ply: int) -> int:
        """List the outcomes of a chance node, with unknown values; returns how many there are."""
        count = 0
        total = 0.0
        for outcome, probability in game.outcomes(s):
            if probability > 0.0:
                if count == self.odds.shape[1]:
                    self.counts[FAULT] = ply
                    raise GameError("a chance node has more outcomes than the game's max_actions (256 by default)")
                self.outcome[ply, count] = outcome
                self.odds[ply, count] = probability
                self.lower[ply, count] = self.bounds[0]
                self.upper[ply, count] = self.bounds[1]
                self.probe[ply, count] = np.nan
                count += 1
            total += self.probability(ply, probability)
        self.check_total(ply, total)
        return count

    def at_least(self, ply: int, known: float, start: int, count: int) -> float:
        """The least that the average can be, given the sum of what comes before `start`."""
        for i in range(start, count):
            known += self.odds[ply, i] * self.lower[ply, i]
        return known

    def at_most(self, ply: int, known: float, start: int, count: int) -> float:
        """The most that the average can be. Added in order, as the true sum is: rounding cannot turn them around."""
        for i in range(start, count):
            known += self.odds[ply, i] * self.upper[ply, i]
        return known

    def child_alpha(self, ply: int, i: int, alpha: float, others: float) -> float:
        """What outcome i must exceed for the average to exceed alpha, given what the others are worth at most."""
        return float(max(self.bounds[0], (alpha - others - self.margin[0]) / self.odds[ply, i]))

    def child_beta(self, ply: int, i: int, beta: float, others: float) -> float:
        """What outcome i must stay below for the average to stay below beta."""
        return float(min(self.bounds[1], (beta - others + self.margin[0]) / self.odds[ply, i]))

    def check_estimate(self, ply: int, value: float) -> None:
        """An estimate must lie within the bounds that the pruning relies on."""
        if not self.bounds[0] <= value <= self.bounds[1]:
            self.counts[FAULT] = ply
            raise GameError("evaluate gives a value outside the game's utility_range")

    def enter_probe(self, game: Any, s: Any, ply: int) -> None:
        """The search looks below a node that it may visit later: observers are notified, nothing is counted."""
        remember(game, s)
        self.on_visit(ply)

    def leave_probe(self, game: Any) -> None:
        """The search leaves a node that it has only looked below."""
        forget(game)
