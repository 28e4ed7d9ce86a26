"""Iterations of CFR+ per second of processor time, next to OpenSpiel's C++.

    python bench/equilibria.py

Both run in turn in the same process, on one core; the ratio is what counts. Processor time is disturbed less by other
work on the machine. OpenSpiel is optional.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo import games
from zermelo.equilibria.solver import Solver

SECONDS, ROUNDS = 1.0, 5
GAMES: tuple[tuple[str, dict[str, Any], str | None], ...] = (
    ("kuhn_poker", {}, "kuhn_poker"),
    ("leduc_poker", {"suits": True}, "leduc_poker"),
    ("leduc_poker", {}, "leduc_poker"),
    ("goofspiel", {"order": "random"}, None),
    ("liars_dice", {}, None),
)
"""The game, its parameters, and what OpenSpiel calls it; None if they are not compared."""


def rate(work: Callable[[int], None], first: int) -> float:
    """Repetitions of some work per second of processor time, in about a second."""
    count, took = first, 0.0
    while took < SECONDS / 4:
        began = time.process_time()
        work(count)
        took = time.process_time() - began
        speed = count / took
        count = max(int(speed * SECONDS), count + 1)
    return speed


def openspiel(name: str | None) -> Callable[[int], None] | None:
    """Iterations of OpenSpiel's solver; None if it is not installed or not asked for."""
    try:
        import pyspiel
    except ImportError:
        return None
    if name is None:
        return None
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(name))

    def work(iterations: int) -> None:
        for _ in range(iterations):
            solver.evaluate_and_update_policy()

    return work


def iterations() -> None:
    print("CFR+ iterations per second of processor time: median of", ROUNDS, "rounds in turn")
    for name, parameters, other in GAMES:
        solver, peer = Solver(games.load(name, **parameters)), openspiel(other)
        solver.iterate(1)
        own, theirs = [], []
        for _ in range(ROUNDS):
            own.append(rate(lambda n, solver=solver: solver.iterate(n) and None, 100))
            if peer is not None:
                theirs.append(rate(peer, 10))
        line = f"{name} {parameters or ''}: {np.median(own):,.0f}"
        if theirs:
            ratio = np.median(np.array(own) / np.array(theirs))
            line += f", OpenSpiel {np.median(theirs):,.0f}, ratio {ratio:.0f}"
        print(line)


if __name__ == "__main__":
    iterations()
