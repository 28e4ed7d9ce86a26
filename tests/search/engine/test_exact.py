"""On random trees by the thousand, and on small games, the engine equals plain minimax, whatever technique is on."""

from __future__ import annotations

import dataclasses
import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import oracles
from support.random_trees import trees
from zermelo import Game, Random, games
from zermelo.search.engine import PLAIN, Engine, Options
from zermelo.trees import Node, Tree

RANGE = (-3, 3)
FACTOR = int(os.environ.get("ZERMELO_EXAMPLES", "1"))  # `make slow` looks at more
PLAIN_OPTIONS = dataclasses.asdict(PLAIN)
EXACT: tuple[dict[str, Any], ...] = (
    {},
    {"mtdf": True},
    {**PLAIN_OPTIONS, "table": 0},
    {**PLAIN_OPTIONS},
    {**PLAIN_OPTIONS, "table_first": 1},
    {**PLAIN_OPTIONS, "table": 0, "scout": True, "killers": True, "history": True, "counters": True},
    {"table": 0, "mtdf": True},
    {"replacement": "always", "promise": False, "aspiration": False},
    {"replacement": "depth", "killers": True, "history": True, "counters": True, "table_first": 1, "internal": 1},
)
"""Sets of options, all of which are meant to be exact."""


def engine(game: Game, compile: bool, which: int, **more: Any) -> Engine:
    return Engine(game, compile=compile, **{"table": 0.01, **EXACT[which], **more})


@settings(max_examples=30 * FACTOR, deadline=None)
@given(trees(), st.sampled_from(range(len(EXACT))))
def test_the_engine_proves_what_minimax_does(tree: Node, which: int) -> None:
    game = Tree(tree, utility_range=RANGE)
    player = game.to_move(game.initial())
    value, distance = oracles.win_distance(game, game.initial(), player)
    for compile in (True, False):
        made = engine(game, compile, which)
        for found in (made.solve(), made.think(seconds=60)):
            assert found.exact
            assert (found.value, found.distance or 0) == (value, distance)
            after = game.result(game.initial(), found.action)
            assert oracles.value(game, after, player) == value
            assert found.line[0] == found.action


@settings(max_examples=30 * FACTOR, deadline=None)
@given(trees(leaves=st.floats(-2.9, 2.9)), st.integers(1, 5), st.sampled_from(range(len(EXACT))))
def test_a_fixed_depth_means_what_minimax_means_by_it(tree: Node, depth: int, which: int) -> None:
    game = Tree(tree, utility_range=RANGE)
    player = game.to_move(game.initial())
    options = {"strict_depth": True, "forced": False, "singular": False, "quiescence": False}
    for compile in (True, False):
        found = engine(game, compile, which, **options).think(depth=depth)
        assert found.value == oracles.value(game, game.initial(), player, depth)


@settings(max_examples=30 * FACTOR, deadline=None)
@given(trees(), st.sampled_from(range(len(EXACT))))
def test_any_constant_sum_will_do(tree: Node, which: int) -> None:
    """Utilities 1, ½ and 0, or any others that add up to a constant: the engine only compares them."""

    class Shifted(Tree):
        def utility(self, s: Any, p: int) -> float:
            return Tree.utility(self, s, p) + 3.0

        def evaluate(self, s: Any, p: int) -> float:
            return Tree.evaluate(self, s, p) + 3.0

        def utility_bounds(self, p: int) -> tuple[float, float]:
            return 0.0, 6.0

    game = Shifted(tree, utility_range=RANGE)
    player = game.to_move(game.initial())
    found = engine(game, False, which).solve()
    assert found.value == oracles.value(game, game.initial(), player)


GAMES = [
    ("tic_tac_toe", {}),
    pytest.param("tic_tac_toe", {"m": 4, "n": 3, "k": 3}, marks=pytest.mark.slow),
    ("nim", {}),
    pytest.param("nim", {"piles": (2, 3, 3), "misere": True}, marks=pytest.mark.slow),
    ("connect_four", {"width": 4, "height": 3, "k": 3}),
    pytest.param("connect_four", {"width": 3, "height": 4, "k": 3}, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("name", "parameters"), GAMES)
@pytest.mark.parametrize("which", range(len(EXACT)))
def test_small_games(name: str, parameters: dict[str, Any], which: int) -> None:
    """Every position of a few random games: value and distance."""
    game = games.load(name, **parameters)
    made = engine(game, True, which)
    random = Random(which)
    for _ in range(6):
        s = game.initial()
        past = []
        while not game.is_terminal(s):
            past.append(s)
            legal = list(game.actions(s))
            s = game.result(s, legal[random.below(len(legal))])
        for s in past[5:]:  # few enough plies are left for the oracle
            player = game.to_move(s)
            value, distance = oracles.win_distance(game, s, player)
            found = made.solve(s)
            assert (found.value, found.distance or 0, found.exact) == (value, distance, True)
            assert oracles.value(game, game.result(s, found.action), player) == value


def test_options_that_are_not_exact_are_named_so() -> None:
    assert Options().is_sound
    for name in ("null_move", "reductions", "futility", "probcut", "beam"):
        assert not dataclasses.replace(Options(), **{name: 1}).is_sound
