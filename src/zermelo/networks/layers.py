"""The arithmetic of layers: loops that become vector instructions.

They take arrays and numbers rather than parts, because the address of a part's table would be loaded again after each
write. Beside each loop is what plain Python does instead, with whole arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.kernel.loops import vector_loop

LANES = 8
"""A layer has a multiple of so many units: one vector register."""

ZERO, EIGHTH, QUARTER, HALF, ONE, FOUR = (np.float32(x) for x in (0, 1 / 8, 1 / 4, 1 / 2, 1, 4))


def _squash(sums: Any, units: int, hidden: Any) -> None:
    x = np.clip(sums[:units], -FOUR, FOUR)
    hidden[:units] = HALF + QUARTER * x * (ONE - EIGHTH * np.abs(x))


@vector_loop(_squash)
def squash(sums: Any, units: int, hidden: Any) -> None:
    """Each unit's answer to its sum: a sigmoid made of two parabolas, 0 below −4 and 1 above 4.

    It needs neither an exponential nor a division. Its slope at 0 is that of the logistic function.
    """
    for j in range(units):
        x = min(max(sums[j], -FOUR), FOUR)
        hidden[j] = HALF + QUARTER * x * (ONE - EIGHTH * abs(x))


def _times_slopes(sums: Any, units: int, errors: Any) -> None:
    errors[:units] *= QUARTER * (ONE - QUARTER * np.minimum(np.abs(sums[:units]), FOUR))


@vector_loop(_times_slopes)
def times_slopes(sums: Any, units: int, errors: Any) -> None:
    """Multiply each unit's error by the slope of its answer."""
    for j in range(units):
        errors[j] *= QUARTER * (ONE - QUARTER * min(abs(sums[j]), FOUR))


def _dots(weights: Any, bias: Any, phase: int, hidden: Any, units: int, rows: int, totals: Any) -> None:
    totals[:rows] = weights[phase, :rows, :units] @ hidden[:units] + bias[phase, :rows]


@vector_loop(_dots)
def dots(weights: Any, bias: Any, phase: int, hidden: Any, units: int, rows: int, totals: Any) -> None:
    """The weighted sums of all rows, with their biases: five or four at a time, so that units are loaded less often."""
    k = 0
    while k + 4 <= rows:
        a, b, c, d, e = ZERO, ZERO, ZERO, ZERO, ZERO
        if k + 5 == rows:
            for j in range(units):
                x = hidden[j]
                a += weights[phase, k, j] * x
                b += weights[phase, k + 1, j] * x
                c += weights[phase, k + 2, j] * x
                d += weights[phase, k + 3, j] * x
                e += weights[phase, k + 4, j] * x
            totals[k + 4] = e + bias[phase, k + 4]
        else:
            for j in range(units):
                x = hidden[j]
                a += weights[phase, k, j] * x
                b += weights[phase, k + 1, j] * x
                c += weights[phase, k + 2, j] * x
                d += weights[phase, k + 3, j] * x
        totals[k], totals[k + 1] = a + bias[phase, k], b + bias[phase, k + 1]
        totals[k + 2], totals[k + 3] = c + bias[phase, k + 2], d + bias[phase, k + 3]
        k += 4 if k + 5 != rows else 5
    while k < rows:
        a = ZERO
        for j in range(units):
            a += weights[phase, k, j] * hidden[j]
        totals[k] = a + bias[phase, k]
        k += 1


def _add_row(weights: Any, phase: int, row: int, factor: Any, units: int, sums: Any) -> None:
    sums[:units] += np.float32(factor) * weights[phase, row, :units]


@vector_loop(_add_row)
def add_row(weights: Any, phase: int, row: int, factor: Any, units: int, sums: Any) -> None:
    """Add one row of weights, times a factor, to the sums."""
    x = np.float32(factor)
    for j in range(units):
        sums[j] += x * weights[phase, row, j]


def _add_rows(weights: Any, phase: int, rows: Any, factors: Any, begin: int, end: int, units: int, sums: Any) -> None:
    sums[:units] += np.asarray(factors[begin:end], np.float32) @ np.asarray(weights[phase, rows[begin:end], :units])


@vector_loop(_add_rows)
def add_rows(weights: Any, phase: int, rows: Any, factors: Any, begin: int, end: int, units: int, sums: Any) -> None:
    """Add rows of weights, each times its factor, to the sums: four at a time, so that sums are loaded less often.

    If fewer are left, the last one is repeated with the factor 0.
    """
    for i in range(begin, end, 4):
        more, most = min(i + 1, end - 1), min(i + 2, end - 1)
        a, b, c, d = rows[i], rows[more], rows[most], rows[min(i + 3, end - 1)]
        w = factors[i]
        x = factors[more] if i + 1 < end else ZERO
        y = factors[most] if i + 2 < end else ZERO
        z = factors[i + 3] if i + 3 < end else ZERO
        for j in range(units):
            sums[j] += (
                w * weights[phase, a, j]
                + x * weights[phase, b, j]
                + (y * weights[phase, c, j] + z * weights[phase, d, j])
            )


def _add_to_row(weights: Any, phase: int, row: int, factor: Any, units: int, amounts: Any) -> None:
    weights[phase, row, :units] += np.float32(factor) * amounts[:units]


@vector_loop(_add_to_row)
def add_to_row(weights: Any, phase: int, row: int, factor: Any, units: int, amounts: Any) -> None:
    """Add amounts, times a factor, to one row of weights."""
    x = np.float32(factor)
    for j in range(units):
        weights[phase, row, j] += x * amounts[j]


def _add_to_rows(
    weights: Any, phase: int, rows: Any, factors: Any, begin: int, end: int, units: int, amounts: Any
) -> None:
    for i in range(begin, end):  # one by one, since a row may occur more than once
        weights[phase, rows[i], :units] += np.float32(factors[i]) * amounts[:units]


@vector_loop(_add_to_rows)
def add_to_rows(
    weights: Any, phase: int, rows: Any, factors: Any, begin: int, end: int, units: int, amounts: Any
) -> None:
    """Add amounts, times the factor of each row, to rows of weights."""
    for i in range(begin, end):
        row, x = rows[i], factors[i]
        for j in range(units):
            weights[phase, row, j] += x * amounts[j]


def _add_to_bias(bias: Any, phase: int, units: int, amounts: Any) -> None:
    bias[phase, :units] += amounts[:units]


@vector_loop(_add_to_bias)
def add_to_bias(bias: Any, phase: int, units: int, amounts: Any) -> None:
    """Add amounts to the biases of one phase."""
    for j in range(units):
        bias[phase, j] += amounts[j]


def _copy_row(table: Any, row: int, units: int, target: Any) -> None:
    target[:units] = table[row, :units]


@vector_loop(_copy_row)
def copy_row(table: Any, row: int, units: int, target: Any) -> None:
    """Copy a row of a table."""
    for j in range(units):
        target[j] = table[row, j]


def _clear(errors: Any, units: int) -> None:
    errors[:units] = ZERO


@vector_loop(_clear)
def clear(errors: Any, units: int) -> None:
    """Set numbers to zero."""
    for j in range(units):
        errors[j] = ZERO
