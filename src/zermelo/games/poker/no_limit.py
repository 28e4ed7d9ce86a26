"""No-limit hold'em for two players with a choice of bet sizes: fractions of the pot, and all-in."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from zermelo.game.errors import GameError
from zermelo.games.parameters import whole_number
from zermelo.games.poker.holdem import CALL, DIGIT, FOLD, MOST_MOVES, SHOWDOWN, Holdem, HoldemState, record

ALL_IN, BET = 3, 4
"""Moves: all-in; BET and above are bets of the given sizes."""
MOST_SIZES = 16 - BET
LAST_BET = MOST_MOVES - 3
"""After more moves on a street only all-in is left, so that the record has room for it and the call."""


class NoLimitHoldem(Holdem):
    """Texas hold'em without a limit: a player may bet any of some fractions of the pot, or all its chips.

    A raise is called first, then the fraction is that of the pot. It is at least as large as the last bet or raise of
    the street, or the big blind. Both players have the same stack: with different ones, only the smaller one counts.
    """

    def __init__(self, bets: str | float = "0.5 1 2", stack: int = 200, small_blind: int = 1, big_blind: int = 2):
        """`bets` are fractions of the pot, in ascending order. `stack` is in chips."""
        super().__init__()
        self.bets = str(bets)  # a single size may be a number
        self.big_blind = whole_number("big_blind", big_blind, 1, 10_000)
        self.small_blind = whole_number("small_blind", small_blind, 0, self.big_blind)
        self.stack = whole_number("stack", stack, self.big_blind, 1_000_000)
        self.sizes = np.array(_fractions(self.bets), np.float64)
        self.utility_range = (-float(self.stack), float(self.stack))

    def actions(self, s: HoldemState) -> Iterator[int]:
        if s.folded != 0 or s.street == SHOWDOWN:
            return
        own, other = self.paid(s, s.mover), self.paid(s, 1 - s.mover)
        if own != other:
            yield FOLD
        yield CALL
        if other < self.stack:
            last = other
            for number in range(len(self.sizes)):
                chips = self.chips_for(s, BET + number)
                if chips > last and chips < self.stack and record(s) >> DIGIT * LAST_BET == 0:
                    yield BET + number
                last = chips
            yield ALL_IN

    def chips_for(self, s: HoldemState, a: int) -> int:
        if a == ALL_IN:
            return self.stack
        other = self.paid(s, 1 - s.mover)
        more = int(self.sizes[a - BET] * (2 * other) + 0.5)  # the pot once the mover has called
        return min(other + max(more, int(s.raised)), self.stack)

    @property
    def title(self) -> str:
        return self._titled("No-limit hold'em")


def _fractions(text: str) -> list[float]:
    """The bet sizes in a text such as "0.5 1 2"; raises a GameError that says what is wrong."""
    try:
        found = [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        found = [-1.0]
    if not all(0.0 < one <= 100.0 for one in found) or found != sorted(set(found)) or len(found) > MOST_SIZES:
        raise GameError(
            f"bets must be fractions of the pot in ascending order, above 0 and at most {MOST_SIZES} of them, as in "
            f"0.5 1 2, not {text!r}"
        )
    return found
