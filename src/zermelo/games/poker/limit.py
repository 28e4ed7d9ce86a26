"""Limit hold'em for two players, as computers play it: blinds of 1 and 2, bets of 2 and 4, four bets on a street."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from zermelo.games.poker.holdem import CALL, DIGIT, FOLD, SHOWDOWN, Holdem, HoldemState, record

RAISE = 3
BETS = 4
"""The most bets on a street; before the flop the big blind is the first."""
SMALL_BET, BIG_BET = 2, 4
STRATEGY = Path(__file__).parent / "limit_holdem.npz"
"""Trained by scripts/train_limit_holdem.py."""


def raises(moves: int) -> int:
    """The number of bets and raises in the record of a street."""
    count = 0
    while moves != 0:
        count += 1 if moves & 15 == RAISE else 0
        moves >>= DIGIT
    return count


class LimitHoldem(Holdem):
    """Texas hold'em with fixed bets: the small bet before and on the flop, the big bet on the turn and the river.

    The blinds are half a small bet and a small bet. A street has at most four bets: a bet and three raises. Players
    have enough chips for all bets.
    """

    small_blind, big_blind = 1, 2
    stack = 1 << 30
    utility_range = (-48.0, 48.0)

    def actions(self, s: HoldemState) -> Iterator[int]:
        if s.folded != 0 or s.street == SHOWDOWN:
            return
        if self.paid(s, 0) != self.paid(s, 1):
            yield FOLD
        yield CALL
        if raises(record(s)) < (BETS - 1 if s.street == 0 else BETS):
            yield RAISE

    def chips_for(self, s: HoldemState, a: int) -> int:
        return self.paid(s, 1 - s.mover) + (SMALL_BET if s.street < 2 else BIG_BET)

    def own_strategy(self) -> Path | None:
        return STRATEGY if STRATEGY.exists() else None

    @property
    def title(self) -> str:
        return "Limit hold'em"
