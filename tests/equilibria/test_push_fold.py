"""Push or fold, and its commands."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from zermelo.app.cli import main
from zermelo.equilibria.push_fold import push_fold
from zermelo.game.errors import GameError
from zermelo.games.poker.preflop import preflop
from zermelo.games.poker.ranges import kind_name

NAMES = [kind_name(kind) for kind in range(169)]


def test_preflop_equities_are_the_known_ones() -> None:
    """Aces against kings and the like, as every equity calculator says."""
    share, pairs = preflop()
    assert share[NAMES.index("AA"), NAMES.index("KK")] == pytest.approx(0.8195, abs=0.0001)
    assert share[NAMES.index("AKs"), NAMES.index("22")] == pytest.approx(0.4989, abs=0.0001)
    assert np.allclose(share + share.T, 1.0)
    assert pairs.sum() == pytest.approx(1326 * 1225)
    assert pairs[NAMES.index("AA"), NAMES.index("AA")] == pytest.approx(6)


def test_every_stack_from_1_to_20() -> None:
    shares = []
    for stack in range(1, 21):
        found = push_fold(stack)
        assert found.exploitability <= 1e-5
        assert found.push[NAMES.index("AA")] == found.call[NAMES.index("AA")] == pytest.approx(1, abs=1e-6)
        shares.append(found.share(found.push))
    assert shares[9] == pytest.approx(0.58, abs=0.02)  # about 58 % of hands with ten big blinds
    assert shares[4] > shares[9] > shares[19]


def test_it_agrees_with_linear_programming() -> None:
    optimize = pytest.importorskip("scipy.optimize", reason="linear programming needs SciPy")
    stack = 10.0
    share, pairs = preflop()
    chance = pairs / pairs.sum()
    won, n = chance * ((2 * share - 1) * stack), 169
    # The small blind pushes x and the big blind keeps v of each kind: the smaller of folding and calling.
    upper = np.block([[-chance.T, np.eye(n)], [-won.T, np.eye(n)]])
    goal = np.concatenate([-0.5 * chance.sum(axis=1), -np.ones(n)])
    bounds = [(0, 1)] * n + [(None, None)] * n
    found = optimize.linprog(goal, upper, np.zeros(2 * n), bounds=bounds, method="highs")
    assert push_fold(stack).value == pytest.approx(-found.fun - 0.5, abs=2e-5)


def test_a_wrong_stack_is_refused() -> None:
    with pytest.raises(GameError, match="from 1 to 1000"):
        push_fold(0.5)


def run(*arguments: str) -> str:
    done = CliRunner().invoke(main, arguments, prog_name="zermelo")
    assert done.exit_code == 0, done.output
    return done.stdout


def test_pushfold_prints_and_writes_charts(tmp_path: Path) -> None:
    svg, csv = tmp_path / "chart.svg", tmp_path / "chart.csv"
    text = run("pushfold", "10", "--svg", str(svg), "--csv", str(csv))
    assert text.startswith("push with 5")
    assert "A ## ## ##" in text
    assert svg.read_text().count("AKs") == 2
    assert len(csv.read_text().splitlines()) == 170
    assert json.loads(run("pushfold", "10", "--json"))["exploitability"] < 1e-5


def test_equity_on_the_command_line() -> None:
    assert "100.00 % of the pot (exact, 1 boards)" in run("equity", "AhAd", "KsKc", "--board", "2c3d4h8s9d")
    assert json.loads(run("equity", "AA", "KK", "--boards", "200", "--json"))["boards"] == 200
    done = CliRunner().invoke(main, ["equity", "AA", "KK", "--board", "Ah2c"], prog_name="zermelo")
    assert done.exit_code == 2
    assert "three, four or five" in done.stderr
