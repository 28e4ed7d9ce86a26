"""The dice engine and rollouts at backgammon, with the network at the leaves."""

from __future__ import annotations

import pytest
from test_dice_engine import EXACT, positions

from zermelo import CHANCE, DiceEngine, analyse, games, levels, rollout
from zermelo.search.registry import choose

GAME = games.load("backgammon")
DECISIONS = [s for s in positions(GAME, 40, seed=3) if GAME.to_move(s) != CHANCE][:6]
ROLLS = [s for s in positions(GAME, 40, seed=4) if GAME.to_move(s) == CHANCE][:4]


@pytest.mark.parametrize("pruning", [pytest.param("none", marks=pytest.mark.slow), "star1", "star2"])
def test_its_values_are_those_of_expectiminimax(pruning: str) -> None:
    """At n plies the textbook's depth is 2 n + 1. Networks add up their sums in another order: hence the tolerance."""
    engine = DiceEngine(GAME, **EXACT, pruning=pruning)
    for s in DECISIONS:
        for plies in (0, 1):
            simple = analyse(GAME, s, algorithm="expectiminimax", depth=2 * plies + 1)
            best = engine.rank(s, plies)[0]
            assert best.equity == pytest.approx(simple.value, abs=2e-5)
            values = {move.action: move.value for move in simple.moves}
            assert values[best.action] == pytest.approx(simple.value, abs=2e-5)


def test_star1_saves_and_star2_saves_more() -> None:
    cost = {}
    for pruning in ("none", "star1", "star2"):
        engine = DiceEngine(GAME, filters="none", inner=0, pruning=pruning, table=0)
        cost[pruning] = 0
        for s in DECISIONS:
            engine.rank(s, 1)
            cost[pruning] += engine.evaluations
    assert cost["star1"] < 0.8 * cost["none"]
    assert cost["star2"] < 0.4 * cost["none"]


def test_two_plies_follow_the_best_reply_or_all_of_them() -> None:
    """All replies leave the opponent more choice, so no value can rise; pruning changes nothing."""
    s = DECISIONS[0]
    move = DiceEngine(GAME).rank(s, 1)[0].action
    narrow, wide, pruned = (
        DiceEngine(GAME, filters="none", inner=inner, pruning=pruning).rank(s, 2, moves=[move])[0]
        for inner, pruning in ((1, "none"), (3, "none"), (3, "star2"))
    )
    assert wide.equity <= narrow.equity + 2e-5
    assert pruned.equity == pytest.approx(wide.equity, abs=2e-5)
    assert pruned.outputs == pytest.approx(wide.outputs, abs=2e-5)


def test_outputs_are_the_chances_behind_the_equity() -> None:
    engine = DiceEngine(GAME)
    assert engine.output_names[0] == "win"
    for s in ROLLS:
        for plies in (0, 1):
            found = engine.evaluate(s, plies)
            assert found is not None
            win, gammon, backgammon, lost, badly = found.outputs
            assert found.equity == pytest.approx(2 * win - 1 + gammon + backgammon - lost - badly, abs=1e-6)
            other = engine.evaluate(s, plies, player=1 - found.player)
            assert other is not None
            assert other.equity == pytest.approx(-found.equity, abs=1e-9)
            assert other.outputs[0] == pytest.approx(1 - win, abs=1e-9)
    best = engine.rank(DECISIONS[0], 1)[0]
    after = engine.evaluate(GAME.result(DECISIONS[0], best.action), 1, player=GAME.to_move(DECISIONS[0]))
    assert after is not None
    assert (after.equity, after.outputs) == (pytest.approx(best.equity), pytest.approx(best.outputs))


def test_it_is_the_default_and_has_levels() -> None:
    assert choose(GAME)[0].name == "dice"
    assert [each.player for each in levels(GAME)][-2:] == ["dice:plies=0", "dice:plies=2"]
    found = analyse(GAME, DECISIONS[0], depth=2, all_moves=True)
    assert (found.algorithm, found.depth) == ("dice", 2)
    assert all(move.value is not None and move.exact for move in found.moves)


@pytest.mark.slow
def test_a_rollout_of_a_bear_off_has_its_exact_chances() -> None:
    """White must bear off from its 6-point and its ace-point: 15 of 36 rolls do, a six or doubles from 2-2 on."""
    s = GAME.from_text("XGID=-A----A-----------------a-:0:0:1:00:0:0:0:0:10")
    for reduce in (True, False):
        rolled = rollout(GAME, s, trials=1296, reduce=reduce)
        assert rolled.best.equity == pytest.approx(2 * 15 / 36 - 1, abs=1e-6)  # every first roll comes up equally often
        assert rolled.best.chances[0] == pytest.approx(15 / 36, abs=1e-6)
    assert rolled.output_names == DiceEngine(GAME).output_names


@pytest.mark.slow
def test_rollouts_subtract_luck() -> None:
    s = ROLLS[0]
    reduced, plain = (rollout(GAME, s, trials=72, truncate=6, reduce=reduce).best for reduce in (True, False))
    assert reduced.error < 0.6 * plain.error
    assert abs(reduced.equity - plain.equity) < 4 * plain.error


@pytest.mark.slow
def test_the_cube_is_a_decision_like_others() -> None:
    """To double or to roll is a choice before the roll, and no ply of its own."""
    game = games.load("backgammon", cube=True)
    s = game.from_text("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    engine = DiceEngine(game)
    best = engine.rank(s, 1)[0]
    assert best.name == "8/5 6/5"
    before = game.result(s, best.action)
    for plies in (0, 1):
        choices = engine.rank(before, plies)
        assert [each.name for each in choices] == ["roll", "double"]
        assert choices[0].equity == pytest.approx(-engine.rank(s, plies, moves=[best.action])[0].equity, abs=1e-6)
    engine.clear()
    engine.rank(before, 1)
    assert engine.evaluations > 21  # every roll was tried
