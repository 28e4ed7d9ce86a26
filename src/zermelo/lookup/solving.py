"""Solving one class on several threads: the passes of `retrograde`, each divided into chunks of indices."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.game.protocol import Game
from zermelo.kernel.routine import Routine
from zermelo.kernel.stopping import StopToken
from zermelo.lookup.retrograde import (
    BEGIN,
    CLASS,
    CONVERSION,
    EVERYTHING,
    FAULT,
    FIRST,
    FIRST_FAULT,
    FOUND,
    INVALID,
    LARGEST,
    LAST,
    LIMIT,
    MARK,
    MOST,
    TOO_MANY,
    UNNUMBERED,
    UPDATE,
    VERIFY,
    Work,
)

CHUNK = 1 << 15
"""Indices that a thread works on before it looks for more work."""


class Interrupted(Exception):
    """The solver was stopped; what it has found is in its arrays."""


class Solver:
    """Solves one class.

    game          the game, without rules that depend on the past
    c             the number of the class
    values        the codes, which it fills: see `retrograde`
    marks         which positions to examine, one byte each
    others        the codes of the classes that moves lead to, by the number of the class
    conversion    count plies to the next class instead of to the win
    compiled      run as compiled code; otherwise as plain Python
    """

    def __init__(
        self,
        game: Game,
        c: int,
        values: Any,
        marks: Any,
        others: dict[int, Any],
        *,
        conversion: bool = False,
        threads: int = 1,
        compiled: bool = True,
        stop: StopToken | None = None,
    ):
        self.game, self.c, self.values, self.marks, self.compiled = game, c, values, marks, compiled
        self.stop = stop or StopToken()
        self.everything = not game.offers("retractions")
        starts = np.full(len(game.class_names()), -1, np.int64)
        end = 0
        for number, codes in others.items():
            starts[number] = end
            end += len(codes)
        joined = np.zeros(max(end, 1), np.int16)
        for number, codes in others.items():
            joined[starts[number] : starts[number] + len(codes)] = codes
        actions = game.max_actions or 1024
        self.works = [Work(values, marks, joined, starts, actions, compiled) for _ in range(threads)]
        for work in self.works:
            work.job[CLASS], work.job[EVERYTHING], work.job[CONVERSION] = c, int(self.everything), int(conversion)
        self.examined = 0

    def solve(self, passes: int = 0, after_pass: Callable[[int, int], Any] | None = None) -> int:
        """Find the codes of all positions; returns the number of passes.

        passes      how many were done before, if the arrays have been saved; 0: none
        after_pass  called after each pass with its number and how many positions became final in it
        """
        if passes == 0:
            self.run(BEGIN, 0)
            passes = 1
            if after_pass is not None:
                after_pass(0, 0)
        while True:
            found, largest = self.run(MARK, passes)
            if found == 0 and largest <= passes:
                return passes
            if largest >= MOST:
                raise GameError(f"a distance in {self.game.title} is larger than {MOST:,} plies")
            if found > 0:
                self.examined += self.run(UPDATE, passes)[0]
            if after_pass is not None:
                after_pass(passes, found)
            passes += 1

    def first_fault(self) -> int:
        """The first index whose code does not follow from its moves; -1 if there is none."""
        self.run(VERIFY, 0)
        faults = [int(work.job[FAULT]) - FIRST_FAULT for work in self.works if work.job[FAULT] >= FIRST_FAULT]
        return min(faults, default=-1)

    def run(self, routine: Routine, limit: int) -> tuple[int, int]:
        """One routine over all indices; returns the sum of FOUND and the maximum of LARGEST."""
        size = len(self.values)
        chunks = iter(range(0, size, CHUNK))
        lock = threading.Lock()

        def job(work: Work) -> None:
            program = routine.compiled(self.game, work) if self.compiled else None
            initial = self.game.initial()
            while True:
                with lock:
                    first = next(chunks, None)
                if first is None or self.stop.is_set:
                    return
                work.job[FIRST], work.job[LAST] = first, min(first + CHUNK, size)
                if program is not None:
                    program(initial)
                else:
                    routine.run_plain(self.game, initial, work)

        for work in self.works:
            work.job[LIMIT], work.job[FOUND], work.job[LARGEST] = limit, 0, 0
        with self.stop.watching(*(work.stop for work in self.works)):
            if len(self.works) == 1:
                job(self.works[0])
            else:
                if self.compiled:
                    routine.compiled(self.game, self.works[0])  # once, not on every thread
                with ThreadPoolExecutor(len(self.works)) as pool:
                    list(pool.map(job, self.works))
        if self.stop.is_set:
            raise Interrupted
        if any(work.job[FAULT] == TOO_MANY for work in self.works):
            declared = len(self.works[0].room)
            raise GameError(f"{self.game.title} has a position with more moves than max_actions, which is {declared:,}")
        if any(work.job[FAULT] == UNNUMBERED for work in self.works):
            raise GameError(
                f"{self.game.title}: two moves in a row lead out of all classes and do not end the game; number these "
                "positions too"
            )
        return sum(int(work.job[FOUND]) for work in self.works), max(int(work.job[LARGEST]) for work in self.works)


def counts(values: Any) -> dict[str, int]:
    """How many positions of a class are won, lost and drawn for the player to move."""
    codes = np.asarray(values)
    return {
        "won": int(np.count_nonzero(codes > 0)),
        "lost": int(np.count_nonzero((codes < 0) & (codes != INVALID))),
        "drawn": int(np.count_nonzero(codes == 0)),
    }
