"""Reduced strength: nodes, and a share of random moves, for a given Elo rating."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple


class Strength(NamedTuple):
    """A rating, and the settings for it."""

    elo: int
    nodes: int
    random: float


STRENGTHS = (
    Strength(600, 25, 0.6),
    Strength(700, 50, 0.35),
    Strength(1150, 100, 0.2),
    Strength(1300, 200, 0.1),
    Strength(1400, 400, 0.04),
    Strength(1600, 1_000, 0.0),
    Strength(1800, 4_000, 0.0),
    Strength(1900, 20_000, 0.0),
)
"""Measured points of the scale (`scripts/measure_strengths.py`), the weakest first. Each may be 200 points off, the two
weakest more. Nodes are interpolated geometrically, shares linearly."""
LEAST, MOST = STRENGTHS[0].elo, STRENGTHS[-1].elo


def strength(elo: int) -> Strength:
    """The settings for this rating."""
    elo = max(LEAST, min(elo, MOST))
    low, high = next((low, high) for low, high in itertools.pairwise(STRENGTHS) if elo <= high.elo)
    share = (elo - low.elo) / (high.elo - low.elo)
    nodes = math.exp((1 - share) * math.log(low.nodes) + share * math.log(high.nodes))
    return Strength(elo, round(nodes), (1 - share) * low.random + share * high.random)
