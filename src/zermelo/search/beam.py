"""Beam search: forward pruning to the few most promising moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.search.algorithm import algorithm
from zermelo.search.search import ALPHA, BEAM, BETA, ESTIMATES, HIGHEST, INF, LOWEST, Search


class BeamSearch(Search):
    """Bookkeeping with the most promising moves of each node on the path, best first."""

    def __init__(self, *, compiled: bool, plies: int, beam: int, **rest: Any):
        super().__init__(compiled=compiled, plies=plies, **rest)
        self.chosen = np.empty((plies + 1, beam), np.int64 if compiled else object)
        self.promises = np.empty((plies + 1, beam))

    def most_promising(self, game: Any, s: Any, ply: int) -> int:
        """List the most promising moves, best first, equal ones in their order; returns how many."""
        room = self.promises.shape[1]
        count = 0
        dropped = False
        for a in game.actions(s):
            promise = game.promise(s, a)
            place = count
            while place > 0 and self.promises[ply, place - 1] < promise:
                place -= 1
            if place >= room:
                dropped = True
                continue
            last = min(count, room - 1)
            dropped = dropped or count == room
            for i in range(last, place, -1):
                self.promises[ply, i] = self.promises[ply, i - 1]
                self.chosen[ply, i] = self.chosen[ply, i - 1]
            self.promises[ply, place] = promise
            self.chosen[ply, place] = a
            count = last + 1
        if dropped:
            self.narrowed(ply, room)
        return count

    def narrowed(self, ply: int, room: int) -> None:
        """Some moves were skipped: the result is not proven."""
        self.counts[ESTIMATES] += 1
        self.counts[HIGHEST] += 1
        self.counts[LOWEST] += 1
        self.cut(ply, BEAM, float(room), float(room))


@algorithm(prunes=True, bookkeeping=BeamSearch, beam=3)
def beam(
    game: Any, s: Any, player: int, search: BeamSearch, ply: int = 0, alpha: float = -INF, beta: float = INF
) -> float:
    """Alpha-beta over the `beam` most promising moves of each state: fast, and blind to the others."""
    search.visit(game, s, ply)
    search.bound(ply, alpha, beta)
    if game.is_terminal(s):
        return search.leave(game, ply, game.utility(s, player))
    if search.cutoff(ply):
        return search.leave(game, ply, search.estimate(ply, game.evaluate(s, player)))
    count = search.most_promising(game, s, ply)
    mover = game.to_move(s)
    if mover < 0 or mover >= game.players:
        search.reject_mover(ply)
    if game.side(mover) == game.side(player):
        best = -INF
        for i in range(count):
            a = search.chosen[ply, i]
            search.play(ply, a)
            value = beam(game, game.result(s, a), player, search, ply + 1, alpha, beta)
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
        for i in range(count):
            a = search.chosen[ply, i]
            search.play(ply, a)
            value = beam(game, game.result(s, a), player, search, ply + 1, alpha, beta)
            if value < best:
                best = value
                search.prefer(ply)
            if best <= alpha:
                search.cut(ply, ALPHA, best, alpha)
                break
            beta = min(beta, best)
            search.bound(ply, alpha, beta)
    return search.leave(game, ply, best)
