"""The command line as a whole: help, errors, exit codes, JSON, colour, completion, and a game to start from."""

from __future__ import annotations

import ast
import json
import re
import shlex
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from zermelo import games
from zermelo.app import solve
from zermelo.app.cli import COMMANDS, main
from zermelo.app.serve import serve_command
from zermelo.play.record import Record

NAMES = [name for commands in COMMANDS.values() for name in commands]
EXPECTED = (
    *("play", "analyse", "solve", "explain", "tree", "practice", "match", "tournament"),
    *("race", "bench", "check", "new", "serve", "uci", "gtp"),
)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZERMELO_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(solve, "SECONDS_TO_PLAN", 60.0)  # which no strategy here takes


def run(*arguments: str, typed: str | None = None, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(main, arguments, input=typed, prog_name="zermelo")


# Help and errors.


def test_help_lists_every_command_in_a_group() -> None:
    done = run("--help")
    assert done.exit_code == 0
    assert sorted(NAMES) == sorted(main.commands)
    assert set(EXPECTED) <= set(NAMES)
    for heading, commands in COMMANDS.items():
        assert f"{heading}:" in done.output
        for name in commands:
            assert re.search(rf"^  {name} ", done.output, re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_every_command_shows_examples(name: str) -> None:
    done = run(name, "--help")
    assert done.exit_code == 0
    examples = [line for line in done.output.splitlines() if line.startswith(f"  zermelo {name}")]
    assert examples, done.output
    context = click.Context(main, info_name="zermelo")
    for example in examples:  # every option of an example exists
        command = main.commands[name].make_context(name, ["--help"], parent=context, resilient_parsing=True).command
        known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        assert {word for word in shlex.split(example) if re.match(r"--[a-z]", word)} <= known | {"--help"}, example


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("plya",), "there is no command 'plya' (did you mean 'play'?)"),
        (("--nonsense",), "--nonsense"),
        (("play", "--nonsense"), "--nonsense"),
        (("analyse",), "Missing argument 'GAME'; see zermelo analyse --help"),
        (("analyse", "nim", "--depth", "deep"), "'deep' is not a valid integer"),
        (("play", "nim", "--resume"), "there is no unfinished game of nim to resume"),
        (("play", "nim", "--fen", "8/8"), "reads no positions as text: give the moves that lead there"),
        (("play", "chess", "--fen", "8/8"), "FEN"),
        (("play", "nim", "Z9"), "'Z9' is not a legal move"),
        (("explain", "othello", "--fen", "8/8"), "the board has 64 squares, but this text 3"),
        (("new", "3x"), "'3x' is not a name that Python can import"),
        (("new", "json"), "'json' is reserved"),
        (("new", "nowhere/mygame"), "there is no folder 'nowhere'"),
        (("completion", "tcsh"), "'tcsh'"),
    ],
)
def test_bad_input_is_answered_in_one_line_with_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2, done.output
    assert message in done.stderr
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1


def test_a_mistake_in_a_game_is_exit_code_3() -> None:
    Path("broken.py").write_text(
        "from zermelo.games.tic_tac_toe import TicTacToe\n"
        "class Broken(TicTacToe):\n"
        "    def text(self, s):\n"
        "        return 1 / 0\n"
    )
    done = run("analyse", "broken.py", "--plain")
    assert done.exit_code == 3
    assert "broken.py, line 4, in text: ZeroDivisionError: division by zero" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_mistake_of_zermelos_own_is_shown_whole_with_exit_code_4(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.app.options.resolve_at", lambda *_: {}["nothing"])
    monkeypatch.setattr("zermelo.app.cli._is_own", lambda file: True)
    done = run("check", "nim")
    assert done.exit_code == 4
    assert "Traceback" in done.stderr


def test_without_a_command_the_app_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Any] = []
    monkeypatch.setattr(serve_command, "callback", lambda **options: opened.append(options))
    assert run().exit_code == 0
    assert [(options["files"], options["host"]) for options in opened] == [((), "127.0.0.1")]


# JSON.


@pytest.mark.parametrize(
    "arguments",
    [
        ("games",),
        ("levels", "nim"),
        ("analyse", "tic_tac_toe", "5", "--plain", "--depth", "2"),
        ("solve", "tic_tac_toe", "1", "2"),
        ("explain", "tic_tac_toe", "--depth", "2"),
        ("tree", "fig-5.2"),
        ("tree", "--list"),
        ("practice", "values"),
        ("practice", "mixed", "--sheet", "sheet.html"),
        ("race", "tic_tac_toe", "--depth", "3"),
        ("bench", "tic_tac_toe"),
        ("play", "tic_tac_toe", "1", "2", "4", "5", "--side", "none", "--against", "random"),
        ("new", "mygame"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_json_is_all_that_standard_output_has(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, "--json")
    assert done.exit_code in (0, 1), done.output
    json.loads(done.stdout)
    assert "\x1b" not in done.output


def test_solve_prints_a_small_strategy_whole() -> None:
    done = run("solve", "tic_tac_toe", "1", "2")
    assert "the whole strategy for X:" in done.stdout
    lines = done.stdout.partition("the whole strategy for X:\n")[2].splitlines()
    assert lines[0].startswith("  play ")
    assert sum(line.startswith("  if ") for line in lines) == 6  # every reply
    assert all(line.strip().endswith((":", ", and wins")) or "if" not in line for line in lines if "wins" in line)
    assert "strategy for" not in run("solve", "tic_tac_toe", "1", "2", "--no-strategy").stdout
    assert "strategy for" not in run("solve", "tic_tac_toe").stdout  # it is not small


@pytest.mark.slow
def test_the_strategy_wins_against_everything() -> None:
    lost = json.loads(run("solve", "nim", "--set", "piles=(1,2,3)", "--json").stdout)
    nim = games.load("nim", piles=(1, 2, 3))
    assert lost["verdict"].startswith(f"{nim.player_name(1)} wins")

    def follow(s: Any, plan: dict[str, Any]) -> int:
        if nim.is_terminal(s):
            assert plan == {"utility": 1.0}
            assert nim.utility(s, 1) == 1
            return 1
        if "play" in plan:
            return follow(nim.play(plan["play"], state=s), plan["then"])
        assert sorted(plan["if"]) == sorted(nim.action_name(s, a) for a in nim.legal(s))
        return sum(follow(nim.play(name, state=s), then) for name, then in plan["if"].items())

    assert follow(nim.initial(), lost["strategy"]) > 10


@pytest.mark.slow
def test_a_mate_is_proven() -> None:
    done = run("solve", "chess", "--fen", "7k/8/5K2/8/8/8/8/R7 w - - 0 1")
    assert done.exit_code == 0, done.output
    assert "White to move: Kg6, White wins in 2 moves, proven" in done.stdout
    assert done.stdout.splitlines()[-4:] == [
        "the whole strategy for White:",
        "  play Kg6",
        "  if Kg8:",
        "    play Ra8#, and wins",
    ]


def test_a_drawn_position_has_a_strategy_for_the_player_to_move() -> None:
    done = run("solve", "tic_tac_toe", "5", "1", "2", "8", "6", "4", "7")
    assert "the whole strategy for O:" in done.stdout
    assert "O draws" in done.stdout or "and draws" in done.stdout


# Completion.


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed(shell: str) -> None:
    done = run("completion", shell)
    assert done.exit_code == 0
    assert f"_ZERMELO_COMPLETE={shell}_complete" in done.stdout


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("zermelo sol", ["solve"]),
        ("zermelo play oth", ["othello"]),
        ("zermelo analyse chess e4 e", ["e5", "e6"]),
        ("zermelo analyse nim --algorithm alp", ["alpha_beta"]),
        ("zermelo play nim --level beg", ["beginner"]),
        ("zermelo match nim level:ra", ["level:random"]),
        ("zermelo tree fig-5.2-", ["fig-5.2-best-order", "fig-5.2-x"]),
        ("zermelo practice pru", ["pruning"]),
        ("zermelo play nogame x", []),
    ],
)
def test_the_shell_completes(words: str, found: list[str]) -> None:
    last = str(len(words.split()) - 1)
    done = run(_ZERMELO_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=last)
    assert [line.partition(",")[2] for line in done.stdout.split()] == found


# A game to start from.


def test_a_new_game_is_never_written_over_another_one() -> None:
    Path("test_mygame.py").write_text("mine")
    done = run("new", "mygame")
    assert done.exit_code == 2
    assert "the file 'test_mygame.py' already exists" in done.stderr
    assert not Path("mygame.py").exists()
    assert Path("test_mygame.py").read_text() == "mine"


def test_a_new_game_has_docstrings_and_its_own_name() -> None:
    assert json.loads(run("new", "my_game.py", "--json").stdout) == {"game": "my_game.py", "tests": "test_my_game.py"}
    source = Path("my_game.py").read_text()
    module = ast.parse(source)
    classes = [node for node in module.body if isinstance(node, ast.ClassDef)]
    assert [node.name for node in classes] == ["MyGameState", "MyGame"]
    assert all(ast.get_docstring(node) for node in (module, *classes))
    assert not re.search(r"\b(CLASS|NAME|FILE|TEST)", source)


def test_a_new_game_at_once_checks_plays_analyses_and_passes_its_tests() -> None:
    run("new", "mygame")
    checked = run("check", "mygame.py", "--plays", "20", "--json")
    assert checked.exit_code == 0, checked.output
    report = json.loads(checked.stdout)
    assert report["ok"]
    assert report["findings"] == []
    assert json.loads(run("analyse", "mygame.py", "--json").stdout)["value"] == 1
    played = run("play", "mygame.py", "--side", "none", "--against", "alpha_beta:depth=2", "--json")
    assert json.loads(played.stdout)["ended"] == "rules"
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "."], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def _answer(address: str) -> str:
    """What a server says, which may not be quite ready, but listens."""
    with urllib.request.urlopen(address, timeout=120) as answer:
        return str(answer.read().decode())


def test_a_new_game_is_served() -> None:
    run("new", "mygame")
    words = [sys.executable, "-m", "zermelo", "serve", "mygame.py", "--no-browser"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
            assert address is not None
            assert "<html" in _answer(address[0])
        finally:
            process.send_signal(signal.SIGINT)


def test_a_game_is_reviewed(tmp_path: Path) -> None:
    file, annotated = tmp_path / "game.jsonl", tmp_path / "fools_mate.pgn"
    Record("tic_tac_toe", tuple("1234567")).save(file)
    done = run("review", str(file), "--seconds", "5")
    assert done.exit_code == 0, done.output
    assert "2. O      2??      2 allows 7 4 5 9: X wins in 6 plies; better was 5: draw" in done.stdout
    assert "O: accuracy 39 %, 0 inaccuracies, 0 mistakes, 2 blunders" in done.stdout
    assert json.loads(run("review", str(file), "--json").stdout)["moves"][1]["grade"] == "??"
    asked = run("review", str(file), "--quiz", typed="5\n8\n\n")
    assert "X played 3??. Find a better move." in asked.stdout
    assert "solved: 1 of 3" in asked.stdout
    assert run("review", str(file), "--number", "2").exit_code == 2
    game = tmp_path / "game.pgn"
    game.write_text("1. f3 e5 2. g4 Qh4# 0-1")
    assert run("review", str(game), "--seconds", "0.05", "--save", str(annotated)).exit_code == 0
    assert "2. g4 $4 {g4 allows Qh4#" in " ".join(annotated.read_text().split())


def test_pgn_is_read_and_written_in_the_terminal(tmp_path: Path) -> None:
    game, saved = tmp_path / "game.pgn", tmp_path / "mine.pgn"
    game.write_text("1. f3 e5 2. g4 *")
    found = json.loads(run("analyse", str(game), "--depth", "2", "--plain", "--json").stdout)
    assert (found["action"], found["verdict"]) == ("Qh4#", "Black wins")
    assert run("analyse", str(game), "--set", "chess960=1").exit_code == 2
    left = run("play", "chess", "--side", "all", "--file", str(saved), typed="e4\ne5\nquit\n")
    assert left.exit_code == 0, left.output
    assert "1. e4 e5 *" in saved.read_text()
    again = run("play", "--file", str(saved), "--side", "all", typed="Nf3\nsave other.pgn\nquit\n")
    assert again.exit_code == 0, again.output
    assert "1. e4 e5 2. Nf3 *" in saved.read_text()
    assert "2. Nf3 *" in Path("other.pgn").read_text()


def test_sgf_is_read_and_written_in_the_terminal(tmp_path: Path) -> None:
    game, saved = tmp_path / "game.sgf", tmp_path / "mine.sgf"
    game.write_text("(;GM[1]FF[4]SZ[5]KM[0.5];B[cc];W[bb])")
    found = json.loads(run("analyse", str(game), "D3", "--nodes", "50", "--plain", "--json").stdout)
    assert (found["game"].startswith("Go(size=5, komi=0.5"), found["player"]) == (True, 1)
    left = run("play", "go", "--set", "size=5", "--side", "all", "--file", str(saved), typed="C3\nB4\nquit\n")
    assert left.exit_code == 0, left.output
    again = run("play", "--file", str(saved), "--side", "all", typed="D3\nundo\nD2\nquit\n")
    assert again.exit_code == 0, again.output
    assert ";B[cc];W[bb];B[dd])" in "".join(saved.read_text().split())


def test_solve_and_explain_read_saved_games(tmp_path: Path) -> None:
    file, over = tmp_path / "game.jsonl", tmp_path / "over.jsonl"
    Record("tic_tac_toe", tuple("12")).save(file)
    assert json.loads(run("solve", str(file), "7", "--json").stdout)["verdict"] == "X wins in 4 plies"
    assert "X wins" in json.loads(run("explain", str(file), "--json").stdout)["why"]
    Record("tic_tac_toe", tuple("14253")).save(over)
    for command in ("analyse", "solve"):
        done = run(command, str(over))
        assert (done.exit_code, done.stderr) == (
            2,
            f"zermelo: the game in {over} is over: grade its moves with `zermelo review {over}`\n",
        )


def test_messages_name_the_game_as_people_do() -> None:
    for words in (
        ("analyse", "kuhn_poker", "--algorithm", "minimax"),
        ("learn", "kuhn_poker"),
        ("play", "kuhn_poker", "--level", "x"),
    ):
        done = run(*words)
        assert (done.exit_code, "Kuhn poker" in done.stderr, "KuhnPoker" in done.stderr) == (2, True, False)


def test_the_help_for_players_names_programs() -> None:
    help = run("match", "--help").stdout
    assert "uci:COMMAND" in help
    assert "gtp:COMMAND" in help
