"""Utility vectors: one number for each player, as tuples in both modes."""

from __future__ import annotations

from typing import Any

from zermelo.kernel.bits import replaced


def constant_vector(game: Any, number: float) -> tuple[float, ...]:
    """The same number for every player of the game."""
    players: int = game.players
    return (float(number),) * players


def utilities(game: Any, s: Any) -> tuple[float, ...]:
    """What the end of the game is worth to each player."""
    vector = constant_vector(game, 0.0)
    for p in range(game.players):
        vector = replaced(vector, p, game.utility(s, p))
    return vector


def evaluations(game: Any, s: Any) -> tuple[float, ...]:
    """What the state is estimated to be worth to each player."""
    vector = constant_vector(game, 0.0)
    for p in range(game.players):
        vector = replaced(vector, p, game.evaluate(s, p))
    return vector


def add_scaled(total: tuple[float, ...], factor: float, vector: tuple[float, ...]) -> tuple[float, ...]:
    """total + factor · vector."""
    for p in range(len(total)):
        total = replaced(total, p, total[p] + factor * vector[p])
    return total
