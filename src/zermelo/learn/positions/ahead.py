"""Targets that look ahead: what the searches of the following moves say of a position, and not only its own search.

This is TD(λ) (Sutton 1988) over the positions of a finished game. The search of a later position sees further along the
line that was played, so a mean over several of them is nearer to the truth than one search, and less noisy than the
result alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.protocol import Game
from zermelo.kernel.flat import read_state
from zermelo.kernel.routine import Routine
from zermelo.learn.logistic import chances as chances_of
from zermelo.learn.positions.playing import FIRST, RANDOM
from zermelo.learn.positions.records import words

AT_A_TIME = 1 << 20
"""Positions whose words are in memory together."""
SUREST = 0.002
"""No chance of winning is nearer to 0 or 1 than this if it is written as log-odds."""


def list_sides(game: Any, s: Any, rows: Any, found: Any) -> int:
    """Write for each position which side is to move."""
    for i in range(len(found)):
        found[i] = game.side(game.to_move(read_state(rows[i], s)))
    return len(found)


SIDES = Routine(list_sides)


def sides(records: Any, game: Game) -> Any:
    """The side to move in each position."""
    found = np.zeros(len(records), np.int8)
    for begin in range(0, len(records), AT_A_TIME):
        part = found[begin : begin + AT_A_TIME]
        SIDES.compiled(game, words(records, begin, begin + AT_A_TIME), part)(game.initial())
    return found


def look_ahead(chances: Any, results: Any, flags: Any, movers: Any, decay: float) -> Any:
    """The chance of winning of each position, as the searches from there to the end of its game see it.

    chances, results   for the player to move: by the position's own search; by the end of the game
    flags, movers      see `playing`; the side to move
    decay              λ: each later position counts so many times as much as the one before it; the result counts as
                       the position after the last

    Nothing is learned across a random move: what follows it says nothing about the position.
    """
    found = np.array(chances, np.float32)
    if decay == 0.0 or len(found) == 0:
        return found
    first = np.flatnonzero(flags & FIRST != 0)
    last = np.append(first[1:], len(found)) - 1
    place, after = last, np.asarray(results, np.float32)[last]
    while len(place):  # the last positions of all games, then the last but one, and so on
        share = np.where(flags[place] & RANDOM != 0, 0.0, decay).astype(np.float32)
        found[place] += share * (after - found[place])
        inside = place > first
        place, first = place[inside], first[inside]
        same = movers[place] == movers[place - 1]
        after = np.where(same, found[place], 1 - found[place])
        place = place - 1
    return found


def log_odds_ahead(log_odds: Any, results: Any, flags: Any, movers: Any, decay: float) -> Any:
    """The same with the chances by the positions' own searches, and those found, as log-odds."""
    if decay == 0.0:
        return log_odds
    seen = np.clip(look_ahead(chances_of(log_odds), results, flags, movers, decay), SUREST, 1 - SUREST)
    return np.log(seen / (1 - seen))
