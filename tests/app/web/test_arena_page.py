"""The Arena page, in a browser; and the match behind it, without one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.browsing import opened
from support.serving import Served, eventually, hear, heard_error, is_alive, say, serving
from zermelo.arena.standings import Standings
from zermelo.play.files import read_games

OWN = str(Path(__file__).parent.parent.parent / "support" / "twenty_one.py")
ENDLESS = "counters=99"
"""With so many counters minimax thinks for as long as it may."""


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(OWN) as made:
        yield made


def test_a_match_is_told_and_kept_as_the_arena_does(served: Served, tmp_path: Path) -> None:
    with served.tab() as tab:
        say(tab, "arena_look", game=OWN)
        view = hear(tab, "arena_view")
        assert {choice["words"] for choice in view["choices"]} >= {"level:random", "level:club", "engine", "alpha_beta"}
        say(tab, "arena", players=["alpha_beta:depth=3", "random"], games=7, side_by_side=2)
        assert hear(tab, "arena_begun")["total"] == 8, "everybody sits everywhere, so the number is even"
        last: dict[str, Any] = {}
        boards = 0
        while True:
            told = hear(tab, "arena_game", "arena_table", "arena_over")
            if told["kind"] == "arena_over":
                break
            boards += told["kind"] == "arena_game"
            last = told if told["kind"] == "arena_table" else last
        assert (told["stopped"], told["error"], last["done"]) == (False, None, 8)
        assert boards > 0
        assert last["rows"][0]["player"] == "alpha_beta:depth=3"
        assert last["rows"][0]["games"] == 8
        assert last["remarks"][0].startswith("8 games of")
        say(tab, "arena_save")
        saved = hear(tab, "arena_saved")
    file = tmp_path / saved["name"].rpartition("/")[2]
    file.write_text(saved["text"])
    records = list(read_games(file))
    assert sorted(record.number for record in records if record.number is not None) == list(range(8))
    standings = Standings(records[0].load(), ("alpha_beta:depth=3", "random"))
    for record in records:
        standings.add(record)
    assert standings.tallies[0].wins == last["rows"][0]["won"]
    assert json.loads(saved["text"].splitlines()[0])["players"] == ["alpha_beta:depth=3", "random"]


def test_pictures_of_a_game_with_chance_and_a_test_that_decides(served: Served) -> None:
    with served.tab() as tab:
        say(tab, "arena_look", game="pig", settings=["target=20"])
        hear(tab, "arena_view")
        say(tab, "arena", players=["random", "level:random"], games=40, elo0=300, elo1=600)
        while (told := hear(tab, "arena_game", "arena_table", "arena_over", "arena_begun"))["kind"] != "arena_over":
            if told["kind"] == "arena_game":
                assert told["svg"].startswith("<svg")
            if told["kind"] == "arena_table":
                assert told["sprt"]["elo0"] == 300
                decision = told["sprt"]["decision"]
        assert told["error"] is None
        assert decision == "reject"


WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({"players": ["random", "random"]}, "two of the players are the same"),
    ({"players": ["random"]}, "at least two players"),
    ({"players": ["random", "person"]}, "people play on the Play page"),
    ({"players": ["random", "level:grandmaster"]}, "no level"),
    ({"players": ["random", "program:sh"]}, "cannot play here"),
    ({"players": ["random", "engine:table=4096"]}, "table must be between 0 and 256"),
    ({"players": ["random", "auto", "minimax"], "elo0": 0, "elo1": 5}, "for two players"),
    ({"players": ["random", "minimax"], "elo0": 5, "elo1": 0}, "elo0 must be less than elo1"),
    ({"players": ["random", "minimax"], "games": 100_000}, "games must be a whole number from 1 to 1000"),
)


def test_what_is_wrong_with_a_match_is_said(served: Served) -> None:
    with served.tab() as tab:
        say(tab, "arena_look", game=OWN)
        hear(tab, "arena_view")
        for fields, said in WRONG:
            say(tab, "arena", **{"games": 4, **fields})
            assert said in heard_error(tab)


def test_a_match_ends_with_its_tab_and_by_its_button(served: Served) -> None:
    eventually(lambda: len(served.hosts()) <= 1)
    with served.tab() as tab:
        for way in ("arena_stop", "leave", "closed"):
            say(tab, "arena_look", game=OWN, settings=[ENDLESS])
            hear(tab, "arena_view")
            say(tab, "arena", players=["minimax:seconds=50", "random"], games=4)
            hear(tab, "arena_game")
            eventually(lambda: len(served.workers()) == 1)
            (worker,) = served.workers()
            if way == "closed":
                tab.close()
            else:
                say(tab, way)
                assert hear(tab, "arena_over")["stopped"]
            eventually(lambda worker=worker: not is_alive(worker))
    eventually(lambda: len(served.hosts()) <= 1)


def test_a_match_by_mouse(browser: Any, served: Served) -> None:
    with opened(browser, f"{served.address}#/arena?game={OWN}") as page:
        page.get_by_label("player 1").select_option("alpha_beta")
        page.get_by_label("player 2").select_option("level:random")
        page.get_by_role("button", name="add player").click()
        page.get_by_label("player 3", exact=True).select_option("level:beginner")
        page.get_by_label("games", exact=True).fill("12")
        page.get_by_label("seconds per move").fill("0.01")
        page.get_by_role("button", name="start").click()
        page.locator(".status", has_text="Match finished").wait_for()
        names = page.locator(".results tbody th").all_text_contents()
        assert sorted(names) == ["alpha beta, 0.01 s per move", "beginner", "random"]
        assert page.locator(".results tbody td:nth-child(2)").all_text_contents() == ["8", "8", "8"]
        assert page.locator(".games li").count() == 12
        with page.expect_download() as download:
            page.get_by_role("button", name="save games").click()
        lines = Path(download.value.path()).read_text().splitlines()
        assert len(lines) == 13
        page.get_by_role("link", name="view").first.click()
        page.locator(".record .current").wait_for()
        assert page.locator(".record li").count() > 5


def test_a_match_is_stopped_by_its_button(browser: Any, served: Served) -> None:
    with opened(browser, f"{served.address}#/arena?game=tic_tac_toe", viewport={"width": 390, "height": 800}) as page:
        page.get_by_label("player 1").select_option("level:random")
        page.get_by_label("player 2").select_option("level:random")
        page.get_by_role("button", name="start").click()
        page.get_by_role("alert").get_by_text("two of the players are the same").wait_for()
        page.goto(f"{served.address}#/arena?game={OWN}&set={ENDLESS}")
        page.locator("p.soft", has_text="twenty_one").wait_for()  # whose players can be chosen now
        page.get_by_label("player 1").select_option("minimax")
        page.get_by_label("player 2").select_option("level:random")
        page.get_by_label("seconds per move").fill("50")
        page.get_by_role("button", name="start").click()
        page.get_by_text("game 1, ply").wait_for()
        page.get_by_role("button", name="stop").click()
        page.locator(".status", has_text="Stopped").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, "the page is wider than the phone"


def test_a_game_with_hidden_cards_has_players(browser: Any, served: Served) -> None:
    with opened(browser, f"{served.address}#/arena?game=kuhn_poker") as page:
        page.get_by_role("status").get_by_text("Every pairing plays the same openings").wait_for()
        assert page.get_by_role("button", name="start").is_enabled()
