"""What is being compiled, and for how long. Compiling takes seconds, so a caller can also refuse to wait for it.

A program is compiled by one process at a time. Others that need it wait, and then load it from the cache.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # not a POSIX system: each process compiles for itself
    fcntl = None  # type: ignore[assignment]


class NotCached(Exception):
    """A program would have to be compiled, and the caller does not want to wait."""


@dataclass(frozen=True)
class Compilation:
    """A compilation that this process does, or waits for."""

    game: str
    began: float  # by time.monotonic

    def __str__(self) -> str:
        return f"compiling {self.game}, once: {time.monotonic() - self.began:.0f} s"


def cache_directory() -> Path:
    """Where compiled programs are kept: ZERMELO_CACHE, or the user's cache folder."""
    chosen = os.environ.get("ZERMELO_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "zermelo"


_running: list[Compilation] = []
_refusing = threading.local()


def current() -> Compilation | None:
    """What this process has been compiling for longest; None if it compiles nothing."""
    return next(iter(_running), None)


@contextlib.contextmanager
def telling(tell: Callable[[str], Any], seconds: float = 1.0) -> Iterator[None]:
    """Within this context, call a function every so many seconds with what is being compiled, in words."""
    over = threading.Event()

    def follow() -> None:
        while not over.wait(seconds):
            compilation = current()
            if compilation is not None:
                tell(str(compilation))

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextlib.contextmanager
def only_cached() -> Iterator[None]:
    """Within this context, this thread only loads programs from the cache; for others it gets NotCached."""
    before, _refusing.yes = getattr(_refusing, "yes", False), True
    try:
        yield
    finally:
        _refusing.yes = before


@contextlib.contextmanager
def announced(game: str, path: Path | None) -> Iterator[None]:
    """Within this context a program is compiled for the file `path` of the cache, or loaded if it is there."""
    if path is not None and os.path.exists(path):
        yield
        return
    if getattr(_refusing, "yes", False):
        raise NotCached(game)
    compilation = Compilation(game, time.monotonic())
    _running.append(compilation)
    try:
        with _alone(path):
            yield
    finally:
        _running.remove(compilation)


@contextlib.contextmanager
def _alone(path: Path | None) -> Iterator[None]:
    """Wait until no other process compiles for this file. A lock ends with its process, however that ends."""
    with contextlib.ExitStack() as held:
        if path is not None and fcntl is not None:
            lock = path.with_suffix(".lock")
            with contextlib.suppress(OSError):  # a read-only folder: then nothing is cached either
                lock.parent.mkdir(parents=True, exist_ok=True)
                file = held.enter_context(lock.open("wb"))
                held.callback(lock.unlink, missing_ok=True)
                fcntl.flock(file, fcntl.LOCK_EX)
        yield
