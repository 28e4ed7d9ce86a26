"""Retrograde analysis on the page Backwards: what the desk answers, and the page in a browser."""

from __future__ import annotations

import json
from typing import Any

import pytest

import zermelo
from support.browsing import Tab
from support.serving import serving
from zermelo.app.web import passes_desk
from zermelo.app.web.host import Host
from zermelo.app.web.messages import parse
from zermelo.app.web.passes_desk import LESSONS, Lesson
from zermelo.games.rook_ending import RookEnding, RookEndingState


def ask(host: Host, heard: list[dict[str, Any]], **message: Any) -> dict[str, Any]:
    host.handle(parse(json.dumps(message)))
    return heard[-1]


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return Lesson("rook_ending")


@pytest.mark.parametrize("name", LESSONS)
def test_every_position_is_in_one_pass_and_has_a_reason(name: str) -> None:
    found = Lesson(name)
    about = found.overview()
    assert sum(row["total"] for row in about["passes"]) == about["total"] == len(found.states)
    assert [row["number"] for row in about["passes"]][:3] == [0, 1, 2]
    for number, some in found.by_pass.items():
        known = found.known(some[len(some) // 2])
        assert known["number"] == number
        if number > 0:
            best = [move for move in known["moves"] if move["best"]]
            assert {move["number"] for move in best} == {number - 1}
            assert {move["verdict"] for move in best} == {known["verdict"]}
            assert f"pass {number - 1}" in known["because"]
        else:
            assert known["because"] == "the game is over"


def test_a_loss_needs_all_moves_and_a_win_one(lesson: Lesson) -> None:
    for i in lesson.by_pass[4]:
        known = lesson.known(i)
        assert known["turn"] == "Black to move"
        assert {move["verdict"] for move in known["moves"]} == {"White wins"}
        assert max(move["number"] for move in known["moves"]) == 3


def test_the_desk_answers() -> None:
    heard: list[dict[str, Any]] = []
    host = Host(heard.append)
    assert ask(host, heard, do="pass", number=0, first=0, verdict="")["error"] == "no game is chosen yet"
    assert "there is no game 'chess' to analyse backwards" in ask(host, heard, do="passes", lesson="chess")["error"]
    view = ask(host, heard, do="passes", lesson="tic_tac_toe")
    assert (view["total"], view["passes"][0]["counts"]) == (5478, {"X wins": 626, "O wins": 316, "draw": 16})
    shown = ask(host, heard, do="pass", number=0, first=7, verdict="draw")
    assert (shown["total"], shown["first"], len(shown["positions"])) == (16, 0, passes_desk.SHOWN)
    assert {one["verdict"] for one in shown["positions"]} == {"draw"}
    assert len(ask(host, heard, do="pass", number=0, first=999, verdict="draw")["positions"]) == 4
    assert "there is no pass 99" in ask(host, heard, do="pass", number=99, first=0, verdict="")["error"]
    assert "there is no position" in ask(host, heard, do="known", state=9999)["error"]
    assert ask(host, heard, do="known", state=view["start"])["because"].startswith("no move of X wins")


def test_the_rook_ending() -> None:
    """By hand: the longest mate on a board of 3 × 3, and a rook that is lost."""
    game = RookEnding(3)
    s = game.play("Ka2")
    assert game.text(s).splitlines()[-1] == "Black to move"
    en_prise = RookEndingState(0, 8, 7, 1)
    assert "Kxb3" in {game.action_name(en_prise, a) for a in game.actions(en_prise)}
    assert game.utility(game.play("Kxb3", state=en_prise), 0) == 0
    assert len(Lesson("rook_ending").states) == 3636


def test_the_page(browser: Any) -> None:
    with serving() as served:
        tab = Tab(browser, served.address + "#/backwards")
        page = tab.page
        page.get_by_role("button", name="next pass").click()
        tab.until(lambda: "Pass 1: 696 positions become known" in page.inner_text(".says"))
        page.locator(".side select").nth(1).select_option("White wins")
        listed = page.locator(".positions .one")
        tab.until(lambda: all("White wins" in text for text in listed.all_inner_texts()))
        listed.nth(1).click()
        tab.until(lambda: "White wins, known in pass 1" in page.inner_text(".chosen-position"))
        assert "to a state that was decided in pass 0" in page.inner_text(".because")
        page.locator(".chosen-position tbody tr.now button").first.click()
        tab.until(lambda: "The game is over." in page.inner_text(".chosen-position"))
        assert "pass=0" in tab.address
        assert "state=" in tab.address
        page.locator(".side select").nth(0).select_option("nim")
        tab.until(lambda: "Nim" in page.inner_text("h2.tree-title"))
        tab.until(lambda: page.locator(".bar-of-pass").count() == 7)
        tab.close()


@pytest.mark.slow
def test_the_rook_ending_is_the_same_compiled() -> None:
    """All positions after three plies, in both modes; and the conformance check finds nothing."""
    game = RookEnding()
    assert zermelo.perft(game, 3) == zermelo.perft(game, 3, compile=False)
    assert zermelo.check(game, plays=3).errors == ()
