"""Mini-batches with NumPy: forward, backward, and Adam (Kingma and Ba 2015). Needs no extra package."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.networks import Network

FIRST_DECAY, SECOND_DECAY, TINY = 0.9, 0.999, 1e-8


def squash(x: Any) -> Any:
    """The units' sigmoid, made of two parabolas; see `networks/layers.py`."""
    x = np.clip(x, -4, 4)
    return 0.5 + 0.25 * x * (1 - 0.125 * np.abs(x))


def slope(x: Any) -> Any:
    return 0.25 * (1 - 0.25 * np.minimum(np.abs(x), 4))


def logistic(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


class ByNumpy:
    """A network in training."""

    name = "NumPy"

    def __init__(self, network: Network):
        self.network = network
        self.moments = [(np.zeros_like(table), np.zeros_like(table)) for table in network.arrays()]
        self.steps = 0

    def predict(self, phase: int, x: Any) -> Any:
        """The outputs for some positions of one phase."""
        return logistic(self._forward(phase, x)[-1])

    def _forward(self, phase: int, x: Any) -> list[Any]:
        """The sums of all layers."""
        n = self.network
        sums = [x @ n.first[phase] + n.first_bias[phase]]
        if not n.hidden:
            return [sums[0][:, : n.outputs]]
        if n.deep_units:
            sums.append(squash(sums[-1]) @ n.second[phase].T + n.second_bias[phase])
        sums.append(squash(sums[-1]) @ n.last[phase].T + n.last_bias[phase])
        return sums

    def gradients(self, phase: int, x: Any, targets: Any) -> list[Any]:
        """The gradient of the mean cross-entropy, in the order of `Network.arrays`."""
        n, sums = self.network, self._forward(phase, x)
        first, first_bias, second, second_bias, last, last_bias = [np.zeros_like(table) for table in n.arrays()]
        error = (logistic(sums[-1]) - targets) / len(x)
        if n.hidden:
            last[phase], last_bias[phase] = error.T @ squash(sums[-2]), error.sum(0)
            error = error @ n.last[phase] * slope(sums[-2])
            if n.deep_units:
                second[phase], second_bias[phase] = error.T @ squash(sums[0]), error.sum(0)
                error = error @ n.second[phase] * slope(sums[0])
            first[phase], first_bias[phase] = x.T @ error, error.sum(0)
        else:
            first[phase, :, : n.outputs], first_bias[phase, : n.outputs] = x.T @ error, error.sum(0)
        return [first, first_bias, second, second_bias, last, last_bias]

    def step(self, phase: int, x: Any, targets: Any, rate: float) -> None:
        """One step of Adam on a batch."""
        self.steps += 1
        scale = rate * np.sqrt(1 - SECOND_DECAY**self.steps) / (1 - FIRST_DECAY**self.steps)
        for table, found, (mean, square) in zip(
            self.network.arrays(), self.gradients(phase, x, targets), self.moments, strict=True
        ):
            mean += (1 - FIRST_DECAY) * (found - mean)
            square += (1 - SECOND_DECAY) * (found**2 - square)
            table -= (scale * mean / (np.sqrt(square) + TINY)).astype(np.float32)

    def begin(self) -> None:
        """Continue with the network's weights, which have changed: they are those of the training."""

    def finish(self) -> None:
        """The network's weights are those of the training."""
