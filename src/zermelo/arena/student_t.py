"""Student's t distribution, for means of few observations with unknown spread (Student 1908)."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist


def chance_below(t: float, freedom: float) -> float:
    """The probability that a variable with this many degrees of freedom is less than t."""
    if freedom <= 0:
        raise ValueError(f"Student's t needs more than 0 degrees of freedom, not {freedom}")
    if math.isinf(t):
        return 1.0 if t > 0 else 0.0
    square = t * t
    if square <= freedom:
        tail = 0.5 - _beta(square / (freedom + square), 0.5, freedom / 2) / 2
    else:
        tail = _beta(freedom / (freedom + square), freedom / 2, 0.5) / 2
    return 1 - tail if t > 0 else tail


@lru_cache(maxsize=4096)
def quantile(chance: float, freedom: float) -> float:
    """The quantile: a variable with this many degrees of freedom is less than it with this probability."""
    if not 0 < chance < 1:
        raise ValueError(f"a quantile is of a probability between 0 and 1, not {chance}")
    if chance < 0.5:
        return -quantile(1 - chance, freedom)
    low, high = 0.0, max(1.0, NormalDist().inv_cdf(chance))
    while chance_below(high, freedom) < chance:
        low, high = high, high * 2
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if chance_below(middle, freedom) < chance else (low, middle)
    return high


def _beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Abramowitz and Stegun 1964, 26.5.8)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # here the fraction converges slowly, but its mirror image does not
        return 1 - _beta(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    above = 1.0
    below = fraction = 1 / (1 - (a + b) * x / (a + 1))
    for m in range(1, 10_000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            above, below = 1 + step / above, 1 / (1 + step * below)
            fraction *= above * below
        if abs(above * below - 1) < 1e-15:
            break
    return front * fraction
