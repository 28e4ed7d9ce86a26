"""Training of networks with two views in mini-batches: on a GPU by JAX, otherwise on all cores by compiled loops.

The target of a position is a chance: a mixture of the game's result and of the chance that the search's score means.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from zermelo.game.protocol import Game
from zermelo.learn.samples import Samples
from zermelo.learn.two_views_by_jax import ByJax, has_gpu
from zermelo.learn.two_views_compiled import NAMES, Compiled
from zermelo.networks.integers import FINE, ONE, WHOLE
from zermelo.networks.two_views import TwoViews

LARGEST = 1.9
"""The largest weight of the first layer, so that sums of many inputs fit into 16 bits."""


@dataclass(frozen=True)
class Training:
    """How to train.

    units      of each view
    added      learn what to add to the game's weighted sum; otherwise the whole evaluation
    results    the share of the game's result in the targets; the rest is the search's score
    epochs, batch, rate, seed    passes over the data, positions in a step, Adam's first rate, of the random numbers
    by         "jax", "compiled", or "auto": JAX if it is installed and finds a GPU
    """

    units: int = 128
    added: bool = False
    results: float = 0.3
    epochs: int = 20
    batch: int = 16_384
    rate: float = 1e-3
    seed: int = 0
    by: str = "auto"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def train(
    game: Game, data: Samples, held_out: Samples, slope: float, training: Training,
    on_epoch: Callable[..., Any] = print, stopped: Callable[[], bool] = lambda: False, start: TwoViews | None = None,
) -> TwoViews:  # fmt: skip
    """A network trained on samples, rounded to whole numbers; `slope` is the log-odds of winning per unit of utility.

    It has the weights of the epoch with the least loss on the held-out samples. The losses are in its record: mean
    squared errors of the chance. `stopped` is asked after each epoch. Training begins with the weights of the network
    `start`, if there is one, and otherwise with random ones.
    """
    random = np.random.default_rng(training.seed)
    weights = new_weights(game, training, random) if start is None else weights_of(start, slope)
    by = training.by if training.by != "auto" else "jax" if has_gpu() else "compiled"
    kind: Any = ByJax if by == "jax" else Compiled
    trainer = kind(weights, _columns(data, slope, training), _columns(held_out, slope, training), LARGEST)
    nothing = {**weights, "last": 0 * weights["last"], "last_bias": 0 * weights["last_bias"]}
    before = trainer.error() if start is not None else error_of_sums(held_out, slope, training)
    best, least, kept = 0, before, nothing if start is None else weights
    batch = min(training.batch, len(data))
    steps, begun, history = len(data) // batch, time.perf_counter(), []
    rates = training.rate * (0.01 + 0.99 * (1 + np.cos(np.linspace(0, np.pi, steps * training.epochs))) / 2)
    for number in range(1, training.epochs + 1):
        loss = trainer.epoch(random, batch, rates[(number - 1) * steps : number * steps])
        history.append((loss, trainer.error()))
        if history[-1][1] < least:
            best, least, kept = number, history[-1][1], trainer.snapshot()
        on_epoch(number, *history[-1], time.perf_counter() - begun)
        if stopped():
            break
    network = TwoViews.rounded(*(kept[name] for name in NAMES), unit=1 / slope, added=training.added)
    network.record = {
        "training": training.to_json(), "positions": len(data), "held_out": len(held_out), "slope": slope,
        "error_without": before, "best": best, "errors": [[round(one, 6), round(other, 6)] for one, other in history],
        "seconds": round(time.perf_counter() - begun, 1), "device": trainer.device,
    }  # fmt: skip
    return network


def new_weights(game: Game, training: Training, random: Any) -> dict[str, Any]:
    """Random weights: some thirty inputs at a time, so that most units answer."""
    inputs, phases, units = len(game.input_names()), len(game.phase_names()), training.units
    spread = 1 / np.sqrt(32)
    return {
        "first": random.uniform(-spread, spread, (inputs, units)).astype(np.float32),
        "first_bias": np.full(units, 0.1, np.float32),
        "last": np.repeat(random.uniform(-0.05, 0.05, (1, 2 * units)), phases, 0).astype(np.float32),
        "last_bias": np.zeros(phases, np.float32),
    }


def weights_of(network: TwoViews, slope: float) -> dict[str, Any]:
    """The weights of a network as they are trained: its output in log-odds."""
    scale = slope * float(network.unit[0])
    return {
        "first": np.asarray(network.first) / np.float32(ONE),
        "first_bias": np.asarray(network.first_bias) / np.float32(ONE),
        "last": np.asarray(network.last) * np.float32(scale / FINE),
        "last_bias": np.asarray(network.last_bias) * np.float32(scale / WHOLE),
    }


def fitted_slope(data: Samples) -> float:
    """The log-odds of winning per unit of utility that fit scores and results best: Newton's method."""
    slope = 1.0
    for _ in range(20):
        chances = 0.5 + 0.5 * np.tanh(0.5 * slope * data.scores)
        bend = float((data.scores**2 * chances * (1 - chances)).mean())
        slope += float((data.scores * (data.results - chances)).mean()) / max(bend, 1e-9)
    return slope


def targets(data: Samples, slope: float, results: float) -> Any:
    """The chances to learn."""
    chances = 0.5 + 0.5 * np.tanh(0.5 * slope * np.asarray(data.scores))
    return ((1 - results) * chances + results * np.asarray(data.results)).astype(np.float32)


def _columns(data: Samples, slope: float, training: Training) -> dict[str, Any]:
    """The samples as arrays for training; amounts are empty if all are 1."""
    sums = data.sums * slope if training.added else np.zeros(len(data))
    return {
        "numbers": data.numbers,
        "amounts": np.zeros((0, *data.numbers.shape[1:]), np.int8) if data.amounts is None else data.amounts,
        "phases": data.phases.astype(np.int32),
        "sums": np.asarray(sums, np.float32),
        "targets": targets(data, slope, training.results),
    }


def error_of_sums(data: Samples, slope: float, training: Training) -> float:
    """The mean loss without a network: with the sum alone, or if nothing is added to it, with even chances."""
    sums = np.asarray(data.sums) * slope if training.added else np.zeros(len(data))
    errors = 0.5 + 0.5 * np.tanh(0.5 * sums) - targets(data, slope, training.results)
    return float((errors**2).mean()) if len(data) else 0.0
