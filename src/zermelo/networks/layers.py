"""The arithmetic of layers, written so that it runs in vector registers.

A loop over units reads and writes arrays that are local names: the address of a table would be loaded again after each
write. The sums of a dot product are kept in eight numbers, which become one vector register. So the order of additions
is fixed, and both modes agree up to the rounding of single precision.
"""

from __future__ import annotations

from typing import Any

import numpy as np

LANES = 8
"""A layer has a multiple of so many units."""

ZERO, EIGHTH, QUARTER, HALF, ONE, FOUR = (np.float32(x) for x in (0, 1 / 8, 1 / 4, 1 / 2, 1, 4))


def squash(sums: Any, units: int, hidden: Any) -> None:
    """Each unit's answer to its sum: a sigmoid made of two parabolas, 0 below −4 and 1 above 4.

    It needs neither an exponential nor a division. Its slope at 0 is that of the logistic function.
    """
    for j in range(units):
        x = min(max(sums[j], -FOUR), FOUR)
        hidden[j] = HALF + QUARTER * x * (ONE - EIGHTH * abs(x))


def slopes(sums: Any, units: int, errors: Any) -> None:
    """Multiply each unit's error by the slope of its answer."""
    for j in range(units):
        errors[j] *= QUARTER * (ONE - QUARTER * min(abs(sums[j]), FOUR))


def dot(weights: Any, phase: int, row: int, hidden: Any, units: int) -> Any:
    """The sum of one row of weights times the units of a layer."""
    a = b = c = d = e = f = g = h = ZERO
    for j in range(0, units, LANES):
        a += weights[phase, row, j] * hidden[j]
        b += weights[phase, row, j + 1] * hidden[j + 1]
        c += weights[phase, row, j + 2] * hidden[j + 2]
        d += weights[phase, row, j + 3] * hidden[j + 3]
        e += weights[phase, row, j + 4] * hidden[j + 4]
        f += weights[phase, row, j + 5] * hidden[j + 5]
        g += weights[phase, row, j + 6] * hidden[j + 6]
        h += weights[phase, row, j + 7] * hidden[j + 7]
    return ((a + b) + (c + d)) + ((e + f) + (g + h))


def add_row(weights: Any, phase: int, row: int, factor: Any, units: int, sums: Any) -> None:
    """Add one row of weights, times a factor, to the sums."""
    for j in range(units):
        sums[j] += factor * weights[phase, row, j]


def copy_units(source: Any, units: int, target: Any) -> None:
    """Copy numbers from one array to another."""
    for j in range(units):
        target[j] = source[j]
