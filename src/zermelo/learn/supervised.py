"""Supervised learning: a network learns to say of positions what a search and the results of games say of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from zermelo.learn.by_jax import ByJax, is_installed
from zermelo.learn.by_numpy import ByNumpy
from zermelo.learn.labelled import Labelled, cross_entropy, least_cross_entropy
from zermelo.networks import Network

TESTED_AT_A_TIME = 4096


@dataclass(frozen=True)
class Epoch:
    """One pass through all positions: the loss on the positions that were learned from, and on those held out."""

    number: int
    loss: float
    held_out: float


@dataclass(frozen=True)
class Fit:
    """How a network was fitted. Losses are cross-entropies; `least` is what no prediction can undercut."""

    games: int
    positions: int
    held_out: int
    before: float
    least: float
    best: int  # the number of the epoch whose weights are kept
    epochs: tuple[Epoch, ...]
    seconds: float
    by: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def after(self) -> float:
        """The loss of the kept weights on the positions held out."""
        return self.before if self.best == 0 else self.epochs[self.best - 1].held_out


def fit_network(
    network: Network,
    data: Labelled,
    *,
    epochs: int = 10,
    batch: int = 256,
    rate: float = 0.003,
    seed: int = 0,
    by: str = "auto",
    on_epoch: Callable[[Epoch], Any] | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Fit:
    """Fit a network, in place, to labelled positions in mini-batches, by Adam; the rate falls linearly to a tenth.

    by        "numpy", "jax", or "auto": JAX if it is installed
    stopped   asked after every batch: ends the fit early

    The weights of the epoch with the least loss on the held-out positions are kept.
    """
    if by not in ("auto", "numpy", "jax"):
        raise ValueError(f"by must be 'auto', 'numpy' or 'jax', not {by!r}")
    trainer: Any = ByJax(network) if by == "jax" or (by == "auto" and is_installed()) else ByNumpy(network)
    began, random = time.perf_counter(), np.random.default_rng(seed)
    train, test = np.flatnonzero(~data.held_out), np.flatnonzero(data.held_out)
    before = best_loss = loss_of(trainer, data, test)
    best, kept, history = 0, [table.copy() for table in network.arrays()], []
    for number in range(1, epochs + 1):
        now = rate * (1 - 0.9 * (number - 1) / max(epochs - 1, 1))
        for phase, rows in batches(data, train, batch, random):
            if stopped():
                break
            trainer.step(phase, data.dense(rows), data.targets[rows], now)
        if stopped():
            break
        history.append(Epoch(number, loss_of(trainer, data, train), loss_of(trainer, data, test)))
        if on_epoch is not None:
            on_epoch(history[-1])
        if history[-1].held_out < best_loss:
            trainer.finish()
            best, best_loss, kept = number, history[-1].held_out, [table.copy() for table in network.arrays()]
    for table, found in zip(network.arrays(), kept, strict=True):
        table[...] = found
    return Fit(
        data.games, len(train), len(test), before, least_cross_entropy(data.targets[test]), best, tuple(history),
        time.perf_counter() - began, trainer.name,
    )  # fmt: skip


def batches(data: Labelled, chosen: Any, size: int, random: Any) -> list[tuple[int, Any]]:
    """All chosen positions in random order, in batches of one phase and one size; the last one is filled up."""
    found = []
    for phase in np.unique(data.phases[chosen]):
        rows = random.permutation(chosen[data.phases[chosen] == phase])
        width = min(size, len(rows))
        for begin in range(0, len(rows), width):
            some = rows[begin : begin + width]
            found.append((int(phase), np.concatenate([some, rows[: width - len(some)]])))
    random.shuffle(found)
    return found


def loss_of(trainer: Any, data: Labelled, chosen: Any) -> float:
    """The mean cross-entropy on some positions."""
    total = 0.0
    for phase in np.unique(data.phases[chosen]):
        rows = chosen[data.phases[chosen] == phase]
        for begin in range(0, len(rows), TESTED_AT_A_TIME):
            some = rows[begin : begin + TESTED_AT_A_TIME]
            total += len(some) * cross_entropy(trainer.predict(int(phase), data.dense(some)), data.targets[some])
    return total / max(len(chosen), 1)
