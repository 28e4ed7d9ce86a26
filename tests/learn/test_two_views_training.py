"""Training of networks with two views: samples of positions, and the epoch that is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from zermelo.game.errors import GameError, ZermeloError
from zermelo.games.breakthrough import Breakthrough
from zermelo.learn.positions import Generator, PlaySettings, states
from zermelo.learn.samples import samples
from zermelo.learn.training.fitting import fit_evaluation, require_trainable
from zermelo.learn.training.train import TrainSettings

GAME = Breakthrough(width=4, height=5)


class Squares(Breakthrough):
    """The men by squares, so that a mirror image has other inputs."""

    def input_names(self) -> tuple[str, ...]:
        return tuple(f"{owner} {square}" for owner in ("own", "other") for square in range(20))

    def list_inputs(self, s: Any, p: int, numbers: Any, amounts: Any) -> int:
        count = 0
        for owner in range(2):
            men = s.white if (owner == 0) == (p == 0) else s.black
            for square in range(20):
                if men >> square & 1 != 0:
                    numbers[count], amounts[count] = 20 * owner + square, 1.0
                    count += 1
        return count


class Shares(Breakthrough):
    """Inputs that are no whole numbers."""

    def features(self, s: Any, p: int) -> Iterator[tuple[int, float]]:
        yield 0, 0.5


@pytest.fixture(scope="module")
def records() -> Any:
    return Generator(GAME, PlaySettings(nodes=20, opening=(1, 4))).block(0, 3_000)


def test_samples_of_mirror_images_are_those_of_the_mirrored_states(records: Any) -> None:
    game, some = Squares(width=4, height=5), records[:40]
    mirrored = samples(game, some, 16, np.arange(40) % 2 == 0)
    numbers, amounts = np.zeros(40, np.int64), np.zeros(40, np.float32)
    for i, s in enumerate(states(some, game)):
        seen = game.mirror_image(s) if i % 2 == 0 else s
        for view, p in enumerate((s.mover, 1 - s.mover)):
            count = game.list_inputs(seen, p, numbers, amounts)
            assert mirrored.numbers[i, view, :count].tolist() == numbers[:count].tolist()
            assert (mirrored.numbers[i, view, count:] == 40).all()


def test_amounts_must_be_whole(records: Any) -> None:
    with pytest.raises(GameError, match=r"inputs of Shares.* must have whole amounts from -127 to 127"):
        samples(Shares(width=4, height=5), records[:5])


def test_without_jax_it_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "jax", None)
    with pytest.raises(ZermeloError, match=r"needs JAX and optax: pip install 'zermelo\[train\]'"):
        require_trainable(GAME, "two_views")


def test_the_best_epoch_is_kept_and_training_can_be_stopped(records: Any) -> None:
    pytest.importorskip("optax", reason="training needs JAX and optax: pip install 'zermelo[train]'")
    pytest.importorskip("jax")
    told: list[Any] = []
    settings = TrainSettings(epochs=6, batch=256, rate=0.003, results=0.0)
    options: dict[str, Any] = {"model": "two_views", "hidden": (8,), "on_epoch": told.append}
    fitted = fit_evaluation(GAME, records, settings, **options)
    trained = fitted.trained
    assert trained.after == min(epoch.held_out for epoch in trained.epochs) < trained.before
    assert len(told) == 6
    assert fitted.apply().evaluate(GAME.initial(), 0) != GAME.evaluate(GAME.initial(), 0)
    told.clear()
    stopped = fit_evaluation(GAME, records, settings, **options, stopped=lambda: len(told) == 2)
    assert len(stopped.trained.epochs) == 2
    worse = fit_evaluation(GAME, records, TrainSettings(epochs=1, batch=256, rate=1.0, results=0.0), **options)
    assert worse.trained.best == 0  # the sum alone predicts better, and nothing is added to it
    assert worse.apply().evaluate(GAME.initial(), 0) == pytest.approx(GAME.evaluate(GAME.initial(), 0))
