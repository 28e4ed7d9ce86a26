"""Sibling states, evaluated one after the other: the states after all moves have most features in common.

The first layer's sums of the last state are kept. For the next one only the features are added that differ. So an
evaluation takes a fraction of the time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.kernel.loops import vector_loop
from zermelo.kernel.parts import Part
from zermelo.networks.layers import ZERO, add_rows, clear, copy_row
from zermelo.networks.network import Network

NONE = -1
MEMORY = 16
"""The number of words that a game can keep about the last state of each phase."""


class Siblings(Part):
    """The work arrays of one thread that evaluates states with a network, and the last state of each phase.

    sums, amounts      for each phase: the first layer's sums of the last state, and the amount of each feature
    numbers, counts    for each phase: the features of the last state, and how many there are
    viewers            for each phase: the player who sees the last state, NONE if there is none
    words              for each phase: what the game itself remembers of the last state
    seen, looks        for each feature: the number of the last look that had it; the number of looks
    listed, shares     the numbers and the amounts of a state's features
    changed, changes   the features that differ from the last state's, and by how much
    hidden, deep_sums, deep, out    the layers' units, the second one's sums, and the outputs of the last look
    """

    settled = True

    def __init__(self, network: Network):
        phases, inputs, units = network.first.shape
        self.sums, self.amounts = np.zeros((phases, units), np.float32), np.zeros((phases, inputs), np.float32)
        self.numbers, self.counts = np.zeros((phases, network.room), np.int64), np.zeros(phases, np.int64)
        self.viewers, self.seen = np.full(phases, NONE), np.zeros(inputs, np.int64)
        self.words = np.zeros((phases, MEMORY), np.uint64)
        self.looks = np.zeros(1, np.int64)
        self.listed, self.shares = np.zeros(network.room, np.int64), np.zeros(network.room, np.float32)
        self.changed = np.zeros(2 * network.room, np.int64)
        self.changes = np.zeros(2 * network.room, np.float32)
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
        if game.has_list_changes:
            self.update(game, s, phase, viewer)
            return
        count = game.list_features(s, viewer, self.listed, self.shares)
        sums = self.sums[phase]
        self.looks[0] += 1
        changes = find_changes(
            self.listed, self.shares, count, self.numbers, self.counts, self.amounts, phase, self.seen, self.looks[0],
            self.changed, self.changes,
        )  # fmt: skip
        if self.viewers[phase] == viewer:
            add_rows(network.first, phase, self.changed, self.changes, 0, changes, network.units, sums)
        else:
            self.viewers[phase] = viewer
            network.add_up(phase, self.listed, self.shares, 0, count, sums)
        network.respond(phase, sums, self.hidden, self.deep_sums, self.deep, self.out)

    def update(self, game: Any, s: Any, phase: int, viewer: int) -> None:
        """Find the outputs for a game that compares a state with the last one by itself."""
        network, sums, words = game.network, self.sums[phase], self.words[phase]
        if self.viewers[phase] != viewer:
            self.viewers[phase] = viewer
            copy_row(network.first_bias, phase, network.units, sums)
            clear(self.amounts[phase], network.inputs)
            for i in range(MEMORY):
                words[i] = 0
        count = game.list_changes(s, viewer, words, self.listed, self.shares)
        count = keep_changes(self.listed, self.shares, count, self.amounts, phase, self.changed, self.changes)
        add_rows(network.first, phase, self.changed, self.changes, 0, count, network.units, sums)
        network.respond(phase, sums, self.hidden, self.deep_sums, self.deep, self.out)


@vector_loop()
def keep_changes(listed: Any, shares: Any, count: int, amounts: Any, phase: int, changed: Any, changes: Any) -> int:
    """Replace the amounts of the listed features; returns how many differ. Pairs are written as in `find_changes`."""
    found = 0
    for i in range(count):
        number, share = listed[i], shares[i]
        change = share - amounts[phase, number]
        amounts[phase, number] = share
        changed[found] = number
        changes[found] = change
        found += 1 if change != ZERO else 0
    return found


@vector_loop()
def find_changes(
    listed: Any, shares: Any, count: int, numbers: Any, counts: Any, amounts: Any, phase: int, seen: Any, tick: int,
    changed: Any, changes: Any,
) -> int:  # fmt: skip
    """Compare the listed features with the last state's, which they replace; returns how many changes there are.

    Each pair is written, and counted only if it is a change: a jump that cannot be predicted would take longer.
    """
    found = 0
    for i in range(count):
        number, share = listed[i], shares[i]
        before = amounts[phase, number]
        if seen[number] == tick:  # a feature that occurs more than once
            change = share
            amounts[phase, number] = before + share
        else:
            change = share - before
            amounts[phase, number] = share
            seen[number] = tick
        changed[found] = number
        changes[found] = change
        found += 1 if change != ZERO else 0
    for i in range(counts[phase]):
        number = numbers[phase, i]
        before = amounts[phase, number] if seen[number] != tick else ZERO
        amounts[phase, number] -= before
        changed[found] = number
        changes[found] = -before
        found += 1 if before != ZERO else 0
    for i in range(count):
        numbers[phase, i] = listed[i]
    counts[phase] = count
    return found
