"""What is trained: a weighted sum of features, or a network over them. Both take chunks of sparse rows."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from zermelo.learn.by_jax import ByJax, is_installed
from zermelo.learn.by_numpy import FIRST_DECAY, SECOND_DECAY, TINY, ByNumpy
from zermelo.learn.logistic import Rows, chances, log_losses
from zermelo.learn.rows import dense
from zermelo.networks import Network


class Model(Protocol):
    """Something that predicts chances of winning, and learns from targets."""

    name: str
    reads_inputs: bool  # a network's inputs, or the features

    def learn(self, rows: Rows, phases: Any, targets: Any, batch: int, rate: float) -> float:
        """Learn from a chunk, in batches; returns the sum of the losses before each batch."""
        ...

    def loss(self, rows: Rows, phases: Any, targets: Any) -> float:
        """The sum of the losses on a chunk."""
        ...

    def snapshot(self) -> Any: ...

    def restore(self, kept: Any) -> None: ...


class SumModel:
    """A weighted sum: the log-odds of winning are `slope` times the sum, so that weights stay in units of utility."""

    name = "NumPy"
    reads_inputs = False

    def __init__(self, weights: Any, slope: float):
        self.weights, self.slope = np.asarray(weights, np.float64).copy(), slope
        self.mean, self.square = np.zeros_like(self.weights), np.zeros_like(self.weights)
        self.steps = 0
        self.unit = 1.0 / slope

    def learn(self, rows: Rows, phases: Any, targets: Any, batch: int, rate: float) -> float:
        total = 0.0
        for begin in range(0, rows.count, batch):
            some = part(rows, begin, min(begin + batch, rows.count))
            wanted = targets[begin : begin + some.count]
            logits = self.slope * some.times(self.weights)
            total += float(log_losses(logits, wanted).sum())
            errors = (chances(logits) - wanted) * (self.slope / some.count)
            self._step(some.transposed_times(errors), rate)
        return total

    def _step(self, gradient: Any, rate: float) -> None:
        """Adam (Kingma and Ba 2015); the rate is in log-odds, and so the same for any scale of utilities."""
        self.steps += 1
        scale = rate * self.unit * np.sqrt(1 - SECOND_DECAY**self.steps) / (1 - FIRST_DECAY**self.steps)
        self.mean += (1 - FIRST_DECAY) * (gradient - self.mean)
        self.square += (1 - SECOND_DECAY) * (gradient**2 - self.square)
        self.weights -= scale * self.mean / (np.sqrt(self.square) + TINY * self.slope)

    def loss(self, rows: Rows, phases: Any, targets: Any) -> float:
        return float(log_losses(self.slope * rows.times(self.weights), targets).sum())

    def snapshot(self) -> Any:
        return self.weights.copy()

    def restore(self, kept: Any) -> None:
        self.weights[:] = kept


class NetworkModel:
    """A network with one output, by JAX if it is installed, or by NumPy."""

    reads_inputs = True

    def __init__(self, network: Network, by: str = "auto"):
        if by not in ("auto", "numpy", "jax"):
            raise ValueError(f"by must be 'auto', 'numpy' or 'jax', not {by!r}")
        self.network = network
        use_jax = by == "jax" or (by == "auto" and is_installed())
        self.trainer: Any = ByJax(network) if use_jax else ByNumpy(network)
        self.name = self.trainer.name

    def learn(self, rows: Rows, phases: Any, targets: Any, batch: int, rate: float) -> float:
        total = 0.0
        for phase in np.unique(phases):
            own = np.flatnonzero(phases == phase)
            for begin in range(0, len(own), batch):
                some = own[begin : begin + batch]
                matrix, wanted = dense(rows, some), targets[some][:, None]
                total += self._loss(int(phase), matrix, wanted)
                self.trainer.step(int(phase), matrix, wanted, rate)
        return total

    def loss(self, rows: Rows, phases: Any, targets: Any) -> float:
        total = 0.0
        for phase in np.unique(phases):
            own = np.flatnonzero(phases == phase)
            for begin in range(0, len(own), 4096):
                some = own[begin : begin + 4096]
                total += self._loss(int(phase), dense(rows, some), targets[some][:, None])
        return total

    def _loss(self, phase: int, matrix: Any, targets: Any) -> float:
        p = np.clip(self.trainer.predict(phase, matrix), 1e-7, 1 - 1e-7)
        return float(-(targets * np.log(p) + (1 - targets) * np.log(1 - p)).sum())

    def snapshot(self) -> Any:
        self.trainer.finish()
        return [table.copy() for table in self.network.arrays()]

    def restore(self, kept: Any) -> None:
        for table, found in zip(self.network.arrays(), kept, strict=True):
            table[...] = found
        self.trainer.begin()


def part(rows: Rows, begin: int, end: int) -> Rows:
    """Some consecutive rows."""
    low, high = rows.starts[begin], rows.starts[end]
    return Rows(rows.numbers[low:high], rows.amounts[low:high], rows.starts[begin : end + 1] - low, rows.columns)
