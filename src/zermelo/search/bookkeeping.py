"""The bookkeeping that all searches share: nodes, limits, the path, the flag that stops a search, and faults.

`Search` (the textbook algorithms), the engine's `Memory` and `ProofMemory` are built on it, so that limits and stopping
work the same everywhere. Each of them adds counters and limits of its own after those below.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.errors import GameError, TooDeep
from zermelo.kernel.calls import StopFlag, read_flag
from zermelo.kernel.parts import Part
from zermelo.kernel.worker import Stopped
from zermelo.search.checks import UNLIMITED

NODES, DEEPEST, FAULT = range(3)
FIRST_COUNTER = 3
NODE_LIMIT, PLY_LIMIT = range(2)
FIRST_LIMIT = 2

NO_VALUE = (
    "no legal moves in a state that is not terminal, a mover that is not a player, or an estimate or "
    "a utility that is not a finite number"
)


class Bookkeeping(Part):
    """What a search has done so far, and how far it may go.

    counts   NODES visited, the DEEPEST ply, and the ply of a FAULT in the rules
    limits   NODE_LIMIT and PLY_LIMIT
    stop     [0] is set by another thread to end the search
    path     [ply] the move being tried at that ply
    """

    settled = True

    def __init__(self, *, compiled: bool, plies: int, counters: int, limits: list[int]):
        self.counts = integers([0] * counters, compiled)
        self.limits = integers([UNLIMITED, plies, *limits], compiled)
        self.stop: Any = np.zeros(1, np.int64) if compiled else StopFlag()
        self.path: Any = np.zeros(plies + 2, np.int64 if compiled else object)

    def count_node(self, ply: int) -> None:
        """Count a node that the search enters; raises Stopped or TooDeep at a limit."""
        nodes = self.counts[NODES] + 1
        if nodes > self.limits[NODE_LIMIT] or read_flag(self.stop, 0) != 0:
            raise Stopped
        self.counts[NODES] = nodes
        if ply > self.counts[DEEPEST]:
            if ply >= self.limits[PLY_LIMIT]:
                raise TooDeep
            self.counts[DEEPEST] = ply

    def fail(self, ply: int) -> None:
        """Report that the rules are wrong at this ply."""
        self.counts[FAULT] = ply
        raise GameError(NO_VALUE)


def integers(values: list[int], compiled: bool) -> Any:
    """Numbers that a search changes: an array for compiled code, and for plain Python a list, which is faster there."""
    return np.array(values, np.int64) if compiled else list(values)
