"""What the engine remembers of a search: evaluations."""

from __future__ import annotations

from typing import Any

from zermelo.games.breakthrough import Breakthrough
from zermelo.search.engine import Engine


class Counting(Breakthrough):
    """Counts its evaluations."""

    asked = 0

    def evaluate(self, s: Any, p: int) -> float:
        type(self).asked += 1
        return super().evaluate(s, p)


class Remembered(Counting):
    asked = 0
    costly_evaluation = True


def test_remembered_evaluations_change_nothing_but_the_work() -> None:
    found = [Engine(game, compile=False).think(nodes=3000) for game in (Counting(5, 5), Remembered(5, 5))]
    assert found[0].value == found[1].value
    assert found[0].line == found[1].line
    assert found[0].nodes == found[1].nodes
    assert 0 < Remembered.asked < Counting.asked


def test_an_engine_that_is_cleared_evaluates_again() -> None:
    engine = Engine(Remembered(5, 5), compile=False)
    Remembered.asked = 0
    engine.think(nodes=500)
    asked = Remembered.asked
    engine.clear()
    engine.think(nodes=500)
    assert Remembered.asked == 2 * asked
