"""What strategies cost: Kuhn's family of equilibria, best replies, and regret matching in matrix games."""

from __future__ import annotations

import numpy as np
import pytest

from zermelo import UnknownName
from zermelo.equilibria.judging import Judge
from zermelo.equilibria.kuhn import BET, JACK, KING, PASSED_BET, QUEEN, Kuhn
from zermelo.equilibria.linear import by_linear_programming
from zermelo.equilibria.matching import METHODS, RegretMatching, matched, pure_equilibria
from zermelo.equilibria.solver import Solver
from zermelo.games.kuhn_poker import NOTHING
from zermelo.games.leduc_poker import LeducPoker
from zermelo.games.matrix import Matrix

UNEVEN = "3 -1 0; -2 4 1; 1 0 2"


@pytest.fixture(scope="module")
def kuhn() -> Kuhn:
    return Kuhn()


@pytest.mark.parametrize("alpha", np.linspace(0, 1 / 3, 9))
def test_every_alpha_is_an_equilibrium(kuhn: Kuhn, alpha: float) -> None:
    verdict = kuhn.verdict(kuhn.equilibrium(alpha))
    assert verdict["value"] == pytest.approx(-1 / 18, abs=1e-12)
    assert verdict["nash_conv"] == pytest.approx(0, abs=1e-12)
    assert kuhn.alpha_of(kuhn.equilibrium(alpha)) == alpha
    assert not any(row["departs"] for seat in verdict["seats"] for row in seat["reply"] if row["arrival"] > 0)


def test_beyond_the_family_it_costs(kuhn: Kuhn) -> None:
    with pytest.raises(ValueError, match=r"α must be a number from 0 to 1/3, not 0\.4"):
        kuhn.equilibrium(0.4)
    bets = kuhn.equilibrium(1 / 3)
    bets[kuhn.place(0, JACK, NOTHING)] = 0.5
    first, second = kuhn.verdict(bets)["seats"]
    assert first["loss"] > 0.01
    assert second["loss"] == pytest.approx(0, abs=1e-12)
    assert kuhn.alpha_of(bets) is None
    # Too many bluffs, so the Queen calls, and nothing else changes.
    punishing = [(row["place"], row["best"]) for row in first["reply"] if row["departs"]]
    assert punishing == [(kuhn.place(1, QUEEN, BET), "call")]


def test_uniform_play(kuhn: Kuhn) -> None:
    verdict = kuhn.verdict([0.5] * 12)
    assert verdict["value"] == pytest.approx(1 / 8)
    assert verdict["nash_conv"] == pytest.approx(11 / 12)
    assert verdict["exploitability"] == pytest.approx(11 / 24)


def test_what_makes_the_queen_indifferent(kuhn: Kuhn) -> None:
    """One bluff for every three bets with the King: at α = 1/5, the King bets with 3/5."""
    curve = kuhn.curve(kuhn.equilibrium(1 / 5), kuhn.place(0, JACK, NOTHING), kuhn.place(1, QUEEN, BET))
    fold, call = {round(x, 6): (fold, call) for x, fold, call in curve}[0.2]
    assert call == pytest.approx(fold) == pytest.approx(-1)
    gains = [call - fold for _, fold, call in curve]
    assert gains == sorted(gains)
    values = kuhn.move_values(kuhn.equilibrium(1 / 6))
    assert values[kuhn.place(0, KING, PASSED_BET)] == pytest.approx((-1, 2))


@pytest.mark.parametrize("bets", [[0.5] * 11, [0.5] * 11 + [1.5], []])
def test_a_strategy_has_twelve_probabilities(kuhn: Kuhn, bets: list[float]) -> None:
    with pytest.raises(ValueError, match="12 probabilities, from 0 to 1"):
        kuhn.strategy(bets)


def test_the_judge_agrees_with_the_solver() -> None:
    """Leduc poker, uniform play: values and best responses."""
    game = LeducPoker()
    judge, look = Judge(game), Solver(game, compile=False).look()
    uniform = [[1 / len(each.moves)] * len(each.moves) for each in judge.situations]
    assert judge.values(uniform) == pytest.approx(look.values)
    replies = [judge.reply(p, uniform) for p in (0, 1)]
    assert [reply.value for reply in replies] == pytest.approx(look.best_responses)
    costs = judge.costs(uniform)
    assert all(min(row) == 0 for row in costs)
    # To follow the reply is worth what it says.
    answer = [[0.0] * len(each.moves) for each in judge.situations]
    for which in replies[1].situations:
        answer[which][replies[1].best(which)] = 1.0
    assert judge.values(judge.mixed(uniform, answer))[1] == pytest.approx(replies[1].value)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("payoffs", [UNEVEN, "0 -1 2; 1 0 -1; -2 1 0", "2,2 0,3; 3,0 1,1"])
def test_regret_matching_is_what_the_solver_does(method: str, payoffs: str) -> None:
    game = Matrix(payoffs)
    matching = RegretMatching(game, method)
    matching.run(40)
    solver = Solver(game, method, compile=False)
    solver.iterate(40)
    assert np.concatenate(matching.steps[-1].average) == pytest.approx(solver.average()[2:], abs=1e-12)
    assert matching.exploitability(matching.steps[-1].average) == pytest.approx(solver.look().exploitability)


@pytest.mark.parametrize("start", ["uniform", "first"])
def test_the_bound_holds_and_the_average_converges(start: str) -> None:
    game = Matrix(UNEVEN)
    matching = RegretMatching(game, "cfr-simultaneous", start)
    matching.run(1000)
    for number, step in enumerate(matching.steps, start=1):
        assert matching.exploitability(step.average) <= matching.bound(number) + 1e-12
    chance, value = by_linear_programming(game, Solver(game, compile=False).form)
    row, column = matching.steps[-1].average
    assert row @ game.first @ column == pytest.approx(value, abs=0.05)
    assert np.concatenate((row, column)) == pytest.approx(chance[2:], abs=0.05)


def test_general_sum_games_approach_a_coarse_correlated_equilibrium() -> None:
    shapley = Matrix("1,0 0,1 0,0; 0,0 1,0 0,1; 0,1 0,0 1,0")
    matching = RegretMatching(shapley, "cfr-simultaneous", "first")
    matching.run(3000)
    assert matching.correlated_gain() < 0.03
    assert pure_equilibria(shapley) == []
    assert pure_equilibria(Matrix("0,0 7,2; 2,7 6,6", "dare yield", "dare yield")) == [
        ("dare", "yield"),
        ("yield", "dare"),
    ]


def test_regrets_become_probabilities() -> None:
    assert matched(np.array([3.0, -1.0, 1.0])).tolist() == [0.75, 0.0, 0.25]
    assert matched(np.array([-3.0, -1.0])).tolist() == [0.5, 0.5]
    with pytest.raises(UnknownName, match="there is no 'nash' here: choose one of cfr-simultaneous, cfr, cfr\\+"):
        RegretMatching(Matrix(), "nash")
