"""Races: every technique finds the same value, good order comes near to the best there can be, and figures add up."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from support import oracles
from support.engine_games import Halves
from zermelo import Game, GameError, Unsuitable, games
from zermelo.search.engine import Engine
from zermelo.search.race import Race, effective_branching, leaves_in_best_order, openings, race
from zermelo.search.race_chart import draw
from zermelo.search.race_contest import MINIMAX, PLAIN_SEARCH, TECHNIQUES
from zermelo.trees import Tree

ORDERED = "+ history"
"""The row that has every way of ordering moves, and no table."""


def test_tic_tac_toe_to_the_end() -> None:
    found = race(games.load("tic_tac_toe"))
    assert (found.depth, found.to_the_end, found.values) == (9, True, (0.0,))
    everything = found.row(MINIMAX)
    assert (everything.nodes, everything.leaves) == (549_946, 255_168)  # as in the literature
    assert found.branching == pytest.approx(255_168 ** (1 / 9))
    assert {name for name, _ in found.left_out} == {"+ bounds", "+ safe moves"}
    assert found.row("+ table").nodes < found.row("+ scout").nodes < found.row(PLAIN_SEARCH).nodes
    assert found.row("+ replies looked up first").nodes <= found.row("+ table").nodes
    with pytest.raises(KeyError, match="'quick' is not one of minimax, alpha-beta"):
        found.row("quick")


@pytest.mark.parametrize(
    ("name", "depth", "positions"),
    [
        ("tic_tac_toe", 9, None),
        ("tic_tac_toe", 5, 10),
        ("connect_four", 8, None),
        ("connect_four", 7, 10),
        pytest.param("breakthrough", 6, None, marks=pytest.mark.slow),
    ],
)
def test_ordered_well_alpha_beta_looks_at_twice_the_fewest_leaves_at_most(
    name: str, depth: int, positions: int | None
) -> None:
    found = race(games.load(name), depth=depth, positions=positions, minimax_nodes=7_000_000)
    ordered = found.row(ORDERED)
    assert found.over_best(ordered) <= 2
    assert ordered.nodes < found.row(PLAIN_SEARCH).nodes


def test_minimax_is_left_out_where_it_would_take_too_long() -> None:
    found = race(games.load("connect_four"), depth=6, minimax_nodes=20_000)
    assert found.counted_depth == 5
    assert found.left_out[0] == (MINIMAX, "it reaches its limit of nodes; depth 5 is possible")
    assert found.best_case == pytest.approx(2 * 7**3 - 1)
    with pytest.raises(ValueError, match="too few for Connect Four"):
        race(games.load("connect_four"), minimax_nodes=3)


def test_a_technique_that_finds_another_value_is_an_error() -> None:
    class Muddled(Halves):
        """All positions of a player share a key."""

        def canonical_key(self, s: Any) -> int:
            return self.to_move(s) + 7

    with pytest.raises(GameError, match=r"'\+ table' finds .*, '\+ scout' .*, and they must agree"):
        race(Muddled(8), depth=7)


def test_as_data_and_as_a_picture() -> None:
    found = race(games.load("tic_tac_toe"), depth=4, positions=3, seed=5)
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    data = json.loads(json.dumps(found.to_json()))
    assert [row["technique"] for row in rows] == [row["technique"] for row in data["rows"]]
    assert (data["depth"], data["positions"], data["seed"], len(data["values"])) == (4, 3, 5, 3)
    assert rows[1]["ratio"] == "1.0"
    picture = found.to_svg()
    ElementTree.fromstring(picture)
    assert picture.count('class="bar"') == len(rows)
    assert "prefers-color-scheme:dark" in picture
    again = race(games.load("tic_tac_toe"), depth=4, positions=3, seed=5)
    assert [row.nodes for row in again.rows] == [row.nodes for row in found.rows]


def test_numbers_stand_clear_of_the_line_of_the_best_case() -> None:
    picture = draw("three", [("long", 90_000, 9, 1.0), ("short", 40_000, 9, 0.4), ("tiny", 2, 1, 0.1)], 45_000)
    line = float(re.search(r'class="best" x1="([\d.]+)"', picture)[1])  # type: ignore[index]
    long, short, tiny = (float(x) for x in re.findall(r'class="soft amount" x="([\d.]+)"', picture))
    assert tiny < line - 100  # ends before it
    assert line < short < long


class Heap(Game):
    """Take one, two or three matches; who takes the last one wins. States are plain tuples: nothing is compiled."""

    utility_range = (-1, 1)

    def initial(self) -> tuple[int, int]:
        return 7, 0

    def to_move(self, s: tuple[int, int]) -> int:
        return s[1]

    def actions(self, s: tuple[int, int]) -> list[int]:
        return list(range(1, min(3, s[0]) + 1))

    def result(self, s: tuple[int, int], a: int) -> tuple[int, int]:
        return s[0] - a, 1 - s[1]

    def is_terminal(self, s: tuple[int, int]) -> bool:
        return s[0] == 0

    def utility(self, s: tuple[int, int], p: int) -> float:
        return -1 if s[1] == p else 1


def test_a_game_in_plain_python() -> None:
    found: Race = race(Heap())
    assert (found.values, found.depth, found.to_the_end) == ((1.0,), 7, True)
    assert found.row("+ table").nodes < found.row(PLAIN_SEARCH).nodes < found.row(MINIMAX).nodes
    assert ("+ promise", "the game has neither a promise of its own nor an evaluation") in found.left_out


def test_what_knows_more_than_the_depth_says_so() -> None:
    class Knowing(Heap):
        """Bounds that know the value: a multiple of four is lost."""

        utility_range = (-2, 2)

        def bounds(self, s: tuple[int, int]) -> tuple[float, float]:
            return (-1.0, -1.0) if s[0] % 4 == 0 else (1.0, 1.0)

    found = race(Knowing(), depth=2)
    notes = {row.technique: row.note for row in found.rows if row.note}
    assert notes == {"+ bounds": "sees beyond the horizon in 1 of 1 positions"}


def test_a_tree() -> None:
    """The textbook's Figure 5.2, its numbers made a fifth, so that it is the same program as other trees."""
    found = race(Tree([[0.6, 2.4, 1.6], [0.4, 0.8, 1.2], [2.8, 1.0, 0.4]], utility_range=(-3, 3)))
    assert (found.values, found.row(MINIMAX).leaves, found.row(PLAIN_SEARCH).leaves) == ((0.6,), 9, 7)
    assert found.best_case == pytest.approx(5)


def test_openings() -> None:
    game = games.load("tic_tac_toe")
    found = openings(game, 20, seed=1)
    assert found == openings(game, 20, seed=1) != openings(game, 20, seed=2)
    assert len({s for _, s in found}) == 20
    assert all(past[0] == game.initial() and not game.is_terminal(s) for past, s in found)
    with pytest.raises(ValueError, match="too few openings for 100 positions"):
        openings(games.load("nim", piles=(1, 2)), 100, seed=1)


def test_games_that_are_not_for_the_engine() -> None:
    with pytest.raises(Unsuitable, match="the engine does not suit Pig"):
        race(games.load("pig"))


def test_the_formulas() -> None:
    assert [leaves_in_best_order(3, m) for m in (1, 2, 3, 4)] == [3, 5, 11, 17]
    assert effective_branching(1 + 5 + 25 + 125, 3) == pytest.approx(5)
    assert effective_branching(8, 7) == pytest.approx(1)
    assert len({technique.name for technique in TECHNIQUES}) == len(TECHNIQUES)


@pytest.mark.parametrize("deepening", [False, True])
def test_one_search_is_counted(deepening: bool) -> None:
    game: Game = games.load("tic_tac_toe")
    s = game.play("1", "5")
    options = {"strict_depth": True, "quiescence": False, "forced": False, "singular": False}
    found = Engine(game, table=1, **options).search(s, depth=4, deepening=deepening)
    assert found.value == oracles.value(game, s, 0, 4)
    assert 0 < found.first_cuts <= found.cuts < found.nodes
    assert 0 < found.leaves < found.nodes
    with pytest.raises(ValueError, match="depth must be a whole number"):
        Engine(game).search(s, depth=0)


@pytest.mark.slow
def test_of_several_lines_all_are_of_one_depth() -> None:
    game = games.load("othello")
    for nodes in range(1_000, 20_000, 997):
        found = Engine(game, table=1).think(nodes=nodes, lines=3)
        lines = [move for move in found.moves if move.line]
        values: list[Any] = [move.value for move in lines]
        assert len({move.action for move in lines}) == 3
        assert values == sorted(values, reverse=True)
