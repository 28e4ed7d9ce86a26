"""How many programs the engine compiles: one for thinking, and another one only for a proof that was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo.games.connect_four import ConnectFour
from zermelo.search.engine import Engine


class OtherConnectFour(ConnectFour):
    """A game that no other test has compiled."""


def programs(cache: Path) -> int:
    return len(list(cache.glob("*.program")))


@pytest.mark.slow
def test_thinking_compiles_one_program_even_if_it_ends_in_a_proof(empty_cache: Path) -> None:
    engine = Engine(OtherConnectFour())
    engine.think(depth=2)
    engine.think(seconds=0.001)
    engine.think(nodes=20_000)
    assert engine._finishing  # the proof has begun
    assert programs(empty_cache) == 1
    assert engine.solve(nodes=1000).nodes > 0
    assert programs(empty_cache) == 2
    assert engine.finishing is engine.proving  # compiled anyway, and faster
