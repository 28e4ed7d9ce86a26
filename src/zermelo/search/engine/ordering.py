"""What the search learns about moves to order them: killer moves, countermoves and the history heuristic.

Killer moves caused a cutoff at the same ply (Akl and Newborn 1977), countermoves refuted the move before (Uiterwijk
1992), and the history heuristic counts the cutoffs of a move anywhere in the tree (Schaeffer 1983).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.kernel.ordinals import number_of
from zermelo.search.bookkeeping import Bookkeeping, integers
from zermelo.search.engine.switches import COUNTERS, HISTORY, KILLERS, REDUCTIONS

HISTORY_SLOTS, PAIR_SLOTS = 1 << 12, 1 << 10
MOST_HISTORY, MOST_EXPERIENCE, MOST_LEARNED = 1 << 40, 1 << 14, 2000
"""The greatest history of a move: if only cutoffs count, and if failures count too; and how much of that one adds."""
KILLER, SECOND_KILLER, COUNTER = 1 << 50, 1 << 49, 1 << 48
"""What a killer move or a countermove adds to the history of a move."""


class Ordering(Bookkeeping):
    """The part of the engine's memory that orders moves.

    killers    [ply][0 and 1] the last moves that caused a cutoff at that ply
    history    [side][slot of a move] its cutoffs less its failures, weighted by the depth of the search below
    counters   [side][slot of the move before] the last move that refuted it
    pairs      [slot of two moves] the history of a move after the move one ply or two plies before it
    slots      [ply] the slot of the move being tried at that ply, or -1 if it is a null move
    """

    switches: Any

    def _set_ordering(self, compiled: bool, plies: int) -> None:
        """Start with nothing learned."""
        moves: Any = np.int64 if compiled else object
        self.killers = np.full((plies + 2, 2), -1, moves)
        self.history = np.zeros((2, HISTORY_SLOTS), np.int64)
        self.counters = np.full((2, HISTORY_SLOTS), -1, moves)
        self.pairs = np.zeros(PAIR_SLOTS * PAIR_SLOTS, np.int16)
        self.slots = integers([-1] * (plies + 2), compiled)

    def forget_ordering(self) -> None:
        """Forget everything learned."""
        self.history[:] = 0
        self.pairs[:] = 0
        self.killers[:] = -1
        self.counters[:] = -1

    def credit(self, ply: int, side: int, a: Any, slot: int, depth: int) -> None:
        """Note that a move, with its slot, has caused a cutoff."""
        if self.killers[ply, 0] != a:
            self.killers[ply, 1] = self.killers[ply, 0]
            self.killers[ply, 0] = a
        last = self.slot_before(ply, 1)
        if last >= 0:
            self.counters[side, last] = a
        if self.switches[REDUCTIONS] != 0:
            self.experience(ply, side, slot, depth, 1)
        else:
            self.history[side, slot] += min(depth * depth, HISTORY_SLOTS)
            if self.history[side, slot] > MOST_HISTORY:
                self.history[side, slot] >>= 1

    def experience(self, ply: int, side: int, slot: int, depth: int, sign: int) -> None:
        """Note that a move has caused a cutoff (1), or was tried in vain before the move that did (-1).

        Late move reductions need a better order than cutoffs alone give: this history also knows the moves before
        (continuation history), and recent results count most. A search of a second has to learn fast.
        """
        weight = min((6 * depth + 230) * depth - 200, MOST_LEARNED)
        self.history[side, slot] += sign * weight - self.history[side, slot] * weight // MOST_EXPERIENCE
        for back in range(1, min(ply, 2) + 1):
            before = self.slots[ply - back]
            if before >= 0:
                pair = pair_of(before, slot)
                known = int(self.pairs[pair])
                self.pairs[pair] = known + sign * weight - known * weight // MOST_EXPERIENCE

    def slot_before(self, ply: int, back: int) -> int:
        """The slot of the move so many plies before, or -1."""
        return self.slots[ply - back] if ply >= back else number_of(-1)

    def quiet_rank(self, ply: int, side: int, a: Any, slot: int, last: int, earlier: int) -> int:
        """What is known of a move, with its slot, from elsewhere in the tree: killer move, countermove, history.

        `last` and `earlier` are the slots of the moves one ply and two plies before.
        """
        rank = 0
        if self.switches[KILLERS] != 0:
            if self.killers[ply, 0] == a:
                rank += KILLER
            elif self.killers[ply, 1] == a:
                rank += SECOND_KILLER
        if self.switches[COUNTERS] != 0 and last >= 0 and self.counters[side, last] == a:
            rank += COUNTER
        if self.switches[HISTORY] != 0:
            rank += self.history[side, slot]
            if self.switches[REDUCTIONS] != 0:
                if last >= 0:
                    rank += int(self.pairs[pair_of(last, slot)])
                if earlier >= 0:
                    rank += int(self.pairs[pair_of(earlier, slot)])
        return rank

    def ranked(self) -> bool:
        """Does anything but the game's own promise order the moves?"""
        return bool(self.switches[KILLERS] != 0 or self.switches[COUNTERS] != 0 or self.switches[HISTORY] != 0)


def slot_of(number: int) -> int:
    """The slot of the history of a move or of a kind of move with this number."""
    return (number ^ (number >> 12)) & (HISTORY_SLOTS - 1)


def pair_of(before: int, slot: int) -> int:
    """The slot of a move's history after another move: close to those of other moves after it, for the cache's sake."""
    return ((before ^ before >> 10) & (PAIR_SLOTS - 1)) * PAIR_SLOTS + ((slot ^ slot >> 10) & (PAIR_SLOTS - 1))
