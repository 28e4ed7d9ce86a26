"""Somebody else's code within a time limit: a job on a thread of its own, which is given up where it does not end."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 1.0
"""How long a job that was told to end may take to do so, in seconds, before it is left behind."""

POLL = 0.05
"""How often the caller looks up while it waits, in seconds."""


class TimeUp(BaseException):
    """Raised inside a job that hangs. Not an Exception: somebody's `except Exception` shall not catch it."""


class Clock:
    """A deadline that a job looks at between its steps, and a note of when its present step began."""

    def __init__(self, seconds: float, step_seconds: float):
        self.deadline = time.perf_counter() + seconds
        self.step_seconds = step_seconds
        self.step_began: float | None = None
        self.stop: Any = [0]  # stop[0] is set when time is up, for jobs that read a flag rather than a clock
        self.cancelled = False  # for a job that has been left behind, in case it wakes up

    @property
    def left(self) -> float:
        """The seconds that are left; 0 when time is up."""
        return max(0.0, self.deadline - time.perf_counter())

    @property
    def is_up(self) -> bool:
        """Is the time up?"""
        return self.cancelled or time.perf_counter() >= self.deadline

    @property
    def is_stuck(self) -> bool:
        """Has the present step gone on for longer than one step may, or the job for so long after its time was up?"""
        began = self.step_began
        latest = self.deadline if began is None else min(began, self.deadline)
        return time.perf_counter() - latest > self.step_seconds


def run_bounded(job: Callable[[], None], clock: Clock) -> bool:
    """Run a job that minds the clock between its steps; False where one of its steps did not end in time.

    In such a step TimeUp is raised. If even that does not end it, because it is inside compiled code, its thread is
    left behind: a daemon, which does not keep the process from ending.
    """
    thread = _Job(job)
    thread.start()
    try:
        while thread.is_alive() and not clock.is_stuck:
            thread.join(POLL)  # a wait without end might not see Ctrl-C
            clock.stop[0] = int(clock.is_up)
        hung = thread.is_alive()
        if hung:
            thread.end(clock, PATIENCE)
    except BaseException:
        thread.end(clock, 0.0)
        raise
    if thread.error is not None and not isinstance(thread.error, TimeUp):
        raise thread.error
    return not hung


class _Job(threading.Thread):
    def __init__(self, job: Callable[[], None]):
        super().__init__(name="zermelo-check", daemon=True)
        self._job = job
        self._lock = threading.Lock()
        self._over = False
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            try:
                self._job()
            except BaseException as error:
                self.error = error
            with self._lock:
                self._over = True
            for _ in range(8):  # where a TimeUp that is already under way arrives
                pass
        except TimeUp:
            pass

    def end(self, clock: Clock, patience: float) -> None:
        """Raise TimeUp in the job, again and again until it ends or patience does."""
        clock.cancelled = True
        limit = time.perf_counter() + patience
        while self.is_alive():
            with self._lock:
                if not self._over:
                    number = ctypes.c_ulong(self.ident or 0)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(number, ctypes.py_object(TimeUp))
            if time.perf_counter() >= limit:
                return
            self.join(0.2)
