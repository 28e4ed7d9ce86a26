"""The features that an evaluation adds up, one by one, for both sides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from zermelo.game.errors import Unsuitable
from zermelo.game.features import has_network
from zermelo.game.protocol import Game


@dataclass(frozen=True)
class Contribution:
    """One feature: its amounts for the player and for the other side, its weight, and its number."""

    name: str
    own: float
    other: float
    weight: float
    number: int = -1

    @property
    def worth(self) -> float:
        """What it adds to the weighted sum."""
        return self.weight * (self.own - self.other)


@dataclass(frozen=True)
class GroupWorth:
    """What the features of a group add to the weighted sum: the player's, and the other side's."""

    name: str
    own: float
    other: float

    @property
    def worth(self) -> float:
        """The difference."""
        return self.own - self.other


def has_features(game: Game) -> bool:
    """Is the game's evaluation a sum of features, or does it add what a network says to one?"""
    return game.offers("features") and len(game.weights) > 0 and (not has_network(game) or game.network.added)


def contributions(game: Game, s: Any, p: int) -> tuple[Contribution, ...]:
    """The features of a state from the point of view of player p, the most important first."""
    if not has_features(game):
        raise Unsuitable(f"the evaluation of {game.title} is not a sum of features")
    own: dict[int, float] = {}
    other: dict[int, float] = {}
    for number, amount in game.features(s, p):
        if amount != 0:
            side = own if amount > 0 else other
            side[number] = side.get(number, 0.0) + abs(amount)
    names = game.feature_names()
    found = [
        Contribution(names[number], own.get(number, 0.0), other.get(number, 0.0), float(game.weights[number]), number)
        for number in sorted(own.keys() | other.keys())
    ]
    return tuple(sorted(found, key=lambda part: -abs(part.worth)))


def group_worths(game: Game, parts: Iterable[Contribution]) -> tuple[GroupWorth, ...]:
    """The features added up by the game's groups, in their order; those without a group are left out."""
    worths = {part.number: (part.weight * part.own, part.weight * part.other) for part in parts}
    found = []
    for name, numbers in game.feature_groups().items():
        sides = [worths[number] for number in numbers if number in worths]
        if sides:
            found.append(GroupWorth(name, *(sum(side) for side in zip(*sides, strict=True))))
    return tuple(found)
