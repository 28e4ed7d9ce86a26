"""Move orders for alpha-beta: by value, and the orders that are proven best and worst.

The leaves seen at a node depend on its window, and its result depends on the order below it. For each node and window,
all possible results are computed, with the fewest (or the most) leaves for each: an exact search over all orders
without listing any twice.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import CHANCE
from zermelo.trees.piecewise import Extended
from zermelo.trees.tree import MAX, Node
from zermelo.trees.variations import arranged, chooser, everywhere, utility_of, value_of, with_movers

WIDEST = 12
"""The most moves at a node for which all orders are searched: the sets of them are searched, 2 to this power."""


def by_value(tree: Any, best_first: bool = True, first: int = MAX, players: int = 2) -> Node:
    """The tree with every player's moves sorted by true value, best or worst first for the player to move.

    On a tree whose nodes of one depth are alike, best first gives alpha-beta the least work (Knuth and Moore 1975).
    On others it need not: a refutation by a small subtree is cheaper than a better one by a large subtree.
    """

    def at(node: Node) -> Node:
        if node.is_leaf or node.mover == CHANCE:
            return node
        sign = -1 if (node.mover == MAX) == best_first else 1
        order = sorted(range(len(node.children)), key=lambda i: sign * value_of(node.children[i]))
        return arranged(node, order)

    return everywhere(with_movers(tree, first, players), at)


def fewest_leaves(tree: Any, cut_ties: bool = True, first: int = MAX, players: int = 2) -> Node:
    """The tree in an order in which alpha-beta sees as few leaves as in any: nothing prunes more."""
    return _Orders(1, cut_ties).rearranged(with_movers(tree, first, players))


def most_leaves(tree: Any, cut_ties: bool = True, first: int = MAX, players: int = 2) -> Node:
    """The tree in an order in which alpha-beta sees as many leaves as in any: nothing prunes less."""
    return _Orders(-1, cut_ties).rearranged(with_movers(tree, first, players))


class _Way(NamedTuple):
    """One way to search a node: the number of leaves seen (negative to maximise), and the children tried."""

    leaves: int
    tried: tuple[tuple[int, Node], ...] = ()  # each by its number, with its own children in the order that they need


class _Orders:
    """All orders of a tree; those with the least `weight · leaves` are kept."""

    def __init__(self, weight: int, cut_ties: bool):
        self.weight, self.cut_ties = weight, cut_ties
        self.known: dict[tuple[int, Extended, Extended], dict[Extended, tuple[int, Node]]] = {}

    def rearranged(self, root: Node) -> Node:
        outcomes = self.outcomes(root, -math.inf, math.inf)
        return min(outcomes.values(), key=lambda outcome: outcome[0])[1]

    def outcomes(self, node: Node, alpha: Extended, beta: Extended) -> dict[Extended, tuple[int, Node]]:
        """Each value that alpha-beta can return for this node in this window, with the leaves seen and the order."""
        if node.is_leaf:
            return {utility_of(node): (self.weight, node)}
        key = id(node), alpha, beta
        if key not in self.known:
            ways = self._ways(node, alpha, beta)
            self.known[key] = {value: (way.leaves, _in_order(node, way)) for value, way in ways.items()}
        return self.known[key]

    def _ways(self, node: Node, alpha: Extended, beta: Extended) -> dict[Extended, _Way]:
        """The best way to each value. Only which moves were tried, and the best so far, matter for the others."""
        if node.mover == CHANCE:
            raise Unsuitable("alpha-beta has no chance nodes, and this tree has")
        if len(node.children) > WIDEST:
            raise Unsuitable(f"a node has {len(node.children)} moves, and all orders are searched for at most {WIDEST}")
        maximises = chooser(node) is max
        found: dict[Extended, _Way] = {}
        worst: Extended = -math.inf if maximises else math.inf
        begun = {(frozenset[int](), worst): _Way(0)}
        while begun:
            longer: dict[tuple[frozenset[int], Extended], _Way] = {}
            for (tried, best), way in begun.items():
                low, high = (max(alpha, best), beta) if maximises else (alpha, min(beta, best))
                for i, child in enumerate(node.children):
                    if i in tried:
                        continue
                    for value, (leaves, below) in self.outcomes(child, low, high).items():
                        reached = max(best, value) if maximises else min(best, value)
                        next_way = _Way(way.leaves + leaves, (*way.tried, (i, below)))
                        cut = self._is_enough(reached, beta) if maximises else self._is_enough(alpha, reached)
                        if cut or len(tried) + 1 == len(node.children):
                            _keep(found, reached, next_way)
                        else:
                            _keep(longer, (tried | {i}, reached), next_way)
            begun = longer
        return found

    def _is_enough(self, value: Extended, limit: Extended) -> bool:
        return value >= limit if self.cut_ties else value > limit


def _keep(ways: dict[Any, _Way], key: Any, way: _Way) -> None:
    if key not in ways or way.leaves < ways[key].leaves:
        ways[key] = way


def _in_order(node: Node, way: _Way) -> Node:
    """The node with the children that were tried first, and those that were pruned after them."""
    tried = dict(way.tried)
    children = tuple(tried.get(i, child) for i, child in enumerate(node.children))
    pruned = [i for i in range(len(children)) if i not in tried]
    return arranged(replace(node, children=children), (*tried, *pruned))
