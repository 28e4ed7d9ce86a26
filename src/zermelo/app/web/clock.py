"""The clocks of a game on the page. The server's time counts, not the browser's."""

from __future__ import annotations

import time
from typing import Any

from zermelo.search.engine import Clock

LONGEST = 24 * 3600
"""The most seconds on a clock at the start."""


class GameClock:
    """One clock for each seat; at most one of them runs.

    seconds, increment   on each clock at the start, and added after each move
    left                 seconds of each seat when its clock last stopped
    running              the seat whose clock runs; None: all are stopped
    is_finished          has the game ended? Then they never run again
    """

    def __init__(self, seconds: float, increment: float, seats: int):
        self.seconds, self.increment = seconds, increment
        self.left = [float(seconds)] * seats
        self.running: int | None = None
        self.is_finished = False
        self._since = 0.0

    def remaining(self, seat: int) -> float:
        """The seconds that a seat has left now."""
        spent = time.monotonic() - self._since if self.running == seat else 0.0
        return max(self.left[seat] - spent, 0.0)

    def run(self, seat: int | None) -> None:
        """Stop the clock that runs, and start that of a seat."""
        if seat == self.running:
            return
        self.left = [self.remaining(each) for each in range(len(self.left))]
        self.running, self._since = seat, time.monotonic()

    def add_increment(self, seat: int) -> None:
        """The seat has moved."""
        self.left[seat] += self.increment

    def turn(self, seat: int) -> Clock:
        """The clock as a computer player sees it."""
        return Clock(self.remaining(seat), self.increment)

    def view(self) -> dict[str, Any]:
        """The clocks for the page, which counts down itself."""
        return {
            "left": [self.remaining(seat) for seat in range(len(self.left))],
            "running": self.running,
            "seconds": self.seconds,
            "increment": self.increment,
        }

    def to_json(self) -> dict[str, Any]:
        """The clocks in a saved game."""
        return {name: value for name, value in self.view().items() if name != "running"}


def clock_from_json(data: Any, seats: int) -> GameClock | None:
    """The clocks of a saved game; None if it has none, or if they make no sense."""
    if not isinstance(data, dict):
        return None
    left = data.get("left")
    numbers = [data.get("seconds"), data.get("increment"), *(left if isinstance(left, list) else ())]
    if len(numbers) != seats + 2 or not all(isinstance(each, int | float) and 0 <= each <= LONGEST for each in numbers):
        return None
    clock = GameClock(numbers[0], numbers[1], seats)
    clock.left = [float(each) for each in numbers[2:]]
    return clock
