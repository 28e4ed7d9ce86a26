"""A process that plays games: reads jobs and writes messages, one line of JSON each.

The supervisor runs it as `python -m zermelo.arena.worker`, on this machine or in a cluster. A player that crashes only
ends this process.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
import time
from typing import Any, TextIO

from zermelo.arena.player import Player
from zermelo.arena.referee import Referee, Tell
from zermelo.arena.roster import player_of
from zermelo.arena.schedule import Job
from zermelo.game.protocol import Game
from zermelo.games.resolve import resolve
from zermelo.kernel.compilations import current
from zermelo.play.record import Record

TOLD = 1.0
"""Seconds between two messages that something is being compiled."""
ORPHANED = 0.5
"""Seconds between checks whether the parent process still runs."""


class Table:
    """A game and its players, kept between games because compiling and starting programs takes long."""

    def __init__(self) -> None:
        self.game: tuple[Any, Game] | None = None
        self.players: dict[tuple[str, int], Player] = {}

    def play(self, job: Job, tell: Tell) -> Record:
        about = (job.game, tuple(sorted(job.parameters.items())))
        if self.game is None or self.game[0] != about:
            self.close()
            self.game = about, resolve(job.game, job.parameters)
        game = self.game[1]
        seated: list[Player] = []
        for side, words in enumerate(job.players):
            which = words, job.players[:side].count(words)  # a player that meets itself exists twice
            if which not in self.players:
                self.players[which] = player_of(words, game)
            seated.append(self.players[which])
        return Referee(job, game, seated, tell).play()

    def close(self) -> None:
        for player in self.players.values():
            player.close()
        self.players.clear()


def serve(jobs: TextIO, answers: TextIO) -> None:
    """Play games until there are no more jobs."""

    process, lock = os.getpid(), threading.Lock()

    def tell(message: dict[str, Any]) -> None:
        if os.getpid() != process:
            os._exit(1)  # a player has forked: only the original process may answer
        with lock:
            answers.write(json.dumps(message) + "\n")
            answers.flush()

    threading.Thread(target=_tell_compiling, args=(tell,), daemon=True).start()
    table = Table()
    try:
        for line in jobs:
            try:
                record = table.play(Job.from_json(json.loads(line)), tell)
            except Exception as error:  # wrong rules or an unknown player are no player's fault
                tell({"error": f"{type(error).__name__}: {error}"})
            else:
                tell({"record": record.to_json()})
    except (KeyboardInterrupt, BrokenPipeError):
        pass
    finally:
        table.close()


def _tell_compiling(tell: Tell) -> None:
    """Tell what is being compiled, and for how long."""
    while True:
        time.sleep(TOLD)
        compilation = current()
        if compilation is not None:
            with contextlib.suppress(OSError, ValueError):  # nobody listens any more
                tell({"compiling": str(compilation)})


def watch_parent() -> None:
    """End this process when its parent ends."""
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(ORPHANED)
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)  # including the programs that it has started
    os._exit(1)


def main() -> None:
    # Output of users' games and players must not mix with the messages of this process.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    watch_parent()
    serve(sys.stdin, answers)


if __name__ == "__main__":
    main()
