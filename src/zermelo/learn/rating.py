"""A match between two networks for one game: points per game, with an error.

Both choose the move after which their network predicts the most; they do not search. Each pair of games has the same
dice, or the same random opening, with the sides exchanged, so that luck cancels out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.game.hashing import mix
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine, why_not_compiled
from zermelo.learn.choices import best_move, sampled
from zermelo.networks import Siblings

MOST_PLIES = 5_000
"""A game that lasts longer is a draw."""

OPENING = 6
"""The most random plies at the beginning of games without chance, which would otherwise all be the same."""

AT_A_TIME = 25
"""Pairs of games that compiled code plays before it can be stopped."""


@dataclass(frozen=True)
class Rating:
    """The first network's points per game against the second, with the standard error."""

    games: int
    points: float
    error: float

    def __str__(self) -> str:
        return f"{self.points:+.3f} ± {self.error:.3f}"


def meet(
    game: Any, s: Any, rival: Any, first: Siblings, second: Siblings, random: Random, moves: Any, points: Any,
    opening: int,
) -> int:  # fmt: skip
    """Play pairs of games between the networks of `game` and of `rival`; the first one's mean goes into `points`."""
    start = s
    low, high = game.utility_range
    for pair in range(len(points)):
        dice = random.bits()
        total = 0.0
        for seat in range(2):
            random.state[0] = dice
            random_plies = random.below(opening + 1)
            s = start
            worth = (low + high) / 2
            for ply in range(MOST_PLIES):
                if game.is_terminal(s):
                    worth = game.utility(s, seat)
                    break
                if game.to_move(s) == CHANCE:
                    s = game.result(s, sampled(game, s, random))
                    continue
                count = game.list_actions(s, moves)
                if ply < random_plies:
                    move = int(moves[random.below(count)])
                elif game.to_move(s) == seat:
                    move = best_move(game, first, s, moves, count)
                else:
                    move = best_move(rival, second, s, moves, count)
                s = game.result(s, move)
            total += worth
        points[pair] = total / 2
        random.state[0] = dice
        random.bits()
    return len(points)


MEET = Routine(meet)


def rate(
    game: Game, rival: Game, *, games: int = 1000, seed: int = 0, opening: int = OPENING, compile: bool | None = None,
    stopped: Any = lambda: False,
) -> Rating:  # fmt: skip
    """A match between the networks of two copies of one game; stopped, it returns what has been played."""
    compiled = compile if compile is not None else why_not_compiled(game) is None
    first, second, random = Siblings(game.network), Siblings(rival.network), Random(mix(0, seed))
    moves = np.zeros(game.max_actions or 4096, np.int64)
    found: list[float] = []
    while 2 * len(found) < games and not stopped():
        points = np.zeros(min(AT_A_TIME if compiled else 1, -(-games // 2) - len(found)))
        arguments = (rival, first, second, random, moves, points, 0 if game.chance else opening)
        if compiled:
            MEET.compiled(game, *arguments)(game.initial())
        else:
            MEET.run_plain(game, game.initial(), *arguments)
        found += points.tolist()
    if len(found) < 2:
        return Rating(2 * len(found), math.nan, math.inf)
    return Rating(2 * len(found), float(np.mean(found)), float(np.std(found, ddof=1) / math.sqrt(len(found))))
