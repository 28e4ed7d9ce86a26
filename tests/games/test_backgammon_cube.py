"""The doubling cube: Janowski's formulas, the match equity table, and decisions in the game itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo.game.state import u64
from zermelo.games.backgammon import Backgammon, BackgammonState, cube
from zermelo.games.backgammon.bearoff import CENTRED, OPPONENTS, OWNED
from zermelo.games.backgammon.decisions import CubeDecision, decision, notes
from zermelo.games.backgammon.match_equity import match_equities
from zermelo.games.backgammon.state import ANSWERING, CENTRE, CUBE, DOUBLE, DROP, ROLL, ROLLING, TAKE
from zermelo.kernel.routine import Routine

MONEY, MATCH = Backgammon(cube=True), Backgammon(cube=True, points=7)
RACE = [0.5, 0.0, 0.0, 0.0, 0.0]


def low(*stacks: tuple[int, int]) -> Any:
    return u64(sum(n << 4 * point for point, n in stacks) + (15 - sum(n for _, n in stacks)))


def race(own: Any, other: Any, **more: Any) -> BackgammonState:
    """Player 0 to roll or double in a race."""
    return BackgammonState((own, other), (u64(0), u64(0)), 0, 0, CUBE, 0, CENTRE, (0, 0), 0)._replace(**more)


@pytest.mark.parametrize(("live", "take", "cash"), [(0.0, 0.25, 0.75), (1.0, 0.2, 0.8)])
def test_take_points_of_a_race_for_money(live: float, take: float, cash: float) -> None:
    """A dead cube is taken from 25 % on, a live one from 20 % on; the doubler cashes at the complement."""
    assert 2 * cube.money([1 - take, 0, 0, 0, 0], OPPONENTS, live, False) == pytest.approx(1)
    assert cube.money([cash, 0, 0, 0, 0], OWNED, live, False) == pytest.approx(1 if live else 0.5)
    assert 2 * cube.money([cash + 0.01, 0, 0, 0, 0], OPPONENTS, live, False) > 1
    assert cube.money(RACE, CENTRED, live, False) == pytest.approx(0)


def test_janowskis_general_take_point() -> None:
    """TP = (L − ½) / (W + L + x/2): Janowski 1993, with W and L the average points of a win and of a loss."""
    won, lost = 1.4, 1.2
    for x in (0.0, 0.5, 0.68, 1.0):
        take = (lost - 0.5) / (won + lost + 0.5 * x)
        mine = 1 - take  # the doubler's chance to win
        out = [mine, (lost - 1) * mine, 0, (won - 1) * take, 0]
        dead = 2 * cube.money(out, OPPONENTS, 0.0, False)
        live = 2 * cube.money(out, OPPONENTS, 1.0, False)
        assert (1 - x) * dead + x * live == pytest.approx(1, abs=0.02 if 0 < x < 1 else 1e-9)


def test_an_owned_cube_is_worth_more_than_a_centred_one() -> None:
    for win in np.linspace(0, 1, 21):
        out = [win, 0.2 * win, 0.0, 0.2 * (1 - win), 0.0]
        centred, owned, theirs = (cube.money(out, place, 0.68, False) for place in (CENTRED, OWNED, OPPONENTS))
        assert theirs - 1e-9 <= centred <= owned + 1e-9
        turned = [1 - win, out[3], 0.0, out[1], 0.0]
        assert cube.money(turned, CENTRED, 0.68, False) == pytest.approx(-centred)
        assert cube.money(turned, OPPONENTS, 0.68, False) == pytest.approx(-owned)


def test_jacoby_gammons_count_only_after_a_double() -> None:
    out = [0.9, 0.6, 0.0, 0.0, 0.0]
    jacoby = Backgammon(cube=True, jacoby=True)
    s = race(low((6, 15)), low((6, 15)))  # nobody has borne off a checker
    assert decision(MONEY, s, out).verdict == "too good to double, pass"  # type: ignore[union-attr]
    assert decision(jacoby, s, out).verdict == "double, pass"  # type: ignore[union-attr]


def test_verdicts() -> None:
    def verdict(no_double: float, take: float, drop: float = 1.0, beaver: float | None = None) -> str:
        return CubeDecision(no_double, take, drop, beaver, False, False).verdict

    assert verdict(0.3, 0.2) == "no double, take"
    assert verdict(0.5, 0.7) == "double, take"
    assert verdict(0.8, 1.1) == "double, pass"
    assert verdict(1.2, 1.4) == "too good to double, pass"
    assert verdict(-0.1, -0.2, beaver=-0.4) == "no double, beaver"
    assert CubeDecision(0.5, 0.7, 1.0, None, True, False).verdict == "redouble, take"
    assert str(CubeDecision(0.0, 0.2, 0.5, None, False, True)).endswith("double/take 60.0 %, double/pass 75.0 %)")


# Matches.


PUBLISHED = {
    (1, 2): 67.7, (1, 3): 75.1, (1, 4): 81.4, (1, 5): 84.2, (2, 3): 59.9, (2, 4): 66.9, (2, 5): 74.4,
    (3, 4): 57.2, (3, 5): 64.8, (3, 7): 76.2, (4, 5): 57.7, (5, 7): 62.6, (6, 7): 56.3,
}  # fmt: skip
"""Chances to win with the first number of points to go against the second, in percent: the Kazaross-XG2 table."""


def test_match_equities_are_close_to_published_ones() -> None:
    table = match_equities(25)
    for (own, other), chance in PUBLISHED.items():
        assert 100 * table[0, own, other] == pytest.approx(chance, abs=0.8)
    assert np.allclose(table[0, 1:, 1:] + table[0, 1:, 1:].T, 1)
    assert (np.diff(table[0, 1:, 1:], axis=1) > 0).all()  # the more the opponent needs, the better
    assert table[1, 2, 1] == pytest.approx(0.488, abs=0.002)  # after the Crawford game, a free drop


def test_match_equities_of_one_length_are_those_of_another() -> None:
    assert np.array_equal(match_equities(5)[:, 1:, 1:], match_equities(9)[:, 1:6, 1:6])


def test_the_start_of_a_game_is_worth_the_score() -> None:
    start = MATCH.new_game((4, 2), 0)
    assert MATCH.evaluate(start, 0) == pytest.approx(2 * MATCH.match_equities[0, 3, 5] - 1)
    assert MATCH.evaluate(start, 1) == -MATCH.evaluate(start, 0)
    after = MATCH.new_game((6, 2), 0)
    assert MATCH.evaluate(after, 0) == pytest.approx(2 * MATCH.match_equities[1, 1, 5] - 1)


def test_at_two_points_each_a_double_plays_for_the_match() -> None:
    """With two points to go each, a taken double ends the match with this game: the chance to win it is the game's."""
    score = race(low((6, 5)), low((6, 5)), score=(5, 5))
    found = decision(MATCH, score, [0.6, 0, 0, 0, 0])
    assert found is not None
    assert found.double_take == pytest.approx(2 * 0.6 - 1)
    assert found.double_drop == pytest.approx(2 * MATCH.match_equities[0, 1, 2] - 1)


def test_a_cube_that_wins_the_match_is_not_turned_again() -> None:
    dead = cube.match_chance(MATCH.match_equities, 2, 4, RACE, 1, OWNED, 1.0)
    plain = cube.match_chance(MATCH.match_equities, 2, 4, RACE, 1, OWNED, 0.0)
    assert dead == pytest.approx(plain)


# In the game.


def value(game: Any, s: Any, p: int) -> float:
    return float(game.evaluate(s, p))


VALUE = Routine(value)


@pytest.mark.slow
@pytest.mark.parametrize("game", [MONEY, MATCH], ids=["money", "match"])
def test_states_around_the_cube_have_consistent_values(game: Backgammon) -> None:
    s = race(low((6, 4), (1, 3)), low((6, 5), (5, 5)))
    roll, double = game.result(s, ROLL), game.result(s, DOUBLE)
    assert (roll.phase, double.phase) == (ROLLING, ANSWERING)
    found = decision(game, s)
    assert found is not None
    assert game.evaluate(roll, 0) == pytest.approx(found.no_double)
    assert game.evaluate(double, 0) == pytest.approx(found.doubled)
    assert game.evaluate(s, 0) == pytest.approx(max(found.no_double, found.doubled))
    assert game.evaluate(game.result(double, TAKE), 0) == pytest.approx(found.double_take)
    dropped = game.result(double, DROP)
    ended = game.utility(dropped, 0) if game.is_terminal(dropped) else game.evaluate(dropped, 0)
    assert ended == pytest.approx(found.double_drop)
    assert decision(game, double) == found
    for state in (s, roll, double):
        assert VALUE.compiled(game, 0)(state) == pytest.approx(game.evaluate(state, 0), abs=1e-5)
        assert game.evaluate(state, 1) == pytest.approx(-game.evaluate(state, 0))


def test_players_double_take_and_drop() -> None:
    won = race(low((6, 4)), low((6, 8)))
    assert zermelo.analyse(MONEY, won, algorithm="greedy", compile=False).action == DOUBLE
    offered = MONEY.result(won, DOUBLE)
    assert zermelo.analyse(MONEY, offered, algorithm="greedy", compile=False).action == DROP
    even = race(low((6, 8)), low((6, 8)))
    assert zermelo.analyse(MONEY, MONEY.result(even, DOUBLE), algorithm="greedy", compile=False).action == TAKE


def test_notes_name_the_source_and_the_verdict() -> None:
    first, second, third = notes(MATCH, race(low((1, 2)), low((6, 8)), score=(2, 4)))
    assert first.startswith("White wins")
    assert "from the network" in first
    assert second.startswith("cube: double, pass (no double ")
    assert "34.8 %" in third
    assert notes(MATCH, MATCH.initial()) == ()


@pytest.mark.parametrize("game", [MONEY, Backgammon(cube=True, points=2)], ids=["money", "match"])
def test_a_dropped_double_is_neither_a_gammon_nor_a_backgammon(game: Backgammon) -> None:
    """Nobody has borne off a checker; a network must not learn that this was a backgammon."""
    s = race(game.initial().low[0], game.initial().low[1], high=game.initial().high, score=(0, 0))
    if game.points:
        s = s._replace(score=(1, 0))
    over = game.result(game.result(s, DOUBLE), DROP)
    assert game.is_terminal(over)
    assert [game.predicts.target(game, over, 0, k) for k in range(5)] == [1, 0, 0, 0, 0]
    assert [game.predicts.target(game, over, 1, k) for k in range(5)] == [0, 0, 0, 0, 0]
