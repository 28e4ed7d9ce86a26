"""Tables of a user's own game in plain Python, whose moves are not numbers and which takes no moves back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zermelo import Engine, Game, GameError
from zermelo.lookup.building import build_classes
from zermelo.lookup.longest import longest_win
from zermelo.lookup.probing import Tables


class Countdown(Game):
    """A counter on a track of 8 places goes 1 or 2 steps. Whoever brings it to the end wins."""

    utility_range = (-1, 1)
    places = 8

    def initial(self) -> Any:
        return self.places, 0

    def to_move(self, s: Any) -> int:
        return int(s[1])

    def actions(self, s: Any) -> Any:
        yield from [("step", n) for n in (1, 2) if n <= s[0]]

    def result(self, s: Any, a: Any) -> Any:
        return s[0] - a[1], 1 - s[1]

    def is_terminal(self, s: Any) -> bool:
        return bool(s[0] == 0)

    def utility(self, s: Any, p: int) -> float:
        return -1.0 if s[1] == p else 1.0

    def class_names(self) -> tuple[str, ...]:
        return "near", "far"

    def class_of(self, s: Any) -> int:
        return 0 if s[0] <= 4 else 1

    def class_size(self, c: int) -> int:
        return 5 if c == 0 else self.places - 4

    def index_of(self, s: Any) -> int:
        return int(s[0] if s[0] <= 4 else s[0] - 5)

    def state_at(self, c: int, i: int) -> Any:
        return (i if c == 0 else i + 5), 0


def test_values_by_the_theory(tmp_path: Path) -> None:
    """Multiples of three are lost."""
    game = Countdown()
    near, far = build_classes(game, ["far"], folder=tmp_path)
    assert (near.won, near.lost, far.won, far.lost) == (3, 2, 3, 1)
    tables = Tables(game, tmp_path)
    for left in range(1, game.places + 1):
        for mover in (0, 1):
            assert tables[left, mover].value == (-1 if left % 3 == 0 else 1)
    start, moves = longest_win(tables, "far")
    assert len(moves) == tables[start].distance
    assert tables.best_moves((8, 0))[0][0] == ("step", 2)


def test_the_engine_probes_them_in_plain_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_TABLES", str(tmp_path))
    build_classes(Countdown(), ["near"], folder=tmp_path)
    found = Engine(Countdown()).think(depth=4)
    assert (found.value, found.exact) == (1, True)


def test_more_moves_than_declared(tmp_path: Path) -> None:
    class Narrow(Countdown):
        max_actions = 1

    with pytest.raises(GameError, match="Narrow has a position with more moves than max_actions, which is 1"):
        build_classes(Narrow(), ["near"], folder=tmp_path)
