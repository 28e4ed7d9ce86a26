"""How games between networks are played: chance as its probabilities say, moves as the network likes best."""

from __future__ import annotations

import math
from typing import Any

from zermelo.kernel.random import Random
from zermelo.networks.siblings import Siblings


def sampled(game: Any, s: Any, random: Random) -> int:
    """A chance outcome with its probability."""
    left = random.uniform()
    chosen = 0
    for outcome, probability in game.outcomes(s):
        chosen = outcome
        left -= probability
        if left < 0:
            break
    return chosen


def best_move(game: Any, siblings: Siblings, s: Any, moves: Any, count: int) -> int:
    """The move, of so many in a list, after which the network predicts the most for the player to move."""
    if count == 1:
        return int(moves[0])
    p = game.to_move(s)
    siblings.forget()
    best, chosen = -math.inf, moves[0]
    for i in range(count):
        after = game.result(s, moves[i])
        value = float(game.utility(after, p)) if game.is_terminal(after) else siblings.value(game, after, p)
        if value > best:
            best, chosen = value, moves[i]
    return int(chosen)
