"""Learning by temporal differences: to perfect play, with seeds, workers, checkpoints, and real signals."""

from __future__ import annotations

import functools
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner

from zermelo import CHANCE, Game, GameError, Unsuitable, games, u8
from zermelo.app.cli import main
from zermelo.games.pig import PigState
from zermelo.games.tic_tac_toe import TicTacToe
from zermelo.kernel.stopping import StopToken
from zermelo.learn.rating import rate
from zermelo.learn.td import TdProgress, learn_td
from zermelo.learn.td.checkpoint import Checkpoint, checkpoint_of
from zermelo.learn.td.learner import Learner, weights_of
from zermelo.learn.td.settings import TdSettings
from zermelo.networks import Network, with_network

QUICK: dict[str, Any] = {"hidden": (32,), "rate": 1.0, "last_rate": 0.05, "ratings": 2, "rating_games": 50}
"""A run that takes moments: the program of its shape is compiled once for all tests."""


# Perfect play.


@functools.cache
def value(s: Any) -> float:
    """The value of a state for X, by minimax."""
    game = TicTacToe()
    if game.is_terminal(s):
        return game.utility(s, 0)
    after = [value(game.result(s, a)) for a in game.actions(s)]
    return max(after) if game.to_move(s) == 0 else min(after)


def mistakes(game: Game, side: int) -> tuple[int, int]:
    """How many games this side loses against every possible opponent, and how many of its moves lose value."""
    lost = wrong = 0
    waiting, seen = [game.initial()], set()
    while waiting:
        s = waiting.pop()
        if s in seen:
            continue
        seen.add(s)
        if game.is_terminal(s):
            lost += game.utility(s, side) < 0
        elif game.to_move(s) == side:
            after = max((game.result(s, a) for a in game.actions(s)), key=lambda t: worth(game, t, side))
            wrong += value(after) != value(s)
            waiting.append(after)
        else:
            waiting += [game.result(s, a) for a in game.actions(s)]
    return lost, wrong


def worth(game: Game, s: Any, p: int) -> float:
    return game.utility(s, p) if game.is_terminal(s) else game.evaluate(s, p)


@pytest.mark.slow
def test_tic_tac_toe_to_perfect_play() -> None:
    learned = learn_td(
        "tic_tac_toe", hidden=(64,), games=600_000, trace=0.3, rate=1.0, last_rate=0.02, exploration=0.5, ratings=1,
        interval=2000,
    )  # fmt: skip
    game = learned.apply()
    for side in (0, 1):  # against every sequence of replies, and so against random and perfect players too
        assert mistakes(game, side) == (0, 0)
    untrained = with_network(TicTacToe(), Network.for_game(TicTacToe(), (64,)))
    assert mistakes(untrained, 0)[0] + mistakes(untrained, 1)[0] > 20  # the check can fail


# Chance.


class Step(NamedTuple):
    place: u8
    rolling: u8


class RandomWalk(Game):
    """Sutton's random walk: five places; chance steps to the left or to the right. Beyond the last place it ends."""

    chance = True
    utility_range = (-1.0, 1.0)

    def initial(self) -> Step:
        return Step(3, 0)

    def to_move(self, s: Step) -> int:
        return CHANCE if s.rolling else 0

    def actions(self, s: Step) -> Iterator[int]:
        yield 0

    def outcomes(self, s: Step) -> Iterator[tuple[int, float]]:
        yield -1, 0.5
        yield 1, 0.5

    def result(self, s: Step, a: int) -> Step:
        return Step(s.place + a, 0) if s.rolling else Step(s.place, 1)

    def is_terminal(self, s: Step) -> bool:
        return s.place == 0 or s.place == 6

    def utility(self, s: Step, p: int) -> float:
        won = 1.0 if s.place == 6 else -1.0
        return won if p == 0 else -won

    def feature_names(self) -> tuple[str, ...]:
        return tuple(f"at {place}" for place in range(1, 6))

    def features(self, s: Step, p: int) -> Iterator[tuple[int, float]]:
        yield s.place - 1, 1.0


@pytest.mark.parametrize("trace", [0.0, 0.7, 1.0])
def test_the_random_walk_is_predicted(trace: float) -> None:
    learned = learn_td(RandomWalk(), games=50_000, hidden=(), trace=trace, rate=0.3, last_rate=0.0005, ratings=1)
    game = learned.apply()
    if learned.network.record["best_after"] == 0:  # both predictions choose the only move
        pytest.fail("the newer network is kept if both are equal")
    found = [(game.evaluate(Step(place, 1), 0) + 1) / 2 for place in range(1, 6)]
    assert found == pytest.approx([place / 6 for place in range(1, 6)], abs=0.04)


@pytest.mark.slow
def test_pig_is_learned() -> None:
    """With dice: no decision is wrong by more than three percent, in a quarter of all states."""
    target = 24
    win = pig_by_value_iteration(target)
    learned = learn_td(
        "pig", parameters={"target": target}, games=60_000, hidden=(32,), rate=1.0, last_rate=0.02, exploration=0.1,
        ratings=1, rating_games=20,
    )  # fmt: skip
    assert learned.unfinished == 0
    game, wrong, tried = learned.apply(), [], 0
    for own, other, turn in itertools.product(range(0, target, 2), range(0, target, 2), range(1, target, 2)):
        if own + turn < target:
            hold, roll = 1 - win[other, own + turn, 0], rolled(win, own, other, turn)
            says_hold = game.evaluate(PigState((own + turn, other), 0, 1, 0), 0)
            says_roll = game.evaluate(PigState((own, other), turn, 0, 1), 0)
            tried += 1
            if abs(hold - roll) > 0.03 and (hold > roll) != (says_hold > says_roll):
                wrong.append((own, other, turn))
    assert tried > 800
    assert not wrong


def rolled(win: Any, own: int, other: int, turn: int) -> float:
    """The chance of winning after the decision to roll."""
    target = len(win)
    after = [1.0 if own + turn + face >= target else win[own, other, turn + face] for face in range(2, 7)]
    return float((1 - win[other, own, 0] + sum(after)) / 6)


def pig_by_value_iteration(target: int) -> Any:
    """[own score, opponent's score, turn's total] the chance that the player to move wins (Neller and Presser 2004)."""
    win = np.full((target, target, target), 0.5)
    change = 1.0
    while change > 1e-4:
        change = 0.0
        for own, other in itertools.product(range(target), repeat=2):
            for turn in reversed(range(target - own)):
                best = rolled(win, own, other, turn)
                if turn > 0:
                    best = max(best, 1 - win[other, own + turn, 0])
                change = max(change, abs(best - win[own, other, turn]))
                win[own, other, turn] = best
    return win


# The same seed, the same weights.


@pytest.mark.slow
def test_seeds_and_processes() -> None:
    one = learn_td("tic_tac_toe", games=600, interval=100, **QUICK)
    again = learn_td("tic_tac_toe", games=600, interval=100, **QUICK)
    other = learn_td("tic_tac_toe", games=600, interval=100, seed=1, **QUICK)
    assert (weights_of(one.network) == weights_of(again.network)).all()
    assert not (weights_of(one.network) == weights_of(other.network)).all()
    assert one.games == 600
    two = learn_td("tic_tac_toe", games=600, interval=100, workers=2, **QUICK)
    settings = TdSettings((32,), 0.0, 1.0, 0.05, 0.1, 0, 2, 100)
    learner, weights = Learner(TicTacToe(), settings), None
    for number in range(3):
        if weights is None:
            weights = weights_of(learner.network)
        rounds = [learner.play(weights, worker, number, settings.rate_after(number / 3)) for worker in range(2)]
        weights = np.mean([each.weights for each in rounds], axis=0, dtype=np.float64).astype(np.float32)
    assert two.network.record["best_after"] == 600
    assert (weights_of(two.network) == weights).all()


def test_both_modes_learn_alike() -> None:
    compiled = learn_td("tic_tac_toe", games=20, **QUICK)
    plain = learn_td("tic_tac_toe", games=20, compile=False, **QUICK)
    assert weights_of(plain.network) == pytest.approx(weights_of(compiled.network), abs=1e-3)


def test_ratings_are_fair_and_paired() -> None:
    game = with_network(TicTacToe(), Network.for_game(TicTacToe(), (32,), seed=1))
    same = rate(game, game, games=100)
    assert (same.points, same.error, same.games) == (0.0, 0.0, 100)  # the same games with the sides exchanged


# Stop and resume.


def test_a_stopped_run_is_resumed_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    whole = learn_td("tic_tac_toe", games=4000, interval=400, **QUICK)
    out, token = tmp_path / "network.npz", StopToken()

    def stop_later(progress: TdProgress) -> None:
        if progress.games >= 1600:
            token.stop()

    part = learn_td("tic_tac_toe", games=4000, interval=400, out=out, stop=token, on_progress=stop_later, **QUICK)
    assert part.stopped
    assert part.games == 1600
    assert checkpoint_of(out).exists()
    rest = learn_td("tic_tac_toe", games=4000, interval=400, out=out, **QUICK)
    assert rest.games == 4000
    assert not rest.stopped
    assert not checkpoint_of(out).exists()
    assert (weights_of(rest.network) == weights_of(whole.network)).all()
    saved = Network.load(out, TicTacToe())
    assert (weights_of(saved) == weights_of(whole.network)).all()
    assert saved.record["seed"] == 0
    assert saved.record["best_after"] == 4000  # so that all games matter


def test_what_cannot_be_resumed(tmp_path: Path) -> None:
    out, token = tmp_path / "network.npz", StopToken()
    token.stop()
    learn_td("tic_tac_toe", games=400, out=out, stop=token, **QUICK)
    checkpoint = checkpoint_of(out)
    with pytest.raises(GameError, match=r"seed 0, not 3.*delete it to begin again"):
        learn_td("tic_tac_toe", games=400, out=out, seed=3, **QUICK)
    with pytest.raises(GameError, match=r"is a checkpoint of TicTacToe.*, not of ConnectFour"):
        learn_td("connect_four", games=400, out=out, **QUICK)
    found = Checkpoint.load(checkpoint)
    assert (found.games, found.rounds) == (0, 0)
    checkpoint.write_bytes(checkpoint.read_bytes()[:200])
    with pytest.raises(GameError, match="is no checkpoint, or damaged"):
        learn_td("tic_tac_toe", games=400, out=out, **QUICK)
    checkpoint.unlink()
    Network.for_game(TicTacToe(), (32,)).save(out, TicTacToe())
    with pytest.raises(GameError, match="exists, and is not overwritten"):
        learn_td("tic_tac_toe", games=400, out=out, **QUICK)


COMMAND = [
    "learn", "tic_tac_toe", "--td", "--units", "32", "--rate", "1", "--last-rate", "0.05", "--ratings", "50",
    "--rating-games", "20", "--match", "0", "--games", "400000", "--out", "network.npz",
]  # fmt: skip


def started(folder: Path, *more: str) -> subprocess.Popen[str]:
    """The command in a process of its own, after its first rating."""
    process = subprocess.Popen(
        [sys.executable, "-m", "zermelo", *COMMAND, *more], cwd=folder, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    for line in process.stderr:
        if "points per game" in line:
            return process
    raise AssertionError("the command ended too early")


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_ctrl_c_and_kill_then_resume(tmp_path: Path) -> None:
    process = started(tmp_path)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert "to resume, run the same command" in errors
    assert "saved in network.npz" in output
    first = Checkpoint.load(tmp_path / "network.checkpoint.npz")
    assert 0 < first.games < 400_000
    process = started(tmp_path, "--workers", "1")
    time.sleep(0.2)
    process.kill()  # SIGKILL: nothing can be tidied up
    process.communicate()
    second = Checkpoint.load(tmp_path / "network.checkpoint.npz")  # whole, whenever the process was killed
    assert second.games > first.games
    assert Network.load(tmp_path / "network.npz", TicTacToe()).record["best_after"] > 0
    token = StopToken()
    games: list[int] = []

    def tell(progress: TdProgress) -> None:
        games.append(progress.games)
        token.stop()

    learn_td("tic_tac_toe", games=400_000, out=tmp_path / "network.npz", stop=token, on_progress=tell,
             **{**QUICK, "ratings": 50, "rating_games": 20})  # fmt: skip
    assert games[0] == second.games


@pytest.mark.skipif(os.name == "nt", reason="processes are listed otherwise there")
def test_workers_end_with_the_main_process(tmp_path: Path) -> None:
    process = started(tmp_path, "--workers", "2")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    workers = [
        int(child)
        for file in Path(f"/proc/{process.pid}/task").glob("*/children")
        for child in file.read_text().split()
    ]
    assert children.exists()
    assert len(workers) == 2
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 10
    while any(
        Path(f"/proc/{worker}/stat").exists() and "Z" not in Path(f"/proc/{worker}/stat").read_text()
        for worker in workers
    ):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced() -> None:
    killed: list[int] = []

    def kill_one(progress: TdProgress) -> None:
        workers = [
            int(child) for file in Path("/proc/self/task").glob("*/children") for child in file.read_text().split()
        ]
        if progress.games >= 200 and not killed and workers:
            killed.append(workers[-1])
            os.kill(workers[-1], signal.SIGKILL)

    found = learn_td("tic_tac_toe", games=600, interval=50, workers=2, on_progress=kill_one, **QUICK)
    assert killed
    whole = learn_td("tic_tac_toe", games=600, interval=50, workers=2, **QUICK)
    assert (weights_of(found.network) == weights_of(whole.network)).all()


# The command line, and what cannot be learned.


def test_the_command(tmp_path: Path) -> None:
    out = tmp_path / "network.npz"
    words = ["learn", "tic_tac_toe", "--td", "--games", "400", "--units", "32", "--ratings", "2", "--rating-games",
             "20", "--match", "10", "--out", str(out), "--json"]  # fmt: skip
    found = CliRunner().invoke(main, words)
    assert found.exit_code == 0, found.output
    told = json.loads(found.stdout)
    assert told["games"] == 400
    assert sum(told["match"].values()) == 10
    assert [row["games"] for row in told["ratings"]] == [200, 400]
    assert "points per game against the best" in found.stderr
    further = CliRunner().invoke(main, [*words[:-3], "--from", str(out), "--out", str(out)])
    assert further.exit_code == 0, further.output
    assert f"saved in {out}" in further.stdout.replace("\n", "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("tic_tac_toe", "--units", "8"), "--units is for learning with --td"),
        (
            ("tic_tac_toe", "--td", "--rounds", "2"),
            "--rounds is for learning with weights, without another method",
        ),
        (("nim", "--td"), "Add two methods to the class: `feature_names"),
        (("tic_tac_toe",), "has features and no weights: give it `weights`, or teach a network"),
        (("tic_tac_toe", "--td", "--units", "7"), "multiple of 8, not 7"),
        (("tic_tac_toe", "--td", "--lambda", "2"), "λ must be a number from 0 to 1, not 2.0"),
        (("tic_tac_toe", "--td", "--rate", "0.001"), "learning rate falls"),
        (("tic_tac_toe", "--td", "--out", "nowhere/x.npz"), "there is no folder 'nowhere'"),
    ],
)
def test_errors_say_what_is_wrong(words: tuple[str, ...], message: str) -> None:
    found = CliRunner().invoke(main, ["learn", *words])
    assert found.exit_code != 0
    assert message in " ".join(found.output.split())


def test_hidden_games_do_not_suit() -> None:
    class Secret(TicTacToe):
        hidden = True

    with pytest.raises(Unsuitable, match="with nothing hidden"):
        learn_td(Secret())
    assert games.load("tic_tac_toe").offers("features")
