"""The sequential test: its ratio against published figures, its errors and its length in simulated matches."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from support.simulated_matches import World
from zermelo.arena.elo import score_of_elo
from zermelo.arena.sequential import Sprt


def simulate(test: Sprt, world: World, elo: float, matches: int, seed: Any, every: int = 1) -> tuple[float, Any]:
    """The share of matches that end with "accept", and how many pairs each took; looked at after so many pairs."""
    random, strength = np.random.default_rng(seed), world.strength(elo)
    accepted, lengths = 0, []
    for _ in range(matches):
        counts, decision = np.zeros(5, dtype=int), "go on"
        while decision == "go on":
            for halves in world.pairs(random, strength, (50 * every,)).sum(axis=1).reshape(-1, every):
                counts += np.bincount(halves, minlength=5)
                decision = test.decision(counts.tolist())
                if decision != "go on":
                    break
        accepted += decision == "accept"
        lengths.append(counts.sum())
    return accepted / matches, np.array(lengths)


def deviation(world: World, elo: float) -> float:
    """The standard deviation of a pair's score as a share of its points."""
    return float(np.std(world.pairs(np.random.default_rng(0), world.strength(elo), (100_000,)).sum(axis=1) / 4))


@pytest.mark.parametrize(
    ("results", "elo0", "elo1", "llr"),
    [
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55983, 26678, 821), 0, 2, -4.98),
    ],
)
def test_ratio_is_as_published(results: tuple[int, ...], elo0: float, elo1: float, llr: float) -> None:
    """Figures of the tests of fastchess (github.com/Disservin/fastchess, "logistic pentanomial"), to their 1 %."""
    assert Sprt(elo0, elo1).llr(results) == pytest.approx(llr, rel=0.01)


def test_ratio_of_long_matches_is_van_den_berghs_approximation() -> None:
    """(s1 - s0) (2 s - s0 - s1) N / (2 variance), in his notes on the generalised test."""
    counts = np.array([4063, 8620, 4307])
    games, shares = counts.sum(), counts / counts.sum()
    score = shares @ [0, 0.5, 1]
    variance = shares @ [0, 0.25, 1] - score**2
    null, alternative = score_of_elo(0), score_of_elo(3)
    approximation = (alternative - null) * (2 * score - null - alternative) * games / (2 * variance)
    assert Sprt(0, 3).llr(counts.tolist()) == pytest.approx(approximation, rel=1e-3)


def test_bounds_are_walds() -> None:
    test = Sprt(0, 10)
    assert test.upper == pytest.approx(math.log(19))
    assert test.lower == pytest.approx(-math.log(19))
    lopsided = Sprt(0, 10, alpha=0.01, beta=0.2)
    assert (lopsided.lower, lopsided.upper) == pytest.approx((math.log(0.2 / 0.99), math.log(80)))


def test_decisions() -> None:
    test = Sprt(0, 50)
    assert test.llr([0, 0, 0, 0, 0]) == 0
    assert test.decision([0, 0, 0, 0, 0]) == "go on"
    assert test.decision([0, 0, 0, 0, 5]) == "go on"
    assert test.llr([0, 0, 0, 0, 5]) == pytest.approx(5 / 6 * 5 * math.log(score_of_elo(50) / 0.5))
    assert test.decision([0, 0, 0, 0, 30]) == "accept"
    assert test.decision([0, 0, 100, 0, 0]) == "reject"
    assert test.decision([30, 0, 0, 0, 0]) == "reject"
    assert test.decision([10, 50, 90]) == "accept"


def test_mistakes_are_told() -> None:
    with pytest.raises(ValueError, match="elo0 must be less than elo1, both finite, not 5 and 0"):
        Sprt(5, 0)
    with pytest.raises(ValueError, match=r"alpha=0\.7"):
        Sprt(0, 5, alpha=0.7)
    with pytest.raises(ValueError, match="the 5 results of a pair or the 3 of a game"):
        Sprt(0, 5).llr([1, 2])


def test_chance_and_length_without_games() -> None:
    """At elo0 and elo1 the chances are alpha and 1 - beta; halfway, even for even errors, and longest."""
    test = Sprt(0, 10, alpha=0.05, beta=0.1)
    assert test.chance_to_accept(0) == pytest.approx(0.05, abs=0.001)
    assert test.chance_to_accept(10) == pytest.approx(0.9, abs=0.001)
    even = Sprt(-5, 5)
    assert even.chance_to_accept(0) == pytest.approx(0.5)
    assert even.chance_to_accept(1e-6) == pytest.approx(0.5, abs=1e-5)
    assert even.expected_pairs(0, 0.3) == pytest.approx(even.expected_pairs(1e-6, 0.3), rel=1e-4)
    assert even.expected_pairs(0, 0.3) > even.expected_pairs(5, 0.3) > even.expected_pairs(20, 0.3) > 0


def test_errors_hold() -> None:
    """At most 5 % of each; 500 matches have a standard error of 1 %, and two of those are let pass."""
    test, world = Sprt(0, 100), World()
    false, lengths = simulate(test, world, 0.0, 500, seed=1)
    right, _ = simulate(test, world, 100.0, 500, seed=2)
    assert false <= 0.07
    assert right >= 0.93
    assert 1 < np.mean(lengths) / test.expected_pairs(0, deviation(world, 0.0)) < 1.25  # the steps are not small


@pytest.mark.slow
@pytest.mark.parametrize("world", [World(), World(0.05, 0, 0), World(3, 300), World(0.05, 400)], ids=str)
@pytest.mark.parametrize(("elo0", "elo1", "every"), [(0, 20, 4), (-50, 0, 1), (0, 100, 1), (100, 250, 1)])
def test_errors_hold_everywhere(world: World, elo0: float, elo1: float, every: int) -> None:
    """1,000 matches have a standard error of 0.7 % at 5 %, and two of those are let pass."""
    test = Sprt(elo0, elo1)
    setting = [round(abs(number)) for number in (elo0, elo1, 100 * world.draws, world.openings)]
    false, short = simulate(test, world, elo0, 1000, [*setting, 0], every)
    right, long = simulate(test, world, elo1, 1000, [*setting, 1], every)
    expected = [test.expected_pairs(elo, deviation(world, elo)) for elo in (elo0, elo1)]
    print(
        f"\n{world} {elo0} {elo1}: wrong {false:.1%} and {1 - right:.1%}; "
        f"{short.mean():.0f} and {long.mean():.0f} pairs, expected {expected[0]:.0f} and {expected[1]:.0f}"
    )
    assert false <= 0.064
    assert 1 - right <= 0.064
