"""The report itself, and what `check` accepts."""

from __future__ import annotations

import _thread
import json
import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from broken.compiled import Compiled, UsesADictionary
from broken.race import Race
from broken.rules import Loops, NeverEnds, NotANumber, ThirdPlayer

import zermelo
from zermelo.conformance import check
from zermelo.conformance.codes import CODES

PAGE = Path(__file__).parents[2] / "docs" / "check.md"


def test_statistics_of_random_play() -> None:
    play = check(Race(), plays=50).statistics
    assert play.games == 50
    assert play.unfinished == 0
    assert 4 <= play.mean_length <= play.longest <= 7
    assert play.branching_factor == 2
    assert play.utilities.keys() == {(1.0, -1.0), (-1.0, 1.0)}
    assert sum(play.utilities.values()) == 50
    assert 10 < play.distinct_states <= 18
    assert play.compared_games == 0


def test_a_compiled_game_is_played_in_both_modes() -> None:
    report = check(Compiled(), plays=50)
    assert report.compiled
    assert report.why_plain is None
    assert report.statistics.compared_games == 50
    assert report.statistics.compared_plies > 150


def test_it_says_why_a_game_is_not_compiled() -> None:
    plain = check(Race(), plays=5)
    assert not plain.compiled
    assert "not a NamedTuple" in str(plain.why_plain)
    assert plain.ok
    asked = check(Compiled(), plays=5, compile=False)
    assert not asked.compiled
    assert asked.ok
    failed = check(UsesADictionary(), plays=5)
    assert not failed.compiled
    assert "steps" in str(failed.why_plain)


def test_compile_true_insists() -> None:
    report = check(Race(), plays=5, compile=True)
    assert [finding.code for finding in report.findings] == ["does-not-compile"]


def test_the_verdict_on_the_evaluation() -> None:
    class Far(Race):
        def is_terminal(self, s: Any) -> bool:
            return bool(s[0] >= 31)

    verdict = check(Far(), plays=50).evaluation
    assert verdict.own
    assert verdict.orders_terminals
    assert verdict.truth == "search"
    assert verdict.correlation == pytest.approx(1.0)
    assert verdict.states >= 20
    assert verdict.plain_nanoseconds is not None
    assert 10 < verdict.plain_nanoseconds < 1e6
    assert verdict.compiled_nanoseconds is None
    assert not check(Compiled(), plays=5).evaluation.own


def test_the_same_seed_finds_the_same() -> None:
    first, second = (check(ThirdPlayer(), plays=20, seed=7).to_json() for _ in range(2))
    for report in (first, second):
        del report["statistics"]["seconds"]
    assert first == second


def test_it_prints_and_serialises() -> None:
    report = check(ThirdPlayer(), plays=20)
    text = str(report)
    assert "fails: 1 error" in text
    assert "illegal-to-move" in text
    assert "moves  " in text
    assert "passes: nothing found" in str(check(Race(), plays=20))
    page = report._repr_html_()
    assert page.startswith("<table>")
    assert "illegal-to-move" in page
    data = json.loads(json.dumps(report.to_json()))
    assert data["ok"] is False
    assert data["findings"][0]["code"] == "illegal-to-move"
    assert data["findings"][0]["kind"] == "error"


def test_infinite_utilities_serialise_too() -> None:
    json.dumps(check(NotANumber(), plays=5).to_json(), allow_nan=False)


def test_it_refuses_what_is_not_a_game() -> None:
    with pytest.raises(zermelo.GameError, match="not a Game"):
        check(Race)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="plays"):
        check(Race(), plays=0)
    with pytest.raises(ValueError, match="seconds"):
        check(Race(), seconds=0)
    with pytest.raises(ValueError, match="seed"):
        check(Race(), seed=1.5)  # type: ignore[arg-type]


def test_time_is_bounded() -> None:
    began = time.perf_counter()
    check(NeverEnds(), plays=10_000, seconds=1.0)
    check(Loops(), plays=10_000, seconds=1.0)
    assert time.perf_counter() - began < 60


def test_a_wait_inside_python_is_left_behind() -> None:
    class Sleeps(Race):
        def utility(self, s: Any, p: int) -> float:
            time.sleep(30)
            return 0.0

    began = time.perf_counter()
    report = check(Sleeps(), seconds=1.0)
    assert [finding.code for finding in report.findings] == ["never-returns"]
    assert time.perf_counter() - began < 25


def test_interrupts_pass() -> None:
    class Interrupts(Race):
        def utility(self, s: Any, p: int) -> float:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(Interrupts())
    begun = threading.Event()

    class Noticed(NeverEnds):
        def actions(self, s: Any) -> Any:
            begun.set()
            return super().actions(s)

    threading.Thread(target=lambda: (begun.wait(), _thread.interrupt_main()), daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        check(Noticed(), plays=10_000, seconds=60.0)


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    check(Loops(), seconds=1.0)
    check(ThirdPlayer())
    assert capfd.readouterr() == ("", "")


def test_the_page_lists_every_code_with_its_kind() -> None:
    rows = dict(re.findall(r"^\| `([a-z0-9-]+)` \| (error|warning) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert rows == {code: about.kind for code, about in CODES.items()}
