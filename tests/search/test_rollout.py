"""Rollouts: the mean is unbiased with and without the reduction of luck, which lowers the error; files; early ends."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from support.random_trees import trees
from zermelo import CHANCE, Game, IllegalAction, NotationError, StateError, StopToken, games, rollout
from zermelo.search.rollout.result import Rolled, difference
from zermelo.search.rollout.rolling import strata_of
from zermelo.trees import Node, Tree, chance, node

PIG = games.load("pig", target=30)
TURN = PIG.play("roll", 4)
RANGE = {"utility_range": (-3, 3)}


def policy_value(game: Game, s: Any, player: int) -> float:
    """What a state is worth if everybody chooses the move that looks best statically."""
    if game.is_terminal(s):
        return game.utility(s, player)
    mover = game.to_move(s)
    if mover == CHANCE:
        return sum(p * policy_value(game, game.result(s, o), player) for o, p in game.outcomes(s))
    after = [game.result(s, a) for a in game.actions(s)]
    return policy_value(game, max(after, key=lambda each: static(game, each, mover)), player)


def static(game: Game, s: Any, player: int) -> float:
    return game.utility(s, player) if game.is_terminal(s) else game.evaluate(s, player)


@settings(max_examples=25)
@given(trees(dice=True))
def test_on_random_trees_the_mean_is_unbiased(tree: Node) -> None:
    """The evaluations are random numbers: subtracting luck may not help, and still does no harm to the mean."""
    game = Tree(chance((0.5, tree), (0.5, 0)), **RANGE)
    exact = policy_value(game, game.initial(), 0)
    for reduce in (True, False):
        found = rollout(game, trials=2000, seed=7, reduce=reduce).best
        assert abs(found.equity - exact) <= 4.5 * max(found.error, 1e-9)


def valued(tree: Node) -> Node:
    """The tree with estimates that are what its positions are worth, by backward induction."""
    from dataclasses import replace

    if tree.is_leaf:
        return tree
    children = tuple(valued(child) for child in tree.children)
    worth = [float(child.utility[0] if child.is_leaf else child.estimate[0]) for child in children]
    if tree.mover == CHANCE:
        mean = sum(p * v for p, v in zip(tree.odds, worth, strict=True))
        value = min(max(mean, min(worth)), max(worth))  # which rounding may miss by a little
    else:
        value = max(worth) if tree.mover == 0 else min(worth)
    return replace(tree, children=children, estimate=(value,))


@settings(max_examples=25)
@given(trees(dice=True))
def test_with_a_perfect_evaluation_every_trial_has_the_exact_value(tree: Node) -> None:
    tree = valued(chance((0.5, tree), (0.5, 0)))
    found = rollout(Tree(tree, **RANGE), trials=36).best
    assert found.values == pytest.approx(np.full(36, float(tree.estimate[0])), abs=1e-9)


def test_subtracting_luck_lowers_the_error_and_keeps_the_mean() -> None:
    reduced, plain = (rollout(PIG, TURN, moves=["roll"], seed=1, reduce=reduce).best for reduce in (True, False))
    assert reduced.error < 0.5 * plain.error
    assert abs(reduced.equity - plain.equity) < 4 * plain.error


def test_the_first_two_rolls_are_stratified() -> None:
    """36 trials have every pair of faces once, so that a value that depends on two rolls alone is exact."""
    face = [chance(*((1 / 6, first * second / 12 - 1.5) for second in range(1, 7))) for first in range(1, 7)]
    game = Tree(chance(*((1 / 6, node(0, each)) for each in face)), **RANGE)
    assert strata_of(game, game.initial()) == 6
    for seed in range(3):
        found = rollout(game, trials=36, seed=seed, reduce=False).best
        assert found.equity == pytest.approx(3.5 * 3.5 / 12 - 1.5)
        assert sorted(set(found.values)) == sorted({a * b / 12 - 1.5 for a in range(1, 7) for b in range(1, 7)})
    orders = {tuple(rollout(game, trials=36, seed=seed, reduce=False).best.values) for seed in range(3)}
    assert len(orders) == 3


def test_moves_get_the_same_dice() -> None:
    """Two moves that differ by a constant: with the same dice, their difference is certain."""
    rolls = [chance(*((1 / 6, node(0, bonus + face / 6)) for face in range(1, 7))) for bonus in (0.0, 0.5)]
    game = Tree(node(0, *rolls), **RANGE)
    found = rollout(game, trials=100, reduce=False)
    assert [each.action for each in found.moves] == [1, 0]
    assert found.difference(1) == (pytest.approx(-0.5), pytest.approx(0.0, abs=1e-9))
    assert found.best.error > 0.02


def test_a_clear_decision_ends_early() -> None:
    found = rollout(PIG, TURN, trials=5000, clear=3.0)
    assert found.settled
    assert 144 <= found.best.trials < 5000
    worse, error = found.difference(1)
    assert -worse > 3 * error
    assert not rollout(PIG, TURN, trials=300, clear=1000.0).settled
    threaded = rollout(PIG, TURN, trials=5000, clear=3.0, threads=6)
    assert [each.trials for each in threaded.moves] == [each.trials for each in found.moves]


def test_the_result_depends_on_the_seed_alone() -> None:
    one, two, plain = (
        rollout(PIG, TURN, trials=100, seed=5, truncate=6, **options).moves
        for options in ({}, {"threads": 2}, {"compile": False})
    )
    for other in (two, plain):
        assert [each.name for each in other] == [each.name for each in one]
        for a, b in zip(one, other, strict=True):
            assert a.values == pytest.approx(b.values, abs=1e-12)
    assert rollout(PIG, TURN, trials=100, seed=6, truncate=6).best.equity != one[0].equity


def test_plies_and_truncation() -> None:
    for options in ({"plies": 1, "truncate": 4}, {"truncate": 1}):
        found = rollout(PIG, TURN, trials=72, **options)
        assert [each.name for each in found.moves] == ["roll", "hold"]
    before = PIG.result(TURN, 0)
    assert rollout(PIG, before, trials=36).best.action is None


def test_it_can_be_stopped_and_resumed(tmp_path: Path) -> None:
    file = tmp_path / "trials.json"
    whole = rollout(PIG, TURN, trials=200, seed=2)
    token = StopToken()

    def stop(found: Any) -> None:
        if found.best.trials >= 72:
            token.stop()

    part = rollout(PIG, TURN, trials=200, seed=2, file=file, stop=token, on_progress=stop)
    assert part.stopped
    assert part.best.trials == 72
    resumed = rollout(PIG, TURN, trials=200, seed=2, file=file)
    assert [list(each.values) for each in resumed.moves] == [list(each.values) for each in whole.moves]
    assert rollout(PIG, TURN, trials=200, seed=2, file=file, seconds=60).best.trials == 200  # nothing left to do
    with pytest.raises(NotationError, match="another rollout: its seed is 2, not 3"):
        rollout(PIG, TURN, trials=200, seed=3, file=file)
    for damaged in ("", "{}", '{"kind": "zermelo rollout", "about": {}, "trials": []}', file.read_text()[:-30]):
        file.write_text(damaged)
        with pytest.raises(NotationError, match=r"is not a file of a rollout"):
            rollout(PIG, TURN, trials=200, seed=2, file=file)


def test_results_for_programs_and_people() -> None:
    found = rollout(PIG, TURN, trials=36)
    read = json.loads(json.dumps(found.to_json()))
    assert [each["action"] for each in read["moves"]] == [each.name for each in found.moves]
    assert read["moves"][0]["trials"] == read["settings"]["trials"] == 36
    assert "36 trials at 0 plies, played to the end, luck subtracted; 95 % intervals" in str(found)


def test_errors_of_averages() -> None:
    one, other = (Rolled(0, "", np.array(values, float), np.zeros((4, 0))) for values in ([1, 2, 3, 4], [1, 1, 3, 3]))
    assert one.error == pytest.approx(math.sqrt((1.5**2 + 0.5**2) * 2 / 3 / 4))
    assert difference(one, other) == (0.5, pytest.approx(math.sqrt(4 * 0.25 / 3 / 4)))
    assert Rolled(0, "", np.array([1.0]), np.zeros((1, 0))).error == math.inf


def test_mistakes_are_named() -> None:
    with pytest.raises(IllegalAction):
        rollout(PIG, TURN, moves=[7])
    with pytest.raises(ValueError, match="no moves"):
        rollout(PIG, TURN, moves=[])
    for name, value in (("trials", 0), ("plies", 4), ("seed", -1), ("truncate", 0), ("threads", 0), ("clear", 0)):
        with pytest.raises(ValueError, match=name):
            rollout(PIG, TURN, **{name: value})  # type: ignore[arg-type]
    over = PIG.initial()._replace(scores=(29, 0), turn=5)
    with pytest.raises(StateError, match="over"):
        rollout(PIG, over)
