"""Star1: expectiminimax that prunes at chance nodes, given bounds on the utility."""

from __future__ import annotations

from typing import Any

from zermelo.game.protocol import CHANCE
from zermelo.search.algorithm import algorithm
from zermelo.search.search import ALPHA, BETA, CHANCE_HIGH, CHANCE_LOW, INF
from zermelo.search.star import StarSearch


@algorithm(chance=True, bounded=True, prunes=True, bookkeeping=StarSearch)
def star1(
    game: Any, s: Any, player: int, search: StarSearch, ply: int = 0, alpha: float = -INF, beta: float = INF
) -> float:
    """Expectiminimax with alpha-beta, and cuts at chance nodes if the rest cannot matter (Ballard 1983)."""
    search.visit(game, s, ply)
    search.bound(ply, alpha, beta)
    if game.is_terminal(s):
        return search.leave(game, ply, game.utility(s, player))
    if search.cutoff(ply):
        return search.leave(game, ply, search.estimate(ply, game.evaluate(s, player)))
    mover = search.mover(game, s, ply)
    if mover == CHANCE:
        count = search.list_outcomes(game, s, ply)
        best = 0.0
        for i in range(count):
            low = search.at_least(ply, best, i, count)
            high = search.at_most(ply, best, i, count)
            search.bound(ply, low, high)
            if high <= alpha:
                search.cut(ply, CHANCE_LOW, high, alpha)
                return search.leave(game, ply, high)
            if low >= beta:
                search.cut(ply, CHANCE_HIGH, low, beta)
                return search.leave(game, ply, low)
            search.play(ply, search.outcome[ply, i])
            least = search.child_alpha(ply, i, alpha, search.at_most(ply, best, i + 1, count))
            most = search.child_beta(ply, i, beta, search.at_least(ply, best, i + 1, count))
            child = game.result(s, search.outcome[ply, i])
            best += search.odds[ply, i] * star1(game, child, player, search, ply + 1, least, most)
    elif game.side(mover) == game.side(player):
        best = -INF
        for a in game.actions(s):
            search.play(ply, a)
            value = star1(game, game.result(s, a), player, search, ply + 1, alpha, beta)
            if value > best:
                best = value
                search.prefer(ply)
            if best >= beta:
                search.cut(ply, BETA, best, beta)
                break
            alpha = max(alpha, best)
            search.bound(ply, alpha, beta)
    else:
        best = INF
        for a in game.actions(s):
            search.play(ply, a)
            value = star1(game, game.result(s, a), player, search, ply + 1, alpha, beta)
            if value < best:
                best = value
                search.prefer(ply)
            if best <= alpha:
                search.cut(ply, ALPHA, best, alpha)
                break
            beta = min(beta, best)
            search.bound(ply, alpha, beta)
    return search.leave(game, ply, best)
