"""Another game on the table: the one before is a step back in the browser, and what cannot be played says what can."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.browsing import Tab
from support.serving import Served, serving
from zermelo import games
from zermelo.app.web.messages import BadMessage
from zermelo.app.web.permitted import require_permitted
from zermelo.app.web.play_desk import PlayDesk
from zermelo.app.web.table import GameTable
from zermelo.app.web.titles import RULES
from zermelo.game.errors import IllegalAction

PHONE = {"width": 390, "height": 700}


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serving() as made:
        yield made


@pytest.fixture
def opened(browser: Any, server: Served) -> Iterator[Callable[..., Tab]]:
    tabs: list[Tab] = []

    def open_tab(where: str, **settings: Any) -> Tab:
        tabs.append(Tab(browser, server.address + where, **settings))
        tabs[-1].page.wait_for_selector(".picture svg")
        return tabs[-1]

    yield open_tab
    for tab in tabs:
        tab.close()


# In the browser.


def test_back_leads_to_the_game_before_another_one(opened: Callable[..., Tab], tmp_path: Path) -> None:
    tab = opened("#/play?game=chess&moves=e4.e5")
    tab.page.select_option("select.title", "othello")
    tab.until(lambda: tab.address.endswith("game=othello"))
    tab.page.get_by_text("Position", exact=True).click()
    tab.page.get_by_label("position as text").fill("f5 d6")
    tab.page.keyboard.press("Enter")
    tab.until(lambda: tab.address.endswith("game=othello&moves=f5.d6"))
    saved = tmp_path / "saved.jsonl"
    saved.write_text('{"zermelo": "game", "game": "nim", "moves": ["A1"]}')
    tab.page.set_input_files("input[type=file]", saved)
    tab.until(lambda: tab.address.endswith("game=nim&moves=A1"))
    tab.page.click("text=New game")
    tab.until(lambda: tab.address.endswith("game=nim"))
    start = "othello(&moves=f5.d6&at=0)?"  # it is a position of the game on the table: its address has the whole game
    for where in ("nim&moves=A1", "othello&moves=f5.d6", start, "chess&moves=e4.e5"):
        tab.page.go_back()
        tab.until(lambda where=where: re.search(f"game={where}$", tab.address) is not None)
    tab.until(lambda: tab.page.inner_text(".record").split() == ["1.", "e4", "e5"])


def test_moves_are_no_steps_back_in_the_browser(opened: Callable[..., Tab]) -> None:
    tab = opened("#/play?game=chess&moves=e4.e5")
    before = tab.page.evaluate("history.length")
    tab.page.get_by_text("Position", exact=True).click()
    tab.page.get_by_label("position as text").fill("e9")
    tab.page.keyboard.press("Enter")
    tab.page.get_by_text("'e9' is not a move").wait_for()
    tab.page.click('[data-square="d2"]')
    tab.page.click('[data-square="d4"]')
    tab.until(lambda: tab.address.endswith("moves=e4.e5.d4"))
    assert tab.page.evaluate("history.length") == before


def test_what_is_wrong_is_seen_wherever_it_was_asked_for(opened: Callable[..., Tab]) -> None:
    tab = opened("#/play?game=tic_tac_toe&moves=5", viewport=PHONE)
    tab.page.get_by_text("Game settings", exact=True).click()
    field = tab.page.get_by_label("m", exact=True)
    field.fill("0")
    field.scroll_into_view_if_needed()
    field.press("Enter")
    complaint = tab.page.get_by_role("alert")
    complaint.wait_for()
    tab.until(lambda: 0 <= (complaint.bounding_box() or {"y": -1})["y"] < PHONE["height"])


def test_the_rules_are_told(opened: Callable[..., Tab]) -> None:
    tab = opened("#/play?game=breakthrough")
    tab.page.get_by_text("About this game", exact=True).click()
    tab.page.get_by_text("The first to reach the far row wins").wait_for()
    assert set(RULES) == set(games.names())


def test_hexagons_are_played_by_mouse_and_keyboard(opened: Callable[..., Tab]) -> None:
    tab = opened("#/play?game=hex&set=size%3D4")
    tab.page.click('[data-square="b2"]')
    tab.until(lambda: tab.address.endswith("moves=b2"))
    box = tab.page.locator('[data-square="c3"]').bounding_box()
    assert box is not None
    tab.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 4)  # the tip of c3, between c2 and d2
    tab.until(lambda: tab.address.endswith("moves=b2.c3"))
    focused = "document.activeElement.dataset?.square ?? ''"
    tab.page.locator('[data-square="b2"]').focus()
    for key, square in (("ArrowDown", "b3"), ("ArrowRight", "c3"), ("ArrowUp", "c2"), ("ArrowLeft", "b2")):
        tab.page.keyboard.press(key)
        assert tab.page.evaluate(focused) == square
    tab.page.keyboard.press("ArrowUp")
    tab.page.keyboard.press("Enter")
    tab.until(lambda: tab.address.endswith("moves=b2.c3.b1"))


def test_the_swap_is_a_button(opened: Callable[..., Tab]) -> None:
    tab = opened("#/play?game=hex&set=size%3D4&moves=b1")
    tab.page.get_by_role("button", name="swap").first.click()
    tab.until(lambda: tab.address.endswith("moves=b1.swap"))
    tab.page.locator('[data-square="a2"][aria-label="a2: blue"]').wait_for()
    assert tab.page.locator('[data-square="b1"][aria-label="b1"]').count() == 1


def test_values_stay_where_they_belong(opened: Callable[..., Tab]) -> None:
    """The values of three players are too wide for a counter of theirs: they stand beside the moves alone."""
    tab = opened("#/play?game=coalition")
    tab.page.get_by_role("button", name="Analyse", exact=True).click()
    tab.page.locator(".analysis").get_by_text("(0.333, 0.333, 0.333)").wait_for()
    assert tab.page.locator(".notes .pill").count() == 0


def test_the_share_of_visits_stands_above_the_value(opened: Callable[..., Tab]) -> None:
    tab = opened("#/play?game=hex&set=size%3D6")
    tab.page.get_by_role("button", name="Analyse", exact=True).click()
    tab.page.locator(".notes .pill .visits").first.wait_for()
    assert tab.page.locator(".notes .pill .visits").first.text_content().endswith(" %")
    tab.page.locator(".found").get_by_text("of visits").first.wait_for()


# What the page is told.


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"game": "ludo"}, "there is no game 'ludo' here; there are backgammon, breakthrough, checkers,"),
        ({"game": "ludo"}, "mine.py; name your own files when you start the app: zermelo serve mygame.py"),
        ({"record": {"moves": []}}, 'the saved game has no field "game"'),
        (
            {"record": {"game": "nim", "moves": [], "variations": [{"after": 0, "moves": ["A1"] * 3000}] * 2}},
            "at most 5,000 moves here, with its variations",
        ),
        ({"settings": ["width="]}, "use name=value, such as width=5"),
    ],
)
def test_what_may_be_asked_for_instead(message: dict[str, Any], said: str) -> None:
    with pytest.raises(BadMessage) as caught:
        require_permitted(message, ["mine.py"])
    assert said in str(caught.value)


def test_chance_goes_by_the_names_that_people_see() -> None:
    assert GameTable("kuhn_poker", moves=["KQ", "check"]).moves == ["14", "check"]
    assert GameTable("kuhn_poker", moves=["14", "check"]).moves == ["14", "check"]
    with pytest.raises(
        IllegalAction, match="'AK' is not an outcome of chance here; the outcomes are JQ, JK, QJ, QK, KJ, KQ"
    ):
        GameTable("kuhn_poker", moves=["AK"])


@pytest.mark.parametrize("text", ["1. e4 e5 2. Nf3", "1.e4 e5 2.Nf3", "1. e4 1... e5 2. Nf3", "e4, e5, Nf3"])
def test_moves_may_be_numbered(text: str) -> None:
    desk = PlayDesk(lambda answer: None)
    with desk.guard:
        desk.do_new("chess")
        desk.do_set_up(text)
    assert desk.table is not None
    assert desk.table.moves == ["e4", "e5", "Nf3"]


def test_a_match_is_still_there_after_a_look_at_one_of_its_games(browser: Any, server: Served) -> None:
    tab = Tab(browser, f"{server.address}#/arena?game=nim")
    tab.page.get_by_label("games", exact=True).fill("2")
    tab.page.get_by_role("button", name="Start").click()
    tab.page.get_by_text("Match finished").wait_for()
    tab.page.get_by_text("view", exact=True).first.click()
    tab.page.wait_for_selector("main.play .record li")
    tab.page.go_back()
    tab.page.get_by_text("Match finished").wait_for()
    with tab.page.expect_download() as download:
        tab.page.get_by_role("button", name="Save games").click()
    assert len(Path(download.value.path()).read_text().splitlines()) >= 2
    tab.page.select_option("select.title", "tic_tac_toe")
    tab.until(lambda: tab.address.endswith("#/arena?game=tic_tac_toe"))
    assert tab.page.get_by_text("Match finished").count() == 0
    tab.close()


def test_a_file_that_is_too_long_says_what_to_do(opened: Callable[..., Tab], tmp_path: Path) -> None:
    long = tmp_path / "long.jsonl"
    long.write_text('{"zermelo": "game", "game": "nim", "moves": ["A1"], "analysis": "' + 200_000 * "x" + '"}')
    tab = opened("#/play?game=tic_tac_toe&moves=5")
    tab.page.set_input_files("input[type=file]", long)
    tab.page.get_by_text('long.jsonl is too large. Remove the fields "analysis"').wait_for()
    assert tab.address.endswith("game=tic_tac_toe&moves=5")
