"""Random trees: the same seed makes the same tree, on every machine."""

from __future__ import annotations

import math
from fractions import Fraction

from zermelo.game.protocol import CHANCE
from zermelo.kernel.random import Random
from zermelo.trees.source import LETTERS, MAX_DEPTH, MAX_NODES, TreeError
from zermelo.trees.tree import Node

Range = int | tuple[int, int]
TOO_MANY = f"the tree would have more than {MAX_NODES:,} nodes; ask for fewer children or plies"


def random_tree(
    seed: int = 0,
    *,
    branching: Range = 3,
    depth: Range = 2,
    correlation: float = 0.0,
    chance: float = 0.0,
    players: int = 2,
    bounds: tuple[int, int] = (0, 20),
) -> Node:
    """A tree with integers as leaves, uniformly distributed within the bounds.

    `branching` and `depth` are numbers or ranges; with a range, every node has its own number of children and every
    branch its own depth. `correlation` is the share of a leaf's value that comes from the moves on its path, so that
    nearby leaves are similar; at 0 they are independent. `chance` is the share of interior nodes that are chance nodes;
    the players take turns at the others.
    """
    fewest, most = _range("branching", branching, 1, MAX_NODES)
    shallowest, deepest = _range("depth", depth, 0, MAX_DEPTH)
    low, high = _range("bounds", bounds, -(2**53), 2**53)
    if not 0 <= correlation <= 1 or not 0 <= chance <= 1:
        raise TreeError(f"correlation and chance are shares, from 0 to 1, not {correlation} and {chance}")
    if not 1 <= players <= len(LETTERS):
        raise TreeError(f"a tree has 1 to {len(LETTERS)} players, not {players}")
    if sum(fewest**d for d in range(shallowest + 1)) > MAX_NODES:
        raise TreeError(TOO_MANY)  # before growing a million of them
    grower = _Grower(Random(seed), fewest, most, shallowest, deepest, correlation, chance, players, low, high)
    return grower.grown(0, 0, (0.0,) * (players if players > 2 else 1))


class _Grower:
    """Grows a tree from the root down, drawing its numbers in one fixed order."""

    def __init__(
        self,
        random: Random,
        fewest: int,
        most: int,
        shallowest: int,
        deepest: int,
        correlation: float,
        chance: float,
        players: int,
        low: int,
        high: int,
    ):
        self.random, self.players = random, players
        self.fewest, self.most, self.shallowest, self.deepest = fewest, most, shallowest, deepest
        self.correlation, self.chance = correlation, chance
        self.low, self.high = low, high
        self.count = 0

    def grown(self, depth: int, turn: int, path: tuple[float, ...]) -> Node:
        """The tree below a node; `path` is the sum of the moves to it, for each number of a leaf."""
        self.count += 1
        if self.count > MAX_NODES:
            raise TreeError(TOO_MANY)
        if depth == self.deepest or (depth >= self.shallowest and self._one_in(self.deepest - depth + 1)):
            return Node(utility=tuple(self._utility(total, depth) for total in path))
        # A chance node does not use up a turn: the same player moves after it.
        rolls = self.chance > 0 and self.random.uniform() < self.chance
        width = self.fewest + self.random.below(self.most - self.fewest + 1)
        following = turn if rolls else (turn + 1) % self.players
        children = []
        for _ in range(width):
            children.append(self.grown(depth + 1, following, tuple([total + self._normal() for total in path])))
        if not rolls:
            return Node(turn, tuple(children))
        weights = [1 + self.random.below(3) for _ in range(width)]
        return Node(CHANCE, tuple(children), tuple(Fraction(w, sum(weights)) for w in weights))

    def _one_in(self, n: int) -> bool:
        return self.random.below(n) == 0

    def _utility(self, total: float, depth: int) -> int:
        """A number within the bounds: normally distributed, then by its rank, so that all are equally likely."""
        if self.correlation == 0 or depth == 0:
            return self.low + self.random.below(self.high - self.low + 1)
        share = math.sqrt(self.correlation / depth) * total + math.sqrt(1 - self.correlation) * self._normal()
        rank = (1 + math.erf(share / math.sqrt(2))) / 2
        return min(self.high, self.low + int(rank * (self.high - self.low + 1)))

    def _normal(self) -> float:
        """A normally distributed number (Box and Muller 1958); draws nothing if the spread is 0."""
        if self.correlation == 0:
            return 0.0
        radius = math.sqrt(-2 * math.log(1 - self.random.uniform()))
        return radius * math.cos(2 * math.pi * self.random.uniform())


def _range(name: str, given: Range, least: int, most: int) -> tuple[int, int]:
    low, high = given if isinstance(given, tuple) else (given, given)
    if not (isinstance(low, int) and isinstance(high, int) and least <= low <= high <= most):
        raise TreeError(f"{name} is a whole number or two, the smaller first, from {least} to {most:,}; not {given}")
    return low, high
