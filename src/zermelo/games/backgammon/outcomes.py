"""The outputs of a network for backgammon: the chances to win, and to win and lose a gammon and a backgammon."""

from __future__ import annotations

from typing import Any

from zermelo.games.backgammon.checkers import CHECKERS, OFF, count_at
from zermelo.games.backgammon.cube import equity
from zermelo.kernel.parts import Part


class GammonOutcomes(Part):
    """Five chances: win, win a gammon or more, win a backgammon, lose a gammon or more, lose a backgammon."""

    settled = True
    names = ("win", "win a gammon", "win a backgammon", "lose a gammon", "lose a backgammon")
    count = len(names)

    def target(self, game: Any, s: Any, p: int, k: int) -> float:
        """Chance k in a finished game, as player p sees it; without the cube."""
        won = game.has_won(s, p)
        if k == 0:
            return 1.0 if won else 0.0
        winner = p if won else 1 - p
        if count_at(s.low[winner], s.high[winner], OFF) < CHECKERS:
            return 0.0  # the loser has dropped a double
        worth = game.game_points(s, winner)
        return 1.0 if won == (k <= 2) and worth > (k if k <= 2 else k - 2) else 0.0

    def turned(self, out: Any, k: int) -> float:
        """Chance k as the opponent sees it."""
        if k == 0:
            return float(1.0 - out[0])
        return float(out[k + 2] if k <= 2 else out[k - 2])

    def value(self, game: Any, s: Any, out: Any) -> float:
        """The expected utility: points, also with the cube, or in a match 2 · (the chance to win it) − 1."""
        return equity(game, s, out)
