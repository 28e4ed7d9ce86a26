"""The chances of a win, a draw and a loss: curves fitted to the results of the engine's own games.

A win becomes likelier than not at an advantage of `border` pawns, and a loss at as large a disadvantage; in between, a
draw is likely. Both curves are logistic. Their steepness and border depend on how many pieces are left.
`scripts/fit_chances.py` fits the numbers.
"""

from __future__ import annotations

import math
from typing import NamedTuple

PIECES = 32
"""Pieces at the start, pawns and kings included."""
MOST_PAWNS = 15.0
"""Larger advantages count as this many pawns."""

STEEPNESS, BORDER = (0.691, -0.316), (2.468, -1.962)
"""Each as a constant, and what is added with all pieces on the board."""


class Chances(NamedTuple):
    """The probabilities of the three results for the player to move."""

    win: float
    draw: float
    loss: float

    def per_mille(self) -> tuple[int, int, int]:
        """In thousandths that add up to 1,000."""
        win, loss = round(1000 * self.win), round(1000 * self.loss)
        return win, 1000 - win - loss, loss


def chances(pawns: float, pieces: int) -> Chances:
    """The chances with this advantage in pawns, and this many pieces on the board."""
    share = pieces / PIECES
    steep, border = (constant + slope * share for constant, slope in (STEEPNESS, BORDER))
    pawns = max(-MOST_PAWNS, min(pawns, MOST_PAWNS))
    win, loss = (1 / (1 + math.exp(steep * (border - signed))) for signed in (pawns, -pawns))
    return Chances(win, 1 - win - loss, loss)
