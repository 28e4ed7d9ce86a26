"""Compiling a game takes seconds, so another process does it the first time, while plain Python plays.

`python -m zermelo.app.compiling` is that process. It fills the cache, from which this process then loads the program.
What is already in the cache is loaded at once.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from zermelo.arena.player import Player
from zermelo.arena.roster import player_of
from zermelo.game.errors import CompileError, Unsuitable
from zermelo.game.protocol import Game
from zermelo.games.resolve import parse_parameters, resolve, version_of
from zermelo.kernel.compilations import NotCached, cache_directory, only_cached
from zermelo.kernel.fingerprint import package_fingerprint
from zermelo.kernel.routine import why_not_compiled
from zermelo.search.driver import analyse
from zermelo.search.engine import Engine
from zermelo.search.registry import choose

ANALYSIS = "analysis"
"""What the other process prepares: this word, or a player in words."""


class Preparation:
    """Something with compiled programs, made in the background.

    what, settings   the game in words, for the other process
    task             ANALYSIS, or a player in words
    make             makes it in this process, from the cache
    changed          called when compiling begins, and when it is over

    state   "idle" until it is needed, "loading" from the cache, "compiling", "compiled", or "plain" if that is not
            possible (see `reason`)
    made    what was made, once it is compiled
    is_cached   is it probably in the cache, so that loading it takes less than a second?
    """

    def __init__(
        self,
        game: Game,
        what: str,
        settings: Sequence[str],
        task: str,
        make: Callable[[], Any],
        changed: Callable[[Preparation], None] | None = None,
    ):
        self.game, self.what, self.settings, self.task, self.make = game, what, tuple(settings), task, make
        self.changed = changed or (lambda _: None)
        self.reason = why_not_compiled(game)
        self.state = "idle" if self.reason is None else "plain"
        self.began = self.seconds = 0.0
        self.made: Any = None
        self.is_cached = self._is_marked()
        self.ready = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._is_closed = False
        if self.state == "plain":
            self.ready.set()

    def begin(self) -> None:
        """Start, if that has not happened yet."""
        with self._lock:
            if self.state != "idle":
                return
            self.state, self.began = "loading", time.monotonic()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            if not self.is_cached or not self._load():
                self._compile_elsewhere()
                if self._is_closed:
                    return
                self.made = self.make()
            self.state = "compiled"
            self.mark()
        except Exception as error:  # the rules may be wrong too; the game can still be played
            self.state, self.reason = "plain", str(error) or type(error).__name__
        self.seconds = time.monotonic() - self.began
        self.ready.set()
        self.changed(self)

    def _load(self) -> bool:
        """Make it from the cache; False if something must be compiled."""
        try:
            with only_cached():
                self.made = self.make()
        except NotCached:
            return False
        return True

    def _compile_elsewhere(self) -> None:
        """Wait for another process to compile it."""
        with self._lock:
            if self._is_closed:
                return
            self.state = "compiling"
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", __name__, str(os.getpid()), self.task, self.what, *self.settings],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        self.changed(self)
        ended = self._process.wait()
        if ended < 0 and not self._is_closed:
            raise CompileError(f"the compiling process ended with signal {-ended}")  # as it could this one

    @property
    def _marker(self) -> Path:
        """An empty file that says that everything for this task is in the cache. Without it Numba must be asked.

        It is no proof: programs may have been deleted, and files that a user's game imports may have changed.
        """
        kind = self.task.partition(":")[0]  # what follows are limits, which change no program
        about = (package_fingerprint(), kind, self.what, self.settings, version_of(self.what))
        return cache_directory() / "ready" / hashlib.sha256(repr(about).encode()).hexdigest()[:32]

    def _is_marked(self) -> bool:
        with contextlib.suppress(OSError, RuntimeError):
            return self._marker.exists()
        return False

    def mark(self) -> None:
        """Note that everything is in the cache."""
        with contextlib.suppress(OSError, RuntimeError):  # there is no cache
            self._marker.parent.mkdir(parents=True, exist_ok=True)
            self._marker.touch()

    def __str__(self) -> str:
        return f"compiling {self.game.title}, once: {time.monotonic() - self.began:.0f} s"

    def close(self) -> None:
        """It is no longer needed."""
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                self._process.kill()


def ready_player(words: str, game: Game) -> Player:
    """A player that has compiled what it needs."""
    player = player_of(words, game)
    player.begin(game)
    return player


def ready_engine(game: Game) -> Engine | None:
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


def bind() -> None:
    """Take this process's place in the background: it ends with its parent, and others have priority."""
    from zermelo.app.web.restraint import bind as restrain

    restrain()
    with contextlib.suppress(OSError):
        os.nice(2)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this process
    bind()
    parent, task, what, *settings = sys.argv[1:]
    if os.getppid() != int(parent):
        return  # the parent has already ended
    game = resolve(what, parse_parameters(tuple(settings)))
    if task == ANALYSIS:
        ready_engine(game)
    else:
        ready_player(task, game).close()


if __name__ == "__main__":
    main()
