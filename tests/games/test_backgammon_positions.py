"""Backgammon positions as text: XGID, and GNU Backgammon's IDs beside GNU Backgammon itself."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from walks import states_of_random_play

from zermelo.game.errors import StateError, ZermeloError
from zermelo.games.backgammon import Backgammon, gnu_ids
from zermelo.games.backgammon.setups import Setup, setup_of, state_of
from zermelo.games.backgammon.state import ANSWERING, MOVING, OPENING, OVER
from zermelo.games.resolve import position, resolve_at

MONEY, MATCH = Backgammon(cube=True, beavers=True, jacoby=True), Backgammon(cube=True, points=5)
FAMILY = [Backgammon(), MONEY, MATCH]
GNUBG = shutil.which("gnubg") or shutil.which("/usr/games/gnubg")
needs_gnubg = pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")


def states(game: Backgammon, games: int = 3) -> list[Any]:
    return [s for s in states_of_random_play(game, games, seed=9) if s.phase != OVER]


@pytest.mark.parametrize("game", FAMILY)
def test_xgid_is_read_back(game: Backgammon) -> None:
    for s in states(game):
        assert game.from_text(game.to_text(s)) == s, game.to_text(s)


@pytest.mark.parametrize("game", FAMILY)
def test_gnu_ids_are_read_back(game: Backgammon) -> None:
    for s in states(game):
        text = gnu_ids.to_text(game, s)
        read = game.from_text(text)
        if s.phase != OPENING:  # the IDs cannot tell it from the first roll
            assert gnu_ids.to_text(game, read) == text
            assert (read.low, read.high, read.dice) == (s.low, s.high, s.dice)
            assert (read.cube, read.owner, read.score) == (s.cube, s.owner, s.score if game.points else (0, 0))
            assert read.mover == s.mover
            assert (read.phase == ANSWERING) == (s.phase == ANSWERING)


@pytest.mark.parametrize(
    ("text", "xgid"),
    [
        # As GNU Backgammon 1.07 prints them.
        ("4HPwATDgc/ABMA:QQn3ADAAEAAE", "XGID=-b----E-C---eE---c-e----B-:1:1:-1:65:3:2:0:7:6"),
        ("4PPgASjgc/ABMA:cAngAAAAAAAE", "XGID=-b----E-D---eD---c-e---AA-:0:0:-1:00:0:0:0:7:6"),
        (
            " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : QQn3ADAAEAAE",
            "XGID=-b----E-C---eE---c-e----B-:1:1:-1:65:3:2:0:7:6",
        ),
        ("GNUBGID 4HPwAyDgc/ABMA:cBEAAAAAAAAE", "XGID=-b----E-C---eF---c-e----A-:0:0:-1:D:0:0:0:0:6"),
        ("4HPwATDgc/ABMA", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:6"),
    ],
)
def test_known_ids(text: str, xgid: str) -> None:
    game, _ = resolve_at("backgammon", {"cube": True}, text)
    assert game.to_text(position(game, text)) == xgid


def test_the_text_says_which_game_it_is() -> None:
    found = {
        "XGID=-b----E-C---eE---c-e----B-:1:1:-1:65:3:2:0:7:6": {"cube": True, "points": 7},
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10": {"cube": True, "jacoby": True, "beavers": True},
        "XGID=-b----E-C---eE---c-e----B-:1:-1:1:52:0:0:0:0:10": {"cube": True},
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10": {},
        "4HPwATDgc/ABMA:cAngAAAAAAAE": {"cube": True, "points": 7},
    }
    for text, parameters in found.items():
        assert resolve_at("backgammon", {}, text)[1] == parameters
    assert resolve_at("backgammon", {"points": 5}, next(iter(found)))[1] == {"cube": True, "points": 5}
    assert Backgammon().parameters_in("8/5 6/5") is None


START = "-b----E-C---eE---c-e----B-"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is neither an XGID"),
        ("hello", "is neither an XGID"),
        (f"XGID={START}", "9 or 10 fields separated by colons, and .* has 1"),
        (f"XGID={START}:0:0:1:52:0:0:0:0:10:1", "has 11"),
        ("XGID=-b----E-C---eE---c-e----B:0:0:1:52:0:0:0:0:10", "26 characters.*there are 25"),
        ("XGID=-b----E-C--?eE---c-e----B-:0:0:1:52:0:0:0:0:10", r"not '\?'"),
        (f"XGID={START}:0:0:1:72:0:0:0:0:10", "dice of an XGID is two digits from 1 to 6, .* not '72'"),
        (f"XGID={START}:0:0:1:5:0:0:0:0:10", "not '5'"),
        (f"XGID={START}:0:0:2:52:0:0:0:0:10", "turn of an XGID"),
        (f"XGID={START}:x:0:1:52:0:0:0:0:10", "cube of an XGID"),
        (f"XGID={START}:9:1:1:52:0:0:0:0:10", "it ends at 64"),
        (f"XGID={START}:1:0:1:52:0:0:0:0:10", "a cube of 2 cannot be in the middle"),
        (f"XGID={START}:0:1:1:52:0:0:0:0:10", "a cube of 1 cannot be owned by White"),
        (f"XGID={START}:0:0:1:52:1:0:0:0:10", "the score 1–0 is not possible: a money game has none"),
        (f"XGID={START}:0:0:1:52:0:0:0:7:10", "from a match to 7 points, and this is a money game: set points=7"),
        (f"XGID={START}:1:-1:1:D:0:0:0:0:10", "White cannot have doubled"),
        (f"XGID={START}:0:0:1:B:0:0:1:0:10", "a rule of money games: the rules must be 2 or 3"),
        (f"XGID={START}:0:0:1:B:0:0:2:7:10", "a rule of money games: the rules must be 2 or 3"),
        (f"XGID={START}:1:-1:1:B:0:0:3:0:10", "the player whose turn it is cannot double"),
        (f"XGID={START}:0:0:0:B:0:0:3:0:10", "the player whose turn it is cannot double"),
        (f"XGID={START}:0:0:1:R:0:0:3:0:10", "not 'R'"),
        ("XGID=-b----O-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10", "White has 25 checkers, and there are 15"),
        ("XGID=Ab----E-C---eE---c-e-----:0:0:1:52:0:0:0:0:10", "26 characters"),
        ("XGID=A-----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10", "'A' is on the other player's bar"),
        ("XGID=--------------------------:0:0:1:52:0:0:0:0:10", "no checkers on the board"),
        ("XGID=aBBBBBB------------bbbbbbA:0:0:1:52:0:0:0:0:10", "neither player can ever move"),
        ("4HPwATDgc/ABM", "14 letters, digits, .* has 13 characters"),
        ("4HPwATDgc/ABMA:cAkAAAAAAAA", "a match ID has 12 .* has 11 characters"),
        ("4HPwATDgc/ABMA:c*kAAAAAAAAA", "a match ID has 12 letters, digits, .* has others"),
        ("////////////AA", "more than 15 checkers"),
        ("4HPwATDgc/ABMA:////////////", "damaged"),
        ("4HPwATDgc/ABMA:cAngAAAAAAAE", "from a match to 7 points"),
        ("4HPwATDgc/ABMA:IAkAAAAAAAAE", "owner of the cube is neither"),
        ("4HPwATDgc/ABMA:cIk/AAAAAAAE", "dice of the match ID are 7 and 7"),
        ("4HPwATDgc/ABMA:cAAAAAAAAAAA", "has not begun"),
        ("4HPwATDgcxABMA:cAkAAAAAAAAE", "checkers"),
    ],
)
def test_bad_texts(text: str, message: str) -> None:
    with pytest.raises(StateError, match=message):
        Backgammon(cube=True).from_text(text)


def test_an_impossible_crawford_game() -> None:
    with pytest.raises(StateError, match="3–0 is not that of the Crawford game of a match to 5"):
        MATCH.from_text(f"XGID={START}:0:0:1:52:3:0:1:5:10")
    with pytest.raises(StateError, match="the game is over, and the match is not"):
        MATCH.from_text("XGID=-b----------e----c-e------:0:0:1:52:0:0:0:5:10")


def test_two_players_on_one_point() -> None:
    sides = [[0] * 26, [0] * 26]
    sides[0][24], sides[1][1] = 2, 1
    with pytest.raises(StateError, match="both players have checkers on White's 24 point"):
        state_of(Backgammon(), Setup(sides))


@given(st.text(alphabet="XGID=-abAB:0152D/+Z ", max_size=60) | st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    for game in FAMILY:
        try:
            game.checked(game.from_text(text))
        except ZermeloError:
            continue


# Beside GNU Backgammon.


def asked(commands: list[str], folder: Path) -> str:
    """What GNU Backgammon prints."""
    assert GNUBG is not None
    script = folder / "commands"
    script.write_text("\n".join(commands) + "\n")
    quiet = ["set automatic game off", "set automatic roll off", "set player 0 human", "set player 1 human"]
    done = subprocess.run(
        [GNUBG, "-t", "-q", "-r"], input="\n".join([*quiet, *commands]) + "\n", capture_output=True, text=True,
        timeout=120, cwd=folder, env={"HOME": str(folder), "PATH": "/usr/bin:/bin"}, check=False,
    )  # fmt: skip
    return done.stdout


@needs_gnubg
def test_position_ids_are_those_of_gnu_backgammon(tmp_path: Path) -> None:
    some = [s for s in states(MATCH, 2) if s.phase == MOVING][::12]
    commands = ["new match 5"]
    for s in some:
        commands += [f"set xgid {MATCH.to_text(s)}", "show board", "show score"]
    printed = asked(commands, tmp_path).split("show score")
    found = [re.findall(r"Position ID: (\S{14})", part) for part in "".join(printed).split("The score")]
    last = [part[-1] for part in found if part]
    wanted = [gnu_ids.position_id(MATCH, s) for s in some]
    assert len(wanted) > 5
    missing = [each for each in wanted if each not in last]
    assert not missing


@needs_gnubg
def test_match_ids_are_read_by_gnu_backgammon(tmp_path: Path) -> None:
    some = [s for s in states(MATCH, 3) if s.phase == MOVING][::15]
    commands = ["new match 5"]
    for s in some:
        commands += [f"set gnubgid {gnu_ids.to_text(MATCH, s)}", "show board", "show score"]
    printed = asked(commands, tmp_path)
    shown = re.findall(r"Position ID: (\S{14})\s+Match ID\s+: (\S{12})\n(.*?)\n\n", printed, re.DOTALL)
    for s in some:
        wanted = tuple(gnu_ids.to_text(MATCH, s).split(":"))
        boards = [board for *ids, board in shown if tuple(ids) == wanted]
        assert boards, (wanted, MATCH.to_text(s))
        board = boards[-1]
        assert f"Rolled {s.dice >> 3}{s.dice & 7}" in board
        assert re.findall(r"(\d+) points?\b(?! match)", board) == [str(int(s.score[0])), str(int(s.score[1]))]
        assert "5 points match" in board
        assert s.crawford or f"Cube: {1 << s.cube}" in board


def test_position_ids_are_those_of_gnubg_nn() -> None:
    gnubg_nn = pytest.importorskip("gnubg_nn", reason="there is no gnubg-nn here: pip install gnubg-nn")
    for s in states(MONEY, 3):
        if s.phase not in (OPENING, ANSWERING):
            sides = setup_of(MONEY, s).sides
            board = [sides[p][1:] for p in (1 - s.mover, s.mover)]
            assert gnubg_nn.position_id(board) == gnu_ids.position_id(MONEY, s)
            back = gnubg_nn.board_from_position_id(gnu_ids.position_id(MONEY, s))
            assert [list(side) for side in back] == board


def test_a_beaver_in_an_xgid() -> None:
    """B: the player whose turn it is has doubled, the opponent has beavered. The same as playing it."""
    before = MONEY.from_text(f"XGID={START}:0:0:-1:00:0:0:3:0:10")
    assert MONEY.from_text(f"XGID={START}:0:0:-1:B:0:0:3:0:10") == MONEY.play("double", "beaver", state=before)
    owned = MONEY.from_text(f"XGID={START}:1:1:1:00:0:0:3:0:10")
    assert MONEY.from_text(f"XGID={START}:1:1:1:B:0:0:3:0:10") == MONEY.play("double", "beaver", state=owned)
