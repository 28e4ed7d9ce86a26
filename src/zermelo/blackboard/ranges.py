"""Each node's own range of possible values, as the textbook's Figure 5.5 draws it.

The range of a node follows from the leaves seen so far: an unseen leaf can have any value between the bounds on
utility. This is only a view of the search and never affects it.
"""

from __future__ import annotations

import math

from zermelo.blackboard.wording import Interval
from zermelo.game.protocol import CHANCE
from zermelo.trees.tree import Tree


class Ranges:
    """The range of every node, kept up to date as leaves are seen; values are those of player `maximiser`."""

    def __init__(self, tree: Tree, maximiser: int, bounds: Interval):
        self.tree, self.maximiser, self.bounds = tree, maximiser, bounds
        self._known: dict[int, Interval] = {}

    def forget(self) -> None:
        """Begin again: nothing has been seen."""
        self._known.clear()

    def of(self, node: int) -> Interval:
        """The possible values of the node, from what has been seen so far."""
        return self._known.get(node, self.bounds)

    def see(self, node: int, worth: float) -> dict[int, Interval]:
        """A node turns out to be worth this; returns all ranges that have changed, from the node up to the root."""
        changed = {}
        known = (worth, worth)
        while node >= 0 and known != self._known.get(node):
            changed[node] = self._known[node] = known
            node = int(self.tree.parent[node])
            if node >= 0:
                known = self._from_children(node)
        return changed

    def _from_children(self, node: int) -> Interval:
        first = int(self.tree.first_child[node])
        children = range(first, first + int(self.tree.child_count[node]))
        ranges = [self.of(child) for child in children]
        if self.tree.mover[node] == CHANCE:
            odds = [float(self.tree.odds[child]) for child in children]
            # An outcome that cannot happen adds nothing, not even 0 · ∞.
            possible = [(p, low, high) for p, (low, high) in zip(odds, ranges, strict=True) if p > 0]
            return sum(p * low for p, low, _ in possible), sum(p * high for p, _, high in possible)
        choose = max if self.tree.mover[node] == self.maximiser else min
        return choose(low for low, _ in ranges), choose(high for _, high in ranges)


def sign(worth: float, known: Interval) -> str:
    """How a value relates to the node's range: "" if exact, else "≤", "≥" or "≈"."""
    low, high = known
    close = max(1e-9, 1e-9 * abs(worth))
    if abs(worth - low) <= close and abs(worth - high) <= close:
        return ""
    if worth >= high - close and math.isfinite(high):
        return "≤"
    if worth <= low + close and math.isfinite(low):
        return "≥"
    return "≈"
