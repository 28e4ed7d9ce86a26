"""The processes of the tabs: each tab has its own, and a spare one is started in advance for the next tab."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process

LONGEST_ANSWER = 1 << 24
"""The most bytes of a host's line: a file of a thousand games."""
SETTLING = 2.0
"""Seconds after a new tab before the next spare host is started."""


class Hosts:
    """The host processes: those in use, and the spare one."""

    def __init__(self) -> None:
        self.taken: set[Process] = set()
        self.spare: asyncio.Task[Process] | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.warming: asyncio.TimerHandle | None = None
        self.tasks: list[asyncio.Task[None]] = []

    def prepare(self, delay: float = 0.0) -> None:
        """Start a spare host after a delay in seconds."""
        if self.timer is not None:
            self.timer.cancel()
        self.timer = asyncio.get_running_loop().call_later(delay, self._start_spare)

    def _start_spare(self) -> None:
        if self.spare is None:
            self.spare = asyncio.ensure_future(_started())

    async def take(self) -> Process:
        """A process for a new tab: the spare one, if there is one."""
        spare, self.spare = self.spare, None
        process = await _started() if spare is None else await spare
        if process.returncode is not None:  # it was killed
            process = await _started()
        self.taken.add(process)
        self.prepare(SETTLING)
        return process

    async def end(self, process: Process) -> None:
        """Kill a process."""
        self.taken.discard(process)
        kill(process)
        await process.wait()

    def warm(self, delay: float) -> None:
        """Start compiling the registered games, after a delay in seconds."""
        loop = asyncio.get_running_loop()
        self.warming = loop.call_later(delay, lambda: self.tasks.append(loop.create_task(self._warm())))

    async def _warm(self) -> None:
        process = await _started("zermelo.app.warming")
        self.taken.add(process)
        await process.wait()
        self.taken.discard(process)

    async def close(self) -> None:
        """Kill them all."""
        for timer in (self.timer, self.warming):
            if timer is not None:
                timer.cancel()
        left = list(self.taken)
        if self.spare is not None:
            left.append(await self.spare)
        for process in left:
            await self.end(process)


def kill(process: Process) -> None:
    """Kill a host and all processes of its group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


async def _started(module: str = "zermelo.app.web.host") -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", module),  # nothing is imported from the current folder
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        limit=LONGEST_ANSWER,
        start_new_session=True,  # Ctrl-C is handled by the server, which then ends its hosts
    )
