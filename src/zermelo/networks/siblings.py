"""Sibling states, evaluated one after the other: the states after all moves have most inputs in common.

The first layer's sums of the last state are kept. For the next one only the inputs are added that differ. So an
evaluation takes a fraction of the time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.errors import Unsuitable
from zermelo.kernel.parts import Part
from zermelo.networks.changes import Changes
from zermelo.networks.layers import add_rows, copy_row
from zermelo.networks.network import Network

NONE = -1


class Siblings(Part):
    """The work arrays of one thread that evaluates states with a network, and the last state of each phase.

    sums, viewers      for each phase: the first layer's sums of the last state; the player who sees it, NONE if there
                       is none
    changes            for each phase: the inputs of the last state
    hidden, deep_sums, deep, out    the layers' units, the second one's sums, and the outputs of the last look
    """

    settled = True

    def __init__(self, network: Network):
        if not isinstance(network, Network):
            raise Unsuitable(f"this needs a network of the class Network, not {type(network).__name__}")
        phases, inputs, units = network.first.shape
        self.sums, self.viewers = np.zeros((phases, units), np.float32), np.full(phases, NONE)
        self.changes = Changes(phases, inputs, network.room)
        self.hidden = np.zeros(units, np.float32)
        self.deep_sums, self.deep = (np.zeros(network.deep_units, np.float32) for _ in range(2))
        self.out = np.zeros(network.outputs)

    def forget(self) -> None:
        """Forget the last states: the weights have changed, or rounding errors of many states have added up."""
        for phase in range(len(self.viewers)):
            self.viewers[phase] = NONE

    def value(self, game: Any, s: Any, p: int) -> float:
        """The utility to player p that the network predicts."""
        self.look(game, s)
        return self.worth(game, s, p)

    def worth(self, game: Any, s: Any, p: int) -> float:
        """The utility to player p that the outputs mean, after a look at this state."""
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
        network, phase, viewer = game.network, game.phase(s), game.viewer(s)
        if game.known(s, self.out) > 0:
            return
        sums, changes = self.sums[phase], self.changes
        if self.viewers[phase] != viewer:
            self.viewers[phase] = viewer
            copy_row(network.first_bias, phase, network.units, sums)
            changes.forget(phase)
        count = changes.find(game, s, viewer, phase)
        add_rows(network.first, phase, changes.changed, changes.changes, 0, count, network.units, sums)
        network.respond(phase, sums, self.hidden, self.deep_sums, self.deep, self.out)
