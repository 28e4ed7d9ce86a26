"""Pruning on a guess: it can pick the wrong move, and never calls proven what it has not proven."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import oracles
from support.engine_games import Standoff, random_position
from support.random_trees import trees
from zermelo import Random
from zermelo.games.breakthrough import Breakthrough, BreakthroughState
from zermelo.search.engine import Engine
from zermelo.search.engine.pruning import LATE_FROM
from zermelo.trees import Node, Tree, node

MAX, MIN = 0, 1


class Pruned(Tree):
    forward_pruning = ("reductions", "futility", "beam")


class Army(Breakthrough):
    forward_pruning = ("null_move", "reductions", "futility", "probcut", "beam")

    def after_pass(self, s: BreakthroughState) -> BreakthroughState:
        return BreakthroughState(s.white, s.black, 1 - s.mover)

    def probcut(self, s: BreakthroughState, depth: int, number: int) -> tuple[int, float, float, float]:
        return (depth - 2 if number == 0 else 0), 1.0, 0.0, 0.05


OPTIONS: list[dict[str, Any]] = [
    {"null_move": True},
    {"reductions": True},
    {"futility": True},
    {"beam": 2},
    {"probcut": True},
    {"null_move": True, "reductions": True, "futility": True, "probcut": True, "beam": 4},
]


@settings(max_examples=60, deadline=None)
@given(trees(), st.sampled_from(OPTIONS[1:4]), st.integers(1, 8), st.booleans())
def test_exact_means_proven_in_trees(tree: Node, options: dict[str, Any], depth: int, mtdf: bool) -> None:
    game = Pruned(tree, utility_range=(-3, 3))
    engine = Engine(game, table=0.01, table_from=1, mtdf=mtdf, compile=False, **options)
    player = game.to_move(game.initial())
    for found in (engine.think(depth=depth), engine.think(depth=12), engine.solve()):
        if found.exact:
            assert found.value == oracles.value(game, game.initial(), player)


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("table", [0, 0.1])
def test_exact_means_proven_in_breakthrough(options: dict[str, Any], table: float) -> None:
    game, random = Army(4, 5), Random(8)
    pruning, sound = Engine(game, table=table, table_from=1, **options), Engine(game, table=4)
    proven = 0
    for _ in range(60):
        s, _ = random_position(game, random, 16, 2)
        found = pruning.think(s, depth=1 + random.below(9), lines=1 + random.below(2))
        assert all(move.action in game.legal(s) for move in found.moves)
        if found.exact:
            proven += 1
            assert found.value == sound.solve(s).value
    assert proven > 0


def test_what_a_game_declares_is_used_but_for_proofs() -> None:
    declared = Engine(Army(4, 5)).options
    assert (declared.null_move, declared.reductions, declared.futility, declared.beam) == (True, True, True, 0)
    assert not declared.is_sound
    assert Engine(Army(4, 5), null_move=False, reductions=False, futility=False, probcut=False).options.is_sound
    assert Engine(Breakthrough(4, 5)).options.is_sound
    proof = Engine(Army(3, 5, 1), compile=False).solve()
    assert proof.exact
    assert proof.value == Engine(Breakthrough(3, 5, 1)).solve().value


# Each picks the wrong move somewhere.


def best(game: Tree | Standoff, depth: int, **options: Any) -> tuple[str, float, bool]:
    options = {**dict.fromkeys(game.forward_pruning, False), **options}  # nothing but what is asked for
    found = Engine(game, table=0, **options).think(depth=depth)
    return game.action_name(game.initial(), found.action), found.value, found.exact


@pytest.mark.slow
@pytest.mark.parametrize("compile", [True, False])
def test_a_beam_misses_what_does_not_look_good(compile: bool) -> None:
    tree = Pruned(
        node(
            MAX,
            node(MIN, 2, 9, estimate=[5]),
            node(MIN, 3, 8, estimate=[4]),
            node(MIN, 7, 10, estimate=[1]),
        ),
        utility_range=(-10, 10),
    )
    assert best(tree, 4, beam=2, compile=compile) == ("1", 3, False)
    assert best(tree, 4, compile=compile) == ("2", 7, True)


@pytest.mark.parametrize("compile", [pytest.param(True, marks=pytest.mark.slow), False])
def test_a_null_move_misses_a_zugzwang(compile: bool) -> None:
    for depth in range(6, 14):
        assert best(Standoff(), depth, null_move=True, forced=False, compile=compile) == ("draw", 0, False)
        assert best(Standoff(), depth, forced=False, compile=compile) == ("wait", 0.5, True)


def late_gain() -> Tree:
    """After the only move the last one wins something, and only the third ply shows it."""
    quiet = [node(MIN, 0, 0, estimate=[0]) for _ in range(LATE_FROM)]
    gain = node(MIN, node(MAX, 5, 4, estimate=[-1]), node(MAX, 6, 4, estimate=[-1]), estimate=[-1])
    return Pruned(node(MIN, node(MAX, *quiet, gain)), utility_range=(-10, 10))


@pytest.mark.parametrize("compile", [True, False])
def test_a_reduction_sees_late_moves_late(compile: bool) -> None:
    assert best(late_gain(), 4, reductions=True, forced=False, compile=compile) == ("0", 0, False)
    assert best(late_gain(), 4, forced=False, compile=compile) == ("0", -5, True)
    assert best(late_gain(), 5, reductions=True, forced=False, compile=compile)[1] == -5  # a ply later it sees it too


@pytest.mark.parametrize("compile", [True, False])
def test_futility_misses_a_quiet_gain(compile: bool) -> None:
    hopeless = [node(MAX, 3, 4, estimate=[-5]) for _ in range(2)]
    tree = Pruned(
        node(MAX, node(MIN, 0, 1, estimate=[0]), node(MIN, *hopeless, estimate=[-1])), utility_range=(-10, 10)
    )
    assert best(tree, 3, futility=True, compile=compile) == ("0", 0, False)
    assert best(tree, 3, compile=compile) == ("1", 4, True)


class Foreseen(Tree):
    """A shallow search is believed to be off by at most a little."""

    forward_pruning = ("probcut",)

    def probcut(self, s: Any, depth: int, number: int) -> tuple[int, float, float, float]:
        return (1 if number == 0 else 0), 1.0, 0.0, 0.5


@pytest.mark.slow
@pytest.mark.parametrize("compile", [False, True])
def test_probcut_believes_a_shallow_search(compile: bool) -> None:
    """After the second move all looks bad for the first player, and it is not: only a search to the end sees that."""
    good = node(MAX, node(MIN, node(MAX, node(MIN, 4, 5), 4), 4), estimate=[-5])
    tree = Foreseen(
        node(MAX, node(MIN, node(MAX, node(MIN, node(MAX, 0, 1), 1), 1), 1), node(MIN, good, good, estimate=[-5])),
        utility_range=(-10, 10),
    )
    if compile and not Engine(tree, table=0).compiled:
        pytest.skip("trees run as plain Python")
    found = {
        on: Engine(tree, table=0, forced=False, compile=compile, probcut=on).think(depth=6) for on in (False, True)
    }
    assert (found[False].value, found[False].exact) == (4, True)
    assert found[True].value < 4
    assert not found[True].exact
    assert Engine(tree, table=0, compile=compile).solve().value == 4
