"""The supervisor of a worker: gives it games, watches it, and charges a crash or a hang to the player to move."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

from zermelo.arena.referee import record_of
from zermelo.arena.schedule import Job
from zermelo.game.errors import ZermeloError
from zermelo.play.record import Record

STARTING = 120.0
"""Seconds that a worker may take to start."""
LAST_WORDS = 4096
"""Bytes of a worker's last output that are reported."""
DYING = 30.0
"""Seconds that a process may take to die, for example while its core is dumped."""
KILLED = 3
"""Attempts to play a game whose worker is killed, before the seat to move is charged."""


Watch = Callable[[Job, Sequence[str | None]], Any]
"""Called before each turn with the moves so far."""


class WorkerFailed(ZermeloError, RuntimeError):
    """A worker cannot play, which is not the players' fault."""


class Supervisor:
    """A worker process, started on demand and restarted if it dies."""

    def __init__(self, folder: str | None = None, watch: Watch | None = None):
        self.folder, self.watch = folder, watch
        self.process: subprocess.Popen[bytes] | None = None
        self.buffer = b""
        self.closed = False
        self.compiling = ""  # what the worker compiles at the moment, in words

    def play(self, job: Job) -> Record:
        """The finished game, even if the worker dies."""
        for attempt in range(1, KILLED + 1):
            record = self._attempt(job, charging=attempt == KILLED)
            if record is not None:
                return record
        raise WorkerFailed("the worker was stopped")

    def _attempt(self, job: Job, charging: bool) -> Record | None:
        """One attempt; None if the worker was killed from outside, or died before a player was to move."""
        if self.closed:
            return None
        process = self._started()
        assert process.stdin is not None
        moves: list[str | None] = []
        seat, deadline = None, time.monotonic() + STARTING
        with contextlib.suppress(OSError):  # it has died, which reading from it will show
            process.stdin.write(json.dumps(job.to_json()).encode() + b"\n")
            process.stdin.flush()
        while True:
            message = self._message(deadline)
            if isinstance(message, str):
                break
            if "record" in message:
                return Record.from_json(message["record"])
            if "error" in message:
                raise WorkerFailed(f"game {job.number} of {job.game} could not be played: {message['error']}")
            self.compiling = message.get("compiling", "")
            if self.compiling:
                continue
            moves += message.get("moves", ())
            if self.watch is not None:
                self.watch(job, tuple(moves))
            seat, deadline = message["seat"], time.monotonic() + message["limit"]
        code, words = self._ended(message)
        if self.closed:
            return None
        if message == "dead" and not charging and (seat is None or code == -signal.SIGKILL):
            return None
        if seat is None:
            raise WorkerFailed(f"a worker could not play {job.game}: {words}")
        ended = "hang" if message == "late" else "crash"
        return record_of(job, moves, ended=ended, charged=seat, note=words)

    def _message(self, deadline: float) -> dict[str, Any] | str:
        """The next message; "late" or "dead" if there is none."""
        assert self.process is not None
        assert self.process.stdout is not None
        while b"\n" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0:
                return "late"
            if self.selector.select(min(left, 1.0)):
                chunk = os.read(self.process.stdout.fileno(), 65536)
                if not chunk:
                    return "dead"
                self.buffer += chunk
        line, _, self.buffer = self.buffer.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found

    def _started(self) -> subprocess.Popen[bytes]:
        if self.process is None:
            self.errors = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long as the worker)
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "zermelo.arena.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                cwd=self.folder,  # players' files are relative to it
                start_new_session=True,  # Ctrl-C is handled by the main process, which then ends the workers
            )
            assert self.process.stdout is not None
            self.selector = selectors.DefaultSelector()
            self.selector.register(self.process.stdout, selectors.EVENT_READ)
            self.buffer = b""
            if self.closed:  # meanwhile
                self._kill()
        return self.process

    def _ended(self, how: str) -> tuple[int, str]:
        """End the worker; returns its exit code, and a description of its end."""
        process = self.process
        assert process is not None
        if how == "dead":
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(DYING)  # for how it ended
        self._kill()
        code = process.wait()
        self.selector.close()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):  # there may be unread output
                pipe.close()
        self.errors.seek(max(self.errors.seek(0, os.SEEK_END) - LAST_WORDS, 0))
        last = self.errors.read().decode(errors="replace").strip().splitlines()[-1:] or [""]
        self.errors.close()
        self.process = None
        if how == "late":
            return code, "no move in time; the player was stopped"
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return code, f"its process died ({name}) {last[0]}".strip()[:500]

    def _kill(self) -> None:
        """Kill the worker and the programs that it has started."""
        process = self.process  # another thread may set it to None
        if process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Kill the worker at once."""
        self.closed = True
        self._kill()
