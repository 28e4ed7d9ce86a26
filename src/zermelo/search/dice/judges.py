"""The static judgement of a state at the leaves of a search: the game's own evaluation, or its network.

A judge is asked about the states after all moves of one position, one after the other: a *family*. A network changes
its sums from one member of the family to the next, which is several times faster than adding up all features.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.kernel.parts import Part
from zermelo.networks.siblings import Siblings


class EvaluationJudge(Part):
    """Asks the game's `evaluate`. There are no outputs beside the value."""

    settled = True
    outputs = 0

    def __init__(self) -> None:
        self.out = np.zeros(1)

    def begin(self) -> None:
        """The states that follow are a new family."""

    def judge(self, game: Any, s: Any, player: int) -> float:
        """The value of a state to a player."""
        if game.is_terminal(s):
            return float(game.utility(s, player))
        return float(game.evaluate(s, player))


class NetworkJudge(Part):
    """Asks the game's network, and keeps what all its outputs say.

    out   the outputs for the state judged last, as the player sees them
    """

    settled = True

    def __init__(self, network: Any):
        self.siblings = Siblings(network)
        self.outputs: int = network.outputs
        self.out = np.zeros(self.outputs)

    def begin(self) -> None:
        """The states that follow are a new family."""
        self.siblings.forget()

    def judge(self, game: Any, s: Any, player: int) -> float:
        """The value of a state to a player."""
        outcomes = game.network.outcomes
        if game.is_terminal(s):
            for k in range(self.outputs):
                self.out[k] = outcomes.target(game, s, player, k)
            return float(game.utility(s, player))
        value = self.siblings.value(game, s, player)
        same = game.side(game.viewer(s)) == game.side(player)
        for k in range(self.outputs):
            self.out[k] = self.siblings.out[k] if same else outcomes.turned(self.siblings.out, k)
        return float(value)
