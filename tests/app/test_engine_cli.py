"""The engine on the command line: races, its signature, proofs, and the best lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from zermelo.app.cli import main

UNSOLVED = ("4", "3", "1")
"""A position of Connect Four that is not shipped solved, and takes a minute."""


def run(*arguments: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=typed)


def test_race(tmp_path: Path) -> None:
    table, picture = (str(tmp_path / f"race.{kind}") for kind in ("csv", "svg"))
    done = run("race", "tic_tac_toe", "--csv", table, "--plot", picture)
    assert done.exit_code == 0, done.output
    assert "255,168" in done.output
    assert "MTD(f) instead" in done.output
    assert "without safe moves: the game has no safe_actions of its own" in done.output
    assert json.loads(run("race", "tic_tac_toe", "--json").stdout)["rows"][0]["leaves"] == 255_168
    assert len(Path(table).read_text().splitlines()) == 12
    assert Path(picture).read_text().startswith("<svg")


def test_bench() -> None:
    done = run("bench", "tic_tac_toe")
    assert done.exit_code == 0
    assert "signature" in done.output
    data = json.loads(run("bench", "tic_tac_toe", "--json").output)
    assert data["signature"] == data["games"]["tic_tac_toe"]["nodes"]


def test_solve() -> None:
    done = run("solve", "tic_tac_toe")
    assert done.exit_code == 0
    assert "X to move: 5, draw, proven" in done.output
    data = json.loads(run("solve", "tic_tac_toe", "1", "2", "--json").output)
    assert (data["verdict"], data["exact"], data["lines"][0]["verdict"]) == (
        "X wins in 5 plies",
        True,
        "X wins in 5 plies",
    )
    unfinished = run("solve", "connect_four", *UNSOLVED, "--nodes", "1000")
    assert unfinished.exit_code == 1
    assert "estimated" in unfinished.output


def test_the_best_lines() -> None:
    done = run("analyse", "tic_tac_toe", "1", "--algorithm", "engine", "--lines", "2")
    assert done.exit_code == 0, done.output
    rows = [line.split() for line in done.output.splitlines() if line.strip().startswith(("1  5", "2  "))]
    assert rows[0][:4] == ["1", "5", "draw", "proven"]
    assert rows[1][2:6] == ["X", "wins", "in", "6"]
    data = json.loads(
        run(
            "analyse", "connect_four", *UNSOLVED, "--algorithm", "mtdf", "--lines", "3", "--depth", "6", "--json"
        ).output
    )
    assert len(data["lines"]) == 3
    assert not data["lines"][0]["proven"]
    every = json.loads(run("analyse", "tic_tac_toe", "1", "--algorithm", "engine", "--all-moves", "--json").output)
    assert len(every["lines"]) == 8


def test_play_is_by_the_engine_where_it_suits() -> None:
    done = run("play", "tic_tac_toe", "--side", "none", "--seconds", "60")  # which it does not take
    assert "(draw, proven)" in done.output
    assert "a draw" in done.output
    three = run("play", "coalition", "--side", "none", "--seconds", "0.1")
    assert three.exit_code == 0, three.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("race", "pig"), "the engine does not suit Pig"),
        (("race", "tic_tac_toe", "--depth", "0"), "depth must be a whole number of at least 1"),
        (("race", "nim", "--set", "piles=(1,2)", "--positions", "99"), "has too few openings for 99 positions"),
        (("race", "tic_tac_toe", "--plot", "race.png"), "give --plot a name that ends in .svg"),
        (("race", "tic_tac_toe", "--csv", "no/such/folder/race.csv"), "there is no folder"),
        (("solve", "tic_tac_toe", "1", "1"), "'1' is not a legal move of Tic-tac-toe;"),
        (
            ("analyse", "tic_tac_toe", "--algorithm", "minimax", "--lines", "2"),
            "minimax takes no lines; all_moves gives",
        ),
        (("analyse", "tic_tac_toe", "--algorithm", "engine", "--lines", "0"), "lines must be a whole number"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2, done.output
    assert message in done.output
    assert len(done.output.splitlines()) == 1
