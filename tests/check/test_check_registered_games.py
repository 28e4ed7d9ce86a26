"""Every registered game passes the conformance check, in both modes and with nothing to remark."""

from __future__ import annotations

import pytest

from support.stress_games import Lookup, Whist
from zermelo import Game, games
from zermelo.check import check


@pytest.mark.parametrize("name", games.names())
def test_registered_games_pass(name: str) -> None:
    report = check(games.load(name), plays=60)
    assert report.findings == (), str(report)
    assert report.compiled, report.why_plain
    assert report.statistics.compared_games == 60
    assert report.statistics.unfinished == 0


@pytest.mark.parametrize("name", games.names())
def test_registered_games_pass_in_plain_python(name: str) -> None:
    report = check(games.load(name), plays=20, seed=1, compile=False)
    assert report.findings == (), str(report)
    assert not report.compiled


@pytest.mark.parametrize("game", [Whist(tricks=2), Lookup()], ids=repr)
def test_draws_sides_and_tables_pass(game: Game) -> None:
    report = check(game, plays=10)
    assert [f.code for f in report.errors if f.code != "actions-after-end"] == [], str(report)
    assert report.statistics.compared_games == 10
