"""Backgammon on the page: moves step by step, dice by hand, the cube, positions and matches as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from support.browsing import Tab
from support.serving import Served, serving
from zermelo import CHANCE, Random
from zermelo.app import compiling
from zermelo.app.web.cards import card
from zermelo.app.web.host import Host
from zermelo.app.web.table import GameTable
from zermelo.game.errors import IllegalAction
from zermelo.games.backgammon import Backgammon

XGID = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:3:0:7:10"
MATCH = """ 3 point match

 Game 1
 Ann : 0                        Bob : 0
  1)                             62: 24/18 13/11
  2) 11: 8/7* 8/7 6/5 6/5        43: 25/21 24/21
  3)  Doubles => 2                Drops
      Wins 1 point
"""


class Page:
    """The page's side of the connection, without a browser."""

    def __init__(self) -> None:
        self.answers: list[dict[str, Any]] = []
        self.host = Host(self.answers.append)

    def say(self, do: str, **fields: Any) -> dict[str, Any]:
        self.host.handle({"do": do, **fields})
        return next(answer for answer in reversed(self.answers) if answer["kind"] in ("view", "error"))


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    monkeypatch.setattr(compiling, "why_not_compiled", lambda game: "nothing is compiled here")
    made = Page()
    yield made
    made.say("leave")


# Moves step by step.


def test_a_move_is_put_together_and_taken_back(page: Page) -> None:
    view = page.say("new", game="backgammon", moves=["31"])
    first = view["svg"]
    assert ["8", "5"] in view["composition"]["steps"]
    assert ["24", "20"] in view["composition"]["steps"], "both dice with one checker"
    assert ["24", "19"] not in view["composition"]["steps"]
    view = page.say("step", path=["8", "5"])
    assert (view["composition"]["path"], view["composition"]["name"]) == (["8", "5"], None)
    assert view["svg"] != first
    assert ["6", "5"] in view["composition"]["steps"]
    assert ["6", "3"] not in view["composition"]["steps"], "the 3 is played"
    view = page.say("step", path=["8", "5", "6", "5"])
    assert (view["composition"]["steps"], view["composition"]["name"]) == ([], "8/5 6/5")
    assert page.say("step", path=[])["svg"] == first
    view = page.say("move", name="8/5 6/5")
    assert view["composition"]["path"] == []


def test_steps_that_are_not_possible_are_refused(page: Page) -> None:
    page.say("new", game="backgammon", moves=["31"])
    answer = page.say("step", path=["8", "2"])
    assert "no checker can go from 8 to 2 here" in answer["error"]


def test_every_legal_move_can_be_put_together() -> None:
    game, random = Backgammon(), Random(4)
    s, moves = game.initial(), 0
    while not game.is_terminal(s) and moves < 40:
        if game.to_move(s) == CHANCE:
            s = game.draw(s, random)
            continue
        legal = game.legal(s)
        moves += 1
        for a in legal[:: max(1, len(legal) // 4)]:
            path = next(iter(game.paths(s, a)), ())
            found = game.composition(s, path) if path else None
            assert (0 if found is None else found.action) == a
        s = game.result(s, legal[random.below(len(legal))])


def test_both_dice_must_be_played() -> None:
    game = Backgammon()
    s = game.from_text("XGID=-N---b-------A------------:0:0:1:53:0:0:0:0:10")
    found = game.composition(s, ())
    assert found is not None
    assert found.steps == (("13", "8"),), "13/10 would leave the 5 unplayed"


# Dice and cube.


def test_dice_by_hand(page: Page) -> None:
    page.say("new", game="backgammon", settings=["cube=true"])
    view = page.say("dice", on=True)
    view = page.say("new", game="backgammon", settings=["cube=true"])
    assert view["by_hand"]
    assert len(view["outcomes"]) == 30
    assert view["legal"] == []
    assert "4-4" not in view["outcomes"]
    view = page.say("roll", name="31")
    assert view["called"] == ["3-1"]
    assert view["outcomes"] == []
    page.say("move", name="8/5 6/5")
    view = page.say("move", name="roll")
    assert len(view["outcomes"]) == 21
    assert "'7-7' is not a roll" in page.say("roll", name="7-7")["error"]
    view = page.say("roll", name="")
    assert len(view["moves"]) == 4
    view = page.say("dice", on=False)
    legal = [move["name"] for move in view["legal"]]
    view = page.say("move", name=legal[0])
    assert [move["name"] for move in view["legal"]] == ["roll", "double"]
    view = page.say("move", name="double")
    assert [move["name"] for move in view["legal"]] == ["take", "drop"]
    view = page.say("move", name="drop")
    assert view["over"]


def test_nothing_is_rolled_when_it_is_not_the_time() -> None:
    table = GameTable("backgammon", moves=["31"])
    with pytest.raises(IllegalAction, match="nothing to roll"):
        table.roll("")


def test_the_last_move_stays_marked_after_the_roll(page: Page) -> None:
    view = page.say("new", game="backgammon", moves=["31", "8/5 6/5", "65"])
    assert view["svg"].count("zb-marked") >= 3


# Texts.


def test_an_xgid_opens_its_own_game(page: Page) -> None:
    page.say("new", game="chess")
    view = page.say("set_up", text=XGID)
    assert view["game"] == "backgammon"
    assert sorted(view["settings"]) == ["cube=true", "points=7"]
    assert view["fen"] == XGID.removesuffix("10") + "6"
    view = page.say("set_up", text="4HPwATDgc/ABMA:cAkAAAAAAAAE")
    assert view["settings"] == ["cube=true"]
    view = page.say("set_up", text="31, 8/5 6/5")
    assert view["called"][:2] == ["3-1", "8/5 6/5"]
    assert "26 characters" in page.say("set_up", text=XGID.replace("eE", "e"))["error"]


def test_a_match_file_is_opened_and_exported(page: Page) -> None:
    page.say("look")
    view = page.say("import", text=MATCH)
    assert view["tags"] == {"White": "Ann", "Black": "Bob"}
    assert view["moves"][:2] == ["26", "24/18 13/11"]
    page.say("export", form="MAT")
    exported = next(answer for answer in page.answers if answer["kind"] == "exported")
    assert exported["ending"] == "mat"
    assert "2) 11: 8/7* 8/7 6/5 6/5        43: 25/21 24/21" in exported["text"]
    assert "line 5: Bob" in page.say("import", text=MATCH.replace("24/18", "24/17"))["error"]


def test_the_start_page_offers_money_games_and_matches() -> None:
    variants = {each["title"]: each["settings"] for each in card("backgammon")["variants"]}
    assert variants["one game"] == []
    assert variants["match to 7 points"] == ["cube=true", "points=7"]
    for settings in variants.values():
        GameTable("backgammon", settings)
    assert card("chess")["variants"] == []


# In the browser.


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serving() as made:
        yield made


def test_playing_with_checkers_dice_and_cube(browser: Any, server: Served) -> None:
    tab = Tab(browser, server.address + "#/play?game=backgammon&set=cube%3Dtrue&moves=31")
    page = tab.page

    def squares(name: str) -> Any:
        return page.locator(f'[data-square="{name}"]')

    page.wait_for_selector(".composing")
    squares("8").click()
    squares("5").click()
    tab.until(lambda: page.locator(".composing button").nth(1).is_enabled())
    page.click("text=Undo step")
    tab.until(lambda: not page.locator(".composing button").nth(1).is_enabled())
    for start, end in (("8", "5"), ("6", "5")):  # dragged
        piece, target = squares(start).locator(".zb-piece").last.bounding_box(), squares(end).bounding_box()
        page.mouse.move(piece["x"] + piece["width"] / 2, piece["y"] + piece["height"] / 2)
        page.mouse.down()
        page.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] - 12, steps=4)
        page.mouse.up()
        dice = 1 if start == "8" else 0
        tab.until(lambda dice=dice: page.locator(".zb-tile").count() == dice + 1)  # and the cube
    tab.until(lambda: "8/5 6/5" in page.inner_text(".composing"))
    page.click("text=Confirm")
    page.click("text=Dice by hand")
    page.click(".board .move-buttons >> text=roll")
    page.click(".rolls >> text=6-5")
    tab.until(lambda: "moves=31.8%2F5+6%2F5.roll.65" in tab.address)
    assert page.locator(".outcomes").count() == 0
    tab.close()


def test_the_start_page_starts_a_match(browser: Any, server: Served) -> None:
    tab = Tab(browser, server.address)
    page = tab.page
    page.click(".card:has-text('Backgammon')")
    page.select_option("[aria-label='kind of game']", "match to 5 points")
    page.click("text=Two people")
    tab.until(lambda: "points%3D5" in tab.address)
    tab.close()
