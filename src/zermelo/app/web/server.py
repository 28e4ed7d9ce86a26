"""The server of the web page: it hands out files, checks every message, and passes it to the tab's own process.

It binds to loopback unless told otherwise, answers only to its own name (so that no other site can reach it through
the browser, neither by DNS rebinding nor by a WebSocket of its own), and loads no game but the registered ones and the
files named on the command line.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from importlib import resources
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from zermelo import __version__, games
from zermelo.app.web.messages import BadMessage, parse
from zermelo.app.web.titles import title_of

TABS = 16
"""How many tabs may be open at once: each has a process of its own."""
RATE, BURST = 30.0, 90
"""How many messages a second a tab may send, and how many at once."""
LATER = 1.0
"""How many seconds after a tab was opened a process is started for the next one."""
WAITING = 1000
"""How many answers may wait for a slow page before its tab is closed."""
KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


class Web:
    """The application, and what it allows."""

    def __init__(self, files: Iterable[str] = (), names: Iterable[str] = ("127.0.0.1", "localhost", "[::1]")):
        self.files, self.names = tuple(files), frozenset(names)
        self.static = {path.name: path.read_bytes() for path in _static_files()}
        self.open = 0
        self.spare: asyncio.subprocess.Process | None = None
        self.replacing: asyncio.Future[None] | None = None
        self.app = Starlette(
            lifespan=self.life,
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
            return PlainTextResponse("there is no such file", 404, headers=HEADERS)
        return Response(self.static[name], media_type=KINDS[Path(name).suffix], headers=HEADERS)

    async def games(self, request: Request) -> Response:
        there = [{"name": name, "title": title_of(name)} for name in (*games.names(), *self.files)]
        return JSONResponse({"version": __version__, "games": there}, headers=HEADERS)

    # One tab.

    @contextlib.asynccontextmanager
    async def life(self, app: Starlette) -> AsyncIterator[None]:
        """A process waits for the next tab, which then need not wait for Python to start."""
        self.spare = self.spare or await _new_process()
        try:
            yield
        finally:
            if self.replacing is not None:
                self.replacing.cancel()
            await _end(self.spare)

    async def _process(self) -> asyncio.subprocess.Process:
        """The process that waited; soon another one waits."""
        process, self.spare = self.spare, None
        if self.replacing is None or self.replacing.done():
            self.replacing = asyncio.ensure_future(self._replace())
        if process is None or process.returncode is not None:
            process = await _new_process()
        return process

    async def _replace(self) -> None:
        await asyncio.sleep(LATER)  # the tab that has just been opened comes first
        if self.spare is None:
            self.spare = await _new_process()

    async def tab(self, socket: WebSocket) -> None:
        if self.open >= TABS:
            await socket.close(1013, f"{TABS} tabs are open already")
            return
        self.open += 1
        process = None
        try:
            await socket.accept()
            process = await self._process()
            await _first_done(self._listen(socket, process), self._answer(socket, process))
        finally:
            self.open -= 1
            if process is not None:
                await _end(process)

    async def _listen(self, socket: WebSocket, process: asyncio.subprocess.Process) -> None:
        """What the page says, checked, to the process."""
        assert process.stdin is not None
        allowance, last = float(BURST), time.monotonic()
        while True:
            try:
                text = await socket.receive_text()
            except (WebSocketDisconnect, KeyError):  # closed, or bytes, which nobody sends
                return
            now = time.monotonic()
            allowance, last = min(allowance + RATE * (now - last), BURST), now
            if allowance < 1:
                await socket.send_json({"kind": "error", "error": "too many messages: slow down"})
                continue
            allowance -= 1
            try:
                message = parse(text)
                self.require_permitted(message)
            except BadMessage as error:
                await socket.send_json({"kind": "error", "error": str(error)})
                continue
            process.stdin.write(json.dumps(message).encode() + b"\n")
            with contextlib.suppress(ConnectionError):
                await process.stdin.drain()

    async def _answer(self, socket: WebSocket, process: asyncio.subprocess.Process) -> None:
        """What the process says, to the page."""
        assert process.stdout is not None
        while True:
            line = await process.stdout.readline()
            if not line:
                with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                    await socket.send_json(
                        {"kind": "dead", "error": "the game's process has ended; load the page again"}
                    )
                return
            try:
                await socket.send_text(line.decode())
            except (RuntimeError, WebSocketDisconnect):
                return

    def require_permitted(self, message: dict[str, Any]) -> None:
        """Raise BadMessage where the message would load a file, or start a program, that nobody has named."""
        record = message.get("record", {})
        for game in (message.get("game"), record.get("game")):
            if game is not None and game not in self.files and (not isinstance(game, str) or game not in games.names()):
                raise BadMessage(f"there is no game {str(game)[:60]!r} here")
        players = [*message.get("seats", ()), *(message[name] for name in ("first", "second") if name in message)]
        seated = record.get("players", ())
        players += seated if isinstance(seated, list) else []
        for words in players:
            if not isinstance(words, str) or not _is_plain_player(words):
                raise BadMessage(f"{str(words)[:60]!r} is no player that plays here")


async def _new_process() -> asyncio.subprocess.Process:
    """A process for a tab, in a group of its own, which can be ended together with whatever it has started."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "zermelo.app.web.host"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=1 << 24,
        start_new_session=True,
    )


async def _end(process: asyncio.subprocess.Process | None) -> None:
    if process is not None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


def _is_plain_player(words: str) -> bool:
    """A player of the library: no file, no program, no book."""
    from zermelo.arena.roster import SIMPLE  # here, so that the server starts quickly
    from zermelo.search.algorithm import ENGINES, algorithms

    kind, _, options = words.partition(":")
    known = {*SIMPLE, *ENGINES, "auto", "level", *(each.name for each in algorithms())}
    return kind in known and "book" not in options and ".py" not in words


class _OwnName:
    """Answers only to whoever calls it by its own name, and to pages that it has handed out itself."""

    def __init__(self, app: Any, names: frozenset[str]):
        self.app, self.names = app, names

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] in ("http", "websocket"):
            headers = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
            host = headers.get("host", "")
            origin = headers.get("origin")
            is_own = (origin is None and scope["type"] == "http") or origin == f"http://{host}"
            if host.rpartition(":")[0] not in self.names or not is_own:
                await _refuse(scope, receive, send)
                return
        await self.app(scope, receive, send)


async def _refuse(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    await PlainTextResponse("this server answers to its own pages alone", 403)(scope, receive, send)


async def _first_done(*jobs: Awaitable[None]) -> None:
    """Until one of them ends; the others are ended then."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _static_files() -> list[Any]:
    folder = resources.files("zermelo.app.web").joinpath("static")
    return [path for path in folder.iterdir() if path.name.rpartition(".")[2] in {k[1:] for k in KINDS}]


def serve(
    files: Iterable[str] = (),
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    ready: Callable[[str], Any] = print,
) -> None:
    """Serve the page until Ctrl-C; `ready` is told its address."""
    import socket as sockets

    listening = sockets.socket(sockets.AF_INET6 if ":" in host else sockets.AF_INET)
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()  # so that a browser that is quicker than this server waits
    except OSError as error:
        raise ValueError(f"cannot listen at {host}, port {port}: {error.strerror}") from None
    names = {"127.0.0.1", "localhost", "[::1]", host}
    address = f"http://{host}:{listening.getsockname()[1]}/"
    web = Web(files, names)

    async def run() -> None:
        web.spare = await _new_process()  # first of all: the page waits for it longest
        import uvicorn

        config = uvicorn.Config(web.app, log_level="warning", ws_max_size=1 << 20, lifespan="on")
        ready(address)
        await uvicorn.Server(config).serve(sockets=[listening])

    asyncio.run(run())
