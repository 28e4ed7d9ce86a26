"""Numbers and sentences as people read them: the same in every picture, on every page, and in every trace."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from zermelo.game.protocol import CHANCE
from zermelo.search.observer import Reason
from zermelo.trees.tree import Tree

Value = float | tuple[float, ...]
Interval = tuple[float, float]


def number(x: Any) -> str:
    """A number with a true minus sign and at most two decimals; fractions stay fractions."""
    if isinstance(x, Fraction):
        return str(x).replace("-", "−")
    if math.isinf(x):
        return "+∞" if x > 0 else "−∞"
    rounded = round(float(x), 2)
    if rounded == int(rounded):
        text = str(int(rounded)) if rounded or abs(x) < 1e-9 else f"{float(x):.2g}"
    else:
        text = f"{rounded:.2f}".rstrip("0")
    return text.replace("-", "−")


def value(x: Any) -> str:
    """A value: a number, or one for each player."""
    if isinstance(x, tuple):
        return "(" + ", ".join(number(v) for v in x) + ")"
    return number(x)


def interval(bounds: Interval) -> str:
    """An interval as the textbook's Figure 5.5 writes it."""
    return f"[{number(bounds[0])}, {number(bounds[1])}]"


def probability(p: Any) -> str:
    """A probability: two decimals if exact, a small fraction if exact, otherwise three decimals."""
    if isinstance(p, Fraction):
        return str(p)
    if math.isclose(p, round(p, 2), abs_tol=1e-9):
        return f"{round(p, 2):g}"
    near = Fraction(p).limit_denominator(64)
    return str(near) if math.isclose(near, p, abs_tol=1e-9) else f"{p:.3f}"


class Narrator:
    """Describes a search, one sentence for each step."""

    def __init__(self, tree: Tree):
        self.tree = tree

    def kind(self, node: int) -> str:
        """The kind of a node, with its name if it has one."""
        at = self.tree.nodes[node]
        if at.is_leaf:
            word = "leaf"
        elif self.tree.mover[node] == CHANCE:
            word = "chance node"
        else:
            word = f"{self.tree.player_name(int(self.tree.mover[node]))} node"
        return f"{word} {at.name}".strip()

    def this(self, node: int) -> str:
        """The node, as the subject of a sentence."""
        if node == 0 and not self.tree.nodes[0].name:
            return "The root"
        named = self.tree.nodes[node].name
        return named or f"This {self.kind(node)}"

    def _article(self, node: int) -> str:
        return "the" if self.tree.nodes[node].name else "an" if self.kind(node)[0] in "AEIOU" else "a"

    def arrival(self, node: int) -> str:
        """How the search enters a node."""
        if node == 0:
            return f"Begin at the root, {self._article(0)} {self.kind(0)}"
        parent = int(self.tree.parent[node])
        place = node - int(self.tree.first_child[parent])
        labels = self.tree.nodes[parent].labels
        label = labels[place] if place < len(labels) else ""
        turn = f"{place + 1} of {int(self.tree.child_count[parent])}"
        if self.tree.mover[parent] == CHANCE:
            what = f"Chance: outcome {label or turn}, probability {probability(float(self.tree.odds[node]))}"
        else:
            what = f"{self.tree.player_name(int(self.tree.mover[parent]))} tries move {label or turn}"
        return f"{what}, to {self._article(node)} {self.kind(node)}"

    def visit(self, node: int, window: Interval | None) -> str:
        """An interior node is entered."""
        if window is None:
            return f"{self.arrival(node)}."
        return f"{self.arrival(node)}, with α = {number(window[0])} and β = {number(window[1])}."

    def probe(self, node: int) -> str:
        """A node is looked below, to be searched later if need be."""
        return f"{self.arrival(node)}: a probe, one move below it is searched first."

    def leaf(self, node: int, worth: Value) -> str:
        """A leaf is read."""
        return f"{self.arrival(node)}: it is worth {value(worth)}."

    def estimate(self, node: int, worth: Value) -> str:
        """A node at the depth limit is evaluated."""
        return f"{self.arrival(node)}, at the depth limit: the evaluation says {value(worth)}."

    def window(self, node: int, before: Interval, after: Interval) -> str:
        """Alpha or beta has moved."""
        if after[0] != before[0]:
            return f"MAX has {number(after[0])} here: α rises from {number(before[0])} to {number(after[0])}."
        return f"MIN has {number(after[1])} here: β falls from {number(before[1])} to {number(after[1])}."

    def average(self, bounds: Interval, known: int, count: int, probed: bool) -> str:
        """The remaining range of a chance node's average."""
        if bounds[0] == bounds[1]:
            return f"All that matters is known: the average is {number(bounds[0])}."
        seen = f"With {known} of {count} outcomes known"
        if known == 0:
            seen = "After the probes" if probed else "Before any outcome is known"
        return f"{seen}, the average is between {number(bounds[0])} and {number(bounds[1])}."

    def cut(self, node: int, reason: Reason, worth: float, limit: float, left: bool) -> str:
        """Why the rest of a node is not searched; `left` says that there is a rest."""
        here, elsewhere = number(worth), number(limit)
        end = "nothing below can matter." if left else "but that was the last move, and nothing is left to prune."
        if self._below_chance(node) and reason in (Reason.ALPHA, Reason.BETA):
            # The limit is not a player's bound: it is what this outcome must exceed for the average to matter.
            who, more = ("MIN", "more") if reason == Reason.ALPHA else ("MAX", "less")
            return f"{who} already has {here} here, and only {more} than {elsewhere} could move the average: {end}"
        if reason == Reason.ALPHA:
            return f"MIN already has {here} here, MAX already has {elsewhere} elsewhere: {end}"
        if reason == Reason.BETA:
            return f"MAX already has {here} here, MIN already has {elsewhere} elsewhere: {end}"
        if reason == Reason.CHANCE_LOW:
            return f"The average is at most {here} whatever follows, MAX already has {elsewhere} elsewhere: {end}"
        if reason == Reason.CHANCE_HIGH:
            return f"The average is at least {here} whatever follows, MIN already has {elsewhere} elsewhere: {end}"
        return reason.sentence(worth, limit)

    def _below_chance(self, node: int) -> bool:
        while node > 0:
            node = int(self.tree.parent[node])
            if self.tree.mover[node] == CHANCE:
                return True
        return False

    def result(self, node: int, worth: Value, sign: str, searched: bool) -> str:
        """A node is left with its value."""
        if sign == "≤":
            return f"{self.this(node)} is worth at most {value(worth)}: no more needs to be known."
        if sign == "≥":
            return f"{self.this(node)} is worth at least {value(worth)}: no more needs to be known."
        mover = int(self.tree.mover[node])
        if not searched or sign:
            return f"{self.this(node)} is left with {value(worth)}."
        if mover == CHANCE:
            return f"{self.this(node)} is worth the average, {value(worth)}."
        if self.tree.players > 2:
            return f"{self.this(node)}: {self.tree.player_name(mover)} takes {value(worth)}, the best for itself."
        extreme = "greatest" if self.tree.player_name(mover) == "MAX" else "least"
        if isinstance(worth, tuple):
            extreme = "best for itself"
        return f"{self.this(node)}: {self.tree.player_name(mover)} takes the {extreme}, {value(worth)}."
