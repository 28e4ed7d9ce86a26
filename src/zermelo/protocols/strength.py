"""Reduced strength: the player for an Elo rating, between the measured ones."""

from __future__ import annotations

import functools
import itertools
import json
import math
from importlib import resources
from typing import NamedTuple


class Strength(NamedTuple):
    """A rating, half of its 95 % interval, and the player with that rating, in words."""

    elo: int
    error: int
    player: str

    @property
    def options(self) -> dict[str, float]:
        """The numbers in the words for the player: depth or nodes, and mistakes."""
        pairs = (each.split("=") for each in self.player.partition(":")[2].split(","))
        return {name: float(value) for name, value in pairs}


@functools.cache
def strengths() -> tuple[Strength, ...]:
    """The measured points of the scale, the weakest first: what `scripts/measure_levels.py chess` writes."""
    found = json.loads(resources.files("zermelo.protocols").joinpath("strengths.json").read_text())
    return tuple(Strength(**each) for each in found)


def strength(elo: int) -> Strength:
    """The player for this rating. Between two measured players, their limits and mistakes are interpolated.

    Nodes are interpolated geometrically, mistakes linearly; if the kind of limit differs, the nearer player counts.
    """
    known = strengths()
    elo = max(known[0].elo, min(elo, known[-1].elo))
    low, high = next((low, high) for low, high in itertools.pairwise(known) if elo <= high.elo)
    share = (elo - low.elo) / (high.elo - low.elo)
    near = high if share > 0.5 else low
    one, two = low.options, high.options
    if "nodes" in one and "nodes" in two:
        nodes = math.exp((1 - share) * math.log(one["nodes"]) + share * math.log(two["nodes"]))
        return Strength(elo, near.error, f"engine:nodes={round(nodes)}")
    if one.get("depth") == two.get("depth") and "depth" in one:
        mistakes = (1 - share) * one.get("mistakes", 0.0) + share * two.get("mistakes", 0.0)
        return Strength(elo, near.error, f"engine:depth={one['depth']:g},mistakes={mistakes:.3g}")
    return Strength(elo, near.error, near.player)
