"""Elo's scale: a difference of ratings is the logarithm of the odds, 400 points to a factor of ten (Elo 1978)."""

from __future__ import annotations

import math

PER_NAT = 400 / math.log(10)
"""Elo points for one unit of the natural logarithm of the odds."""


def score_of_elo(elo: float) -> float:
    """The expected score of a player who is rated this much higher: 0.5 for 0, 10/11 for 400."""
    odds = math.exp(-abs(elo) / PER_NAT)
    return 1 / (1 + odds) if elo >= 0 else odds / (1 + odds)


def elo_of_score(score: float) -> float:
    """The rating difference that gives this expected score; infinite for 0 and 1."""
    if not 0 <= score <= 1:
        raise ValueError(f"a score is the share of the points, from 0 to 1, not {score}")
    if score in (0, 1):
        return math.inf if score else -math.inf
    return PER_NAT * (math.log(score) - math.log1p(-score))


def finite(number: float) -> float | None:
    """The number, or None if it is infinite, which JSON cannot express."""
    return number if math.isfinite(number) else None
