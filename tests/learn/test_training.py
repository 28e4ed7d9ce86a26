"""Training on positions from files: each position once, results only where they mean something, and known weights."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from zermelo.game.protocol import Game
from zermelo.games.resolve import resolve
from zermelo.learn.learned import Learned
from zermelo.learn.logistic import chances
from zermelo.learn.positions import (
    FIRST,
    QUIET,
    RANDOM,
    WON,
    Generator,
    PlaySettings,
    look_ahead,
    sides,
    with_evaluation,
    words,
)
from zermelo.learn.training.examples import Extractor, after_the_last, keys, prepare
from zermelo.learn.training.fitting import fit_evaluation
from zermelo.learn.training.models import NetworkModel, SumModel
from zermelo.learn.training.train import TrainSettings, train
from zermelo.networks import Network

SMALL: dict[str, Any] = {"width": 4, "height": 5}


@pytest.fixture(scope="module")
def game() -> Game:
    return resolve("breakthrough", SMALL)


@pytest.fixture(scope="module")
def records(game: Game) -> Any:
    return Generator(game, PlaySettings(nodes=20, opening=(1, 4))).block(0, 6_000)


def test_results_count_after_the_last_random_move_of_a_game() -> None:
    marked = np.array([0, 1, 0, 0, 1, 0, 0, 0], bool)
    game_of = np.array([1, 1, 1, 2, 2, 2, 3, 3])
    assert after_the_last(marked, game_of).tolist() == [False, False, True, False, False, True, True, True]


def test_examples_are_unique_and_quiet_and_held_out_by_games(game: Game, records: Any) -> None:
    examples = prepare(records, game)
    found = keys(examples.words, game)
    assert len(np.unique(found)) == len(found)
    eligible = records[(records["flags"] & (QUIET | WON)) == QUIET]
    assert 0 < examples.count < len(eligible)
    assert prepare(records, game, quiet=False).count > examples.count
    by_words = {tuple(row): bool(held) for row, held in zip(examples.words.tolist(), examples.held_out, strict=True)}
    assert 0.01 < np.mean(list(by_words.values())) < 0.12


def test_positions_of_one_game_are_all_held_out_or_none(game: Game, records: Any) -> None:
    # Without duplicates between games the split must follow the games exactly.
    examples = prepare(records, game, quiet=False)
    held = {tuple(row) for row, h in zip(examples.words.tolist(), examples.held_out, strict=True) if h}
    learned = {tuple(row) for row, h in zip(examples.words.tolist(), examples.held_out, strict=True) if not h}
    rows, game_of = words(records).tolist(), np.cumsum(records["flags"] & FIRST != 0)
    all_rows = [tuple(row) for row in rows]
    unique = {row for row, count in Counter(all_rows).items() if count == 1}
    assert unique
    for number in np.unique(game_of)[:40]:
        own = {row for row, g in zip(all_rows, game_of, strict=True) if g == number} & unique
        assert not (own & held and own & learned)


def test_targets_mix_search_and_result(game: Game, records: Any) -> None:
    examples = prepare(records, game)
    assert (records["flags"] & RANDOM).any()
    only_search = examples.targets(0.0)
    assert np.allclose(only_search, chances(examples.scores), atol=1e-6)
    only_results = examples.targets(1.0)
    assert np.allclose(only_results[examples.trusted], examples.results[examples.trusted])
    assert np.allclose(only_results[~examples.trusted], only_search[~examples.trusted])


def test_targets_can_look_ahead(game: Game, records: Any) -> None:
    near, far, results = (prepare(records, game, ahead=ahead) for ahead in (0.0, 0.7, 1.0))
    own = chances(near.slope * records["score"].astype(float))
    expected = look_ahead(own, (records["result"] + 1) / 2, records["flags"], sides(records, game), 0.7)
    assert np.allclose(far.targets(0.0), expected[far.chosen], atol=0.003)
    assert not np.allclose(far.targets(0.0), near.targets(0.0), atol=0.05)
    assert np.allclose(results.targets(0.0)[results.trusted], results.results[results.trusted], atol=0.003)


def test_features_of_mirror_images_are_those_of_the_mirrored_states(game: Game, records: Any) -> None:
    examples = prepare(records, game)
    some = examples.words[:50]
    extractor = Extractor(game)
    plain, _ = extractor.rows(some)
    mirrored, _ = extractor.rows(some, np.ones(50))
    weights = np.random.default_rng(0).normal(size=len(game.weights))
    assert np.allclose(plain.times(weights), mirrored.times(weights))  # the features are symmetric


def test_a_weighted_sum_is_found_again(game: Game, records: Any) -> None:
    examples = prepare(records, game)
    extractor = Extractor(game)
    rows, phases = extractor.rows(examples.words)
    truth = np.random.default_rng(1).normal(scale=0.1, size=rows.columns)
    targets = chances(3.0 * rows.times(truth)).astype(np.float32)
    model = SumModel(np.zeros(rows.columns), 3.0)
    before = model.loss(rows, phases, targets)
    for _ in range(60):
        model.learn(rows, phases, targets, 256, 0.02)
    least = SumModel(truth, 3.0).loss(rows, phases, targets)
    assert model.loss(rows, phases, targets) - least < 0.01 * (before - least)


@pytest.mark.parametrize("model", ["sum", "network"])
def test_training_lowers_the_loss_and_its_file_plays(game: Game, records: Any, model: str, tmp_path: Path) -> None:
    zero = resolve("breakthrough", {**SMALL, "weights": (0.0,) * len(game.weights)})
    told: list[Any] = []
    fitted = fit_evaluation(
        zero, records, TrainSettings(epochs=4, batch=256, rate=0.02), model=model, hidden=(8,), by="numpy",
        on_epoch=told.append,
    )  # fmt: skip
    assert fitted.trained.after < fitted.trained.before - 0.005
    assert len(told) == len(fitted.trained.epochs)
    file = tmp_path / "evaluation.npz"
    fitted.save(file)
    again, s = with_evaluation(zero, file), zero.initial()
    assert again.evaluate(s, 0) == pytest.approx(fitted.apply().evaluate(s, 0))
    assert again.evaluate(s, 0) != zero.evaluate(s, 0)
    if model == "sum":
        assert Learned.load(file, zero).chance(10.0) > 0.9


def test_training_stops_early_and_keeps_the_best_epoch(game: Game, records: Any) -> None:
    class Worsening:
        name, reads_inputs = "test", False
        losses = iter([3.0, 2.0, 1.0, 1.5, 1.6, 1.7])
        state = 0

        def learn(self, rows: Any, phases: Any, targets: Any, batch: int, rate: float) -> float:
            self.state += 1
            return 0.0

        def loss(self, rows: Any, phases: Any, targets: Any) -> float:
            return next(self.losses) * rows.count

        def snapshot(self) -> int:
            return self.state

        def restore(self, kept: int) -> None:
            self.state = kept

    model = Worsening()
    found = train(model, prepare(records, game), TrainSettings(epochs=20, patience=2))
    assert (found.best, len(found.epochs), model.state) == (2, 4, 2)
    assert (found.before, found.after) == (3.0, 1.0)


def test_a_chunk_of_positions_teaches_a_network(game: Game, records: Any) -> None:
    examples = prepare(records, game)
    network = Network.for_game(game, (8,), seed=2)
    model = NetworkModel(network, "numpy")
    rows, phases = Extractor(game).rows(examples.words[:64])
    targets = np.full(64, 0.5, np.float32)
    before = model.loss(rows, phases, targets)
    model.learn(rows, phases, targets, 64, 0.01)
    assert model.loss(rows, phases, targets) < before


def test_of_a_few_games_one_is_held_out(game: Game, records: Any) -> None:
    ends = np.flatnonzero(records["flags"] & FIRST)[1:]
    for seed in range(10):
        learned, tested = prepare(records[: ends[1]], game, seed=seed, quiet=False).split()
        assert len(learned) > 0
        assert len(tested) > 0


def test_too_few_positions_are_an_error(game: Game, records: Any) -> None:
    with pytest.raises(ValueError, match="too few to learn from"):
        train(SumModel(game.weights, 1.0), prepare(records[:3], game), TrainSettings())
    for wrong in ({"epochs": 0}, {"results": 1.5}, {"rate": 0.0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            TrainSettings(**wrong)  # type: ignore[arg-type]
