"""How long to think: a share of what a clock still shows, more if the answer changes, less if it is stable."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

MOVES_AHEAD = 30
"""For how many more moves the time must last if neither the clock nor the game says."""
OVERHEAD = 0.02
"""Seconds lost between a decision and the clock."""
RESERVE = 0.3
"""Seconds to keep for delays on a busy machine, at most this share of what remains."""
SOFT, HARD = 0.65, 3.5
"""Of the share of the time for one move: after how much of it no deeper search starts, if nothing is unusual, and after
how much the search ends in any case."""
MOST = 0.6
"""The most of the remaining time that one move may take."""
CALM = (1.6, 1.25, 1.05, 0.95, 0.85, 0.75, 0.65)
"""The factor for the soft limit, by the number of depths in a row that have agreed on the best move."""
EASY = 0.5
"""The factor if all depths agree, and there are at least as many as in CALM: a recapture, for example."""
FALL, FALLS = 1.0, 8
"""How much longer to think if the score has fallen by this many units of evaluation (a pawn at chess) or more."""


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

    def limits(self, moves_left: int = MOVES_AHEAD) -> tuple[float, float]:
        """The soft limit, after which no deeper search starts, and the hard limit, which ends a search; in seconds.

        moves_left   the most moves that the player can still make in this game
        """
        usable = max(self.remaining - OVERHEAD - RESERVE * min(self.remaining, 1.0), 0.001)
        moves = min(self.moves_to_go or MOVES_AHEAD, max(moves_left, 1))
        share = min(usable / moves + 0.8 * self.increment, MOST * usable)
        return SOFT * share, min(HARD * share, MOST * usable)


class Pace:
    """The time for one move by the clock. It changes with what each depth finds."""

    def __init__(self, clock: Clock, moves_left: int = MOVES_AHEAD):
        self.usual, self.hard = clock.limits(moves_left)
        self.soft = self.usual
        self.best: Any = None
        self.depths = self.agreed = 0  # depths so far, and how many of the last ones have the same best move
        self.highest = -math.inf

    def note(self, best: Any, value: float, unit: float) -> None:
        """A depth is finished: its best move, the value of that, and the unit of evaluation."""
        self.agreed = self.agreed + 1 if best == self.best else 0
        self.best, self.depths = best, self.depths + 1
        fallen = max(self.highest - value, 0.0) / unit if unit > 0 and self.highest > -math.inf else 0.0
        self.highest = value if self.highest == -math.inf else max(value, (self.highest + value) / 2)
        factor = CALM[min(self.agreed, len(CALM) - 1)]
        if self.agreed == self.depths - 1 >= len(CALM):
            factor = EASY
        self.soft = min(self.usual * (factor + FALL * min(fallen / FALLS, 1.0)), self.hard)
