"""The web server: serves files, checks every message, and passes it to the tab's own process.

It answers only to its own name and its own pages, so that no other site can reach it through the browser by DNS
rebinding or a WebSocket. It loads no games itself (see `permitted.py` for what hosts may load).
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import ipaddress
import json
import time
from asyncio.subprocess import Process
from collections.abc import Awaitable, Iterable
from importlib import resources
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from zermelo import __version__, games
from zermelo.app.web.hosts import Hosts
from zermelo.app.web.messages import BadMessage, parse
from zermelo.app.web.permitted import require_permitted
from zermelo.app.web.titles import title_of
from zermelo.pictures.style import STYLE

TABS = 16
"""The most open tabs; each has its own process."""
RATE, BURST, FLOOD = 50.0, 100, 1000
"""Messages per second and at once that a tab may send. More are dropped; after this many, the tab is closed."""
PATIENCE = 20.0
"""Seconds that a host may leave messages unread when its buffer is full."""
LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}


def digest(style: str) -> str:
    """The Content-Security-Policy hash of a picture's style sheet."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}'"


STYLES = (digest(STYLE), "'sha256-Pdi6smXJa8ilOPCnuA2AMfpYzllcrVDf8HBnrpj/ueA='")
"""The style sheets inside pictures of boards and of trees (`blackboard/svg.py`, which is slow to import). No other
inline style sheet is allowed."""
HEADERS = {
    # Pieces are coloured by style attributes, which need 'unsafe-inline'. They cannot load anything.
    "Content-Security-Policy": f"default-src 'none'; script-src 'self'; style-src 'self' {' '.join(STYLES)}; "
    "style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


class Web:
    """The application.

    names   the host names that it answers to; if other machines can reach it, also any IP address
    """

    def __init__(self, files: Iterable[str] = (), names: Iterable[str] = LOOPBACK, hosts: Hosts | None = None):
        self.files, self.names = tuple(files), frozenset(name.lower() for name in names)
        self.hosts = hosts or Hosts()
        self.static = {path.name: path.read_bytes() for path in _static_files()}
        self.open = 0
        self.app = Starlette(
            routes=[
                Route("/", self.page),
                Route("/api/games", self.games),
                Route("/static/{name}", self.file),
                WebSocketRoute("/ws", self.tab),
            ],
        )
        self.app.add_middleware(_OwnName, names=self.names)

    async def page(self, request: Request) -> Response:
        return self._file("index.html")

    async def file(self, request: Request) -> Response:
        return self._file(request.path_params["name"])

    def _file(self, name: str) -> Response:
        if name not in self.static:
            return PlainTextResponse("file not found", 404, headers=HEADERS)
        return Response(self.static[name], media_type=KINDS[Path(name).suffix], headers=HEADERS)

    async def games(self, request: Request) -> Response:
        own = [{"name": name, "title": title_of(name), "own": True} for name in self.files]
        there = [*own, *({"name": name, "title": title_of(name), "own": False} for name in games.names())]
        return JSONResponse({"version": __version__, "games": there}, headers=HEADERS)

    # One tab.

    async def tab(self, socket: WebSocket) -> None:
        await socket.accept()
        if self.open >= TABS:
            await _tell(socket, "dead", f"{TABS} tabs are already open, each with its own process: close one")
            await socket.close(1013)
            return
        self.open += 1
        process = None
        try:
            process = await self.hosts.take()
            await _first_done(self._listen(socket, process), self._answer(socket, process))
        finally:
            self.open -= 1
            if process is not None:
                await self.hosts.end(process)
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()

    async def _listen(self, socket: WebSocket, process: Process) -> None:
        """Check the page's messages and pass them to the process."""
        assert process.stdin is not None
        allowance, last, left_out = float(BURST), time.monotonic(), 0
        while True:
            try:
                text = await socket.receive_text()
            except (WebSocketDisconnect, KeyError):  # closed, or binary data, which no page sends
                return
            now = time.monotonic()
            allowance, last = min(allowance + RATE * (now - last), BURST), now
            if allowance < 1:
                left_out += 1
                if left_out in (1, FLOOD):
                    await _tell(socket, "error" if left_out == 1 else "dead", "too many messages")
                if left_out == FLOOD:
                    return
                continue
            allowance, left_out = allowance - 1, 0
            try:
                message = parse(text)
                require_permitted(message, self.files)
            except BadMessage as error:
                await _tell(socket, "error", str(error))
                continue
            process.stdin.write(json.dumps(message).encode() + b"\n")
            with contextlib.suppress(ConnectionError):
                try:
                    await asyncio.wait_for(process.stdin.drain(), PATIENCE)
                except TimeoutError:
                    await _tell(socket, "dead", "The game's process does not answer. A new one was started.")
                    return

    async def _answer(self, socket: WebSocket, process: Process) -> None:
        """Pass the process's answers to the page. If the page does not read them, the process waits."""
        assert process.stdout is not None
        while True:
            try:
                line = await process.stdout.readline()
            except ValueError:
                await _tell(socket, "dead", "The game's process sent too much data. A new one was started.")
                return
            if not line:
                await _tell(socket, "dead", "The game's process has ended. A new one was started.")
                return
            try:
                await socket.send_text(line.decode())
            except (RuntimeError, WebSocketDisconnect):
                return


async def _tell(socket: WebSocket, kind: str, error: str) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # it may be closed
        await socket.send_json({"kind": kind, "error": error})


class _OwnName:
    """Answers only requests for its own host name, from its own pages."""

    def __init__(self, app: Any, names: frozenset[str]):
        self.app, self.names = app, names

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] in ("http", "websocket"):
            headers = [(key.decode("latin-1").lower(), value.decode("latin-1")) for key, value in scope["headers"]]
            hosts = [value.lower() for key, value in headers if key == "host"]
            origins = [value.lower() for key, value in headers if key == "origin"]
            is_own = origins == [f"http://{host}" for host in hosts] or (not origins and scope["type"] == "http")
            if len(hosts) != 1 or not self._is_own_name(hosts[0]) or not is_own:
                await _refuse(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _is_own_name(self, host: str) -> bool:
        """Is a host one of the names? Beyond loopback, any IP address is allowed too: only names can be rebound."""
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if name in self.names or self.names <= LOOPBACK:
            return name in self.names
        with contextlib.suppress(ValueError):
            return bool(ipaddress.ip_address(name.strip("[]")))
        return False


async def _refuse(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    await PlainTextResponse("this server only answers its own pages", 403)(scope, receive, send)


async def _first_done(*jobs: Awaitable[None]) -> None:
    """Run until one of them ends, then cancel the others."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _static_files() -> list[Any]:
    folder = resources.files("zermelo.app.web").joinpath("static")
    return [path for path in folder.iterdir() if Path(path.name).suffix in KINDS]
