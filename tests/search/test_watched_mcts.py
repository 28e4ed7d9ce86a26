"""Watching Monte Carlo tree search: the real search, told simulation by simulation."""

from __future__ import annotations

import math
from typing import Any

import pytest

import zermelo
from zermelo import Unsuitable, analyse
from zermelo.search.mcts.watched import Simulation
from zermelo.trees import MIN, Tree, chance, node

FIGURE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]


class Seen:
    def __init__(self) -> None:
        self.simulations: list[Simulation] = []

    def simulation(self, simulation: Simulation) -> None:
        self.simulations.append(simulation)


def watched(game: Any, **options: Any) -> tuple[list[Simulation], Any]:
    seen = Seen()
    return seen.simulations, analyse(game, algorithm="mcts", observer=seen, **options)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (zermelo.games.load("tic_tac_toe"), {}),
        (zermelo.games.load("pig"), {}),
        (zermelo.games.load("coalition"), {}),
        (Tree(FIGURE, utility_range=(2, 14)), {"rollout_plies": 9}),
        (Tree(FIGURE), {"proofs": False, "rollout_plies": 9}),
        (Tree(node(0, chance((0.5, [1, 2]), (0.5, 3)), [4, 0])), {"rollout_plies": 9}),
    ],
)
def test_a_watched_search_is_the_search_itself(game: Any, options: dict[str, Any]) -> None:
    seen, found = watched(game, nodes=60, seed=3, **options)
    alone = analyse(game, algorithm="mcts", nodes=60, seed=3, compile=False, **options)
    assert (found.moves, found.value, found.exact, found.nodes) == (alone.moves, alone.value, alone.exact, alone.nodes)
    assert [each.number for each in seen] == list(range(1, found.nodes + 1))
    visits = {move.action: move.visits or 0 for move in found.moves}
    for action, count in visits.items():
        assert sum(each.choices[0].action == action for each in seen) == count
    for each in seen:
        assert [update.visits - update.visits_before for update in each.updates] == [1] * (len(each.choices) + 1)
        for choice in each.choices:
            if choice.how == "bound":
                totals = {bound.action: bound.total for bound in choice.bounds}
                assert totals[choice.action] == pytest.approx(max(totals.values()), abs=1e-12)  # equal but for rounding
                for bound in choice.bounds:
                    expected = each.factor * math.sqrt(math.log(choice.visits + 1) / bound.visits)
                    assert bound.exploration == pytest.approx(expected)
        for p, utility in each.utilities.items():
            assert 0 <= each.results[p] <= 1
            assert isinstance(utility, float)


def test_the_rollout_ends_where_its_result_is_read() -> None:
    tree = Tree(FIGURE, utility_range=(2, 14))
    seen, _ = watched(tree, nodes=5, rollout_plies=9)
    assert any(each.rollout for each in seen)
    for each in seen:
        at = tree.initial()
        for move in each.moves:
            at = tree.result(at, move)
        assert at == each.states[-1]
        assert tree.is_terminal(at)
        assert each.utilities == {0: tree.utility(at, 0), 1: tree.utility(at, 1)}


def test_a_range_that_is_not_symmetric_serves_both_players() -> None:
    """MIN's utilities are −14 … −2 if MAX's are 2 … 14: its results must not be cut off at 0."""
    tree = Tree(FIGURE, utility_range=(2, 14), first=MIN)
    seen, found = watched(tree, nodes=20, rollout_plies=9, proofs=False)
    for each in seen:
        assert sum(each.results) == pytest.approx(1)
    assert -14 <= found.value <= -2
    assert analyse(tree, algorithm="mcts", nodes=200, rollout_plies=9, compile=False).value == -6


def test_proofs_can_be_switched_off() -> None:
    tree = Tree(FIGURE, utility_range=(2, 14))
    seen, found = watched(tree, nodes=100, rollout_plies=9, proofs=False)
    assert (len(seen), found.exact) == (100, False)
    assert not any(each.proven for each in seen)


def test_hidden_games_are_not_watched() -> None:
    with pytest.raises(Unsuitable, match="hidden"):
        watched(zermelo.games.load("kuhn_poker"), nodes=3)
