"""Training of networks with two views: samples of positions, and the epoch that is kept."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from zermelo.game.errors import GameError
from zermelo.games.breakthrough import Breakthrough
from zermelo.learn.positions import Generator, PlaySettings, states
from zermelo.learn.samples import samples
from zermelo.learn.training.fitting import fit_evaluation
from zermelo.learn.training.train import TrainSettings
from zermelo.learn.two_views import Training, _columns, new_weights, train
from zermelo.learn.two_views_compiled import NAMES, Compiled

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


def small_training(records: Any, **settings: Any) -> tuple[Any, Any, float, Training]:
    """Samples to learn from, samples held out, the slope, and settings."""
    data = samples(GAME, records, 32)
    learned, tested = data.chosen(np.arange(0, 2_500)), data.chosen(np.arange(2_500, len(data)))
    return learned, tested, 3.0, Training(8, True, 0.3, batch=256, **settings)


def test_compiled_gradients_are_those_of_differences(records: Any) -> None:
    """Each gradient against the change of the loss if one weight changes a little."""
    data, _, slope, training = small_training(records)
    columns = _columns(data.chosen(np.arange(50)), slope, training)
    weights = new_weights(GAME, training, np.random.default_rng(3))
    trainer = Compiled(weights, columns, columns, 1.9)
    with ThreadPoolExecutor(trainer.threads) as pool:
        trainer._run(pool, np.arange(50), columns, 1)
    for name in NAMES:
        gradient = sum(each[name] for each in trainer.gradients) / 50
        place = np.unravel_index(abs(gradient).argmax(), gradient.shape)
        losses = []
        for step in (-0.01, 0.01):
            moved = {**weights, name: weights[name].copy()}
            moved[name][place] += step
            losses.append(Compiled(moved, columns, columns, 1.9).error())
        assert (losses[1] - losses[0]) / 0.02 == pytest.approx(gradient[place], rel=0.02), name


def test_compiled_training_is_that_of_jax(records: Any) -> None:
    pytest.importorskip("optax", reason="training by JAX needs pip install 'zermelo[train]'")
    pytest.importorskip("jax")
    found = [
        train(GAME, *small_training(records, epochs=2, rate=0.003, by=by)[:3],
              small_training(records, epochs=2, rate=0.003, by=by)[3], lambda *_: None)
        for by in ("compiled", "jax")
    ]  # fmt: skip
    errors = [np.array(network.record["errors"]) for network in found]
    assert errors[0] == pytest.approx(errors[1], rel=1e-3)


def test_training_continues_from_a_network(records: Any) -> None:
    data, tested, slope, training = small_training(records, epochs=3, rate=0.003, by="compiled")
    first = train(GAME, data, tested, slope, training, lambda *_: None)
    second = train(GAME, data, tested, slope, training, lambda *_: None, start=first)
    least = min(held_out for _, held_out in first.record["errors"])
    assert second.record["error_without"] == pytest.approx(least, rel=0.02)  # but for the rounding
    assert min(held_out for _, held_out in second.record["errors"]) < least


def test_samples_with_amounts_are_trained_as_repeated_inputs() -> None:
    """An input with the amount 2 counts like two inputs with the amount 1."""
    random = np.random.default_rng(1)
    numbers = np.full((64, 2, 8), 40, np.uint16)
    numbers[:, :, :3] = random.integers(0, 40, (64, 2, 3))
    amounts = np.zeros(numbers.shape, np.int8)
    amounts[:, :, :3] = [[2, 1, 1]]
    twice = numbers.copy()
    twice[:, :, 3] = twice[:, :, 0]
    known = {
        "phases": np.zeros(64, np.int32),
        "sums": np.zeros(64, np.float32),
        "targets": random.random(64).astype(np.float32),
    }
    none = np.zeros((0, 2, 8), np.int8)
    weights = new_weights(Squares(width=4, height=5), Training(8), random)
    trainers = [
        Compiled(weights, columns, columns, 1.9)
        for columns in ({"numbers": numbers, "amounts": amounts, **known}, {"numbers": twice, "amounts": none, **known})
    ]
    for trainer in trainers:
        trainer.epoch(np.random.default_rng(2), 16, [0.01] * 4)
    for name in NAMES:
        assert trainers[0].weights[name] == pytest.approx(trainers[1].weights[name], abs=1e-5)


def test_the_best_epoch_is_kept_and_training_can_be_stopped(records: Any) -> None:
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
