"""A game with an evaluation from a file: learned weights, or a network."""

from __future__ import annotations

import hashlib
from pathlib import Path

from zermelo.game.protocol import Game
from zermelo.kernel.archives import read_arrays
from zermelo.learn.learned import Learned
from zermelo.networks import with_network


def with_evaluation(game: Game, path: str | Path | None) -> Game:
    """The game with the weights or the network in a file; without a file, as it is."""
    if path is None:
        return game
    if holds_weights(path):
        return Learned.load(path, game).apply(game)
    return with_network(game, path)


def holds_weights(path: str | Path) -> bool:
    """Is this a file of learned weights? Otherwise it should be one of a network."""
    try:
        return "weights" in read_arrays(path)
    except (OSError, ValueError, KeyError):
        return True  # whose reader says what is wrong


def identity(path: str | Path | None) -> str | None:
    """A digest of the file of an evaluation. Runs remember it, and not the path: a folder can be moved."""
    return None if path is None else hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
