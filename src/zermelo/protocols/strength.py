"""Weaker play on request: how many nodes, and which share of moves at random, for a given Elo rating."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple


class Strength(NamedTuple):
    """A rating, and what is played for it."""

    elo: int
    nodes: int
    random: float


STRENGTHS = (
    Strength(400, 100, 0.5),
    Strength(800, 300, 0.2),
    Strength(1200, 1_000, 0.05),
    Strength(1600, 10_000, 0.0),
    Strength(2000, 100_000, 0.0),
)
"""Measured points of the scale, the weakest first; in between, nodes grow evenly by factors and shares evenly."""
LEAST, MOST = STRENGTHS[0].elo, STRENGTHS[-1].elo


def strength(elo: int) -> Strength:
    """How to play at this rating."""
    elo = max(LEAST, min(elo, MOST))
    low, high = next((low, high) for low, high in itertools.pairwise(STRENGTHS) if elo <= high.elo)
    share = (elo - low.elo) / (high.elo - low.elo)
    nodes = math.exp((1 - share) * math.log(low.nodes) + share * math.log(high.nodes))
    return Strength(elo, round(nodes), (1 - share) * low.random + share * high.random)
