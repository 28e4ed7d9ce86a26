"""Tables of chess against a search to mate that knows nothing of them: bench/search_to_mate.py."""

from __future__ import annotations

import importlib
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from zermelo import games
from zermelo.lookup.building import build_classes
from zermelo.lookup.probing import Tables
from zermelo.lookup.retrograde import is_in_use

CHESS = games.load("chess")
BENCH = Path(__file__).parent.parent.parent / "bench"


def mate_search(game: Any) -> Any:
    sys.path.insert(0, str(BENCH))
    try:
        return importlib.import_module("search_to_mate").MateSearch(game)
    finally:
        sys.path.remove(str(BENCH))


def compared(tables: Tables, names: tuple[str, ...], count: int, plies: int) -> tuple[int, int]:
    """How many wins and losses the search finds in random positions, all of them as the tables say."""
    game, draw, search = tables.game, random.Random(5), mate_search(tables.game)
    won, lost, done = 0, 0, 0
    while done < count:
        c = game.class_names().index(draw.choice(names))
        i = draw.randrange(game.class_size(c))
        s = game.state_at(c, i)
        if not is_in_use(game, s, c, i) or game.is_terminal(s):
            continue
        done += 1
        verdict, found = tables[s], search(s, plies)
        near = verdict.distance is not None and verdict.distance <= plies
        assert found == ((verdict.value, verdict.distance) if near else None), CHESS.fen(s)
        won += found is not None and found[0] > 0
        lost += found is not None and found[0] < 0
    return won, lost


def test_three_men(tmp_path: Path) -> None:
    build_classes(CHESS, ["KQK"], folder=tmp_path)
    won, lost = compared(Tables(CHESS, tmp_path), ("KQK",), 200, 7)
    assert won > 10
    assert lost > 5


@pytest.mark.slow
def test_four_men(tmp_path: Path) -> None:
    build_classes(CHESS, ["KQKR", "KPK", "KBNK"], folder=tmp_path)
    won, lost = compared(Tables(CHESS, tmp_path), ("KQK", "KRK", "KPK", "KQKR", "KBNK"), 2000, 11)
    assert won > 200
    assert lost > 100
