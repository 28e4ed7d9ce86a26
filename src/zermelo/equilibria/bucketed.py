"""Monte Carlo CFR for hold'em over buckets: external sampling (Lanctot et al. 2009) on the tree of betting.

What a player knows is a node of that tree and a bucket, so everything fits into two arrays. The entries of a bucket lie
together: one deal touches only a few rows of them. Iterations come in blocks, and after block t regrets and averages
are multiplied by t / (t + 1): linear weights (Brown and Sandholm 2019).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.equilibria.betting import BettingTree
from zermelo.equilibria.bucket_strategy import BucketStrategy, rounded
from zermelo.equilibria.strategy import StrategyError
from zermelo.games.poker.buckets import Dealer, Limits
from zermelo.games.poker.holdem import MOST_MOVES, Holdem
from zermelo.kernel.archives import read_arrays
from zermelo.kernel.calls import read_flag
from zermelo.kernel.no_game import NoGame
from zermelo.kernel.ordinals import number_of
from zermelo.kernel.parts import Part
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import run

NO_GAME = NoGame("Bucketed")
STREETS = 4
MOST_PLIES = STREETS * MOST_MOVES
HOPELESS, PRUNED = -500.0, 0.95
"""In this share of the iterations, moves with less regret in chips are not followed (Brown and Sandholm 2019,
*Superhuman AI for multiplayer poker*)."""
STEP = 20_000
"""Iterations between two looks at the clock."""
SKIPPED = 1e9
"""In place of the value of a move that was not followed."""


class Table(Part):
    """Regrets and average strategy.

    regret, total    [entry]; `base[street] + bucket * entries[street] + start[node]` is the first one of a node
    current, values  [ply, move] the strategy and the values on the path
    buckets, rows    [player, street] of the present deal: the buckets, and their first entries
    """

    settled = True

    def __init__(self, tree: BettingTree, buckets: tuple[int, ...]):
        sizes = [n * int(entries) for n, entries in zip(buckets, tree.entries, strict=True)]
        self.base = np.array([0, *np.cumsum(sizes)[:-1]], np.int64)
        self.regret, self.total = np.zeros(sum(sizes), np.float32), np.zeros(sum(sizes), np.float32)
        self.buckets, self.rows = np.zeros((2, STREETS), np.int64), np.zeros((2, STREETS), np.int64)
        self.current, self.values = (np.zeros((MOST_PLIES, tree.child.shape[1])) for _ in range(2))
        self.stop = np.zeros(1, np.int64)


def walk(
    tree: BettingTree, table: Table, random: Random, player: int, sign: int, hopeless: float, node: int, ply: int
) -> float:
    """The sampled value of a node to a player, with the regrets of its decisions updated on the way.

    hopeless   moves with less regret are not followed, unless they end the hand; 0: all are
    """
    if node < 0:
        won = float(tree.won[-1 - node])
        if tree.shown[-1 - node] != 0:
            won *= sign
        return won if player == 0 else -won
    mover, count = tree.mover[node], tree.count[node]
    first = table.rows[mover, tree.street[node]] + tree.start[node]
    regret, current = table.regret, table.current
    positive = 0.0
    for i in range(count):
        current[ply, i] = max(regret[first + i], 0.0)
        positive += current[ply, i]
    for i in range(count):
        current[ply, i] = current[ply, i] / positive if positive > 0.0 else 1.0 / count
    if mover != player:
        left, chosen = random.uniform(), number_of(-1)
        for i in range(count):
            table.total[first + i] += current[ply, i]
            left -= current[ply, i]
            if chosen < 0 and (left < 0.0 or i == count - 1):
                chosen = number_of(i)
        return walk(tree, table, random, player, sign, hopeless, tree.child[node, chosen], ply + 1)
    worth = 0.0
    for i in range(count):
        after = tree.child[node, i]
        if hopeless < 0.0 and regret[first + i] < hopeless and after >= 0:
            table.values[ply, i] = SKIPPED
            continue
        value = walk(tree, table, random, player, sign, hopeless, after, ply + 1)
        table.values[ply, i] = value
        worth += current[ply, i] * value
    for i in range(count):
        if table.values[ply, i] != SKIPPED:
            regret[first + i] += table.values[ply, i] - worth
    return worth


def sample(
    game: Any, s: Any, tree: BettingTree, table: Table, dealer: Dealer, random: Random, iterations: int
) -> int:  # fmt: skip
    """Deal so many hands, with a pass for each player; returns how many before a stop."""
    for done in range(iterations):
        if read_flag(table.stop, 0) != 0:
            return done
        sign = dealer.deal(random, table.buckets)
        for p in range(2):
            for street in range(STREETS):
                table.rows[p, street] = table.base[street] + table.buckets[p, street] * tree.entries[street]
        hopeless = HOPELESS if random.uniform() < PRUNED else 0.0
        for p in range(2):
            walk(tree, table, random, p, sign, hopeless, number_of(0), number_of(0))
    return iterations


SAMPLE = Routine(sample)


class Trainer:
    """Trains a strategy for a hold'em game over buckets; it can be stopped, saved and continued.

    block   iterations between two discounts
    """

    def __init__(
        self, game: Holdem, dealer: Dealer, limits: Limits, *, seed: int = 0, block: int = 500_000,
        stop: StopToken | None = None,
    ):  # fmt: skip
        self.game, self.dealer, self.limits, self.block = game, dealer, limits, block
        self.tree = BettingTree(game)
        self.table = Table(self.tree, limits.counts())
        self.random, self.stop = Random(seed), stop or StopToken()
        self.iterations, self.seconds = 0, 0.0

    def train(
        self, *, seconds: float | None = None, iterations: int | None = None,
        on_progress: Callable[[Trainer], Any] | None = None,
    ) -> None:  # fmt: skip
        """Train for so many seconds or iterations more, or until it is stopped."""
        if seconds is None and iterations is None:
            raise ValueError("say when to stop: iterations= or seconds=")
        self._sample(0)  # compiles it
        deadline = time.perf_counter() + (seconds if seconds is not None else 1e18)
        goal = self.iterations + (iterations if iterations is not None else 1 << 62)
        while time.perf_counter() < deadline and self.iterations < goal and not self.stop.is_set:
            left = self.block - self.iterations % self.block
            done = self._sample(min(left, goal - self.iterations, STEP))
            self.iterations += done
            if self.iterations % self.block == 0 and done:
                kept = np.float32(self.iterations / (self.iterations + self.block))
                self.table.regret *= kept
                self.table.total *= kept
            if on_progress is not None:
                on_progress(self)

    def _sample(self, iterations: int) -> int:
        began = time.perf_counter()
        program = SAMPLE.compiled(NO_GAME, self.tree, self.table, self.dealer, self.random, iterations)
        with self.stop.watching(self.table.stop):
            done = int(run(lambda: program(NO_GAME.initial()), self.table.stop))
        self.seconds += time.perf_counter() - began
        return done

    def strategy(self) -> BucketStrategy:
        """The average strategy so far."""
        tree, shares, start = self.tree, [], 0
        for street, buckets in enumerate(self.limits.counts()):
            width = int(tree.entries[street])
            total = np.asarray(self.table.total)[start : start + buckets * width].reshape(buckets, width)
            start += buckets * width
            made = np.zeros((width, buckets), np.uint8)
            for node in np.flatnonzero(tree.street == street):
                part = slice(tree.start[node], tree.start[node] + tree.count[node])
                made[part] = rounded(total[:, part].astype(np.float64)).T
            shares.append(made)
        about = {"method": "mccfr over buckets", "iterations": self.iterations, "seconds": round(self.seconds)}
        return BucketStrategy(self.game, self.limits, shares, about)

    def save(self, path: str | Path) -> None:
        """Write the strategy with all that is needed to continue."""
        table = self.table
        self.strategy().save(path, regret=table.regret, total=table.total, random=self.random.state)

    def resume(self, path: str | Path) -> None:
        """Continue from a file that `save` has written for the same game and buckets."""
        about = BucketStrategy.load(path, self.game).about
        arrays, table = read_arrays(path), self.table
        kept: dict[str, Any] = {"regret": table.regret, "total": table.total, "random": self.random.state}
        for name, array in kept.items():
            if name not in arrays:
                raise StrategyError(f"{path} has only a strategy, not what is needed to continue")
            if arrays[name].shape != array.shape or arrays[name].dtype != array.dtype:
                raise StrategyError(f"{path} was saved with other buckets, so it cannot be continued")
        for name, array in kept.items():
            array[:] = arrays[name]
        self.iterations, self.seconds = int(about.get("iterations", 0)), float(about.get("seconds", 0.0))
