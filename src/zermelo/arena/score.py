"""The score of a match and the Elo difference that it indicates, with an interval and the chance of superiority.

The interval is for the player's expected score against this opponent, over all openings and both sides, converted to
Elo by the logistic curve.

Games from one opening belong together: the opening's advantage goes to one player in one game and to the other in the
next, so the two results are far from independent. The *pair* is therefore the unit, with 0, ½, 1, 1½ or 2 points; for
such units the likelihood of `likelihood.py` needs no model of draws, of sides or of openings. The interval holds every
expected score whose likelihood ratio is not beyond the 95 % point of χ² with one degree of freedom (Wilks 1938; Owen
1988). Unlike the score ± 1.96 standard errors it follows the lopsided distribution of a lopsided match, never leaves
the range from 0 to 1, and remains valid if all pairs ended alike and their spread is zero.

In short matches the likelihood underestimates results that have not occurred yet, and its interval is too narrow. So
three quarters of a pair count as seen before the first game, with wins, draws and losses in equal parts. This weak
Dirichlet prior affects the interval, not the score. Its form and weight were chosen by simulation; `docs/ratings.md`
has the coverage in simulated matches.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from statistics import NormalDist
from typing import Any

from zermelo.arena.elo import elo_of_score, finite, score_of_elo
from zermelo.arena.likelihood import Unit, log_likelihood, mean

PRIOR_PAIR = (1 / 12, 2 / 12, 3 / 12, 2 / 12, 1 / 12)
"""The prior count of each result of a pair."""

PRIOR_GAME = (1 / 4, 1 / 4, 1 / 4)
"""The same for single games."""

CONFIDENCE = 0.95


class Score:
    """The results of one player against another, game by game.

    `add` adds a finished game: the player's points (1, ½ or 0) and, if it is one of two games from the same opening
    with the sides exchanged, a name for that pair. Until its partner is added, a game counts as a single one.
    Everything else is computed from counts on demand, so its cost does not grow with the match.
    """

    def __init__(self, confidence: float = CONFIDENCE):
        if not 0 < confidence < 1:
            raise ValueError(f"the confidence is between 0 and 1, as 0.95 is, not {confidence}")
        self.confidence = confidence
        self.results = [0, 0, 0]  # losses, draws, wins
        self.pairs = [0, 0, 0, 0, 0]  # by half points
        self.singles = [0, 0, 0]  # games without a partner, by half points
        self._waiting: dict[Hashable, int] = {}
        self._complete: set[Hashable] = set()

    @classmethod
    def of(cls, pairs: Iterable[tuple[float, float]], games: Iterable[float] = ()) -> Score:
        """The score of a match: the points of both games of every pair, and those of games without a partner."""
        score = cls()
        for first, second in pairs:
            one, two = _half_points(first), _half_points(second)
            score.results[one] += 1
            score.results[two] += 1
            score.pairs[one + two] += 1
        for points in games:
            score.add(points)
        return score

    def add(self, points: float, pair: Hashable = None) -> None:
        """Add a game."""
        half = _half_points(points)
        if pair in self._complete:
            raise ValueError(f"pair {pair!r} already has two games; a third one needs another pair")
        self.results[half] += 1
        if pair in self._waiting:
            partner = self._waiting.pop(pair)
            self._complete.add(pair)
            self.singles[partner] -= 1
            self.pairs[partner + half] += 1
        else:
            self.singles[half] += 1
            if pair is not None:
                self._waiting[pair] = half

    @property
    def wins(self) -> int:
        return self.results[2]

    @property
    def draws(self) -> int:
        return self.results[1]

    @property
    def losses(self) -> int:
        return self.results[0]

    @property
    def games(self) -> int:
        return sum(self.results)

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """The share of the points, a half before the first game."""
        return self.points / self.games if self.games else 0.5

    @property
    def elo(self) -> float:
        """The difference in Elo with this expected score."""
        return elo_of_score(self.score)

    @property
    def low(self) -> float:
        """The lower end of the interval for the difference in Elo; minus infinity if all games were lost."""
        return self._end(-1)

    @property
    def high(self) -> float:
        """The upper end of the interval for the difference in Elo; infinity if all games were won."""
        return self._end(1)

    @property
    def superiority(self) -> float:
        """The probability that the player is better: the confidence at which one end of the interval is 0 Elo."""
        return NormalDist().cdf(-self._distance(0.0)) if self.games else 0.5

    def _units(self) -> list[Unit]:
        """All results with their counts and the prior's."""
        if not any(self.pairs):
            return [Unit(half / 2, 1, self.singles[half] + PRIOR_GAME[half]) for half in range(3)]
        pairs = [Unit(half / 2, 2, self.pairs[half] + PRIOR_PAIR[half]) for half in range(5)]
        return pairs + [Unit(half / 2, 1, self.singles[half]) for half in range(3)]

    def _distance(self, elo: float) -> float:
        """The signed root of the likelihood ratio: standard deviations above the most likely difference."""
        units, expected = self._units(), score_of_elo(elo)
        return math.copysign(math.sqrt(max(0.0, -2 * log_likelihood(units, expected))), expected - mean(units))

    def _end(self, side: int) -> float:
        if not self.games or self.score == (1 + side) / 2:
            return side * math.inf
        normal = NormalDist().inv_cdf(0.5 + self.confidence / 2)
        start = side * elo_of_score(mean(self._units()))
        return side * _crossing(lambda elo: side * self._distance(side * elo) - normal, start)

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data; None for infinite numbers."""
        return {
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "pairs": list(self.pairs),
            "singles": list(self.singles),
            "score": self.score,
            "elo": finite(self.elo),
            "low": finite(self.low),
            "high": finite(self.high),
            "confidence": self.confidence,
            "superiority": self.superiority,
        }

    def __str__(self) -> str:
        return (
            f"+{self.wins} ={self.draws} -{self.losses}: {self.score:.1%}, "
            f"Elo {self.elo:+z.0f} ({self.low:+z.0f} to {self.high:+z.0f}), superior with {self.superiority:.1%}"
        )


def _half_points(points: float) -> int:
    if points not in (0, 0.5, 1):
        raise ValueError(f"a game is worth 1 point, ½ or 0, not {points}; for other stakes use arena.points")
    return round(2 * points)


def _crossing(rising: Callable[[float], float], low: float) -> float:
    """The zero of an increasing function that is negative at `low`, by false position with the Illinois rule."""
    high, step = low, 20.0
    below = above = rising(low)
    while above <= 0:
        low, below, high, step = high, above, high + step, step * 2
        above = rising(high)
    last = 0
    while high - low > 1e-6:
        middle = high - above * (high - low) / (above - below)
        value = rising(middle)
        if abs(value) < 1e-9:
            return middle
        side = 1 if value > 0 else -1
        if side > 0:
            high, above, below = middle, value, below / 2 if side == last else below
        else:
            low, below, above = middle, value, above / 2 if side == last else above
        last = side
    return high
