"""Games and algorithms in both modes: the same answer, the same nodes.

Every game meets the engine and the one textbook algorithm that its kind calls for. Every algorithm meets one game of
each kind that suits it. The number of pairs therefore grows with the number of games plus the number of algorithms,
not with their product. The rules of every game are compared in both modes by the conformance check.

`make test` runs this file twice: with an empty cache of compiled programs, and then with the one that this has left,
because a program that runs when it has just been compiled may still crash when it is loaded from a cache.
"""

from __future__ import annotations

import os

import pytest

from support.history_games import RingWalk
from support.stress_games import Lookup, Stones
from zermelo import Engine, Game, analyse, games
from zermelo.kernel import cache
from zermelo.search.registry import algorithms, suitable

EXPECTED = os.environ.get("ZERMELO_EXPECT")
PARAMETERS = {
    "pig": {"target": 10},
    "breakthrough": {"width": 3, "height": 5, "rows": 1},
    "go": {"size": 3},
    "hex": {"size": 3},
}
REGISTERED: list[Game] = [games.load(name, **PARAMETERS.get(name, {})) for name in games.names()]
PLAYED = [*REGISTERED, Lookup(), Stones()]
OWN = [a for a in algorithms(observable=True) if a.routine.function.__module__.startswith("zermelo.")]
PLIES = {"Stones": 1, "Chess": 2, "Backgammon": 2}


def kind(game: Game) -> tuple[int, bool, bool, bool]:
    """What decides which algorithms suit a game, and what their compiled programs contain."""
    return game.traits.sides, game.traits.zero_sum, game.chance, game.uses_history


SMALL = [games.load("tic_tac_toe"), games.load("pig", **PARAMETERS["pig"]), games.load("coalition"), RingWalk()]
REPRESENTATIVES = {kind(game): game for game in [*PLAYED, *SMALL] if not game.hidden}
"""One game of each kind: a small one if there is one."""


def usual(game: Game) -> list[str]:
    """The textbook's algorithm for a game of this kind; none if the game has hidden information."""
    there = {algorithm.name for algorithm in suitable(game.traits)}
    return [name for name in ("alpha_beta", "expectiminimax", "maxn") if name in there][:1]


def pairs() -> dict[str, tuple[Game, str]]:
    chosen = [(game, name) for game in PLAYED for name in usual(game)]
    chosen += [
        (game, algorithm.name)
        for algorithm in OWN
        for game in REPRESENTATIVES.values()
        if algorithm.objection(game.traits) is None
    ]
    return {f"{type(game).__name__}-{name}": (game, name) for game, name in chosen}


PAIRS = pairs()


@pytest.mark.parametrize(("game", "algorithm"), PAIRS.values(), ids=PAIRS)
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
    assert compiled.value == pytest.approx(plain.value, rel=0, abs=1e-5 if game.network else 0)  # in single precision
    for field in ("action", "line", "moves", "nodes", "depth", "exact"):
        assert getattr(compiled, field) == getattr(plain, field), field
    assert compiled.compiled
    assert not plain.compiled


TWO_SIDED = [g for g in [*REGISTERED, Stones()] if not (g.chance or g.hidden) and g.traits.sides == 2]


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


def test_every_game_without_hidden_information_is_here() -> None:
    there = {type(game).__name__ for game, _ in PAIRS.values()}
    assert {type(game).__name__ for game in PLAYED if not game.hidden} <= there


def test_every_algorithm_meets_every_kind_of_game_that_suits_it() -> None:
    met = {(name, kind(game)) for game, name in PAIRS.values()}
    for game in PLAYED:
        for algorithm in suitable(game.traits):
            assert algorithm not in OWN or (algorithm.name, kind(game)) in met


def test_the_pairs_grow_with_the_games_and_not_with_their_product() -> None:
    assert len(PAIRS) <= len(PLAYED) + len(OWN) * len(REPRESENTATIVES)
