"""The Race page, in a browser; and the race itself, without one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.browsing import opened
from support.serving import Served, eventually, hear, heard_error, is_alive, say, serving
from zermelo import games
from zermelo.app.web.racing import race, runners
from zermelo.app.web.table import GameTable

OWN = str(Path(__file__).parent.parent.parent / "support" / "twenty_one.py")
ENDLESS = "counters=99"
"""With so many counters minimax thinks for as long as it may."""


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(OWN) as made:
        yield made


@pytest.mark.parametrize(
    ("game", "there", "not_there"),
    [
        (
            "connect_four",
            {"minimax", "alpha_beta", "mcts", "engine", "mtdf", "engine_plain", "proof_number"},
            {"star1", "maxn"},
        ),
        ("chess", {"minimax", "engine"}, {"proof_number"}),
        ("pig", {"expectiminimax", "star1", "star2"}, {"minimax", "engine"}),
        ("coalition", {"maxn"}, {"minimax", "engine", "expectiminimax"}),
        ("kuhn_poker", {"mcts"}, {"minimax", "engine", "maxn"}),
    ],
)
def test_those_race_whom_the_game_suits(game: str, there: set[str], not_there: set[str]) -> None:
    found = {runner.key for runner in runners(games.load(game))}
    assert there <= found
    assert not found & not_there


def test_all_runners_find_the_same(tmp_path: Path) -> None:
    """21 counters are won by leaving 4 · n: that is, by taking one; nodes and depths only grow."""
    told: list[dict[str, Any]] = []
    keys = [runner.key for runner in runners(GameTable(OWN).game) if runner.key not in ("beam", "negamax", "twice")]
    assert len(keys) == 9
    race({"game": OWN, "settings": [], "moves": ["2"], "start": None, "runners": keys, "seconds": 20}, told.append)
    results = {message["runner"]: message for message in told if message["kind"] == "race_result"}
    assert set(results) == set(keys)
    assert {result["move"] for result in results.values()} == {"3"}
    assert all(result["exact"] for result in results.values())
    assert results["proof_number"]["verdict"] == "a win"
    for key in keys:
        points = [message["point"] for message in told if message["kind"] == "race_point" and message["runner"] == key]
        assert points == sorted(points, key=lambda point: (point[0], point[1], point[2] or 99))
    assert results["minimax"]["nodes"] > results["alpha_beta"]["nodes"] > results["engine"]["nodes"]
    assert told[-1] == {"kind": "race_over"}


def test_a_race_that_fails_is_told_and_the_others_run_on() -> None:
    told: list[dict[str, Any]] = []
    job = {"game": OWN, "settings": [], "moves": [], "start": None, "seconds": 0.1}
    race({**job, "runners": ["maxn", "alpha_beta"]}, told.append)
    assert [message["kind"] for message in told if message["kind"] in ("race_failed", "race_result")] == [
        "race_failed",
        "race_result",
    ]


def test_a_race_ends_with_its_tab_and_by_its_button(served: Served) -> None:
    """Its process is killed, so it may be in the midst of whatever."""
    eventually(lambda: len(served.hosts()) <= 1)
    with served.tab() as tab:
        for way in ("race_stop", "leave", "closed"):
            say(tab, "race_look", game=OWN, settings=[ENDLESS])
            hear(tab, "race_view")
            say(tab, "race", runners=["minimax"], seconds=60)
            hear(tab, "race_started")
            (racing,) = served.workers()
            if way == "closed":
                tab.close()
            else:
                say(tab, way)
            eventually(lambda racing=racing: not is_alive(racing), 30)  # by itself it would take a minute
    eventually(lambda: len(served.hosts()) <= 1)


def test_who_cannot_race_is_refused(served: Served) -> None:
    with served.tab() as tab:
        say(tab, "race", runners=["minimax"], seconds=1)
        assert heard_error(tab) == "no position is chosen yet"
        say(tab, "race_look", game=OWN)
        hear(tab, "race_view")
        for keys, said in (([], "choose at least one algorithm"), (["program"], "there is no algorithm 'program'")):
            say(tab, "race", runners=keys, seconds=1)
            assert heard_error(tab) == said
        say(tab, "race_look", game=OWN, moves=["3"] * 7)
        assert hear(tab, "race_view")["over"]
        say(tab, "race", runners=["minimax"], seconds=1)
        assert heard_error(tab) == "the game is over in this position: there is no move to find"


def test_a_race_by_mouse(browser: Any, served: Served) -> None:
    with opened(browser, f"{served.address}#/race?game={OWN}&moves=2.3") as page:
        page.get_by_text("to move, after 2 3").wait_for()
        boxes = page.get_by_role("group", name="Algorithms").get_by_role("checkbox")
        assert boxes.count() == 10
        page.get_by_label("seconds per algorithm").fill("5")
        page.get_by_label("MTD(f)").uncheck()
        page.get_by_role("button", name="start").click()
        page.locator(".status", has_text="Race finished").wait_for()
        rows = page.locator(".results tbody tr")
        assert [row.text_content() for row in rows.locator("th").all()] == [
            "minimax",
            "alpha-beta",
            "Monte Carlo tree search",
            "engine, all techniques",
        ]
        assert page.locator(".results .proven").count() == 4
        assert page.locator(".chart path").count() == 8
        assert all(path.get_attribute("d").startswith("M") for path in page.locator(".chart path").all())
        assert "alpha-beta: depth 8" in page.locator(".chart").nth(1).get_attribute("aria-label")
        page.reload()
        page.get_by_text("to move, after 2 3").wait_for()
        page.get_by_role("link", name="Play from here").click()
        page.locator(".record .current", has_text="3").wait_for()
        page.get_by_role("link", name="Race", exact=True).click()
        page.get_by_text("to move, after 2 3").wait_for()
        page.get_by_label("game", exact=True).select_option("nim")
        page.locator("a[href='#/play?game=nim']", has_text="Play from here").wait_for()


@pytest.mark.slow
def test_a_race_is_stopped_by_its_button(browser: Any, served: Served) -> None:
    with opened(
        browser, f"{served.address}#/race?game={OWN}&set={ENDLESS}", viewport={"width": 390, "height": 800}
    ) as page:
        page.get_by_label("seconds per algorithm").fill("60")
        page.get_by_role("button", name="start").click()
        page.locator(".status", has_text="minimax is running").wait_for()
        page.locator(".chart circle").nth(3).wait_for(state="attached")
        page.get_by_role("button", name="stop").click()
        page.locator(".status", has_text="Stopped").wait_for()  # and not "Race finished"
        assert page.get_by_role("button", name="start").is_enabled()
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, "the page is wider than the phone"
