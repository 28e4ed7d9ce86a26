"""How a network learns by temporal differences: the settings of a run, which its checkpoint records."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import Game
from zermelo.networks.network import require_features
from zermelo.search.checks import require_rules

DEFAULT_EXPLORATION = 0.1
"""The share of random moves in games without chance. Dice make games differ by themselves."""


@dataclass(frozen=True)
class TdSettings:
    """What determines the weights, together with the game and the number of games.

    hidden        the units of each hidden layer; none is a weighted sum of the features
    trace         λ: 0 learns from the next position only, 1 from the result only
    rate, last_rate    the learning rate at the beginning and at the end; it falls geometrically
    exploration   the share of random moves
    seed          of initial weights, dice and random moves
    workers       processes, each with weights of its own, which are averaged after every round
    interval      games of each worker in a round
    """

    hidden: tuple[int, ...] = (64,)
    trace: float = 0.0
    rate: float = 0.1
    last_rate: float = 0.005
    exploration: float = 0.0
    seed: int = 0
    workers: int = 1
    interval: int = 200

    def __post_init__(self) -> None:
        if len(self.hidden) > 2 or any(not _is_whole(units, 1) for units in self.hidden):
            raise ValueError(f"a network has up to two hidden layers, each of 1 unit or more, not {self.hidden!r}")
        for name, share in (("λ", self.trace), ("exploration", self.exploration)):
            if not 0 <= share <= 1:
                raise ValueError(f"{name} must be a number from 0 to 1, not {share!r}")
        if not 0 < self.last_rate <= self.rate < math.inf:
            raise ValueError(
                f"the learning rate falls from one positive number to another, not from {self.rate!r} to "
                f"{self.last_rate!r}"
            )
        for name, number in (("workers", self.workers), ("interval", self.interval)):
            if not _is_whole(number, 1):
                raise ValueError(f"{name} must be a whole number of at least 1, not {number!r}")

    def rate_after(self, share: float) -> float:
        """The learning rate after this share of the run."""
        return float(self.rate * (self.last_rate / self.rate) ** min(max(share, 0.0), 1.0))

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "hidden": list(self.hidden)}

    @staticmethod
    def from_json(data: dict[str, Any]) -> TdSettings:
        return TdSettings(**{**data, "hidden": tuple(data["hidden"])})


def require_teachable(game: Game) -> None:
    """Raise an error that says what is missing if a network cannot learn this game from self-play."""
    require_rules(game)
    traits = game.traits
    if traits.hidden or traits.players != 2 or not traits.zero_sum:
        raise Unsuitable(
            f"a network cannot learn {game.title} from self-play: that is for two players, zero-sum, with nothing "
            f"hidden, and this is a game of {traits}"
        )
    if game.chance and not game.offers("outcomes"):
        raise Unsuitable(f"{game.title} has chance, and does not list it: write `outcomes(s)`")
    require_features(game)


def _is_whole(number: Any, least: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= least
