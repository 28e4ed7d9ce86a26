"""The arena on the command line: what is printed where, how mistakes are told, and going on after Ctrl-C."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from zermelo import read_games
from zermelo.app.cli import main


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=typed)


def test_a_match_for_people() -> None:
    done = run("match", "tic_tac_toe", "engine:depth=9", "random", "--games", "6", "--workers", "0")
    assert done.exit_code == 0, done.output
    assert "engine:depth=9" in done.stdout
    assert "95 % interval" in done.stdout
    assert "6 games of" in done.stdout
    assert "6 games, saved in tic_tac_toe-" in done.stderr
    assert len(list(Path().glob("tic_tac_toe-*.jsonl"))) == 1


def test_equals_are_told_as_equals() -> None:
    words = ("match", "tic_tac_toe", "engine:depth=9", "engine:depth=9,table=1", "--games", "4", "--workers", "0")
    assert "; neither player is stronger" in run(*words).stdout


def test_a_match_for_programs() -> None:
    done = run("match", "tic_tac_toe", "engine:depth=9", "random", "--games", "6", "--json", "--file", "a.jsonl")
    assert done.exit_code == 0, done.output
    *played, summary = [json.loads(line) for line in done.stdout.splitlines()]
    assert [game["zermelo"] for game in played] == ["game"] * 6
    assert summary["games"] == 6
    assert summary["wins"] + summary["draws"] + summary["losses"] == 6
    assert summary["losses"] == 0
    assert set(summary) >= {"elo", "low", "high", "score", "pairs", "superiority", "players", "cross", "file"}
    assert [record.to_json() for record in read_games("a.jsonl")] == played


def test_a_tournament_with_stakes() -> None:
    done = run("tournament", "othello", "random", "greedy", "random:random=1", "--rounds", "2", "--workers", "0")
    assert done.exit_code == 0, done.output
    assert "discs per game" in done.stdout
    assert "score against" in done.stdout
    done = run("tournament", "tic_tac_toe", "random", "greedy", "--rounds", "2", "--workers", "0", "--json")
    assert json.loads(done.stdout.splitlines()[-1])["games"] == 4


def test_a_sequential_test_says_what_it_found() -> None:
    words = ("match", "connect_four", "greedy", "random", "--workers", "0", "--games", "1000", "--sprt", "0,150")
    done = run(*words)
    assert "SPRT: LLR" in done.stdout
    assert "better by 150 Elo" in done.stdout


def test_a_person_plays() -> None:
    typed = "nonsense\n1\n2\n3\n4\n5\n6\n7\n8\n9\n" * 3
    done = run("match", "tic_tac_toe", "person", "random", "--games", "2", typed=typed)
    assert done.exit_code == 0, done.output
    assert "'nonsense' is not a legal move" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("match", "tic_tac_toe", "engin", "random"), "did you mean 'engine'?"),
        (("match", "tictactoe", "engine", "random"), "did you mean 'tic_tac_toe'?"),
        (("match", "pig", "engine", "random"), "engine does not suit Pig"),
        (("match", "nim", "random", "greedy", "--clock", "soon"), "'soon' is not SECONDS+INCREMENT, such as 60+0.6"),
        (("match", "nim", "random", "greedy", "--sprt", "5"), "'5' is not ELO0,ELO1, such as 0,10"),
        (("match", "nim", "random", "greedy", "--sprt", "5,1"), "elo0 must be less than elo1"),
        (("match", "nim", "random", "greedy", "--openings", "no.txt"), "there is no file of openings 'no.txt'"),
        (("match", "nim", "random", "greedy", "--openings", "²"), "there is no file of openings '²'"),
        (("match", "nim", "random", "greedy", "--openings", "text.txt"), "text.txt is not a text file of openings"),
        (("match", "nim", "random", "greedy", "--patience", "0"), "patience must be more than 0, not 0.0"),
        (("match", "nim", "random", "greedy", "--margin", "nan"), "margin must be at least 0, not nan"),
        (("match", "nim", "random", "greedy", "--most-plies", "0"), "most_plies must be at least 1, not 0"),
        (("match", "nim", "random", "greedy", "--adjudicate", "5"), "agreed must be from 0 (never) to 1, not 5.0"),
        (("match", "nim", "random", "random"), "two of the players are the same"),
        (("tournament", "nim", "random"), "at least two players"),
        (("play", "nim", "--level", "godlike"), "has no level 'godlike'"),
        (("play", "nim", "--level", "casual", "--against", "random"), "both name the opponent"),
        (("book", "no.jsonl"), "'no.jsonl' is neither a file nor a game with an opening book"),
    ],
)
def test_mistakes_are_told(arguments: tuple[str, ...], message: str) -> None:
    Path("text.txt").write_bytes(b"\xff\xfe")
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.output
    assert "Traceback" not in done.output
    assert not list(Path().glob("*.jsonl"))  # nothing is left behind


def test_levels_and_a_game_against_one() -> None:
    done = run("levels", "connect_four")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0].startswith("random")
    assert {"name", "player", "elo", "error"} == set(json.loads(run("levels", "nim", "--json").stdout)[-1])
    done = run("play", "tic_tac_toe", "--level", "random", typed="5\nhint\nquit\n")
    assert done.exit_code == 0, done.output
    assert "O plays" in done.stdout


def test_a_game_against_a_player_that_does_not_know_the_rules() -> None:
    Path("mine.py").write_text(
        "import zermelo\n"
        "from zermelo.games.tic_tac_toe import TicTacToe\n"
        "class Mine(TicTacToe):\n"
        "    def action_name(self, s, a):\n"
        "        return '[x]:mouse:'[: 9 + a]\n"  # as it is, and not as markup
        "class Wrong(zermelo.Player):\n"
        "    def choose(self, turn):\n"
        "        return None\n"
        "    def close(self):\n"
        "        print('closed')\n"
    )
    done = run("play", "mine.py", "--side", "1", "--against", "mine.py:Wrong", typed="")
    assert done.exit_code == 2
    assert "mine.py:Wrong wants to play None, which is not legal" in done.stderr
    assert "closed" in done.stdout
    done = run("play", "mine.py", "--side", "1", "--against", "greedy", typed="moves\n")
    assert "plays [x]:mouse" in done.stdout
    assert "[x]:mouse:  [x]:mouse:" in done.stdout


def test_the_book_that_comes_with_a_game() -> None:
    done = run("book", "othello", "f5", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)[0]["weight"] == 1000
    assert "e4" in run("book", "chess").output
    done = run("book", "nim")
    assert done.exit_code == 2
    assert "'nim' is neither a file nor a game with an opening book" in done.output


def test_a_book() -> None:
    run(
        "match",
        "tic_tac_toe",
        "engine:depth=9",
        "greedy",
        "--games",
        "8",
        "--openings",
        "0",
        "--workers",
        "0",
        "--file",
        "g.jsonl",
    )
    done = run("book", "g.jsonl")
    assert done.exit_code == 0, done.output
    assert "8 games," in done.stdout
    found = json.loads(run("book", "g.jsonl", "--json").stdout)
    assert sum(move["games"] for move in found) == 8
    assert "the book has no moves for this position" in run("book", "g.jsonl", "--count", "100").stdout
    done = run("match", "tic_tac_toe", "engine:depth=1,book=g.jsonl", "random", "--games", "4", "--workers", "0")
    assert done.exit_code == 0, done.output


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "zermelo", "match", "connect_four", "random", "greedy", "--games", "100000"]
    process = subprocess.Popen([*words, "--file", "a.jsonl"], stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    path = tmp_path / "a.jsonl"
    while not path.exists() or path.read_bytes().count(b"\n") < 20:
        time.sleep(0.05)
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "to resume, run the same command with --file a.jsonl" in errors
    assert "Traceback" not in errors
    count = sum(1 for _ in read_games(path))
    assert count >= 19
    time.sleep(1)
    assert sum(1 for _ in read_games(path)) == count  # nobody goes on playing


TALKATIVE = """
import zermelo
print("loaded")
class Printer(zermelo.Player):
    def choose(self, turn):
        print("thinking")
        return turn.legal()[0]
"""


@pytest.mark.parametrize("workers", ["0", "1"])
def test_what_a_player_prints_is_no_json(workers: str) -> None:
    Path("talk.py").write_text(TALKATIVE)
    words = ("match", "tic_tac_toe", "talk.py:Printer", "random", "--games", "2", "--workers", workers)
    done = run(*words, "--json")
    assert done.exit_code == 0, done.output
    assert [json.loads(line)["zermelo"] for line in done.stdout.splitlines()] == ["game", "game", "summary"]
    assert "loaded" in done.stderr
    done = run(*words)
    assert "2 of 2 games; talk.py:Printer: " in done.stderr  # in one line, and as it is


def test_a_person_goes_away() -> None:
    """The games so far are kept, the one under way is not lost, and the others are still to be played."""
    done = run("match", "tic_tac_toe", "Person", "random", "--games", "4", "--file", "a.jsonl", typed="1\n")
    assert done.exit_code == 130
    assert "to resume, run the same command" in done.stderr
    assert all(record.ended == "rules" for record in read_games("a.jsonl"))


def test_a_file_of_ones_own() -> None:
    Path("mine.py").write_text(
        "import zermelo\n"
        "from zermelo.games.tic_tac_toe import TicTacToe\n"
        "class Mine(TicTacToe):\n"
        "    pass\n"
        "class Last(zermelo.Player):\n"
        "    def choose(self, turn):\n"
        "        return turn.legal()[-1]\n"
    )
    done = run("match", "mine.py", "mine.py:Last", "random", "--games", "4", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout.splitlines()[-1])["games"] == 4


def test_the_first_fault_of_a_player_is_explained() -> None:
    Path("bad.py").write_text(
        "from zermelo.arena.player import Player\n\n\n"
        "class Bad(Player):\n    def choose(self, turn):\n        return 99\n"
    )
    done = run("match", "tic_tac_toe", "bad.py:Bad", "random", "--games", "4", "--workers", "0")
    assert done.exit_code == 0, done.output
    assert done.stderr.count("bad.py:Bad loses game 1 (illegal move): 99 is not legal") == 1
    assert done.stderr.count("is not legal") == 1


def test_a_resignation_is_no_fault() -> None:
    Path("meek.py").write_text(
        "from zermelo.arena.player import Player, Resigned\n\n\n"
        "class Meek(Player):\n    def choose(self, turn):\n        raise Resigned('hopeless')\n"
    )
    done = run("match", "tic_tac_toe", "meek.py:Meek", "random", "--games", "2", "--workers", "0")
    assert done.exit_code == 0, done.output
    assert "hopeless" not in done.stderr
