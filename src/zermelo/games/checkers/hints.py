"""Hints for an engine: when a position is quiet, and which moves to try first."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.game.state import u64
from zermelo.games.checkers.board import ENDS, CheckersState
from zermelo.games.checkers.evaluation import CheckersEvaluation
from zermelo.kernel.bits import count_bits, lowest_bit

MAN_WORTH = 0.1
"""The value of a man in the evaluation."""

NOISY, CROWNING = 1000.0, 500.0
"""Parts of promises: captures come before men that are crowned, and those before all others."""

OLD, OLD_STEP = 40, 8
"""From this clock on, tables distinguish positions by the clock, in steps of this many plies."""


class CheckersHints(CheckersEvaluation):
    """Captures are forced, so a position is quiet if and only if there are none."""

    def may_stand(self, s: CheckersState) -> bool:
        """Not if there is a capture: it must be made."""
        return not self.must_capture(s)

    def noisy_actions(self, s: CheckersState) -> Iterator[int]:
        """Yields captures or, if there are none, the moves that crown a man."""
        if self.must_capture(s):
            for a in self.actions(s):
                yield a
        else:
            own = self.own(s)
            left = own & ~s.kings
            empty = self.empty(s) & ENDS
            while left != 0:
                origin = lowest_bit(left)
                left &= left - 1
                targets = self.reached(s, origin) & empty
                while targets != 0:
                    yield origin + 64 * lowest_bit(targets)
                    targets &= targets - 1

    def is_noisy(self, s: CheckersState, a: int) -> bool:
        """Is it a capture, or is a man crowned?"""
        return a >> 12 != 0 or self.crowns(s, a)

    def crowns(self, s: CheckersState, a: int) -> bool:
        """Does a man become a king?"""
        return ENDS >> (a >> 6 & 63) & 1 != 0 and s.kings >> (a & 63) & 1 == 0

    def promise(self, s: CheckersState, a: int) -> float:
        """Captures first, those of the most pieces before others, and men that are crowned."""
        captured = u64(a >> 12)
        worth = CROWNING if self.crowns(s, a) else 0.0
        if captured != 0:
            worth += NOISY + 10.0 * count_bits(captured) + 5.0 * count_bits(captured & s.kings)
        return worth

    def canonical_key(self, s: CheckersState) -> int:
        """The key; with many plies without progress, another one every few plies."""
        key = self.key(s)
        return key if s.clock < OLD else key ^ u64((s.clock // OLD_STEP) * 0x9E3779B97F4A7C15)
