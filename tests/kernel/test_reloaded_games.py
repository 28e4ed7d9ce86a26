"""A user's file that is loaded twice in one process compiles both times."""

from __future__ import annotations

from pathlib import Path

from zermelo import analyse
from zermelo.games.resolve import resolve

GAME = """
from typing import NamedTuple

from zermelo import Game, u8


class Heap(NamedTuple):
    matches: u8
    mover: u8


class Matches(Game):
    utility_range = (-1, 1)

    def initial(self):
        return Heap(9, 0)

    def to_move(self, s):
        return s.mover

    def actions(self, s):
        for a in range(1, min(3, s.matches) + 1):
            yield a

    def result(self, s, a):
        return Heap(s.matches - a, 1 - s.mover)

    def is_terminal(self, s):
        for _ in self.actions(s):  # a generator inside a method, as in the game that `zermelo new` writes
            return False
        return True

    def utility(self, s, p):
        return -1 if s.mover == p else 1
"""


def test_a_file_that_is_loaded_again_compiles_with_another_algorithm(tmp_path: Path, empty_cache: Path) -> None:
    file = tmp_path / "matches_twice.py"
    file.write_text(GAME)
    for algorithm in ("minimax", "alpha_beta", "maxn"):
        found = analyse(resolve(str(file), {}), algorithm=algorithm, compile=True)
        assert found.compiled
        assert found.nodes > 1
