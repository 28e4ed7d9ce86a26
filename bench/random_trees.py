"""Random game trees of any branching and depth that are never stored: a state is a seed, and its children follow.

Every move has a random *edge*, good for MAX where it is high. What the leaves are worth comes in two kinds:

    summed        the edges on the path added up, mixed with noise of the leaf's own. `correlation` is the edges'
                  share of the variance: two leaves that share k of their m moves have correlation · k/m. With 0
                  the leaves are independent, which is what the theory of random trees is about.
    handed down   each node's value is known before its children are made: the best move keeps it, and every other
                  loses by as much as its edge is worse. So the true order of the moves is known at every node.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import zermelo
from zermelo import CHANCE, Game, i64, u16, u64
from zermelo.game.hashing import SEED, mix

NATURAL, BEST_FIRST, WORST_FIRST = range(3)
"""The order of the moves: as they come, which is random, or sorted by their edges for the player to move."""

ORDERS = ("natural", "best first", "worst first")
EDGE_UNIT = 2.0**-31
NOISE = 0x452821E638D01377  # keeps a leaf's noise apart from its children's seeds


class Node(NamedTuple):
    seed: u64
    value: i64  # the sum of the edges on the path; in a handed-down tree the node's minimax value
    ply: u16


class RandomTree(Game):
    """MAX and MIN in turn, so many moves at each node, so many plies.

    The numbers are tables, not constants, so that one compiled program serves trees of every shape. `leaves`
    counts how often a leaf's utility has been asked for.
    """

    def __init__(
        self,
        branching: int,
        depth: int,
        seed: int = 0,
        correlation: float = 0.0,
        order: int = NATURAL,
        handed_down: bool = False,
    ):
        self.order, self.handed_down = order, handed_down
        self.shape = np.array([branching, depth], np.int64)
        self.start = np.array([mix(SEED, seed)], np.uint64)
        noise = 0.0 if handed_down else (1.0 - correlation) ** 0.5
        edges = 1.0 if handed_down else (correlation / depth) ** 0.5
        self.weights = np.array([edges, noise])
        self.leaves = np.zeros(1, np.int64)

    def initial(self) -> Node:
        return Node(int(self.start[0]), 0, 0)

    def to_move(self, s: Node) -> int:
        return self.turn(s)

    def actions(self, s: Node) -> Iterator[int]:
        count = self.shape[0]
        if self.order == NATURAL:
            for a in range(count):
                yield a
        else:
            sign = self.sign(s) if self.order == BEST_FIRST else -self.sign(s)
            tried = u64(0)
            for _ in range(count):  # one at a time: after a cut the rest are never sorted
                chosen, best = -1, i64(0)
                for a in range(count):
                    if not tried >> u64(a) & u64(1):
                        edge = sign * self.edge(s, a)
                        if chosen < 0 or edge > best:
                            chosen, best = a, edge
                tried |= u64(1) << u64(chosen)
                yield chosen

    def result(self, s: Node, a: int) -> Node:
        return Node(mix(s.seed, a), s.value + self.edge(s, a) - self.best_edge(s), s.ply + 1)

    def is_terminal(self, s: Node) -> bool:
        return s.ply >= self.shape[1]

    def utility(self, s: Node, p: int) -> float:
        self.leaves[0] += 1
        return self.worth(s) if p == 0 else -self.worth(s)

    def worth(self, s: Node) -> float:
        """What a leaf is worth to MAX."""
        return self.total(s)

    def total(self, s: Node) -> float:
        """The edges and the leaf's noise, in their proportion."""
        noise = i64(mix(s.seed, NOISE) >> 32) - (1 << 31)
        return (self.weights[0] * s.value + self.weights[1] * noise) * EDGE_UNIT

    def turn(self, s: Node) -> int:
        """0 where MAX moves, or threw the dice, and 1 for MIN."""
        return s.ply % 2

    def edge(self, s: Node, a: int) -> int:
        """What the move is worth to MAX, from -2³¹ to 2³¹ - 1."""
        return i64(mix(s.seed, a) >> 32) - (1 << 31)

    def best_edge(self, s: Node) -> int:
        """In a handed-down tree the edge of the best move, which is to lose nothing; 0 in a summed one."""
        if not self.handed_down:
            return i64(0)
        sign, best = self.sign(s), i64(-(1 << 31))
        for a in range(self.shape[0]):
            best = max(best, sign * self.edge(s, a))
        return sign * best

    def sign(self, s: Node) -> int:
        """1 where MAX moves, -1 where MIN does."""
        return i64(1) - 2 * i64(self.turn(s))


class RandomDiceTree(RandomTree):
    """A summed tree with a throw of equally likely outcomes after each move but, with odd plies, the last one.

    Pruning at chance nodes needs bounds on the utility: the leaves are cut to lie between -1 and 1.
    """

    chance = True
    utility_range = (-1, 1)
    max_actions = 64

    def __init__(
        self, branching: int, outcomes: int, plies: int, seed: int = 0, correlation: float = 0.0, order: int = NATURAL
    ):
        super().__init__(branching, plies, seed, correlation, order)
        self.dice = np.array([outcomes], np.int64)

    def to_move(self, s: Node) -> int:
        return CHANCE if s.ply % 2 else self.turn(s)

    def turn(self, s: Node) -> int:
        return s.ply // 2 % 2

    def outcomes(self, s: Node) -> Iterator[tuple[int, float]]:
        for outcome in range(self.dice[0]):
            yield outcome, 1.0 / self.dice[0]

    def worth(self, s: Node) -> float:
        return max(-1.0, min(1.0, self.total(s)))


def leaves_of(game: RandomTree, algorithm: str) -> tuple[int, float]:
    """How many leaves the compiled search looks at, and the value that it finds."""
    game.leaves[0] = 0
    found = zermelo.analyse(game, algorithm=algorithm, depth=int(game.shape[1]), compile=True)
    assert found.exact
    assert isinstance(found.value, float)
    return int(game.leaves[0]), found.value
