"""Clocks, resignation, draws, variations and files at the desk for playing."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from support.pages import LONGEST, Page
from zermelo.app.web.computer import Computer
from zermelo.app.web.findings import Finding, Findings


def test_a_game_is_lost_on_time(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    page.say("new", game="tic_tac_toe", clock=[60, 5])
    clock = page.desk.table.clock
    assert page.last("view")["clock"]["running"] is None  # clocks start with the first move
    page.say("move", name="5")
    assert page.last("view")["clock"]["running"] == 1
    page.say("move", name="1")
    assert page.last("view")["clock"]["running"] == 0
    assert 64 < page.last("view")["clock"]["left"][1] <= 65  # with the increment
    clock.left[0] = 0.05
    page.desk.referee.watch(page.desk.table)
    view = page.wait("view", lambda view: view["over"])
    assert (view["result"], view["clock"]["running"]) == ("X ran out of time; O won", None)
    assert page.desk.table.record().ended == "time"
    page.say("show", ply=1)
    page.say("move", name="9")  # a variation has no time limit
    assert not page.last("view")["over"]
    assert page.last("view")["clock"]["running"] is None


def test_clocks_stop_while_one_is_on_another_page(page: Page) -> None:
    page.say("new", game="tic_tac_toe", clock=[60, 0], moves=["5"])
    assert page.desk.table.clock.running == 1
    page.say("leave")
    assert page.desk.table.clock.running is None
    page.say("look")
    assert page.desk.table.clock.running == 1


def test_the_computer_plays_by_the_clock(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    choose = Computer.choose
    monkeypatch.setattr(
        Computer,
        "choose",
        lambda self, words, turn, token: (seen.append(turn.clock), choose(self, words, turn, token))[1],
    )
    page.say("new", game="tic_tac_toe", clock=[60, 5], seats=["person", "random"])
    page.say("move", name="5")
    page.wait("view", lambda view: len(view["moves"]) == 2)
    assert seen[0].increment == 5
    assert 50 < seen[0].remaining <= 60


def test_a_person_resigns_and_wants_a_rematch(page: Page) -> None:
    page.say("new", game="tic_tac_toe", seats=["person", "random"], clock=[60, 0])
    page.say("resign")
    assert page.last("view")["result"] == "X resigned; O won"
    page.say("resign")
    assert page.last("error")["error"] == "the game is over"
    page.say("rematch")
    view = page.wait("view", lambda view: len(view["moves"]) == 1)
    assert (view["seats"], view["clock"]["seconds"]) == (["random", "person"], 60)


def test_people_agree_on_a_draw(page: Page) -> None:
    page.say("new", game="tic_tac_toe", moves=["5"])
    page.say("offer_draw")
    assert page.last("view")["offer"] == 1
    page.say("answer_draw", on=False)
    assert (page.last("view")["offer"], page.last("view")["over"]) == (None, False)
    page.say("offer_draw")
    page.say("move", name="1")  # a move declines it
    assert page.last("view")["offer"] is None
    page.say("offer_draw")
    page.say("answer_draw", on=True)
    assert page.last("view")["result"] == "a draw by agreement"


@pytest.mark.parametrize(
    ("moves", "accepts"),
    [
        (["5", "1"], True),  # a draw with the best play
        (["5", "2", "1", "9"], True),  # X, who offers it, wins
        (["1", "5", "6", "3", "8"], False),  # O wins
    ],
)
def test_the_computer_accepts_a_draw_if_it_is_not_better(page: Page, moves: list[str], accepts: bool) -> None:
    page.say("new", game="tic_tac_toe", moves=moves, seats=["person", "person"])
    table = page.desk.table
    table.seats = ["person", "level:full"]
    page.desk.is_paused = True
    page.say("offer_draw")
    if accepts:
        assert page.wait("view", lambda view: view["over"])["result"] == "a draw by agreement"
    else:
        page.wait("declined")
        assert not page.last("view")["over"]


def test_the_computer_answers_even_if_it_is_interrupted(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, choose = threading.Event(), Computer.choose

    def slow_at_first(self: Computer, words: str, turn: Any, token: Any) -> Any:
        if not begun.is_set():
            begun.set()
            token.wait(LONGEST)
        return choose(self, words, turn, token)

    monkeypatch.setattr(Computer, "choose", slow_at_first)
    page.say("new", game="tic_tac_toe", moves=["5", "1"], seats=["person", "level:full"])
    page.say("offer_draw")
    assert begun.wait(LONGEST)
    page.say("show", ply=1)
    assert page.wait("view", lambda view: view["offer"] is None)
    assert page.desk.table.endings


def test_the_graph_after_a_resignation_has_no_final_result(page: Page) -> None:
    page.say("new", game="tic_tac_toe", moves=["5", "1"])
    page.desk.table.findings[1] = Findings(1, {"1": Finding(0.0, None, True)})
    page.say("resign")
    points = page.wait("graph", lambda graph: graph["points"])["points"]
    assert [point["ply"] for point in points] == [1]


@pytest.mark.parametrize(
    "more",
    [
        {"ended": "resignation"},
        {"ended": "time", "charged": 7},
        {"clock": {"seconds": 60, "increment": 0, "left": 5}},
        {"clock": {"seconds": 60, "increment": 0, "left": [60, None]}},
    ],
)
def test_ends_and_clocks_of_saved_games_that_make_no_sense(page: Page, more: dict[str, Any]) -> None:
    page.say("load", record={"zermelo": "game", "game": "tic_tac_toe", "moves": ["5"], **more})
    view = page.last("view")
    assert (view["over"], view["clock"], view["moves"]) == (False, None, ["5"])


def test_a_variation_by_messages(page: Page) -> None:
    page.say("new", game="tic_tac_toe", moves=["1", "4", "2"], variations=[{"after": 1, "moves": ["5", "9"]}], at=4)
    view = page.last("view")
    assert (view["moves"], view["shown"]) == (["1", "5", "9"], 2)
    number = view["line"][view["shown"]]
    page.say("comment", to=number, text="the centre")
    assert page.last("view")["whole"]["record"]["notes"] == {"4": {"comment": "the centre"}}
    page.say("promote", to=number)
    assert page.last("view")["whole"]["record"]["moves"] == ["1", "5", "9"]
    page.say("delete", to=number)
    assert page.last("view")["whole"]["record"]["moves"] == ["1", "4", "2"]
    page.say("restore")
    assert len(page.last("view")["tree"]) == 6
    page.say("open", game="tic_tac_toe", moves=["1", "5"])  # nothing is lost
    assert len(page.last("view")["tree"]) == 6


def test_a_kept_game_comes_back_as_it_was(page: Page) -> None:
    page.say("new", game="tic_tac_toe", moves=["1", "4"], clock=[60, 2])
    page.say("resign")
    whole = page.last("view")["whole"]
    page.say("load", record=whole["record"], at=1)
    view = page.last("view")
    assert (view["shown"], view["clock"]["seconds"]) == (1, 60)
    page.say("show", ply=2)
    assert page.last("view")["result"] == "X resigned; O won"


def test_files_of_other_programs(page: Page) -> None:
    page.say("import", text="1. e4 e5 (1... c5 {Sicilian}) 2. Nf3 *\n\n1. d4 *")
    view = page.last("view")
    assert (view["game"], view["whole"]["record"]["moves"]) == ("chess", ["e4", "e5", "Nf3"])
    assert page.last("contents")["titles"] == ["game 1", "game 2"]
    page.say("export", form="PGN")
    assert "(1... c5 {Sicilian})" in page.last("exported")["text"]
    page.say("import", text="(;SZ[9];B[ee])")
    page.say("export", form="SGF")
    assert ";B[ee]" in page.last("exported")["text"]
    page.say("import", text="1. e4 Ke7 xyz")
    assert "PGN, line 1" in page.last("error")["error"]


@pytest.mark.security
def test_no_file_is_loaded_by_an_imported_game_and_nothing_hidden_is_exported(page: Page) -> None:
    page.say("import", text='{"zermelo": "game", "game": "/tmp/mine.py", "moves": []}')
    assert "there is no game" in page.last("error")["error"]
    page.say("new", game="kuhn_poker", seats=["person", "random"])
    page.say("export", form="JSON")
    page.say("save")
    assert page.last("exported") is page.last("saved") is None
    assert "hidden information" in page.last("error")["error"]
