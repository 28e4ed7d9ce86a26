"""Backgammon matches in files (.mat): read, written, refused, and exchanged with GNU Backgammon."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from zermelo import Play, Random
from zermelo.app.cli import main
from zermelo.app.saved import game_in, games_in
from zermelo.game.errors import GameError, NotationError, ZermeloError
from zermelo.game.protocol import CHANCE
from zermelo.games.backgammon import Backgammon, mat
from zermelo.games.backgammon.state import OPENING
from zermelo.learn.labelled import saved_games
from zermelo.play.notation import MAT, read_games, usual_format, write_game
from zermelo.play.record import Record

GNUBG = shutil.which("gnubg") or shutil.which("/usr/games/gnubg")

MATCH = """; [Site "Club"]
; [EventDate "2026.11.16"]

 3 point match

 Game 1
 Ann A. : 0                     Bob : 0
  1)                             62: 24/18 13/11
  2) 11: 8/7* 8/7 6/5 6/5        43: 25/21 24/21
  3)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Ann A. : 1                     Bob : 0
  1) 31: 6/5 8/5                 52: 24/22 13/8
  2) 63: 24/18 13/10              Doubles => 2
  3)  Takes                      44: 13/9 13/9 8/4 8/4
                                  Wins 2 points

 Game 3
 Ann A. : 1                     Bob : 2
  1) 21: 13/11 6/5               61:
"""


def test_a_match_is_one_record_until_somebody_resigns() -> None:
    first, second = read_games(MATCH)
    assert first.parameters == {"cube": True, "points": 3}
    assert first.tags == {"Site": "Club", "EventDate": "2026.11.16", "White": "Ann A.", "Black": "Bob", "Points": "2"}
    assert first.moves[:4] == ("26", "24/18 13/11", "roll", "11")
    assert (first.ended, first.charged) == ("resignation", 0)
    states = first.states()
    assert [s.score for s in states if s.phase == OPENING] == [(0, 0), (1, 0)]
    assert (states[-1].cube, states[-1].owner) == (1, 0)
    start = second.states()[0]
    assert (start.score, start.crawford) == ((1, 2), 1)
    assert second.ended is None
    assert second.moves == ("21", "13/11 6/5", "61")


def test_matches_are_written_as_they_are_read() -> None:
    for record in read_games(MATCH):
        play = record.play()
        assert usual_format(play.game) is MAT
        text = write_game(record, play)
        (again,) = read_games(text)
        assert again.to_json() == record.to_json()
    first = read_games(MATCH)[0]
    assert write_game(first, first.play()).splitlines()[:14] == [
        '; [Site "Club"]',
        '; [EventDate "2026.11.16"]',
        "",
        " 3 point match",
        "",
        " Game 1",
        " Ann A. : 0                     Bob : 0",
        "  1)                             62: 24/18 13/11",
        "  2) 11: 8/7* 8/7 6/5 6/5        43: 25/21 24/21",
        "  3)  Doubles => 2                Drops",
        "      Wins 1 point",
        "",
        " Game 2",
        " Ann A. : 1                     Bob : 0",
    ]


def random_play(game: Backgammon, seed: int) -> Play:
    play, random = Play(game, seed=seed), Random(seed)
    while not play.is_over:
        if play.mover == CHANCE:
            play.draw()
        else:
            legal = play.legal()
            play.move(legal[random.below(len(legal))])
    return play


FAMILY = [
    {"cube": True},
    {"cube": True, "points": 5},
    {"cube": True, "beavers": True},
    {"cube": True, "jacoby": True},
    {"cube": True, "points": 1},
]


@pytest.mark.parametrize("parameters", FAMILY)
def test_random_games_are_written_and_read_back(parameters: dict[str, Any]) -> None:
    for seed in range(3):
        play = random_play(Backgammon(**parameters), seed)
        record = Record.of(play, "backgammon", parameters=parameters)
        (again,) = read_games(write_game(record, play))
        assert again.moves == record.moves
        assert again.utilities == record.utilities


def test_a_session_for_money_has_a_record_for_each_game() -> None:
    text = MATCH.replace("3 point match", "0 point match").replace("61:\n", "61: 13/7 8/7\n      Wins 2 points\n")
    found = read_games(text)
    assert [record.parameters for record in found] == [{"cube": True}] * 3
    assert [record.ended for record in found] == ["rules", "resignation", "resignation"]


def line_changed(old: str, new: str) -> str:
    assert old in MATCH
    return MATCH.replace(old, new)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (line_changed(" 3 point match", "3 point match\n\nHello"), "line 6: expected Game 1, not 'Hello'"),
        (line_changed(" Ann A. : 0                     Bob : 0\n", "nobody\n"), "line 7: expected names and scores"),
        (line_changed("62: 24", "72: 24"), "line 8: 72 is not a roll of two dice from 1 to 6"),
        (line_changed("24/18 13/11", "24/18 13/10"), r"line 8: Bob: '24/18 13/10' is not a legal move"),
        (line_changed("  3)  Doubles", "  3) what Doubles"), r"line 10: '3\) what' is neither a roll"),
        (line_changed("43: 25/21 24/21\n", "\n  43: 24/21 25/21\n"), "line 10: Ann A.: it is the turn of Bob"),
        (
            line_changed("11: 8/7* 8/7 6/5 6/5        43: 25/21 24/21", "  Takes"),
            "line 9: Ann A.: 'take' is not a legal move",
        ),
        (line_changed("31: 6/5 8/5                 52: 24/22 13/8", "31:                52: 24/22 13/8"), "not played"),
        (
            line_changed("Doubles => 2                Drops", "Doubles => 3                Drops"),
            "turned to 2 here, not to 3",
        ),
        (line_changed("Wins 1 point", "Wins 2 points"), "line 11: 2 points are won in the file, and 1 by the rules"),
        (line_changed("Bob : 2", "Bob : 3"), "the score 1–3 ends a match to 3"),
        (line_changed("3 point match", "99 point match"), "points"),
        (" 3 point match\n", "no games"),
        (line_changed("62: 24/18 13/11", "22: 24/18 13/11"), "line 8: Bob: '22' cannot be the opening roll"),
    ],
)
def test_damaged_files(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        read_games(text)


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"", "has no games"), (b"\x93\xff\x00Q e4", "begins with the length of the match"), (b"1. e4", "7 point match")],
)
def test_files_that_are_no_matches(data: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "some.mat"
    file.write_bytes(data)
    with pytest.raises(ZermeloError, match=message) as error:
        game_in(file)
    assert str(file) in str(error.value)


def test_matches_are_data_to_learn_from_and_are_not_saved_as_pgn(tmp_path: Path) -> None:
    file = tmp_path / "match.mat"
    file.write_text("\n" + MATCH)
    match = Backgammon(cube=True, points=3)
    assert len(next(saved_games([file], match))) > 20
    with pytest.raises(GameError, match=r"cannot be replayed as Backgammon: .*; set its parameters"):
        list(saved_games([file], Backgammon()))
    result = CliRunner().invoke(main, ["review", str(file), "--save", str(tmp_path / "out.pgn")])
    assert result.exit_code == 2
    assert result.stdout == ""  # before the review, not after
    assert "Backgammon (cube True, points 3) cannot be written as PGN" in result.stderr
    file.write_text(line_changed("62: 24", "72: 24"))
    with pytest.raises(NotationError, match=r"match\.mat: \.mat, line 8: 72 is not a roll"):
        list(saved_games([file], match))


def test_every_truncated_file_is_read_or_refused() -> None:
    for end in range(0, len(MATCH), 7):
        try:
            read_games(MATCH[:end])
        except ZermeloError:
            continue


def test_a_game_that_does_not_begin_with_the_opening_roll_is_not_written() -> None:
    game = Backgammon(cube=True)
    play = Play(game, start="4HPwATDgc/ABMA")
    with pytest.raises(NotationError, match="begins with the opening roll"):
        write_game(Record.of(play, "backgammon", parameters={"cube": True}), play)


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
def test_gnu_backgammon_reads_ours_and_we_read_its_files(tmp_path: Path) -> None:
    assert GNUBG is not None
    parameters = {"cube": True, "points": 5}
    play = random_play(Backgammon(**parameters), 4)
    record = Record.of(play, "backgammon", parameters=parameters)
    (tmp_path / "ours.mat").write_text(write_game(record, play))
    commands = ["set automatic game off", "import mat ours.mat", "export match mat theirs.mat", "show score"]
    subprocess.run(
        [GNUBG, "-t", "-q", "-r"], input="\n".join(commands) + "\n", capture_output=True, text=True, timeout=120,
        cwd=tmp_path, env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}, check=False,
    )  # fmt: skip
    (again,) = games_in(tmp_path / "theirs.mat")
    assert again.moves == record.moves
    assert again.utilities == record.utilities


@pytest.mark.parametrize(
    ("name", "kept"),
    [("Ann : 3 x", "Ann 3 x"), ("Bob\nSmith", "Bob Smith"), ("A" * 60, "A" * 22), (" ", "?"), ("7", "7")],
)
def test_any_name_is_written_so_that_it_can_be_read(name: str, kept: str) -> None:
    play = Play(Backgammon(cube=True, points=3), seed=1)
    for _ in range(8):
        legal = play.legal()
        play.move(legal[0]) if legal else play.draw()
    play.tags = {"White": name, "Black": "Carol", 'Ev"ent]': 'a "quoted"\nline'}
    (read,) = read_games(write_game(Record.of(play, "backgammon", parameters={"cube": True, "points": 3}), play))
    assert read.tags == {"White": kept, "Black": "Carol", "Ev ent": 'a "quoted" line'}
    assert [s for s in read.states() if s.dice] == [each.state for each in play.main_line if each.state.dice]


def test_a_long_move_on_the_left_keeps_its_distance() -> None:
    rolls = [mat.Event(p, mat.ROLL, "33", "23/20 22/19* 13/10* 13/10*") for p in range(2)]
    text = mat.write(mat.Match(1, ("One", "Two"), [mat.MatchGame((0, 0), rolls)]))
    assert "13/10* 33:" in text
