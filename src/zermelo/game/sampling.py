"""Hints for Monte Carlo tree search: how to play a game out, and which moves to try first. Each is optional."""

from __future__ import annotations

from typing import Any

from zermelo.game.hints import Hints
from zermelo.game.rules import Action, State


class Sampling(Hints):
    """What a game knows about playing itself out quickly."""

    def nth_action(self, s: State, n: int) -> Action:
        """The n-th legal move, in the order of `list_actions`, with n from 0 to below `count_actions(s)`.

        A game on a large board often knows it without listing the others, which makes uniform random play faster.
        """
        action = 0
        for a in self.actions(s):
            if n == 0:
                action = a
            n -= 1
        return action

    def rollout(self, s: State, random: Any) -> Action:
        """A move of a simulated game; by default any legal move, each equally likely.

        Draw random numbers from `random` only: `random.below(n)`, `random.uniform()`.
        """
        return self.nth_action(s, random.below(self.count_actions(s)))

    def playout(self, s: State, random: Any, played: Any) -> State:
        """The end of a simulated game that starts here. Only called if the game defines it.

        It may use a faster representation of the game than states. Of the state that it returns, only the utilities
        are used. If the game declares `all_moves_as_first`, call `played.note(p, a)` for each move a of a player p.
        """
        return s

    def prior(self, s: State, a: Action) -> float:
        """How likely a move is to be the best one, before anything is searched: any weight of at least 0."""
        return 1.0
