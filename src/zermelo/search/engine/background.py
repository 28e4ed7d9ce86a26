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
        self._over = threading.Event()  # a thread that is joined when Ctrl-C comes may say that it has ended
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
            finally:
                self._over.set()

        threading.Thread(target=job, name="zermelo-thinking", daemon=True).start()

    def limit(self, seconds: float) -> None:
        """Give it so many more seconds from now: the opponent has played the move that it was thinking about."""
        deadline = time.perf_counter() + seconds
        self.engine._deadline = min(self.engine._deadline, deadline)
        timer = threading.Timer(seconds, self._expire)
        timer.daemon = True
        timer.start()

    def _expire(self) -> None:
        if not self.is_over():
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
        while not self._over.wait(0.01):
            self.engine.stop()  # again, should it only just be beginning
        return self.result()
