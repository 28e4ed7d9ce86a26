"""Ctrl-C: it works while the compiler runs, and a second one ends the process at once."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

from zermelo.kernel import compilations

STOPPED = 130
"""The exit code after Ctrl-C."""
PATIENCE = 0.3
"""Seconds that a compilation has to end after Ctrl-C."""

ERASE_LINE, SHOW_CURSOR = "\x1b[2K", "\x1b[?25h"
"""Control sequences of a terminal (ECMA-48 EL, DECTCEM)."""


@contextlib.contextmanager
def watching_ctrl_c() -> Iterator[None]:
    """Within this context, Ctrl-C ends the process even while the compiler runs, and a second one ends it at once.

    Python itself sees Ctrl-C on the main thread only, and not before the compiler returns to Python.
    """
    if threading.current_thread() is not threading.main_thread() or os.name == "nt":
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    watcher = threading.Thread(target=_watch, args=(reading,), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(writing)
        watcher.join()
        os.close(reading)


def _watch(reading: int) -> None:
    count = 0
    while signals := os.read(reading, 64):
        count += signals.count(signal.SIGINT)
        if count == 1:
            time.sleep(PATIENCE)
            if compilations.current() is not None:
                leave(f"stopped while {compilations.current()}")
        elif count > 1:
            leave("stopped")


def leave(words: str) -> None:
    """End this process at once, whatever its threads are doing."""
    sys.stdout.flush()
    terminal = sys.__stderr__ or sys.stderr  # a progress line replaces sys.stderr, and would print itself again
    before = f"\r{ERASE_LINE}{SHOW_CURSOR}" if terminal.isatty() else "\n"  # the progress line, and what it hides
    print(f"{before}{words}", file=terminal, flush=True)
    os._exit(STOPPED)


@contextlib.contextmanager
def handling_ctrl_c(handler: Callable[..., None]) -> Iterator[None]:
    """Within this context, Ctrl-C calls this function. Only the main thread can change that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
