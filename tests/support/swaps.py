"""Pairs of games that differ only in what is hidden from one player, for tests that nobody cheats."""

from __future__ import annotations

from zermelo import Game, games
from zermelo.play.play import Play

SWAPS: dict[str, tuple[int, tuple[tuple[str, ...], ...]]] = {
    "kuhn_poker": (0, (("KQ",), ("KJ",))),
    "leduc_poker": (1, (("J♠Q♥", "check"), ("K♥Q♥", "check"), ("Q♠Q♥", "check"))),
    "liars_dice": (0, (("3-4", "1x3", "1x5"), ("3-6", "1x3", "1x5"))),
    "goofspiel": (1, (("4", "1"), ("4", "4"))),
    "matrix": (1, (("rock",), ("paper",))),
    "phantom_tic_tac_toe": (0, (("5", "1"), ("5", "9"), ("5", "5", "1"))),
    "roads": (0, (("day1", "B"), ("day2", "B"))),
    "strategy_fusion": (0, (("red",), ("black",))),
    "non_locality": (1, (("high", "go"), ("low", "go"))),
    "limit_holdem": (0, (("As", "Kd", "7h", "2c"), ("As", "Kd", "Qs", "Qd"))),
}
"""For each game the player, and moves after which that player is to move and knows the same."""


def swapped(name: str) -> tuple[Game, int, list[Play]]:
    """The game, the player, and the games that it cannot tell apart. All of them have the same seed."""
    player, lines = SWAPS[name]
    game = games.load(name)
    plays = []
    for moves in lines:
        play = Play(game, seed=1)
        play.follow(moves)
        assert play.mover == player
        plays.append(play)
    assert len({play.state for play in plays}) == len(plays)
    assert len({game.information(play.state, player) for play in plays}) == 1
    return game, player, plays
