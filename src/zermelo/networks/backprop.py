"""One step of gradient descent: the weights of a network move towards what is known of one state."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.kernel.parts import Part
from zermelo.networks.layers import ZERO, add_row, slopes
from zermelo.networks.network import Network


class Step(Part):
    """The work arrays of one learner: sums, units and errors of the layers, outputs and targets."""

    settled = True

    def __init__(self, network: Network):
        self.sums, self.hidden, self.errors = (np.zeros(network.units, np.float32) for _ in range(3))
        self.deep_sums, self.deep, self.deep_errors = (np.zeros(network.deep_units, np.float32) for _ in range(3))
        self.out, self.targets = np.zeros(network.outputs), np.zeros(network.outputs)

    def look(self, network: Any, phase: int, numbers: Any, amounts: Any, begin: int, end: int) -> None:
        """The outputs for the features from `begin` to `end` of a list."""
        sums = self.sums
        network.start(phase, sums)
        for i in range(begin, end):
            network.add(phase, numbers[i], amounts[i], sums)
        network.respond(phase, sums, self.hidden, self.deep_sums, self.deep, self.out)

    def correct(self, network: Any, phase: int, numbers: Any, amounts: Any, begin: int, end: int, rate: float) -> None:
        """One step on the cross-entropy of outputs and targets, for the features of one state.

        `out` has the outputs before the step.
        """
        self.look(network, phase, numbers, amounts, begin, end)
        units, errors = network.units, self.errors
        for j in range(units):
            errors[j] = ZERO
        if len(network.hidden) == 0:
            for k in range(network.outputs):
                errors[k] = np.float32(rate * (self.targets[k] - self.out[k]))
        elif network.deep_units == 0:
            self.correct_last(network, phase, self.hidden, units, errors, rate)
            slopes(self.sums, units, errors)
        else:
            deep_units, deep_errors, second = network.deep_units, self.deep_errors, network.second
            for j in range(deep_units):
                deep_errors[j] = ZERO
            self.correct_last(network, phase, self.deep, deep_units, deep_errors, rate)
            slopes(self.deep_sums, deep_units, deep_errors)
            for j in range(deep_units):
                add_row(second, phase, j, deep_errors[j], units, errors)
                add_to_row(second, phase, j, deep_errors[j], units, self.hidden)
                network.second_bias[phase, j] += deep_errors[j]
            slopes(self.sums, units, errors)
        first, first_bias = network.first, network.first_bias
        for j in range(units):
            first_bias[phase, j] += errors[j]
        for i in range(begin, end):
            add_to_row(first, phase, numbers[i], np.float32(amounts[i]), units, errors)

    def correct_last(self, network: Any, phase: int, hidden: Any, units: int, errors: Any, rate: float) -> None:
        """Correct the weights into the outputs, and add up the errors of the layer before."""
        last = network.last
        for k in range(network.outputs):
            change = np.float32(rate * (self.targets[k] - self.out[k]))
            add_row(last, phase, k, change, units, errors)
            add_to_row(last, phase, k, change, units, hidden)
            network.last_bias[phase, k] += change


def add_to_row(weights: Any, phase: int, row: int, factor: Any, units: int, amounts: Any) -> None:
    """Add amounts, times a factor, to one row of weights."""
    for j in range(units):
        weights[phase, row, j] += factor * amounts[j]
