"""How a run of generations is set up; the folder of the run records it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from zermelo.arena.sequential import Sprt
from zermelo.learn.positions import PlaySettings
from zermelo.learn.training.fitting import MODELS
from zermelo.learn.training.train import TrainSettings


@dataclass(frozen=True)
class LoopSettings:
    """The settings of all generations.

    positions   new positions for each generation
    keep        how many generations' positions are learned from
    model       "sum": the weights of the game's features; "network" or "two_views": a network, see `fit_evaluation`
    hidden      units of each hidden layer of the network
    play, train how games are played, and how their positions are learned from
    elo0, elo1  a new evaluation is kept if a sequential test accepts elo1 against elo0
    alpha, beta the chances of error of the test
    most_pairs  a test that has not decided after so many pairs of games ends, and nothing is kept
    """

    positions: int = 100_000
    keep: int = 3
    model: str = "sum"
    hidden: tuple[int, ...] = (32,)
    play: PlaySettings = field(default_factory=PlaySettings)
    train: TrainSettings = field(default_factory=TrainSettings)
    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05
    most_pairs: int = 10_000

    def __post_init__(self) -> None:
        for name in ("positions", "keep", "most_pairs"):
            if not (isinstance(getattr(self, name), int) and getattr(self, name) >= 1):
                raise ValueError(f"{name} must be a whole number of at least 1, not {getattr(self, name)!r}")
        if self.model not in MODELS:
            raise ValueError(f"model must be one of {', '.join(MODELS)}, not {self.model!r}")
        self.sprt()

    def sprt(self) -> Sprt:
        """The sequential test."""
        return Sprt(self.elo0, self.elo1, self.alpha, self.beta)

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "hidden": list(self.hidden), "play": self.play.to_json(), "train": self.train.to_json()}
