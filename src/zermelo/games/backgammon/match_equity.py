"""The match equity table: the chance to win a match at each score, between equal players.

It is computed, not copied. A game between equal players begins at an even chance, a share of the wins are gammons, and
the cube is worth what Janowski's formulas say (see `cube`). Each score follows from those with fewer points to go.
The two constants were chosen to fit published tables.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from zermelo.games.backgammon.bearoff import CENTRED
from zermelo.games.backgammon.cube import after_game, match_chance

LONGEST = 64
GAMMONS = 0.28
"""The share of wins that are gammons or backgammons."""
EFFICIENCY = 0.76
"""The cube efficiency at the start of a game."""
FIRST_ROLLS = 0.03
"""The standard deviation of the chance to win when the leader answers the first double after the Crawford game."""


@functools.cache
def match_equities(points: int) -> np.ndarray[Any, Any]:
    """The table for matches up to this length: [k, a, b] is the chance to win with a points to go against b.

    k is 0 before and in the Crawford game, and 1 after it.
    """
    table = np.full((2, points + 1, points + 1), 0.5)
    _after_crawford(table)
    out = np.array([0.5, 0.5 * GAMMONS, 0.0, 0.5 * GAMMONS, 0.0])
    for own in range(1, points + 1):
        for other in range(own, points + 1):
            live = EFFICIENCY if own > 1 else 0.0
            chance = 0.5 if own == other else match_chance(table, own, other, out, 0, CENTRED, live)
            table[0, own, other], table[0, other, own] = chance, 1.0 - chance
    table.flags.writeable = False
    return table


def _after_crawford(table: np.ndarray[Any, Any]) -> None:
    """The games after the Crawford game. The trailing player doubles at once; the leader takes, or drops one point."""
    for other in range(2, table.shape[1]):
        won = (1 - GAMMONS) * after_game(table, 1, other - 2, 1) + GAMMONS * after_game(table, 1, other - 4, 1)
        trailing = _expected_least(0.5 * won, FIRST_ROLLS * won, after_game(table, 1, other - 1, 1))
        table[1, other, 1], table[1, 1, other] = trailing, 1 - trailing


def _expected_least(mean: float, deviation: float, limit: float) -> float:
    """The expected minimum of a normally distributed number and a limit."""
    z = (limit - mean) / deviation
    density, below = math.exp(-z * z / 2) / math.sqrt(2 * math.pi), 0.5 * (1 + math.erf(z / math.sqrt(2)))
    return mean * below - deviation * density + limit * (1 - below)
