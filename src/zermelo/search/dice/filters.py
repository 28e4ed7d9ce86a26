"""Move filters: which moves are worth judging more deeply.

The moves of the root are judged statically first. Those that pass the first filter are judged at one ply, those that
pass the second at two plies, and so on. GNU Backgammon's manual describes the same idea.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from zermelo.game.protocol import Game

UNIT = 6.0
"""Margins are for a utility range of this width, backgammon's −3 to 3, and scale with it."""


class Filter(NamedTuple):
    """Keep at most so many moves, and none that is worse than the best by more than the margin; keep=0 is no limit."""

    keep: int
    margin: float

    def passes(self, values: list[float]) -> int:
        """How many moves pass, of values sorted from best to worst: at least one."""
        most = self.keep or len(values)
        return max(1, sum(values[0] - value <= self.margin for value in values[:most]))


ALL = Filter(0, math.inf)
FILTERS = {
    "tiny": (Filter(5, 0.08), Filter(3, 0.04), Filter(2, 0.02)),
    "narrow": (Filter(8, 0.12), Filter(4, 0.06), Filter(2, 0.03)),
    "normal": (Filter(8, 0.16), Filter(5, 0.08), Filter(3, 0.04)),
    "large": (Filter(16, 0.32), Filter(8, 0.16), Filter(5, 0.08)),
    "huge": (Filter(20, 0.44), Filter(14, 0.22), Filter(8, 0.11)),
    "none": (ALL,),
}
"""The filters by name: for moves judged at 0 plies, at 1, at 2. The last holds for all that follow."""


def filters_of(game: Game, chosen: Any) -> tuple[Filter, ...]:
    """The filters with this name, or given as pairs; margins of named ones are scaled to the game's utility range."""
    if isinstance(chosen, str):
        if chosen not in FILTERS:
            raise ValueError(f"there are no filters {chosen!r}; there are {', '.join(FILTERS)}")
        low, high = game.utility_range
        return tuple(Filter(keep, margin * (high - low) / UNIT) for keep, margin in FILTERS[chosen])
    if not isinstance(chosen, Iterable):
        raise ValueError(f"filters must be a name or pairs (keep, margin), not {chosen!r}")
    found = tuple(Filter(int(keep), float(margin)) for keep, margin in chosen)
    if not found or any(each.keep < 0 or not each.margin >= 0 for each in found):
        raise ValueError("each filter is a pair (keep, margin) of numbers of at least 0, and there must be one")
    return found
