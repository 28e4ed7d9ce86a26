"""Time by the clock: more if the answer changes, less if it is stable, and never more than there is."""

from __future__ import annotations

import pytest

from zermelo import Random
from zermelo.search.engine import Clock
from zermelo.search.engine.clock import CALM, EASY, Pace

UNIT = 0.0125


def soft(*found: tuple[str, float], clock: Clock | None = None) -> float:
    """The share of the usual time, after depths with these best moves and values."""
    pace = Pace(clock or Clock(60))
    for best, value in found:
        pace.note(best, value, UNIT)
    return pace.soft / pace.usual


def test_a_stable_answer_needs_less_time_and_a_new_one_more() -> None:
    changed = soft(*[("a", 0.0)] * 5, ("b", 0.0))
    stable = soft(("b", 0.0), *[("a", 0.0)] * 8)
    assert changed == CALM[0] > 1 > stable == CALM[-1]


def test_an_easy_move_takes_the_least() -> None:
    assert soft(*[("a", 0.0)] * (len(CALM) + 1)) == EASY < CALM[-1]


def test_a_falling_score_needs_more_time() -> None:
    calm = soft(*[("a", 0.0)] * 4)
    worried = soft(*[("a", 0.0)] * 3, ("a", -4 * UNIT))
    alarmed = soft(*[("a", 0.0)] * 3, ("a", -1.0))
    assert calm < worried < alarmed == pytest.approx(calm + 1)
    assert soft(*[("a", 0.0)] * 3, ("a", 0.5)) == calm  # a rising one does not


def test_a_game_with_few_moves_left_spends_what_it_has() -> None:
    clock = Clock(10)
    assert clock.limits(3)[0] > 5 * clock.limits(30)[0]
    assert clock.limits(1)[1] <= 6.0
    assert clock.limits(500) == clock.limits(30)
    assert Clock(10, moves_to_go=2).limits(30)[0] > Clock(10, moves_to_go=20).limits(30)[0]


@pytest.mark.parametrize(("seconds", "increment", "control"), [(3, 0.05, None), (60, 0, None), (5, 0.1, 40)])
def test_the_sum_stays_within_the_clock(seconds: float, increment: float, control: int | None) -> None:
    """Simulated searches, each depth two to five times as long as the last, best moves and scores at random."""
    random = Random(7)
    for _ in range(10):
        left, used = seconds, []
        for number in range(150):
            to_go = None if control is None else control - number % control
            pace = Pace(Clock(left, increment, to_go))
            passed, cost = 0.0, 0.0002 * seconds
            while passed < pace.soft:
                cost *= 2 + 3 * random.uniform()
                passed = min(passed + cost, pace.hard)
                if passed < pace.hard:
                    pace.note("ab"[random.below(2)], random.uniform() - 0.5, UNIT)
            left -= passed
            used.append(passed)
            assert left > 0, used
            left += increment + (seconds if to_go == 1 else 0)
        assert sum(used[:60]) > 0.5 * seconds  # and time is not hoarded
