"""The greatest likelihood of results for a given expected score: the basis of intervals and of the SPRT.

The only assumption is that the *units* of a match (a pair of games from one opening, or a single game) are independent
and identically distributed. Of all distributions with expected score s, the most likely one gives a unit k, seen n_k
times, the weight n_k / (N (1 + λ g_k)). Here g_k is the unit's score minus its expectation at s, and λ makes the mean
of g zero. This is Owen's empirical likelihood (1988). For pairs it is the generalised likelihood of engine testing
(Van den Bergh's notes, github.com/vdbergh/pentanomial). Results that were never seen may have weight too, which keeps
all s from 0 to 1 possible: hence the ends of the range of λ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple


class Unit(NamedTuple):
    """A result (points from the games of one unit), and how often it was seen."""

    points: float
    games: int
    seen: float


def mean(units: Sequence[Unit]) -> float:
    """The share of the points."""
    return sum(unit.points * unit.seen for unit in units) / sum(unit.games * unit.seen for unit in units)


def log_likelihood(units: Sequence[Unit], score: float) -> float:
    """The log-likelihood of the best distribution with this expected score, less that of the best of all: 0 or less.

    By duality it is minus the maximum over λ of Σ n_k log(1 + λ g_k), a concave function of one variable: Newton's
    method, with bisection if it would leave the range.
    """
    if not 0 < score < 1:
        raise ValueError(f"an expected score lies between 0 and 1, not at {score}")
    largest = max((games for _, games, _ in units), default=1)
    low, high = -1 / (largest * (1 - score)), 1 / (largest * score)
    seen = [(count, points - games * score) for points, games, count in units if count]
    for end in (low, high):  # the worst or the best result, never seen, has weight here
        if all(1 + end * excess > 1e-12 for _, excess in seen) and end * _slopes(seen, end)[0] >= 0:
            return -sum(count * math.log1p(end * excess) for count, excess in seen)
    tilt = 0.0
    for _ in range(100):
        slope, curvature = _slopes(seen, tilt)
        low, high = (tilt, high) if slope > 0 else (low, tilt)
        step = slope / curvature if curvature else 0.0
        if abs(step) <= 1e-12 * (high - low) or high - low < 1e-15:
            break
        tilt = tilt + step if low < tilt + step < high else (low + high) / 2
    return -sum(count * math.log1p(tilt * excess) for count, excess in seen)


def _slopes(seen: Sequence[tuple[float, float]], tilt: float) -> tuple[float, float]:
    """The derivative by λ of Σ n log(1 + λ g), and minus the second derivative."""
    slope = curvature = 0.0
    for count, excess in seen:
        ratio = excess / (1 + tilt * excess)
        slope += count * ratio
        curvature += count * ratio * ratio
    return slope, curvature
