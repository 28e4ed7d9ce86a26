"""Points per game, for games with different stakes: the mean with an interval by Student's t."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

from zermelo.arena import student_t
from zermelo.arena.elo import finite


class Points:
    """A player's points per game. Games come in *units*: those from one opening or one deal belong together.

    `add` adds a finished game. Games of the same unit are one observation; a game without a unit is its own. Units
    may differ in size, so the mean is a ratio, points to games, and its standard error that of a ratio of sums over
    clusters (Cochran 1977, chapter 6). With n units the interval is by t with n - 1 degrees of freedom. It is infinite
    while the spread is unknown: with one unit, or if all units have the same points.
    """

    def __init__(self, confidence: float = 0.95):
        if not 0 < confidence < 1:
            raise ValueError(f"the confidence is between 0 and 1, as 0.95 is, not {confidence}")
        self.confidence = confidence
        self.games = 0
        self.units = 0
        self._origin = 0.0  # points are summed relative to the first, to reduce rounding errors
        self._open: dict[Hashable, tuple[float, int]] = {}
        self._sum = self._squares = self._products = 0.0
        self._sizes = 0

    def add(self, points: float, unit: Hashable = None) -> None:
        """Add a game and the player's points."""
        if not math.isfinite(points):
            raise ValueError(f"what a game brings is a finite number, not {points}")
        if not self.games:
            self._origin = points
        total, size = self._open.get(unit, (0.0, 0))
        after = total + points - self._origin, size + 1
        if unit is not None:
            self._open[unit] = after
        self.games += 1
        self.units += size == 0
        self._sum += after[0] - total
        self._squares += after[0] ** 2 - total**2
        self._products += after[0] * after[1] - total * size
        self._sizes += after[1] ** 2 - size**2

    @property
    def mean(self) -> float:
        """Points per game; 0 before the first."""
        return self._origin + self._sum / self.games if self.games else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean; infinite while the spread is unknown."""
        if self.units < 2:
            return math.inf
        mean = self._sum / self.games
        squares = self._squares - 2 * mean * self._products + mean**2 * self._sizes
        if squares <= 1e-12 * self._squares or squares <= 0:
            return math.inf
        return math.sqrt(squares * self.units / (self.units - 1)) / self.games

    @property
    def low(self) -> float:
        return self.mean - self._margin()

    @property
    def high(self) -> float:
        return self.mean + self._margin()

    @property
    def superiority(self) -> float:
        """The probability of a gain in the long run: the confidence at which one end of the interval is 0."""
        error = self.error
        return student_t.chance_below(self.mean / error, self.units - 1) if math.isfinite(error) else 0.5

    def _margin(self) -> float:
        error = self.error
        return error * student_t.quantile(0.5 + self.confidence / 2, self.units - 1) if math.isfinite(error) else error

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data; None for infinite numbers."""
        return {
            "games": self.games,
            "units": self.units,
            "mean": self.mean,
            "low": finite(self.low),
            "high": finite(self.high),
            "confidence": self.confidence,
            "superiority": self.superiority,
        }

    def __str__(self) -> str:
        return f"{self.mean:+.3g} a game ({self.low:+.3g} to {self.high:+.3g}) in {self.games} games"
