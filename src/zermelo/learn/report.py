"""How well an evaluation foretells results: log loss, Brier score, accuracy and calibration, on games held out."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from zermelo.learn.logistic import chances, log_losses

PHASES = ("first third", "second third", "last third")
"""Of each game, by its own length."""

BINS = 10


@dataclass(frozen=True)
class Scores:
    """What predictions are worth, over some positions. Of log loss and Brier score, less is better."""

    log_loss: float  # minus the logarithm of the chance given to what happened, on average: 0.693 for tossing a coin
    brier: float  # the square of the error, on average (Brier 1950)
    accuracy: float  # how often the player with the better chance won, if someone did; half for even chances


@dataclass(frozen=True)
class Part:
    """Positions of one part of the game, and what each prediction was worth there."""

    name: str
    positions: int
    base: Scores  # always the same: how often the player to move wins
    before: Scores  # the weights with which learning began
    learned: Scores


@dataclass(frozen=True)
class Bin:
    """Positions with about the same predicted chance: the mean prediction, and the mean result."""

    positions: int
    foretold: float
    happened: float


@dataclass(frozen=True)
class Round:
    """One round: games played with the weights of the round before, and a fit."""

    games: int
    positions: int
    log_loss: float  # on the games held out


@dataclass(frozen=True)
class Report:
    """The games played, and how well the learned weights predict held-out games."""

    games: int  # in all rounds
    unfinished: int  # games given up because they went on for too long
    positions: int  # to learn from, in the last fit
    held_out_games: int
    whole: Part
    phases: tuple[Part, ...]
    calibration: tuple[Bin, ...]
    rounds: tuple[Round, ...]
    seconds: float
    stopped: bool  # by Ctrl-C

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        return asdict(self)

    def __str__(self) -> str:
        whole = self.whole
        lines = [
            f"{self.games:,} games in {self.seconds:.1f} s, {len(self.rounds)} rounds"
            + (", stopped early" if self.stopped else "")
            + (f", {self.unfinished:,} given up" if self.unfinished else ""),
            f"learned from {self.positions:,} positions; tested on {self.held_out_games:,} other games",
            f"{'':14}{'positions':>10}{'log loss: base':>16}{'before':>9}{'learned':>9}{'accuracy':>10}",
        ]
        for part in (whole, *self.phases):
            lines.append(
                f"{part.name:14}{part.positions:>10,}{part.base.log_loss:>16.4f}{part.before.log_loss:>9.4f}"
                f"{part.learned.log_loss:>9.4f}{part.learned.accuracy:>10.1%}"
            )
        return "\n".join(lines)


def scores(logits: Any, targets: Any) -> Scores:
    """What these predictions are worth."""
    if len(targets) == 0:
        return Scores(float("nan"), float("nan"), float("nan"))
    decided = targets != 0.5
    agreement = np.sign(logits[decided]) * np.sign(targets[decided] - 0.5)
    return Scores(
        float(log_losses(logits, targets).mean()),
        float(np.mean((chances(logits) - targets) ** 2)),
        float(np.mean(0.5 + 0.5 * agreement)) if decided.any() else float("nan"),
    )


def part(name: str, chosen: Any, base: float, before: Any, learned: Any, targets: Any) -> Part:
    """The scores of three predictions, as logits, over the positions chosen."""
    return Part(
        name,
        int(chosen.sum()),
        scores(np.full(int(chosen.sum()), base), targets[chosen]),
        scores(before[chosen], targets[chosen]),
        scores(learned[chosen], targets[chosen]),
    )


def calibration(logits: Any, targets: Any) -> tuple[Bin, ...]:
    """Positions sorted into bins by predicted chance; empty bins are omitted."""
    foretold = chances(logits)
    number = np.minimum((foretold * BINS).astype(int), BINS - 1)
    bins = []
    for i in range(BINS):
        inside = number == i
        if inside.any():
            bins.append(Bin(int(inside.sum()), float(foretold[inside].mean()), float(targets[inside].mean())))
    return tuple(bins)
