"""From records to an evaluation: the weights of a game's features, or a network, ready to be saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.errors import Unsuitable
from zermelo.game.features import has_network
from zermelo.game.protocol import Game
from zermelo.learn.learned import Learned
from zermelo.learn.linear import require_learnable
from zermelo.learn.positions.evaluations import with_evaluation
from zermelo.learn.training.examples import prepare
from zermelo.learn.training.models import Model, NetworkModel, SumModel
from zermelo.learn.training.train import Trained, TrainEpoch, TrainSettings, train
from zermelo.networks import Network, with_network
from zermelo.networks.network import require_features


@dataclass(frozen=True)
class Fitted:
    """A trained evaluation: learned weights or a network, and how training went."""

    game: Game
    evaluation: Learned | Network
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

    model    "sum": the weights of the features; "network": a network over them
    hidden   units of the hidden layers of a new network
    start    a file with weights or a network to begin with; by default the game's own weights, or a new network
    by       "numpy", "jax" or "auto": what computes a network
    """
    settings = settings or TrainSettings()
    before = with_evaluation(game, start)
    if model == "sum":
        require_learnable(game)
    else:
        require_features(game)
        if game.predicts is not None:
            raise Unsuitable(f"a search gives one value, and the network of {game.title} predicts several")
    examples = prepare(records, game, seed=settings.seed, quiet=settings.quiet, size=not game.decisive)
    own: Model
    if model == "sum":
        own = weights = SumModel(before.weights, examples.slope)
        trained = train(own, examples, settings, on_epoch, stopped)
        found = weights.weights.astype(np.float64)
        slope = examples.slope
        names = game.feature_names()
        return Fitted(game, Learned(game.name, names, found, 1 / slope, slope, 0.0, examples.games), trained)
    network = before.network.copy() if has_network(before) else Network.for_game(game, hidden, settings.seed)
    own = NetworkModel(network, by)
    trained = train(own, examples, settings, on_epoch, stopped)
    return Fitted(game, network, trained)
