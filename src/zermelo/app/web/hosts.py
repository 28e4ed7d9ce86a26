"""The processes behind the tabs: every tab has one of its own, and one more waits, started ahead, for the next tab."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process

LONGEST_ANSWER = 1 << 24
"""Bytes of a line that a host says, at most: a file of a thousand games."""
SETTLING = 2.0
"""How many seconds a new tab has the machine to itself, before the next host is started ahead."""


class Hosts:
    """The host processes that are there: those taken, and the spare one."""

    def __init__(self) -> None:
        self.taken: set[Process] = set()
        self.spare: asyncio.Task[Process] | None = None
        self.timer: asyncio.TimerHandle | None = None

    def prepare(self, delay: float = 0.0) -> None:
        """Start a spare one, after so many seconds."""
        if self.timer is not None:
            self.timer.cancel()
        self.timer = asyncio.get_running_loop().call_later(delay, self._start_spare)

    def _start_spare(self) -> None:
        if self.spare is None:
            self.spare = asyncio.ensure_future(_started())

    async def take(self) -> Process:
        """A process for a new tab: the spare one, at once, where there is one."""
        spare, self.spare = self.spare, None
        process = await _started() if spare is None else await spare
        if process.returncode is not None:  # somebody has killed it
            process = await _started()
        self.taken.add(process)
        self.prepare(SETTLING)
        return process

    async def end(self, process: Process) -> None:
        """Kill a process, whatever it is doing."""
        self.taken.discard(process)
        kill(process)
        await process.wait()

    async def close(self) -> None:
        """Kill them all."""
        if self.timer is not None:
            self.timer.cancel()
        left = list(self.taken)
        if self.spare is not None:
            left.append(await self.spare)
        for process in left:
            await self.end(process)


def kill(process: Process) -> None:
    """End a host and what has started in its group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


async def _started() -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "zermelo.app.web.host"),  # nothing is imported from where it is started
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        limit=LONGEST_ANSWER,
        start_new_session=True,  # Ctrl-C is for the server, which then ends its hosts
    )
