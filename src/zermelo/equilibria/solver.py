"""`Solver`: an equilibrium of a game with hidden information, step by step, with its exploitability."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.equilibria.form import Form, Regrets
from zermelo.equilibria.methods import DEFAULT, method_named
from zermelo.equilibria.passes import (
    APPRAISE,
    MINIMISE,
    MINIMISE_PART,
    NO_GAME,
    average,
    factor,
    match_regrets,
)
from zermelo.equilibria.reading import Choice, choices
from zermelo.equilibria.strategy import Strategy, StrategyError, key_of, read_strategy
from zermelo.equilibria.unfolding import MOST_ENDS, unfold
from zermelo.game.errors import StateError, Unsuitable
from zermelo.game.protocol import Game
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import run

FIRST_LOOK, GROWTH = 8, 1.25
"""The exploitability is computed after so many iterations, and again after each of these factors."""
SHARED = 100_000
"""A game with fewer ends is solved by one thread: handing out the work would take longer than the work."""
LONGEST_STEP = 0.5
"""Seconds of iterations between two looks, about: progress and stopping should not wait longer."""


@dataclass(frozen=True)
class Look:
    """The average strategy after some iterations: its value to each player, and how much a best response gains.

    exploitability   the mean over the players of what a best response would gain: 0 in an equilibrium
    nash_conv        the same, added up (Lanctot et al. 2017)
    """

    iterations: int
    seconds: float
    values: tuple[float, ...]
    best_responses: tuple[float, ...]

    @property
    def nash_conv(self) -> float:
        return sum(self.best_responses) - sum(self.values)

    @property
    def exploitability(self) -> float:
        return self.nash_conv / len(self.values)


class Solver:
    """Regret minimisation on a whole game, which is written down once as arrays.

    For two players and zero sum, the average strategy converges to an equilibrium. For more players or general sum
    nothing is guaranteed but that the regrets shrink, which makes play a coarse correlated equilibrium; `guarantee`
    says so. A game in which a player forgets what it knew or did is refused.
    """

    def __init__(
        self,
        game: Game,
        method: str = DEFAULT,
        *,
        state: Any = None,
        most_ends: int = MOST_ENDS,
        compile: bool | None = None,
        stop: StopToken | None = None,
        seconds: float | None = None,
        threads: int = 1,
    ):
        """`seconds` limits the time in which the game is written down; threads help with large games only."""
        self.game, self.method, self.name = game, method_named(method), method
        self.state = game.initial() if state is None else game.checked(state)
        self.stop = stop or StopToken()
        self.book = unfold(game, self.state, most_ends=most_ends, compile=compile, stop=self.stop, seconds=seconds)
        self.form = Form(self.book)
        if not self.form.recalls:
            raise Unsuitable(
                f"in {game.title} a player forgets what it knew or did before (imperfect recall): `information` must "
                "contain all of the player's earlier moves and observations. Without that, regret minimisation "
                "guarantees nothing, and an equilibrium in behaviour strategies may not exist."
            )
        self.regrets = Regrets(self.form)
        self.compiled = compile is not False
        enough = self.compiled and self.method.alternating and len(self.form.worth) >= SHARED
        self.threads = max(threads, 1) if enough else 1
        self.looks: list[Look] = []
        self.seconds = 0.0

    @property
    def iterations(self) -> int:
        """The iterations so far."""
        return int(self.regrets.iterations[0])

    def guarantee(self) -> str:
        """What is known of the average strategy, in one sentence."""
        if self.game.players == 2 and self.game.zero_sum:
            return "two players, zero sum: the average strategy converges to a Nash equilibrium"
        if self.game.players == 1:
            return "one player: the average strategy converges to the best one"
        return (
            f"{self.game.players} players{'' if self.game.zero_sum else ', general sum'}: nothing is guaranteed; "
            "NashConv says how far this strategy is from an equilibrium"
        )

    def iterate(self, iterations: int) -> int:
        """Make iterations; returns how many were completed before a stop."""
        if self.threads > 1 and iterations:
            return self._iterate_together(iterations)
        method = self.method
        stop: Any = np.zeros(1, np.int64)
        arguments = (self.form, self.regrets, stop, iterations, int(method.alternating), *method[1:4])
        started = time.perf_counter()
        with self.stop.watching(stop):
            if self.compiled:
                program = MINIMISE.compiled(NO_GAME, *arguments)
                done = run(lambda: program(NO_GAME.initial()), stop)
            else:
                done = MINIMISE.run_plain(NO_GAME, NO_GAME.initial(), *arguments)
        self.seconds += time.perf_counter() - started if iterations else 0.0
        return int(done)

    def _iterate_together(self, iterations: int) -> int:
        """Make iterations with several threads, which share the information sets of the player that learns."""
        form, regrets, method, factors = self.form, self.regrets, self.method, np.zeros(3)
        parts = [
            [MINIMISE_PART.compiled(NO_GAME, form, regrets, *part, factors) for part in shares(form, p, self.threads)]
            for p in range(form.players)
        ]
        state, started, done = NO_GAME.initial(), time.perf_counter(), 0
        with ThreadPoolExecutor(self.threads) as pool:
            while done < iterations and not self.stop.is_set:
                t = self.iterations + 1
                factors[:] = factor(t, method.alpha), factor(t, method.beta), float(t) ** method.gamma
                for programs in parts:
                    list(pool.map(lambda program: program(state), programs))
                regrets.iterations[0] = t
                done += 1
        self.seconds += time.perf_counter() - started
        return done

    def look(self) -> Look:
        """The value of the average strategy, and that of best responses to it."""
        chance = average(self.form, self.regrets)
        look = appraise(self.form, chance, compile=self.compiled)
        found = Look(self.iterations, self.seconds, *look)
        self.looks.append(found)
        return found

    def solve(
        self,
        *,
        until: float | None = None,
        iterations: int | None = None,
        seconds: float | None = None,
        on_progress: Callable[[Look], Any] | None = None,
    ) -> Strategy:
        """Iterate until the exploitability is at most `until`, or for so many iterations or seconds."""
        if until is None and iterations is None and seconds is None:
            raise ValueError("say when to stop: until=EXPLOITABILITY, iterations= or seconds=")
        self.iterate(0)  # compiles it, which is not counted as time
        appraise(self.form, average(self.form, self.regrets), compile=self.compiled)
        deadline = time.perf_counter() + (seconds if seconds is not None else 1e18)
        goal = iterations if iterations is not None else 1 << 62
        next_look, pace = FIRST_LOOK, 0.0
        while self.iterations < goal and time.perf_counter() < deadline and not self.stop.is_set:
            step = max(min(next_look, goal) - self.iterations, 1)
            if pace > 0.0:
                step = max(min(step, int(LONGEST_STEP / pace)), 1)
            before = self.seconds
            done = self.iterate(step)
            pace = (self.seconds - before) / max(done, 1) if self.iterations > FIRST_LOOK else 0.0
            if self.iterations >= next_look or self.iterations >= goal:
                next_look = max(int(self.iterations * GROWTH), self.iterations + FIRST_LOOK)
                look = self.look()
                if on_progress is not None:
                    on_progress(look)
                if until is not None and look.exploitability <= until:
                    break
        return self.strategy()

    def strategy(self) -> Strategy:
        """The average strategy so far, on its own."""
        is_fresh = self.looks and self.looks[-1].iterations == self.iterations
        look = self.looks[-1] if is_fresh else self.look()
        about = {
            "method": self.name,
            "iterations": look.iterations,
            "values": list(look.values),
            "nash_conv": look.nash_conv,
            "curve": [[seen.iterations, seen.exploitability] for seen in self.looks],
        }
        keys = np.asarray(self.book.keys)[self.form.order]
        by = np.argsort(keys)
        first, width = np.asarray(self.form.first)[by], np.asarray(self.form.width)[by]
        starts = np.concatenate(([0], np.cumsum(width)))
        sequences = np.concatenate([np.arange(f, f + w) for f, w in zip(first, width, strict=True)])
        chances = average(self.form, self.regrets)[sequences]
        return Strategy(self.game, keys[by], starts, np.asarray(self.book.move)[sequences], chances, about)

    def average(self) -> Any:
        """The average strategy so far: the probability of each sequence's last move."""
        return average(self.form, self.regrets)

    def number_of(self, s: Any) -> int:
        """The number of the information set of the player to move."""
        key = key_of(self.game, s, self.game.to_move(s))
        keys = np.asarray(self.book.keys)[self.form.order]
        found = np.flatnonzero(keys == np.uint64(key))
        if len(found) == 0:
            raise StateError(f"this state of {self.game.title} cannot be reached from where the solver began")
        return int(found[0])

    def choices(self) -> Iterator[Choice]:
        """Every information set with the average strategy so far."""
        return choices(self.game, self.state, self.book, self.form, self.average())

    def save(self, path: str | Path) -> None:
        """Write the strategy with all that is needed to continue."""
        regrets = self.regrets
        self.strategy().save(path, regret=regrets.regret, total=regrets.total, iterations=regrets.iterations)

    def resume(self, path: str | Path) -> None:
        """Continue from a file that `save` has written for the same game and method."""
        arrays = read_strategy(path)
        keys, method = np.sort(np.asarray(self.book.keys)[self.form.order]), arrays["about"].get("method")
        if arrays["about"].get("game") != self.game.name or not np.array_equal(arrays["keys"], keys):
            raise StrategyError(f"{path} was not saved for {self.game.title} from this state: it cannot be continued")
        if method != self.name:
            raise StrategyError(f"{path} was saved by {method}, so {self.name} cannot continue it")
        n = self.form.sequences
        if any(name not in arrays or arrays[name].shape != (n,) for name in ("regret", "total")):
            raise StrategyError(f"{path} has only a strategy, not what is needed to continue")
        if arrays["iterations"].shape != (1,):
            raise StrategyError(f"{path} is damaged: it does not say how many iterations were made")
        regrets = self.regrets
        regrets.regret[:], regrets.total[:] = arrays["regret"], arrays["total"]
        regrets.iterations[0] = arrays["iterations"][0]
        match_regrets(self.form, regrets)


def shares(form: Form, player: int, threads: int) -> list[tuple[int, int]]:
    """The information sets of a player in parts of about equal work; those that follow each other stay together."""
    begin, end = int(form.sets[player]), int(form.sets[player + 1])
    firsts, widths = np.asarray(form.first)[begin:end], np.asarray(form.width)[begin:end]
    ends = np.asarray(form.starts)
    work = np.cumsum(ends[firsts + widths] - ends[firsts] + widths)
    alone = np.flatnonzero(np.asarray(form.parent)[begin:end] < form.players)  # a part can begin here
    cuts = (
        [alone[np.argmin(np.abs(work[alone] - work[-1] * i / threads))] for i in range(1, threads)] if len(work) else []
    )
    places = sorted({begin, end, *(begin + int(cut) for cut in cuts)})
    return list(itertools.pairwise(places))


def appraise(form: Form, chance: Any, *, compile: bool = True) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """For each player the value of a strategy, and that of a best response to the others' part of it."""
    worth, best = np.zeros(form.players), np.zeros(form.players)
    arguments = (form, Regrets(form), np.ascontiguousarray(chance, np.float64), worth, best)
    if compile:
        APPRAISE.compiled(NO_GAME, *arguments)(NO_GAME.initial())
    else:
        APPRAISE.run_plain(NO_GAME, NO_GAME.initial(), *arguments)
    return tuple(worth.tolist()), tuple(best.tolist())
