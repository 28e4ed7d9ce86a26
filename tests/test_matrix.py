"""Every registered game with every algorithm that suits it, in both modes: the same answer, the same nodes.

`make test` runs this file twice: with an empty cache of compiled programs, and then with the one that this has left,
because a program that runs when it has just been compiled may still crash when it is loaded from a cache.
"""

from __future__ import annotations

import os

import pytest

import zermelo
import zermelo.search  # registers the algorithms
from support.stress_games import Lookup, Stones
from zermelo import Engine, Game, analyse, games
from zermelo.kernel import cache
from zermelo.search.registry import suitable

EXPECTED = os.environ.get("ZERMELO_EXPECT")
PARAMETERS = {
    "pig": {"target": 10},
    "breakthrough": {"width": 3, "height": 5, "rows": 1},
}
PLAYED: list[Game] = [games.load(name, **PARAMETERS.get(name, {})) for name in games.names()] + [Lookup(), Stones()]
PAIRS = [
    pytest.param(game, algorithm.name, id=f"{type(game).__name__}-{algorithm.name}")
    for game in PLAYED
    for algorithm in suitable(game.traits)
    if algorithm.routine is not None and algorithm.routine.function.__module__.startswith("zermelo.")
]
PLIES = {"Stones": 1, "Chess": 2}


@pytest.mark.parametrize(("game", "algorithm"), PAIRS)
def test_both_modes_agree(game: Game, algorithm: str) -> None:
    depth = PLIES.get(type(game).__name__, 4)
    before = dict(cache.counts)
    compiled = analyse(game, algorithm=algorithm, depth=depth, compile=True)
    made = {name: count - before[name] for name, count in cache.counts.items()}
    if EXPECTED == "cold":
        assert made == {"loaded": 0, "compiled": 1}
    elif EXPECTED == "warm":
        assert made["compiled"] == 0  # loaded from the cache, just now or by an earlier test
    plain = analyse(game, algorithm=algorithm, depth=depth, compile=False)
    for field in ("value", "action", "line", "moves", "nodes", "depth", "exact"):
        assert getattr(compiled, field) == getattr(plain, field), field
    assert compiled.compiled
    assert not plain.compiled


TWO_SIDED = [game for game in PLAYED if not (game.chance or game.hidden) and game.traits.sides == 2]


@pytest.mark.parametrize("game", TWO_SIDED, ids=lambda game: type(game).__name__)
def test_both_modes_of_the_engine_agree(game: Game) -> None:
    depth = PLIES.get(type(game).__name__, 4)
    before = dict(cache.counts)
    compiled = Engine(game, table=1).think(depth=depth)
    made = {name: count - before[name] for name, count in cache.counts.items()}
    if EXPECTED == "cold":
        assert made == {"loaded": 0, "compiled": 1}
    elif EXPECTED == "warm":
        assert made["compiled"] == 0
    plain = Engine(game, table=1, compile=False).think(depth=depth)
    for field in ("value", "action", "line", "nodes", "depth", "exact", "distance"):
        assert getattr(compiled, field) == getattr(plain, field), field


def test_every_game_that_hides_nothing_is_here() -> None:
    there = {type(parameter.values[0]).__name__ for parameter in PAIRS}
    visible = {type(games.load(name)).__name__ for name in games.names() if not games.load(name).hidden}
    assert visible <= there
    assert zermelo.__version__
