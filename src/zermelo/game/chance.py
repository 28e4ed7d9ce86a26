"""Chance: dice, cards and whatever else no player decides. A game with chance defines `outcomes` or `draw`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zermelo.game.rules import Action, Rules, State

CHANCE = -1
"""The player to move if dice, cards or nature decide."""


class Chance(Rules):
    """What happens in states in which CHANCE is to move."""

    def outcomes(self, s: State) -> Iterable[tuple[Action, float]]:
        """Yields (outcome, probability) at a CHANCE state; a game without chance has none."""
        for outcome in range(0):
            yield outcome, 0.0

    def draw(self, s: State, random: Any) -> State:
        """The state after a random outcome of a CHANCE state, drawn by its probability; by default from `outcomes`.

        It is a state, not an outcome: a deal of cards can go more ways than a move has bits.
        """
        left = random.uniform()
        last = -1
        for outcome, probability in self.outcomes(s):
            left -= probability
            last = outcome
            if left < 0.0:
                break
        return self.result(s, last)
