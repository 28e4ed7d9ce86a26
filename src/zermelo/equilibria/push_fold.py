"""Heads-up push or fold: all in or out before the flop, for any stack, over the 169 kinds of hands.

The small blind goes all in or folds, and the big blind calls or folds. With short stacks little else is worth
considering. The equilibrium is found by CFR+ on the table of preflop equities, with the exact number of ways in which
two kinds can meet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.games.poker.preflop import preflop
from zermelo.games.poker.ranges import KINDS, kind_name
from zermelo.kernel.tabular import Tabular

SMALL_BLIND, BIG_BLIND = 0.5, 1.0
UNTIL = 1e-5
"""The exploitability at which it stops, in big blinds for each hand."""
CHECKED, MOST = 50, 200_000
"""Iterations between two looks at the exploitability, and the most."""


@dataclass(frozen=True)
class PushFold(Tabular):
    """An equilibrium for one stack.

    stack           of each player, blinds included, in big blinds
    push, call      how often each kind of hand goes all in as small blind, and calls as big blind
    push_gain, call_gain   what that is worth more than folding, in big blinds
    value           of the game to the small blind, in big blinds for each hand
    exploitability  the mean of what both players' best responses gain
    """

    stack: float
    push: Any
    call: Any
    push_gain: Any
    call_gain: Any
    value: float
    exploitability: float
    iterations: int

    def table(self) -> list[dict[str, Any]]:
        """One row for each kind of hand."""
        columns = {"push": self.push, "push gain": self.push_gain, "call": self.call, "call gain": self.call_gain}
        return [
            {"hand": kind_name(kind), **{name: round(float(column[kind]), 6) for name, column in columns.items()}}
            for kind in range(KINDS)
        ]

    def share(self, chances: Any) -> float:
        """The share of all hands that a strategy plays."""
        ways = _ways()
        return float(chances @ ways / ways.sum())


def push_fold(stack: float, *, until: float = UNTIL) -> PushFold:
    """The equilibrium for a stack in big blinds, blinds included."""
    if not 1.0 <= stack <= 1000.0:
        raise GameError(f"a stack must be from 1 to 1000 big blinds, not {stack:g}")
    share, pairs = preflop()
    chance = pairs / pairs.sum()
    won = chance * ((2.0 * share - 1.0) * stack)  # by the small blind if both are all in
    fold = chance.sum(axis=1) * -SMALL_BLIND
    push, call = np.full(KINDS, 0.5), np.full(KINDS, 0.5)
    push_regret, call_regret = np.zeros((2, KINDS)), np.zeros((2, KINDS))
    push_sum, call_sum, weights = np.zeros(KINDS), np.zeros(KINDS), 0.0
    for t in range(1, MOST + 1):
        push = _improved(push_regret, push, _push_gain(won, chance, call, fold))
        call = _improved(call_regret, call, _call_gain(won, chance, push))
        push_sum, call_sum, weights = push_sum + t * push, call_sum + t * call, weights + t
        if t % CHECKED == 0:
            average = push_sum / weights, call_sum / weights
            exploitability = _exploitability(won, chance, fold, *average)
            if exploitability <= until:
                break
    push, call = average
    push_gain, call_gain = _push_gain(won, chance, call, fold), _call_gain(won, chance, push)
    ways = chance.sum(axis=1)
    reached = chance.T @ push
    value = float(fold.sum() + push @ push_gain)
    per_call = np.divide(call_gain, reached, out=np.zeros(KINDS), where=reached > 0)
    return PushFold(stack, push, call, push_gain / ways, per_call, value, exploitability, t)


def _push_gain(won: Any, chance: Any, call: Any, fold: Any) -> Any:
    """What pushing each kind is worth more than folding it, times how often it is dealt."""
    return won @ call + chance @ (1.0 - call) * BIG_BLIND - fold


def _call_gain(won: Any, chance: Any, push: Any) -> Any:
    """What calling with each kind is worth more than folding it, times how often it gets there."""
    return -(push @ won) + (push @ chance) * BIG_BLIND


def _improved(regret: Any, play: Any, gain: Any) -> Any:
    """Regret matching plus: regrets of playing and folding, never negative, and the new chance of playing."""
    regret[0] = np.maximum(regret[0] + (1.0 - play) * gain, 0.0)
    regret[1] = np.maximum(regret[1] - play * gain, 0.0)
    total = regret[0] + regret[1]
    return np.divide(regret[0], total, out=np.full(len(play), 0.5), where=total > 0)


def _exploitability(won: Any, chance: Any, fold: Any, push: Any, call: Any) -> float:
    """The mean of what best responses gain."""
    push_gain, call_gain = _push_gain(won, chance, call, fold), _call_gain(won, chance, push)
    gained = np.maximum(push_gain, 0.0).sum() - push @ push_gain + np.maximum(call_gain, 0.0).sum() - call @ call_gain
    return float(gained / 2.0)


def _ways() -> Any:
    return preflop()[1].sum(axis=1)
