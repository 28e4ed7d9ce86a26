"""What a network's outputs mean: how a finished game sets them, and what they say about a state's value."""

from __future__ import annotations

from typing import Any

from zermelo.kernel.parts import Part


class ExpectedUtility(Part):
    """One output: the expected utility as a share of the game's utility range. For two sides, zero-sum.

    A part for other outputs has the same methods, and one name for each output.
    """

    settled = True
    names = ("expected utility",)
    count = len(names)

    def target(self, game: Any, s: Any, p: int, k: int) -> float:
        """Output k in a terminal state, as player p sees it: 0 to 1."""
        low, high = game.utility_range
        return float((game.utility(s, p) - low) / (high - low))

    def turned(self, out: Any, k: int) -> float:
        """Output k as the opponent sees it."""
        return float(1.0 - out[k])

    def value(self, game: Any, s: Any, out: Any) -> float:
        """The utility of state s that the outputs predict, to the player who sees them, `game.viewer(s)`."""
        low, high = game.utility_range
        return float(low + (high - low) * out[0])
