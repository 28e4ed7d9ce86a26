"""Greedy: one ply ahead."""

from __future__ import annotations

from typing import Any

from zermelo.game.protocol import CHANCE
from zermelo.search.algorithm import algorithm
from zermelo.search.search import INF, Search


@algorithm(sides=None, zero_sum=False, chance=True, deepens=False, anytime=False)
def greedy(game: Any, s: Any, player: int, search: Search, ply: int = 0) -> float:
    """Take the move with the best result: its utility if the game is over, otherwise its evaluation."""
    search.visit(game, s, ply)
    if game.is_terminal(s):
        return search.leave(game, ply, game.utility(s, player))
    if ply == 1:
        return search.leave(game, ply, search.estimate(ply, game.evaluate(s, player)))
    if search.mover(game, s, ply) == CHANCE:
        best = 0.0
        total = 0.0
        for outcome, probability in game.outcomes(s):
            search.play(ply, outcome)
            best += probability * greedy(game, game.result(s, outcome), player, search, ply + 1)
            total += search.probability(ply, probability)
        search.check_total(ply, total)
    else:
        best = -INF
        for a in game.actions(s):
            search.play(ply, a)
            value = greedy(game, game.result(s, a), player, search, ply + 1)
            if value > best:
                best = value
                search.prefer(ply)
    return search.leave(game, ply, best)
