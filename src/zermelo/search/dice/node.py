"""One node of a search with dice: expectiminimax over plies, with filtered replies, Star1 or Star2, and a table.

A *ply* is a roll with the move that answers it. A state after a move is judged statically at 0 plies. At n plies, every
outcome of chance is tried, and for each the player to move chooses the best reply by what follows at n − 1 plies.
"""

from __future__ import annotations

import math
from typing import Any

from zermelo.game.hashing import mix
from zermelo.game.protocol import CHANCE
from zermelo.kernel.ordinals import number_of
from zermelo.kernel.routine import Routine
from zermelo.search.dice.memory import CANDIDATES, FINISHED, PLIES, PRUNING, RECALLS, DiceMemory
from zermelo.search.search import INF

UNKNOWN = math.nan
FREE_MOVES = 3
"""Moves without a roll between them, such as to double and to take, are one ply; beyond so many, each is a ply."""


def dice_node(
    game: Any, s: Any, player: int, judge: Any, memory: DiceMemory, plies: int, ply: int, moves: int, slot: int,
    alpha: float, beta: float, first: float,
) -> float:  # fmt: skip
    """The value of a state to a player at this many plies; outside the window (alpha, beta) it is only a bound.

    moves   how many moves were made since the last roll
    slot    the place of the outcome that led here: its best reply so far is tried first
    first   the value of the first reply, if a probe has found it already (Star2)
    """
    memory.count_node(ply)
    mover = CHANCE if game.is_terminal(s) else game.to_move(s)
    if game.is_terminal(s) or (plies == 0 and (moves > 0 or mover == CHANCE)):
        return memory.judge_state(game, s, player, judge, ply)
    pruning = memory.limits[PRUNING]
    one = number_of(1)
    if mover == CHANCE:
        key = mix(game.key(s), player)
        if memory.limits[RECALLS] != 0 and memory.recall(key, plies, ply, alpha, beta):
            return float(memory.answer[0])
        count = memory.list_outcomes(game, s, ply)
        for i in range(count if pruning == 2 and (alpha > -INF or beta < INF) else 0):  # Star2: probe one reply each
            memory.narrow(ply, 0.0, 0, i, count, alpha, beta)
            if memory.is_decided(ply, alpha, beta):
                break
            child = game.result(s, memory.outcome[ply, i])
            if memory.list_probe(game, child, player, judge, plies, ply, i):
                least, most = memory.least[ply], memory.most[ply]
                after = game.result(child, memory.moves[ply + 1, 0])
                value = dice_node(
                    game, after, player, judge, memory, plies - 1, ply + 2, one, number_of(0), least, most, UNKNOWN
                )
                memory.keep_probe(ply, i, value, game.side(game.to_move(child)) == game.side(player))
        total = 0.0
        memory.start_sum(ply)
        for i in range(count):
            least, most = -INF, INF
            if pruning > 0:
                memory.narrow(ply, total, i, i, count, alpha, beta)
                if memory.is_decided(ply, alpha, beta):
                    total = memory.high[ply] if memory.high[ply] <= alpha else memory.low[ply]
                    break
                least, most = memory.least[ply], memory.most[ply]
            child = game.result(s, memory.outcome[ply, i])
            rest = plies if not game.is_terminal(child) and game.to_move(child) == CHANCE else plies - 1
            probe = memory.probe[ply, i]
            value = dice_node(game, child, player, judge, memory, rest, ply + 1, number_of(0), i, least, most, probe)
            total += memory.odds[ply, i] * value
            memory.add_outputs(ply, memory.odds[ply, i])
        memory.end_sum(ply)
        if memory.limits[RECALLS] != 0:
            memory.store(key, plies, ply, total, alpha, beta)
        return total
    own = game.side(mover) == game.side(player)
    sign = 1.0 if own else -1.0
    count = memory.list_moves(game, s, ply)
    if plies == 0:
        return memory.best_leaf(game, s, player, judge, ply, slot, count, sign, beta if own else alpha, first)
    memory.judge_moves(game, s, player, judge, ply, count)
    rest = plies if moves < FREE_MOVES else plies - 1
    best = -INF  # of sign · value
    for i in range(memory.replies_kept(count)):
        memory.bring_forward(ply, i, count, sign)
        if memory.is_filtered(ply, i, sign):
            break
        if i == 0 and not math.isnan(first):
            value = first
            memory.recall_probe(ply, slot)
        else:
            after = game.result(s, memory.moves[ply, i])
            value = dice_node(
                game, after, player, judge, memory, rest, ply + 1, moves + 1, number_of(0), alpha, beta, UNKNOWN
            )
        if sign * value > best:
            best = sign * value
            memory.raise_outputs(ply)
        if pruning > 0 and own:
            alpha = max(alpha, value)
        elif pruning > 0:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return sign * best


def judge_root(game: Any, s: Any, player: int, judge: Any, memory: DiceMemory) -> float:
    """Judge the root's candidates, or the root itself if there are none; returns the greatest value."""
    plies, count, best = int(memory.limits[PLIES]), memory.limits[CANDIDATES], -INF
    zero, one = number_of(0), number_of(1)
    if count == 0:
        best = dice_node(game, s, player, judge, memory, plies, zero, zero, zero, -INF, INF, UNKNOWN)
        memory.note_root(0, best)
    judge.begin()
    for i in range(count):
        after = game.result(s, memory.roots[i])
        if plies == 0:  # a family
            memory.count_node(1)
            memory.root_exact[i] = True
            value = memory.judge_member(game, after, player, judge, zero)
        else:
            alpha = best - memory.slack[0] if memory.limits[PRUNING] > 0 else -INF
            value = dice_node(game, after, player, judge, memory, plies, zero, one, zero, alpha, INF, UNKNOWN)
            memory.root_exact[i] = value > alpha
        best = max(best, value)
        memory.note_root(i, value)
        memory.counts[FINISHED] = i + 1
    return best


JUDGE_ROOT = Routine(judge_root)
