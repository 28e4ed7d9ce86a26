"""Compiling a game takes a while, so another process does it the first time: `python -m zermelo.app.web.compiling`.

It fills the cache, from which this process then loads the program.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable

from zermelo.app.web.restraint import bind
from zermelo.game.errors import CompileError, Unsuitable
from zermelo.game.protocol import Game
from zermelo.games.resolve import parse_parameters, resolve
from zermelo.kernel.routine import why_not_compiled
from zermelo.search.driver import analyse
from zermelo.search.engine import Engine
from zermelo.search.registry import choose

PLAIN_TABLE = 8
"""MiB for the table of an engine in plain Python, which visits few positions."""


class Readiness:
    """Whether a game's search is compiled. Until then, or if it cannot be compiled, it runs as plain Python.

    state   "idle" until it is needed, "compiling", "compiled", or "plain" if it cannot be compiled (see `reason`)
    """

    def __init__(self, what: str, settings: tuple[str, ...], game: Game, changed: Callable[[Readiness], None]):
        self.what, self.settings, self.game, self.changed = what, settings, game, changed
        self.reason = why_not_compiled(game)
        self.state = "idle" if self.reason is None else "plain"
        self.began = self.seconds = 0.0
        self.ready = threading.Event()
        self._plain: Engine | None = None
        self._compiled: Engine | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False
        if self.state == "plain":
            self.ready.set()

    def begin(self) -> None:
        """Start compiling, if that has not happened yet."""
        if self.state != "idle":
            return
        self.state, self.began = "compiling", time.monotonic()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "zermelo.app.web.compiling", str(os.getpid()), self.what, *self.settings],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        threading.Thread(target=self._wait, daemon=True).start()
        self.changed(self)

    @property
    def engine(self) -> Engine | None:
        """The engine, compiled if it is ready; None if the game needs another algorithm."""
        if self._compiled is None and self._plain is None:
            with contextlib.suppress(Unsuitable):
                self._plain = Engine(self.game, compile=False, table=PLAIN_TABLE)
        return self._compiled or self._plain

    def _wait(self) -> None:
        assert self._process is not None
        ended = self._process.wait()
        if self._is_closed:
            return
        try:
            if ended < 0:
                raise CompileError(f"the compiling process ended with signal {-ended}")  # as it could this one
            self._compiled = compiled(self.game)
            self.state = "compiled"
        except Exception as error:  # the rules may be wrong too; the game can still be played
            self.state, self.reason = "plain", str(error) or type(error).__name__
        self.seconds = time.monotonic() - self.began
        self.ready.set()
        self.changed(self)

    def close(self) -> None:
        """The game is no longer needed."""
        self._is_closed = True
        if self._process is not None:
            self._process.kill()


def compiled(game: Game) -> Engine | None:
    """The game's compiled engine; None if the game needs another algorithm, which is compiled instead."""
    try:
        engine = Engine(game)
    except Unsuitable:
        analyse(game, nodes=1, all_moves=True)
        return None
    engine.think(nodes=1)
    if choose(game)[0].name != "engine":  # the computer players use another program
        analyse(game, nodes=1)
    return engine


def main() -> None:
    bind()
    parent, what, *settings = sys.argv[1:]
    if os.getppid() != int(parent):
        return  # the parent has already ended
    os.nice(2)  # playing has priority
    compiled(resolve(what, parse_parameters(tuple(settings))))


if __name__ == "__main__":
    main()
