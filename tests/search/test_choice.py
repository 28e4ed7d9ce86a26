"""With no algorithm named, the strongest suitable one runs, and the answer says which and why."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo import Observer, analyse, games
from zermelo.search.driver import QUICK_NODES
from zermelo.search.registry import choose
from zermelo.search.search import StrictCuts
from zermelo.trees import Tree

ENGINE = "the strongest for two sides, no chance and nothing hidden"
FIGURE_5_2 = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])


def test_connect_four_is_proven_by_the_engine() -> None:
    game = games.load("connect_four")
    found = analyse(game, game.play(*"444442"), nodes=3_000_000)
    assert (found.algorithm, found.reason) == ("engine", ENGINE)
    assert (found.line_names[0], found.verdict, found.exact) == ("2", f"{game.player_name(0)} wins in 35 plies", True)


def test_chess_is_played_by_the_engine() -> None:
    """Alpha-beta alone played e3 here, and lost the queen in its own line."""
    game = games.load("chess")
    found = analyse(game, nodes=20_000)
    assert found.algorithm == "engine"
    s = game.initial()
    for a in found.line:
        s = game.result(s, a)
    assert abs(game.material(s, 0) - game.material(s, 1)) < 5


@pytest.mark.parametrize(
    ("name", "chosen", "why"),
    [
        ("tic_tac_toe", "engine", ENGINE),
        ("pig", "star2", "chance nodes, and bounds on the utility to prune with"),
        ("coalition", "maxn", "3 sides, each with its own utility"),
    ],
)
def test_each_kind_of_game_has_its_default(name: str, chosen: str, why: str) -> None:
    algorithm, reason = choose(games.load(name))
    assert (algorithm.name, reason) == (chosen, why)


def test_unbounded_chance_and_unequal_sums() -> None:
    from zermelo.trees import chance, node

    unbounded = Tree(node(0, chance((0.5, 1), (0.5, 2))))
    assert choose(unbounded)[0].name == "expectiminimax"
    assert choose(Tree([(1, 5), (2, 0)], players=2))[0].name == "maxn"


def test_a_game_that_only_a_proof_helps_is_not_given_to_the_table() -> None:
    """Its rules ask about earlier positions, which the engine's table does not know, and it has no evaluation."""
    from test_history import RingWalk

    game = RingWalk()
    assert choose(game)[0].name == "alpha_beta"
    assert choose(games.load("chess"))[0].name == "engine"
    found = analyse(game, compile=False)
    assert (found.algorithm, found.exact) == ("alpha_beta", True)


def test_a_small_position_is_proven_without_compiling() -> None:
    found = analyse(FIGURE_5_2)
    assert (found.algorithm, found.exact, found.compiled) == ("alpha_beta", True, False)
    assert found.reason == f"proven within {QUICK_NODES:,} nodes in plain Python"
    assert found.value == 3
    assert [str(move) for move in analyse(FIGURE_5_2, all_moves=True).moves] == ["0  3", "1  2", "2  2"]


def test_what_is_not_proven_at_once_goes_to_the_engine() -> None:
    found = analyse(games.load("tic_tac_toe"))
    assert (found.algorithm, found.reason, found.compiled) == ("engine", ENGINE, True)
    assert (found.value, found.exact) == (0, True)


@pytest.mark.parametrize(
    "request_", [{"nodes": 50_000}, {"seconds": 60}, {"lines": 2}, {"table": 1}, {"compile": True}], ids=str
)
def test_requests_that_go_to_the_engine_directly(request_: dict[str, Any]) -> None:
    found = analyse(games.load("tic_tac_toe"), games.load("tic_tac_toe").play(*"159"), **request_)
    assert (found.algorithm, found.exact, found.value) == ("engine", True, 0)


@pytest.mark.parametrize(
    "request_",
    [{"observer": Observer()}, {"bookkeeping": StrictCuts}, {"deepening": False}],
    ids=lambda r: next(iter(r)),
)
def test_what_only_a_textbook_algorithm_has(request_: dict[str, Any]) -> None:
    found = analyse(games.load("tic_tac_toe"), depth=2, compile=False, **request_)
    assert (found.algorithm, found.depth) == ("alpha_beta", 2)
    assert found.reason == "no chance and nothing hidden, one side against the other"


def test_a_depth_alone_is_enough() -> None:
    found = analyse(games.load("connect_four"), depth=3, compile=False)
    assert (found.algorithm, found.depth) == ("engine", 3)
    assert found.compiled is False


def test_what_is_named_is_run() -> None:
    found = analyse(games.load("tic_tac_toe"), algorithm="minimax", depth=2, compile=False)
    assert (found.algorithm, found.reason) == ("minimax", "chosen by name")
