"""Two evaluations of one game against each other: pairs of games from one random opening, in one compiled routine."""

from __future__ import annotations

import math
from typing import Any

from zermelo.kernel.history import forget, remember, rewind
from zermelo.kernel.ordinals import float_of, number_of
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.learn.positions.playing import (
    DECIDED_PLIES,
    LONGEST,
    MOST_OPENINGS,
    SEARCHED,
    any_move,
    open_game,
    think,
)
from zermelo.search.engine.memory import Memory
from zermelo.search.engine.scores import WINS


def play_pair(
    game: Any, s: Any, rival: Any, search: Memory, other: Memory, random: Random, points: Any, salt: int, nodes: int,
    least: int, most: int, balance: float, decided: float,
) -> int:  # fmt: skip
    """Two games from one random opening, the evaluation of `game` against that of `rival`, with the sides exchanged.

    Writes the points of the first evaluation in half points, as player 0 and as player 1; returns how it went.
    """
    low, high = game.utility_range
    middle = (low + high) / 2 if -math.inf < low and high < math.inf else 0.0
    dice = random.bits()
    for _ in range(MOST_OPENINGS):
        random.state[0] = dice
        rewind(game, number_of(0))
        search.clear()
        search.forget_ordering()
        ply, s1 = open_game(game, s, search, random, least + random.below(most - least + 1))
        remember(game, s1)
        over = game.is_terminal(s1)
        forget(game)
        if not over:
            how, score = think(game, s1, search, salt, ply, nodes)
            if how != SEARCHED:
                return how
            if abs(score) < WINS and abs(float_of(score) - middle) <= balance:
                break
        dice = random.bits()
    for seat in range(2):
        random.state[0] = dice
        how = play_against(
            game, s, rival, search, other, random, points, salt, nodes, least, most, decided, seat, middle
        )
        if how != SEARCHED:
            return how
    return SEARCHED


def play_against(
    game: Any, s: Any, rival: Any, search: Memory, other: Memory, random: Random, points: Any, salt: int, nodes: int,
    least: int, most: int, decided: float, seat: int, middle: float,
) -> int:  # fmt: skip
    """One game of a pair: the evaluation of `game` has this seat."""
    search.clear()
    search.forget_ordering()
    other.clear()
    other.forget_ordering()
    rewind(game, number_of(0))
    rewind(rival, number_of(0))
    opening, streak = least + random.below(most - least + 1), 0
    points[seat] = 1
    for ply in range(LONGEST):
        remember(game, s)
        over = game.is_terminal(s)
        if over:
            worth = game.utility(s, seat)
            points[seat] = 2 if worth > middle else 1 if worth == middle else 0
            return SEARCHED
        forget(game)
        mover = game.to_move(s)
        if ply < opening:
            move = any_move(game, s, search, random)
        else:
            if game.side(mover) == game.side(seat):
                how, score = think(game, s, search, salt, number_of(ply), nodes)
                move = search.first[0]
            else:
                how, score = think(rival, s, other, salt, number_of(ply), nodes)
                move = other.first[0]
            if how != SEARCHED:
                return how
            value = abs(float_of(score) - middle)
            ahead = (score > 0 if abs(score) >= WINS else float_of(score) > middle) == (
                game.side(mover) == game.side(seat)
            )
            if abs(score) < WINS:
                streak = 0 if value < decided else max(streak, 0) + 1 if ahead else min(streak, 0) - 1
            if abs(score) >= WINS or abs(streak) >= DECIDED_PLIES:
                points[seat] = 2 if ahead else 0
                return SEARCHED
        remember(game, s)
        remember(rival, s)
        s = game.result(s, move)
    return SEARCHED


PLAY_PAIR = Routine(play_pair)
