"""A network with one hidden layer over a game's features, compiled into whatever evaluates the game.

The first layer adds up the weights of the features that a state has. A hidden unit is a piecewise quadratic sigmoid,
which needs neither an exponential nor a division and so runs in vector registers. An output is the logistic function
of a weighted sum: a probability. Loops over units read tables into local names first: otherwise the compiler would have
to load their addresses again after each write, and could not use vectors.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.kernel.parts import Part
from zermelo.networks.outcomes import ExpectedUtility

EIGHTH, QUARTER, HALF, ONE, FOUR = (np.float32(x) for x in (1 / 8, 1 / 4, 1 / 2, 1, 4))


class Network(Part):
    """The weights of two layers. They are tables: other weights need no compiling.

    first, first_bias      inputs × units, and units
    second, second_bias    outputs × units, and outputs
    outcomes               what the outputs mean
    """

    settled = True

    def __init__(self, inputs: int, units: int, outcomes: Any = None, seed: int = 0):
        if units < 1 or units & (units - 1):
            raise ValueError(f"the number of hidden units must be a power of two, not {units}")
        random = np.random.default_rng(seed)
        self.outcomes = ExpectedUtility() if outcomes is None else outcomes
        self.inputs, self.units, self.outputs = inputs, units, self.outcomes.count
        self.first = random.uniform(-0.1, 0.1, (inputs, units)).astype(np.float32)
        self.first_bias = np.zeros(units, np.float32)
        self.second = random.uniform(-0.1, 0.1, (self.outputs, units)).astype(np.float32)
        self.second_bias = np.zeros(self.outputs, np.float32)

    def value(self, game: Any, s: Any, p: int) -> float:
        """The utility to player p that the network predicts."""
        viewer = game.viewer(s)
        sums, hidden = np.empty(self.units, np.float32), np.empty(self.units, np.float32)
        out = np.empty(self.outputs, np.float64)
        self.start(sums)
        for number, amount in game.features(s, viewer):
            self.add(number, amount, sums)
        self.respond(sums, hidden, out)
        value = self.outcomes.value(game, out)
        if viewer == p:
            return float(value)
        low, high = game.utility_range
        return float(low + high - value)

    def start(self, sums: Any) -> None:
        """The hidden units' sums without any feature."""
        bias = self.first_bias
        for j in range(self.units):
            sums[j] = bias[j]

    def add(self, number: int, amount: float, sums: Any) -> None:
        """Add one feature to the hidden units' sums."""
        factor = np.float32(amount)
        weights = self.first
        for j in range(self.units):
            sums[j] += factor * weights[number, j]

    def respond(self, sums: Any, hidden: Any, out: Any) -> None:
        """The hidden units and the outputs for these sums."""
        for j in range(self.units):
            x = min(max(sums[j], -FOUR), FOUR)
            hidden[j] = HALF + QUARTER * x * (ONE - EIGHTH * abs(x))
        products = np.empty(self.units, np.float32)
        weights, bias = self.second, self.second_bias
        for k in range(self.outputs):
            for j in range(self.units):
                products[j] = weights[k, j] * hidden[j]
            half = self.units >> 1
            while half > 0:  # pairs of halves: the same order of additions in both modes, with vectors or without
                for j in range(half):
                    products[j] += products[j + half]
                half >>= 1
            out[k] = 1.0 / (1.0 + math.exp(-float(products[0] + bias[k])))
