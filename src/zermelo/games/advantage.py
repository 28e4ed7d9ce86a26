"""Evaluations on one scale with the results: a large advantage counts less, and never as much as a win."""

from __future__ import annotations

import math

NEAR, STEEP = 0.8, 64.0
"""Up to this value it is the weighted sum; beyond, it grows more slowly, so that no sum reaches a win."""

MOST = 0.99
"""The greatest value of a position that is not terminal."""

GRAINS = 4096.0
"""Values are multiples of one part in this many of a win, which single precision represents exactly."""


def compressed(total: float) -> float:
    """The value of a weighted sum. Compiled with the evaluations that use it."""
    value = abs(total)
    if value > NEAR:
        value = min(NEAR + (value - NEAR) / STEEP, MOST)
    value = int(value * GRAINS) / GRAINS
    return value if total > 0.0 else -value


def expanded(value: float) -> float:
    """The weighted sum that has this value."""
    size = abs(value)
    if size > NEAR:
        size = NEAR + (size - NEAR) * STEEP
    return math.copysign(size, value)
