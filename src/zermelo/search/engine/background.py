"""Thinking in the background: for pondering, and for a user who will say when it is enough."""

from __future__ import annotations

import math
import threading
import time
from typing import TYPE_CHECKING, Any

from zermelo.search.analysis import Analysis
from zermelo.search.engine.answers import Progress

if TYPE_CHECKING:
    from zermelo.search.engine.engine import Engine


class Thinking:
    """A search in the background, which can be asked, limited and stopped."""

    def __init__(self, engine: Engine, state: Any, limits: dict[str, Any], prove: bool = False):
        self.engine = engine
        self.latest: Progress | None = None
        self._outcome: list[Any] = []
        told = limits.pop("on_progress", None)
        limits.setdefault("seconds", math.inf)

        def follow(progress: Progress) -> None:
            self.latest = progress
            if told is not None:
                told(progress)

        search = engine.solve if prove else engine.think

        def job() -> None:
            try:
                self._outcome.append((search(state, on_progress=follow, **limits), None))
            except BaseException as error:
                self._outcome.append((None, error))

        self._thread = threading.Thread(target=job, name="zermelo-thinking", daemon=True)
        self._thread.start()

    def limit(self, seconds: float) -> None:
        """Give it so many more seconds from now: the opponent has played the move that it was thinking about."""
        deadline = time.perf_counter() + seconds
        self.engine._deadline = min(self.engine._deadline, deadline)
        timer = threading.Timer(seconds, self._expire)
        timer.daemon = True
        timer.start()

    def _expire(self) -> None:
        if self._thread.is_alive():
            self.engine.stop()

    def is_over(self) -> bool:
        """Has it come to its end?"""
        return not self._thread.is_alive()

    def result(self, timeout: float | None = None) -> Analysis:
        """Wait for the answer."""
        self._thread.join(timeout)
        if self._thread.is_alive():
            raise TimeoutError("still thinking")
        analysis, error = self._outcome[0]
        if error is not None:
            raise error
        return analysis  # type: ignore[no-any-return]

    def stop(self) -> Analysis:
        """End it, and give the best that it has found."""
        while self._thread.is_alive():
            self.engine.stop()  # again, should it only just be beginning
            self._thread.join(0.01)
        return self.result()
