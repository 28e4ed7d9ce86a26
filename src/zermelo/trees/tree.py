"""A game given by its tree, node by node.

`Node` is the tree as people write it, with names, labels and unknown leaves; `Tree` is the game. The game keeps the
tree in arrays, which travel with the compiled game as tables: all trees of one kind share one compiled program, and a
new tree costs nothing to try.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.game.errors import GameError, TooDeep
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import i32

MAX, MIN = 0, 1

Number = int | float | Fraction


@dataclass(frozen=True)
class Node:
    """A node of a tree: its children and the player who chooses among them, or its utility if it is a leaf."""

    mover: int | None = None  # None: the player after the last one who moved above it
    children: tuple[Node, ...] = ()
    odds: tuple[Number, ...] = ()  # the children's probabilities, at a chance node
    utility: tuple[Number, ...] = ()  # of a leaf: one number for each player, or MAX's alone
    unknown: str = ""  # of a leaf with an unknown utility: its name
    estimate: tuple[Number, ...] = ()  # the evaluation of an interior node
    name: str = ""
    labels: tuple[str, ...] = ()  # names of the moves to the children; "" if a move has no name

    @property
    def is_leaf(self) -> bool:
        """Has it no children?"""
        return not self.children


def leaf(*utility: Number, name: str = "") -> Node:
    """A leaf with its utility: MAX's, or one number for each player."""
    return Node(utility=utility, name=name)


def unknown(letter: str, name: str = "") -> Node:
    """A leaf whose utility is not known, and is called by a letter."""
    return Node(unknown=letter, name=name)


def node(
    mover: int | None,
    *children: Any,
    estimate: Sequence[Number] = (),
    name: str = "",
    labels: Sequence[str] = (),
) -> Node:
    """An interior node at which this player moves (MAX is 0, MIN is 1)."""
    return Node(mover, tuple(to_node(c) for c in children), (), (), "", tuple(estimate), name, tuple(labels))


def chance(
    *outcomes: tuple[Number, Any], estimate: Sequence[Number] = (), name: str = "", labels: Sequence[str] = ()
) -> Node:
    """A chance node: pairs of probability and child."""
    children = tuple(to_node(child) for _, child in outcomes)
    return Node(CHANCE, children, tuple(p for p, _ in outcomes), (), "", tuple(estimate), name, tuple(labels))


def to_node(tree: Any) -> Node:
    """A tree as nodes.

    A list is an interior node, a number MAX's utility, a tuple of numbers one for each player, and a word an unknown
    leaf.
    """
    try:
        return _to_node(tree)
    except RecursionError:
        raise TooDeep("the tree is nested too deep for lists: write it as text, or as its own Game class") from None


def _to_node(tree: Any) -> Node:
    if isinstance(tree, Node):
        return tree
    if isinstance(tree, list):
        return Node(children=tuple(_to_node(child) for child in tree))
    if isinstance(tree, tuple):
        return leaf(*tree)
    if isinstance(tree, str):
        return unknown(tree)
    return leaf(tree)


def filled(tree: Node, values: Mapping[str, Number]) -> Node:
    """The tree with its unknown leaves known."""
    if not values:
        return tree
    if tree.is_leaf:
        if tree.unknown in values:
            return replace(tree, unknown="", utility=(values[tree.unknown],))
        return tree
    return replace(tree, children=tuple(filled(child, values) for child in tree.children))


class TreeState(NamedTuple):
    """A node, by number: the root is 0, and the children of a node have consecutive numbers."""

    node: i32


class Tree(Game):
    """A game given by its tree: nested lists with numbers as leaves, or nodes made by `node`, `chance` and `leaf`.

    At a node without a mover, the player moves who comes after the one that moved last above it; chance does not count.
    `first` moves if nobody has moved yet. Unknown leaves need values, given by name.
    """

    def __init__(
        self,
        tree: Any,
        players: int = 2,
        first: int = MAX,
        utility_range: tuple[float, float] = (-math.inf, math.inf),
        **values: Number,
    ):
        self.players = players
        self.root = filled(to_node(tree), values)
        rows = list(_numbered(self.root, first, players))
        size = len(rows)
        self.nodes = [at for at, _, _ in rows]  # a list, which is no constant of the compiled program
        self.first_child = np.zeros(size, np.int32)
        self.child_count = np.zeros(size, np.int32)
        self.parent = np.full(size, -1, np.int32)
        self.mover = np.zeros(size, np.int8)
        self.odds = np.ones(size)
        self.utilities = np.zeros((size, players))
        self.estimates = np.zeros((size, players))
        for number, (at, mover, first_child) in enumerate(rows):
            self.first_child[number] = first_child
            self.child_count[number] = len(at.children)
            self.parent[first_child : first_child + len(at.children)] = number
            self.mover[number] = mover
            self.odds[first_child : first_child + len(at.odds)] = [float(p) for p in at.odds]
            if at.is_leaf:
                self.utilities[number] = self._for_each_player(at)
            if at.estimate:
                self.estimates[number] = self._shared(at.estimate)
        self.chance = bool((self.mover == CHANCE).any())
        leaves = self.utilities[self.child_count == 0]
        self.zero_sum = players < 3 and bool(np.allclose(leaves.sum(axis=1), leaves[0].sum()))
        self._range = utility_range
        self._check_range()

    def _check_range(self) -> None:
        """Leaves and estimates must be within the declared range, because chance nodes are pruned by it."""
        low, high = self._range
        columns = 1 if self.zero_sum and self.players == 2 else self.players
        for kind, table in (("leaf", self.utilities), ("estimate", self.estimates)):
            for number, at in enumerate(self.nodes):
                if at.is_leaf if kind == "leaf" else bool(at.estimate):
                    for value in table[number, :columns]:
                        if not low <= value <= high:
                            raise GameError(
                                f"the {kind} {value:g} lies outside the declared range from {low:g} to {high:g}"
                            )

    @property
    def utility_range(self) -> tuple[float, float]:  # type: ignore[override]
        """As declared: not a constant of the compiled program, so that trees of all ranges share one."""
        return self._range

    def utility_bounds(self, p: int) -> tuple[float, float]:
        """The range is MAX's. In a constant-sum game with two players, MIN's range follows from it."""
        low, high = self._range
        if p == MIN and self.players == 2 and self.zero_sum:
            total = float(self.utilities[self.child_count == 0][0].sum())
            return total - high, total - low
        return low, high

    @property
    def max_actions(self) -> int:  # type: ignore[override]
        """The widest node's children."""
        return max(1, int(self.child_count.max()))

    def _for_each_player(self, at: Node) -> list[float]:
        if at.unknown:
            raise GameError(f"the leaf {at.unknown} is unknown: give its value, as in Tree(tree, {at.unknown}=3)")
        return self._shared(at.utility)

    def _shared(self, utility: Sequence[Number]) -> list[float]:
        if len(utility) == self.players:
            return [float(u) for u in utility]
        if len(utility) == 1 and self.players == 2:
            return [float(utility[0]), -float(utility[0])]
        raise GameError(f"a leaf has {len(utility)} numbers, {utility}, but the tree has {self.players} players")

    def initial(self) -> TreeState:
        return TreeState(0)

    def to_move(self, s: TreeState) -> int:
        return int(self.mover[s.node])

    def actions(self, s: TreeState) -> Iterator[int]:
        for a in range(self.child_count[s.node]):
            yield a

    def result(self, s: TreeState, a: int) -> TreeState:
        return TreeState(self.first_child[s.node] + a)

    def is_terminal(self, s: TreeState) -> bool:
        return bool(self.child_count[s.node] == 0)

    def utility(self, s: TreeState, p: int) -> float:
        return float(self.utilities[s.node, p])

    def outcomes(self, s: TreeState) -> Iterator[tuple[int, float]]:
        for a in range(self.child_count[s.node]):
            yield a, float(self.odds[self.first_child[s.node] + a])

    def evaluate(self, s: TreeState, p: int) -> float:
        return float(self.estimates[s.node, p])

    def bounds(self, s: TreeState) -> tuple[float, float]:
        """No static bounds: the declared range is not a constant of the compiled program."""
        return (-math.inf, math.inf)

    # For people.

    def _repr_svg_(self) -> str:
        """A picture for notebooks. A higher layer draws it, and is imported only if needed."""
        drawn: str = importlib.import_module("zermelo.blackboard.svg").draw(self)
        return drawn

    def action_name(self, s: TreeState, a: int) -> str:
        labels = self.nodes[s.node].labels
        return labels[a] if a < len(labels) and labels[a] else str(a)

    def player_name(self, p: int) -> str:
        if p == CHANCE:
            return "chance"
        return ("MAX", "MIN")[p] if self.players <= 2 else "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[p]


def turns(at: Node, turn: int, players: int) -> tuple[int, int]:
    """Who moves at a node if it is this player's turn, and whose turn it is below; chance moves out of turn."""
    mover = turn if at.mover is None else at.mover
    return mover, turn if mover == CHANCE else (mover + 1) % players


def _numbered(root: Node, first: int, players: int) -> Iterator[tuple[Node, int, int]]:
    """Every node, breadth first, with its mover and the number of its first child."""
    level, following = [(root, first % players)], 1
    while level:
        below = []
        for at, turn in level:
            mover, after = turns(at, turn, players)
            yield at, mover, following
            following += len(at.children)
            below += [(child, after) for child in at.children]
        level = below
