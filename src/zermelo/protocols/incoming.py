"""Lines that a thread reads ahead, so that the next command can interrupt a long answer to the last one."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Iterable, Iterator

from zermelo.kernel.stopping import StopToken


class Incoming:
    """The lines of another program, in order."""

    def __init__(self, lines: Iterable[str]):
        self._lines = lines
        self._queue: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._token: StopToken | None = None
        threading.Thread(target=self._read, name="zermelo-incoming", daemon=True).start()

    def _read(self) -> None:
        try:
            for line in self._lines:
                self._put(line)
        finally:
            self._put(None)

    def _put(self, line: str | None) -> None:
        with self._lock:
            self._queue.put(line)
            if self._token is not None and (line is None or line.strip()):
                self._token.stop()

    def __iter__(self) -> Iterator[str]:
        while (line := self._queue.get()) is not None:
            yield line

    @contextlib.contextmanager
    def interrupting(self) -> Iterator[StopToken]:
        """A token that the next line stops, or the end of the lines; at once if there is one already."""
        with StopToken() as token:
            with self._lock:
                self._token = token
                if not self._queue.empty():
                    token.stop()
            try:
                yield token
            finally:
                with self._lock:
                    self._token = None
