"""`StopToken`: the one way to stop a search, from any thread.

Pass a token to a search, and stop the token to stop the search. That takes effect at once if the search is running,
and as soon as it starts if it is still compiling or waiting for its turn: a stop is never lost, and nothing polls.
Compiled code reads an array, plain Python a `StopFlag`; both are registered with the token while the search runs.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any


class StopToken:
    """Tells searches to end. A token is stopped once, and stays stopped.

    parent    stopping this other token stops this one too
    seconds   stop automatically after this many seconds; see `limit`
    """

    def __init__(self, parent: StopToken | None = None, *, seconds: float | None = None):
        self._parent = parent
        self._deadline = math.inf
        self._lock = threading.RLock()
        self._event = threading.Event()
        self._flags: list[Any] = []
        self._actions: list[Callable[[], Any]] = []
        self._timer: threading.Timer | None = None
        self._leave_parent = contextlib.ExitStack()
        if parent is not None:
            self._leave_parent.enter_context(parent.calling(self.stop))
        if seconds is not None:
            self.limit(seconds)

    @property
    def is_set(self) -> bool:
        """Is it stopped, or has its deadline passed?"""
        return self._event.is_set() or time.perf_counter() >= self.deadline

    @property
    def deadline(self) -> float:
        """When it stops automatically, by `time.perf_counter`; infinite without a limit."""
        return self._deadline if self._parent is None else min(self._deadline, self._parent.deadline)

    def stop(self) -> None:
        """Stop every search that holds this token, now and in the future."""
        with self._lock:
            if self._event.is_set():
                return
            self._event.set()
            for flag in self._flags:
                flag[0] = 1
            actions = list(self._actions)
        for action in actions:
            action()
        self.close()

    def limit(self, seconds: float) -> None:
        """Stop automatically after this many seconds from now; an earlier limit stays."""
        if seconds == math.inf:
            return
        with self._lock:
            deadline = time.perf_counter() + max(seconds, 0.0)
            if deadline >= self._deadline or self._event.is_set():
                return
            self._deadline = deadline
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(max(seconds, 0.0), self.stop)
            self._timer.daemon = True
            self._timer.start()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is stopped, for at most `timeout` seconds; returns whether it is stopped."""
        return self._event.wait(timeout)

    @contextlib.contextmanager
    def watching(self, *flags: Any) -> Iterator[None]:
        """Within this context, item 0 of each flag is set when the token is stopped: at once if it already is."""
        with self._lock:
            self._flags += flags
            for flag in flags:
                self.clear(flag)
        try:
            yield
        finally:
            with self._lock:
                for flag in flags:
                    _remove(self._flags, flag)

    def clear(self, flag: Any) -> None:
        """Prepare a flag for another search. It stays set if the token is stopped."""
        with self._lock:
            flag[0] = int(self.is_set)

    @contextlib.contextmanager
    def calling(self, action: Callable[[], Any]) -> Iterator[None]:
        """Within this context, stopping the token calls this function: at once if it is already stopped."""
        with self._lock:
            stopped = self._event.is_set()
            self._actions.append(action)
        if stopped:
            action()
        try:
            yield
        finally:
            with self._lock:
                _remove(self._actions, action)

    def close(self) -> None:
        """The search is over: the timer ends, and the parent forgets this token."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        self._leave_parent.close()

    def __enter__(self) -> StopToken:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _remove(items: list[Any], item: Any) -> None:
    """Remove by identity (arrays have no plain equality) or, for bound methods, by equality."""
    for i, each in enumerate(items):
        if each is item or (callable(item) and each == item):
            del items[i]
            return
