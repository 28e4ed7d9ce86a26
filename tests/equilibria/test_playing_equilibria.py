"""Equilibria on the command line, and as players that see no more than they may."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from zermelo import games, match
from zermelo.app import solve_hidden
from zermelo.app.cli import main
from zermelo.arena.player import Turn
from zermelo.arena.roster import player_of
from zermelo.equilibria.solver import Solver
from zermelo.equilibria.strategy import StrategyError
from zermelo.kernel.random import Random


@pytest.fixture(scope="module")
def leduc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("strategies") / "leduc.npz"
    Solver(games.load("leduc_poker")).solve(iterations=300).save(file)
    return file


def test_it_beats_a_random_player(leduc: Path) -> None:
    standings = match("leduc_poker", f"equilibrium:{leduc}", "random", games=400, workers=0, seed=1)
    assert standings.tallies[0].stakes.mean > 0.3  # chips for each game; random play loses more than that


def test_its_move_does_not_depend_on_what_is_hidden(leduc: Path) -> None:
    game = games.load("leduc_poker")
    player = player_of(f"equilibrium:{leduc}", game)
    for own in range(1, 7):
        chosen = set()
        for other in range(1, 7):
            if other != own:
                state = game.play(8 * own + other)
                chosen.add(player.choose(Turn(game, [state], [], 0, Random(7))))
        assert len(chosen) == 1


def test_a_strategy_of_another_game_is_refused(leduc: Path) -> None:
    with pytest.raises(StrategyError, match=r"is for LeducPoker\(suits=False\), and this is KuhnPoker"):
        player_of(f"equilibrium:{leduc}", games.load("kuhn_poker"))


def run(*arguments: str) -> str:
    done = CliRunner().invoke(main, arguments, prog_name="zermelo")
    assert done.exit_code == 0, done.output
    return done.stdout


def test_solve_prints_values_and_strategy() -> None:
    text = run("solve", "kuhn_poker", "--iterations", "2000")
    assert "12 information sets" in text
    assert "value to Player 1: -0.055" in text
    assert "K: bet" in text


def test_solve_answers_about_one_information_set() -> None:
    text = run("solve", "kuhn_poker", "KQ", "check", "--iterations", "100")
    assert "Q: check" in text
    assert "J:" not in text


def test_solve_as_json_saved_and_continued(tmp_path: Path) -> None:
    file = str(tmp_path / "kuhn.npz")
    run("solve", "kuhn_poker", "--iterations", "50", "--save", file)
    found = json.loads(run("solve", "kuhn_poker", "--iterations", "50", "--load", file, "--json"))
    assert found["iterations"] == 100
    assert len(found["strategy"]) == 12
    assert found["nash_conv"] > 0


def test_a_loaded_strategy_is_continued_by_its_own_method(tmp_path: Path) -> None:
    game, file = games.load("kuhn_poker"), tmp_path / "kuhn.npz"
    Solver(game, "dcfr", compile=False).solve(iterations=10).save(tmp_path / "final.npz")
    for method in ("dcfr", "mccfr"):
        run("solve", "kuhn_poker", "--method", method, "--iterations", "10", "--save", str(file))
        found = json.loads(run("solve", "kuhn_poker", "--load", str(file), "--iterations", "5", "--json"))
        assert (found["method"], found["iterations"]) == (method, 15)
    for arguments, words in (
        (("leduc_poker", "--load", str(file)), "was not saved by mccfr for Leduc"),
        (("kuhn_poker", "--load", str(tmp_path / "final.npz")), "has only a strategy"),
        (("kuhn_poker", "--method", "cfr", "--load", str(tmp_path / "final.npz")), "by dcfr, so cfr cannot continue"),
    ):
        done = CliRunner().invoke(main, ["solve", *arguments, "--iterations", "5"], prog_name="zermelo")
        assert done.exit_code == 2
        assert words in " ".join(done.output.split())


def test_a_loaded_strategy_is_shown_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, file = games.load("kuhn_poker"), tmp_path / "final.npz"
    strategy = Solver(game, "dcfr", compile=False).solve(iterations=10)
    strategy.save(file)
    found = json.loads(run("solve", "kuhn_poker", "QK", "check", "bet", "--load", str(file), "--json"))
    assert (found["method"], found["iterations"]) == ("dcfr", 10)
    chances = list(strategy.policy(game.play(4 * 2 + 3, "check", "bet")).values())
    assert [*found["strategy"][0]["moves"].values()] == pytest.approx(chances)
    monkeypatch.setattr(solve_hidden, "WRITTEN_DOWN", 10)  # as for a large game, of which only one decision is shown
    decision = json.loads(run("solve", "kuhn_poker", "QK", "check", "bet", "--load", str(file), "--json"))
    assert [*decision["moves"].values()] == pytest.approx(chances)
    done = CliRunner().invoke(main, ["solve", "kuhn_poker", "--load", str(file)], prog_name="zermelo")
    assert done.exit_code == 2
    assert "MOVES up to a decision" in " ".join(done.output.split())


def test_solve_as_json_if_the_game_is_too_large_to_write_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_hidden, "WRITTEN_DOWN", 10)
    found = json.loads(run("solve", "kuhn_poker", "--method", "mccfr", "--iterations", "5", "--json"))
    assert (found["iterations"], found["nash_conv"]) == (5, None)


def test_solve_looks_for_the_folder_before_it_works() -> None:
    done = CliRunner().invoke(main, ["solve", "kuhn_poker", "--save", "nowhere/kuhn.npz"], prog_name="zermelo")
    assert done.exit_code == 2
    assert "there is no folder 'nowhere'" in done.output


@pytest.mark.parametrize("option", [("--method", "lp"), ("--until", "0.1"), ("--iterations", "5")])
def test_solve_refuses_its_options_if_nothing_is_hidden(option: tuple[str, str]) -> None:
    done = CliRunner().invoke(main, ["solve", "nim", *option], prog_name="zermelo")
    assert done.exit_code == 2
    assert f"{option[0]} is for games with hidden information, and Nim has none" in done.output


def test_solve_exactly() -> None:
    pytest.importorskip("scipy", reason="linear programming needs SciPy")
    assert "value to Player 1: +1.000000" in run("solve", "matrix", "--set", "payoffs=3 -1; -2 4", "--method", "lp")
