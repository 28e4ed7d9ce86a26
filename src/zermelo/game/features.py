"""An evaluation that can be learned: a weighted sum of features."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zermelo.game.rules import Rules, State


class Features(Rules):
    """What a game counts in a state, and the weight of each count."""

    weights: Any = ()
    """The weight of each feature: an array, so that other weights need no compiling."""

    def feature_names(self) -> tuple[str, ...]:
        """The features' names, in the order of their weights."""
        return ()

    def features(self, s: State, p: int) -> Iterable[tuple[int, float]]:
        """Yields (number of a feature, its amount) as player p sees it; features that are 0 may be left out."""
        for number in range(0):
            yield number, 0.0

    def viewer(self, s: State) -> int:
        """The player whose view of the state a network evaluates: the player to move, or by default player 0 if
        chance moves. A game in which a roll belongs to a player returns that player."""
        return max(self.to_move(s), 0)

    def weighted_features(self, s: State, p: int) -> float:
        """The sum of the features' amounts, each times its weight."""
        total = 0.0
        for number, amount in self.features(s, p):
            total += self.weights[number] * amount
        return total
