"""External-sampling Monte Carlo CFR: regret minimisation for games that are too large to write down.

Each pass follows all moves of one player, and samples chance and the moves of the others (Lanctot et al. 2009). Only
the information sets that it meets take memory.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.equilibria.solver import Solver
from zermelo.equilibria.strategy import Strategy, StrategyError, read_strategy
from zermelo.equilibria.unfolding import different_moves, no_moves
from zermelo.game.errors import GameError, TooDeep, Unsuitable
from zermelo.game.hashing import mix, mixed
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.calls import StopFlag, read_flag
from zermelo.kernel.ordinals import number_of
from zermelo.kernel.parts import Part
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine, why_not_compiled
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import plain_python, run, run_plain

SETS, ENTRIES, ITERATIONS, TROUBLE = range(4)
"""Indices of the counts of a table; TROUBLE says why the last pass was not completed."""
NO_TROUBLE, NO_ROOM, TOO_DEEP, DIFFERENT_MOVES, NO_MOVES = range(5)
MOST_PLIES = 1000
FIRST_SETS, MOVES_PER_SET = 1 << 14, 4


class Sampled(Part):
    """What is known of the information sets met so far.

    slots, keys       a hash table from what a player knows to the number of the set
    starts            the entries of set i are starts[i] to starts[i + 1], one for each legal move
    moves             [entry] the move
    regret, total     [entry] its regret, and how often it was played in all: the average strategy
    listed, current   [ply, move] legal moves on the path, and the probabilities of the current strategy
    """

    settled = True

    def __init__(self, actions: int, sets: int, entries: int, compiled: bool):
        self.slots = np.full(1 << (2 * sets - 1).bit_length(), -1, np.int64)
        self.keys, self.starts = np.zeros(sets, np.uint64), np.zeros(sets + 1, np.int64)
        self.moves = np.zeros(entries, np.int64)
        self.regret, self.total = np.zeros(entries), np.zeros(entries)
        self.counts = np.zeros(4, np.int64)
        self.listed = np.zeros((MOST_PLIES, actions), np.int64)
        self.current = np.zeros((MOST_PLIES, actions))
        self.values = np.zeros((MOST_PLIES, actions))
        self.stop: Any = np.zeros(1, np.int64) if compiled else StopFlag()

    def fail(self, why: int) -> int:
        """Note why the pass cannot be completed; returns -1."""
        self.counts[TROUBLE] = why
        return number_of(-1)

    def place_of(self, key: int, count: int, ply: int) -> int:
        """The number of an information set; a new one if it was never met; -1 if that is impossible."""
        if count == 0 or count > self.listed.shape[1]:
            return self.fail(NO_MOVES)
        mask = len(self.slots) - 1
        slot = number_of(key & mask)
        while self.slots[slot] >= 0:
            place = number_of(self.slots[slot])
            if self.keys[place] == key:
                same = self.starts[place + 1] - self.starts[place] == count
                return place if same else self.fail(DIFFERENT_MOVES)
            slot = (slot + 1) & mask
        found, end = self.counts[SETS], self.counts[ENTRIES]
        if found >= len(self.keys) or end + count > len(self.moves):
            return self.fail(NO_ROOM)
        self.slots[slot] = found
        self.keys[found] = key
        for i in range(count):
            self.moves[end + i] = self.listed[ply, i]
        self.starts[found + 1] = end + count
        self.counts[SETS], self.counts[ENTRIES] = found + 1, end + count
        return number_of(found)

    def match_regrets(self, first: int, count: int, ply: int) -> None:
        """The current strategy of a set: each move in proportion to its positive regret."""
        positive = 0.0
        for i in range(count):
            positive += max(self.regret[first + i], 0.0)
        for i in range(count):
            if positive > 0.0:
                self.current[ply, i] = max(self.regret[first + i], 0.0) / positive
            else:
                self.current[ply, i] = 1.0 / count


def traverse(game: Any, s: Any, table: Sampled, random: Random, player: int, weight: float, ply: int = 0) -> float:
    """One pass for a player: the sampled value of a state, with regrets updated on the way."""
    while game.to_move(s) == CHANCE and not game.is_terminal(s):
        s = game.draw(s, random)
    if game.is_terminal(s):
        return float(game.utility(s, player))
    if table.counts[TROUBLE] != NO_TROUBLE:
        return 0.0
    if ply >= len(table.listed):
        table.fail(TOO_DEEP)
        return 0.0
    mover = game.to_move(s)
    count = game.list_actions(s, table.listed[ply])
    place = table.place_of(mix(mixed(game.information(s, mover)) if game.hidden else mixed(s), mover), count, ply)
    if place < 0:
        return 0.0
    first = table.starts[place]
    table.match_regrets(first, count, ply)
    if mover != player:
        left, chosen = random.uniform(), number_of(count - 1)
        for i in range(count):
            table.total[first + i] += weight * table.current[ply, i]
            left -= table.current[ply, i]
            if left < 0.0 and chosen == count - 1:
                chosen = number_of(i)
                left = 2.0
        return traverse(game, game.result(s, table.listed[ply, chosen]), table, random, player, weight, ply + 1)
    worth = 0.0
    for i in range(count):
        after = game.result(s, table.listed[ply, i])
        value = traverse(game, after, table, random, player, weight, ply + 1)
        table.values[ply, i] = value
        worth += table.current[ply, i] * value
    if table.counts[TROUBLE] == NO_TROUBLE:
        for i in range(count):
            table.regret[first + i] += table.values[ply, i] - worth
    return worth


def sample(game: Any, s: Any, table: Sampled, random: Random, iterations: int) -> int:
    """Passes for every player, so many times; returns how many were completed. They end early if there is trouble."""
    for done in range(iterations):
        if read_flag(table.stop, 0) != 0 or table.counts[TROUBLE] != NO_TROUBLE:
            return done
        weight = 1.0 * (table.counts[ITERATIONS] + 1)  # later strategies are better: linear averaging
        for player in range(game.players):
            traverse(game, s, table, random, player, weight, number_of(0))
        if table.counts[TROUBLE] == NO_TROUBLE:
            table.counts[ITERATIONS] += 1
    return iterations


SAMPLE = Routine(sample)


class Sampler:
    """Monte Carlo CFR on a game of any size, as a `Solver` that need not write the game down."""

    def __init__(
        self,
        game: Game,
        *,
        state: Any = None,
        seed: int = 0,
        most_sets: int = 50_000_000,
        compile: bool | None = None,
        stop: StopToken | None = None,
    ):
        if game.hidden and not game.offers("information"):
            raise Unsuitable(f"{game.title} hides something, so it needs the method `information`")
        self.game, self.most_sets, self.random = game, most_sets, Random(seed)
        self.state = game.initial() if state is None else game.checked(state)
        self.compiled = why_not_compiled(game) is None if compile is None else compile
        self.stop = stop or StopToken()
        self.actions = game.max_actions or 256
        self.table = Sampled(self.actions, FIRST_SETS, MOVES_PER_SET * FIRST_SETS, self.compiled)
        self.seconds = 0.0

    @property
    def iterations(self) -> int:
        """The iterations so far: one pass for every player each."""
        return int(self.table.counts[ITERATIONS])

    def __len__(self) -> int:
        return int(self.table.counts[SETS])

    def iterate(self, iterations: int) -> int:
        """Make iterations, with more memory if necessary; returns how many were completed before a stop."""
        goal = self.iterations + iterations
        while self.iterations < goal and not self.stop.is_set:
            self._sample(goal - self.iterations)
            self._require_rules(int(self.table.counts[TROUBLE]))
            if self.table.counts[TROUBLE] == NO_ROOM:
                self._grow()
        return iterations - (goal - self.iterations)

    def _sample(self, iterations: int) -> None:
        table, arguments = self.table, (self.table, self.random, iterations)
        started = time.perf_counter()
        with self.stop.watching(table.stop):
            if self.compiled:
                program = SAMPLE.compiled(self.game, *arguments)
                run(lambda: program(self.state), table.stop)
            else:
                job = functools.partial(SAMPLE.run_plain, self.game, self.state, *arguments)
                with plain_python():
                    run_plain(job, table.stop, token=self.stop)
        self.seconds += time.perf_counter() - started

    def _require_rules(self, trouble: int) -> None:
        """Raise an error if the game itself stopped a pass."""
        if trouble == TOO_DEEP:
            raise TooDeep(f"{self.game.title} goes on for more than {MOST_PLIES:,} plies")
        if trouble == DIFFERENT_MOVES:
            raise GameError(different_moves(self.game))
        if trouble == NO_MOVES:
            raise GameError(no_moves(self.game, self.actions))

    def _grow(self) -> None:
        """Twice the room."""
        old = self.table
        sets, entries = 2 * len(old.keys), 2 * len(old.moves)
        if sets > self.most_sets:
            raise Unsuitable(f"{self.game.title} has more than {self.most_sets:,} information sets: group them first")
        new = Sampled(self.actions, sets, entries, self.compiled)
        n, m = int(old.counts[SETS]), int(old.counts[ENTRIES])
        new.keys[:n], new.starts[: n + 1] = old.keys[:n], old.starts[: n + 1]
        for name in ("moves", "regret", "total"):
            getattr(new, name)[:m] = getattr(old, name)[:m]
        new.counts[:] = old.counts
        new.counts[TROUBLE] = NO_TROUBLE
        new.slots[:] = slots_for(np.asarray(new.keys)[:n], len(new.slots))
        self.table = new

    def solve(
        self,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        on_progress: Callable[[Sampler], Any] | None = None,
    ) -> Strategy:
        """Sample for so many iterations or seconds."""
        if iterations is None and seconds is None:
            raise ValueError("say when to stop: iterations= or seconds=")
        goal = iterations if iterations is not None else 1 << 62
        self.iterate(1)  # compiles it
        deadline = time.perf_counter() + (seconds if seconds is not None else 1e18)
        step = 16
        while self.iterations < goal and time.perf_counter() < deadline and not self.stop.is_set:
            before = time.perf_counter()
            self.iterate(min(step, goal - self.iterations))
            took = time.perf_counter() - before
            step = max(int(step * min(max(0.25 / max(took, 1e-6), 0.5), 2.0)), 1)
            if on_progress is not None:
                on_progress(self)
        return self.strategy()

    def strategy(self) -> Strategy:
        """The average strategy so far."""
        table = self.table
        n = int(table.counts[SETS])
        keys, starts = np.asarray(table.keys)[:n], np.asarray(table.starts)[: n + 1]
        by = np.argsort(keys)
        width = np.diff(starts)[by]
        ends = np.concatenate(([0], np.cumsum(width)))
        entries = np.repeat(starts[:-1][by] - ends[:-1], width) + np.arange(ends[-1])
        total = np.asarray(table.total)[entries]
        sums = np.repeat(np.add.reduceat(total, ends[:-1]), width) if n else total
        chances = np.where(sums > 0, total / np.where(sums > 0, sums, 1.0), 1.0 / np.repeat(width, width))
        about = {"method": "mccfr", "iterations": self.iterations}
        return Strategy(self.game, keys[by], ends, np.asarray(table.moves)[entries], chances, about)

    def save(self, path: str | Path) -> None:
        """Write the strategy with all that is needed to continue."""
        table = self.table
        n, m = int(table.counts[SETS]), int(table.counts[ENTRIES])
        self.strategy().save(
            path, own_keys=table.keys[:n], own_starts=table.starts[: n + 1], own_moves=table.moves[:m],
            regret=table.regret[:m], total=table.total[:m], counts=table.counts, random=self.random.state,
        )  # fmt: skip

    def resume(self, path: str | Path) -> None:
        """Continue from a file that `save` has written for the same game."""
        arrays = read_strategy(path)
        if arrays["about"].get("game") != self.game.name or "own_keys" not in arrays:
            raise StrategyError(f"{path} was not saved by mccfr for {self.game.title}, so it cannot be continued")
        _require_sound(path, arrays)
        n, m = len(arrays["own_keys"]), len(arrays["own_moves"])
        room = 1 << max(n, m // MOVES_PER_SET, FIRST_SETS).bit_length()
        table = Sampled(self.actions, room, MOVES_PER_SET * room, self.compiled)
        table.keys[:n], table.starts[: n + 1] = arrays["own_keys"], arrays["own_starts"]
        table.moves[:m], table.regret[:m], table.total[:m] = arrays["own_moves"], arrays["regret"], arrays["total"]
        table.counts[:], self.random.state[:] = (n, m, arrays["counts"][ITERATIONS], NO_TROUBLE), arrays["random"]
        table.slots[:] = slots_for(np.asarray(table.keys)[:n], len(table.slots))
        self.table = table


def _require_sound(path: str | Path, arrays: dict[str, Any]) -> None:
    """Raise a StrategyError unless the arrays that a sampler continues from fit together: compiled code trusts them."""
    kinds = {"own_keys": np.uint64, "own_starts": np.int64, "own_moves": np.int64, "regret": np.float64,
             "total": np.float64, "counts": np.int64, "random": np.uint64}  # fmt: skip
    wrong = [name for name, kind in kinds.items() if name not in arrays or arrays[name].dtype != kind]
    if not wrong:
        n, m, starts = len(arrays["own_keys"]), len(arrays["own_moves"]), arrays["own_starts"]
        lengths = {
            "own_keys": n,
            "own_starts": n + 1,
            "own_moves": m,
            "regret": m,
            "total": m,
            "counts": 4,
            "random": 1,
        }
        wrong = [name for name, length in lengths.items() if arrays[name].shape != (length,)]
        if not wrong and (starts[0] != 0 or starts[-1] != m or np.any(np.diff(starts) < 1)):
            wrong = ["own_starts"]
    if wrong:
        raise StrategyError(f"{path} is damaged: the array {wrong[0]!r} does not fit the others")


def slots_for(keys: Any, size: int) -> Any:
    """A hash table of this size with these keys, filled in their order."""
    slots, mask = np.full(size, -1, np.int64), size - 1
    homes = (keys & np.uint64(mask)).astype(np.int64)
    for number, home in enumerate(homes.tolist()):
        while slots[home] >= 0:
            home = (home + 1) & mask
        slots[home] = number
    return slots


def chances_in(solver: Solver, strategy: Strategy) -> Any:
    """A strategy in the numbering of a game that a solver has written down; equal chances in sets it does not have."""
    form = solver.form
    chance = np.ones(form.sequences)
    keys = np.asarray(solver.book.keys)[form.order]
    places = np.searchsorted(strategy.keys, keys)
    for which, (place, key) in enumerate(zip(places.tolist(), keys.tolist(), strict=True)):
        first, width = int(form.first[which]), int(form.width[which])
        known = place < len(strategy.keys) and int(strategy.keys[place]) == key
        chance[first : first + width] = (
            strategy.chances[strategy.starts[place] : strategy.starts[place + 1]] if known else 1.0 / width
        )
    return chance
