"""One step of gradient descent: the weights of a network move towards what is known of one state."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.kernel.parts import Part
from zermelo.networks.layers import add_row, add_to_bias, add_to_row, add_to_rows, clear, times_slopes
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
        network.add_up(phase, numbers, amounts, begin, end, self.sums)
        network.respond(phase, self.sums, self.hidden, self.deep_sums, self.deep, self.out)

    def correct(self, network: Any, phase: int, numbers: Any, amounts: Any, begin: int, end: int, rate: float) -> None:
        """One step on the cross-entropy of outputs and targets, for the features of one state.

        `out` has the outputs before the step.
        """
        self.look(network, phase, numbers, amounts, begin, end)
        units, errors = network.units, self.errors
        clear(errors, units)
        if len(network.hidden) == 0:
            for k in range(network.outputs):
                errors[k] = np.float32(rate * (self.targets[k] - self.out[k]))
        elif network.deep_units == 0:
            self.correct_last(network, phase, self.hidden, units, errors, rate)
            times_slopes(self.sums, units, errors)
        else:
            deep_units, deep_errors, second = network.deep_units, self.deep_errors, network.second
            clear(deep_errors, deep_units)
            self.correct_last(network, phase, self.deep, deep_units, deep_errors, rate)
            times_slopes(self.deep_sums, deep_units, deep_errors)
            for j in range(deep_units):
                add_row(second, phase, j, deep_errors[j], units, errors)
                add_to_row(second, phase, j, deep_errors[j], units, self.hidden)
                network.second_bias[phase, j] += deep_errors[j]
            times_slopes(self.sums, units, errors)
        add_to_bias(network.first_bias, phase, units, errors)
        add_to_rows(network.first, phase, numbers, amounts, begin, end, units, errors)

    def correct_last(self, network: Any, phase: int, hidden: Any, units: int, errors: Any, rate: float) -> None:
        """Correct the weights into the outputs, and add up the errors of the layer before."""
        last = network.last
        for k in range(network.outputs):
            change = np.float32(rate * (self.targets[k] - self.out[k]))
            add_row(last, phase, k, change, units, errors)
            add_to_row(last, phase, k, change, units, hidden)
            network.last_bias[phase, k] += change
