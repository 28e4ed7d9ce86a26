"""Mini-batch training with early stopping: the weights of the epoch with the least loss on held-out games are kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from zermelo.learn.training.examples import Examples, Extractor
from zermelo.learn.training.models import Model

CHUNK = 1 << 15
"""Positions whose features are in memory at a time."""


@dataclass(frozen=True)
class TrainSettings:
    """How examples are learned from.

    epochs     the most passes through all positions
    batch      positions in a mini-batch
    rate       the learning rate at the beginning
    results    the share of the result in the target; the rest is the value of the search
    ahead      λ: how much the searches of later positions count in that value, see `positions.ahead`; 0: not at all
    patience   after an epoch without improvement on the held-out games, training goes back to the best weights, at a
               third of the rate; after so many such epochs in a row it ends
    quiet      learn from quiet positions only
    mirror     mirror half of the positions at random, if the game has `mirror_image`
    """

    epochs: int = 20
    batch: int = 1024
    rate: float = 0.01
    results: float = 0.3
    ahead: float = 0.0
    patience: int = 3
    quiet: bool = True
    mirror: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("epochs", "batch", "patience"):
            if not (isinstance(getattr(self, name), int) and getattr(self, name) >= 1):
                raise ValueError(f"{name} must be a whole number of at least 1, not {getattr(self, name)!r}")
        if not 0 <= self.results <= 1:
            raise ValueError(f"results must be a share from 0 to 1, not {self.results!r}")
        if not 0 <= self.ahead <= 1:
            raise ValueError(f"λ (ahead) must be a number from 0 to 1, not {self.ahead!r}")
        if not self.rate > 0:
            raise ValueError(f"rate must be a positive number, not {self.rate!r}")

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class TrainEpoch:
    """One pass: the mean loss on the positions learned from, during the pass, and on those held out, after it."""

    number: int
    loss: float
    held_out: float


@dataclass(frozen=True)
class Trained:
    """How training went. `best` is the epoch whose weights are kept, 0 for those before training."""

    positions: int
    held_out: int
    games: int
    before: float
    best: int
    epochs: tuple[TrainEpoch, ...]
    seconds: float
    by: str

    @property
    def after(self) -> float:
        return self.before if self.best == 0 else self.epochs[self.best - 1].held_out

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "after": self.after}


def train(
    model: Model,
    examples: Examples,
    settings: TrainSettings,
    on_epoch: Callable[[TrainEpoch], Any] | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Trained:
    """Train a model, in place."""
    begun, random = time.perf_counter(), np.random.default_rng(settings.seed)
    targets = examples.targets(settings.results)
    learned, tested = examples.split()
    source = _Source(examples, targets, settings.mirror, model.reads_inputs)
    before = least = source.loss(model, tested)
    best, kept, history = 0, model.snapshot(), list[TrainEpoch]()
    rate = settings.rate
    for number in range(1, settings.epochs + 1):
        total, seen = 0.0, 0
        for rows, phases, wanted in source.chunks(random.permutation(learned), random):
            if stopped():
                break
            total, seen = total + model.learn(rows, phases, wanted, settings.batch, rate), seen + rows.count
        if stopped():
            break
        history.append(TrainEpoch(number, total / seen, source.loss(model, tested)))
        if on_epoch is not None:
            on_epoch(history[-1])
        if history[-1].held_out < least:
            best, least, kept = number, history[-1].held_out, model.snapshot()
        else:
            model.restore(kept)
            rate /= 3
            if number - best >= settings.patience:
                break
    model.restore(kept)
    seconds = time.perf_counter() - begun
    return Trained(len(learned), len(tested), examples.games, before, best, tuple(history), seconds, model.name)


class _Source:
    """Chunks of examples as sparse rows."""

    def __init__(self, examples: Examples, targets: Any, mirror: bool, inputs: bool):
        self.words, self.targets = examples.words, targets
        self.extractor = Extractor(examples.game, inputs)
        self.mirror = mirror and examples.game.offers("mirror_image")

    def chunks(self, chosen: Any, random: Any = None) -> Iterator[tuple[Any, Any, Any]]:
        for begin in range(0, len(chosen), CHUNK):
            some = chosen[begin : begin + CHUNK]
            mirror = random.random(len(some)) < 0.5 if self.mirror and random is not None else None
            yield *self.extractor.rows(self.words[some], mirror), self.targets[some]

    def loss(self, model: Model, chosen: Any) -> float:
        total = 0.0
        for rows, phases, wanted in self.chunks(chosen):
            total += model.loss(rows, phases, wanted)
        return total / len(chosen)
