"""Games played side by side: in worker processes of this machine, or one after the other in this very process."""

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
from zermelo.play.record import Record


class Pool(Protocol):
    """Whatever can play games: it takes them in order, and gives them back as they are finished."""

    def play(self, jobs: Iterable[Job]) -> Iterator[Record]: ...

    def close(self) -> None: ...


class Here:
    """This process, with players that were made beforehand: for a person, and for players that are mere objects."""

    def __init__(self, game: Game, players: dict[str, Player]):
        self.game, self.players = game, players

    def play(self, jobs: Iterable[Job]) -> Iterator[Record]:
        for job in jobs:
            yield Referee(job, self.game, [self.players[words] for words in job.players]).play()

    def close(self) -> None:
        for player in self.players.values():
            player.close()


class Workers:
    """So many worker processes on this machine, each watched by a thread of its own; and by people, move by move."""

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

    def close(self) -> None:
        for supervisor in self.supervisors:
            supervisor.close()
