"""Thinking in the background: for pondering, and for a user who will say when it is enough."""

from __future__ import annotations

import math
import threading
import time
from typing import TYPE_CHECKING, Any

from zermelo.search.analysis import Analysis
from zermelo.search.driver import time_limit
from zermelo.search.engine.answers import Progress

if TYPE_CHECKING:
    from zermelo.search.engine.engine import Engine


class Thinking:
    """A search in the background, which can be asked, limited and stopped."""

    def __init__(self, engine: Engine, state: Any, limits: dict[str, Any], prove: bool = False):
        self.engine = engine
        self.latest: Progress | None = None
        self.deadline = math.inf
        self.is_stopped = False
        self._timers: list[threading.Timer] = []
        self._outcome: list[Any] = []
        self._over = threading.Event()  # a thread that is joined when Ctrl-C comes may say that it has ended
        told = limits.pop("on_progress", None)
        limits.setdefault("seconds", math.inf)

        def follow(progress: Progress) -> None:
            self.latest = progress
            if told is not None:
                told(progress)

        search = engine.solve if prove else engine.think

        def job() -> None:
            engine._background[threading.get_ident()] = self
            try:
                self._outcome.append((search(state, on_progress=follow, **limits), None))
            except BaseException as error:
                self._outcome.append((None, error))
            finally:
                del engine._background[threading.get_ident()]
                for timer in self._timers:
                    timer.cancel()
                self._over.set()

        threading.Thread(target=job, name="zermelo-thinking", daemon=True).start()

    def limit(self, seconds: float) -> None:
        """Give it so many more seconds from now: the opponent has played the move that it was thinking about."""
        left = time_limit(seconds)
        if left is None or seconds == math.inf:
            return
        with self.engine._guard:
            self.deadline = min(self.deadline, time.perf_counter() + left)
            if self.engine._current is self:
                self.engine._deadline = min(self.engine._deadline, self.deadline)
        timer = threading.Timer(left, self._end)
        timer.daemon = True
        self._timers.append(timer)
        timer.start()

    def _end(self) -> None:
        """Stop it, and no other search: it may still be waiting for its turn, or be over."""
        with self.engine._guard:
            self.is_stopped = True
            if self.engine._current is self:
                self.engine.stop()

    def is_over(self) -> bool:
        """Has it come to its end?"""
        return self._over.is_set()

    def result(self, timeout: float | None = None) -> Analysis:
        """Wait for the answer."""
        if not self._over.wait(timeout):
            raise TimeoutError("still thinking")
        analysis, error = self._outcome[0]
        if error is not None:
            raise error
        return analysis  # type: ignore[no-any-return]

    def stop(self) -> Analysis:
        """End it, and give the best that it has found."""
        self._end()
        return self.result()
