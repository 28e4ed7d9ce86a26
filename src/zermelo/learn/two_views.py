"""Training of networks with two views: mini-batches with JAX and optax, the data and all steps on the GPU.

The target of a position is a chance: a mixture of the game's result and of the chance that the search's score means.
Needs the extra: pip install 'zermelo[train]'.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from zermelo.game.errors import ZermeloError
from zermelo.game.protocol import Game
from zermelo.learn.samples import Samples
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
    """

    units: int = 128
    added: bool = False
    results: float = 0.3
    epochs: int = 20
    batch: int = 16_384
    rate: float = 1e-3
    seed: int = 0

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def train(
    game: Game, data: Samples, held_out: Samples, slope: float, training: Training,
    on_epoch: Callable[..., Any] = print, stopped: Callable[[], bool] = lambda: False,
) -> TwoViews:  # fmt: skip
    """A network trained on samples, rounded to whole numbers; `slope` is the log-odds of winning per unit of utility.

    It has the weights of the epoch with the least loss on the held-out samples. The losses are in its record: mean
    squared errors of the chance. `stopped` is asked after each epoch.
    """
    jax, optax = require_modules()
    numpy = jax.numpy
    inputs, phases = len(game.input_names()), len(game.phase_names())
    random = np.random.default_rng(training.seed)
    spread = 1 / np.sqrt(32)
    weights = {
        "first": random.uniform(-spread, spread, (inputs, training.units)).astype(np.float32),
        "first_bias": np.full(training.units, 0.1, np.float32),
        "last": np.repeat(random.uniform(-0.05, 0.05, (1, 2 * training.units)), phases, 0).astype(np.float32),
        "last_bias": np.zeros(phases, np.float32),
    }
    weights = {name: numpy.asarray(table) for name, table in weights.items()}
    on_gpu, checked = (_columns(numpy, each, slope, training) for each in (data, held_out))
    batch = min(training.batch, len(data))
    steps = len(data) // batch
    rates = optax.cosine_decay_schedule(training.rate, steps * training.epochs, 0.01)
    optimiser = optax.adam(rates)

    def chances(weights: Any, some: Any) -> Any:
        rows = numpy.arange(len(some["phases"]))[:, None]
        views = []
        for view in range(2):
            empty = numpy.zeros((len(some["phases"]), inputs + 1), numpy.float32)
            shares = some["amounts"][:, view].astype(numpy.float32) if "amounts" in some else 1.0
            x = empty.at[rows, some["numbers"][:, view].astype(numpy.int32)].add(shares)[:, :inputs]
            views.append(numpy.clip(x @ weights["first"] + weights["first_bias"], 0, 1) ** 2)
        outputs = numpy.concatenate(views, 1) @ weights["last"].T + weights["last_bias"]
        return jax.nn.sigmoid(numpy.take_along_axis(outputs, some["phases"][:, None], 1)[:, 0] + some["sums"])

    def loss(weights: Any, some: Any) -> Any:
        return numpy.mean((chances(weights, some) - some["targets"]) ** 2)

    def epoch(state: Any, key: Any, columns: Any) -> Any:
        def step(state: Any, chosen: Any) -> Any:
            weights, memory = state
            some = {name: column[chosen] for name, column in columns.items()}
            value, gradient = jax.value_and_grad(loss)(weights, some)
            changes, memory = optimiser.update(gradient, memory)
            weights = optax.apply_updates(weights, changes)
            weights["first"] = numpy.clip(weights["first"], -LARGEST, LARGEST)
            return (weights, memory), value

        order = jax.random.permutation(key, len(columns["phases"]))[: steps * batch].reshape(steps, batch)
        return jax.lax.scan(step, state, order)

    run_epoch, error = jax.jit(epoch), jax.jit(loss)

    def held_out_error(weights: Any) -> float:
        parts = range(0, len(held_out), batch)
        some = [{n: c[i : i + batch] for n, c in checked.items()} for i in parts]
        return float(sum(float(error(weights, one)) * len(one["phases"]) for one in some) / max(len(held_out), 1))

    state, begun = (weights, optimiser.init(weights)), time.perf_counter()
    key, history = jax.random.PRNGKey(training.seed), []
    nothing = {**weights, "last": 0 * weights["last"]}
    before = held_out_error(nothing)
    best, least, kept = 0, before, nothing
    for number in range(1, training.epochs + 1):
        key, own = jax.random.split(key)
        state, losses = run_epoch(state, own, on_gpu)
        history.append((float(losses.mean()), held_out_error(state[0])))
        if history[-1][1] < least:
            best, least, kept = number, history[-1][1], state[0]
        on_epoch(number, *history[-1], time.perf_counter() - begun)
        if stopped():
            break
    found = [np.asarray(kept[name]) for name in ("first", "first_bias", "last", "last_bias")]
    network = TwoViews.rounded(*found, unit=1 / slope, added=training.added)
    network.record = {
        "training": training.to_json(), "positions": len(data), "held_out": len(held_out), "slope": slope,
        "error_without": before, "best": best, "errors": [[round(one, 6), round(other, 6)] for one, other in history],
        "seconds": round(time.perf_counter() - begun, 1), "device": jax.devices()[0].device_kind,
    }  # fmt: skip
    return network


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


def _columns(numpy: Any, data: Samples, slope: float, training: Training) -> dict[str, Any]:
    """The samples as arrays on the device."""
    sums = data.sums * slope if training.added else np.zeros(len(data))
    found = {
        "numbers": data.numbers,
        "phases": data.phases.astype(np.int32),
        "sums": sums.astype(np.float32),
        "targets": targets(data, slope, training.results),
    }
    if data.amounts is not None:
        found["amounts"] = data.amounts
    return {name: numpy.asarray(column) for name, column in found.items()}


def require_modules() -> tuple[Any, Any]:
    """JAX and optax; a ZermeloError says how to install them."""
    try:
        import jax
        import optax
    except ImportError:
        raise ZermeloError("this needs JAX and optax: pip install 'zermelo[train]'") from None
    return jax, optax
