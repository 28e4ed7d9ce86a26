"""Where a user's rules fail. Compiled code does not know its file and line, so the rules run again as plain Python."""

from __future__ import annotations

import itertools
import time
from typing import Any

from zermelo.game.errors import ZermeloError
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.random import Random

SECONDS = 2.0
"""How long to look for the fault."""
MOST_ACTIONS, MOST_PLIES = 1000, 2000


def located(game: Game, state: Any, error: Exception) -> Exception:
    """The same error as plain Python raises it, with its file and line; the given one if it does not happen again."""
    if isinstance(error, ZermeloError):
        return error  # which says what is wrong
    end = time.perf_counter() + SECONDS
    random = Random(0)
    while time.perf_counter() < end:
        try:
            _play(game.remembering((), MOST_PLIES + 2), state, random, end)
        except type(error) as found:
            return found
        except Exception:  # another fault: the first one is to be explained
            return error
    return error


def _play(game: Game, s: Any, random: Random, end: float) -> None:
    """One random game with every call that a search makes. The moves not played are tried too."""
    for _ in range(MOST_PLIES):
        if time.perf_counter() > end:
            return
        if game.is_terminal(s):
            for p in range(game.players):
                game.utility(s, p)
            return
        mover = game.to_move(s)
        if mover == CHANCE:
            s = game.draw(s, random)
            continue
        game.key(s)
        if game.offers("evaluate"):
            game.evaluate(s, mover)
        actions = list(itertools.islice(game.actions(s), MOST_ACTIONS))
        after = [game.result(s, a) for a in actions]
        for each in after:
            if game.is_terminal(each):
                game.utility(each, mover)
        s = after[random.below(len(after))]
