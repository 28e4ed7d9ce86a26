"""pimc, information set MCTS and the equilibrium side by side, and the steps that show what goes wrong."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from zermelo import games
from zermelo.app.cli import main
from zermelo.blackboard.clairvoyance import averaging
from zermelo.equilibria.solver import Solver
from zermelo.game.errors import TooDeep, Unsuitable
from zermelo.search.comparison import compare, exploitability

CASES = {
    "roads": (("day1",), ["B", "A", "A"], (5.0, 0.0)),
    "strategy_fusion": (("red",), ["guess", "take", "take"], (1.0, 0.0)),
    "non_locality": (("low", "go"), ["high", "high", "low"], (0.5, 0.5)),
}
"""The moves to the position; the choices of pimc, IS-MCTS and the equilibrium; what the first two can lose."""


@pytest.mark.parametrize("name", CASES)
def test_who_fails_where(name: str) -> None:
    game = games.load(name)
    moves, choices, loses = CASES[name]
    found = compare(game, game.play(*moves), simulations=400)
    assert [opinion.choice for opinion in found.opinions] == choices
    assert [opinion.loses for opinion in found.opinions[:2]] == pytest.approx(loses)
    assert found.opinions[2].loses == pytest.approx(0.0, abs=1e-3)
    assert found.rows()[-2] == ["plays", *choices]
    assert json.loads(json.dumps(found.to_json()))["opinions"][0]["choice"] == choices[0]


def test_the_exploitability_of_a_pure_strategy_by_hand() -> None:
    """Rock, paper, scissors: a best response to always rock gains 1 in either seat."""
    game = games.load("matrix")
    assert exploitability(Solver(game, compile=False), lambda s: 1) == pytest.approx(1.0)


def test_three_players_are_compared_by_the_movers_own_values() -> None:
    game = games.load("kuhn_poker", players=3)
    found = compare(game, game.play(64 * 1 + 8 * 2 + 3), simulations=60, compile=False)
    assert found.opinions[0].choice == "check"
    assert all("(" not in row[1] for row in found.rows())
    assert any("nothing is guaranteed" in remark for remark in found.opinions[2].analysis.remarks)


def test_open_games_and_chance_nodes_are_refused() -> None:
    with pytest.raises(Unsuitable, match="no hidden information"):
        compare("tic_tac_toe")
    with pytest.raises(Unsuitable, match="give a deal first"):
        compare("kuhn_poker")


def test_the_command_prints_the_table() -> None:
    done = CliRunner().invoke(main, ["analyse", "roads", "day2", "--compare"], prog_name="zermelo")
    assert done.exit_code == 0, done.output
    assert "day2" not in done.output  # what is hidden stays hidden
    rows = [line.split() for line in done.output.splitlines()]
    assert ["plays", "B", "A", "A"] in rows
    wrong = CliRunner().invoke(main, ["analyse", "roads", "day2", "--compare", "--nodes", "5"], prog_name="zermelo")
    assert wrong.exit_code == 2
    assert "--nodes" in wrong.output


def test_strategy_fusion_as_steps() -> None:
    game = games.load("roads")
    found = averaging(game, game.play("day2"))
    assert [deal.name for deal in found.deals] == ["day1", "day2"]
    assert [deal.values for deal in found.deals] == [(1, 2), (1, 2)]
    assert [deal.line for deal in found.deals] == [("B", "left"), ("B", "right")]
    assert (found.average, found.choice, found.right) == ((1, 2), "B", "A")
    titles = [step.title for step in found.steps]
    assert titles[-3:] == ["The average", "Strategy fusion", "The equilibrium"]
    fused = found.steps[-2].text
    assert "day1 is then left" in fused
    assert "day2 it is right" in fused
    assert json.loads(json.dumps(found.to_json()))["steps"][1]["deal"] == 0


def test_non_locality_as_steps() -> None:
    game = games.load("non_locality")
    found = averaging(game, game.play("low", "go"))
    posterior = {deal.name: deal.posterior for deal in found.deals}
    assert posterior["low"] == pytest.approx(1.0, abs=0.01)
    assert [step.title for step in found.steps][-2:] == ["Non-locality", "The equilibrium"]
    assert (found.choice, found.right) == ("high", "low")


def test_games_that_do_not_fit_on_a_page_have_no_steps() -> None:
    dice = games.load("liars_dice")
    with pytest.raises(TooDeep, match="too large"):
        averaging(dice, dice.play(32 * 3 + 4))
    with pytest.raises(Unsuitable, match="hidden"):
        averaging("tic_tac_toe")
