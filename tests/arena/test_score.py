"""The score of a match: Elo both ways, the interval and what it covers, superiority, and the extremes."""

from __future__ import annotations

import itertools
import json
import math
import time

import numpy as np
import pytest

from support.simulated_matches import World, scored
from zermelo.arena.elo import elo_of_score, score_of_elo
from zermelo.arena.likelihood import Unit, log_likelihood
from zermelo.arena.score import Score

DRAWS = (0.05, 0.7, 3.0)
OPENINGS = (0.0, 100.0, 300.0)
ELOS = (0.0, 50.0, -150.0, 300.0, -400.0)


def coverage(world: World, elo: float, pairs: int, matches: int, seed: int) -> float:
    """In what share of simulated matches the interval holds the truth."""
    played = world.pairs(np.random.default_rng(seed), world.strength(elo), (matches, pairs))
    scores = [scored(match) for match in played]
    return sum(score.low <= elo <= score.high for score in scores) / matches


# Elo.


def test_elo_and_score_are_inverse() -> None:
    assert score_of_elo(0) == 0.5
    assert score_of_elo(400) == pytest.approx(10 / 11)
    assert score_of_elo(-400) == pytest.approx(1 / 11)
    assert elo_of_score(0.75) == pytest.approx(400 * math.log10(3))
    for elo in (-3000, -400, -1, 0, 5, 720):
        assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)
    assert elo_of_score(1) == math.inf
    assert elo_of_score(0) == -math.inf
    assert score_of_elo(-math.inf) == 0
    assert score_of_elo(1e6) == 1
    with pytest.raises(ValueError, match=r"from 0 to 1, not 1\.5"):
        elo_of_score(1.5)


# The likelihood.


def test_likelihood_is_that_of_the_best_distribution() -> None:
    """Of three results, the distributions with mean s are told apart by the share of draws alone: all are tried."""
    counts = np.array([12, 5, 30])
    free = counts @ np.log(counts / counts.sum())
    units = [Unit(half / 2, 1, count) for half, count in enumerate(counts)]
    for score in (0.1, 0.5, float(counts @ [0, 0.5, 1] / counts.sum()), 0.8):
        draws = np.linspace(0, 2 * min(score, 1 - score), 100_001)[1:-1]
        best = np.max(np.log(np.stack([1 - score - draws / 2, draws, score - draws / 2], axis=1)) @ counts)
        assert log_likelihood(units, score) == pytest.approx(best - free, abs=1e-5)


def test_likelihood_where_results_were_never_seen() -> None:
    """All pairs won: the best distribution with mean s wins with chance s and loses all else, so s to the n."""
    for score in (0.2, 0.9):
        assert log_likelihood([Unit(2, 2, 20)], score) == pytest.approx(20 * math.log(score))
        assert log_likelihood([Unit(0, 1, 7)], score) == pytest.approx(7 * math.log(1 - score))
    assert log_likelihood([Unit(1, 2, 9)], 0.5) == 0
    assert log_likelihood([Unit(1, 2, 9)], 0.6) == pytest.approx(9 * math.log(0.8))
    assert log_likelihood([], 0.6) == 0
    with pytest.raises(ValueError, match="between 0 and 1, not at 1"):
        log_likelihood([Unit(2, 2, 1)], 1)


# Scores.


def test_games_one_by_one_are_the_match() -> None:
    score = Score()
    for points, pair in ((1, "a"), (0.5, "b"), (0, "a"), (1, None), (0.5, "b"), (0, "c")):
        score.add(points, pair)
    assert (score.wins, score.draws, score.losses, score.games, score.points) == (2, 2, 2, 6, 3.0)
    assert score.pairs == [0, 0, 2, 0, 0]
    assert score.singles == [1, 0, 1]
    assert score.to_json() == Score.of([(1, 0), (0.5, 0.5)], [1, 0]).to_json()
    with pytest.raises(ValueError, match="pair 'a' already has two games"):
        score.add(1, "a")
    with pytest.raises(ValueError, match="1 point, ½ or 0, not 2"):
        score.add(2)
    assert str(Score.of([(1, 0.5)])) == "+1 =1 -0: 75.0%, Elo +191 (-277 to +408), superior with 74.9%"


@pytest.mark.parametrize("games", [(1, 1), (1, 0.5), (0.5, 0.5), (0, 1), (0, 0)])
@pytest.mark.parametrize("count", [0, 1, 20, 1000])
def test_extremes_have_intervals_too(games: tuple[float, float], count: int) -> None:
    score = Score.of([games] * count)
    assert score.low <= score.elo <= score.high
    assert (score.high == math.inf) == (score.score == 1 or count == 0)
    assert (score.low == -math.inf) == (score.score == 0 or count == 0)
    assert 0 < score.superiority < 1 or count == 1000
    plain = json.loads(json.dumps(score.to_json(), allow_nan=False))
    assert plain["games"] == 2 * count
    assert (plain["high"] is None) == (score.high == math.inf)


def test_the_interval_is_where_superiority_says() -> None:
    """Superior with 97.5 % or more if and only if the interval of 95 % is above 0."""
    random = np.random.default_rng(3)
    seen = set()
    for _ in range(100):
        score = scored(World().pairs(random, 40.0, (40,)))
        assert (score.low > 0) == (score.superiority > 0.975)
        seen.add(score.low > 0)
    assert seen == {True, False}


def test_the_other_player_sees_the_mirror_image() -> None:
    pairs = World().pairs(np.random.default_rng(5), 100.0, (30,))
    one, other = scored(pairs, [2, 2, 1]), scored(2 - pairs, [0, 0, 1])
    assert one.low == pytest.approx(-other.high, abs=1e-4)
    assert one.high == pytest.approx(-other.low, abs=1e-4)
    assert one.superiority == pytest.approx(1 - other.superiority)


def test_long_matches_agree_with_the_normal_approximation() -> None:
    pairs = World().pairs(np.random.default_rng(7), 20.0, (20_000,))
    score = scored(pairs)
    error = 1.96 * np.std(pairs.sum(axis=1) / 4) / math.sqrt(len(pairs))
    assert score.low == pytest.approx(elo_of_score(score.score - error), abs=0.05)
    assert score.high == pytest.approx(elo_of_score(score.score + error), abs=0.05)


def test_pairs_tell_more_than_their_games() -> None:
    """Where openings decide, results within a pair cancel out; games taken one by one would not show it."""
    pairs = World(openings=500.0).pairs(np.random.default_rng(9), 0.0, (200,))
    paired, single = scored(pairs), scored([], pairs.ravel())
    assert paired.elo == single.elo
    assert paired.high - paired.low < 0.75 * (single.high - single.low)


@pytest.mark.parametrize(
    ("world", "elo", "pairs"),
    [
        (World(), 0.0, 20),
        (World(draws=3.0, openings=300.0), 150.0, 20),
        (World(), 400.0, 100),
        pytest.param(World(draws=0.05, openings=0.0, side=0.0), -300.0, 50, marks=pytest.mark.slow),
        pytest.param(World(draws=0.05, openings=300.0), 50.0, 1000, marks=pytest.mark.slow),
    ],
)
def test_the_interval_covers_the_truth(world: World, elo: float, pairs: int) -> None:
    assert 0.93 <= coverage(world, elo, pairs, 1000, seed=11) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [20, 50, 200, 1000])
def test_the_interval_covers_the_truth_everywhere(pairs: int) -> None:
    """Each setting within 95 % ± 2, up to the error of the simulation (two of its standard deviations are 1.4 %)."""
    shares = {}
    for seed, (draws, openings, elo) in enumerate(itertools.product(DRAWS, OPENINGS, ELOS)):
        shares[draws, openings, elo] = coverage(World(draws, openings), elo, pairs, 1000, seed)
    numbers = np.array(list(shares.values()))
    print(f"\n{pairs} pairs: {numbers.min():.1%} to {numbers.max():.1%}, on average {numbers.mean():.1%}")
    outside = {setting: share for setting, share in shares.items() if not 0.93 <= share <= 0.97}
    assert len(outside) <= len(shares) // 20, outside
    assert numbers.min() > 0.916
    assert numbers.max() < 0.984
    assert 0.94 < numbers.mean() < 0.96


@pytest.mark.parametrize("elo", [0.0, 200.0])
def test_single_games_are_covered_too(elo: float) -> None:
    world, random = World(draws=0.7, openings=0.0, side=0.0), np.random.default_rng(13)
    played = world.pairs(random, world.strength(elo), (500, 20)).reshape(500, 40)
    single = [scored([], games) for games in played]
    mixed = [scored(games[:30].reshape(-1, 2), games[30:]) for games in played]
    for scores in (single, mixed):
        assert 0.92 <= sum(score.low <= elo <= score.high for score in scores) / len(scores) <= 0.98


@pytest.mark.timing
def test_a_live_table_is_cheap() -> None:
    score, random = Score(), np.random.default_rng(15)
    begin = time.process_time()
    for game, half in enumerate(random.integers(0, 3, 2000)):
        score.add(half / 2, game // 2)
        if game % 10 == 0:
            score.to_json()
    assert time.process_time() - begin < 1.0
