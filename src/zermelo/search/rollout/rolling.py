"""`rollout`: plays a position, or each of several moves, many times and averages the results."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np

from zermelo.game.errors import IllegalAction, StateError, Unsuitable
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.resolve import game_of
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import Stopped, plain_python, run, run_plain
from zermelo.search.checks import time_limit
from zermelo.search.dice.engine import DiceEngine
from zermelo.search.dice.filters import Filter, filters_of
from zermelo.search.faults import located
from zermelo.search.rollout.files import load_trials, save_trials
from zermelo.search.rollout.result import Rolled, Rollout, difference
from zermelo.search.rollout.trials import (
    DONE,
    FIRST,
    KEEP,
    PLIES,
    REDUCING,
    ROLL_OUT,
    SEED,
    STRATA,
    TRIALS,
    TRUNCATE,
    Trials,
)

BATCH = 36
"""Trials between two looks at the results."""
CANDIDATES = 5
"""How many moves are rolled out, if none are named: the best ones at the plies of the rollout."""
LEAST = 144
"""Trials before a move can be dropped."""
MOST_TRIALS = 10_000_000
MOST_STRATA = 216


def rollout(
    game: Game | str,
    state: Any = None,
    *,
    moves: Iterable[Any] | None = None,
    trials: int = 1296,
    truncate: int | None = None,
    plies: int = 0,
    seed: int = 0,
    reduce: bool = True,
    clear: float | None = None,
    threads: int = 1,
    compile: bool | None = None,
    file: str | Path | None = None,
    seconds: float | None = None,
    stop: StopToken | None = None,
    on_progress: Callable[[Rollout], Any] | None = None,
) -> Rollout:
    """What a position or some of its moves are worth, by playing them out with random dice.

    state      if chance moves there, the position is rolled out; if a player moves, each of the moves
    moves      which moves, or their names; by default the best five
    trials     games per move; 1,296 is every combination of the first two rolls of two dice
    truncate   judge the position after this many moves instead of playing on
    plies      at which both sides choose their moves, and truncated positions are judged
    seed       of the dice; all moves get the same dice
    reduce     subtract the luck of each roll
    clear      stop a move when it is worse than the best by this many standard errors of the difference, and end when
               one is left; 3 is cautious. By default all trials are played
    threads    how many batches are played at the same time. The result does not depend on it
    file       save the trials here after each batch. An existing file is resumed
    on_progress   called with the `Rollout` so far after each batch
    """
    game = game_of(game)
    if not game.chance:
        raise Unsuitable(f"{game.title} has no dice or other chance: every trial of a rollout would be the same")
    work = _Work(game, state, moves, file, trials=trials, truncate=truncate, plies=plies, seed=seed, reduce=reduce)
    if clear is not None and not (isinstance(clear, int | float) and clear > 0):
        raise ValueError(f"clear must be a number of more than 0, not {clear!r}")
    work.clear = clear
    limit = time_limit(seconds)
    team = [_Seat(work, compile, first=i == 0) for i in range(_whole("threads", threads, 1, 256))]
    with StopToken(stop, seconds=limit) as token:
        return work.run(team, token, on_progress)


class _Work:
    """What is rolled out, and the trials so far."""

    def __init__(self, game: Game, state: Any, moves: Iterable[Any] | None, file: str | Path | None, **settings: Any):
        self.game, self.state = game, game.initial() if state is None else game.checked(state)
        if game.is_terminal(self.state):
            raise StateError(f"the game of {game.title} is over in this state: there is nothing to roll out")
        self.settings = _checked(settings)
        self.at_chance = game.to_move(self.state) == CHANCE
        self.player = game.viewer(self.state) if self.at_chance else game.to_move(self.state)
        self.actions = [None] if self.at_chance else self._candidates(moves)
        self.after = [self.state if a is None else game.result(self.state, a) for a in self.actions]
        self.strata = strata_of(game, next((s for s in self.after if _is_chance(game, s)), None))
        self.outputs = 0 if game.network is None else game.network.outputs
        self.names = () if game.network is None else tuple(game.network.outcomes.names)
        self.file = None if file is None else Path(file)
        self.found = [(np.zeros(0), np.zeros((0, self.outputs))) for _ in self.actions]
        if self.file is not None and self.file.exists():
            self.found = load_trials(self.file, self.about(), self.outputs)
        self.clear: float | None = None

    def _candidates(self, moves: Iterable[Any] | None) -> list[Any]:
        game, legal = self.game, self.game.legal(self.state)
        if moves is None:
            engine = DiceEngine(game, filters=[(CANDIDATES, math.inf)])
            return [each.action for each in engine.rank(self.state, self.settings["plies"])[:CANDIDATES]]
        found = [game.action_named(self.state, each) if isinstance(each, str) else each for each in moves]
        for a in found:
            if a not in legal:
                raise IllegalAction(f"{a!r} is not a legal move in this state of {game.title}")
        if not found:
            raise ValueError("there are no moves to roll out")
        return list(dict.fromkeys(found))

    def about(self) -> dict[str, Any]:
        """What trials must agree in to be added up."""
        game, state = self.game, self.state
        names = [None if a is None else game.action_name(state, a) for a in self.actions]
        kept = {name: value for name, value in self.settings.items() if name != "trials"}
        return {"game": game.name, "position": game.to_text(state), "moves": names, **kept}

    def run(self, team: list[_Seat], token: StopToken, on_progress: Callable[[Rollout], Any] | None) -> Rollout:
        """Play batches until there are enough trials, the best move is clear, or the token stops."""
        self.began = time.perf_counter()
        seats: SimpleQueue[_Seat] = SimpleQueue()
        for seat in team:
            seats.put(seat)

        def play(job: tuple[int, int, int]) -> tuple[int, Any]:
            seat = seats.get()
            try:
                return job[0], seat.play(self.after[job[0]], job[1], job[2], token)
            finally:
                seats.put(seat)

        settled = False
        with ThreadPoolExecutor(len(team)) as pool:
            while not token.is_set:
                jobs = self._jobs(len(team))
                settled = self.clear is not None and len(self.actions) > 1 and len(self._alive()) == 1
                if settled or not jobs:
                    break
                complete = True
                for i, (values, outputs, wanted) in pool.map(play, jobs):
                    complete = complete and len(values) == wanted
                    if complete:  # trials are kept in order, so that all moves have the same ones
                        kept = self.found[i]
                        self.found[i] = np.append(kept[0], values), np.concatenate((kept[1], outputs))
                if self.file is not None:
                    save_trials(self.file, self.about(), self.found)
                if on_progress is not None:
                    on_progress(self.result(settled=False, stopped=False))
        return self.result(settled, token.is_set and bool(self._jobs(1)))

    def _jobs(self, threads: int) -> list[tuple[int, int, int]]:
        """The next batches: move, first trial, number of trials. Moves that are behind come first."""
        alive, total = self._alive(), self.settings["trials"]
        done = {i: len(self.found[i][0]) for i in alive}
        least = min(done.values())
        batches = 1  # if moves can be dropped, results are looked at after every batch, whatever the number of threads
        if self.clear is None:
            batches = max(1, -(-threads // len(alive)))
        jobs = []
        for i in alive:
            for b in range(batches):
                first = done[i] + b * BATCH
                if done[i] == least and first < total:
                    jobs.append((i, first, min(BATCH, total - first)))
        return jobs

    def _alive(self) -> list[int]:
        """The moves that are not clearly worse than the best."""
        rolled = [Rolled(a, "", *each) for a, each in zip(self.actions, self.found, strict=True)]
        everyone = list(range(len(rolled)))
        if self.clear is None or min(each.trials for each in rolled) < LEAST:
            return everyone
        best = max(rolled, key=lambda each: each.equity)
        alive = []
        for i in everyone:
            worse, error = difference(rolled[i], best)
            if rolled[i] is best or -worse <= self.clear * error:
                alive.append(i)
        return alive

    def result(self, settled: bool, stopped: bool) -> Rollout:
        game, state = self.game, self.state
        rolled = [
            Rolled(a, "" if a is None else game.action_name(state, a), *each)
            for a, each in zip(self.actions, self.found, strict=True)
        ]
        rolled.sort(key=lambda each: -math.inf if math.isnan(each.equity) else each.equity, reverse=True)
        spent = time.perf_counter() - self.began
        return Rollout(
            game, state, self.player, tuple(rolled), dict(self.settings), self.names, spent, settled, stopped
        )


class _Seat:
    """What plays trials on one thread: an engine of its own, with its own copy of the game and its network."""

    def __init__(self, work: _Work, compile: bool | None, first: bool):
        game = work.game if first else copy.deepcopy(work.game)
        self.engine = DiceEngine(game, compile=compile, table=1)
        self.player = work.player
        self.judge = self.engine.team[0]
        self.trials = Trials(work.outputs, BATCH)
        settings, fixed = self.trials.settings, work.settings
        settings[SEED], settings[TRUNCATE] = fixed["seed"], fixed["truncate"] or 0
        settings[PLIES], settings[REDUCING], settings[STRATA] = fixed["plies"], int(fixed["reduce"]), work.strata
        passing: Filter = filters_of(game, "narrow")[0]
        settings[KEEP], self.trials.margin[0] = passing.keep, passing.margin
        self.arguments = (self.judge.game, self.player, self.judge.judge, self.judge.memory, self.trials)
        self.program = ROLL_OUT.compiled(*self.arguments) if self.engine.compiled else None

    def play(self, state: Any, first: int, trials: int, token: StopToken) -> tuple[Any, Any, int]:
        """The results of some trials: fewer than asked if the token stops."""
        settings, memory, judge = self.trials.settings, self.judge.memory, self.judge
        settings[FIRST], settings[TRIALS], settings[DONE] = first, trials, 0
        judge.prepare([None], 0, 1 << 62)
        try:
            with token.watching(memory.stop):
                if token.is_set:
                    raise Stopped
                program = self.program
                if program is not None:
                    run(lambda: program(state), memory.stop)
                else:
                    with plain_python():
                        game, *rest = self.arguments
                        run_plain(lambda: ROLL_OUT.run_plain(game, state, *rest), memory.stop, None, token)
        except Stopped:
            pass
        except (ArithmeticError, LookupError, AssertionError, ValueError) as error:
            raise located(judge.game, state, error) if self.engine.compiled else error from None
        done = int(settings[DONE])
        return self.trials.values[:done].copy(), self.trials.outputs[:done].copy(), trials


def strata_of(game: Game, s: Any) -> int:
    """How many parts of equal probability the outcomes of a chance node are made of; 1 if there are too many."""
    if s is None:
        return 1
    odds = [probability for _, probability in game.outcomes(s)]
    for parts in range(2, MOST_STRATA + 1):
        if all(abs(p * parts - round(p * parts)) < 1e-9 for p in odds):
            return parts
    return 1


def _is_chance(game: Game, s: Any) -> bool:
    return not game.is_terminal(s) and game.to_move(s) == CHANCE


def _checked(settings: dict[str, Any]) -> dict[str, Any]:
    _whole("trials", settings["trials"], 1, MOST_TRIALS)
    _whole("plies", settings["plies"], 0, 3)
    _whole("seed", settings["seed"], 0, (1 << 63) - 1)
    if settings["truncate"] is not None:
        _whole("truncate", settings["truncate"], 1, 10_000)
    return {**settings, "reduce": bool(settings["reduce"])}


def _whole(name: str, value: Any, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most:,}, not {value!r}")
    return value
