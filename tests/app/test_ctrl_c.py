"""Ctrl-C, sent to real processes: it stops at once, what was found is printed, and a second one leaves no traceback."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from zermelo.app.waiting import until_stopped
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import Stopped

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")

SEARCHING = """
from zermelo.app.cli import main
from zermelo.search.engine.task import Task

once = Task.search_once

def search_once(*given):
    print("searching", flush=True)
    Task.search_once = once
    return once(*given)

Task.search_once = search_once
main()
"""
"""Runs a command, and says so when the engine begins to search."""

COMPILING = """
import contextlib
from zermelo.app.cli import main
from zermelo.kernel import compilations, program

@contextlib.contextmanager
def announced(game, path):
    with compilations.announced(game, path):
        print("compiling", flush=True)
        yield

program.announced = announced
main()
"""
"""Runs a command, and says so when the compiler begins."""

WRITING = """
from zermelo.app.cli import main
from zermelo.equilibria import unfolding

walked = unfolding._walked

def announced(game, start, book, compiled, token):
    print("writing", flush=True)
    return walked(game, start, book, False, token)

unfolding._walked = announced
main()
"""
"""Runs a command, and says so when a game with hidden information is being written down, in plain Python."""

OPEN = ["connect_four", "1", "7", "2", "6"]
"""A position that takes long to solve."""


def interrupted(script: str, *words: str, wait_for: str, cwd: Path, signals: int = 1) -> tuple[int, str, str]:
    """Start a command, and send Ctrl-C when it has printed a line; the exit code, standard output and errors."""
    with subprocess.Popen(
        [sys.executable, "-c", script, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"{wait_for}\n"
        time.sleep(0.3)
        for _ in range(signals):
            process.send_signal(signal.SIGINT)
            time.sleep(0.05)
        began = time.monotonic()
        output, errors = process.communicate(timeout=120)
        assert time.monotonic() - began < 60
    assert "Traceback" not in errors, errors
    assert "ctypes" not in errors
    return process.returncode, output, errors


def test_analyse_and_solve_print_what_was_found(tmp_path: Path) -> None:
    for command, exit_code in (("analyse", 130), ("solve", 1)):
        words = [command, *OPEN, *(["--seconds", "600"] if command == "analyse" else [])]
        code, output, errors = interrupted(SEARCHING, *words, wait_for="searching", cwd=tmp_path)
        assert code == exit_code
        assert "stopped" in errors
        assert "to move: " in output
        assert re.search(r"[\d,]+ nodes (to depth \d+ )?in", output), output


def test_a_job_that_has_found_nothing_is_aborted() -> None:
    def job(_: StopToken) -> None:
        raise Stopped

    with pytest.raises(click.Abort):
        until_stopped(job, "writing the game down")


def test_solve_stops_while_it_writes_the_game_down(tmp_path: Path) -> None:
    words = ["solve", "goofspiel", "--set", "cards=6"]
    code, output, errors = interrupted(WRITING, *words, wait_for="writing", cwd=tmp_path)
    assert code == 130
    assert "value" not in output
    assert "stopped" in errors


def test_the_compiler_is_stopped_too(tmp_path: Path, empty_cache: Path) -> None:
    """It takes longer than the half second after which the process ends."""
    code, output, errors = interrupted(COMPILING, "solve", "othello", wait_for="compiling", cwd=tmp_path)
    assert code == 130
    assert output == ""
    assert "stopped while compiling Othello" in errors
    assert not list(empty_cache.glob("*.program"))


def test_a_second_ctrl_c_ends_it_at_once(tmp_path: Path) -> None:
    code, _, errors = interrupted(SEARCHING, "solve", *OPEN, wait_for="searching", cwd=tmp_path, signals=3)
    assert code in (1, 130, -signal.SIGINT)  # the last one may arrive when Python has already ended
    assert "stopped" in errors


def test_a_race_keeps_its_rows(tmp_path: Path) -> None:
    script = """
from zermelo.app.cli import main
from zermelo.search import race
from zermelo.search.race_contest import Contest

add = Contest.add

def slow(*given):
    import time
    print("adding", flush=True)
    time.sleep(60)

Contest.add = slow
main()
"""
    words = ["race", "tic_tac_toe", "--algorithm", "minimax", "--csv", "rows.csv"]
    code, output, errors = interrupted(script, *words, wait_for="adding", cwd=tmp_path)
    assert code == 130
    assert "alpha-beta" in output
    assert "stopped: the rows so far" in errors
    assert (tmp_path / "rows.csv").read_text().startswith("technique,nodes,leaves,")


def test_a_match_prints_its_standings(tmp_path: Path) -> None:
    script = """
from zermelo.app.cli import main
from zermelo.app.standings import Show

game = Show.game

def told(show, record, standings):
    game(show, record, standings)
    if standings.games == 4:
        print("four games", flush=True)

Show.game = told
main()
"""
    words = ["match", "tic_tac_toe", "random", "greedy:compile=false", "--games", "100000", "--file", "a.jsonl"]
    for where in ("0", "1"):
        code, output, errors = interrupted(
            script, *words, "--workers", where, "--csv", "a.csv", wait_for="four games", cwd=tmp_path
        )
        assert code == 130
        assert "player" in output
        assert "won" in output
        assert "to resume, run the same command with --file a.jsonl" in errors
        assert (tmp_path / "a.csv").read_text().startswith("player,games,wins,draws,losses,score,elo,")
        (tmp_path / "a.jsonl").unlink()


LEAVING = """
from rich.console import Console
from zermelo.app.interrupts import leave
with Console(stderr=True, force_terminal=True).status("compiling"):
    leave("stopped while compiling")
"""


@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminals")
def test_the_cursor_is_shown_again_and_the_progress_line_erased() -> None:
    ours, theirs = os.openpty()
    assert subprocess.run([sys.executable, "-c", LEAVING], stdout=theirs, stderr=theirs).returncode == 130
    os.close(theirs)
    said = os.read(ours, 65536).decode()
    os.close(ours)
    assert said.rpartition("\r\x1b[2K\x1b[?25h")[2] == "stopped while compiling\r\n"
