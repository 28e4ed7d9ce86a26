"""The page that steps through a trace, opened in a real browser."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.browsing import PATIENCE
from zermelo.blackboard.html import page
from zermelo.blackboard.trace import trace
from zermelo.trees import MAX, Tree, node

FIGURE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
HOSTILE = "</script><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">"


class Opened:
    """A page in the browser, with all that it has asked the network for and all that it has complained of."""

    def __init__(self, browser: Any, file: Path, **settings: Any):
        self.context = browser.new_context(**settings)
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(file.as_uri())

    def text(self, selector: str) -> str:
        return str(self.page.locator(selector).text_content())

    def press(self, key: str, times: int = 1) -> None:
        for _ in range(times):
            self.page.keyboard.press(key)

    def cut(self) -> list[int]:
        return sorted(int(g.get_attribute("data-edge")) for g in self.page.locator("g.edge.cut").all())


@pytest.fixture
def textbook(browser: Any, tmp_path: Path) -> Iterator[Opened]:
    file = tmp_path / "page.html"
    file.write_text(page(trace(Tree(FIGURE)), title="Figure 5.2"), encoding="utf-8")
    opened = Opened(browser, file)
    yield opened
    assert opened.requests == [file.as_uri()], "the page asked for more than itself"
    assert opened.complaints == []
    opened.context.close()


def test_steps_by_button(textbook: Opened) -> None:
    assert textbook.text("#count") == "1 of 21"
    assert textbook.text("#now-alpha") == "−∞"
    assert textbook.text("#now-beta") == "+∞"
    assert textbook.page.locator("#back").is_disabled()
    for _ in range(10):
        textbook.page.locator("#forward").click()
    assert textbook.text("#count") == "11 of 21"
    assert textbook.text("#says") == "MIN already has 2 here, MAX already has 3 elsewhere: nothing below can matter."
    assert (textbook.text("#now-alpha"), textbook.text("#now-beta")) == ("3", "+∞")
    assert textbook.text("#now-range") == "[−∞, 2]"
    assert textbook.cut() == [8, 9]
    assert textbook.text(".code li[aria-current]").strip() == "if best ≤ α: stop, the rest is pruned"
    assert textbook.page.locator("[data-edge='8'] line.strike").first.is_visible()
    textbook.page.locator("#back").click()
    assert textbook.cut() == []
    assert not textbook.page.locator("[data-edge='8'] line.strike").first.is_visible()


def test_steps_by_keyboard(textbook: Opened) -> None:
    textbook.press("ArrowRight", 3)
    assert textbook.text("#now-beta") == "3"
    textbook.press("End")
    assert textbook.text("#count") == "21 of 21"
    assert textbook.text("[data-node='0'] text.value") == "3"
    assert textbook.text("[data-node='2'] text.value") == "≤ 2"
    assert textbook.page.locator("g.edge.best").count() == 2
    textbook.press("ArrowLeft")
    assert textbook.text("#count") == "20 of 21"
    textbook.press("Home")
    assert textbook.text("#count") == "1 of 21"
    assert textbook.text("[data-node='0'] text.value") == ""
    assert textbook.cut() == []


def test_the_slider_and_the_keys_agree(textbook: Opened) -> None:
    textbook.page.locator("#slider").focus()
    textbook.press("ArrowRight", 2)
    assert textbook.text("#count") == "3 of 21"
    assert textbook.page.locator("#slider").get_attribute("aria-valuetext") == "step 3 of 21"


def test_the_second_view(textbook: Opened) -> None:
    textbook.press("ArrowRight", 13)
    assert textbook.text("[data-node='0'] text.note") == "[3, +∞]"
    textbook.page.locator("input[value=range]").check()
    assert textbook.text("[data-node='0'] text.note") == "[3, 14]"  # Figure 5.5 (e)
    assert textbook.text("[data-node='2'] text.note") == "[−∞, 2]"
    textbook.page.locator("input[value=none]").check()
    assert textbook.text("[data-node='0'] text.note") == ""


def test_screen_readers_are_told(textbook: Opened) -> None:
    assert textbook.page.locator("#says").get_attribute("aria-live") == "polite"
    assert textbook.page.get_by_role("button", name="Step forward").is_visible()
    assert textbook.page.get_by_role("img", name="Figure 5.2").count() == 1


def test_every_step_of_the_page_is_a_step_of_the_trace(textbook: Opened) -> None:
    for step in trace(Tree(FIGURE)).steps:
        assert textbook.text("#says") == step.text
        textbook.press("ArrowRight")


@pytest.mark.security
def test_a_hostile_name_stays_a_name(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "hostile.html"
    tree = Tree(node(MAX, [1, 2], [3], name=HOSTILE, labels=[HOSTILE, "b"]))
    file.write_text(page(trace(tree), title=HOSTILE), encoding="utf-8")
    opened = Opened(browser, file)
    opened.press("End")
    assert opened.page.title() == HOSTILE
    assert opened.page.locator("img").count() == 0
    assert opened.requests == [file.as_uri()]
    assert opened.complaints == []
    opened.context.close()


@pytest.mark.security
def test_the_policy_stops_what_is_added_later(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "added.html"
    added = page(trace(Tree(FIGURE))).replace("</main>", "</main><script>document.title='broken'</script>")
    file.write_text(added.replace("</main>", "</main><img src='http://127.0.0.1:9/x.png'>"), encoding="utf-8")
    opened = Opened(browser, file)
    assert opened.page.title() != "broken"
    assert len(opened.complaints) == 2
    opened.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone(browser: Any, tmp_path: Path, scheme: str) -> None:
    file = tmp_path / "phone.html"
    file.write_text(page(trace(Tree(FIGURE))), encoding="utf-8")
    opened = Opened(browser, file, viewport={"width": 360, "height": 740}, color_scheme=scheme, has_touch=True)
    opened.page.locator("#forward").tap()
    assert opened.text("#count") == "2 of 21"
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 360  # nothing sticks out sideways
    box = opened.page.locator("#forward").bounding_box()
    assert box["width"] >= 44
    assert box["height"] >= 44
    ink, paper = opened.page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert (sum(_channels(ink)) > sum(_channels(paper))) == (scheme == "dark")
    if folder := os.environ.get("ZERMELO_SCREENSHOTS"):  # to look at
        opened.page.screenshot(path=f"{folder}/phone_{scheme}.png", full_page=True)
    opened.context.close()


def _channels(colour: str) -> list[int]:
    return [int(c) for c in colour[colour.index("(") + 1 : -1].split(",")[:3]]


def test_three_players_and_a_folded_tree(browser: Any, tmp_path: Path) -> None:
    three = Tree([[(1, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]], players=3)
    wide = Tree([[[[[n % 7, -n % 5] for n in range(5)] for _ in range(5)] for _ in range(5)] for _ in range(5)])
    for name, made in (("three", trace(three, "maxn")), ("wide", trace(wide))):
        file = tmp_path / f"{name}.html"
        file.write_text(page(made), encoding="utf-8")
        opened = Opened(browser, file)
        opened.press("End")
        assert opened.text("#count") == f"{len(made)} of {len(made)}"
        assert opened.complaints == []
        if name == "three":
            assert opened.text("[data-node='0'] text.value") == "(7, 4, 1)"
            assert opened.page.locator("input[name=view]").count() == 0
        else:
            assert opened.page.locator("text.hidden").count() > 0
            drawn = {int(g.get_attribute("data-node")) for g in opened.page.locator("g[data-node]").all()}
            hidden = next(i for i, step in enumerate(made.steps) if step.node not in drawn)
            opened.page.locator("#slider").fill(str(hidden))
            assert opened.text("#now-place").endswith("in a folded subtree")
            assert opened.page.locator("g.node.current").count() == 1  # the top of what is folded
        opened.context.close()
