"""AND-OR search: can a win be forced, and how? For games of win and loss; draws count as no win."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.protocol import CHANCE
from zermelo.search.algorithm import algorithm
from zermelo.search.search import DECIDED, INF, Search


class AndOrSearch(Search):
    """Bookkeeping that knows what a win is: the greatest utility. Values are 1 for a forced win and 0 for none."""

    def __init__(self, *, bounds: tuple[float, float], **rest: Any):
        super().__init__(bounds=(0.0, 1.0), **rest)
        self.win = np.array([bounds[1]])


@algorithm(chance=True, bounded=True, prunes=True, bookkeeping=AndOrSearch)
def and_or(game: Any, s: Any, player: int, search: AndOrSearch, ply: int = 0) -> float:
    """1 if the player can force a win: one good move at its own nodes, all replies and all dice at the others."""
    search.visit(game, s, ply)
    if game.is_terminal(s):
        return search.leave(game, ply, 1.0 if game.utility(s, player) >= search.win[0] else 0.0)
    if search.cutoff(ply):
        return search.leave(game, ply, search.estimate(ply, 0.0))
    mover = search.mover(game, s, ply)
    if mover == CHANCE:
        best = 1.0
        total = 0.0
        for _, probability in game.outcomes(s):
            total += search.probability(ply, probability)
        search.check_total(ply, total)
        for outcome, probability in game.outcomes(s):
            if probability > 0.0:
                search.play(ply, outcome)
                best = and_or(game, game.result(s, outcome), player, search, ply + 1)
                if best == 0.0:
                    search.cut(ply, DECIDED, best, best)
                    break
    elif game.side(mover) == game.side(player):
        best = -INF
        for a in game.actions(s):
            search.play(ply, a)
            value = and_or(game, game.result(s, a), player, search, ply + 1)
            if value > best:
                best = value
                search.prefer(ply)
            if best == 1.0:
                search.cut(ply, DECIDED, best, best)
                break
    else:
        best = INF
        for a in game.actions(s):
            search.play(ply, a)
            value = and_or(game, game.result(s, a), player, search, ply + 1)
            if value < best:
                best = value
                search.prefer(ply)
            if best == 0.0:
                search.cut(ply, DECIDED, best, best)
                break
    return search.leave(game, ply, best)
