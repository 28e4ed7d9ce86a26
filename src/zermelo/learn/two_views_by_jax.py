"""Training of networks with two views by JAX and optax: the data and all steps on the GPU.

Needs the extra: pip install 'zermelo[train]'.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.errors import ZermeloError


class ByJax:
    """Weights, and Adam's steps on them; the same as `two_views_compiled.Compiled`."""

    def __init__(self, weights: dict[str, Any], columns: dict[str, Any], held_out: dict[str, Any], most: float):
        self.jax, optax = require_modules()
        numpy = self.jax.numpy
        self.columns, self.held_out = (
            {name: numpy.asarray(column) for name, column in each.items()} for each in (columns, held_out)
        )
        optimiser = optax.scale_by_adam()
        own = {name: numpy.asarray(table, numpy.float32) for name, table in weights.items()}
        self.state = (own, optimiser.init(own))
        self.device = self.jax.devices()[0].device_kind
        inputs = len(own["first"])

        def loss(weights: Any, some: Any) -> Any:
            rows, views = numpy.arange(len(some["phases"]))[:, None], []
            for view in range(2):
                empty = numpy.zeros((len(some["phases"]), inputs + 1), numpy.float32)
                shares = some["amounts"][:, view].astype(numpy.float32) if len(columns["amounts"]) > 0 else 1.0
                x = empty.at[rows, some["numbers"][:, view].astype(numpy.int32)].add(shares)[:, :inputs]
                views.append(numpy.clip(x @ weights["first"] + weights["first_bias"], 0, 1) ** 2)
            outputs = numpy.concatenate(views, 1) @ weights["last"].T + weights["last_bias"]
            output = numpy.take_along_axis(outputs, some["phases"][:, None], 1)[:, 0]
            return numpy.mean((self.jax.nn.sigmoid(output + some["sums"]) - some["targets"]) ** 2)

        def epoch(state: Any, order: Any, rates: Any, columns: Any) -> Any:
            def step(state: Any, chosen: Any) -> Any:
                (weights, memory), (places, rate) = state, chosen
                some = {name: column[places] if len(column) else column for name, column in columns.items()}
                value, gradient = self.jax.value_and_grad(loss)(weights, some)
                changes, memory = optimiser.update(gradient, memory)
                weights = {name: table - rate * changes[name] for name, table in weights.items()}
                weights["first"] = numpy.clip(weights["first"], -most, most)
                return (weights, memory), value

            return self.jax.lax.scan(step, state, (order, rates))

        self._epoch, self._error = self.jax.jit(epoch), self.jax.jit(loss)

    def epoch(self, random: Any, batch: int, rates: Any) -> float:
        """Learn from all positions in random order, in batches with these rates; the mean loss on the way."""
        count, steps = len(self.columns["phases"]), len(rates)
        order = random.permutation(count)[: steps * batch].reshape(steps, batch)
        self.state, losses = self._epoch(self.state, order, np.asarray(rates, np.float32), self.columns)
        return float(losses.mean())

    def error(self, at_a_time: int = 1 << 14) -> float:
        """The mean loss on the held-out positions."""
        count, total = len(self.held_out["phases"]), 0.0
        for i in range(0, count, at_a_time):
            some = {name: column[i : i + at_a_time] for name, column in self.held_out.items()}
            total += float(self._error(self.state[0], some)) * len(some["phases"])
        return total / max(count, 1)

    def snapshot(self) -> dict[str, Any]:
        return {name: np.asarray(table) for name, table in self.state[0].items()}


def has_gpu() -> bool:
    """Is JAX installed, with an accelerator that it can use?"""
    try:
        jax, _ = require_modules()
    except ZermeloError:
        return False
    return bool(jax.devices()[0].platform != "cpu")


def require_modules() -> tuple[Any, Any]:
    """JAX and optax; a ZermeloError says how to install them."""
    try:
        import jax
        import optax
    except ImportError:
        raise ZermeloError("this needs JAX and optax: pip install 'zermelo[train]'") from None
    return jax, optax
