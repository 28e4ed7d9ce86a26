"""Games played in parallel by worker processes of this machine, or one after the other in this process."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from typing import Protocol

from zermelo.arena.player import Player
from zermelo.arena.referee import Referee
from zermelo.arena.schedule import Job
from zermelo.arena.supervisor import Supervisor, Watch
from zermelo.game.protocol import Game
from zermelo.kernel.compilations import current
from zermelo.play.record import Record


class Pool(Protocol):
    """Plays games: takes jobs in order, and yields records as games finish."""

    def play(self, jobs: Iterable[Job]) -> Iterator[Record]: ...

    def compiling(self) -> str:
        """What is being compiled at the moment, and for how long; empty if nothing is."""

    def close(self) -> None: ...


class Here:
    """This process, with given players: for people, and for players that are objects."""

    def __init__(self, game: Game, players: dict[str, Player]):
        self.game, self.players = game, players

    def play(self, jobs: Iterable[Job]) -> Iterator[Record]:
        for job in jobs:
            yield Referee(job, self.game, [self.players[words] for words in job.players]).play()

    def compiling(self) -> str:
        return str(current() or "")

    def close(self) -> None:
        for player in self.players.values():
            player.close()


class Workers:
    """Worker processes on this machine, each supervised by a thread; `watch` follows the games move by move."""

    def __init__(self, count: int, watch: Watch | None = None):
        self.supervisors = [Supervisor(watch=watch) for _ in range(count)]
        self.done: queue.SimpleQueue[Record | BaseException | None] = queue.SimpleQueue()
        self.guard = threading.Lock()

    def play(self, jobs: Iterable[Job]) -> Iterator[Record]:
        waiting = iter(jobs)
        threads = [
            threading.Thread(target=self._work, args=(supervisor, waiting), daemon=True)
            for supervisor in self.supervisors
        ]
        for thread in threads:
            thread.start()
        working = len(threads)
        while working:
            finished = self.done.get()
            if isinstance(finished, BaseException):
                raise finished
            if finished is None:
                working -= 1
            else:
                yield finished

    def _work(self, supervisor: Supervisor, waiting: Iterator[Job]) -> None:
        try:
            while not supervisor.closed:
                with self.guard:
                    job = next(waiting, None)
                if job is None:
                    break
                self.done.put(supervisor.play(job))
            self.done.put(None)
        except BaseException as error:
            self.done.put(error)

    def compiling(self) -> str:
        return next((each.compiling for each in self.supervisors if each.compiling), "")

    def close(self) -> None:
        for supervisor in self.supervisors:
            supervisor.close()
