"""Around the board in a real browser: the start page, variations, reloading, clocks, and files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.browsing import Tab
from support.serving import Served, serving

OWN = """
from zermelo.games.nim import Nim

class Mine(Nim):
    pass
"""
PGN = """[White "Ada"]
[Black "Alan"]

1. e4 e5 (1... c5 {Sicilian}) 2. Nf3 *
"""


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as made:
        yield made


@pytest.fixture(scope="module")
def tab(browser: Any, served: Served) -> Iterator[Tab]:
    """One tab for all tests of this file, at the start page."""
    made = Tab(browser, served.address)
    yield made
    made.close()


def go(tab: Tab, where: str) -> None:
    tab.page.evaluate("hash => { location.hash = hash; }", where)
    tab.page.wait_for_selector(".picture svg" if "play" in where else ".hero")


def moves(tab: Tab) -> list[str]:
    return list(tab.page.locator(".record button").all_inner_texts())


def press(tab: Tab, name: str) -> None:
    tab.page.get_by_role("button", name=name, exact=True).first.click()


def test_the_start_page_has_a_card_for_every_game_and_plays_the_engine(tab: Tab) -> None:
    page = tab.page
    tab.until(lambda: page.locator(".card svg").count() == page.locator(".card").count() > 10)
    page.get_by_role("button", name="Tic-tac-toe", exact=True).click()
    page.get_by_label("level").select_option("level:random")
    page.get_by_label("side").select_option("1")
    page.get_by_label("time").select_option("300,3")
    press(tab, "Play the engine")
    tab.until(lambda: len(moves(tab)) == 1)  # the engine begins
    assert page.get_by_label("who plays O").input_value() == "person"
    assert page.get_by_role("timer").count() == 2
    assert "seats=level%3Arandom.person" in tab.address


def test_analysis_begins_from_the_start_page(tab: Tab) -> None:
    go(tab, "#/start")
    tab.page.get_by_role("button", name="Nim", exact=True).click()
    press(tab, "Analyse")
    tab.page.locator(".found li").first.wait_for()
    tab.page.locator(".found .name").first.click()
    tab.until(lambda: len(moves(tab)) == 1)
    go(tab, "#/start")
    press(tab, "Two people")
    tab.until(lambda: moves(tab) == [])  # a new game, although the same one was on the table
    tab.page.get_by_role("button", name="Analyse", exact=True).wait_for()
    assert "#/play?game=nim" in tab.address
    assert "new" not in tab.address
    tab.page.go_back()
    tab.page.wait_for_selector(".hero")


def test_a_variation_is_kept_promoted_deleted_and_restored(tab: Tab) -> None:
    go(tab, "#/play?game=tic_tac_toe&moves=1.4.2")
    tab.until(lambda: moves(tab) == ["1", "4", "2"])
    tab.page.locator(".record button").first.click()
    tab.until(lambda: tab.address.endswith("moves=1.4.2&at=1"))
    tab.page.click('[data-square="5"]')
    tab.until(lambda: moves(tab) == ["1", "4", "5", "2"])
    assert tab.page.locator(".variation button").all_inner_texts() == ["5"]
    assert tab.address.endswith("moves=1.4.2&var=1.5&at=4")
    tab.page.reload()
    tab.until(lambda: moves(tab) == ["1", "4", "5", "2"])
    assert tab.page.locator(".record .current").inner_text() == "5"
    press(tab, "Make main line")
    tab.until(lambda: tab.page.locator(".variation button").all_inner_texts() == ["4", "2"])
    press(tab, "Delete from here")
    tab.until(lambda: moves(tab) == ["1", "4", "2"])
    press(tab, "Restore deleted moves")
    tab.until(lambda: len(moves(tab)) == 4)


def test_a_reload_in_the_middle_keeps_the_rest_and_what_the_address_does_not_hold(tab: Tab, served: Served) -> None:
    go(tab, "#/play?game=tic_tac_toe&moves=1.4.2.8&clock=600.5")
    press(tab, "Comment")
    tab.page.get_by_label("comment on this move").fill("a fork")
    press(tab, "Keep")
    tab.page.get_by_text("a fork").wait_for()
    press(tab, "Resign")
    press(tab, "Really resign?")
    tab.page.get_by_text("X resigned; O won").wait_for()
    press(tab, "previous position")
    tab.until(lambda: tab.address.endswith("at=3&clock=600.5"))
    tab.page.reload()
    tab.page.get_by_text("a fork").wait_for()
    assert moves(tab) == ["1", "4", "2", "8"]
    press(tab, "latest position")
    tab.page.get_by_text("X resigned; O won").wait_for()
    go(tab, "#/start")
    recent = tab.page.get_by_role("region", name="recent games")
    recent.get_by_text("X resigned; O won").wait_for()
    recent.get_by_role("link").first.click()
    tab.page.get_by_text("a fork").wait_for()
    tab.page.goto("about:blank")
    tab.page.goto(served.address + "#/play")  # the last game, in a new process
    tab.page.get_by_text("a fork").wait_for()
    press(tab, "Rematch")
    tab.until(lambda: moves(tab) == [])


def test_pgn_is_pasted_and_saved_with_its_variations_and_comments(tab: Tab, tmp_path: Path) -> None:
    press(tab, "Paste")
    tab.page.get_by_label("game as text").fill(PGN)
    press(tab, "Open")
    tab.until(lambda: moves(tab) == ["e4", "e5", "c5", "Nf3"])
    tab.page.get_by_text("Sicilian").wait_for()
    tab.page.get_by_text("Ada").first.wait_for()
    with tab.page.expect_download() as download:
        press(tab, "PGN")
    assert download.value.suggested_filename == "chess.pgn"
    file = tmp_path / "again.pgn"
    download.value.save_as(file)
    assert "1. e4 e5 (1... c5 {Sicilian}) 2. Nf3 *" in file.read_text()
    go(tab, "#/play?game=nim")
    tab.until(lambda: moves(tab) == [])
    tab.page.set_input_files("input[type=file]", file)
    tab.until(lambda: moves(tab) == ["e4", "e5", "c5", "Nf3"])


def test_people_agree_on_a_draw(tab: Tab) -> None:
    go(tab, "#/play?game=tic_tac_toe&moves=1.5")
    tab.until(lambda: moves(tab) == ["1", "5"])
    press(tab, "Offer draw")
    press(tab, "Accept")
    tab.page.get_by_text("A draw by agreement").wait_for()


def test_ones_own_file_opens_first(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    with serving("mine.py", cwd=tmp_path) as served:
        tab = Tab(browser, served.address)
        tab.until(lambda: tab.page.title() == "mine · zermelo")
        go(tab, "#/start")
        tab.page.get_by_role("button", name="mine your game").wait_for()
        tab.close()


def test_a_position_is_edited_on_the_board(tab: Tab) -> None:
    go(tab, "#/play?game=chess")
    tab.until(lambda: tab.page.title() == "Chess · zermelo")
    tab.page.get_by_text("Position", exact=True).click()
    press(tab, "Edit the board")
    editor = tab.page.get_by_role("dialog", name="board editor")
    editor.get_by_role("button", name="Clear").click()
    editor.get_by_text("king").first.wait_for()  # there is none
    assert editor.get_by_role("button", name="Use this position").is_disabled()
    for piece, square in (("white king", "e1"), ("white pawn", "e2"), ("black king", "e8")):
        editor.get_by_role("button", name=piece).click()
        editor.locator(f'[data-square="{square}"]').click()
        editor.locator(f'[data-square="{square}"][aria-label="{square}: {piece}"]').wait_for()
    editor.get_by_label("side to move").select_option("1")
    editor.get_by_text("This position can be played.").wait_for()
    text = editor.get_by_label("text of the position")
    tab.until(lambda: text.input_value() == "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")
    editor.get_by_role("button", name="Use this position").click()
    tab.until(lambda: "start=4k3" in tab.address)
    tab.page.get_by_text("Black to move").first.wait_for()
