"""The pages Trees and Practice, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from support.browsing import Tab
from support.serving import serving
from zermelo.blackboard.practice import exercise


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The app, at an address of its own."""
    with serving() as served:
        yield served.address


class Page(Tab):
    """A tab that looks at trees."""

    def __init__(self, browser: Any, address: str, **settings: Any):
        super().__init__(browser, f"{address}#/practice", **settings)

    def open(self, page: str, **fields: Any) -> None:
        """Look at a page afresh; the tab and its process stay."""
        self.page.evaluate("hash => { location.hash = hash; }", "#/practice" if page == "trees" else "#/trees")
        self.page.wait_for_selector(".answer" if page == "trees" else ".says")
        self.page.evaluate("hash => { location.hash = hash; }", f"#/{page}?{urlencode(fields, doseq=True)}")
        self.page.wait_for_selector(".answer" if page == "practice" else ".says,.solution,.node-form")

    def text(self, selector: str) -> str:
        return str(self.page.locator(selector).first.text_content()).strip()

    def wait(self, selector: str, text: str) -> None:
        """Until an element says this."""
        self.page.locator(selector, has_text=text).first.wait_for()

    def press(self, key: str, times: int = 1) -> None:
        for _ in range(times):
            self.page.keyboard.press(key)

    def node(self, number: int) -> Any:
        return self.page.locator(f"[data-node='{number}']")

    def cut(self) -> list[int]:
        return sorted(int(group.get_attribute("data-edge")) for group in self.page.locator("g.edge.cut").all())


@pytest.fixture(scope="module")
def tab(browser: Any, address: str) -> Iterator[Page]:
    made = Page(browser, address)
    yield made
    made.close()


def test_a_tree_is_stepped(tab: Page) -> None:
    tab.open("trees")
    tab.wait(".tree-title", "The two-ply tree")
    assert tab.text(".count") == "1 of 21"
    for _ in range(10):
        tab.page.get_by_label("step forward").click()
    tab.wait(".says", "MIN already has 2 here, MAX already has 3 elsewhere: nothing below can matter.")
    assert tab.cut() == [8, 9]
    assert [tab.text(f"[data-node='{n}'] text.note") for n in (1, 4)] == ["[−∞, 3]", ""]  # no windows at leaves
    assert tab.text(".code [aria-current]") == "if best ≤ α: stop, the rest is pruned"
    assert [tab.text(f".facts dd >> nth={i}") for i in (1, 2, 3)] == ["3", "+∞", "[−∞, 2]"]
    tab.press("ArrowLeft")
    tab.wait(".count", "10 of 21")
    assert tab.cut() == []
    tab.press("End")
    tab.wait(".says", "The root: MAX takes the greatest, 3.")
    assert [tab.text(f"[data-node='{n}'] text.value") for n in (0, 1, 2, 3)] == ["3", "3", "≤ 2", "2"]
    assert tab.page.locator("g.edge.best").count() == 2
    tab.page.get_by_label("own ranges").check()
    assert tab.text("[data-node='2'] text.note") == "[−∞, 2]"
    tab.page.get_by_label("step", exact=True).fill("4")
    tab.wait(".count", "5 of 21")
    tab.node(3).click()
    tab.wait(".count", "13 of 21")


def test_the_address_brings_it_back(tab: Page) -> None:
    tab.open("trees", tree="[[3, 12, 8], [x, 4, 6]]", give="x=2", algorithm="alpha_beta", cut="<", step=7)
    tab.wait(".count", "7 of ")
    before = tab.text(".says"), tab.text(".count")
    tab.press("ArrowRight")
    tab.wait(".count", "8 of ")
    tab.press("ArrowLeft")
    tab.page.wait_for_function("() => location.hash.includes('step=7')")
    tab.page.reload()
    tab.wait(".count", "7 of ")
    assert (tab.text(".says"), tab.text(".count")) == before
    assert tab.page.get_by_role("combobox", name="cutoff").input_value() == "<"
    assert tab.page.get_by_label("x =").input_value() == "2"
    tab.page.get_by_role("combobox", name="algorithm").select_option("minimax")
    tab.wait(".facts dt", "its own range")
    tab.page.wait_for_function("() => !location.hash.includes('step')")
    assert "algorithm=minimax" in tab.address


def test_a_tree_is_typed_with_an_error(tab: Page) -> None:
    tab.open("trees")
    area = tab.page.get_by_label("your own, as nested lists")
    area.fill("[[3, 12, 8],\n [2, 4 6]]")
    tab.page.get_by_text("search this tree").click()
    tab.wait(".error", "line 2, column 8: a comma is missing before 6")
    assert area.evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)") == "6"
    area.fill("[[3, 12, 8],\n [2, 4, 6]]")
    tab.page.get_by_text("search this tree").click()
    tab.wait(".tree-title", "Your own tree")
    assert tab.page.locator(".error").count() == 0
    assert tab.page.locator("[data-node]").count() == 9


def test_unknown_leaves(tab: Page) -> None:
    tab.open("trees", tree="fig-5.2-x")
    tab.wait(".solution", "move 2 is best: x ≥ 3")
    tab.wait(".solution", "the leaf 6: x ≤ 3")
    tab.page.get_by_label("x =").fill("5")
    tab.press("Tab")
    tab.wait(".count", "1 of ")


def test_a_tree_is_drawn_with_the_mouse(tab: Page) -> None:
    tab.open("trees")
    tab.page.get_by_text("draw a new one").click()
    tab.wait("code", "[0, 0]")
    tab.page.get_by_role("button", name="add children").click()
    tab.node(1).click()
    tab.wait("code", "[[0, 0], 0]")
    tab.node(2).click()
    tab.wait("code", "[[0, 0], [0, 0]]")
    tab.page.get_by_role("button", name="Edit", exact=True).click()
    for node, value in ((3, "5"), (4, "7"), (5, "2"), (6, "?")):
        tab.node(node).click()
        tab.page.keyboard.type(value)
        tab.press("Enter")
        tab.wait(f"[data-node='{node}'] text.leaf-value", value.replace("?", "x"))
    tab.wait("code", "[[5, 7], [2, x]]")
    tab.node(2).click()
    tab.page.get_by_role("combobox", name="who moves").select_option("CHANCE")
    tab.wait("code", "[[5, 7], {1/2: 2, 1/2: x}]")
    tab.page.get_by_label("probabilities").fill("1/2, 1/4")
    tab.press("Enter")
    tab.wait(".error", "add up to 3/4, not to 1")
    tab.page.get_by_label("probabilities").fill("1/4, 3/4")
    tab.press("Enter")
    tab.wait("code", "[[5, 7], {1/4: 2, 3/4: x}]")
    tab.page.get_by_role("button", name="delete").first.click()
    tab.node(5).click()
    tab.wait("code", "[[5, 7], {1: x}]")
    tab.page.get_by_role("button", name="undo").click()
    tab.wait("code", "[[5, 7], {1/4: 2, 3/4: x}]")
    tab.page.reload()
    tab.wait("code", "[[5, 7], {1/4: 2, 3/4: x}]")
    tab.page.get_by_role("button", name="search it").click()
    tab.wait(".solution", "The root is worth")


def test_a_tree_is_drawn_by_keyboard_alone(tab: Page) -> None:
    tab.open("trees", tree="[3, 4]", draw=1)
    tab.node(0).focus()
    assert tab.node(0).get_attribute("aria-label") == "MAX node, 2 children"
    tab.press("ArrowDown")
    assert tab.page.evaluate("document.activeElement.dataset.node") == "1"
    tab.press("ArrowRight")
    tab.press("Enter")
    tab.page.wait_for_function("() => document.activeElement.tagName === 'INPUT'")
    tab.page.keyboard.type("9")
    tab.press("Enter")
    tab.wait("code", "[3, 9]")
    tab.page.wait_for_function("() => document.activeElement.dataset.node === '2'")


def test_a_game_is_unrolled_and_the_engine_watched(tab: Page) -> None:
    tab.open("trees", game="tic_tac_toe", moves="5.1", depth=2)
    tab.wait(".tree-title", "tic-tac-toe")
    tab.page.wait_for_selector(".position svg")
    tab.page.get_by_role("combobox", name="algorithm").select_option("engine")
    tab.wait(".code", "engine(s, depth, α, β)")
    tab.page.get_by_text("the result").click()
    tab.wait(".soft", "answered by the table")
    tab.press("End")
    tab.wait(".says", "The root: its moves were searched.")
    assert tab.page.locator("g.edge.cut").count() > 0
    tab.wait(".moves-at td", "refuted by one of its moves, the rest cut")
    tab.page.locator(".moves-at td button").nth(1).click()
    tab.page.get_by_text("go to parent").click()
    tab.wait(".says", "The root: its moves were searched.")
    assert "algorithm=engine" in tab.address
    tab.press("Home")
    tab.press("ArrowRight")
    tab.page.get_by_role("button", name="unroll from here").click()
    tab.page.wait_for_function(
        "() => new URLSearchParams(location.hash.split('?')[1]).get('moves').split('.').length === 3"
    )


@pytest.mark.timing
def test_a_large_tree_does_not_freeze_the_page(tab: Page) -> None:
    tab.open("trees", game="chess", moves="e4.e5", depth=2, algorithm="minimax")
    tab.wait(".soft", "The others are collapsed")
    assert tab.page.locator("[data-node]").count() <= 160
    slowest = tab.page.evaluate(
        """async () => {
          let slowest = 0;
          for (let i = 0; i < 20; i++) {
            const began = performance.now();
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key: i % 2 ? "End" : "Home", bubbles: true }));
            await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
            slowest = Math.max(slowest, performance.now() - began);
          }
          return slowest;
        }"""
    )
    assert slowest < 1000


def test_an_exercise_is_graded_wrong_and_right(tab: Page) -> None:
    tab.open("practice", kind="values", seed=3)
    right = dict(part.split("=") for part in exercise("values", 3).solution.split(", "))
    for name in right:
        tab.page.get_by_label(f"{name} =").fill("99")
    tab.page.get_by_text("check answer").click()
    tab.wait(".marks", f"✗ 0 of {len(right)} correct")
    assert "correct answer" not in tab.text(".marks")  # hidden until the user asks for it
    tab.page.get_by_text("Hint (2 left)").click()
    tab.wait(".hints", "Work from the leaves up.")
    tab.page.get_by_text("Show the answer").click()
    tab.wait(".marks li", "MAX takes the greatest of")
    assert tab.text("[data-node='0'] text.value") == "99 ✗"
    tab.page.get_by_text("try again").click()
    for name, value in right.items():
        tab.page.get_by_label(f"{name} =").fill(value)
    tab.page.get_by_text("check answer").click()
    tab.wait(".marks", "✓ All correct")
    assert tab.text(".progress tbody tr") == "values of nodes110"  # tried, solved, at once
    tab.page.reload()
    tab.wait(".progress tbody", "values of nodes110")
    for name, value in right.items():
        tab.page.get_by_label(f"{name} =").fill(value)
    tab.page.get_by_text("check answer").click()
    tab.page.get_by_text("Watch the search").click()
    tab.wait(".count", "1 of ")
    assert "algorithm=minimax" in tab.address


def test_leaves_are_marked_by_click_and_by_key(tab: Page) -> None:
    tab.open("practice", kind="pruning", seed=3)
    tab.page.wait_for_selector("g.node[role=button]")
    assert exercise("pruning", 3).solution == "6"
    leaves = tab.page.locator("g.node[role=button]")
    leaves.nth(5).click()
    tab.wait(".answer", "Pruned: 6")
    assert leaves.nth(5).get_attribute("aria-pressed") == "true"
    leaves.nth(0).focus()
    tab.press("ArrowRight")
    tab.press(" ")
    tab.wait(".answer", "Pruned: 2, 6")
    tab.press(" ")
    tab.wait(".answer", "Pruned: 6")
    tab.page.get_by_text("check answer").click()
    tab.wait(".marks", "✓ All correct")
    tab.page.get_by_text("new exercise").click()
    tab.until(lambda: "number 3" not in tab.text(".tree-title"))
    number = tab.text(".tree-title").rpartition(" ")[2]
    assert tab.address.endswith(f"kind=pruning&seed={number}")


def test_mcts_grows_plays_by_itself_and_is_predicted(tab: Page) -> None:
    tab.open("trees", game="tic_tac_toe", algorithm="mcts", simulations=12)
    tab.wait(".says", "The tree begins as one node, the root.")
    visible = "g.node:not(.unseen)"
    assert tab.page.locator(visible).count() == 1
    tab.page.get_by_role("button", name="Play", exact=True).click()
    tab.wait(".says", "Simulation 1: expansion at the root")
    tab.page.get_by_role("button", name="Pause").click()
    assert tab.page.locator(visible).count() == 2
    tab.press("End")
    tab.wait(".says", "After 12 simulations the answer is the most visited move")
    assert tab.page.locator(visible).count() == 13
    tab.press("Home")
    tab.page.get_by_label("predict the next step").check()
    tab.wait(".predict", "Which node is next? Click it.")
    tab.node(0).locator("polygon").click()  # the new node is not there yet: its parent stands for it
    tab.wait(".says", "✓ Predicted.")
    tab.node(0).locator("polygon").click()
    tab.wait(".predict", "✗ Not there.")


def test_a_simulation_is_an_exercise(tab: Page) -> None:
    tab.open("practice", kind="mcts", seed=2)
    for part in exercise("mcts", 2).solution.split(", "):
        name, _, value = part.partition("=")
        tab.page.get_by_label(f"{name} =").fill(value)
    tab.page.get_by_text("check answer").click()
    tab.wait(".marks", "✓ All correct")
    tab.page.get_by_text("Watch the search").click()
    tab.wait(".count", "1 of ")
    assert "proofs=0" in tab.address
    tab.press("End")
    tab.wait(".says", f"After {exercise('mcts', 2).watching['simulations']} simulations")


def test_on_a_phone_nothing_overflows(browser: Any, address: str) -> None:
    tab = Page(browser, address, viewport={"width": 360, "height": 740}, color_scheme="dark")
    for page, fields in (
        ("trees", {"tree": "coin-bounded", "step": 5}),
        ("trees", {"tree": "trip"}),
        ("trees", {"tree": "[3, 4]", "draw": 1}),
        ("practice", {"kind": "bounds", "seed": 2}),
    ):
        tab.open(page, **fields)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= 360, (page, fields)
    tab.close()
