"""How long to think: a fixed time, or a share of what a clock still shows."""

from __future__ import annotations

import math
from dataclasses import dataclass

MOVES_AHEAD = 30
"""For how many more moves the time must last if the clock does not say."""
OVERHEAD = 0.02
"""Seconds lost between a decision and the clock."""


@dataclass(frozen=True)
class Clock:
    """The chess clock of the player to move: seconds left, and seconds added after each move."""

    remaining: float
    increment: float = 0.0
    moves_to_go: int | None = None  # until more time is added

    def __post_init__(self) -> None:
        for name in ("remaining", "increment"):
            seconds = getattr(self, name)
            if not (isinstance(seconds, int | float) and 0 <= seconds < math.inf):
                raise ValueError(f"{name} must be a number of seconds of at least 0, not {seconds!r}")
        if self.moves_to_go is not None and self.moves_to_go < 1:
            raise ValueError(f"moves_to_go must be at least 1, not {self.moves_to_go!r}")

    def limits(self) -> tuple[float, float]:
        """The soft limit, after which no deeper search starts, and the hard limit, which ends a search; in seconds."""
        usable = max(self.remaining - OVERHEAD, 0.001)
        share = usable / (self.moves_to_go or MOVES_AHEAD) + 0.8 * self.increment
        soft = min(share, 0.6 * usable)
        return soft * 0.6, min(3 * soft, 0.7 * usable)
