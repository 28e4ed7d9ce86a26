"""Starting the server: the address, the first host process, and the end on Ctrl-C.

The first host is started before anything else is imported, so that both start at the same time.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from zermelo.app.web.hosts import Hosts
from zermelo.app.web.messages import LONGEST

LOADING = 60.0
"""Seconds that a user's file may take to load."""
WARMING = 5.0
"""Seconds after which the registered games are compiled in the background."""
CONNECTIONS = 256
"""The most simultaneous connections."""

WARNING = (
    "warning: {host} can be reached from other machines: anyone who can reach it can play without a password and keep "
    "the processors busy"
)


def require_loadable(files: Iterable[str]) -> None:
    """Raise ValueError if a user's file is not a game. It is loaded in another process, never in the server."""
    for file in files:
        try:
            done = subprocess.run(
                [sys.executable, "-P", "-m", "zermelo.app.web.own_file", file],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=LOADING,
            )
        except subprocess.TimeoutExpired:
            raise ValueError(f"loading {file} took more than {LOADING:.0f} s") from None
        if done.returncode:
            told = done.stderr.strip().splitlines()
            ended = f"loading it ended the process ({done.returncode})"
            raise ValueError(told[-1] if done.returncode == 2 and told else f"{file}: {ended}")


def serve(
    files: Iterable[str] = (),
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    ready: Callable[[str], Any] = print,
    warn: Callable[[str], Any] = print,
    warm: bool = False,
) -> None:
    """Serve the page until Ctrl-C; `ready` is called with its address.

    warm   compile the registered games in the background
    """
    listening = _listening(host, port)
    own = socket.gethostname() if _address(listening).is_unspecified else host
    shown = f"[{own}]" if ":" in own else own
    if not _address(listening).is_loopback:
        warn(WARNING.format(host=host))
    with listening:
        asyncio.run(_serve(tuple(files), listening, shown, ready, warm))


async def _serve(
    files: tuple[str, ...], listening: socket.socket, name: str, ready: Callable[[str], Any], warm: bool
) -> None:
    hosts = Hosts()
    hosts.prepare()
    if warm:
        hosts.warm(WARMING)
    await asyncio.sleep(0.01)  # let it start
    try:
        ready(f"http://{name}:{listening.getsockname()[1]}/")
        server = _server(files, listening, name, hosts)
        await server.serve([listening])
    finally:
        await hosts.close()


def _server(files: tuple[str, ...], listening: socket.socket, name: str, hosts: Hosts) -> Any:
    import uvicorn

    from zermelo.app.web.server import LOOPBACK, Web

    class Server(uvicorn.Server):
        """A server that ends at once and silently on Ctrl-C; its hosts are killed anyway."""

        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            for sig in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(sig, self.handle_exit, sig, None)
            yield

        def handle_exit(self, sig: int, frame: Any) -> None:
            super().handle_exit(sig, frame)
            self.force_exit = True
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)

    names = LOOPBACK if _address(listening).is_loopback else {*LOOPBACK, name, socket.gethostname()}
    config = uvicorn.Config(
        Web(files, names, hosts).app,
        log_level="error",
        lifespan="off",
        ws_max_size=4 * LONGEST,  # a longer message gets an error; beyond this the tab is closed
        ws_max_queue=4,
        limit_concurrency=CONNECTIONS,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    return Server(config)


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(CONNECTIONS)  # early connections wait
    except OSError as error:
        instead = "; without --port, a free port is used" if port else ""
        raise ValueError(f"cannot listen at {host}, port {port}: {error.strerror}{instead}") from None
    return made


def _address(listening: socket.socket) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    return ipaddress.ip_address(listening.getsockname()[0].partition("%")[0])
