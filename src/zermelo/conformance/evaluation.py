"""What an evaluation is worth: does it order the ends as utility does, foretell the outcome, and at what cost?"""

from __future__ import annotations

import contextlib
import math
import statistics
import time
from typing import Any

from zermelo.conformance.inspection import PLIES, Broken, Inspection
from zermelo.conformance.playout import PLAY, PLAYERS, REPLAY, Record
from zermelo.conformance.report import Evaluation
from zermelo.conformance.samples import Sample
from zermelo.game.protocol import CHANCE
from zermelo.kernel.random import Random
from zermelo.search.driver import analyse

STATES = 60
"""In how many states the evaluation is compared with the outcome."""

ENOUGH = 20
"""With fewer states than this, nothing is said of a correlation."""

SEARCH_NODES = {True: 100_000, False: 2_000}
SEARCH_SECONDS = 0.1
"""How far a state is searched for its true value, compiled or not."""

PLAYOUTS = 24
"""How many random games stand for the outcome of a state that is too far from the end to be searched."""

AGAINST = -0.2
"""A correlation below this is taken for a wrong sign rather than for a poor evaluation."""

PAIRS_OF = 150
"""Of how many ends every two are compared."""


class Judge:
    """The verdict on a game's own evaluation."""

    def __init__(self, inspection: Inspection, samples: list[Sample], ends: list[Sample], compiled: bool, seed: int):
        self.inspection, self.game, self.compiled = inspection, inspection.game, compiled
        self.random = Random(seed ^ 0xE7A1)
        self.samples = self._some(samples, STATES)
        self.ends = self._some(ends, PAIRS_OF)
        self._record = Record(PLIES, self.game.players)
        self._nothing = Record(0, self.game.players)
        self._order: float | None = None
        self._correlation: float | None = None
        self._truth: str | None = None
        self._states = 0
        self._costs: dict[str, float] = {}

    def _some(self, items: list[Any], count: int) -> list[Any]:
        """So many of them, chosen at random."""
        left = list(items)
        return [left.pop(self.random.below(len(left))) for _ in range(min(count, len(left)))]

    def prepare(self) -> None:
        """Compile what will be needed, which does not count against the time."""
        if self.compiled and self.game.offers("evaluate"):
            with contextlib.suppress(Exception):
                analyse(self.game, nodes=1, compile=True, deepening=True)
            with contextlib.suppress(Exception):
                REPLAY.compiled(self.game, self._record, self.random, 1, 1)

    def judge(self) -> None:
        """Compare and measure, as far as there is time."""
        if not self.game.offers("evaluate"):
            return
        self._compare_ends()
        with contextlib.suppress(Broken):
            self._measure()
        with contextlib.suppress(Broken):
            self._compare_with_outcome()

    @property
    def verdict(self) -> Evaluation:
        """What has been found so far."""
        return Evaluation(
            own=self.game.offers("evaluate"),
            order=self._order,
            correlation=self._correlation,
            states=self._states,
            truth=self._truth,
            plain_nanoseconds=self._costs.get("plain"),
            compiled_nanoseconds=self._costs.get("compiled"),
        )

    # The ends.

    def _compare_ends(self) -> None:
        """Kendall's way: of all pairs of ends with different utilities, how many does the evaluation order alike?"""
        score, pairs, worst = 0.0, 0, None
        for p in range(self.game.players):
            values = []
            for end in self.ends:
                value, error = self.inspection.attempt("evaluate", end.state, p)
                if error is not None or not _is_finite(value):
                    return  # no fault: search never evaluates an end
                values.append((end.utilities[p], float(value), end))
            for i, (utility, value, end) in enumerate(values):
                for other_utility, other_value, _ in values[:i]:
                    if utility != other_utility:
                        pairs += 1
                        agreement = (utility - other_utility) * (value - other_value)
                        score += 0.5 if agreement == 0 else float(agreement > 0)
                        if agreement < 0 and worst is None:
                            worst = end, p, utility, value, other_utility, other_value
        if pairs:
            self._order = score / pairs
            if self._order < 0.5 and worst is not None:
                end, p, utility, value, other_utility, other_value = worst
                self._lead_to(end)
                said = (
                    f"`evaluate` puts only {self._order:.0%} of the ends in the order of their utilities: for player "
                    f"{p} here {value:g} for {utility:g}, elsewhere {other_value:g} for {other_utility:g}"
                )
                self.inspection.note("evaluation-order", said, end.state)

    def _lead_to(self, sample: Sample) -> None:
        self.inspection.path[:] = sample.path

    # The outcome.

    def _compare_with_outcome(self) -> None:
        half = self.inspection.clock.left / 2
        until = time.perf_counter() + half
        truths, source = self._searched(until), "search"
        if len(truths) < ENOUGH:
            truths, source = self._played_out(), "playouts"
        if len(truths) < ENOUGH:
            return
        self._truth, self._states = source, len(truths)
        values = [float(self.inspection.call("evaluate", sample.state, p)) for sample, p, _ in truths]
        outcomes = [outcome for _, _, outcome in truths]
        try:
            self._correlation = statistics.correlation(values, outcomes)
        except statistics.StatisticsError:  # one or the other is constant
            return
        if self._correlation < AGAINST:
            mean_value, mean_outcome = statistics.fmean(values), statistics.fmean(outcomes)
            disagreements = [(v - mean_value) * (o - mean_outcome) for v, o in zip(values, outcomes, strict=True)]
            i = disagreements.index(min(disagreements))
            sample, p, outcome = truths[i]
            self._lead_to(sample)
            said = (
                f"the correlation of `evaluate` with the outcome by {self._truth} is {self._correlation:.2f}: for "
                f"player {p} here it gives {values[i]:g}, and the outcome is {outcome:g}"
            )
            self.inspection.note("evaluation-against-outcome", said, sample.state)

    def _searched(self, until: float) -> list[tuple[Sample, int, float]]:
        """The states that a short search solves, each with a player and the value for it; none if most are too hard."""
        found: list[tuple[Sample, int, float]] = []
        for number, sample in enumerate(self.samples):
            if time.perf_counter() >= until or (number == ENOUGH and len(found) < ENOUGH // 2):
                break
            try:
                answer = analyse(
                    self.game,
                    sample.state,
                    nodes=SEARCH_NODES[self.compiled],
                    seconds=SEARCH_SECONDS,
                    compile=self.compiled,
                    deepening=True,
                    history=sample.earlier if self.game.uses_history else (),
                )
            except Exception:  # no algorithm suits, or something that is noted elsewhere
                break
            if answer.exact:
                value = answer.value[answer.player] if isinstance(answer.value, tuple) else answer.value
                found.append((sample, answer.player, float(value)))
        return found

    def _played_out(self) -> list[tuple[Sample, int, float]]:
        """The states with the mean utility, for the player to move, of some random games from each."""
        found = []
        for sample in self.samples:
            mover = self.inspection.call("to_move", sample.state)
            p = 0 if mover == CHANCE else int(mover)
            ends = [self._random_end(sample, p) for _ in range(PLAYOUTS) if not self.inspection.clock.is_up]
            known = [end for end in ends if end is not None]
            if len(known) >= PLAYOUTS // 2:
                found.append((sample, p, statistics.fmean(known)))
        return found

    def _random_end(self, sample: Sample, p: int) -> float | None:
        """What a random game from this state is worth to p; None if it does not come to an end."""
        inspection = self.inspection
        inspection.start()
        for s in sample.earlier:
            inspection.enter(s)
        if self.compiled:
            self._record.clear()
            PLAY.compiled(self.game, self.random, self._record, self._nothing)(sample.state)
            end = float(self._record.real[int(self._record.length[0]), PLAYERS + p])
            return end if self._record.length[1] else None
        s = sample.state
        for _ in range(PLIES - len(sample.earlier)):
            inspection.enter(s)
            if inspection.call("is_terminal", s):
                return float(inspection.call("utility", s, p))
            if inspection.clock.is_up:
                return None
            if inspection.call("to_move", s) == CHANCE:
                s = inspection.call("draw", s, self.random)
            else:
                moves = inspection.listed("actions", s)
                s = inspection.call("result", s, moves[self.random.below(len(moves))])
        return None

    # The cost.

    def _measure(self) -> None:
        if not self.samples:
            return
        states = [sample.state for sample in self.samples]
        players, evaluate = self.game.players, self.game.evaluate
        calls, began = 0, time.perf_counter()
        while time.perf_counter() - began < 0.03:
            for i, s in enumerate(states):
                evaluate(s, i % players)
            calls += len(states)
        self._costs["plain"] = (time.perf_counter() - began) / calls * 1e9
        if self.compiled:
            with contextlib.suppress(Exception):
                self._measure_compiled()

    def _measure_compiled(self) -> None:
        """The time of a game played again and again with evaluations, less the time without."""
        start = self.inspection.start()
        self._record.clear()
        PLAY.compiled(self.game, self.random, self._record, self._nothing)(start)
        plies = int(self._record.length[0])
        if plies == 0:
            return

        def seconds(rounds: int, evaluating: int) -> float:
            program = REPLAY.compiled(self.game, self._record, Random(0), rounds, evaluating)
            began = time.perf_counter()
            program(start)
            return time.perf_counter() - began

        rounds = 1
        while (taken := seconds(rounds, 1)) < 0.01 and rounds < 1 << 24:
            rounds *= max(2, min(100, int(0.01 / max(taken, 1e-6))))
        extra = [seconds(rounds, 1) - seconds(rounds, 0) for _ in range(5)]
        self._costs["compiled"] = max(0.0, statistics.median(extra)) / (rounds * plies) * 1e9


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except (TypeError, ValueError, OverflowError):
        return False
