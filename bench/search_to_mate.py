"""A search to mate in chess that knows nothing of endgame tables: the plies to mate, or that there is none so near.

It tries all moves of both sides. What it finds of a position is kept in a table, so that no position is searched twice
to the same depth.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.kernel.routine import Routine

PLACES = 1 << 24
NONE = 255
"""No mate has been found."""


def mates(game: Any, s: Any, plies: int, keys: Any, found: Any) -> int:
    """1 if the player to move can mate within so many plies (an odd number), whatever the other one does; otherwise 0.

    keys, found   what is known of positions: 256 · the plies within which there is no mate + those of a mate
    """
    key = game.key(s)
    place = int(key & len(keys) - 1)
    yes, no = NONE, 0
    if keys[place] == key:
        yes, no = int(found[place]) & 255, int(found[place]) >> 8
        if yes <= plies:
            return 1
        if no >= plies:
            return 0
    can = 0
    for a in game.actions(s):
        after = game.result(s, a)
        if plies == 1 and not game.in_check(after):
            continue
        replies, escapes = 0, 0
        for reply in game.actions(after):
            replies += 1
            if plies == 1 or mates(game, game.result(after, reply), plies - 2, keys, found) == 0:
                escapes = 1
                break
        if escapes == 0 and (replies > 0 or game.in_check(after)):
            can = 1
            break
    keys[place] = key
    found[place] = no << 8 | plies if can == 1 else plies << 8 | yes
    return can


def ends(game: Any, s: Any, deepest: int, keys: Any, found: Any) -> int:
    """1 + the plies to a mate that the player to move can force, less than 0 if the other one can; 0 if neither can.

    Only mates within `deepest` plies count.
    """
    count = 0
    for _ in game.actions(s):
        count += 1
    if count == 0:
        return -1 if game.in_check(s) else 0
    for plies in range(1, deepest + 1):
        if plies & 1:
            if mates(game, s, plies, keys, found) == 1:
                return plies + 1
        else:
            safe = 0
            for a in game.actions(s):
                if mates(game, game.result(s, a), plies - 1, keys, found) == 0:
                    safe = 1
                    break
            if safe == 0:
                return -plies - 1
    return 0


ENDS = Routine(ends)


class MateSearch:
    """The search, with what it has found so far."""

    def __init__(self, game: Any):
        self.game = game
        self.keys, self.found = np.zeros(PLACES, np.uint64), np.zeros(PLACES, np.uint16)

    def __call__(self, s: Any, deepest: int) -> tuple[int, int] | None:
        """1 and the plies to mate if the player to move wins so soon, -1 and the plies if it loses; otherwise None."""
        code = int(ENDS.compiled(self.game, deepest, self.keys, self.found)(s))
        return None if code == 0 else (1 if code > 0 else -1, abs(code) - 1)
