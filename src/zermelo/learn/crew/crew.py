"""Crews: each takes jobs and yields their answers, in whatever order they come, until it is stopped.

A worker that dies is replaced, and its job done again. After a stop, answers to unfinished jobs still come if the
worker can give them.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

from zermelo.game.errors import ZermeloError
from zermelo.game.protocol import Game
from zermelo.kernel.clusters import RayConnection
from zermelo.kernel.stopping import StopToken
from zermelo.learn.crew.messages import Answer, receive
from zermelo.learn.td.crew import words_of

MOST_DEATHS = 3
"""Workers that may die in a row, with no job done in between."""

PATIENCE, POLLED = 2.0, 0.1
"""Seconds that workers have to answer after a stop, and between two looks at whether there is one."""

FILES = ("evaluation", "first", "second")
"""The entries of a job that name files."""

Job = dict[str, Any]
Done = tuple[Job, dict[str, Any], bytes]


class Workshop(Protocol):
    """What does a job: `zermelo.learn.positions.workshop`, in whichever process."""

    def do(self, job: Job, stop: StopToken) -> Answer: ...


class Crew(Protocol):
    """Does jobs. `workers` is the number of jobs that it does at a time."""

    workers: int

    def do(self, jobs: Iterable[Job], stop: StopToken) -> Iterator[Done]: ...

    def close(self) -> None: ...


def crew_for(
    game: Game | str, parameters: dict[str, Any] | None, workshop: Workshop, workers: int = 1, ray: str | bool = False
) -> Crew:
    """The crew for a game.

    workshop  what works if there is one worker, in this process
    workers   processes; with Ray, actors, 0 for as many as the cluster has processors
    ray       True, or the address of a cluster
    """
    if ray is False and workers == 1:
        return Alone(workshop)
    what, how = words_of(game, parameters)
    words = {"game": what, "parameters": how}
    if ray is False:
        return Processes(words, workers or os.cpu_count() or 1)
    return Cluster(words, workers, ray if isinstance(ray, str) else None)


class Alone:
    """This process."""

    workers = 1

    def __init__(self, workshop: Workshop):
        self.workshop = workshop

    def do(self, jobs: Iterable[Job], stop: StopToken) -> Iterator[Done]:
        for job in jobs:
            if stop.is_set:
                return
            yield job, *self.workshop.do(job, stop)

    def close(self) -> None:
        pass


class Processes:
    """Worker processes on this machine."""

    def __init__(self, words: dict[str, Any], workers: int):
        self.words, self.workers = words, workers
        self.running: list[_Process] = []

    def do(self, jobs: Iterable[Job], stop: StopToken) -> Iterator[Done]:
        waiting, answers = iter(jobs), queue.SimpleQueue[tuple[_Process, Answer | None]]()
        while len(self.running) < self.workers:
            self.running.append(_Process(self.words))
        for process in self.running:
            process.begin(next(waiting, None), answers)
        deaths, patience = 0, PATIENCE
        with stop.calling(self._finish):
            while any(process.job is not None for process in self.running) and patience > 0:
                try:
                    process, answer = answers.get(timeout=POLLED)
                except queue.Empty:
                    patience -= POLLED if stop.is_set else 0  # it may be compiling, which nothing interrupts
                    continue
                job = process.job
                assert job is not None
                if answer is None:
                    deaths += 1
                    process.end()
                    process.job = None
                    if stop.is_set:
                        continue
                    if deaths >= MOST_DEATHS:
                        raise ZermeloError(f"{deaths} worker processes died one after the other; see above")
                    self.running[self.running.index(process)] = process = _Process(self.words)
                    process.begin(job, answers)
                    continue
                deaths = 0
                if "error" in answer[0]:
                    raise ZermeloError(f"a worker could not do its work: {answer[0]['error']}")
                process.begin(None if stop.is_set else next(waiting, None), answers)
                yield job, *answer
        if stop.is_set:
            self.close()

    def _finish(self) -> None:
        for process in list(self.running):
            process.no_more()

    def close(self) -> None:
        for process in self.running:
            process.end()
        self.running.clear()


class _Process:
    """One worker process, and the job that it is doing."""

    def __init__(self, words: dict[str, Any]):
        self.job: Job | None = None
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "zermelo.learn.crew.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the main process, which then ends the workers
        )
        self._say(words)

    def _say(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # it has died, or was told to end
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def begin(self, job: Job | None, answers: Any) -> None:
        """Begin a job; its answer will be put there."""
        self.job = job
        if job is None:
            return
        self._say(job)
        stdout = self.process.stdout
        assert stdout is not None
        threading.Thread(target=lambda: answers.put((self, receive(stdout))), daemon=True).start()

    def no_more(self) -> None:
        """It shall answer with what it has."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self.process.stdin.close()

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError, ValueError):
                assert pipe is not None
                pipe.close()


class Actor:
    """What runs on the cluster."""

    def __init__(self, folder: str, words: dict[str, Any]):
        from zermelo.learn.positions.workshop import Workshop  # here: crews know nothing of what is done

        os.chdir(folder)  # users' files are relative to it
        self.workshop = Workshop.from_words(words)
        self.copies = tempfile.TemporaryDirectory()

    def do(self, job: Job, files: dict[str, bytes]) -> Answer:
        """Do a job with copies of its files, which may be on another machine."""
        own = dict(job)
        for name, data in files.items():
            copy = Path(self.copies.name) / f"{hashlib.sha256(data).hexdigest()}.npz"
            if not copy.exists():
                copy.write_bytes(data)
            own[name] = str(copy)
        return self.workshop.do(own, StopToken())


class Cluster:
    """Actors on a Ray cluster: the one at this address, or a new one on this machine."""

    def __init__(self, words: dict[str, Any], workers: int, address: str | None):
        self.connection = RayConnection(address)
        self.ray, self.words = self.connection.ray, words
        self.workers = workers or max(int(self.ray.cluster_resources().get("CPU", 1)), 1)
        self.kind = self.ray.remote(num_cpus=1)(Actor)
        self.actors: list[Any] = []

    def _actor(self) -> Any:
        return self.kind.remote(os.getcwd(), self.words)

    def do(self, jobs: Iterable[Job], stop: StopToken) -> Iterator[Done]:
        waiting, running = iter(jobs), dict[Any, tuple[int, Job]]()
        while len(self.actors) < self.workers:
            self.actors.append(self._actor())

        def begin(i: int, job: Job | None) -> None:
            if job is not None and not stop.is_set:
                files = {name: Path(job[name]).read_bytes() for name in FILES if job.get(name) is not None}
                running[self.actors[i].do.remote(job, files)] = i, job

        for i in range(self.workers):
            begin(i, next(waiting, None))
        deaths = 0
        while running and not stop.is_set:
            done, _ = self.ray.wait(list(running), timeout=0.1)
            for each in done:
                i, job = running.pop(each)
                try:
                    about, data = self.ray.get(each)
                except self.ray.exceptions.RayActorError as error:
                    deaths += 1
                    if deaths >= MOST_DEATHS:
                        raise ZermeloError(
                            f"{deaths} workers of the cluster died one after the other: {error}"
                        ) from error
                    self.actors[i] = self._actor()
                    begin(i, job)
                    continue
                except self.ray.exceptions.RayTaskError as error:
                    raise error.cause from None  # the error itself, without Ray's wrapping
                deaths = 0
                begin(i, next(waiting, None))
                yield job, about, data

    def close(self) -> None:
        for actor in self.actors:
            self.ray.kill(actor)
        self.actors.clear()
        self.connection.close()
