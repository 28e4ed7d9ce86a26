"""Threads with a deep stack, on which searches run so that they can be stopped.

Compiled code cannot see Ctrl-C, and recursion needs a stack of known size: a search runs on a worker, and the
caller waits. When time is up, or the user interrupts, the caller sets the stop flag, which the search reads at
every node.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from zermelo.kernel.stopping import StopToken

STACK_BYTES = 512 << 20
"""Room for the deepest search: more than 50 kB for each of PLIES. Only what is touched takes memory."""

PATIENCE = 0.5
"""How many seconds a search may continue after a stop, inside a call that nothing interrupts."""

PLIES = 10_000
"""The most plies that a search may follow one line of play."""


class Stopped(Exception):
    """Raised inside a search when its limit is reached; never leaves the library."""


class Abandoned(Stopped):
    """The search did not end after a stop, inside an endless method of the game; its thread is left behind."""


class Interrupted(BaseException):
    """Raised inside a slow method of the game when time is up: not an Exception, so that a rule cannot catch it."""


def run(job: Callable[[], Any], stop: Any, seconds: float | None = None) -> Any:
    """Run a compiled job on a worker thread and return what it returns.

    After so many seconds, or on Ctrl-C, `stop[0]` is set, and the job is expected to end at once.
    """
    return Running(job).wait(stop, seconds)


class Running:
    """A compiled job on a worker thread."""

    def __init__(self, job: Callable[[], Any]):
        try:
            self.worker = _idle.pop()
        except IndexError:
            self.worker = _Worker()
        self.worker.job = job
        self.worker.wake.release()

    def wait(self, stop: Any, seconds: float | None = None) -> Any:
        """What the job returns; after so many seconds it is told to stop."""
        worker = self.worker
        try:
            finished = worker.done.acquire(timeout=-1 if seconds is None else max(seconds, 0.0))
        except BaseException:  # Ctrl-C
            stop[0] = 1
            if worker.done.acquire(timeout=PATIENCE):
                _idle.append(worker)
            raise
        if not finished:
            stop[0] = 1
            if not worker.done.acquire(timeout=PATIENCE):
                raise Abandoned
        result, error = worker.result, worker.error
        del worker.job, worker.result, worker.error
        _idle.append(worker)
        try:
            if error is not None:
                raise error
            return result
        finally:
            del error  # it refers to this frame, and so to all that the search holds


def run_plain(job: Callable[[], Any], stop: Any, seconds: float | None = None, token: StopToken | None = None) -> Any:
    """Run a job of plain Python, likewise; stopping the token ends it too.

    It may be deep inside a slow method of the game when its time is up, so Interrupted is raised there; it has a
    thread of its own, because such an exception may arrive after the job has ended.
    """
    outcome: list[Any] = []

    def target() -> None:
        with contextlib.suppress(Interrupted):  # which may arrive late
            try:
                outcome[:] = job(), None
            except BaseException as error:
                outcome[:] = None, error
            over.set()

    over = threading.Event()
    thread = _start(target)
    try:
        with token.calling(over.set) if token is not None else contextlib.nullcontext():
            over.wait(None if seconds is None else max(seconds, 0.0))
        if outcome:
            thread.join()
    finally:
        if thread.is_alive():  # time is up, or Ctrl-C
            stop[0] = 1
            thread.join(0.002)
        patience = PATIENCE
        while thread.is_alive() and patience > 0:  # after that it is left behind: it waits for something of its own
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(Interrupted))
            thread.join(0.05)
            patience -= 0.05
    result, error = outcome or (None, Interrupted())
    outcome.clear()
    if isinstance(error, Interrupted):
        raise Stopped
    try:
        if error is not None:
            raise error
        return result
    finally:
        del error  # as above


class _Worker:
    """One thread that runs jobs, one at a time; idle workers are kept for the next job."""

    job: Callable[[], Any]
    result: Any
    error: BaseException | None

    def __init__(self) -> None:
        self.wake = threading.Lock()
        self.done = threading.Lock()
        self.wake.acquire()
        self.done.acquire()
        _start(self._loop)

    def _loop(self) -> None:
        while True:
            self.wake.acquire()
            try:
                self.result, self.error = self.job(), None
            except BaseException as error:
                self.result, self.error = None, error
            self.done.release()


_idle: list[_Worker] = []
_starting = threading.Lock()


def _start(target: Callable[[], None]) -> threading.Thread:
    with _starting:  # the stack size is a setting of the whole process
        usual = threading.stack_size(STACK_BYTES)
        try:
            thread = threading.Thread(target=target, name="zermelo-search", daemon=True)
            thread.start()
        finally:
            threading.stack_size(usual)
    return thread


class plain_python:
    """Within this context, plain Python may recurse as deep as a search may go, and a thread that waits is soon let in.

    Both are settings of the whole process, so they are put back when the last search ends.
    """

    _lock = threading.Lock()
    _inside = 0
    _usual = 0, 0.0

    def __enter__(self) -> None:
        cls = type(self)
        with cls._lock:
            if cls._inside == 0:
                cls._usual = sys.getrecursionlimit(), sys.getswitchinterval()
                sys.setrecursionlimit(max(cls._usual[0], 2 * PLIES + 1000))
                sys.setswitchinterval(min(cls._usual[1], 0.0005))
            cls._inside += 1

    def __exit__(self, *_: object) -> None:
        cls = type(self)
        with cls._lock:
            cls._inside -= 1
            if cls._inside == 0:
                sys.setrecursionlimit(cls._usual[0])
                sys.setswitchinterval(cls._usual[1])


def _after_fork() -> None:
    """A forked process has none of its parent's threads, and may have its locks as they were held."""
    global _starting
    _idle.clear()
    _starting = threading.Lock()
    plain_python._lock = threading.Lock()
    plain_python._inside = 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
