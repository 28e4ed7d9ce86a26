"""Which games can learn the weights of their features, and why others cannot."""

from __future__ import annotations

import copy

import numpy as np

from zermelo.game.errors import GameError, Unsuitable
from zermelo.game.protocol import Game
from zermelo.kernel.parts import is_table
from zermelo.search.checks import require_rules


def require_learnable(game: Game) -> None:
    """Raise an error with the reason if nothing can be learned for a game."""
    require_rules(game)
    traits = game.traits
    if traits.hidden or traits.chance or traits.sides != 2 or not traits.zero_sum:
        raise Unsuitable(
            f"learning does not suit {game.title}: it is for two sides, zero-sum, without chance and with nothing "
            f"hidden, and this is a game of {traits}"
        )
    names = game.feature_names()
    if not names:
        raise Unsuitable(f"{game.title} has no features: write `features` and `feature_names`, and give it `weights`")
    if not is_table(game.weights) and len(game.weights) == 0:
        raise Unsuitable(
            f"{game.title} has features and no weights: give it `weights`, or teach a network, with --td or `learn_td`"
        )
    if not is_table(game.weights) or game.weights.dtype.kind != "f":
        raise GameError(
            f"the weights of {game.title} must be a NumPy array of floats, so that others need no compiling, not a "
            f"{type(game.weights).__name__}"
        )
    if game.weights.shape != (len(names),):
        raise GameError(
            f"{game.title} names {len(names)} features, and its weights have the shape {game.weights.shape}"
        )


def clips(game: Game) -> bool:
    """Does the game's own evaluation stay within the utility range, however great the weights?"""
    low, high = game.utility_range
    own = copy.copy(game)
    own.weights = np.where(np.arange(len(game.weights)) % 2, -1e9, 1e9).astype(game.weights.dtype)
    player = np.random.default_rng(0)
    s = own.initial()
    tried = 0
    for _ in range(20):
        rules = own.remembering([s])
        legal = rules.legal(s)
        if not legal:
            break
        if not low < own.evaluate(s, own.to_move(s)) < high:
            return False
        tried += 1
        s = own.result(s, legal[player.integers(len(legal))])
    return tried > 0
