"""The page Equilibria: what its desks answer, and the lessons in a browser."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from support.browsing import Tab
from support.serving import serving
from zermelo import games
from zermelo.app.web import averaging_desk
from zermelo.app.web.cards import picture
from zermelo.app.web.host import Host
from zermelo.app.web.kuhn_desk import Hands
from zermelo.app.web.matrix_desk import TABLES
from zermelo.app.web.messages import BadMessage, parse
from zermelo.equilibria.kuhn import Kuhn
from zermelo.game.protocol import CHANCE
from zermelo.games.kuhn_poker import KuhnPokerState

MATRIX = {"do": "matrix", "method": "cfr-simultaneous", "begin": "first", "iterations": 50, "rows": "", "columns": ""}


class Asked:
    """A host and the last thing that it said."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.host = Host(self.heard.append)

    def __call__(self, **message: Any) -> dict[str, Any]:
        self.host.handle(parse(json.dumps(message)))
        json.dumps(self.heard[-1], allow_nan=False)
        return self.heard[-1]


@pytest.fixture
def ask() -> Asked:
    return Asked()


def test_the_lesson_on_kuhn_poker(ask: Asked) -> None:
    view = ask(do="kuhn", bets=[])
    assert view["alpha"] == pytest.approx(1 / 3)
    assert view["verdict"]["exploitability"] == pytest.approx(0, abs=1e-12)
    family = ask(do="kuhn_family", alpha=0.2)
    assert family["bets"][:6] == pytest.approx([0.2, 0, 0.6, 0, 8 / 15, 1])
    assert family["svg"].count("data-set=") == 24
    for step in view["steps"]:
        shown = ask(do="kuhn", bets=step["bets"])
        losses = [abs(seat[what]) for seat in shown["verdict"]["seats"] for what in ("loss", "worst")]
        numbers = [float(x) for x in re.findall(r"\d\.\d{3}", step["text"])]
        assert not numbers or any(abs(number - loss) < 6e-4 for number in numbers for loss in losses), step["title"]
    assert "12 probabilities" in ask(do="kuhn", bets=[0.5])["error"]
    with pytest.raises(BadMessage, match="from 0 to 1"):
        ask(do="kuhn", bets=[2.0] * 12)


def test_hands_are_judged_by_what_they_cost() -> None:
    """Against the equilibrium: the Queen's first bet costs 1/6, and the Jack's call of a bet 1."""
    hands = Hands(Kuhn(), 1)
    with pytest.raises(ValueError, match="there is no hand to play: deal one"):
        hands.move(True)
    for _ in range(60):
        hands.deal(hands.hands % 2)
        while not hands.is_over:
            hands.move(True)
    told = {each["place"]: each["cost"] for each in _played(120)}
    assert (told[1], told[9]) == pytest.approx((1 / 6, 1))
    view = hands.view()
    assert view["hands"] == 60
    assert view["cost"] > 5
    assert view["expected"] == pytest.approx(-view["cost"], abs=2)
    assert view["losses"][0] > 0.1
    assert sum(map(sum, view["counts"])) >= 60


def _played(count: int) -> list[dict[str, Any]]:
    hands, found = Hands(Kuhn(), 7), []
    for i in range(count):
        hands.deal(i % 2)
        while not hands.is_over:
            hands.move(True)
        found += hands.judged
    return found


def test_the_opponents_card_is_not_sent_until_the_showdown() -> None:
    """Swap the hidden card: what the page gets stays the same. After a fold nothing is shown."""
    hands = Hands(Kuhn(), 3)
    game = hands.kuhn.game
    for moves in (0b1, 0b10, 0b11, 0b101, 0b110, 0b1010):
        seat = 0 if moves in (0b1, 0b101) else 1
        hands.seat, views = seat, []
        for other in (1, 3):
            cards = (2, other) if seat == 0 else (other, 2)
            hands.state = KuhnPokerState(*cards, moves, 0)
            assert game.is_terminal(hands.state) or game.to_move(hands.state) == seat != CHANCE
            view = hands.view()
            views.append({name: value for name, value in view.items() if name != "result"})
        assert views[0] == views[1]
    hands.state = KuhnPokerState(2, 3, 0b111, 0)
    assert "K" in hands.view()["svg"]


@pytest.mark.parametrize("name", TABLES)
def test_tables_to_choose_from(ask: Asked, name: str) -> None:
    _, payoffs, rows, columns = TABLES[name]
    view = ask(**{**MATRIX, "payoffs": payoffs, "rows": rows, "columns": columns})
    assert view["rows"] == tuple(rows.split())
    assert (view["exact"] is None) == (not view["zero_sum"])
    assert view["curves"][-1]["number"] == 50
    step = ask(do="matrix_step", step=50)
    assert step["average"] == view["curves"][-1]["average"]
    assert [sum(part) for part in step["next"]] == pytest.approx([1, 1])


def test_tables_that_are_wrong(ask: Asked) -> None:
    assert "row 1, column 2 of payoffs is 'x'" in ask(**{**MATRIX, "payoffs": "1 x"})["error"]
    assert "at most 8 rows and columns" in ask(**{**MATRIX, "payoffs": "1 " * 9})["error"]
    assert "there is no 'nash' here" in ask(**{**MATRIX, "payoffs": "1 2", "method": "nash"})["error"]
    assert ask(do="matrix_step", step=1)["error"] == "there is no step 1"


def test_trees_with_information_sets(ask: Asked) -> None:
    message = {"do": "information_sets", "settings": [], "moves": []}
    view = ask(**message, game="kuhn_poker")
    assert (len(view["sets"]), view["values"][0]) == (12, pytest.approx(-1 / 18))
    assert view["nash_conv"] == pytest.approx(0, abs=1e-9)
    for each in view["sets"]:
        assert sum(each["chances"]) == pytest.approx(1)
        assert len(each["states"]) == 2
    later = ask(do="information_sets", game="kuhn_poker", settings=[], moves=["QK", "check"])
    assert [each["name"] for each in later["sets"]] == ["K: check", "Q: check, bet"]
    general = ask(do="information_sets", game="coalition", settings=["turns=2"], moves=[])
    assert "nothing is guaranteed" in general["guarantee"]
    assert "more than 400 nodes" in ask(**message, game="leduc_poker")["error"]


@pytest.mark.parametrize("lesson", averaging_desk.LESSONS)
def test_averaging_over_deals(ask: Asked, lesson: str) -> None:
    view = ask(do="averaging", lesson=lesson)
    assert sum(deal["weight"] for deal in view["deals"]) == pytest.approx(1)
    for k, mean in enumerate(view["average"]):
        assert mean == pytest.approx(sum(deal["weight"] * deal["values"][k] for deal in view["deals"]))
    assert f'data-set="{view["set"]}"' in view["svg"]
    assert [step["deal"] for step in view["steps"] if step["deal"] is not None] == [0, 1]


def test_what_averaging_gets_wrong(ask: Asked) -> None:
    failing = {"roads": ("B", "A"), "strategy_fusion": ("guess", "take"), "non_locality": ("high", "low")}
    for lesson, choices in failing.items():
        view = ask(do="averaging", lesson=lesson)
        assert (view["choice"], view["right"]) == choices
    assert "there is no lesson 'chess' on averaging" in ask(do="averaging", lesson="chess")["error"]


def test_cards_of_the_start_page() -> None:
    """Hold'em after the flop with chips, and the opponent's cards face down; a table; a tree."""
    holdem = picture("limit_holdem", games.load("limit_holdem"))
    assert (holdem.count('class="zb-chip"'), holdem.count('class="zb-back"')) == (1, 2)
    assert "scissors" in picture("matrix", games.load("matrix"))
    assert picture("roads", games.load("roads")).count("data-set=") == 4


def test_the_page(browser: Any) -> None:
    with serving() as served:
        tab = Tab(browser, served.address + "#/equilibria")
        page = tab.page
        page.get_by_role("button", name="next step").click()
        tab.until(lambda: "0.278" in page.inner_text(".costs") and "250.0 milli-antes" in page.inner_text("main"))
        page.get_by_label("alpha:").press("ArrowLeft")
        tab.until(lambda: "Nothing punishes the first player" in page.inner_text("main"))
        assert "= 0.0 milli-antes" in page.inner_text("main")
        page.get_by_label("First player, Jack, opening: bet").press("End")
        tab.until(lambda: "call with the Queen after a bet" in page.inner_text("main"))
        page.get_by_role("button", name="Deal").click()
        page.locator(".hand .position svg").wait_for()
        while page.locator(".hand button", has_text="Next hand").count() == 0:
            page.locator(".hand .step-buttons button").last.click()
            page.wait_for_timeout(50)
        assert re.search(r"You (win|lose) [12]\.", page.inner_text(".hand"))
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0

        page.get_by_role("link", name="Matrix games").click()
        tab.until(lambda: "Round 1. Rows: rock. Columns: rock." in page.inner_text("main"))
        page.get_by_role("button", name="last round").click()
        tab.until(lambda: "Round 1000" in page.inner_text(".says"))
        assert "Value 0.0000 to the rows" in page.inner_text("main")
        page.locator(".side select").first.select_option("dilemma")
        tab.until(lambda: "Pure equilibria: tell and tell" in page.inner_text("main"))
        assert "payoffs=2%2C2" in tab.address

        page.get_by_role("link", name="Information sets").click()
        tab.until(lambda: page.locator(".tree-frame [data-set]").count() == 24)
        page.locator(".tree-frame [data-set='3'] text").first.click()
        tab.until(lambda: "Q: bet" in page.inner_text("tr.now"))

        page.get_by_role("link", name="Averaging over deals").click()
        page.get_by_role("button", name="last step").click()
        tab.until(lambda: "Averaging plays B, the equilibrium plays A 100 %" in page.inner_text("main"))
        tab.until(lambda: "exploitability" in page.inner_text("main .side"))
        tab.close()
