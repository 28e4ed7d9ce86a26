"""Who plays the rounds: this process, worker processes, or actors on a Ray cluster.

Every worker begins a round with the same weights. After the round the mean of all weights is taken (threads that share
weights would be slower than one alone, because each write takes the memory away from the others).
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from zermelo.game.errors import GameError, ZermeloError
from zermelo.game.protocol import Game
from zermelo.games import words_for
from zermelo.games.resolve import resolve
from zermelo.kernel.clusters import RayConnection
from zermelo.learn.td.learner import Learner, Round, RoundStopped
from zermelo.learn.td.messages import receive, send
from zermelo.learn.td.settings import TdSettings

MOST_DEATHS = 3
"""Workers that may die in a row before learning fails."""

Stopped = Callable[[], bool]


class Crew(Protocol):
    """Plays rounds; a round that is stopped raises RoundStopped."""

    def play(self, weights: Any, number: int, rate: float, stopped: Stopped) -> Round: ...

    def close(self) -> None: ...


class Alone:
    """This process. Several workers take turns, with the same result as several processes."""

    def __init__(self, learner: Learner):
        self.learner = learner

    def play(self, weights: Any, number: int, rate: float, stopped: Stopped) -> Round:
        workers = range(self.learner.settings.workers)
        return together([self.learner.play(weights, worker, number, rate, stopped) for worker in workers])

    def close(self) -> None:
        pass


class Processes:
    """Worker processes on this machine. One that dies is started again, and its round repeated."""

    def __init__(self, game: Game | str, parameters: dict[str, Any] | None, settings: TdSettings):
        what, how = words_of(game, parameters)
        self.first = {"game": what, "parameters": how, "settings": settings.to_json()}
        self.processes: list[subprocess.Popen[bytes] | None] = [None] * settings.workers
        self.closed = False

    def play(self, weights: Any, number: int, rate: float, stopped: Stopped) -> Round:
        found: list[Round | BaseException | None] = [None] * len(self.processes)

        def work(worker: int) -> None:
            try:
                found[worker] = self._round(worker, weights, number, rate)
            except BaseException as error:
                found[worker] = error

        threads = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(len(self.processes))]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(0.05)
                if stopped():
                    self.close()
        if stopped() and self.closed:
            raise RoundStopped
        for each in found:
            if isinstance(each, BaseException):
                raise each
        return together([each for each in found if isinstance(each, Round)])

    def _round(self, worker: int, weights: Any, number: int, rate: float) -> Round:
        for _ in range(MOST_DEATHS):
            process = self._started(worker)
            assert process.stdin is not None
            assert process.stdout is not None
            answer = None
            with contextlib.suppress(OSError):  # it has died
                send(process.stdin, {"worker": worker, "number": number, "rate": rate}, weights)
                answer = receive(process.stdout)
            if self.closed:
                raise RoundStopped
            if answer is not None:
                about, learned = answer
                if "error" in about:
                    raise ZermeloError(f"a worker could not play: {about['error']}")
                return Round(learned, **about)
            self._end(worker)
        raise ZermeloError(f"{MOST_DEATHS} workers died one after the other; see the messages above")

    def _started(self, worker: int) -> subprocess.Popen[bytes]:
        process = self.processes[worker]
        if process is None:
            process = self.processes[worker] = subprocess.Popen(
                [sys.executable, "-P", "-m", "zermelo.learn.td.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the main process, which then ends the workers
            )
            assert process.stdin is not None
            with contextlib.suppress(OSError):
                send(process.stdin, self.first)
        return process

    def _end(self, worker: int) -> None:
        process, self.processes[worker] = self.processes[worker], None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                assert pipe is not None
                with contextlib.suppress(OSError):
                    pipe.close()

    def close(self) -> None:
        self.closed = True
        for process in self.processes:
            if process is not None:
                process.kill()
        for process in self.processes:
            if process is not None:
                process.wait()


class Actor:
    """What runs on the cluster: plain data and arrays in, plain data and arrays out."""

    def __init__(self, folder: str, first: dict[str, Any]):
        os.chdir(folder)  # users' files are relative to it
        game = resolve(first["game"], first["parameters"])
        self.learner = Learner(game, TdSettings.from_json(first["settings"]))

    def play(self, weights: Any, worker: int, number: int, rate: float) -> tuple[Any, int, int, int]:
        found = self.learner.play(np.array(weights), worker, number, rate)
        return found.weights, found.games, found.unfinished, found.positions


class Cluster:
    """Actors on a Ray cluster: the one at this address, or a new one on this machine."""

    def __init__(
        self, game: Game | str, parameters: dict[str, Any] | None, settings: TdSettings, address: str | None = None
    ):
        self.connection = RayConnection(address)
        self.ray = ray = self.connection.ray
        what, how = words_of(game, parameters)
        self.first = {"game": what, "parameters": how, "settings": settings.to_json()}
        self.kind = ray.remote(num_cpus=1)(Actor)
        self.actors: list[Any] = [self._actor() for _ in range(settings.workers)]

    def _actor(self) -> Any:
        return self.kind.remote(os.getcwd(), self.first)

    def play(self, weights: Any, number: int, rate: float, stopped: Stopped) -> Round:
        shared = self.ray.put(np.asarray(weights))
        found: list[Round | None] = [None] * len(self.actors)
        running = {self.actors[i].play.remote(shared, i, number, rate): i for i in range(len(self.actors))}
        deaths = 0
        while running:
            done, _ = self.ray.wait(list(running), timeout=0.1)
            if stopped():
                raise RoundStopped
            for each in done:
                worker = running.pop(each)
                try:
                    learned, *counts = self.ray.get(each)
                    found[worker] = Round(np.array(learned), *counts)
                except self.ray.exceptions.RayActorError as error:
                    deaths += 1
                    if deaths > MOST_DEATHS:
                        raise ZermeloError(f"{deaths} workers of the cluster died in one round: {error}") from error
                    self.actors[worker] = self._actor()
                    running[self.actors[worker].play.remote(shared, worker, number, rate)] = worker
                except self.ray.exceptions.RayTaskError as error:
                    raise error.cause from None  # the error itself, without Ray's wrapping
        return together([each for each in found if each is not None])

    def close(self) -> None:
        for actor in self.actors:
            self.ray.kill(actor)
        self.connection.close()


def words_of(game: Game | str, parameters: dict[str, Any] | None) -> tuple[str, dict[str, Any]]:
    """The words with which another process makes the same game."""
    if isinstance(game, str):
        return game, parameters or {}
    found = words_for(game)
    if found is None:
        raise GameError(
            f"other processes cannot make {game.name} from an object: give its words, such as 'mygame.py:MyGame', "
            "instead of the object, or use one worker"
        )
    return found


def together(rounds: list[Round]) -> Round:
    """One round of all workers: the mean of their weights, and the sums of the rest."""
    weights = rounds[0].weights
    if len(rounds) > 1:
        weights = np.mean([each.weights for each in rounds], axis=0, dtype=np.float64).astype(np.float32)
    totals = (sum(getattr(each, name) for each in rounds) for name in ("games", "unfinished", "positions"))
    return Round(weights, *totals)
