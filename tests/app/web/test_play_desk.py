"""The desk without a browser: what it answers, what it finds out, and that it can be interrupted."""

from __future__ import annotations

import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from support import twenty_one
from support.arena_games import Lottery
from zermelo.app import compiling
from zermelo.app.web import compiling as web_compiling
from zermelo.app.web import play_desk, study
from zermelo.app.web.compiling import Readiness
from zermelo.app.web.computer import Computer
from zermelo.app.web.findings import Finding, Findings, Judge, grade
from zermelo.app.web.host import Host
from zermelo.app.web.play_desk import PlayDesk
from zermelo.game.protocol import Game
from zermelo.games import load
from zermelo.search.engine import Engine

LONGEST = 120.0
"""How many seconds anything may take, on a machine that has other things to do."""


class Page:
    """Whoever talks to the desk: it sends messages, and waits for answers."""

    def __init__(self) -> None:
        self.answers: list[dict[str, Any]] = []
        self.host = Host(self.answers.append)
        self.desk = next(desk for desk in self.host.desks if isinstance(desk, PlayDesk))

    def say(self, do: str, **fields: Any) -> None:
        self.host.handle({"do": do, **fields})

    def last(self, kind: str) -> Any:
        return next((answer for answer in reversed(list(self.answers)) if answer["kind"] == kind), None)

    def wait(self, kind: str, such: Callable[[Any], bool] = lambda answer: True) -> Any:
        until = time.monotonic() + LONGEST
        while time.monotonic() < until:
            answer = self.last(kind)
            if answer is not None and such(answer):
                return answer
            time.sleep(0.01)
        raise AssertionError(f"no such {kind}; the last was {self.last(kind)}")


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    """A page whose games are never compiled, which would take longer than the tests; and nobody looks at the clock."""
    monkeypatch.setattr(compiling, "why_not_compiled", lambda game: "nothing is compiled here")
    monkeypatch.setattr(study, "REVIEWED", LONGEST)
    monkeypatch.setattr(play_desk, "HINTED", LONGEST)
    page = Page()
    yield page
    page.say("leave")


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


# What values mean.


def test_chances_are_those_fitted_for_the_game() -> None:
    judge = Judge(load("chess"))
    level, better = (judge.chance(Finding(value), 0) for value in (0.0, 0.2))
    assert level == 0.5
    assert better == pytest.approx(0.72, abs=0.03)  # two pawns
    assert judge.chance(Finding(1.0, 3, True), 0) == 1.0
    assert judge.chance(Finding(-1.0, 4, False), 0) == 0.0


def test_where_nobody_has_fitted_a_chance_there_is_a_value() -> None:
    game = load("breakthrough")
    judge = Judge(game)
    assert judge.chance(Finding(0.2), 0) is None
    assert judge.share(Finding(0.2), 0) == pytest.approx(0.6)
    findings = {0: Findings(0, {"a2-a3": Finding(0.5), "b2-b3": Finding(0.0)}, 3)}
    graph = judge.graph([game.initial()], ["b2-b3"], findings, False)
    assert not graph["measured"]
    assert graph["mistakes"][0]["why"] == "b2-b3: 0; better was a2-a3: 0.5."


def test_what_is_neither_proven_nor_estimated_is_open() -> None:
    judge = Judge(load("connect_four"))
    assert judge.verdict(Finding(0.0), 0) == "open"
    assert judge.verdict(Finding(0.0, None, True), 0) == "draw"


def test_the_best_moves_are_saved_and_the_one_that_was_played() -> None:
    moves = {f"m{i}": Finding(-i / 100) for i in range(30)}
    saved = Findings(0, moves, 2, done=True).to_json("m29")
    assert [name for name, *_ in saved["moves"]] == [*(f"m{i}" for i in range(12)), "m29"]
    assert not saved["done"]
    assert Findings.from_json(saved, "0", list(moves)).ranked[-1] == "m29"


def test_grades() -> None:
    assert [grade(lost) for lost in (0.0, 0.06, 0.12, 0.3)] == ["", "?!", "?", "??"]


def test_of_equal_moves_the_sooner_win_and_the_later_loss_are_better() -> None:
    wins = Findings(0, {"slow": Finding(1.0, 5, True), "quick": Finding(1.0, 3, True)})
    losses = Findings(0, {"quick": Finding(-1.0, 2, True), "slow": Finding(-1.0, 4, True)})
    assert (wins.ranked[0], losses.ranked[0]) == ("quick", "slow")


# Clocks, resignation, draws, variations, files.


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
