"""The arithmetic of layers in integers: loops that become vector instructions. Both modes agree to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.kernel.loops import vector_loop

ONE = 181
"""A unit's full answer in the first layer: its square is the largest that fits into 16 bits."""
FINE = 256
"""Weights into the output are multiples of one part in this many."""
WHOLE = ONE * ONE * FINE
"""What 1 is in the sums of the output."""

NOTHING, FULL = np.int16(0), np.int16(ONE)


def _add_whole_rows(weights: Any, rows: Any, factors: Any, count: int, units: int, view: int, sums: Any) -> None:
    chosen = np.asarray(weights, np.int64)[rows[:count], :units]
    sums[view, :units] += (np.asarray(factors[:count], np.int64) @ chosen).astype(np.int16)


@vector_loop(_add_whole_rows)
def add_whole_rows(weights: Any, rows: Any, factors: Any, count: int, units: int, view: int, sums: Any) -> None:
    """Add rows of weights, each times its whole factor, to the sums of one view: four at a time.

    If fewer are left, the last one is repeated with the factor 0.
    """
    for i in range(0, count, 4):
        last = count - 1
        a, b, c, d = rows[i], rows[min(i + 1, last)], rows[min(i + 2, last)], rows[min(i + 3, last)]
        w = np.int16(factors[i])
        x = np.int16(factors[i + 1] if i + 1 < count else 0)
        y = np.int16(factors[i + 2] if i + 2 < count else 0)
        z = np.int16(factors[i + 3] if i + 3 < count else 0)
        for j in range(units):
            sums[view, j] += np.int16(w * weights[a, j] + x * weights[b, j] + y * weights[c, j] + z * weights[d, j])


def _squared_dot(sums: Any, first: int, second: int, weights: Any, row: int, units: int) -> int:
    clipped = np.clip(np.asarray(sums, np.int64)[[first, second], :units], 0, ONE).ravel()
    return int((clipped * clipped) @ np.asarray(weights[row], np.int64))


@vector_loop(_squared_dot)
def squared_dot(sums: Any, first: int, second: int, weights: Any, row: int, units: int) -> int:
    """The weighted sum of the units' answers, those of one view before those of the other.

    A unit's answer is its sum, at least 0 and at most ONE, squared.
    """
    total = np.int32(0)
    for j in range(units):
        x = min(max(sums[first, j], NOTHING), FULL)
        total += np.int32(np.int16(x * x)) * np.int32(weights[row, j])
    for j in range(units):
        x = min(max(sums[second, j], NOTHING), FULL)
        total += np.int32(np.int16(x * x)) * np.int32(weights[row, units + j])
    return total  # type: ignore[return-value]


def _copy_bias(bias: Any, units: int, view: int, sums: Any) -> None:
    sums[view, :units] = bias[:units]


@vector_loop(_copy_bias)
def copy_bias(bias: Any, units: int, view: int, sums: Any) -> None:
    """Begin the sums of one view."""
    for j in range(units):
        sums[view, j] = bias[j]
