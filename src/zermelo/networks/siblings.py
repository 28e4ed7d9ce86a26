"""Sibling states, evaluated one after the other: the states after all moves have most features in common.

The first layer's sums of one state, the base, are kept. For another state only the features are added that differ. So
an evaluation takes a fraction of the time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.kernel.parts import Part
from zermelo.networks.layers import add_row
from zermelo.networks.network import Network

NONE = -1


class Siblings(Part):
    """The work arrays of one thread that evaluates states with a network, and the base of each phase.

    base, amounts      for each phase: the first layer's sums of the base, and the amount of each feature
    numbers, counts    for each phase: the features of the base, and how many there are
    viewers            for each phase: the player who sees the base, NONE if there is no base
    seen               for each feature: the number of the last look that had it
    listed, shares     the numbers and the amounts of a state's features
    sums, hidden, deep_sums, deep, out    the layers' sums, their units and the outputs of the last look
    """

    settled = True

    def __init__(self, network: Network):
        phases, inputs, units = network.first.shape
        self.base, self.amounts = np.zeros((phases, units), np.float32), np.zeros((phases, inputs), np.float32)
        self.numbers, self.counts = np.zeros((phases, inputs), np.int64), np.zeros(phases, np.int64)
        self.viewers, self.seen = np.full(phases, NONE), np.zeros(inputs, np.int64)
        self.looks = np.zeros(1, np.int64)
        self.listed, self.shares = np.zeros(network.room, np.int64), np.zeros(network.room, np.float32)
        self.sums, self.hidden = np.zeros(units, np.float32), np.zeros(units, np.float32)
        self.deep_sums, self.deep = (np.zeros(network.deep_units, np.float32) for _ in range(2))
        self.out = np.zeros(network.outputs)

    def forget(self) -> None:
        """Forget the bases: other siblings follow, or the weights have changed."""
        for phase in range(len(self.viewers)):
            self.viewers[phase] = NONE

    def value(self, game: Any, s: Any, p: int) -> float:
        """The utility to player p that the network predicts."""
        self.look(game, s)
        value = game.network.outcomes.value(game, s, self.out)
        if game.side(game.viewer(s)) == game.side(p):
            return float(value)
        low, high = game.utility_range
        return float(low + high - value)

    def predict(self, game: Any, s: Any, p: int, out: Any) -> None:
        """Write all outputs, as player p sees them, into an array."""
        self.look(game, s)
        same = game.side(game.viewer(s)) == game.side(p)
        for k in range(len(self.out)):
            out[k] = self.out[k] if same else game.network.outcomes.turned(self.out, k)

    def look(self, game: Any, s: Any) -> None:
        """Find the network's outputs, as `game.viewer` sees them: they are in `out`."""
        if game.known(s, self.out) > 0:
            return
        phase, viewer = game.phase(s), game.viewer(s)
        if self.viewers[phase] == viewer:
            self.update(game, s, phase, viewer)
        else:
            self.take(game, s, phase, viewer)
        game.network.respond(phase, self.sums, self.hidden, self.deep_sums, self.deep, self.out)

    def take(self, game: Any, s: Any, phase: int, viewer: int) -> None:
        """Make this state the base of its phase."""
        network, sums, amounts, numbers = game.network, self.sums, self.amounts, self.numbers
        for i in range(self.counts[phase]):
            amounts[phase, numbers[phase, i]] = 0.0
        count = 0
        self.looks[0] += 1
        network.start(phase, sums)
        for i in range(game.list_features(s, viewer, self.listed, self.shares)):
            number, amount = self.listed[i], self.shares[i]
            if self.seen[number] != self.looks[0]:
                self.seen[number] = self.looks[0]
                numbers[phase, count] = number
                count += 1
            amounts[phase, number] += amount
            network.add(phase, number, amount, sums)
        self.counts[phase] = count
        self.viewers[phase] = viewer
        base = self.base
        for j in range(network.units):
            base[phase, j] = sums[j]

    def update(self, game: Any, s: Any, phase: int, viewer: int) -> None:
        """The first layer's sums, from those of the base and the differences."""
        network, sums, base, amounts, seen = game.network, self.sums, self.base, self.amounts, self.seen
        weights, units = network.first, network.units
        for j in range(units):
            sums[j] = base[phase, j]
        tick = self.looks[0] + 1
        self.looks[0] = tick
        listed, shares = self.listed, self.shares
        for i in range(game.list_features(s, viewer, listed, shares)):
            number, more = listed[i], shares[i]
            if seen[number] != tick:
                seen[number] = tick
                more -= amounts[phase, number]
            if more != 0.0:
                add_row(weights, phase, number, more, units, sums)
        for i in range(self.counts[phase]):
            number = self.numbers[phase, i]
            if seen[number] != tick:
                add_row(weights, phase, number, -amounts[phase, number], units, sums)
