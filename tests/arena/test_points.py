"""Points a game, by Student's t over units."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from zermelo.arena import student_t
from zermelo.arena.points import Points


def test_student_t() -> None:
    """Published percentage points: Pearson and Hartley, Biometrika Tables for Statisticians, table 12."""
    for freedom, t in ((1, 12.706), (2, 4.303), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980)):
        assert student_t.quantile(0.975, freedom) == pytest.approx(t, abs=5e-4)
        assert student_t.chance_below(-t, freedom) == pytest.approx(0.025, abs=5e-5)
    assert student_t.quantile(0.1, 4) == -student_t.quantile(0.9, 4)
    assert student_t.quantile(0.975, 1e7) == pytest.approx(1.959964, abs=1e-5)
    assert student_t.chance_below(0, 3) == 0.5


def test_points_are_a_mean_over_units() -> None:
    points = Points()
    assert (points.mean, points.low, points.high, points.superiority) == (0, -math.inf, math.inf, 0.5)
    totals = [3, -1, 4, 1, -5, 9]
    for unit, total in enumerate(totals):
        points.add(total - 10, unit)
        points.add(10, unit)
    error = np.std(totals, ddof=1) / 2 / math.sqrt(6)
    assert points.mean == pytest.approx(np.mean(totals) / 2)
    assert points.error == pytest.approx(error)
    assert points.high - points.mean == pytest.approx(2.570582 * error)
    assert points.units == 6
    assert str(points) == "+0.917 a game (-1.58 to +3.41) in 12 games"
    assert json.loads(json.dumps(points.to_json(), allow_nan=False))["games"] == 12
    with pytest.raises(ValueError, match="a finite number, not nan"):
        points.add(math.nan)


def test_points_that_never_differ_say_nothing_of_the_spread() -> None:
    points = Points()
    for unit in range(5):
        points.add(0.1, unit)
    assert points.mean == pytest.approx(0.1)
    assert points.to_json()["low"] is None
    points.add(1e9 + 0.1)
    assert math.isfinite(points.low)


@pytest.mark.parametrize("units", [4, 30])
def test_points_cover_the_truth(units: int) -> None:
    """Stakes of a few points, with a deal that favours one side: the interval holds the mean in 95 % of the matches."""
    random = np.random.default_rng(17)
    deals = random.normal(0, 5, (1000, units, 1)) * [1, -1]
    gains = 0.4 + deals + random.integers(-3, 4, (1000, units, 2))
    covered = 0
    for match in gains:
        points = Points()
        for (unit, _), gain in np.ndenumerate(match):
            points.add(float(gain), unit)
        covered += points.low <= 0.4 <= points.high
    assert 930 <= covered <= 970
