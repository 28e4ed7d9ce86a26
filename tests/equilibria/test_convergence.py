"""How fast methods converge, sizes estimated in advance, and limits of `solve` on hidden games."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from zermelo import games
from zermelo.app import plotting, solve_hidden
from zermelo.app.cli import main
from zermelo.equilibria import solver as solver_module
from zermelo.equilibria.convergence import convergence
from zermelo.equilibria.solver import Solver, shares
from zermelo.equilibria.unfolding import estimate_ends
from zermelo.game.errors import TooDeep
from zermelo.games.poker.equity import equity
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import Stopped


def test_curves_of_kuhn_poker() -> None:
    found = convergence(games.load("kuhn_poker"), ["cfr-simultaneous", "cfr+"], iterations=200)
    assert found["cfr+"][-1][0] == 200
    assert found["cfr+"][-1][1] < 0.1 * found["cfr-simultaneous"][-1][1] < 0.01


def test_plots_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plotting, "methods_to_compare", lambda: ["cfr", "cfr+"])
    kuhn, matrix = tmp_path / "kuhn.svg", tmp_path / "matrix.svg"
    done = CliRunner().invoke(main, ["solve", "kuhn_poker", "--iterations", "50", "--plot", str(kuhn)])
    assert done.exit_code == 0, done.output
    assert kuhn.read_text().count("zb-curve") == 5  # two curves with their names, and the style
    done = CliRunner().invoke(main, ["solve", "matrix", "--iterations", "50", "--plot", str(matrix)])
    assert done.exit_code == 0, done.output
    assert "rock, average" in (tmp_path / "matrix_play.svg").read_text()
    done = CliRunner().invoke(main, ["solve", "kuhn_poker", "--method", "lp", "--plot", str(kuhn)])
    assert done.exit_code == 2
    assert "draws no curve of lp" in done.stderr


def test_the_number_of_ends_is_estimated() -> None:
    leduc = games.load("leduc_poker")
    guess = estimate_ends(leduc, leduc.initial())
    assert guess.least < 5520 < 2 * guess.ends
    assert guess.ends < 11_040


@pytest.mark.parametrize("name", ["phantom_tic_tac_toe", "no_limit_holdem"])  # the second with a few very long plays
def test_a_game_that_is_far_too_large_is_refused_at_once(name: str) -> None:
    began = time.perf_counter()
    with pytest.raises(TooDeep, match=r"about \d\.\de\+\d+, which would take [\d,.e+]+ GB"):
        Solver(games.load(name))
    assert time.perf_counter() - began < 10


def test_seconds_count_the_time_to_write_a_game_down() -> None:
    with pytest.raises(TooDeep, match="0 s are not enough"):
        Solver(games.load("liars_dice"), compile=False, seconds=0.0)


@pytest.mark.parametrize("option", ["--seconds", "--until"])
def test_negative_limits_are_refused(option: str) -> None:
    done = CliRunner().invoke(main, ["solve", "kuhn_poker", option, "-3"], prog_name="zermelo")
    assert done.exit_code == 2
    assert f"Invalid value for '{option}'" in done.stderr


def test_a_stopped_solver_prints_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(job, doing):  # type: ignore[no-untyped-def]
        return job(StopToken()), True

    monkeypatch.setattr(solve_hidden, "until_stopped", stopped)
    done = CliRunner().invoke(main, ["solve", "kuhn_poker", "--iterations", "10"], prog_name="zermelo")
    assert done.exit_code == 130
    assert "10 iterations" in done.stdout
    assert "stopped: the strategy so far" in done.stderr


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_module, "SHARED", 0)
    one, two = (Solver(games.load("leduc_poker"), threads=threads) for threads in (1, 2))
    assert (one.threads, two.threads) == (1, 2)
    for player in range(2):
        parts = shares(two.form, player, 2)
        assert [parts[0][0], parts[-1][1]] == two.form.sets[player : player + 2].tolist()
        assert len(parts) == 2
    for solver in (one, two):
        assert solver.iterate(30) == 30
    assert np.array_equal(one.regrets.regret, two.regrets.regret)
    assert np.array_equal(one.average(), two.average())


def test_one_player_needs_no_warning() -> None:
    assert (
        Solver(games.load("roads"), compile=False).guarantee().startswith("one player: the average strategy converges")
    )


def test_small_games_are_solved_by_one_thread() -> None:
    assert Solver(games.load("kuhn_poker"), threads=4).threads == 1


def test_equity_can_be_stopped() -> None:
    with pytest.raises(Stopped):
        equity("AA", "any", boards=10**12, stop=StopToken(seconds=0.0))
    found = equity("AA", "any", boards=10**12, stop=StopToken(seconds=0.5))
    assert 0 < found.boards < 10**9
    assert found.share == pytest.approx(0.852, abs=0.1)
