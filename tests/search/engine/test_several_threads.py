"""Several threads search one position: the same proofs, and counts over all threads. No test here depends on time."""

from __future__ import annotations

import os

from support.engine_games import random_position
from zermelo import Random, games
from zermelo.search.engine import Engine
from zermelo.search.engine.switches import TABLE_CUTS

EXAMPLES = int(os.environ.get("ZERMELO_EXAMPLES", "1"))


def test_several_threads_prove_the_same() -> None:
    game, random = games.load("connect_four", width=5, height=4), Random(11)
    alone, together = Engine(game, table=1), Engine(game, table=1, threads=3)
    for _ in range(40 * EXAMPLES):
        s, _ = random_position(game, random, 14, 4)
        one, several = alone.solve(s), together.solve(s)
        assert (one.value, one.distance, one.exact) == (several.value, several.distance, True)
        assert several.exact
        thought = together.think(s, seconds=60)
        assert (thought.value, thought.distance, thought.exact) == (one.value, one.distance, True)


def test_what_all_threads_did_is_counted() -> None:
    """Table cuts are counted over all threads, like nodes."""
    engine = Engine(games.load("connect_four", width=8, height=7), table=1, threads=2)
    found = engine.search(depth=12)
    assert found.nodes == engine.visited
    first, second = (int(memory.counts[TABLE_CUTS]) for memory in engine.memories)
    assert found.table_cuts == first + second > first
