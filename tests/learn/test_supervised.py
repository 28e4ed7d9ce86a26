"""Supervised learning of networks: gradients, labels, mini-batches, held-out games, and the command."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from zermelo import GameError, Unsuitable, games
from zermelo.app.cli import main
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.learn.by_jax import ByJax, is_installed
from zermelo.learn.by_numpy import ByNumpy
from zermelo.learn.labelled import Labelled, Labeller, cross_entropy, saved_games
from zermelo.learn.logistic import Rows
from zermelo.learn.match import match
from zermelo.learn.supervised import batches, fit_network
from zermelo.networks import Network, with_network
from zermelo.networks.outcomes import ExpectedUtility

SHAPES = [(), (8,), (8, 16)]


class TwoOutputs(ExpectedUtility):
    names = ("first", "second")
    count = 2


def some_network(hidden: tuple[int, ...]) -> tuple[Network, np.ndarray, np.ndarray]:
    random = np.random.default_rng(3)
    network = Network(5, hidden, TwoOutputs(), phases=2, seed=1)
    for table in network.arrays():
        table[...] = random.normal(0, 0.7, table.shape)
    return network, random.normal(0, 1, (7, 5)).astype(np.float32), random.uniform(0, 1, (7, 2)).astype(np.float32)


@pytest.mark.parametrize("hidden", SHAPES)
def test_gradients_are_those_of_the_loss(hidden: tuple[int, ...]) -> None:
    network, x, targets = some_network(hidden)
    trainer = ByNumpy(network)
    found = trainer.gradients(1, x, targets)
    step = 1e-2
    for table, gradient in zip(network.arrays(), found, strict=True):
        for place in np.ndindex(table.shape):
            if place[0] == 0:
                assert gradient[place] == 0  # the other phase
                continue
            kept = table[place]
            table[place] = kept + step
            above = cross_entropy(trainer.predict(1, x), targets)
            table[place] = kept - step
            below = cross_entropy(trainer.predict(1, x), targets)
            table[place] = kept
            assert gradient[place] == pytest.approx((above - below) / (2 * step), abs=2e-3)


@pytest.mark.parametrize("hidden", SHAPES)
def test_outputs_are_those_of_compiled_networks(hidden: tuple[int, ...]) -> None:
    game = TicTacToe()
    network = Network.for_game(game, hidden, seed=2)
    s = game.play(4, 0, 8)
    x = np.zeros((1, network.inputs), np.float32)
    for number, amount in game.features(s, game.viewer(s)):
        x[0, number] += amount
    out = np.zeros(1)
    network.predict(game, s, game.viewer(s), out)
    assert ByNumpy(network).predict(0, x)[0] == pytest.approx(out, abs=1e-6)


@pytest.mark.skipif(not is_installed(), reason="JAX is not installed")
@pytest.mark.parametrize("hidden", SHAPES)
def test_jax_agrees_with_numpy(hidden: tuple[int, ...]) -> None:
    network, x, targets = some_network(hidden)
    one, other = ByNumpy(network.copy()), ByJax(network.copy())
    assert other.predict(1, x) == pytest.approx(one.predict(1, x), abs=1e-5)
    for mine, theirs in zip(one.gradients(1, x, targets), other.gradients(1, x, targets), strict=True):
        assert theirs == pytest.approx(mine, abs=1e-5)
    for _ in range(3):
        one.step(1, x, targets, 0.01)
        other.step(1, x, targets, 0.01)
    other.finish()
    for mine, theirs in zip(one.network.arrays(), other.network.arrays(), strict=True):
        assert theirs == pytest.approx(mine, abs=1e-3)  # of steps of 0.03


def test_batches_hold_every_position_once_and_one_phase() -> None:
    rows = Rows(np.zeros(10, np.int32), np.ones(10, np.float32), np.arange(11), 1)
    data = Labelled(rows, np.zeros((10, 1)), np.array([0] * 7 + [1] * 3), np.zeros(10, bool), 1)
    found = batches(data, np.arange(9), 3, np.random.default_rng(0))
    assert {len(rows) for _, rows in found} <= {2, 3}
    assert {int(row) for _, rows in found for row in rows} == set(range(9))
    for phase, chosen in found:
        assert (data.phases[chosen] == phase).all()


def test_features_as_a_matrix() -> None:
    rows = Rows(np.array([0, 2, 2, 1]), np.array([1, 2, 3, 4], np.float32), np.array([0, 3, 3, 4]), 3)
    data = Labelled(rows, np.zeros((3, 1)), np.zeros(3, int), np.zeros(3, bool), 3)
    assert data.dense(np.array([2, 0, 1])).tolist() == [[0, 4, 0], [1, 0, 5], [0, 0, 0]]


@pytest.fixture(scope="module")
def labelled() -> Labelled:
    labeller = Labeller(TicTacToe(), depth=3, results=0.3)
    return labeller.label(labeller.played(300))


@pytest.mark.slow
def test_a_network_learns_what_a_search_says(labelled: Labelled) -> None:
    game = TicTacToe()
    network = Network.for_game(game, (32,), seed=0)
    before = network.copy()
    fit = fit_network(network, labelled, epochs=40, batch=64, rate=0.02, by="numpy")
    assert fit.before - fit.least > 1.3 * (fit.after - fit.least)
    assert fit.after == min(epoch.held_out for epoch in fit.epochs)
    assert fit.held_out == labelled.held_out.sum() > 0
    won = match(with_network(game, network), with_network(game, before), games=100, depth=1, opening=2)
    assert won.score > 0.65
    again = Network.for_game(game, (32,), seed=0)
    fit_network(again, labelled, epochs=40, batch=64, rate=0.02, by="numpy")
    assert all((a == b).all() for a, b in zip(again.arrays(), network.arrays(), strict=True))  # the same seed


def test_labels_mix_results_and_values(labelled: Labelled) -> None:
    assert labelled.targets.min() >= 0
    assert labelled.targets.max() <= 1
    game = TicTacToe()
    states = [game.initial()]
    for move in (4, 1, 0, 2, 8):  # X wins on the diagonal
        states.append(game.result(states[-1], move))
    only_results = Labeller(game, results=1.0).label([states] * 5)
    assert only_results.targets[:4, 0].tolist() == [0, 1, 0, 1]  # of the player to move
    only_values = Labeller(game, depth=9, results=0.0).label([states] * 5)
    assert only_values.targets[:4, 0].tolist() == [0.5, 1, 0, 1]


def test_what_cannot_be_labelled() -> None:
    with pytest.raises(Unsuitable, match=r"has no evaluation to play with: begin with a network"):
        next(Labeller(games.load("connect_four")).played(1))
    labeller = Labeller(TicTacToe())
    with pytest.raises(GameError, match="2 finished games of Tic-tac-toe are too few"):
        labeller.label(labeller.played(2))
    with pytest.raises(Unsuitable, match="has 5 outputs: learn from the results"):
        Labeller(games.load("backgammon"), results=0.5)
    with pytest.raises(ValueError, match="by must be 'auto', 'numpy' or 'jax', not 'torch'"):
        fit_network(Network.for_game(TicTacToe(), (8,)), None, by="torch")  # type: ignore[arg-type]


def test_the_command_with_saved_games(tmp_path: Path) -> None:
    file, out = tmp_path / "games.jsonl", tmp_path / "network.npz"
    runner = CliRunner()
    played = runner.invoke(
        main,
        ["match", "tic_tac_toe", "random", "greedy:random=0.9", "--games", "20", "--workers", "0", "--file", str(file)],
    )
    assert played.exit_code == 0, played.output
    assert len(list(saved_games([file], TicTacToe()))) == 20
    words = [
        "learn",
        "tic_tac_toe",
        "--supervised",
        "--data",
        str(file),
        "--epochs",
        "2",
        "--units",
        "32",
        "--by",
        "numpy",
    ]
    found = runner.invoke(main, [*words, "--match", "0", "--out", str(out), "--json"])
    assert found.exit_code == 0, found.output
    fit = json.loads(found.stdout)["fit"]
    assert fit["games"] == 20
    assert len(fit["epochs"]) == 2
    assert Network.load(out, TicTacToe()).record["method"] == "supervised"
    with pytest.raises(GameError, match="has no saved game of Connect Four"):
        list(saved_games([file], games.load("connect_four")))
    wrong = runner.invoke(main, ["learn", "tic_tac_toe", "--supervised", "--lambda", "0.5"])
    assert "--lambda is for learning with weights" in wrong.output
    both = runner.invoke(main, ["learn", "tic_tac_toe", "--supervised", "--td"])
    assert "choose one of --td or --supervised" in both.output


def test_the_command_with_self_play(tmp_path: Path) -> None:
    words = ["learn", "tic_tac_toe", "--supervised", "--games", "20", "--epochs", "2", "--units", "32", "--match", "10"]
    found = CliRunner().invoke(main, [*words, "--by", "numpy"])
    assert found.exit_code == 0, found.output
    assert "loss on the held-out games" in found.stdout
    assert "against the previous evaluation, 10 games" in found.stdout
