"""A game with an evaluation from a file: learned weights, or a network."""

from __future__ import annotations

from pathlib import Path

from zermelo.game.protocol import Game
from zermelo.learn.learned import Learned, NotFor
from zermelo.networks import with_network


def with_evaluation(game: Game, path: str | Path | None) -> Game:
    """The game with the weights or the network in a file; without a file, as it is."""
    if path is None:
        return game
    try:
        return Learned.load(path, game).apply(game)
    except NotFor as error:
        try:
            return with_network(game, path)
        except Exception:
            raise error from None
