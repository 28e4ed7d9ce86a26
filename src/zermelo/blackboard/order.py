"""The children of a tree in another order: the best first, the worst first, or at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from zermelo.blackboard.wording import Value
from zermelo.game.protocol import CHANCE
from zermelo.search.driver import analyse
from zermelo.search.observer import Observer
from zermelo.trees.tree import Node, Tree

ORDERS = ("given", "best", "worst", "random")


def height(tree: Tree) -> int:
    """The length of the longest path from the root, in moves."""
    depths = np.zeros(len(tree.nodes), np.int64)
    for number in range(1, len(depths)):
        depths[number] = depths[tree.parent[number]] + 1
    return int(depths.max())


def exact_values(tree: Tree) -> dict[int, Value]:
    """Every node's value under perfect play: for player 0, or for all players if there are more than two.

    It is what minimax, expectiminimax or max^n find: the real searches, watched.
    """
    if tree.child_count[0] == 0:
        worth = tuple(float(u) for u in tree.utilities[0])
        return {0: worth if tree.players > 2 else worth[0]}
    scalar = tree.players == 1 or (tree.players == 2 and tree.zero_sum)
    algorithm = ("expectiminimax" if tree.chance else "minimax") if scalar else "maxn"
    collector = _Collector(tree)
    analyse(tree, algorithm=algorithm, depth=height(tree), compile=False, observer=collector)
    if scalar and tree.mover[0] == 1:  # the search's values are those of the player at the root
        constant = constant_sum(tree)
        return {node: constant - worth for node, worth in collector.values.items() if isinstance(worth, float)}
    return collector.values


def constant_sum(tree: Tree) -> float:
    """The sum of the players' utilities, if it is constant."""
    return float(tree.utilities[int(np.argmax(tree.child_count == 0))].sum())


class _Collector(Observer):
    """Notes the value of every node."""

    def __init__(self, tree: Tree):
        self.tree = tree
        self.values: dict[int, Value] = {}
        self.path: list[int] = []

    def visit(self, ply: int, action: int | None) -> None:
        del self.path[ply:]
        self.path.append(0 if action is None else int(self.tree.first_child[self.path[-1]]) + action)

    def value(self, ply: int, value: Value) -> None:
        self.values[self.path[ply]] = value


def reordered(tree: Tree, order: str, seed: int = 0) -> tuple[Tree, tuple[int, ...]]:
    """The tree with the moves of every player in this order, and for each of its nodes the number it had before.

    Best and worst are from the view of the player to move. Chance outcomes keep their order.
    """
    if order not in ORDERS:
        raise ValueError(f"there is no order {order!r}; there are {', '.join(ORDERS)}")
    if order == "given":
        return tree, tuple(range(len(tree.nodes)))
    places = _places(tree, order, seed)
    searched = _rebuilt(tree, places)
    original = [0]
    for number in original:  # grows as it is walked, in the order in which the nodes are numbered
        original.extend(int(tree.first_child[number]) + place for place in places[number])
    return searched, tuple(original)


def _rebuilt(tree: Tree, places: list[list[int]]) -> Tree:
    """The tree with its children in these places."""
    made: dict[int, Node] = {}
    for number in reversed(range(len(tree.nodes))):  # children come after their parent
        at, first = tree.nodes[number], int(tree.first_child[number])
        labels = (*at.labels, *[""] * (len(at.children) - len(at.labels)))
        made[number] = replace(
            at,
            mover=int(tree.mover[number]),
            children=tuple(made[first + place] for place in places[number]),
            odds=tuple(at.odds[place] for place in places[number]) if at.odds else (),
            labels=tuple(labels[place] for place in places[number]) if at.labels else (),
        )
    return Tree(made[0], tree.players, utility_range=tree.utility_range)


def _places(tree: Tree, order: str, seed: int) -> list[list[int]]:
    """For every node, the places of its children in the new order."""
    generator = random.Random(seed)
    key: Callable[[int, int], float] | None = None
    if order != "random":
        values = exact_values(tree)
        key = _preference(tree, values, 1 if order == "best" else -1)
    places = []
    for number in range(len(tree.nodes)):
        row = list(range(int(tree.child_count[number])))
        if tree.mover[number] != CHANCE and key is None:
            generator.shuffle(row)
        elif tree.mover[number] != CHANCE and key is not None:
            first = int(tree.first_child[number])
            row = sorted(row, key=lambda place, n=number, f=first: key(n, f + place))  # type: ignore[misc]
        places.append(row)
    return places


def _preference(tree: Tree, values: dict[int, Value], sense: int) -> Callable[[int, int], float]:
    def preference(parent: int, child: int) -> float:
        worth, mover = values[child], int(tree.mover[parent])
        if isinstance(worth, tuple):
            return -sense * worth[mover]
        return -sense * worth if mover == 0 else sense * worth

    return preference
