"""Mini-batches with JAX and optax, on a GPU if there is one. Needs the extra: pip install 'zermelo[train]'."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.errors import ZermeloError
from zermelo.networks import Network


def is_installed() -> bool:
    """Are JAX and optax there?"""
    from importlib.util import find_spec

    return find_spec("jax") is not None and find_spec("optax") is not None


class ByJax:
    """A network in training."""

    def __init__(self, network: Network):
        try:
            import jax
            import optax
        except ImportError:
            raise ZermeloError("this needs JAX and optax: pip install 'zermelo[train]'") from None
        self.network, self.jax = network, jax
        self.name = f"JAX on {jax.devices()[0].platform.upper()}"
        self.tables = [jax.numpy.asarray(table) for table in network.arrays()]
        optimiser = optax.inject_hyperparams(optax.adam)(learning_rate=0.0)
        self.state = optimiser.init(self.tables)
        logits = forward(network, jax.numpy)

        def loss(tables: Any, phase: Any, x: Any, targets: Any) -> Any:
            return optax.sigmoid_binary_cross_entropy(logits(tables, phase, x), targets).sum(1).mean()

        def step(tables: Any, state: Any, phase: Any, x: Any, targets: Any, rate: Any) -> Any:
            state.hyperparams["learning_rate"] = rate
            changes, state = optimiser.update(jax.grad(loss)(tables, phase, x, targets), state, tables)
            return optax.apply_updates(tables, changes), state

        self._step = jax.jit(step)
        self._gradients = jax.jit(jax.grad(loss))
        self._predict = jax.jit(lambda tables, phase, x: jax.nn.sigmoid(logits(tables, phase, x)))

    def predict(self, phase: int, x: Any) -> Any:
        """The outputs for some positions of one phase."""
        return np.asarray(self._predict(self.tables, phase, x))

    def gradients(self, phase: int, x: Any, targets: Any) -> list[Any]:
        """The gradient of the mean cross-entropy, in the order of `Network.arrays`."""
        return [np.asarray(table) for table in self._gradients(self.tables, phase, x, targets)]

    def step(self, phase: int, x: Any, targets: Any, rate: float) -> None:
        """One step of Adam on a batch."""
        self.tables, self.state = self._step(self.tables, self.state, phase, x, targets, rate)

    def begin(self) -> None:
        """Continue with the network's weights, which have changed."""
        self.tables = [self.jax.numpy.asarray(table) for table in self.network.arrays()]

    def finish(self) -> None:
        """Copy the weights back into the network."""
        for table, found in zip(self.network.arrays(), self.tables, strict=True):
            table[...] = np.asarray(found)


def forward(network: Network, numpy: Any) -> Any:
    """The function from weights, phase and features to the sums of the outputs."""
    hidden, deep, outputs = bool(network.hidden), network.deep_units > 0, network.outputs

    def squash(x: Any) -> Any:
        x = numpy.clip(x, -4, 4)
        return 0.5 + 0.25 * x * (1 - 0.125 * numpy.abs(x))

    def logits(tables: Any, phase: Any, x: Any) -> Any:
        first, first_bias, second, second_bias, last, last_bias = tables
        sums = x @ first[phase] + first_bias[phase]
        if not hidden:
            return sums[:, :outputs]
        if deep:
            sums = squash(sums) @ second[phase].T + second_bias[phase]
        return squash(sums) @ last[phase].T + last_bias[phase]

    return logits
