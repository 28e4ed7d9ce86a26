"""When to stop a match: Wald's sequential probability ratio test, on pairs of games.

A match of fixed length is longer than most questions need. Wald's test (1945) continues only while the ratio of the
likelihoods of two hypotheses lies between two bounds. No test with the same error rates is shorter on average (Wald and
Wolfowitz 1948). Here the hypotheses only fix the expected score, so each gets the likelihood of its best distribution
of pair results: the generalised test (Li, Liu and Ying 2014) that chess engines use, with five results of a pair (Van
den Bergh's notes, github.com/vdbergh/pentanomial).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from zermelo.arena.elo import score_of_elo
from zermelo.arena.likelihood import Unit, log_likelihood

Decision = Literal["accept", "reject", "go on"]


class Sprt:
    """Is a player `elo1` better than the other, or only `elo0`?

    A player who is truly elo0 better, or less, is accepted with a chance of at most about `alpha`; one who is elo1
    better, or more, is rejected with a chance of at most about `beta`. In between, either may happen.
    """

    def __init__(self, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05):
        if not (math.isfinite(elo0) and math.isfinite(elo1) and elo0 < elo1):
            raise ValueError(f"elo0 must be less than elo1, both finite, not {elo0} and {elo1}")
        if not (0 < alpha < 0.5 and 0 < beta < 0.5):
            raise ValueError(f"the chances of error lie between 0 and 0.5, not at alpha={alpha} and beta={beta}")
        self.elo0, self.elo1, self.alpha, self.beta = elo0, elo1, alpha, beta
        self.scores = score_of_elo(elo0), score_of_elo(elo1)

    @property
    def lower(self) -> float:
        """If the log-likelihood ratio falls to this, elo1 is rejected."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """If the log-likelihood ratio rises to this, elo1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, results: Sequence[float]) -> float:
        """The logarithm of the ratio of likelihoods, elo1 to elo0.

        Five counts are the pairs with 0, ½, 1, 1½ and 2 points; three counts are the games lost, drawn and won. Do not
        count pairs of games from one opening as games: the two are not independent.

        After n of them the ratio is multiplied by n / (n + 1). This matters only in short tests, in which the spread is
        estimated from few pairs and the full ratio would err too often.
        """
        if len(results) not in (3, 5) or min(results) < 0:
            raise ValueError(f"counts of the 5 results of a pair or the 3 of a game, none negative, not {results!r}")
        games = len(results) // 2
        units = [Unit(half / 2, games, count) for half, count in enumerate(results)]
        null, alternative = (log_likelihood(units, score) for score in self.scores)
        seen = sum(results)
        return (alternative - null) * seen / (seen + 1)

    def decision(self, results: Sequence[float]) -> Decision:
        """Whether elo1 is accepted or rejected by these results, or the match goes on.

        The first answer that is not "go on" is final. The error rates hold for this answer.
        """
        llr = self.llr(results)
        return "accept" if llr >= self.upper else "reject" if llr <= self.lower else "go on"

    def chance_to_accept(self, elo: float) -> float:
        """The probability of "accept" at a true difference in Elo (Wald's formula, for small steps)."""
        pull = self._pull(elo)
        if abs(pull) < 1e-5:
            return self.lower / (self.lower - self.upper)
        return math.expm1(-pull * self.lower) / (math.exp(-pull * self.lower) - math.exp(-pull * self.upper))

    def expected_pairs(self, elo: float, deviation: float) -> float:
        """The expected number of pairs at a true difference in Elo (Wald's formula, for small steps).

        `deviation` is the standard deviation of a pair's score, as a share of its points: 0.354 for two independent
        games that are never drawn, less with draws.
        """
        pull, chance = self._pull(elo), self.chance_to_accept(elo)
        null, alternative = self.scores
        variance = ((alternative - null) / deviation) ** 2
        if abs(pull) < 1e-5:
            return -self.lower * self.upper / variance
        return (chance * self.upper + (1 - chance) * self.lower) / (pull * variance / 2)

    def _pull(self, elo: float) -> float:
        """Twice the mean of what a pair adds to the ratio, divided by its variance.

        Both follow from the ratio's approximation for long matches, N (s1 - s0) (2 s - s0 - s1) / (2 deviation²), in
        Van den Bergh's notes.
        """
        null, alternative = self.scores
        return (2 * score_of_elo(elo) - null - alternative) / (alternative - null)
