"""Thinking in the background: for pondering, and for searches that run until the user stops them."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING, Any

from zermelo.kernel.stopping import StopToken
from zermelo.search.analysis import Analysis
from zermelo.search.checks import time_limit
from zermelo.search.engine.answers import Progress

if TYPE_CHECKING:
    from zermelo.search.engine.engine import Engine


class Thinking:
    """A search in the background. It can be asked for its progress, limited and stopped."""

    def __init__(self, engine: Engine, state: Any, limits: dict[str, Any], prove: bool = False):
        self.latest: Progress | None = None
        self.token = StopToken(limits.pop("stop", None))
        self._outcome: list[Any] = []
        self._over = threading.Event()  # a thread that is joined when Ctrl-C comes may report that it has ended
        on_progress = limits.pop("on_progress", None)
        limits.setdefault("seconds", math.inf)

        def follow(progress: Progress) -> None:
            self.latest = progress
            if on_progress is not None:
                on_progress(progress)

        search = engine.solve if prove else engine.think

        def job() -> None:
            try:
                self._outcome.append((search(state, on_progress=follow, stop=self.token, **limits), None))
            except BaseException as error:
                self._outcome.append((None, error))
            finally:
                self.token.close()
                self._over.set()

        threading.Thread(target=job, name="zermelo-thinking", daemon=True).start()

    def limit(self, seconds: float) -> None:
        """Give it this many more seconds from now, for example after a ponder hit."""
        left = time_limit(seconds)
        if left is not None and seconds < math.inf and not self.is_over():
            self.token.limit(left)

    def is_over(self) -> bool:
        """Has it finished?"""
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
        """Stop it, and return the best that it has found."""
        self.token.stop()
        return self.result()
