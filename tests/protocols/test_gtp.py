"""GTP: answers as the protocol prescribes, whole games over pipes, and lines that are no commands."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from zermelo import match
from zermelo.play.files import read_games
from zermelo.protocols import gtp
from zermelo.protocols.gtp import Gtp


class Session:
    """A session that is talked to line by line."""

    def __init__(self, player: str = "random", **how: object):
        self.heard: list[str] = []
        self.gtp = Gtp(self.heard.append, player, **how)  # type: ignore[arg-type]

    def __call__(self, line: str) -> str:
        """The answer without the empty line that ends it."""
        self.gtp.answer(line)
        assert len(self.heard) == 1, "one command, one answer"
        answer = self.heard.pop()
        assert answer.endswith("\n")
        assert "\n\n" not in answer
        return answer.removesuffix("\n")

    def ask(self, *lines: str) -> str:
        """The text of the last answer; all must succeed."""
        text = ""
        for line in lines:
            answer = self(line)
            assert answer.startswith("="), (line, answer)
            text = answer[1:].strip()
        return text

    def refused(self, line: str) -> str:
        answer = self(line)
        assert answer.startswith("?"), (line, answer)
        return answer[1:].strip()


def test_about_the_program() -> None:
    session = Session()
    assert session.ask("protocol_version") == "2"
    assert session.ask("name") == "zermelo"
    assert session.ask("version")
    assert session.ask("known_command genmove") == "true"
    assert session.ask("known_command fly") == session.ask("known_command") == "false"
    listed = session.ask("list_commands").split("\n")
    assert len(listed) == 24
    assert all(session.ask(f"known_command {name}") == "true" for name in listed)


def test_numbers_comments_and_blanks() -> None:
    session = Session()
    assert session("17 name") == "=17 zermelo"
    assert session("17 fly") == "?17 unknown command"
    assert session("\tname # a comment") == "= zermelo"
    assert session("na\x07me\r\n") == "= zermelo"
    for silent in ("", "   ", "# name", "\r\n", "12"):
        session.gtp.answer(silent)
    assert session.heard == []


def test_a_game() -> None:
    session = Session()
    session.ask("boardsize 5", "clear_board", "komi 0.5", "play b C3", "play W a1", "play black B2")
    assert session("showboard").splitlines()[4:7] == [" 3 . . X . . 3", " 2 . X . . . 2", " 1 O . . . . 1"]
    assert session.refused("play w C3") == "illegal move"
    assert session.refused("play w Z9") == "invalid coordinate"
    assert session.refused("play x A2") == "invalid color"
    assert session.refused("play w") == "syntax error"
    assert session.ask("play b A2", "play b B1", "final_score") == "B+24.5"  # twice in a row; the corner is captured
    assert session.ask("undo", "final_score") == "B+1.5"  # three black stones, one white one, and komi
    assert session.ask("final_status_list alive").split() == ["A1", "A2", "B2", "C3"]
    assert session.ask("final_status_list dead") == ""
    assert session.refused("final_status_list") == "syntax error"
    session.ask("play w pass", "play b pass")
    assert session.ask("genmove w")  # the game goes on if the other program wants it to
    assert session.ask("clear_board", "final_score") == "W+0.5"
    assert session.refused("undo") == "cannot undo"


@pytest.mark.slow
def test_dead_stones_by_rules_in_which_players_agree_on_them() -> None:
    for rules, dead in (("chinese", "B4"), ("tromp_taylor", "")):
        session = Session(rules=rules, size=5)
        session.ask(
            "komi 0.5", *(f"play b C{row}" for row in range(1, 6)), "play w B4", *(f"play w D{r}" for r in (1, 2))
        )
        session.ask(*(f"play w D{row}" for row in (3, 4, 5)))
        assert session.ask("final_status_list dead") == dead
        assert session.ask("final_score") == ("B+4.5" if dead else "W+6.5")


def test_board_sizes_and_komi() -> None:
    session = Session()
    for size in ("1", "20", "-3", "1e3"):
        assert session.refused(f"boardsize {size}") == "unacceptable size"
    assert session.refused("boardsize nine") == session.refused("boardsize") == "boardsize not an integer"
    assert (
        session.refused("komi much") == session.refused("komi nan") == session.refused("komi inf") == "komi not a float"
    )
    session.ask("boardsize 19", "komi -3.5", "play b T19", "komi 6.5")
    assert session.ask("final_score") == "B+354.5"


def test_handicap() -> None:
    session = Session()
    assert session.ask("boardsize 9", "fixed_handicap 3").split() == ["C3", "G7", "G3"]
    assert session.refused("fixed_handicap 3") == "board not empty"
    assert session.gtp.state.mover == 1
    session.ask("clear_board")
    for wrong in ("1", "10"):
        assert session.refused(f"fixed_handicap {wrong}") == "invalid number of stones"
    assert len(session.ask("place_free_handicap 20").split()) == 9
    session.ask("clear_board", "set_free_handicap A1 B2 J9")
    assert session.ask("final_status_list alive").split() == ["A1", "B2", "J9"]
    session.ask("clear_board")
    for wrong in ("A1", "A1 A1", "A1 pass", ""):
        assert session.refused(f"set_free_handicap {wrong}") == "bad vertex list"


def test_time() -> None:
    session = Session()
    session.ask("boardsize 5", "time_settings 60 10 5")
    clock = session.gtp.first_clock()
    assert clock is not None
    assert clock.remaining == 60
    session.ask("time_left w 7 3")
    assert (session.gtp.clocks[1].remaining, session.gtp.clocks[1].moves_to_go) == (7, 3)
    session.ask("time_settings 0 10 0")
    assert session.gtp.first_clock() is None
    assert session.refused("time_settings 1 2") == session.refused("time_left b") == "syntax error"


@pytest.mark.slow
def test_thinking_with_and_without_a_clock() -> None:
    session = Session("mcts", seconds=0.05, size=5)
    assert session.ask("genmove b") not in ("", "pass")
    session.ask("time_settings 5 0 0", "time_left w 2 0")
    assert session.ask("genmove w")
    assert len(session.gtp.states) == 3


def test_the_clock_runs_until_time_left_sets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(size=5)
    clocks = session.gtp.clocks
    session.ask("time_settings 60 10 2")
    expected = [(20, 40, None), (45, 5, 2), (3, 2, 1), (1, 10, 2)]  # used, left, stones to go
    for used, left, stones in expected:
        ticks = iter((100, 100 + used))
        monkeypatch.setattr(gtp, "time", SimpleNamespace(monotonic=lambda ticks=ticks: next(ticks)), raising=False)
        session.ask("genmove b")
        assert (clocks[0].remaining, clocks[0].moves_to_go) == (left, stones)
    assert 1 not in clocks  # White has not moved
    session.ask("time_left b 7 0")
    assert clocks[0].remaining == 7


INFO = re.compile(r"info move (\S+) visits (\d+) winrate (\d+) prior (\d+) order (\d+) pv (\S+)")


def test_analysis_goes_on_until_the_next_command() -> None:
    heard: list[str] = []
    enough = threading.Event()

    def say(text: str) -> None:
        heard.append(text)
        if sum(line.startswith("info") for line in heard) >= 2:
            enough.set()

    def lines() -> Iterator[str]:
        yield "play b C3"
        yield "4 lz-analyze w interval 5"
        assert enough.wait(100)
        yield "name"

    Gtp(say, "mcts", size=5).run(lines())
    assert heard[:2] == ["=\n", "=4"]
    assert heard[-2:] == ["", "= zermelo\n"]  # the empty line ends the analysis
    found = [INFO.findall(line) for line in heard[2:-2]]
    assert len(found) >= 2
    visits = [sum(int(move[1]) for move in line) for line in found]
    assert visits[-1] > visits[0]  # the tree is kept
    for move, _, winrate, prior, order, first in found[-1][:3]:
        assert (first, order) == (move, str(found[-1].index((move, _, winrate, prior, order, first))))
        assert 0 <= int(winrate) <= 10_000


def test_analysis_without_another_program() -> None:
    session = Session("mcts", seconds=0.05, size=5)
    session.gtp.answer("lz-analyze 5")
    assert [session.heard[0], session.heard[-1], len(session.heard)] == ["=", "", 3]
    session.heard.clear()
    answer = session.ask("lz-genmove_analyze b 10").splitlines()
    assert INFO.match(answer[0])
    assert answer[1].split()[0] == "play"
    assert session.gtp.state.moves == 1
    assert session.ask("reg_genmove w") != ""
    assert session.gtp.state.moves == 1
    assert session.refused("lz-analyze x") == session.refused("lz-analyze b interval nan") == "syntax error"
    assert "cannot analyse" in Session("random").refused("lz-analyze")


OWN = """
from pathlib import Path
from zermelo.arena.player import Player

class First(Player):
    def choose(self, turn):
        return turn.legal()[0]

    def close(self):
        with open(Path(__file__).with_suffix(".log"), "a") as file:
            print("closed", file=file)
"""


def test_players_are_closed_when_they_are_replaced(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(OWN)
    session = Session(f"{path}:First", size=5)
    session.ask("genmove b", "clear_board", "genmove b", "komi 0.5", "genmove w")
    assert path.with_suffix(".log").read_text().split() == ["closed"] * 2
    session.gtp.run(["quit"])
    assert path.with_suffix(".log").read_text().split() == ["closed"] * 3


def test_a_random_player_takes_options() -> None:
    assert Session("random:random=0.2", size=5).ask("genmove b")


def test_loadsgf(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[9]KM[3.5]AB[cc];W[ee];B[gg])")
    session = Session()
    assert session.ask(f"loadsgf {path}", "final_status_list alive").split() == ["G3", "E5", "C7"]
    assert session.ask(f"loadsgf {path} 2", "final_status_list alive").split() == ["E5", "C7"]
    assert session.gtp.game.komi == 3.5
    assert session.refused("loadsgf /nowhere.sgf").startswith("cannot load file")
    path.write_text("(;SZ[9];B[zz])")
    assert "line 1, column 8" in session.refused(f"loadsgf {path}")
    assert session.ask("final_status_list alive").split() == ["E5", "C7"]  # the game before is kept


def test_malformed_lines_never_end_the_session() -> None:
    session = Session(size=5)
    names = session.ask("list_commands").split()
    names = [name for name in names if name not in ("quit", "loadsgf")]
    values = [
        "b",
        "w",
        "A1",
        "e5",
        "pass",
        "19",
        "5",
        "3",
        "-1",
        "1e400",
        "nan",
        "x" * 300,
        "é",
        "\x00",
        "#",
        "7 8",
        "=",
        "?",
    ]
    chosen = random.Random(3)
    for _ in range(3_000):
        words = [chosen.choice([*names, *values]) for _ in range(chosen.randrange(5))]
        line = " ".join(words) if chosen.random() < 0.9 else "".join(chr(chosen.randrange(1, 300)) for _ in range(12))
        session.gtp.answer(line)
        assert len(session.heard) <= 1, line
        session.heard.clear()
    assert session.ask("name") == "zermelo"
    assert not session.gtp.is_over


@pytest.mark.parametrize("size", [3, pytest.param(9, marks=pytest.mark.slow)])
def test_whole_games_over_pipes(size: int) -> None:
    command = [sys.executable, "-m", "zermelo", "gtp", "--player", "random", "--size", str(size), "--rules", "chinese"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask(line: str) -> str:
            process.stdin.write(line + "\n")  # type: ignore[union-attr]
            process.stdin.flush()  # type: ignore[union-attr]
            answer = ""
            while not answer.endswith("\n\n"):
                answer += process.stdout.readline()  # type: ignore[union-attr]
            assert answer.startswith("=")
            return answer[1:].strip()

        moves = [ask(f"genmove {'bw'[ply % 2]}") for ply in range(30)]
        assert ask("clear_board") == ""
        for ply, move in enumerate(moves):  # legal again, one by one
            assert ask(f"play {'bw'[ply % 2]} {move}") == ""
        assert ask("final_score")
        assert ask("quit") == ""
        assert process.wait(20) == 0


@pytest.mark.slow
def test_timed_games_without_a_loss_on_time(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    program = f"gtp:{sys.executable} -m zermelo gtp --rules chinese"
    how: dict[str, object] = {"parameters": {"size": 5, "rules": "chinese"}, "openings": 2}
    match("go", program, "random", games=200, file=file, seconds=2.0, increment=0.05, **how)  # type: ignore[arg-type]
    assert Counter(record.ended for record in read_games(file)) == {"rules": 200}
