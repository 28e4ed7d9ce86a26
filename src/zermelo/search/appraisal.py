"""What decisions and luck are worth in a game with chance: the measurements of a review.

A decision is measured by ranking all moves at the same number of plies. Luck is measured as GNU Backgammon does: the
value after the roll, with the best move, minus the average over all rolls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.stopping import StopToken
from zermelo.search.dice import DiceEngine

PLIES = 2
CLOSE = 0.16
"""A decision about the stake is close if the next best choice loses less than this."""


@dataclass(frozen=True)
class Appraised:
    """A decision: the best choice, and the one that was made, for the player who decides.

    stake     how much utility one point of the stake is; 1 if the game has no stake
    counts    is it part of the error rate? Forced moves are not, nor obvious decisions that are not moves
    """

    best: Any
    best_value: float
    value: float
    stake: float
    counts: bool

    @property
    def cost(self) -> float:
        """What the choice lost, in points of the stake."""
        return max(self.best_value - self.value, 0.0) / self.stake


class Appraiser:
    """Measures the decisions and the luck of one game after the other, with one engine."""

    def __init__(self, game: Game, plies: int = PLIES, compile: bool | None = None):
        self.game, self.plies = game, plies
        self.engine = DiceEngine(game, compile=compile)
        self._is_ready = False

    def decision(self, s: Any, played: Any, seconds: float, stop: StopToken | None) -> Appraised | None:
        """The decision for `played` in state s; None if it was stopped."""
        if not self._is_ready:
            self.engine.evaluate(s, 0)  # compiles, which is no part of the time
            self._is_ready = True
        ranked = self.engine.rank(s, self.plies, seconds=seconds, stop=stop)
        if len(ranked) < len(self.game.legal(s)):  # not even the first ply was completed
            ranked = self.engine.rank(s, 0, stop=stop)
        own = next((each for each in ranked if each.action == played), None)
        if own is None or (stop is not None and stop.is_set):
            return None
        best = ranked[0]
        if own.plies < best.plies:  # a filter has dropped it
            again = self.engine.rank(s, best.plies, moves=[played], stop=stop)
            if not again:
                return None
            own = again[0]
        if own.equity >= best.equity:
            best = own
        stake = stake_of(self.game, s)
        others = [each.equity for each in ranked if each.action != best.action]
        close = bool(others) and best.equity - max(others) < CLOSE * stake
        counts = bool(others) and (not self.game.decision_kind(s) or close or own is not best)
        return Appraised(best.action, best.equity, own.equity, stake, counts)

    def luck(self, s: Any, after: Any, player: int) -> float:
        """How lucky the roll from s to `after` was for a player, in points of the stake."""
        game = self.game
        expected = self.engine.evaluate(s, 1, player=player)
        assert expected is not None  # it was not stopped
        if game.is_terminal(after):
            there = float(game.utility(after, player))
        elif game.to_move(after) == CHANCE:
            found = self.engine.evaluate(after, 0, player=player)
            assert found is not None
            there = found.equity
        else:
            there = self.engine.rank(after, 0)[0].equity
            if game.side(game.to_move(after)) != game.side(player):
                there = sum(game.utility_bounds(player)) - there
        return (there - expected.equity) / stake_of(game, s)


def suits(game: Game) -> bool:
    """Can decisions and luck of this game be measured?"""
    traits = game.traits
    fits = traits.chance and traits.lists_outcomes and traits.sides == 2 and traits.zero_sum
    return fits and not traits.hidden and not traits.uses_history and game.offers("evaluate")


def stake_of(game: Game, s: Any) -> float:
    """How much utility one point of the stake is."""
    return game.stake(s) or 1.0
