"""How fast methods find an equilibrium: the exploitability after each number of iterations."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from zermelo.equilibria.methods import METHODS
from zermelo.equilibria.sampling import Sampler, chances_in
from zermelo.equilibria.solver import Solver, appraise
from zermelo.game.protocol import Game
from zermelo.kernel.stopping import StopToken

SAMPLING = "mccfr"
GROWTH = 1.3
"""The factor from one point of a curve to the next."""

Curve = list[tuple[float, float]]


def convergence(
    game: Game,
    methods: list[str],
    *,
    iterations: int,
    seconds: float = math.inf,
    stop: StopToken | None = None,
    on_progress: Callable[[str, int, float], object] | None = None,
) -> dict[str, Curve]:
    """For each method the exploitability after some iterations: a list of pairs.

    iterations   the most of each method; mccfr makes a hundred times as many, because each visits a sample only
    seconds      the most for each method
    """
    token = stop or StopToken()
    found: dict[str, Curve] = {}
    for method in methods:
        curve: Curve = []
        advance, measure = _sampled(game, token) if method == SAMPLING else _solved(game, method, token)
        last = 100 * iterations if method == SAMPLING else iterations
        done, deadline = 0, time.perf_counter() + seconds
        while done < last and time.perf_counter() < deadline and not token.is_set:
            goal = min(max(done + 1, int(done * GROWTH)), last)
            advance(goal - done)
            done = goal
            if token.is_set:
                break
            curve.append((float(done), measure()))
            if on_progress is not None:
                on_progress(method, done, curve[-1][1])
        if curve:
            found[method] = curve
    return found


def _solved(game: Game, method: str, token: StopToken) -> tuple[Callable[[int], object], Callable[[], float]]:
    """How to make iterations, and how to measure the exploitability."""
    solver = Solver(game, method, stop=token)
    return solver.iterate, lambda: solver.look().exploitability


def _sampled(game: Game, token: StopToken) -> tuple[Callable[[int], object], Callable[[], float]]:
    """The same for sampling."""
    sampler, solver = Sampler(game, stop=token), Solver(game, stop=token)

    def measure() -> float:
        values, best = appraise(solver.form, chances_in(solver, sampler.strategy()))
        return (sum(best) - sum(values)) / game.players

    return lambda more: sampler.solve(iterations=sampler.iterations + more), measure


def methods_to_compare() -> list[str]:
    """All iterative methods."""
    return [*METHODS, SAMPLING]
