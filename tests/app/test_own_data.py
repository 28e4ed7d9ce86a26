"""Your own games and data: names everywhere, learned weights, tables for other programs, and where an error is."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

import zermelo
from zermelo.app.cli import main
from zermelo.arena.roster import player_of
from zermelo.games import load
from zermelo.learn.learned import Learned

WRONG = """
from typing import NamedTuple
from zermelo import Game, u8

class Heap(NamedTuple):
    piles: tuple[u8, u8]  # a field with a fixed number of values
    mover: u8

class Wrong(Game):
    utility_range = (-1, 1)

    def initial(self):
        return Heap((2, 2), 0)

    def to_move(self, s):
        return s.mover

    def actions(self, s):
        for i in range(2):
            if s.piles[i] > 0:
                yield i

    def result(self, s, a):
        return Heap((s.piles[0] - (a == 0), s.piles[1] - (a == 1)), 1 - s.mover)

    def is_terminal(self, s):
        return s.piles[0] + s.piles[1] == 0

    def utility(self, s, p):
        return 1 // s.piles[0]
"""


def run(*arguments: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=typed)


def test_a_name_or_a_file_is_a_game_everywhere(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(WRONG.replace("1 // s.piles[0]", "-1 if s.mover == p else 1"))
    for game in ("tic_tac_toe", str(file), f"{file}:Wrong"):
        assert zermelo.analyse(game, depth=2, compile=False).nodes > 1
        assert zermelo.Engine(game, compile=False).solve(nodes=100).nodes > 1
        assert zermelo.Play(game).legal()
        assert zermelo.perft(game, 1, compile=False) > 1
    assert zermelo.check(str(file), plays=2, compile=False).ok
    with pytest.raises(zermelo.UnknownName, match="did you mean 'tic_tac_toe'"):
        zermelo.analyse("tictactoe")
    with pytest.raises(zermelo.GameError, match="is not a Game"):
        zermelo.Engine(42)  # type: ignore[arg-type]


def test_an_error_in_compiled_rules_says_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(WRONG)
    line = next(number for number, text in enumerate(WRONG.splitlines(), 1) if "1 //" in text)
    done = run("analyse", str(file), "--algorithm", "minimax", "--compile")
    assert done.exit_code == 3, done.output
    assert f"wrong.py, line {line}, in utility: ZeroDivisionError" in done.output


@pytest.mark.slow
def test_speeds_of_any_game() -> None:
    done = run("bench", "pig", "--seconds", "0.2", "--json")
    assert done.exit_code == 0, done.output
    speeds = json.loads(done.stdout)["speeds"]
    assert {row["what"] for row in speeds} >= {"star2", "mcts"}
    assert all(row["per_second"] > 0 for row in speeds)


@pytest.mark.slow
def test_learned_weights_have_errors_and_everybody_can_use_them(tmp_path: Path) -> None:
    file, table = tmp_path / "k.npz", tmp_path / "k.csv"
    words = ("learn", "breakthrough", "--games", "300", "--rounds", "1", "--match", "0")
    done = run(*words, "--out", str(file), "--csv", str(table))
    assert done.exit_code == 0, done.output
    assert "standard error" in done.stdout
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    game = load("breakthrough")
    assert [row["feature"] for row in rows] == list(game.feature_names())
    assert all(float(row["error"]) > 0 and math.isfinite(float(row["error"])) for row in rows)
    learned = Learned.load(file, game)
    assert learned.errors is not None
    assert learned.table()[0]["weight"] == pytest.approx(float(rows[0]["weight"]))
    player = player_of(f"engine:depth=1,weights={file}", game)
    assert list(player.searcher.engine.game.weights) == pytest.approx(list(learned.weights))  # type: ignore[attr-defined]
    found = json.loads(run("analyse", "breakthrough", "--depth", "1", "--weights", str(file), "--json").stdout)
    assert found["value"] != json.loads(run("analyse", "breakthrough", "--depth", "1", "--json").stdout)["value"]


def test_standings_are_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    standings = zermelo.match("tic_tac_toe", "random", "greedy:compile=false", games=4, workers=0)
    lines = str(standings).splitlines()
    assert lines[0] == "Tic-tac-toe: 4 games"
    assert lines[1].split()[:4] == ["player", "games", "won", "drawn"]
    rows = list(csv.DictReader(io.StringIO(standings.to_csv())))
    assert {row["player"] for row in rows} == {"random", "greedy:compile=false"}
    assert sum(int(row["wins"]) for row in rows) == sum(int(row["losses"]) for row in rows)
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=lambda rows: rows))
    assert standings.to_pandas() == standings.table()
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(zermelo.ZermeloError, match="pip install pandas"):
        standings.to_pandas()


def test_chance_outcomes_are_starting_moves_by_their_names() -> None:
    done = run("play", "pig", "roll", "5", typed="quit\n")
    assert done.exit_code == 0, done.output
    assert "0 + 5" in done.stdout
    done = run("play", "kuhn_poker", "KQ", typed="quit\n")
    assert done.exit_code == 0, done.output
    assert "K" in done.stdout
    assert json.loads(run("analyse", "kuhn_poker", "qj", "--nodes", "10", "--plain", "--json").stdout)["nodes"] > 0
    assert "the outcomes are JQ, JK" in run("play", "kuhn_poker", "XX").output
    assert "the outcomes are JQ, JK" in run("solve", "kuhn_poker", "XX").output


def test_a_format_that_does_not_suit_the_game_is_refused_before_the_first_move(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    found = CliRunner().invoke(
        main, ["play", "tic_tac_toe", "--against", "random", "--file", str(file)], input="5\nq\n"
    )
    assert found.exit_code != 0
    assert "Tic-tac-toe cannot be written as PGN" in found.output
    assert "X>" not in found.output
    assert not file.exists()
