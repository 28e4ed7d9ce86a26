"""A game at the terminal: commands at the table, saved and resumed games, what stays hidden, and colours."""

from __future__ import annotations

import io
import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from zermelo import games
from zermelo.app import solve
from zermelo.app.cli import main
from zermelo.app.coloured import coloured
from zermelo.app.play import Table
from zermelo.app.unfinished import unfinished
from zermelo.arena.player import Turn
from zermelo.arena.players import RandomPlayer
from zermelo.games import kuhn_poker
from zermelo.games.resolve import resolve
from zermelo.kernel.random import Random
from zermelo.play.files import read_games
from zermelo.play.play import Play
from zermelo.play.record import Record


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZERMELO_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(solve, "SECONDS_TO_PLAN", 60.0)  # which no strategy here takes


def run(*arguments: str, typed: str | None = None, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(main, arguments, input=typed, prog_name="zermelo")


def table(what: str, typed: list[str], **options: Any) -> tuple[Table, Console]:
    console = Console(record=True, force_terminal=True, color_system="truecolor", width=80, file=io.StringIO())
    waiting = iter(typed)

    def ask(_: str) -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    return Table(Play(games.load(what)), {0, 1}, 0.05, console, ask, what=what, opponent="random", **options), console


@pytest.mark.parametrize("name", games.names())
def test_every_registered_game_can_be_played_to_its_end(name: str) -> None:
    settings = {"pig": ("--set", "target=8"), "chess": ("--fen", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1")}.get(name, ())
    done = run("play", name, *settings, "--side", "none", "--against", "random", "--json")
    assert done.exit_code == 0, done.output
    record = Record.from_json(json.loads(done.stdout))
    assert record.ended == "rules"
    game = record.load()
    assert game.remembering(record.states(game)).is_terminal(record.states(game)[-1])


def test_an_unfinished_game_is_resumed() -> None:
    done = run("play", "tic_tac_toe", "--side", "all", typed="5\n1\n")
    assert "Resume this game with `zermelo play --resume`." in done.stdout
    left = unfinished("tic_tac_toe")
    assert left is not None
    assert next(read_games(left)).moves == ("5", "1")
    assert unfinished("nim") is None
    done = run("play", "--resume", typed="2\n8\n3\n7\n4\n6\n9\n")
    assert done.exit_code == 0, done.output
    assert "a draw by a full board" in done.stdout
    assert unfinished() is None  # it is over


def test_ctrl_c_loses_nothing_either() -> None:
    words = [sys.executable, "-m", "zermelo", "play", "tic_tac_toe", "--side", "all"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("5\n")
        process.stdin.flush()
        seen = ""
        while "O>" not in seen:
            seen += process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        told, _ = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "--resume" in told
    left = unfinished()
    assert left is not None
    assert next(read_games(left)).moves == ("5",)


def test_a_game_in_a_file() -> None:
    assert run("play", "connect_four", "4", "--side", "all", "--file", "a.jsonl", typed="4\n").exit_code == 0
    assert next(read_games("a.jsonl")).moves == ("4", "4")
    done = run("play", "--file", "a.jsonl", "--json", typed="undo\n3\nsave b.jsonl\n")
    assert json.loads(done.stdout)["moves"] == ["4", "3"]
    assert next(read_games("b.jsonl")).players == ("person", "person")
    wrong = run("play", "nim", "--file", "a.jsonl")
    assert wrong.exit_code == 2
    assert "the game in a.jsonl is connect_four, not nim" in wrong.stderr
    Path("two.jsonl").write_text(Path("a.jsonl").read_text() * 2)
    assert "two.jsonl has 2 games" in run("play", "--file", "two.jsonl").stderr


def test_a_position_that_was_set_up_is_kept() -> None:
    fen = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
    run("play", "chess", "--fen", fen, "--side", "all", "--file", "a.jsonl", typed="e4\n")
    record = next(read_games("a.jsonl"))
    assert (record.start, record.moves) == (fen, ("e4",))
    assert "4P3" in games.load("chess").fen(record.states()[-1])  # type: ignore[attr-defined]


def test_a_home_that_cannot_be_written_to_is_no_reason_not_to_play() -> None:
    Path("file").write_text("")
    done = run("play", "tic_tac_toe", "--side", "all", typed="5\nsave file/a.jsonl\n", ZERMELO_STATE="file/state")
    assert done.exit_code == 0, done.output
    assert "file/a.jsonl cannot be written" in done.stdout
    assert "--resume" not in done.stdout


def test_commands_at_the_table() -> None:
    done = run(
        "play", "nim", "--level", "random", typed="level casual\nlevel godlike\nflip\nundo\nsave no/\x00\nquit\n"
    )
    assert re.search(r"You now play against casual \S.*\.$", done.stdout, re.M)
    assert not re.search(r"You now play against .*  ", done.stdout)
    assert "has no level 'godlike'" in done.stdout
    assert "there is nothing to take back" in done.stdout
    assert done.exit_code == 0, done.output


def test_what_is_hidden_stays_hidden() -> None:
    done = run("play", "kuhn_poker", typed="check\nquit\n")
    assert "chance" not in done.stdout
    assert re.search(r"Player 1 \[[JQK]♠\]\nPlayer 2 \[\?\?\]", done.stdout)
    phantom = games.load("phantom_tic_tac_toe")
    s = phantom.play("5", "1", "1", "2")  # X has met O on 1
    assert list(phantom.picture(phantom.seen_by(s, 0)).pieces) == ["2", "5", "1"]  # type: ignore[union-attr]
    assert list(phantom.picture(phantom.seen_by(s, 1)).pieces) == ["1"]  # type: ignore[union-attr]
    assert "O tried" not in phantom.text(phantom.seen_by(s, 0))


def test_a_hidden_game_needs_resample(tmp_path: Path) -> None:
    file = tmp_path / "unsampled.py"
    file.write_text(Path(kuhn_poker.__file__).read_text().replace("def resample", "def draw_again"))
    done = run("play", str(file), "--against", "random", "--side", "1", typed="quit\n")
    assert done.exit_code == 2
    assert "Kuhn poker has hidden information, so it needs the method `resample`" in done.stderr


@pytest.mark.parametrize("name", ["kuhn_poker", "phantom_tic_tac_toe"])
def test_the_opponent_does_not_see_what_is_hidden_from_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over many games the state that the opponent is shown differs from the true one, but not in what it may know."""
    shown, true = [], []

    def choose(self: RandomPlayer, turn: Turn) -> Any:
        shown.append(turn)
        true.append(playing.play.state)
        return turn.legal()[0]

    monkeypatch.setattr(RandomPlayer, "choose", choose)
    console = Console(file=io.StringIO())
    for _ in range(30):
        playing = Table(Play(games.load(name)), set(), 0.05, console, input, what=name, opponent="random")
        playing.run()
    assert any(turn.state != s for turn, s in zip(shown, true, strict=True))
    for turn, s in zip(shown, true, strict=True):
        assert (len(turn.states), len(turn.moves)) == (1, 0)
        assert turn.game.information(turn.state, turn.player) == turn.game.information(s, turn.player)


LOTTERY = """
from support.arena_games import Lottery as Base

class Lottery(Base):
    pass
"""


def test_a_game_whose_chance_is_only_drawn_is_resumed_as_the_same_game() -> None:
    Path("lottery.py").write_text(LOTTERY)
    console = Console(file=io.StringIO())
    typed = iter(["0", "quit"])
    play = Play(resolve("lottery.py", {}))
    Table(play, {0, 1}, 0.05, console, lambda _: next(typed), what="lottery.py").run()
    left = unfinished("lottery.py")
    assert left is not None
    record = next(read_games(left))
    assert record.moves == (None, "0")
    assert record.play().states == play.states
    assert record.seed == play.seed


def test_what_nobody_has_said_how_to_hide_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(type(games.load("kuhn_poker")), "seen_by")
    done = run("play", "kuhn_poker", typed="check\nquit\n")
    assert "what Player 1 knows: " in done.stdout
    assert "Player 2" not in done.stdout.partition("Player 1>")[0]  # at the end all is shown


@pytest.mark.parametrize("name", ["kuhn_poker", "phantom_tic_tac_toe"])
def test_what_a_player_sees_follows_from_what_it_knows(name: str) -> None:
    game, random = games.load(name), Random(5)
    for _ in range(20):
        s = game.initial()
        while not game.is_terminal(s):
            for p in range(2):
                assert game.seen_by(s, p) == game.seen_by(game.resample(s, p, random), p)
            legal = game.legal(s)
            s = game.draw(s, random) if not legal else game.result(s, legal[random.below(len(legal))])


def test_boards_are_coloured_on_a_terminal_and_not_where_nobody_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    playing, console = table("chess", ["e4"])
    playing.run()
    assert "38;2;" in console.export_text(styles=True)
    monkeypatch.setenv("NO_COLOR", "1")
    playing, console = table("chess", ["e4"])
    playing.run()
    plain = console.export_text(styles=True)
    assert "38;2;" not in plain
    assert "P P P P" in plain


def test_a_coloured_board_says_what_stands_where_and_whose_it_is() -> None:
    four = games.load("connect_four")
    board = four.picture(four.play("4", "4", "3"))
    assert board is not None
    rows = coloured(board).plain.splitlines()
    assert rows[5].split() == ["·", "·", "●", "●", "·", "·", "·"]
    assert rows[6].split() == list("1234567")
    assert "yellow" in rows[7]
    assert "red" in rows[7]
    turned = coloured(board, flipped=True).plain.splitlines()
    assert turned[0].split() == rows[5].split()[::-1]
    three = games.load("tic_tac_toe")
    assert coloured(three.picture(three.play("5"))).plain.split() == list("1234X6789")  # type: ignore[arg-type]


def test_rows_of_hexagons_begin_further_to_the_right() -> None:
    game = games.load("hex", size=3)
    board = game.picture(game.play("b1", "c2"))
    assert board is not None
    assert [line.rstrip() for line in coloured(board).plain.splitlines()] == [
        "   a   b   c",
        "1  ·   ●   ·",
        "  2  ·   ·   ●",
        "    3  ·   ·   ·",
        "   ●  blue   ●  red",
    ]
    assert coloured(board, flipped=True).plain.splitlines()[0].split() == ["c", "b", "a"]


def test_save_never_overwrites_a_file_that_is_not_a_game() -> None:
    Path("mine.py").write_text("important = True\n")
    done = run(
        "play", "tic_tac_toe", "--side", "all", typed="5\nsave mine.py\nsave game.jsonl\nsave game.jsonl\nquit\n"
    )
    assert "mine.py exists and is not a saved game" in done.output
    assert Path("mine.py").read_text() == "important = True\n"
    assert done.output.count("saved in game.jsonl") == 2


def test_save_says_that_the_file_reveals_what_is_hidden() -> None:
    done = run("play", "kuhn_poker", "--against", "random", typed="save game.jsonl\nquit\n")
    assert "saved in game.jsonl; the file contains what is hidden from you" in done.output
    done = run("play", "tic_tac_toe", "--side", "all", typed="save open.jsonl\nquit\n")
    assert "saved in open.jsonl\n" in done.output


def test_nothing_is_taken_back_in_a_hidden_game() -> None:
    done = run("play", "phantom_tic_tac_toe", "--against", "random", typed="5\nundo\nquit\n")
    assert "Undo is not available in games with hidden information" in done.output


def test_a_game_that_cannot_be_saved_says_so_once(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").write_text("")
    monkeypatch.setenv("ZERMELO_STATE", str(Path("file/state").absolute()))
    done = run("play", "tic_tac_toe", "--side", "all", typed="5\n1\n2\nquit\n")
    assert done.output.count("This game cannot be saved") == 1


def test_a_blocked_try_of_the_opponent_is_not_announced() -> None:
    """Phantom tic-tac-toe: the opponent may try an occupied cell first, which the person does not learn."""
    done = run("play", "phantom_tic_tac_toe", "--against", "random", typed="5\n1\n2\n3\n4\n6\n7\n8\n9\n")
    turns = re.split(r"X> ", done.output)[1:]
    assert all(part.count("O has moved") <= 1 for part in turns)
