"""The desk without a browser: what it answers, what it finds out, and that it can be interrupted."""

from __future__ import annotations

import re
import subprocess
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from support import twenty_one
from support.arena_games import Lottery
from support.pages import LONGEST, Page
from zermelo.app.web import compiling as web_compiling
from zermelo.app.web import play_desk, study
from zermelo.app.web.compiling import Readiness
from zermelo.app.web.computer import Computer
from zermelo.game.protocol import Game
from zermelo.games import load
from zermelo.search.engine import Engine


def test_the_first_look_is_at_a_game(page: Page) -> None:
    page.say("look")
    assert page.last("view")["title"] == "Tic-tac-toe"
    assert page.last("game")["analysable"]
    assert page.last("readiness")["state"] == "plain"


def test_an_address_of_the_game_on_the_table_loses_nothing_of_it(page: Page) -> None:
    page.say("new", game="tic_tac_toe", moves=["5", "1", "9"], seats=["person", "level:casual"])
    table = page.desk.table
    page.say("leave")
    page.say("open", game="tic_tac_toe", moves=["5", "1"])
    assert page.desk.table is table
    assert not page.desk.is_away
    assert page.last("view")["shown"] == 2
    assert page.last("view")["moves"] == ["5", "1", "9"]
    page.say("open", game="tic_tac_toe")
    assert page.desk.table is table
    assert page.last("view")["shown"] == 0
    for other in ({"seats": ["person", "person"]}, {"moves": ["5", "2"]}, {"settings": ["m=4"]}):
        before = page.desk.table
        page.say("open", game="tic_tac_toe", **other)
        assert page.desk.table is not before


def test_an_error_in_somebodys_game_says_where(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(Path(twenty_one.__file__).read_text().replace('return "second"', 'return s["x"]'))
    page.say("new", game=str(file))
    page.say("move", name="1")
    assert re.fullmatch(r"TypeError: .* \(wrong.py, line \d+\)", page.last("error")["error"])
    page.say("new", game=str(file), seats=["person"])
    assert page.last("error")["error"] == "wrong has 2 seats, not 1"


def test_the_engine_answers_a_persons_move(page: Page) -> None:
    page.say("new", game="tic_tac_toe", seats=["person", "level:expert"])
    page.say("move", name="1")
    page.wait("view", lambda view: len(view["moves"]) == 2)
    assert page.last("played")["who"] == "level:expert"
    page.say("undo")
    assert page.last("view")["moves"] == []


def test_two_engines_play_until_they_are_paused(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_desk, "PACE", 0.1)
    page.say("new", game="othello", seats=["random", "random"])  # which takes seconds
    page.wait("view", lambda view: len(view["moves"]) >= 1)
    page.say("pause", on=True)
    count = len(page.last("view")["moves"])
    time.sleep(0.3)
    assert len(page.last("view")["moves"]) == count
    assert page.last("view")["paused"]
    assert not page.last("view")["over"]
    monkeypatch.setattr(play_desk, "PACE", 0.0)
    page.say("pause", on=False)
    page.wait("view", lambda view: view["over"])


def test_a_hint_is_a_good_move(page: Page) -> None:
    page.say("new", game="tic_tac_toe", moves=["1", "4", "2", "5"])
    page.say("hint")
    hint = page.wait("hint")
    assert (hint["move"], hint["verdict"]) == ("3", "X wins in 1 ply")
    page.say("move", name="3")
    page.say("hint")
    assert page.last("error")["error"] == "the game is over"


def test_a_hint_that_is_interrupted_is_still_given(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the program, once it is compiled; but not by a move, after which nobody wants it."""
    choose, tried = Computer.choose, []

    def interrupted(*given: Any) -> Any:
        assert page.desk.table is not None
        tried.append(page.desk.table.shown)
        if len(tried) == 1:
            page.desk.thinker.interrupt()
        if len(tried) == 3:
            page.say("move", name="2")
        return choose(*given)

    monkeypatch.setattr(Computer, "choose", interrupted)
    page.say("new", game="tic_tac_toe", moves=["1", "4", "2", "5"])
    page.say("hint")
    assert page.wait("hint")["move"] == "3"
    page.say("new", game="tic_tac_toe", moves=["1", "4"])
    page.answers.clear()
    page.say("hint")
    page.wait("view", lambda view: len(view["moves"]) == 3)
    page.say("analyse", on=True)
    page.wait("analysis", lambda answer: answer["ply"] == 3)
    assert tried == [4, 4, 2]
    assert page.last("hint") is None


def test_a_player_that_has_not_quite_begun_to_think_is_interrupted_too(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    think, about_to = Engine.think, threading.Event()

    def late(engine: Engine, *given: Any, **more: Any) -> Any:
        if "seconds" in more:  # and not to get ready
            about_to.set()
            time.sleep(0.1)
        return think(engine, *given, **more)

    monkeypatch.setattr(Engine, "think", late)
    page.say("new", game="chess")
    page.say("hint")
    assert about_to.wait(LONGEST)
    page.say("move", name="e4")
    page.say("analyse", on=True)
    page.wait("analysis", lambda answer: answer["ply"] == 1)  # by the same thread, which has left the hint


def test_every_move_gets_its_value_and_is_proven_in_the_end(page: Page) -> None:
    page.say("new", game="tic_tac_toe", moves=["5", "2"])
    page.say("analyse", on=True)
    found = page.wait("analysis", lambda answer: answer["done"])
    assert len(found["moves"]) == 7
    assert all(each["proven"] for each in found["moves"])
    assert found["moves"][0]["verdict"] == "X wins in 5 plies"
    assert [each["move"] for each in found["moves"] if each["verdict"] == "draw"] == ["8"]
    assert found["moves"][-1]["grade"] == "??"


def test_what_was_found_is_kept_by_ply(page: Page) -> None:
    page.say("new", game="tic_tac_toe", moves=["5", "2"])
    page.say("analyse", on=True)
    page.wait("analysis", lambda answer: answer["done"])
    page.say("analyse", on=False)
    page.say("show", ply=0)
    page.answers.clear()
    page.say("show", ply=2)
    assert page.wait("analysis")["done"]
    page.say("show", ply=1)
    page.say("move", name="1")
    assert list(page.desk.table.findings) == []  # type: ignore[union-attr]


@pytest.mark.timing
def test_an_analysis_is_interrupted_at_once(page: Page) -> None:
    page.say("new", game="chess")
    page.say("analyse", on=True)
    page.wait("analysis")
    began = time.monotonic()
    page.say("move", name="e4")
    assert time.monotonic() - began < 0.5
    page.wait("analysis", lambda answer: answer["ply"] == 1)
    page.say("analyse", on=False)
    assert page.last("view")["analysing"] is False


def test_dice_are_analysed_too(page: Page) -> None:
    page.say("new", game="pig", settings=["target=10"], moves=["roll", "3"], seed=1)
    page.say("analyse", on=True)
    assert {each["move"] for each in page.wait("analysis")["moves"]} == {"roll", "hold"}


def test_three_players_are_analysed_too(page: Page) -> None:
    page.say("new", game="coalition")
    page.say("analyse", on=True)
    assert page.wait("analysis", lambda answer: answer["done"])["moves"][0]["move"] == "attack C"


def test_a_monte_carlo_search_tells_shares_of_visits_and_saves_them(page: Page) -> None:
    """Hex has no evaluation: values are averages of random games, and the best move is the one with the most visits."""
    page.say("new", game="hex", settings=["size=6"])
    page.say("analyse", on=True)
    before = page.wait("analysis", lambda answer: answer["nodes"] > 100)
    page.say("analyse", on=False)
    shares = [each["visits"] for each in before["moves"]]
    assert before["simulated"]
    assert "open" not in {each["verdict"] for each in before["moves"]}
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1, abs=0.1)
    page.say("save")
    record = page.wait("saved")["record"]
    page.say("new", game="nim")
    page.answers.clear()
    page.say("load", record=record)
    page.say("show", ply=0)
    after = page.wait("analysis")
    assert after["simulated"]
    assert 0 < after["moves"][0]["visits"] <= 1
    assert [each["visits"] for each in after["moves"]] == [each[5] for each in record["analysis"]["0"]["moves"]]


def test_a_review_finds_the_mistake_and_what_was_better(page: Page) -> None:
    page.say("new", game="nim", settings=["piles=(1, 2)"], moves=["A1", "B2"])
    page.say("review", on=True)
    page.wait("review", lambda answer: answer["done"] == answer["of"] == 3)
    graph = page.wait("graph", lambda answer: any(each["grade"] == "??" for each in answer["mistakes"]))
    (mistake,) = graph["mistakes"]
    first, second = (load("nim").player_name(p) for p in range(2))
    assert (mistake["ply"], mistake["move"], mistake["why"]) == (
        0,
        "A1",
        f"A1 allows B2: {second} wins in 2 plies; better was B1: {first} wins in 3 plies.",
    )
    assert (mistake["better"], mistake["line"][0]) == ("B1", "B1")
    shares = [(point["ply"], point["share"]) for point in page.wait("graph")["points"]]
    assert shares == [(0, 1.0), (1, 0.0), (2, 0.0)]


def test_a_review_looks_for_a_while(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "REVIEWED", 0.2)
    page.say("new", game="chess", moves=["e4"])
    page.say("review", on=True)
    page.wait("review", lambda answer: answer["done"] == answer["of"] == 2)


def test_a_review_can_be_stopped(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing more is told of it then, wherever it was."""
    looked_at = []

    def look(reviewer: Any, states: list[Any], *given: Any) -> None:
        looked_at.append(len(states) - 1)
        page.say("review", on=False)

    monkeypatch.setattr(study.Reviewer, "known", look)
    page.say("new", game="chess", moves=["e4", "e5", "Nf3"])
    page.say("review", on=True)
    page.wait("review", lambda answer: answer["of"] == 0)
    page.say("hint")  # by the same thread, which has left the review
    page.wait("thinking")
    assert page.last("review")["of"] == 0
    assert looked_at == [3]  # from the end
    assert not page.desk.is_reviewing


def test_analysis_is_saved_with_the_game_and_comes_back(page: Page) -> None:
    page.say("new", game="tic_tac_toe", moves=["5", "2", "1"])
    page.say("show", ply=2)
    page.say("analyse", on=True)
    before = page.wait("analysis", lambda answer: answer["done"])
    page.say("analyse", on=False)
    page.say("save")
    record = page.wait("saved")["record"]
    page.say("new", game="nim")
    page.answers.clear()
    page.say("load", record=record)
    page.say("show", ply=2)
    after = page.wait("analysis")
    values = [[(each["move"], each["verdict"], each["proven"]) for each in one["moves"]] for one in (before, after)]
    assert values[0] == values[1]


def test_hidden_games_are_played_but_not_analysed(page: Page) -> None:
    page.say("new", game="kuhn_poker", seats=["person", "random"], seed=1)
    assert not page.last("game")["analysable"]
    page.say("analyse", on=True)
    page.say("move", name="bet")
    page.wait("view", lambda view: view["over"])
    assert page.last("analysis") is None
    assert page.last("error") is None


def test_the_computer_does_not_tell_what_it_thinks_of_its_hidden_cards(page: Page) -> None:
    page.say("new", game="kuhn_poker", seats=["mcts:simulations=200", "person"], seed=1)
    assert "verdict" not in page.wait("played")


LOTTERY = """
from support.arena_games import Lottery as Base

class Lottery(Base):
    pass
"""


def test_games_whose_chance_is_only_drawn_have_hints_but_no_analysis(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_desk, "HINTED", 0.2)
    file = tmp_path / "lottery.py"
    file.write_text(LOTTERY)
    page.say("analyse", on=True)
    page.say("new", game=f"{file}:Lottery", seats=["person"] * Lottery.players)
    assert not page.last("game")["analysable"]
    assert not page.last("game")["hidden"]
    page.say("review", on=True)
    page.say("hint")
    page.wait("hint")
    assert page.last("analysis") is None
    assert page.last("error") is None


def test_any_error_of_a_compiled_program_leaves_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(game: Game) -> None:
        raise ValueError("the rules are wrong")

    monkeypatch.setattr(web_compiling, "ready_engine", fail)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: SimpleNamespace(wait=lambda: 0, kill=lambda: None))
    readiness = Readiness("nim", (), load("nim"), lambda _: None)
    readiness.begin()
    assert readiness.ready.wait(LONGEST)
    assert (readiness.state, readiness.reason) == ("plain", "the rules are wrong")


def test_what_is_wrong_is_said(page: Page) -> None:
    page.say("move", name="1")
    assert page.last("error")["error"] == "there is no game on the table yet"
    page.say("new", game="tic_tac_toe", seats=["person", "level:nobody"])
    assert "no level 'nobody'" in page.last("error")["error"]
    page.say("new", game="tic_tac_toe", settings=["m=99"])
    assert "must be" in page.last("error")["error"]
    page.say("look")
    page.say("set_up", text="1 1")
    assert "not a legal move" in page.last("error")["error"]
    assert page.last("view")["moves"] == []


def test_a_position_is_set_up_by_moves(page: Page) -> None:
    page.say("new", game="coalition")
    page.say("set_up", text="attack C, attack C")
    assert page.last("view")["moves"] == ["attack C", "attack C"]
    page.say("new", game="chess")
    page.say("set_up", text="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    assert page.last("view")["start"] == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    page.say("set_up", text="e4 e5")
    assert page.last("view")["moves"] == ["e4", "e5"]


def test_somebody_alone_can_play_too(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "alone.py"
    file.write_text(ALONE)
    page.say("new", game=str(file))
    page.say("analyse", on=True)
    assert page.wait("analysis", lambda answer: answer["done"])["moves"][0]["move"] == "3"
    page.say("hint")
    assert page.wait("hint")["move"] == "3"
    page.say("save")
    page.say("load", record=page.last("saved")["record"])
    page.say("hint")
    assert page.wait("hint")["move"] == "3"
    page.say("move", name="3")
    assert page.last("view")["result"] == "final score: 3"
    assert page.last("error") is None


def test_a_game_that_breaks_is_told_once(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(BROKEN)
    page.say("new", game=str(file))
    page.say("analyse", on=True)
    assert "out of order" in page.wait("error")["error"]
    time.sleep(0.2)
    assert sum(answer["kind"] == "error" for answer in page.answers) == 1


ALONE = """
from zermelo import Game

class Alone(Game):
    players = 1
    zero_sum = False
    utility_range = (0, 3)
    def initial(self):
        return 0
    def to_move(self, s):
        return 0
    def actions(self, s):
        yield from (1, 2, 3)
    def result(self, s, a):
        return s + a
    def is_terminal(self, s):
        return s > 0
    def utility(self, s, p):
        return s
"""

BROKEN = """
from zermelo import Game

class Broken(Game):
    utility_range = (-1, 1)
    def initial(self):
        return "begin"
    def to_move(self, s):
        return len(s) % 2
    def actions(self, s):
        yield "a"
    def result(self, s, a):
        return s + a
    def is_terminal(self, s):
        if len(s) > 6:
            raise ValueError("out of order")
        return False
    def utility(self, s, p):
        return 0
"""
