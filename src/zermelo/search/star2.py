"""Star2: Star1 that probes before it searches."""

from __future__ import annotations

import math
from typing import Any

from zermelo.game.protocol import CHANCE
from zermelo.search.algorithm import algorithm
from zermelo.search.search import ALPHA, BETA, CHANCE_HIGH, CHANCE_LOW, INF
from zermelo.search.star import StarSearch

UNKNOWN = math.nan


@algorithm(
    chance=True,
    bounded=True,
    prunes=True,
    bookkeeping=StarSearch,
    strength=8,
    because="chance nodes, and bounds on the utility to prune with",
)
def star2(
    game: Any,
    s: Any,
    player: int,
    search: StarSearch,
    ply: int = 0,
    alpha: float = -INF,
    beta: float = INF,
    first: float = UNKNOWN,
) -> float:
    """Star1 that first probes one move below each outcome, which often bounds the average enough (Ballard 1983).

    `first` is the value of the node's first move, if a probe has found it already. A probe's window is never
    narrower than the one that the node is searched with later, so its value is as good as a fresh one.
    """
    search.visit(game, s, ply)
    search.bound(ply, alpha, beta)
    if game.is_terminal(s):
        return search.leave(game, ply, game.utility(s, player))
    if search.cutoff(ply):
        return search.leave(game, ply, search.estimate(ply, game.evaluate(s, player)))
    mover = search.mover(game, s, ply)
    if mover == CHANCE:
        count = search.list_outcomes(game, s, ply)
        probing = alpha > -INF or beta < INF
        for i in range(count if probing else 0):
            low = search.at_least(ply, 0.0, 0, count)
            high = search.at_most(ply, 0.0, 0, count)
            if high <= alpha or low >= beta:
                break
            child = game.result(s, search.outcome[ply, i])
            search.play(ply, search.outcome[ply, i])
            search.enter_probe(game, child, ply + 1)
            if not game.is_terminal(child) and not search.cutoff(ply + 1) and game.to_move(child) != CHANCE:
                least = search.child_alpha(ply, i, alpha, high - search.odds[ply, i] * search.upper[ply, i])
                most = search.child_beta(ply, i, beta, low - search.odds[ply, i] * search.lower[ply, i])
                for a in game.actions(child):
                    search.play(ply + 1, a)
                    probe = star2(game, game.result(child, a), player, search, ply + 2, least, most, UNKNOWN)
                    search.probe[ply, i] = probe
                    if game.side(game.to_move(child)) == game.side(player):
                        if probe > least:
                            search.lower[ply, i] = probe
                    elif probe < most:
                        search.upper[ply, i] = probe
                    break  # one move is enough for a bound
            search.leave_probe(game)
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
            value = star2(game, child, player, search, ply + 1, least, most, search.probe[ply, i])
            best += search.odds[ply, i] * value
    elif game.side(mover) == game.side(player):
        best = -INF
        for a in game.actions(s):
            search.play(ply, a)
            if math.isnan(first):
                value = star2(game, game.result(s, a), player, search, ply + 1, alpha, beta, UNKNOWN)
            else:
                value, first = first, UNKNOWN
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
            if math.isnan(first):
                value = star2(game, game.result(s, a), player, search, ply + 1, alpha, beta, UNKNOWN)
            else:
                value, first = first, UNKNOWN
            if value < best:
                best = value
                search.prefer(ply)
            if best <= alpha:
                search.cut(ply, ALPHA, best, alpha)
                break
            beta = min(beta, best)
            search.bound(ply, alpha, beta)
    return search.leave(game, ply, best)
