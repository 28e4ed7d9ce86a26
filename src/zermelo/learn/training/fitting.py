"""From records to an evaluation: the weights of a game's features, or a network, ready to be saved."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.errors import Unsuitable
from zermelo.game.features import has_network
from zermelo.game.protocol import Game
from zermelo.learn.learnable import require_learnable
from zermelo.learn.learned import Learned
from zermelo.learn.logistic import chances
from zermelo.learn.positions.evaluations import with_evaluation
from zermelo.learn.samples import samples
from zermelo.learn.training.examples import Examples, prepare
from zermelo.learn.training.models import NetworkModel, SumModel
from zermelo.learn.training.train import Trained, TrainEpoch, TrainSettings, train
from zermelo.learn.two_views import Training
from zermelo.learn.two_views import train as train_two_views
from zermelo.networks import Network, TwoViews, with_network
from zermelo.networks.network import require_features
from zermelo.networks.two_views import require_two_players, require_units

MODELS = ("sum", "network", "two_views")
PLACES = 64
"""The most inputs of a position, for networks with two views."""


@dataclass(frozen=True)
class Fitted:
    """A trained evaluation: learned weights or a network, and how training went."""

    game: Game
    evaluation: Learned | Network | TwoViews
    trained: Trained

    def apply(self) -> Game:
        """The game with this evaluation."""
        own = self.evaluation
        return own.apply(self.game) if isinstance(own, Learned) else with_network(self.game, own)

    def save(self, path: str | Path) -> None:
        """Write the evaluation to a file."""
        if isinstance(self.evaluation, Learned):
            self.evaluation.save(path)
        else:
            self.evaluation.save(path, self.game, method="positions", training=self.trained.to_json())


def require_trainable(game: Game, model: str, hidden: tuple[int, ...] = (32,)) -> None:
    """Raise an error with the reason if `fit_evaluation` cannot train this model for a game."""
    if model not in MODELS:
        raise ValueError(f"model must be one of {', '.join(MODELS)}, not {model!r}")
    if model == "sum":
        require_learnable(game)
        return
    require_features(game)
    if game.predicts is not None:
        raise Unsuitable(f"a search gives one value, and the network of {game.title} predicts several")
    if model == "network":
        Network.for_game(game, hidden)
    else:
        require_two_players(game)
        require_units(hidden[0])


def fit_evaluation(
    game: Game,
    records: Any,
    settings: TrainSettings | None = None,
    *,
    model: str = "sum",
    hidden: tuple[int, ...] = (32,),
    start: str | Path | None = None,
    by: str = "auto",
    on_epoch: Callable[[TrainEpoch], Any] | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Fitted:
    """Train an evaluation on positions.

    model    "sum": the weights of the features; "network": a network over the inputs, which are the features unless the
             game says otherwise; "two_views": the same inputs as both players see them, in whole numbers, added to the
             weighted sum if there is one
    hidden   units of the hidden layers of a new network
    start    a file with weights or a network to begin with; by default the game's own weights, or a new network
    by       "numpy", "jax" or "auto": what computes a network
    """
    settings = settings or TrainSettings()
    require_trainable(game, model, hidden)
    before = with_evaluation(game, start)
    examples = prepare(
        records, game, seed=settings.seed, quiet=settings.quiet, size=not game.decisive, ahead=settings.ahead
    )
    if model == "sum":
        own = SumModel(before.weights, examples.slope)
        trained = train(own, examples, settings, on_epoch, stopped)
        slope = examples.slope
        weights = own.weights.astype(np.float64)
        learned = Learned(game.name, game.feature_names(), weights, 1 / slope, slope, 0.0, examples.games)
        return Fitted(game, learned, trained)
    if model == "two_views":
        own_start = before.network if start is not None and isinstance(before.network, TwoViews) else None
        return _two_views(game, records, examples, settings, hidden, on_epoch, stopped, own_start)
    kept = before.network if has_network(before) and isinstance(before.network, Network) else None
    network = Network.for_game(game, hidden, settings.seed) if kept is None else kept.copy()
    trained = train(NetworkModel(network, by), examples, settings, on_epoch, stopped)
    return Fitted(game, network, trained)


def _two_views(
    game: Game, records: Any, examples: Examples, settings: TrainSettings, hidden: tuple[int, ...], on_epoch: Any,
    stopped: Callable[[], bool], start: TwoViews | None,
) -> Fitted:  # fmt: skip
    """A network with two views, added to the weighted sum if the game has one; it may begin as `start`."""
    begun = time.perf_counter()
    chosen, held_out = examples.split()
    mirror = None
    if settings.mirror and game.offers("mirror_image"):
        mirror = ~examples.held_out & (np.random.default_rng(settings.seed).random(examples.count) < 0.5)
    data = samples(game, records[examples.chosen], PLACES, mirror)
    data.scores = (examples.scores / examples.slope).astype(np.float32)
    data.results = np.where(examples.trusted, data.results, chances(examples.scores)).astype(np.float32)
    added = len(game.weights) > 0
    if start is not None and (start.units, start.added) != (hidden[0], added):
        start = None  # another shape: it begins anew
    training = Training(
        hidden[0], added, settings.results, settings.epochs, settings.batch, settings.rate, settings.seed
    )

    def tell(number: int, loss: float, held_out: float, _: float) -> None:
        if on_epoch is not None:
            on_epoch(TrainEpoch(number, loss, held_out))

    learned, tested = data.chosen(chosen), data.chosen(held_out)
    network = train_two_views(game, learned, tested, examples.slope, training, tell, stopped, start)
    epochs = tuple(TrainEpoch(i + 1, *pair) for i, pair in enumerate(network.record["errors"]))
    seconds = time.perf_counter() - begun
    found = Trained(
        len(learned), len(tested), examples.games, network.record["error_without"], network.record["best"], epochs,
        seconds, network.record["device"],
    )  # fmt: skip
    return Fitted(game, network, found)
