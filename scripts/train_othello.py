"""Make the weights that Othello is shipped with: python scripts/train_othello.py FILE [--workers N] [--seconds S …].

Each generation plays games with the weights of the one before, the first with weights set by hand, and fits weights to
the positions of its games by least squares (conjugate gradients). Positions near the end are solved. Before, the target
is a mean of the search's score and of what the game came to. So what the end teaches moves back towards the opening,
from generation to generation. Each worker keeps its positions; only sums leave it. New weights have no predictions for
ProbCut: run scripts/fit_othello_probcut.py afterwards.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from othello_labels import Player, Sums

from zermelo.games.othello import Othello
from zermelo.games.othello.weights import FILE, FILE_UNIT, STAGES, weights_by_hand


class Generation(NamedTuple):
    """How a generation plays and learns.

    depth         plies of a search
    solved        the empty squares from which on positions are solved
    opening       the most random moves at the start
    exploration   one in how many later moves is random
    share         of the search's score in the target; the rest is the game's result
    penalties     how much weights are held back, as if each had been seen so often to say nothing; of several, the best
                  on the positions held out
    time          its share of the time
    keep          the positions of how many earlier generations to learn from as well
    """

    depth: int
    solved: int
    opening: int
    exploration: int
    share: float
    penalties: tuple[float, ...]
    time: float
    keep: int


GENERATIONS = (
    Generation(3, 12, 30, 25, 0.0, (30.0,), 0.08, 0),
    Generation(4, 14, 30, 25, 0.3, (20.0,), 0.27, 0),
    Generation(5, 14, 30, 30, 0.5, (100.0, 30.0, 10.0), 0.65, 1),
)
ITERATIONS = 60
HELD_OUT = 0.02


def shared(file: Path, length: int) -> Any:
    """An array that all processes see."""
    return np.memmap(file, np.float32, "r+" if file.exists() else "w+", shape=(length,))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("file", type=Path, nargs="?", default=FILE)
    options.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    options.add_argument("--seconds", type=float, default=360.0, help="of play, in all")
    options.add_argument("--start", type=Path, help="weights to begin with, instead of those set by hand")
    options.add_argument("--from", dest="first", type=int, default=0, help="the generation to begin with")
    options.add_argument("--seed", type=int, default=1997)
    given = options.parse_args()
    began = time.perf_counter()
    weights = np.load(given.start)["weights"] / FILE_UNIT if given.start else weights_by_hand(8)
    Player(weights, 0, (3, 8, 50, 25)).game_of()  # compile once, for all workers
    crew = Crew(given.workers, len(weights), given.seed)
    print(f"ready after {time.perf_counter() - began:.0f} s", flush=True)
    for number, generation in enumerate(GENERATIONS):
        if number >= given.first:
            weights, slope, report = crew.teach(weights, generation, given.seconds)
            save(given.file.with_suffix(f".{number + 1}.npz"), weights, slope, report)
            save(given.file, weights, slope, report)
            print(f"generation {number + 1}: {report}, {time.perf_counter() - began:.0f} s so far", flush=True)
    crew.dismiss()


def save(file: Path, weights: Any, slope: float, report: dict[str, Any]) -> None:
    """Write the weights as whole numbers."""
    about = {"slope": slope, "unit": FILE_UNIT, **report}
    rounded = np.clip(np.rint(weights * FILE_UNIT), -32768, 32767).astype(np.int16)
    np.savez_compressed(file, about=np.frombuffer(json.dumps(about).encode(), np.uint8), weights=rounded)


class Crew:
    """The workers, and least squares over all their positions."""

    def __init__(self, workers: int, length: int, seed: int):
        self.length = length
        self.folder = tempfile.TemporaryDirectory()
        files = [Path(self.folder.name, name) for name in ("weights", *map(str, range(workers)))]
        self.weights, *self.outs = (shared(file, length) for file in files)
        self.pipes: list[Connection] = []
        context = multiprocessing.get_context("spawn")
        for number in range(workers):
            mine, its = context.Pipe()
            arguments = (its, length, files[0], files[1 + number], seed + 1000 * number)
            context.Process(target=work, args=arguments, daemon=True).start()
            self.pipes.append(mine)

    def ask(self, *message: Any) -> list[Any]:
        """Send all workers a message; returns their answers."""
        for pipe in self.pipes:
            pipe.send(message)
        return [pipe.recv() for pipe in self.pipes]

    def teach(self, weights: Any, generation: Generation, seconds: float) -> tuple[Any, float, dict[str, Any]]:
        """Play a generation and fit weights to it."""
        began = time.perf_counter()
        self.weights[:] = weights
        played = self.ask("play", generation, generation.time * seconds)
        after = time.perf_counter()
        report: dict[str, Any] = {
            "games": sum(games for games, _ in played),
            "positions": sum(count for _, count in played),
            "seconds_of_play": round(after - began),
        }
        fitted = as_fitted(weights)
        best, least, slope = fitted, np.inf, 0.0
        for penalty in generation.penalties:
            fitted = self.fit(fitted, penalty)
            pairs = np.concatenate(self.judge(fitted))
            error = float(np.sqrt(np.mean((pairs[:, 0] - pairs[:, 1]) ** 2)))
            correlation = float(np.corrcoef(pairs[:, 0], pairs[:, 1])[0, 1])
            print(f"penalty {penalty:g}: error {error:.3f}, correlation {correlation:.4f}", flush=True)
            if error < least:
                best, least, slope = fitted, error, slope_of(pairs)
                report |= {"error": round(error, 3), "correlation": round(correlation, 4), "held_out": len(pairs)}
                report |= {"penalty": penalty}
        report["seconds_of_fitting"] = round(time.perf_counter() - after)
        return from_fitted(best), slope, report

    def fit(self, start: Any, penalty: float) -> Any:
        """Least squares with a penalty, by conjugate gradients from these weights, scaled by their curvature."""
        weights = start.astype(np.float64)
        curvature = self.gradient(None, "curvature") + penalty
        rest = -(self.gradient(weights, "gradient") + penalty * weights)
        scaled = rest / curvature
        direction, power = scaled.copy(), rest @ scaled
        for _ in range(ITERATIONS):
            product = self.gradient(direction, "product") + penalty * direction
            step = power / (direction @ product)
            weights += step * direction
            rest -= step * product
            scaled = rest / curvature
            power, before = rest @ scaled, power
            direction = scaled + power / before * direction
        return weights

    def gradient(self, weights: Any, kind: str) -> Any:
        if weights is not None:
            self.weights[:] = weights
        self.ask(kind)
        return np.sum(self.outs, axis=0, dtype=np.float64)

    def judge(self, weights: Any) -> list[Any]:
        """Predictions and targets of the positions held out."""
        self.weights[:] = weights
        return self.ask("judge")

    def dismiss(self) -> None:
        for pipe in self.pipes:
            pipe.send(("stop",))
        self.folder.cleanup()


def as_fitted(weights: Any) -> Any:
    """The stages of a feature side by side, as the fit has them."""
    return weights.reshape(STAGES, -1).T.ravel()


def from_fitted(weights: Any) -> Any:
    return weights.reshape(-1, STAGES).T.ravel()


def slope_of(pairs: Any) -> float:
    """The log-odds of winning for each disc of the evaluation, by logistic regression without a constant."""
    predicted, won = pairs[:, 0], np.sign(pairs[:, 1]) / 2 + 0.5
    slope = 0.1
    for _ in range(30):
        chance = 1 / (1 + np.exp(-slope * predicted))
        slope -= float((chance - won) @ predicted / ((chance * (1 - chance)) @ predicted**2))
    return slope


def work(pipe: Connection, length: int, weights_file: Path, out_file: Path, seed: int) -> None:
    """A worker: it plays, keeps its positions, and adds up what the fit asks for."""
    weights, out = shared(weights_file, length), shared(out_file, length)
    kept: list[Any] = []
    sums: Sums
    split = rows = 0
    game = Othello()
    while True:
        message = pipe.recv()
        out[:] = 0
        if message[0] == "stop":
            return
        if message[0] == "play":
            generation, seconds = message[1:]
            seed += 1
            games = played(weights.astype(np.float64), seed, generation, seconds)
            kept = [np.concatenate(games), *kept[: generation.keep]]
            sums = Sums(game, np.concatenate(kept), generation.share)
            rows = len(sums.own)
            split = int(HELD_OUT * rows)
            pipe.send((len(games), len(kept[0])))
        elif message[0] == "judge":
            sums.gradient(weights, out, 0, split, targets=True)
            pipe.send(np.stack([sums.found[:split], sums.target[:split]], axis=1))
        elif message[0] == "curvature":
            sums.curvature(out, split, rows)
            pipe.send(0)
        else:
            pipe.send(sums.gradient(weights, out, split, rows, targets=message[0] == "gradient"))


def played(weights: Any, seed: int, generation: Generation, seconds: float) -> list[Any]:
    """As many games as there is time for."""
    player = Player(weights, seed, (generation.depth, generation.solved, generation.opening, generation.exploration))
    games = []
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        games.append(player.game_of())
    return games


if __name__ == "__main__":
    main()
