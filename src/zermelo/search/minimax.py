"""Minimax: the value of a game when both sides play perfectly."""

from __future__ import annotations

from typing import Any

from zermelo.search.algorithm import algorithm
from zermelo.search.search import INF, Search


@algorithm()
def minimax(game: Any, s: Any, player: int, search: Search, ply: int = 0) -> float:
    """Search the whole tree, depth first: MAX takes the best for itself, MIN the worst for MAX (Zermelo 1913)."""
    search.visit(game, s, ply)
    if game.is_terminal(s):
        return search.leave(game, ply, game.utility(s, player))
    if search.cutoff(ply):
        return search.leave(game, ply, search.estimate(ply, game.evaluate(s, player)))
    mover = game.to_move(s)
    if mover < 0 or mover >= game.players:
        search.reject_mover(ply)
    if game.side(mover) == game.side(player):
        best = -INF
        for a in game.actions(s):
            search.play(ply, a)
            value = minimax(game, game.result(s, a), player, search, ply + 1)
            if value > best:
                best = value
                search.prefer(ply)
    else:
        best = INF
        for a in game.actions(s):
            search.play(ply, a)
            value = minimax(game, game.result(s, a), player, search, ply + 1)
            if value < best:
                best = value
                search.prefer(ply)
    return search.leave(game, ply, best)
