"""The board in a real browser: dragging, premoves, marks on every board, room on the page. One page serves all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from support.browsing import Tab
from support.serving import serving

SQUARE = '[data-square="{}"]'
LAPTOP, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}


class BoardPage(Tab):
    """A tab in which one game after another is opened."""

    def open(self, where: str) -> None:
        self.page.evaluate("hash => { location.hash = hash; }", f"#/play?{where}")
        expected = where.partition("&")[0].removeprefix("game=")
        self.until(lambda: f"game={expected}" in self.address)
        self.page.wait_for_function(
            "moves => document.querySelectorAll('.record button').length >= moves",
            arg=where.count(".") + 1 if "moves=" in where else 0,
        )

    @property
    def shown_title(self) -> str:
        return str(self.page.get_attribute(".picture svg", "aria-label"))

    def middle(self, square: str) -> tuple[float, float]:
        box = None
        while box is None:  # the picture may just have been replaced
            box = self.page.locator(SQUARE.format(square)).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, origin: str, target: str) -> None:
        mouse = self.page.mouse
        mouse.move(*self.middle(origin))
        mouse.down()
        mouse.move(*self.middle(target), steps=4)
        mouse.up()

    def holds(self, square: str, piece: str) -> bool:
        return bool(self.page.get_attribute(SQUARE.format(square), "aria-label") == f"{square}: {piece}")

    def has(self, selector: str) -> bool:
        return self.page.locator(selector).count() > 0


@pytest.fixture(scope="module")
def board(browser: Any) -> Iterator[BoardPage]:
    with serving() as server:
        tab = BoardPage(browser, f"{server.address}#/play?game=chess", viewport=LAPTOP, has_touch=True)
        tab.page.wait_for_selector(".picture svg")
        yield tab
        tab.close()


def test_a_piece_is_dragged(board: BoardPage) -> None:
    board.open("game=chess&start=4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    board.until(lambda: board.page.locator(".zb-piece").count() == 3)
    board.page.mouse.move(*board.middle("e2"))
    board.page.mouse.down()
    board.page.mouse.move(*board.middle("e3"), steps=3)
    assert board.has(".on-top")
    assert board.page.locator(".notes .dot").count() == 2  # where it may go
    board.page.mouse.move(*board.middle("e4"), steps=3)
    board.page.mouse.up()
    board.until(lambda: board.holds("e4", "white pawn"))
    board.until(lambda: not board.has(".on-top"))


def test_a_piece_that_is_dropped_elsewhere_returns(board: BoardPage) -> None:
    board.open("game=chess&start=4k3/8/8/8/8/8/3P4/4K3 w - - 0 1")
    board.until(lambda: board.holds("d2", "white pawn"))
    board.drag("d2", "h7")
    board.until(lambda: not board.has(".on-top") and not board.has(".lifted"))
    assert board.holds("d2", "white pawn")
    assert not board.has(".clicked")


def test_a_promotion_is_chosen_on_the_square(board: BoardPage) -> None:
    board.open("game=chess&start=7k/P7/8/8/8/8/8/K7 w - - 0 1")
    board.until(lambda: board.holds("a7", "white pawn"))
    board.drag("a7", "a8")
    menu = board.page.get_by_role("dialog")
    menu.wait_for()
    box, (x, y) = menu.bounding_box(), board.middle("a8")
    assert box["x"] < x < box["x"] + box["width"]
    assert box["y"] < y < box["y"] + box["height"]
    assert menu.locator("svg").count() == 4
    menu.get_by_role("button", name="a8=R").click()
    board.until(lambda: board.holds("a8", "white rook"))
    assert board.page.locator(".zb-check").count() == 1  # black's king


def test_a_premove_is_played_when_it_is_ones_turn(board: BoardPage) -> None:
    board.open("game=chess&seats=person.engine:seconds=4")
    board.until(lambda: board.page.locator(".zb-piece").count() == 32)
    board.drag("e2", "e4")
    board.until(lambda: board.holds("e4", "white pawn"))
    board.drag("a2", "a3")  # while the computer thinks
    board.until(lambda: board.page.locator(".ahead").count() == 2)
    board.until(lambda: board.holds("a3", "white pawn"))
    assert not board.has(".ahead")


def test_a_premove_is_taken_back(board: BoardPage) -> None:
    board.open("game=chess&seats=person.engine:seconds=60&moves=d4")  # it thinks until the next test
    board.until(lambda: board.holds("d4", "white pawn"))
    board.page.click(SQUARE.format("h2"))
    board.page.click(SQUARE.format("h3"))
    board.until(lambda: board.page.locator(".ahead").count() == 2)
    board.page.click(SQUARE.format("h3"), button="right")
    board.until(lambda: not board.has(".ahead"))
    assert board.holds("h2", "white pawn")


def test_a_piece_is_dragged_by_touch(board: BoardPage) -> None:
    board.open("game=chess&start=4k3/8/8/8/8/8/2P5/4K3 w - - 0 1")
    board.until(lambda: board.page.locator(".zb-piece").count() == 3)
    finger = board.context.new_cdp_session(board.page)
    steps = [("touchStart", board.middle("c2")), *(("touchMove", board.middle(square)) for square in ("c3", "c4"))]
    for kind, (x, y) in steps:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    board.until(lambda: board.holds("c4", "white pawn"))


def test_the_second_player_sees_the_board_turned(board: BoardPage) -> None:
    board.open("game=chess&seats=engine:nodes=50.person")
    board.until(lambda: board.page.get_attribute("[data-square]", "data-square") == "h1")
    board.open("game=connect_four&seats=level:random.person")
    board.until(lambda: board.page.get_attribute("[data-square]", "data-square") == "a6")  # discs fall down
    assert board.page.get_by_role("button", name="Flip").is_disabled()


def test_the_move_is_animated(board: BoardPage) -> None:
    board.open("game=connect_four&moves=4")
    board.until(lambda: board.holds("d1", "red"))
    board.page.evaluate(
        "window.seen = 0; new MutationObserver(changes => { for (const change of changes) "
        "for (const node of change.addedNodes) if (node.classList?.contains('on-top')) window.seen += 1; })"
        ".observe(document.querySelector('.picture'), {childList: true, subtree: true});"
    )
    board.page.click(SQUARE.format("d6"))
    board.until(lambda: board.holds("d2", "yellow"))
    board.until(lambda: board.page.evaluate("window.seen") >= 1)
    board.until(lambda: not board.has(".on-top"))


@pytest.mark.parametrize("game", ["chess", "othello", "tic_tac_toe", "connect_four", "hex", "go", "nim"])
def test_the_focus_ring_and_the_last_move_are_visible(board: BoardPage, game: str) -> None:
    board.open(f"game={game}")
    board.until(lambda: board.has(".picture [tabindex='0']"))
    square = board.page.locator(".picture [tabindex='0']")
    board.page.locator(".title").focus()
    board.page.keyboard.press("Shift+Tab")
    square.focus()
    board.page.keyboard.press("ArrowRight")
    board.page.keyboard.press("ArrowLeft")
    ring = board.page.locator(".focus-ring")
    accent = board.page.evaluate("getComputedStyle(document.querySelector('nav a[aria-current]')).color")
    board.until(lambda: ring.count() and ring.evaluate("ring => getComputedStyle(ring).stroke") == accent)


def test_the_winning_line_is_shown(board: BoardPage) -> None:
    board.open("game=tic_tac_toe&moves=1.4.2.5.3")
    board.until(lambda: board.page.locator(".zb-won").count() == 3)
    board.open("game=connect_four&moves=1.2.1.2.1.2.1")
    board.until(lambda: board.page.locator(".zb-winning").count() == 4)


@pytest.mark.parametrize(("window", "least"), [(LAPTOP, 500), (PHONE, 360)])
def test_the_board_fills_the_window(board: BoardPage, window: dict[str, int], least: int) -> None:
    board.page.set_viewport_size(window)
    for game in ("chess", "othello", "connect_four", "tic_tac_toe"):
        board.open(f"game={game}")
        board.until(lambda game=game: board.shown_title.replace(" ", "_").replace("-", "_").casefold() == game)
        box = board.page.locator(".picture svg").bounding_box()
        assert min(box["width"], box["height"]) >= least - 40
        assert max(box["width"], box["height"]) >= least
        assert box["y"] + box["height"] <= window["height"]
        assert board.page.evaluate("document.documentElement.scrollWidth") <= window["width"]
    board.page.set_viewport_size(LAPTOP)


def test_a_capture_of_several_pieces_by_its_landing_squares(board: BoardPage) -> None:
    board.open("game=checkers&start=B:W9,10,17,18:B6")
    board.until(lambda: board.holds("6", "black man"))
    assert board.page.locator(".zb-number").count() == 32
    for square in ("6", "15"):
        board.page.click(SQUARE.format(square))
    assert board.page.locator(".notes .dot").count() == 1  # where it lands next
    board.page.click(SQUARE.format("22"))
    board.until(lambda: board.holds("22", "black man"))
    assert board.holds("9", "white man")
    assert not board.holds("10", "white man")
    assert "6x15x22" in board.page.inner_text(".record")


def test_sound_is_off_until_it_is_wanted(board: BoardPage) -> None:
    sound = board.page.get_by_role("button", name="Sound")
    assert sound.get_attribute("aria-pressed") == "false"
    sound.click()
    assert board.page.evaluate("localStorage.getItem('zermelo-sound')") == "on"
    sound.click()
    assert board.page.evaluate("localStorage.getItem('zermelo-sound')") == "off"
    assert board.complaints == []
