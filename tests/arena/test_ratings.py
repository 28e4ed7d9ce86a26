"""Ratings of a tournament: maximum likelihood, intervals and what they cover, and players who cannot be compared."""

from __future__ import annotations

import itertools
import json
import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from support.simulated_matches import World, scored
from zermelo.arena.elo import elo_of_score, score_of_elo
from zermelo.arena.ratings import Ratings, Results


def tournament(world: World, strengths: Sequence[float], pairs: int, seed: int) -> Results:
    """Each against each, so many pairs."""
    random, results = np.random.default_rng(seed), Results()
    for i, j in itertools.combinations(range(len(strengths)), 2):
        for number, halves in enumerate(world.pairs(random, strengths[i] - strengths[j], (pairs,)).tolist()):
            for half in halves:
                results.add(i, j, half / 2, (i, j, number))
    return results


def true_ratings(world: World, strengths: Sequence[float]) -> Any:
    """What the ratings come to in the long run: the model's best fit to the expected scores, by plain iteration.

    (Zermelo's own method of 1929: strength = points / sum of games / (sum of both strengths).)
    """
    expected = np.array([[world.expected(one - two) for two in strengths] for one in strengths])
    np.fill_diagonal(expected, 0)
    strong = np.ones(len(strengths))
    for _ in range(2000):
        shares = 1 / (strong[:, None] + strong[None, :])
        np.fill_diagonal(shares, 0)
        strong = expected.sum(axis=1) / shares.sum(axis=1)
        strong /= np.exp(np.mean(np.log(strong)))
    return 400 * np.log10(strong)


def covered(world: World, strengths: Sequence[float], pairs: int, tournaments: int) -> tuple[list[float], float]:
    """In what share of the tournaments each player's interval holds the truth, and those of all differences."""
    truth = true_ratings(world, strengths)
    players = range(len(strengths))
    hits, differences = np.zeros(len(strengths)), []
    for seed in range(tournaments):
        ratings = tournament(world, strengths, pairs, 1000 + seed).fit()
        hits += [ratings[i].low <= truth[i] <= ratings[i].high for i in players]
        for i, j in itertools.combinations(players, 2):
            _, low, high = ratings.difference(i, j)
            differences.append(low <= truth[i] - truth[j] <= high)
    return (hits / tournaments).tolist(), float(np.mean(differences))


def test_ratings_are_most_likely() -> None:
    """At the maximum each player has scored what its rating lets expect, up to the prior's small pull."""
    results = tournament(World(), (150, 0, 30, -200), 30, seed=1)
    ratings = results.fit()
    assert sum(rating.elo for rating in ratings.players) == pytest.approx(0, abs=1e-6)
    for rating in ratings.players:
        expected = sum(60 * score_of_elo(rating.elo - other.elo) for other in ratings.players if other != rating)
        pull = rating.elo / 1000**2 * 400 / math.log(10)
        assert rating.points == pytest.approx(expected + pull, abs=1e-5)
        assert rating.games == 180
    assert [rating.player for rating in ratings.players][::3] == [0, 3]
    assert ratings.groups == (tuple(rating.player for rating in ratings.players),)


def test_two_players_are_a_match() -> None:
    pairs = World().pairs(np.random.default_rng(3), 80.0, (300,))
    results, score = Results(), scored(pairs)
    for number, halves in enumerate(pairs.tolist()):
        for half in halves:
            results.add("new", "old", half / 2, number)
    difference = results.fit().difference("new", "old")
    assert difference.elo == pytest.approx(elo_of_score(score.score), abs=0.3)
    assert difference.low == pytest.approx(score.low, abs=1.5)
    assert difference.high == pytest.approx(score.high, abs=1.5)


def test_games_may_come_in_any_order_and_from_either_side() -> None:
    games = [
        ("a", "b", 1, 1),
        ("b", "c", 0.5, 2),
        ("a", "c", 0, 3),
        ("a", "b", 0, 1),
        ("c", "b", 1, 2),
        ("a", "c", 1, 3),
    ]
    fits = []
    for order in (games, games[::-1], [(two, one, 1 - score, unit) for one, two, score, unit in games]):
        results = Results()
        for one, two, score, unit in order:
            results.add(one, two, score, unit)
        fits.append(results.fit())
    for fit in fits[1:]:
        for player in "abc":
            assert fit[player].elo == pytest.approx(fits[0][player].elo, abs=1e-6)
            assert fit[player].high == pytest.approx(fits[0][player].high, abs=1e-6)


def test_pairs_narrow_the_intervals() -> None:
    """Where openings decide, the two games of a pair cancel out."""
    world, random = World(openings=500.0), np.random.default_rng(5)
    paired, single = Results(), Results()
    for number, halves in enumerate(world.pairs(random, 0.0, (200,)).tolist()):
        for half in halves:
            paired.add("a", "b", half / 2, number)
            single.add("a", "b", half / 2)
    widths = [results.fit()["a"].high - results.fit()["a"].low for results in (paired, single)]
    assert widths[0] < 0.75 * widths[1]


def test_an_anchor_moves_all() -> None:
    results = tournament(World(), (100, 0, -100), 40, seed=7)
    free, anchored = results.fit(), results.fit(anchor=1, anchor_elo=1500)
    assert anchored[1].elo == anchored[1].low == anchored[1].high == 1500
    assert anchored[0].elo - 1500 == pytest.approx(free[0].elo - free[1].elo)
    assert anchored[0].high - 1500 == pytest.approx(free.difference(0, 1).high)
    with pytest.raises(KeyError, match="the anchor 'nobody' has played no games"):
        results.fit("nobody")


def test_who_won_everything_has_an_open_interval() -> None:
    results = tournament(World(), (50, 0, -50), 20, seed=9)
    for number in range(20):
        for opponent in (0, 1, 2):
            results.add("champion", opponent, 1, ("champion", opponent, number // 2))
    ratings = results.fit()
    champion = ratings["champion"]
    assert champion.one_sided
    assert champion.high == math.inf
    assert ratings[0].elo < champion.low < champion.elo < 2000
    assert not any(ratings[player].one_sided for player in (0, 1, 2))
    plain = json.loads(json.dumps(ratings.to_json(), allow_nan=False))
    assert plain["players"][0]["player"] == "champion"
    assert plain["players"][0]["high"] is None
    before = tournament(World(), (50, 0, -50), 20, seed=9).fit().difference(0, 1)
    assert ratings.difference(0, 1) == pytest.approx(before, abs=2)  # nothing new is known of these two


def test_players_without_a_connection_are_told() -> None:
    results = Results()
    for number in range(10):
        results.add("a", "b", number % 2, number)
        results.add("x", "y", number % 3 / 2, number + 100)
    ratings = results.fit()
    assert {frozenset(group) for group in ratings.groups} == {frozenset("ab"), frozenset("xy")}
    assert ratings["x"].elo == pytest.approx(-ratings["y"].elo)
    assert "not connected by games" in str(ratings)
    with pytest.raises(ValueError, match="no games connect 'a' and 'y'"):
        ratings.difference("a", "y")
    results.add("b", "x", 0.5)
    assert len(results.fit().groups) == 1


def test_games_of_several_seats_are_comparisons() -> None:
    seats, pairwise = Results(), Results()
    random = np.random.default_rng(11)
    for number in range(60):
        points = dict(zip("abc", random.normal([1, 0, 0]).tolist(), strict=True))
        seats.add_seats(points, number // 3)
        for one, two in itertools.combinations("cba", 2):
            pairwise.add(one, two, float(points[one] > points[two]), number // 3)
    for one, two in zip(seats.fit().players, pairwise.fit().players, strict=True):
        assert one.elo == pytest.approx(two.elo)
        assert one.high == pytest.approx(two.high)
        assert one.games == 120
    tie = Results()
    tie.add_seats({"a": 2, "b": 2})
    assert tie.fit()["a"].points == 0.5


def test_mistakes_are_told() -> None:
    results = Results()
    with pytest.raises(ValueError, match="not 'a' and itself"):
        results.add("a", "a", 1)
    with pytest.raises(ValueError, match="from 0 to 1, not 2"):
        results.add("a", "b", 2)
    with pytest.raises(ValueError, match="two players or more, not 1"):
        results.add_seats({"a": 1})
    empty = results.fit()
    assert isinstance(empty, Ratings)
    assert empty.players == ()
    assert empty.groups == ()
    with pytest.raises(KeyError, match="'a' has played no games"):
        empty["a"]


def test_intervals_cover_the_truth() -> None:
    players, differences = covered(World(), (200, 50, 0, -250), 20, 500)
    assert min(players) >= 0.92
    assert max(players) <= 0.98
    assert 0.93 <= differences <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("world", [World(), World(0.05, 0, 0), World(3, 300)], ids=str)
@pytest.mark.parametrize("strengths", [(200, -200), (0, 0, 0, 0), (300, 100, 0, -50, -350)], ids=str)
def test_intervals_cover_the_truth_everywhere(world: World, strengths: tuple[float, ...]) -> None:
    """Too wide rather than too narrow, for two players 400 Elo apart who have met 20 times."""
    for pairs in (20, 100):
        players, differences = covered(world, strengths, pairs, 1000)
        print(f"\n{pairs} pairs: players {min(players):.1%} to {max(players):.1%}, differences {differences:.1%}")
        assert min(players) >= 0.93
        assert max(players) <= (0.98 if len(strengths) == 2 else 0.97)
        assert 0.93 <= differences <= 0.98


@pytest.mark.timing
def test_a_live_table_is_cheap() -> None:
    results, random = Results(), np.random.default_rng(13)
    pairs = random.integers(0, [8, 3, 3], (5000, 3)).tolist()
    begin = time.process_time()
    for number, (player, *halves) in enumerate(pairs):
        for half in halves:
            results.add(player, (player + 1 + number % 7) % 8, half / 2, number)
        if number % 50 == 0:
            results.fit()
    assert time.process_time() - begin < 2.0
