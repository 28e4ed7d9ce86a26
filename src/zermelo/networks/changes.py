"""What differs between a state and the last one: networks add only that to the sums of their first layer."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.kernel.loops import vector_loop
from zermelo.kernel.parts import Part
from zermelo.networks.layers import ZERO

MEMORY = 16
"""The number of words that a game can keep about the last state of each view."""


class Changes(Part):
    """The last state of each view, and the work arrays to compare it with the next one.

    A view is what one network looks at by one set of sums: a phase of the game, or a player.

    amounts            for each view: the amount of each input
    numbers, counts    for each view: the inputs of the last state, and how many there are
    words              for each view: what the game itself remembers of the last state
    seen, looks        for each input: the number of the last look that had it; the number of looks
    listed, shares     the numbers and the amounts of a state's inputs
    changed, changes   the inputs that differ from the last state's, and by how much
    """

    settled = True

    def __init__(self, views: int, inputs: int, room: int):
        self.amounts = np.zeros((views, inputs), np.float32)
        self.numbers, self.counts = np.zeros((views, room), np.int64), np.zeros(views, np.int64)
        self.words = np.zeros((views, MEMORY), np.uint64)
        self.seen, self.looks = np.zeros(inputs, np.int64), np.zeros(1, np.int64)
        self.listed, self.shares = np.zeros(room, np.int64), np.zeros(room, np.float32)
        self.changed, self.changes = np.zeros(2 * room, np.int64), np.zeros(2 * room, np.float32)

    def forget(self, view: int) -> None:
        """Forget the last state of a view: now all inputs of the next one are changes."""
        amounts, words = self.amounts, self.words
        for i in range(amounts.shape[1]):
            amounts[view, i] = 0.0
        for i in range(MEMORY):
            words[view, i] = 0
        self.counts[view] = 0

    def find(self, game: Any, s: Any, p: int, view: int) -> int:
        """Compare a state, as player p sees it, with the last one of this view, and remember it.

        Returns how many changes there are; they are in `changed` and `changes`.
        """
        if game.has_list_changes:
            count = game.list_changes(s, p, self.words[view], self.listed, self.shares)
            return int(keep_changes(self.listed, self.shares, count, self.amounts, view, self.changed, self.changes))
        count = game.list_inputs(s, p, self.listed, self.shares)
        self.looks[0] += 1
        found = find_changes(
            self.listed, self.shares, count, self.numbers, self.counts, self.amounts, view, self.seen, self.looks[0],
            self.changed, self.changes,
        )  # fmt: skip
        return int(found)


@vector_loop()
def keep_changes(listed: Any, shares: Any, count: int, amounts: Any, view: int, changed: Any, changes: Any) -> int:
    """Replace the amounts of the listed inputs; returns how many differ. Pairs are written as in `find_changes`."""
    found = 0
    for i in range(count):
        number, share = listed[i], shares[i]
        change = share - amounts[view, number]
        amounts[view, number] = share
        changed[found] = number
        changes[found] = change
        found += 1 if change != ZERO else 0
    return found


@vector_loop()
def find_changes(
    listed: Any, shares: Any, count: int, numbers: Any, counts: Any, amounts: Any, view: int, seen: Any, tick: int,
    changed: Any, changes: Any,
) -> int:  # fmt: skip
    """Compare the listed inputs with the last state's, which they replace; returns how many changes there are.

    Each pair is written, and counted only if it is a change: a jump that cannot be predicted would take longer.
    """
    found = 0
    for i in range(count):
        number, share = listed[i], shares[i]
        before = amounts[view, number]
        if seen[number] == tick:  # an input that occurs more than once
            change = share
            amounts[view, number] = before + share
        else:
            change = share - before
            amounts[view, number] = share
            seen[number] = tick
        changed[found] = number
        changes[found] = change
        found += 1 if change != ZERO else 0
    for i in range(counts[view]):
        number = numbers[view, i]
        before = amounts[view, number] if seen[number] != tick else ZERO
        amounts[view, number] -= before
        changed[found] = number
        changes[found] = -before
        found += 1 if before != ZERO else 0
    for i in range(count):
        numbers[view, i] = listed[i]
    counts[view] = count
    return found
