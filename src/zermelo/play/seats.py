"""Seats: one for each side of a game. The occupant plays for all players of that side."""

from __future__ import annotations

from zermelo.game.protocol import Game


def seats_of(game: Game) -> list[list[int]]:
    """The seats of a game, one for each side, as lists of the players on that side."""
    sides = sorted({game.side(p) for p in range(game.players)})
    return [[p for p in range(game.players) if game.side(p) == side] for side in sides]


def seat_of(game: Game, player: int) -> int:
    """The seat that plays for this player."""
    return next(seat for seat, players in enumerate(seats_of(game)) if player in players)
