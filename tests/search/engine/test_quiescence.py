"""The horizon effect in Breakthrough: a search that stops in the middle of an exchange picks a move that loses."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo import Game, games
from zermelo.games.breakthrough import BreakthroughState
from zermelo.search.engine import Engine

BARE: dict[str, Any] = {
    "table": 0, "quiescence": False, "forced": False, "singular": False, "bounds": False, "safe": False
}  # fmt: skip
"""Nothing but the depth asked for decides what is seen."""

EXCHANGE = BreakthroughState(21344, 12659712, 0)
BREAK = BreakthroughState(24752, 17339392, 1)


@pytest.fixture(scope="module")
def material() -> Game:
    """Breakthrough by the number of pieces alone."""
    features = len(games.load("breakthrough", width=5, height=5).feature_names())
    return games.load("breakthrough", width=5, height=5, weights=[0.05] + [0.0] * (features - 1))


def chosen(game: Game, s: Any, depth: int, **options: Any) -> tuple[str, float]:
    found = Engine(game, **{**BARE, **options}).think(s, depth=depth)
    return game.action_name(s, found.action), found.value


@pytest.mark.parametrize("more", [{}, {"forced": True, "singular": True}], ids=["quiescence", "and extensions"])
def test_a_capture_that_loses(material: Game, more: dict[str, Any]) -> None:
    solver = Engine(material)
    for s, loses, wins, depths in ((EXCHANGE, "b2xa3", "c3xb4", (1, 2, 3)), (BREAK, "e4xd3", "c3-b2", (1, 2))):
        for name, value in ((loses, 1), (wins, -1)):
            assert solver.solve(material.play(name, state=s)).value == value  # to the other side
        for depth in depths:
            assert chosen(material, s, depth)[0] == loses
            assert chosen(material, s, depth, quiescence=True, **more) == (wins, 1)


def test_without_it_the_value_flickers(material: Game) -> None:
    """A piece more or not: it depends on who has moved last."""
    assert [chosen(material, EXCHANGE, depth)[1] for depth in (1, 2, 3, 4)] == [0.05, 0, 0.05, 0]
