"""The dice engine: its values are those of the definition, with and without pruning, filters, table and threads."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import oracles
from support.random_trees import trees
from zermelo import CHANCE, DiceEngine, Game, IllegalAction, StateError, StopToken, Unsuitable, analyse, games
from zermelo.game.errors import GameError
from zermelo.games.pig import Pig, PigState
from zermelo.kernel.random import Random
from zermelo.search.dice import FILTERS, Filter
from zermelo.search.dice.filters import filters_of
from zermelo.trees import Node, Tree, chance, leaf, node

PIG = games.load("pig", target=30)
EXACT: dict[str, Any] = {"filters": "none", "inner": 0, "table": 1}


class LoadedDie(Pig):
    """Its probabilities add up to 0.9."""

    def outcomes(self, s: PigState) -> Iterator[tuple[int, float]]:
        for face in range(1, 7):
            yield face, 0.15


def positions(game: Game, count: int, seed: int = 1) -> list[Any]:
    """States of random games."""
    random, found = Random(seed), []
    while len(found) < count:
        s = game.initial()
        for _ in range(random.below(40)):
            if game.is_terminal(s):
                break
            moves = game.moves_at(s)
            s = game.draw(s, random) if game.to_move(s) == CHANCE else game.result(s, moves[random.below(len(moves))])
        if not game.is_terminal(s):
            found.append(s)
    return found


@settings(max_examples=60)
@given(trees(dice=True), st.integers(0, 4), st.sampled_from(["none", "star1", "star2"]), st.integers(0, 1))
def test_on_random_trees_it_is_expectiminimax(tree: Node, plies: int, pruning: str, player: int) -> None:
    game = Tree(tree, utility_range=(-3, 3))
    s = game.initial()
    for compile in (True, False):
        engine = DiceEngine(game, **EXACT, pruning=pruning, compile=compile)
        found = engine.evaluate(s, plies, player=player)
        assert found is not None
        assert found.equity == pytest.approx(oracles.plied(game, s, player, plies), abs=1e-9)
        if game.to_move(s) != CHANCE:
            best = engine.rank(s, plies)[0]
            values = [oracles.plied(game, game.result(s, a), game.to_move(s), plies, moves=1) for a in game.actions(s)]
            assert best.equity == pytest.approx(max(values), abs=1e-9)
            assert values[list(game.actions(s)).index(best.action)] == pytest.approx(max(values), abs=1e-9)


@settings(max_examples=30)
@given(trees(dice=True), st.integers(2, 4), st.integers(1, 2))
def test_filtered_replies_are_the_best_ones_by_their_evaluation(tree: Node, plies: int, keep: int) -> None:
    game = Tree(tree, utility_range=(-3, 3))
    found = DiceEngine(game, filters="none", inner=keep).evaluate(game.initial(), plies, player=0)
    assert found is not None
    assert found.equity == pytest.approx(oracles.plied(game, game.initial(), 0, plies, keep), abs=1e-9)


def test_in_pig_it_is_the_textbooks_expectiminimax() -> None:
    """A hold is followed by a roll of the other player: there, one ply is a depth of two."""
    for s in positions(PIG, 5):
        for pruning in ("none", "star1", "star2"):
            engine = DiceEngine(PIG, **EXACT, pruning=pruning)
            for plies in range(4):
                found = engine.evaluate(s, plies, player=0)
                assert found is not None
                assert found.equity == pytest.approx(oracles.plied(PIG, s, 0, plies), abs=1e-12)


def test_pruning_saves_evaluations_and_the_table_saves_nodes() -> None:
    s = PIG.play("roll", 4)
    cost = {}
    for pruning in ("none", "star1", "star2"):
        engine = DiceEngine(PIG, filters="none", inner=0, pruning=pruning, table=0)
        best = engine.rank(s, 5)[0]
        cost[pruning] = engine.evaluations
        assert best.equity == pytest.approx(oracles.plied(PIG, PIG.result(s, best.action), 0, 5, moves=1))
    assert cost["star1"] < cost["none"]
    with_table = DiceEngine(PIG, **EXACT)
    with_table.rank(s, 5)
    assert with_table.evaluations < 0.7 * cost["none"]
    assert with_table.recalled > 0


def test_outcomes_with_the_same_result_are_one() -> None:
    """A die with two equal faces: the subtree of the second is not searched again."""

    class Twice(Tree):
        def outcomes(self, s: Any) -> Any:
            for outcome, probability in super().outcomes(s):
                yield outcome, probability / 2
                yield outcome, probability / 2

    below = [chance((0.5, node(1, 1, 2)), (0.5, node(1, 3, -1))), chance((0.25, node(1, 0)), (0.75, node(1, 2, 3)))]
    cost = []
    for kind in (Tree, Twice):
        engine = DiceEngine(kind(node(0, *below), utility_range=(-3, 3)), **EXACT, compile=False)
        assert engine.rank(engine.game.initial(), 1)[0].equity == pytest.approx(1.5)
        cost.append(engine.evaluations)
    assert cost[0] == cost[1]


def test_moves_that_a_filter_stops_come_last() -> None:
    tree = node(0, *(chance((1.0, node(1, leaf(-v), estimate=(v,))), estimate=(v,)) for v in (0, 1, 2)))
    game = Tree(tree, utility_range=(-3, 3))
    ranked = DiceEngine(game, filters=[(2, math.inf)]).rank(game.initial(), 1)
    assert [(each.action, each.plies, each.equity) for each in ranked] == [(1, 1, -1), (2, 1, -2), (0, 0, 0)]
    ranked = DiceEngine(game, filters="none").rank(game.initial(), 1)
    assert [each.action for each in ranked] == [0, 1, 2]
    only = DiceEngine(game, filters="none").rank(game.initial(), 1, moves=[2])
    assert [(each.action, each.plies) for each in only] == [(2, 1)]


def test_filters_keep_a_number_within_a_margin() -> None:
    assert Filter(2, 1.0).passes([5, 4.5, 4.2]) == 2
    assert Filter(0, 0.6).passes([5, 4.5, 4.2]) == 2
    assert Filter(8, 0.0).passes([5, 4.5]) == 1
    assert filters_of(games.load("pig"), "normal")[0] == Filter(8, pytest.approx(0.16 / 3))  # its range is a third
    for wrong in ("wide", 3, [], [(-1, 0.5)], [(1, math.nan)]):
        with pytest.raises(ValueError, match="filter"):
            filters_of(PIG, wrong)
    assert all(a.keep <= b.keep for a, b in zip(FILTERS["tiny"], FILTERS["huge"], strict=True))


def test_threads_find_the_same() -> None:
    s = PIG.play("roll", 4)
    alone, together = (DiceEngine(PIG, **EXACT, threads=n).rank(s, 4) for n in (1, 2))
    assert [(each.action, each.equity) for each in alone] == [(each.action, each.equity) for each in together]


def test_it_can_be_stopped_and_has_the_last_complete_ply() -> None:
    s = PIG.play("roll", 4)
    for compile in (True, False):
        engine = DiceEngine(PIG, **EXACT, compile=compile)
        ranked = engine.rank(s, 20, seconds=0.2)
        assert 0 < ranked[0].plies < 20
        token = StopToken()
        token.stop()
        assert engine.rank(s, 3, stop=token) == []
        assert engine.evaluate(s, 3, stop=token) is None
    assert DiceEngine(PIG, **EXACT).rank(s, 20, nodes=1000)[0].plies < 20


def test_compiling_is_not_searching(empty_cache: Path) -> None:
    """A time limit of a fifth of a second, with a program that takes seconds to compile."""
    game = games.load("pig", target=31)
    found = analyse(game, algorithm="dice", seconds=0.2, all_moves=True)
    assert found.depth > 2
    assert found.seconds < found.compile_seconds


def test_as_an_algorithm_it_counts_the_move_as_a_ply() -> None:
    s = PIG.play("roll", 4)
    found = analyse(PIG, s, algorithm="dice", depth=3, inner=0, filters="none")
    assert (found.algorithm, found.depth) == ("dice", 3)
    assert found.value == pytest.approx(
        max(oracles.plied(PIG, PIG.result(s, a), 0, 2, moves=1) for a in PIG.actions(s))
    )
    assert analyse(PIG, s, algorithm="dice", plies=1).depth == 2
    rolling = PIG.result(s, 0)
    at_chance = analyse(PIG, rolling, algorithm="dice", depth=3, inner=0)
    assert at_chance.action is None
    assert at_chance.value == pytest.approx(oracles.plied(PIG, rolling, 0, 2))
    depths: list[int] = []
    for limit in ({"nodes": 200}, {"seconds": 0.1}):  # it does not claim, or try, the most plies that there can be
        limited = analyse(PIG, rolling, algorithm="dice", inner=0, **limit)
        assert 1 < limited.depth < 20
        assert limited.nodes > 1
    analyse(PIG, s, algorithm="dice", depth=4, filters="none", on_progress=lambda each: depths.append(each.depth))
    assert depths == [1, 2, 3, 4]


def test_games_that_do_not_suit_are_refused() -> None:
    for name in ("coalition", "kuhn_poker", "go"):
        with pytest.raises(Unsuitable, match="dice engine"):
            DiceEngine(name)
    with pytest.raises(Unsuitable, match="dice does not suit Tic-tac-toe: it is for games with dice"):
        analyse("tic_tac_toe", algorithm="dice")
    with pytest.raises(Unsuitable, match="star1 needs known bounds"):
        DiceEngine(Tree([1, 2]), pruning="star1")


def test_mistakes_are_named() -> None:
    engine = DiceEngine(PIG)
    with pytest.raises(StateError, match="no move to choose"):
        engine.rank(PIG.result(PIG.initial(), 0))
    with pytest.raises(IllegalAction, match="7 is not a legal move"):
        engine.rank(PIG.initial(), moves=[7])
    for options in ({"plies": -1}, {"plies": 21}, {"plies": 1.5}):
        with pytest.raises(ValueError, match="plies must be a whole number from 0 to 20"):
            engine.rank(PIG.initial(), **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="player must be between 0 and 1"):
        engine.evaluate(PIG.initial(), 1, player=2)
    for options in ({"inner": -1}, {"pruning": "star3"}, {"table": -1}, {"threads": 0}, {"margin": -1}):
        with pytest.raises(ValueError, match=next(iter(options))):
            DiceEngine(PIG, **options)  # type: ignore[arg-type]


def test_wrong_odds_are_reported() -> None:
    for compile in (True, False):
        with pytest.raises(GameError, match="do not add up to 1"):
            DiceEngine(LoadedDie(), compile=compile).rank(PIG.initial(), 1)
