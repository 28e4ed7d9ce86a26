"""A real server in a process of its own, and tabs that speak to it without a browser."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

PATIENCE = 120.0
"""Seconds that anything may take: the machine may be busy."""


class Served:
    """`zermelo serve` under way, with what it has said."""

    def __init__(self, *options: str, cwd: Path | None = None):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "zermelo", "serve", "--no-browser", "--no-compile", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=cwd,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()
        found = re.search(r"http://([^/\s]+)/", self.said)
        assert found, (self.said, self.process.communicate())
        self.address, self.place = found[0], found[1]
        name, _, port = self.place.rpartition(":")
        self.name, self.port = name.strip("[]"), int(port)

    def end(self, how: int = signal.SIGINT) -> tuple[float, str, str]:
        """How long it took to end, and what it said."""
        began = time.monotonic()
        self.process.send_signal(how)
        said = self.process.communicate(timeout=PATIENCE)
        return time.monotonic() - began, *said

    def hosts(self) -> list[int]:
        """The processes that it has started, and those that they have."""
        return [pid for child in children(self.process.pid) for pid in (child, *children(child))]

    def workers(self) -> list[int]:
        """The processes that its hosts have started."""
        return [pid for child in children(self.process.pid) for pid in children(child)]

    def tab(self, **changed: Any) -> ClientConnection:
        """A new tab."""
        settings = {"origin": f"http://{self.place}", "proxy": None, "max_size": None, **changed}
        times = {"open_timeout": PATIENCE, "ping_interval": None, "close_timeout": 2}
        return connect(f"ws://{self.place}/ws", **times, **settings)

    def asked(self, request: str) -> str:
        """What is answered to bytes on the wire."""
        with socket.create_connection((self.name, self.port), timeout=PATIENCE) as wire:
            wire.sendall(request.encode("latin-1"))
            wire.shutdown(socket.SHUT_WR)
            said = b""
            while chunk := wire.recv(65536):
                said += chunk
        return said.decode("latin-1")

    def got(self, path: str, *headers: str, host: str | None = None) -> str:
        lines = [f"GET {path} HTTP/1.1", f"Host: {host or self.place}", "Connection: close", *headers]
        return self.asked("\r\n".join(lines) + "\r\n\r\n")


@contextlib.contextmanager
def serving(*options: str, cwd: Path | None = None) -> Iterator[Served]:
    """A server, and nothing left of it afterwards."""
    served = Served(*options, cwd=cwd)
    try:
        yield served
    finally:
        if served.process.poll() is None:
            served.end(signal.SIGKILL)


def say(tab: ClientConnection, do: str, **fields: Any) -> None:
    """Send a message."""
    tab.send(json.dumps({"do": do, **fields}))


def hear(tab: ClientConnection, *kinds: str, timeout: float = PATIENCE) -> dict[str, Any]:
    """The next answer of one of these kinds."""
    deadline = time.monotonic() + timeout
    while True:
        answer: dict[str, Any] = json.loads(tab.recv(timeout=max(deadline - time.monotonic(), 0)))
        if answer["kind"] in kinds:
            return answer
        assert answer["kind"] not in ("error", "dead"), answer


BESIDE = ("graph", "readiness", "analysis", "heard")


def heard_error(tab: ClientConnection) -> str:
    """The next error; what a page is told beside its game may come before it."""
    while True:
        answer = json.loads(tab.recv(timeout=PATIENCE))
        if answer["kind"] not in BESIDE:
            assert answer["kind"] == "error", answer
            return str(answer["error"])


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text().split())
    return found


def memory(pid: int) -> int:
    """The bytes that a process has in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def descriptors(pid: int) -> int:
    """How many files a process has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def is_alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def eventually(holds: Callable[[], Any], timeout: float = PATIENCE) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + timeout
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError("it never did")
        time.sleep(0.02)
