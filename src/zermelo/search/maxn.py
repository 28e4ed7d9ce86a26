"""Max^n: any number of players, each with its own utility."""

from __future__ import annotations

from typing import Any

from zermelo.game.protocol import CHANCE
from zermelo.kernel.vectors import add_scaled, constant_vector, evaluations, utilities
from zermelo.search.algorithm import algorithm
from zermelo.search.search import INF, Search


@algorithm(
    sides=None, zero_sum=False, chance=True, vector=True, strength=5, because="{sides} sides, each with its own utility"
)
def maxn(game: Any, s: Any, player: int, search: Search, ply: int = 0) -> tuple[float, ...]:
    """Values are vectors, one number per player; the player to move takes the vector with its best component.

    Luckhardt and Irani 1986. Of equal vectors the first is kept. Chance nodes average the vectors.
    """
    search.visit(game, s, ply)
    if game.is_terminal(s):
        return search.leave_vector(game, ply, utilities(game, s))
    if search.cutoff(ply):
        return search.leave_vector(game, ply, search.estimate_vector(ply, evaluations(game, s)))
    mover = search.mover(game, s, ply)
    if mover == CHANCE:
        best = constant_vector(game, 0.0)
        total = 0.0
        for outcome, probability in game.outcomes(s):
            search.play(ply, outcome)
            value = maxn(game, game.result(s, outcome), player, search, ply + 1)
            best = add_scaled(best, probability, value)
            total += search.probability(ply, probability)
        search.check_total(ply, total)
    else:
        best = constant_vector(game, -INF)
        for a in game.actions(s):
            search.play(ply, a)
            value = maxn(game, game.result(s, a), player, search, ply + 1)
            if value[mover] > best[mover]:
                best = value
                search.prefer(ply)
    return search.leave_vector(game, ply, best)
