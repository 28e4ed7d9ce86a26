"""Go programs as players: what they are told, what they answer, and all the ways in which they can fail."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from zermelo import Clock, Random, Unsuitable, games
from zermelo.arena.gtp import GtpPlayer
from zermelo.arena.player import Choice, PlayerError, Turn
from zermelo.arena.program import ELSEWHERE
from zermelo.arena.referee import Referee
from zermelo.arena.roster import player_of
from zermelo.arena.schedule import Conditions, Job
from zermelo.games.go import Go
from zermelo.play.record import Record

SCRIPT = Path(__file__).parent.parent / "support" / "gtp_program.py"
GO = Go(5, komi=3.5, rules="chinese")
GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path=ELSEWHERE)
needs_gnugo = pytest.mark.skipif(GNUGO is None, reason="there is no GNU Go here: apt-get install gnugo")


def words(folder: Path, kind: str = "good", options: str = "") -> str:
    return f"gtp:{sys.executable} {SCRIPT} {kind} {folder / 'told'}" + (f"?{options}" if options else "")


def told(folder: Path) -> list[str]:
    return (folder / "told").read_text().splitlines()


def chosen(player: Any, *moves: str, start: str | None = None, clock: Clock | None = None) -> str:
    game = player.game
    states = Record("", moves, start=start).states(game)
    choice: Choice = player.choose(Turn(game, states, moves, game.to_move(states[-1]), Random(0), clock))
    return str(game.action_name(states[-1], choice.action))


def played(game: Go, first: str, second: str, **conditions: Any) -> list[Record]:
    players = [player_of(first, game), player_of(second, game)]
    try:
        jobs = [Job("go", (first, second), i, 0, conditions=Conditions(**conditions)) for i in range(2)]
        return [Referee(job, game, players).play() for job in jobs]
    finally:
        for player in players:
            player.close()


def test_what_it_is_told(tmp_path: Path) -> None:
    player = player_of(words(tmp_path, options="seconds=2"), GO)
    player.begin(GO)
    assert chosen(player) == "A1"
    assert chosen(player, "A1", "C3") == "B1"  # it knows its own moves
    assert chosen(player, "A1", "C3", "B1", "pass", clock=Clock(7.9)) == "C1"
    assert chosen(player, "E5") == "A1"  # another game
    player.begin(GO)
    assert chosen(player) == "A1"
    player.close()
    assert told(tmp_path) == [
        *("list_commands", "boardsize 5", "komi 3.5", "time_settings 0 2 1"),
        *("clear_board", "genmove b", "play w C3", "genmove b", "play w pass", "time_left b 7 0", "genmove b"),
        *("clear_board", "play b E5", "genmove w", "clear_board", "genmove b"),
    ]


def test_it_is_told_the_first_position(tmp_path: Path) -> None:
    player = player_of(words(tmp_path), GO)
    player.begin(GO)
    assert chosen(player, "E1", start="...../...../..X../.O.../..... X") == "A1"
    player.close()
    assert told(tmp_path)[-5:] == ["clear_board", "play b C3", "play w B2", "play b E1", "genmove w"]


def test_dead_stones_are_captured_before_it_passes(tmp_path: Path) -> None:
    player = player_of(words(tmp_path, "cleaning"), GO)
    player.begin(GO)
    assert chosen(player) == "B2"
    assert chosen(player, "B2", "pass") == "pass"
    player.close()
    asked = ["genmove b", "undo", "kgs-genmove_cleanup b"]
    assert told(tmp_path)[-7:] == [*asked, "play w pass", *asked]


@pytest.mark.parametrize(
    ("kind", "ended", "note"),
    [
        ("illegal", "illegal move", "'Z99' is not a move of"),
        ("odd", "illegal move", "is not a move of"),
        ("resigning", "resignation", "resigns"),
        ("dying", "crash", "has ended (exit code 3)"),
        ("killed", "crash", "has ended (exit code -6)"),
        ("silent", "crash", "gave no answer within"),
        ("noisy", "rules", ""),
        ("passing", "rules", ""),
    ],
)
def test_a_program_that_fails_loses_and_is_there_again(tmp_path: Path, kind: str, ended: str, note: str) -> None:
    (tmp_path / "b").mkdir()
    records = played(GO, words(tmp_path, kind), words(tmp_path / "b", "passing"), patience=0.5)
    for record in records:
        assert (record.ended, note in record.note) == (ended, True), record.note
        assert record.charged == (None if ended == "rules" else 0)
    assert told(tmp_path).count("clear_board") == 2  # it has played both games


def test_a_program_that_refuses_a_legal_move_loses(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    record = played(GO, words(tmp_path / "b"), words(tmp_path, "strict"))[0]
    assert (record.ended, record.charged) == ("crash", 1)
    assert "refuses 'play b A1': illegal move" in record.note


def test_programs_that_cannot_play_at_all(tmp_path: Path) -> None:
    with pytest.raises(Unsuitable, match="GTP programs play Go, not Tic-tac-toe"):
        player_of(words(tmp_path), games.load("tic_tac_toe"))
    with pytest.raises(PlayerError, match="there is no program 'no-such-thing'"):
        player_of("gtp:no-such-thing", GO)
    with pytest.raises(PlayerError, match="has ended"):
        player_of("gtp:true", GO)
    with pytest.raises(ValueError, match="level"):
        player_of(words(tmp_path, options="level=3"), GO)
    with pytest.raises(ValueError, match="seconds must be a number"):
        player_of(words(tmp_path, options="seconds=0"), GO)


def test_no_process_is_left(tmp_path: Path) -> None:
    player = player_of(words(tmp_path), GO)
    assert isinstance(player, GtpPlayer)
    assert player.lines is not None
    process = player.lines.process
    player.close()
    assert process.poll() == 0


@needs_gnugo
def test_gnu_go_beats_random_play() -> None:
    game = Go(7, komi=5.5, rules="chinese")
    record = played(game, "gtp:gnugo --mode gtp --level 1 --chinese-rules", "random")[0]
    assert (record.ended, record.utilities) == ("rules", (1.0, -1.0))
