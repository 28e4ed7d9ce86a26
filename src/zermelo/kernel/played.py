"""The moves of a simulated game, as `playout` reports them."""

from __future__ import annotations

import numpy as np

from zermelo.kernel.parts import Part


class Played(Part):
    """Who played what, in order; with no room, nothing is noted, and compiled code spends no time on it."""

    settled = True

    def __init__(self, room: int = 0):
        self.notes = room > 0
        self.moves = np.zeros(room, np.int64)
        self.movers = np.zeros(room, np.int64)
        self.count = np.zeros(1, np.int64)

    def note(self, p: int, a: int) -> None:
        """Player p plays a."""
        if self.notes:
            n = self.count[0]
            if n < len(self.moves):
                self.moves[n], self.movers[n] = a, p
                self.count[0] = n + 1
