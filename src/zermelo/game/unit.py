"""The unit of a game's values: what people count, such as pawns or discs."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Unit:
    """How people read the values of a game.

    name     what is counted, in the plural: "pawns", "discs"; empty: the utility as it is
    scale    how many of them a utility of 1 is, or a function from the utility to their number
    digits   the decimal places of an estimate
    slope    the log-odds of winning per unit of utility, as `learn` fits them; None: not known
    plies    how many plies make a move when the moves to a win are counted: 2 in chess
    """

    name: str = ""
    scale: float | Callable[[float], float] = 1.0
    digits: int = 2
    slope: float | None = None
    plies: int = 1

    def amount(self, value: float) -> float:
        """A utility in this unit."""
        return self.scale(value) if callable(self.scale) else value * self.scale

    def chance(self, value: float) -> float | None:
        """The chance of winning with an estimated value, a draw counting half; None if it is not known."""
        return None if self.slope is None else 0.5 + 0.5 * math.tanh(0.5 * self.slope * value)

    def moves(self, distance: int) -> str:
        """A number of plies in words: "7 plies", "4 moves"."""
        count = -(-distance // self.plies)
        one, many = ("ply", "plies") if self.plies == 1 else ("move", "moves")
        return f"{count} {one if count == 1 else many}"


@functools.cache
def learned_slope(weights: Path) -> float:
    """The slope that was fitted together with the weights in this file."""
    import numpy as np  # here, so that importing a game is quick

    with np.load(weights, allow_pickle=False) as file:
        return float(json.loads(file["about"].tobytes())["slope"])
