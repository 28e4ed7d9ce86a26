"""Every registered game passes the conformance check, in both modes and with nothing to remark."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from support.stress_games import Lookup, Whist
from zermelo import Game, games, u8
from zermelo.conformance import check

PLAYS = 16 if os.environ.get("ZERMELO_EXAMPLES") is None else 100  # `make slow` looks at more

LONG = ("backgammon", "chess", "go")
PATIENCE = 600.0
"""Seconds that no check takes, on a machine that has other things to do."""


def plays_of(name: str) -> int:
    """How many games are played: few of those that are long."""
    return PLAYS // 8 if name in LONG else PLAYS


@pytest.mark.parametrize("name", games.names())
def test_registered_games_pass(name: str) -> None:
    report = check(games.load(name), plays=plays_of(name), seconds=PATIENCE)
    assert report.findings == (), str(report)
    assert report.compiled, report.why_plain
    assert report.statistics.compared_games == plays_of(name)
    assert report.statistics.unfinished == 0


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in LONG else name for name in games.names()]
)
def test_registered_games_pass_in_plain_python(name: str) -> None:
    report = check(games.load(name), plays=PLAYS // 4, seed=1, compile=False, seconds=PATIENCE)
    assert report.findings == (), str(report)
    assert not report.compiled


class Place(NamedTuple):
    at: u8
    mover: u8


class Circle(Game):
    """A token on a circle of nine places, one or two steps a move; who repeats a position twice loses."""

    utility_range = (-1, 1)
    max_actions = 2
    uses_history = True

    def initial(self) -> Place:
        return Place(0, 0)

    def to_move(self, s: Place) -> int:
        return s.mover

    def actions(self, s: Place) -> Iterator[int]:
        if not self.is_terminal(s):
            yield 1
            yield 2

    def result(self, s: Place, a: int) -> Place:
        return Place((s.at + a) % 9, 1 - s.mover)

    def is_terminal(self, s: Place) -> bool:
        return self.occurrences(self.key(s)) >= 3

    def utility(self, s: Place, p: int) -> float:
        return 1 if s.mover == p else -1

    def evaluate(self, s: Place, p: int) -> float:
        return 0.1 if s.mover == p else -0.1


@pytest.mark.parametrize("game", [Whist(tricks=2), Lookup(), Circle()], ids=repr)
def test_draws_sides_tables_and_histories_pass(game: Game) -> None:
    report = check(game, plays=10, seconds=PATIENCE)
    assert [f.code for f in report.errors if f.code != "actions-after-end"] == [], str(report)
    assert report.statistics.compared_games == 10
