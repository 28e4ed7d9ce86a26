"""The analysis of backgammon on the page: by the dice engine, every move at the same number of plies."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from zermelo import games
from zermelo.app.web.analyst import can_analyse, deepen
from zermelo.app.web.findings import Findings


@pytest.mark.slow
def test_all_moves_are_judged_ply_by_ply() -> None:
    game = games.load("backgammon")
    s = game.from_text("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    assert can_analyse(game)
    depths: list[int] = []
    found: Any = None
    for findings in islice(deepen(game, None, [s], None, lambda *_: None, compiled=True), 2):
        assert isinstance(findings, Findings)
        depths.append(findings.depth)
        found = findings
    assert depths == [1, 2]
    assert found.ranked[0] == "8/5 6/5"
    assert {each.depth for each in found.moves.values()} == {2}
    assert len(found.moves) == len(game.legal(s))
