"""What kind of game it is: the traits that a game's class declares, and `Traits`, which sums them up."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Traits:
    """What kind of game it is, as declared by its class: enough to say which algorithms suit it."""

    players: int
    sides: int
    chance: bool
    hidden: bool
    zero_sum: bool
    utility_range: tuple[float, float]
    lists_outcomes: bool
    uses_history: bool

    def __str__(self) -> str:
        words = [f"{self.players} player{'s' * (self.players != 1)}"]
        if self.sides != self.players:
            words.append(f"{self.sides} sides")
        words.append("zero-sum" if self.zero_sum else "general-sum")
        words.append("chance" if self.chance else "no chance")
        words.append("hidden information" if self.hidden else "perfect information")
        return ", ".join(words)


class Declarations:
    """The class attributes by which a game declares its traits."""

    players: int = 2
    chance: bool = False  # does CHANCE ever move?
    deals_once: bool = False  # does CHANCE move only before the first player does, as in a deal of all cards?
    hidden: bool = False  # is some of the state hidden from some player?
    zero_sum: bool = True  # do the sides' utilities add up to a constant?
    utility_range: tuple[float, float] = (-math.inf, math.inf)  # the least and the greatest utility
    max_actions: int | None = None  # an upper bound on the legal moves, and on the outcomes, of any state
    uses_history: bool = False  # do the rules ask how often a position has occurred?
    may_be_drawn: bool = True  # can the game end in a draw?
    decisive: bool = True  # are the ends of the utility range a win, the sooner the better, and a loss?
    ends_without_moves: bool = False  # is the game over exactly if the player to move has no move?
    all_moves_as_first: bool = False  # does a move, a number below 4,096, mean the same later in the game (RAVE)?
    forward_pruning: tuple[str, ...] = ()  # which of "null_move", "reductions", "futility", "probcut", "beam" are safe?
    extends_urgent: bool = True  # is a position searched deeper if the mover may not stand pat (chess: in check)?
    costly_evaluation: bool = False  # does `evaluate` take longer than a table lookup, so that results are remembered?
    evaluation_unit: float | None = None  # a small difference in evaluation, which scales margins;
    # by default a hundredth of the utility range
