"""Expectiminimax: minimax with dice. A chance node is worth the average of its outcomes."""

from __future__ import annotations

from typing import Any

from zermelo.game.protocol import CHANCE
from zermelo.search.algorithm import algorithm
from zermelo.search.search import INF, Search


@algorithm(chance=True, strength=7, because="chance nodes, and no bounds on the utility to prune with")
def expectiminimax(game: Any, s: Any, player: int, search: Search, ply: int = 0) -> float:
    """Minimax that averages over chance, each outcome weighted by its probability (Michie 1966)."""
    search.visit(game, s, ply)
    if game.is_terminal(s):
        return search.leave(game, ply, game.utility(s, player))
    if search.cutoff(ply):
        return search.leave(game, ply, search.estimate(ply, game.evaluate(s, player)))
    mover = search.mover(game, s, ply)
    if mover == CHANCE:
        best = 0.0
        total = 0.0
        for outcome, probability in game.outcomes(s):
            search.play(ply, outcome)
            best += probability * expectiminimax(game, game.result(s, outcome), player, search, ply + 1)
            total += search.probability(ply, probability)
        search.check_total(ply, total)
    elif game.side(mover) == game.side(player):
        best = -INF
        for a in game.actions(s):
            search.play(ply, a)
            value = expectiminimax(game, game.result(s, a), player, search, ply + 1)
            if value > best:
                best = value
                search.prefer(ply)
    else:
        best = INF
        for a in game.actions(s):
            search.play(ply, a)
            value = expectiminimax(game, game.result(s, a), player, search, ply + 1)
            if value < best:
                best = value
                search.prefer(ply)
    return search.leave(game, ply, best)
