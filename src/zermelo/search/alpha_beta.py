"""Alpha-beta: minimax that skips what cannot change the answer."""

from __future__ import annotations

from typing import Any

from zermelo.search.algorithm import algorithm
from zermelo.search.search import ALPHA, BETA, INF, Search


@algorithm(prunes=True, strength=10, because="no chance and nothing hidden, one side against the other")
def alpha_beta(
    game: Any, s: Any, player: int, search: Search, ply: int = 0, alpha: float = -INF, beta: float = INF
) -> float:
    """Minimax with pruning: alpha is what MAX already has along the path, beta what MIN has (Knuth and Moore 1975)."""
    search.visit(game, s, ply)
    search.bound(ply, alpha, beta)
    low, high = alpha, beta
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
            value = alpha_beta(game, game.result(s, a), player, search, ply + 1, alpha, beta)
            if value > best:
                best = value
                search.prefer(ply)
            if search.is_enough(best, beta):
                search.cut(ply, BETA, best, beta)
                break
            alpha = max(alpha, best)
            search.bound(ply, alpha, beta)
    else:
        best = INF
        for a in game.actions(s):
            search.play(ply, a)
            value = alpha_beta(game, game.result(s, a), player, search, ply + 1, alpha, beta)
            if value < best:
                best = value
                search.prefer(ply)
            if search.is_enough(alpha, best):
                search.cut(ply, ALPHA, best, alpha)
                break
            beta = min(beta, best)
            search.bound(ply, alpha, beta)
    return search.leave(game, ply, search.settle(best, low, high))
