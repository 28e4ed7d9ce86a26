"""Backgammon in the terminal: dice by hand, the cube, positions and match files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from zermelo.app.cli import main

XGID = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:3:0:7:10"


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_STATE", str(tmp_path / "state"))


def play(*arguments: str, typed: str) -> Any:
    return CliRunner().invoke(main, ["play", "backgammon", "--side", "all", *arguments], input=typed)


def test_dice_by_hand_and_cube() -> None:
    typed = "31\n6/5 8/5\ndouble\ntake\n7-7\n65\n24/18 18/13\nquit\n"
    done = play("--set", "cube=true", "--dice", "hand", typed=typed)
    assert done.exit_code == 0, done.output
    assert "each player rolls one die" not in done.output  # the board is shown to the player to move
    assert "White to play 3-1" in done.output
    assert "Black to roll or double" in done.output
    assert "Black doubles to 2, White to answer" in done.output
    assert "'7-7' is not a roll: two dice from 1 to 6 are written as 6-3 or 63" in done.output
    assert "Black to play 6-5" in done.output
    assert "doubling cube 2, owned by player 1" in done.output
    assert "Black 156 pips" in done.output


def test_the_app_rolls_if_nothing_is_entered() -> None:
    done = play("--dice", "hand", typed="\nquit\n")
    assert "dice: " in done.output
    assert "to play" in done.output


def test_dice_by_hand_need_dice() -> None:
    done = CliRunner().invoke(main, ["play", "nim", "--dice", "hand"], input="quit\n")
    assert done.exit_code != 0
    assert "--dice hand is not for Nim" in done.output


def test_a_position_brings_its_match() -> None:
    done = play("--position", XGID, typed="8/5 6/5\nquit\n")
    assert "match to 7: 2–3; White to play 3-1" in done.output
    assert "doubling cube 2, owned by player 2" in done.output
    done = play("--position", XGID.replace(":31:", ":37:"), typed="")
    assert "dice of an XGID is two digits from 1 to 6" in done.output


def test_a_match_is_saved_and_resumed(tmp_path: Path) -> None:
    file = tmp_path / "evening.mat"
    options = "--set", "cube=true", "--set", "points=3", "--file", str(file)
    play("31", "8/5 6/5", "double", "drop", "21", *options, typed="13/11 6/5\nquit\n")
    assert " 1) 31: 8/5 6/5                  Doubles => 2" in file.read_text()
    assert " 1) 21: 13/11 6/5" in file.read_text()
    done = CliRunner().invoke(main, ["play", "--file", str(file), "--side", "all"], input="quit\n")
    assert "match to 3: 0–1; Black to roll or double" in done.output
