"""Watching a search: the events that an observer receives, and how compiled code sends them.

Pass any object with some of the methods of `Observer` to `analyse(..., observer=...)`. The search is the real one,
compiled or not; only its bookkeeping differs, so an unobserved search pays nothing.
"""

from __future__ import annotations

import ctypes
import functools
from enum import IntEnum
from typing import Any

import numpy as np

from zermelo.kernel.calls import tell
from zermelo.search import search as bookkeeping
from zermelo.search.search import Search

VISIT, BOUND, CUT, VALUE, COMPONENT, ESTIMATE = range(6)


class Reason(IntEnum):
    """Why the rest of a node is not searched."""

    ALPHA = bookkeeping.ALPHA
    BETA = bookkeeping.BETA
    CHANCE_LOW = bookkeeping.CHANCE_LOW
    CHANCE_HIGH = bookkeeping.CHANCE_HIGH
    BEAM = bookkeeping.BEAM
    DECIDED = bookkeeping.DECIDED

    def sentence(self, value: float, limit: float) -> str:
        """The reason in one sentence."""
        return _SENTENCES[self].format(value=f"{value:g}", limit=f"{limit:g}")


_SENTENCES = {
    Reason.ALPHA: "MIN can hold this node to {value}, and MAX already has {limit} elsewhere: nothing below can matter.",
    Reason.BETA: "MAX can get {value} from this node, and MIN already has {limit} elsewhere: nothing below can matter.",
    Reason.CHANCE_LOW: "Even if all remaining outcomes are as high as can be, the average is at most {value}, and MAX "
    "already has {limit} elsewhere.",
    Reason.CHANCE_HIGH: "Even if all remaining outcomes are as low as can be, the average is at least {value}, and MIN "
    "already has {limit} elsewhere.",
    Reason.BEAM: "Only the {limit} most promising moves are searched; the others are left out unproven.",
    Reason.DECIDED: "One move decides this node: the others need not be searched.",
}


class Observer:
    """The events of a search. Plies count from the root, 0; an action is None at the root."""

    def visit(self, ply: int, action: Any) -> None:
        """A node is entered by this action."""

    def bound(self, ply: int, low: float, high: float) -> None:
        """The node's window (alpha, beta), or the range that is left for a chance node's average, is now this."""

    def cut(self, ply: int, reason: Reason, value: float, limit: float) -> None:
        """The rest of the node is pruned."""

    def estimate(self, ply: int, value: float) -> None:
        """The node is cut off, and this is its evaluation (for vectors: player 0's)."""

    def value(self, ply: int, value: Any) -> None:
        """The node is left with this value: a number, or a tuple with one for each player."""


class Observed:
    """Added to the bookkeeping of a watched search: it sends every event to `listener[0]`."""

    listener: Any
    path: Any

    def bound(self, ply: int, low: float, high: float) -> None:
        tell(self.listener[0], BOUND, ply, 0, low, high)

    def cut(self, ply: int, reason: int, value: float, limit: float) -> None:
        tell(self.listener[0], CUT, ply, reason, value, limit)

    def on_visit(self, ply: int) -> None:
        tell(self.listener[0], VISIT, ply, self.path[max(ply - 1, 0)], 0.0, 0.0)

    def on_value(self, ply: int, value: float) -> None:
        tell(self.listener[0], VALUE, ply, 0, value, 0.0)

    def on_component(self, ply: int, p: int, value: float) -> None:
        tell(self.listener[0], COMPONENT, ply, p, value, 0.0)

    def on_estimate(self, ply: int, value: float) -> None:
        tell(self.listener[0], ESTIMATE, ply, 0, value, 0.0)


@functools.cache
def observed(bookkeeping: type[Search]) -> type[Search]:
    """The same bookkeeping, watched."""
    return type(f"Observed{bookkeeping.__name__}", (Observed, bookkeeping), {})


_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_double, ctypes.c_double)


class Bridge:
    """Turns the numbers that a search sends into calls of an observer's methods."""

    def __init__(self, observer: Any):
        self._observer = observer
        self._vector: list[float] = []
        self._callback: Any = None
        self.error: BaseException | None = None
        self._stop: Any = None

    def attach(self, search: Search, compiled: bool) -> None:
        """Send the events of this search to the observer."""
        self._stop = search.stop
        if not compiled:
            search.listener = [self._hear_safely]  # type: ignore[attr-defined]
            return
        self._callback = _CALLBACK(self._hear_safely)
        search.listener = np.array([ctypes.cast(self._callback, ctypes.c_void_p).value], np.int64)  # type: ignore[attr-defined]

    def _hear_safely(self, *event: Any) -> None:
        """An error cannot pass through compiled code, and must not look like the game's: keep it, and stop."""
        try:
            if self.error is None:
                self._hear(*event)
        except BaseException as error:
            self.error = error
            self._stop[0] = 1

    def _hear(self, kind: int, ply: int, action: Any, x: float, y: float) -> None:
        if kind == VISIT:
            self._call("visit", ply, None if ply == 0 else action)
        elif kind == BOUND:
            self._call("bound", ply, x, y)
        elif kind == CUT:
            self._call("cut", ply, Reason(action), x, y)
        elif kind == ESTIMATE:
            self._call("estimate", ply, x)
        elif kind == COMPONENT:
            self._vector.append(x)
        else:
            vector, self._vector = tuple(self._vector), []
            self._call("value", ply, vector or x)

    def _call(self, name: str, *arguments: Any) -> None:
        method = getattr(self._observer, name, None)
        if method is not None:
            method(*arguments)
