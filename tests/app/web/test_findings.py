"""What values mean on the page: chances, grades, and what is saved of them."""

from __future__ import annotations

import pytest

from zermelo.app.web.findings import Finding, Findings, Judge, grade
from zermelo.games import load


def test_chances_are_those_fitted_for_the_game() -> None:
    judge = Judge(load("chess"))
    level, better = (judge.chance(Finding(value), 0) for value in (0.0, 0.2))
    assert level == 0.5
    assert better == pytest.approx(0.72, abs=0.03)  # two pawns
    assert judge.chance(Finding(1.0, 3, True), 0) == 1.0
    assert judge.chance(Finding(-1.0, 4, False), 0) == 0.0


def test_where_nobody_has_fitted_a_chance_there_is_a_value() -> None:
    game = load("breakthrough")
    judge = Judge(game)
    assert judge.chance(Finding(0.2), 0) is None
    assert judge.share(Finding(0.2), 0) == pytest.approx(0.6)
    findings = {0: Findings(0, {"a2-a3": Finding(0.5), "b2-b3": Finding(0.0)}, 3)}
    graph = judge.graph([game.initial()], ["b2-b3"], findings, False)
    assert not graph["measured"]
    assert graph["mistakes"][0]["why"] == "b2-b3: 0; better was a2-a3: 0.5."


def test_what_is_neither_proven_nor_estimated_is_open() -> None:
    judge = Judge(load("connect_four"))
    assert judge.verdict(Finding(0.0), 0) == "open"
    assert judge.verdict(Finding(0.0, None, True), 0) == "draw"


def test_the_best_moves_are_saved_and_the_one_that_was_played() -> None:
    moves = {f"m{i}": Finding(-i / 100) for i in range(30)}
    saved = Findings(0, moves, 2, done=True).to_json("m29")
    assert [name for name, *_ in saved["moves"]] == [*(f"m{i}" for i in range(12)), "m29"]
    assert not saved["done"]
    assert Findings.from_json(saved, "0", list(moves)).ranked[-1] == "m29"


def test_grades() -> None:
    assert [grade(lost) for lost in (0.0, 0.06, 0.12, 0.3)] == ["", "?!", "?", "??"]


def test_of_equal_moves_the_sooner_win_and_the_later_loss_are_better() -> None:
    wins = Findings(0, {"slow": Finding(1.0, 5, True), "quick": Finding(1.0, 3, True)})
    losses = Findings(0, {"quick": Finding(-1.0, 2, True), "slow": Finding(-1.0, 4, True)})
    assert (wins.ranked[0], losses.ranked[0]) == ("quick", "slow")
