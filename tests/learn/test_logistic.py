"""Logistic regression on sparse rows: the quick fit against the simple one."""

from __future__ import annotations

import math
import signal
from typing import Any

import numpy as np
import pytest

from zermelo.learn.logistic import Rows, chances, fit, fit_by_gradient, joined


def random_rows(seed: int, count: int, columns: int) -> tuple[Rows, np.random.Generator]:
    """Rows of up to five amounts, some of them in the same column, and some rows without any."""
    random = np.random.default_rng(seed)
    lengths = random.integers(0, 6, count)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    numbers = random.integers(0, columns, starts[-1]).astype(np.int32)
    return Rows(numbers, random.normal(size=starts[-1]).astype(np.float32), starts, columns), random


def dense(rows: Rows) -> Any:
    matrix = np.zeros((rows.count, rows.columns))
    for i in range(rows.count):
        for k in range(rows.starts[i], rows.starts[i + 1]):
            matrix[i, rows.numbers[k]] += rows.amounts[k]
    return matrix


def test_sparse_rows_are_a_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, random = random_rows(1, 200, 7)
    matrix = dense(rows)
    for chunk in (1, 50, 1 << 19):
        monkeypatch.setattr("zermelo.learn.logistic.CHUNK", chunk)
        weights, values = random.normal(size=7), random.normal(size=200)
        assert rows.times(weights) == pytest.approx(matrix @ weights)
        assert rows.transposed_times(values) == pytest.approx(matrix.T @ values)
    wanted = random.random(200) < 0.5
    assert dense(rows.chosen(wanted)) == pytest.approx(matrix[wanted])
    assert dense(joined([rows.chosen(wanted), rows])) == pytest.approx(np.vstack([matrix[wanted], matrix]))


@pytest.mark.parametrize("seed", range(8))
def test_quick_fit_equals_the_simple_one(seed: int) -> None:
    rows, random = random_rows(seed, 150, 6)
    targets = random.choice([0.0, 0.5, 1.0], 150)
    penalty = float(random.choice([0.1, 1.0, 10.0]))
    prior = random.normal(size=6) if seed % 2 else None
    simple, simple_intercept = fit_by_gradient(rows, targets, penalty, intercept_penalty=0.5, prior=prior)
    quick, quick_intercept = fit(rows, targets, penalty, intercept_penalty=0.5, prior=prior, tolerance=1e-9)
    assert quick == pytest.approx(simple, abs=1e-6)
    assert quick_intercept == pytest.approx(simple_intercept, abs=1e-6)


def test_results_that_nothing_explains_otherwise_do_not_run_away() -> None:
    """Where a feature tells every result, without a penalty its weight would be infinite."""
    rows = Rows(np.zeros(10, np.int32), np.array([1.0] * 5 + [-1.0] * 5), np.arange(11), 1)
    weights, intercept = fit(rows, np.array([1.0] * 5 + [0.0] * 5), 1.0, tolerance=1e-9)
    simple, _ = fit_by_gradient(rows, np.array([1.0] * 5 + [0.0] * 5), 1.0)
    assert weights == pytest.approx(simple, abs=1e-6)
    assert 0 < weights[0] < 10
    assert abs(intercept) < 1e-6


def test_known_weights_are_recovered() -> None:
    rows, random = random_rows(5, 40_000, 8)
    true = random.normal(size=8)
    targets = (random.random(40_000) < chances(rows.times(true) + 0.3)).astype(float)
    found, intercept = fit(rows, targets, 1.0)
    assert found == pytest.approx(true, abs=0.1)  # more than four standard errors
    assert intercept == pytest.approx(0.3, abs=0.05)


def test_a_constant_feature_takes_the_intercept_s_place() -> None:
    rows = Rows(np.zeros(1000, np.int32), np.ones(1000), np.arange(1001), 1)
    weights, intercept = fit(rows, np.arange(1000) % 4 > 0, 1.0, intercept_penalty=100.0, tolerance=1e-9)
    assert weights[0] / intercept == pytest.approx(100, rel=1e-3)
    assert weights[0] + intercept == pytest.approx(math.log(3), abs=0.02)


def test_a_fit_that_is_interrupted_keeps_its_last_step() -> None:
    rows, random = random_rows(1, 500, 6)
    targets = random.choice([0.0, 1.0], 500)
    whole = fit(rows, targets, 1.0)[0]

    def interrupt(step: int, loss: float) -> None:
        if step == 2:
            signal.raise_signal(signal.SIGINT)

    told: list[int] = []
    part = fit(rows, targets, 1.0, on_step=interrupt, on_interrupt=lambda: told.append(1))[0]
    assert told == [1]
    assert np.abs(part - whole).max() < np.abs(whole).max() / 10
    with pytest.raises(KeyboardInterrupt):
        fit(rows, targets, 1.0, on_step=interrupt)
