"""The command line, as people use it: typos included."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from zermelo import games
from zermelo.app.cli import main


def run(*arguments: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=typed)


def test_games_are_listed() -> None:
    done = run("games")
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.output.splitlines()] == games.names()
    assert [row["name"] for row in json.loads(run("games", "--json").output)] == games.names()


def test_analyse_prints_and_speaks_json() -> None:
    done = run("analyse", "tic_tac_toe", "--algorithm", "alpha_beta")
    assert done.exit_code == 0
    assert "18,297 nodes" in done.output
    answer = json.loads(
        run("analyse", "connect_four", "4", "4", "--algorithm", "alpha_beta", "--depth", "6", "--json").output
    )
    assert answer["depth"] == 6
    assert len(answer["moves"]) == 7
    assert not answer["exact"]


def test_analyse_prints_a_strategy() -> None:
    done = run("analyse", "nim", "--set", "piles=(1,2,2)", "--algorithm", "and_or")
    assert "play" in done.output
    assert "if" in done.output


def test_dice_can_be_given_as_moves() -> None:
    done = run("analyse", "pig", "roll", "6", "--depth", "3", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["action"] in ("roll", "hold")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("analyse", "tictactoe"), "there is no game 'tictactoe'; did you mean 'tic_tac_toe'?"),
        (("analyse", "nowhere.py"), "there is no file 'nowhere.py'"),
        (("analyse", "connect_four", "9"), "'9' is not a legal move of Connect Four;"),
        (("analyse", "connect_four", "--depth", "0"), "depth must be a whole number of at least 1"),
        (("analyse", "connect_four", "--set", "width"), "'width' is not of the form name=value"),
        (("analyse", "connect_four", "--set", "size=3"), "connect_four has no parameter 'size'"),
        (("analyse", "connect_four", "--algorithm", "alphabeta"), "did you mean 'alpha_beta'?"),
        (("analyse", "kuhn_poker", "--algorithm", "minimax"), "suitable here: equilibrium, mcts, pimc"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.output
    assert "Traceback" not in done.output
    assert len(done.output.splitlines()) == 1


def test_a_game_is_played_to_its_end() -> None:
    done = run("play", "tic_tac_toe", "--seconds", "60", typed="help\nmoves\nnonsense\nb2\nundo\nb2\nhint\nquit\n")
    assert done.exit_code == 0
    assert "'nonsense' is not a legal move" in done.output
    assert "X> 5  (" in done.output  # the hint, proven or estimated, depending on how fast the machine is
    assert "Goodbye." in done.output
    alone = run("play", "tic_tac_toe", "--side", "none")
    assert "a draw" in alone.output
    dice = run("play", "pig", "--set", "target=8", "--side", "none", "--seconds", "0.02")
    assert "chance: " in dice.output
    assert " won" in dice.output


def test_a_wrong_side() -> None:
    done = run("play", "tic_tac_toe", "--side", "5")
    assert done.exit_code == 2
    assert "'5' is not one of 0, 1, all, none" in done.output


GAME = """
from zermelo import Game

class Count(Game):
    players = 1
    utility_range = (0, 3)

    def __init__(self, top=3):
        self.top = top
    def initial(self):
        return (0,)
    def to_move(self, s):
        return 0
    def actions(self, s):
        if not self.is_terminal(s):
            yield 1
            yield 2
    def result(self, s, a):
        return (s[0] + a,)
    def is_terminal(self, s):
        return s[0] >= self.top
    def utility(self, s, p):
        return s[0] - self.top
"""


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "count.py"
    path.write_text(GAME)
    assert json.loads(run("analyse", str(path), "--json").output)["value"] == 1
    assert json.loads(run("analyse", f"{path}:Count", "--set", "top=4", "--json").output)["game"] == "Count(top=4)"
    done = run("check", str(path))
    assert done.exit_code == 0, done.output
    assert "its states are of type tuple, not a NamedTuple" in done.output
    wrong = run("analyse", f"{path}:Other")
    assert wrong.exit_code == 2
    assert "has no game 'Other'; it has Count" in wrong.output


def test_a_file_with_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("x = (\n")
    done = run("check", str(path))
    assert done.exit_code == 2
    assert "broken.py cannot be loaded: line 1: SyntaxError" in done.output
    path.write_text(GAME.replace("yield 1", "yield 1 / 0"))
    done = run("check", str(path), "--json")
    assert done.exit_code == 1
    assert not json.loads(done.output)["ok"]


def test_numba_is_left_alone_until_something_is_compiled() -> None:
    code = (
        "import sys, zermelo; assert 'numba' not in sys.modules; "
        "zermelo.analyse(zermelo.games.load('tic_tac_toe'), compile=False, depth=2); "
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.timing
def test_importing_is_quick() -> None:
    code = "import time; began = time.perf_counter(); import zermelo; print(time.perf_counter() - began)"
    times = []
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        times.append(float(done.stdout))
    assert min(times) < 0.3
