"""Players of games that begin with a roll."""

from __future__ import annotations

from zermelo import games
from zermelo.arena.roster import player_of


def test_a_player_is_ready_at_once_if_the_game_begins_with_a_roll() -> None:
    """Once it searched the opening roll to the most plies that there can be, without a limit."""
    game = games.load("backgammon")
    player = player_of("dice:plies=0", game)
    player.begin(game)
    player_of("dice:seconds=1", game).begin(game)
