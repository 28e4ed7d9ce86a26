"""The same games on a Ray cluster: each slot is an actor that supervises a worker process on its own machine.

If a machine or an actor dies, its unfinished games are played again elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from zermelo.arena.schedule import Job
from zermelo.arena.supervisor import Supervisor
from zermelo.game.errors import ZermeloError
from zermelo.kernel.clusters import RayConnection
from zermelo.play.record import Record

MOST_DEATHS = 20
"""Deaths in a row, with no game finished in between, after which the match fails."""


class Slot:
    """What runs on the cluster: plain data in, plain data out."""

    def __init__(self, folder: str) -> None:
        self.supervisor = Supervisor(folder=folder)

    def pid(self) -> int:
        """The id of its process, for administrators of the cluster."""
        return os.getpid()

    def play(self, job: dict[str, Any]) -> dict[str, Any]:
        return self.supervisor.play(Job.from_json(job)).to_json()


class Cluster:
    """Slots on a Ray cluster: the one at this address, or a new one on this machine."""

    def __init__(self, address: str | None = None, slots: int | None = None):
        self.connection = RayConnection(address)
        self.ray = ray = self.connection.ray
        self.count = slots or max(int(ray.cluster_resources().get("CPU", 1)), 1)
        self.actor = ray.remote(num_cpus=1, max_concurrency=2)(Slot)
        self.slots: list[Any] = []

    def play(self, jobs: Iterable[Job]) -> Iterator[Record]:
        ray = self.ray
        waiting = iter(jobs)
        running: dict[Any, tuple[Any, Job]] = {}
        deaths = 0

        def begin(slot: Any, job: Job | None) -> None:
            if job is not None:
                running[slot.play.remote(job.to_json())] = slot, job
            else:
                self.slots.remove(slot)
                ray.kill(slot)  # another slot, with a game to play, may be waiting for its place

        for _ in range(self.count):
            job = next(waiting, None)
            if job is not None:
                self.slots.append(self.actor.remote(os.getcwd()))
                begin(self.slots[-1], job)
        while running:
            (done,), _ = ray.wait(list(running), num_returns=1)
            slot, job = running.pop(done)
            try:
                record = Record.from_json(ray.get(done))
            except ray.exceptions.RayActorError as error:
                deaths += 1
                if deaths > MOST_DEATHS:
                    raise ZermeloError(f"{deaths} workers of the cluster died one after the other: {error}") from error
                self.slots.remove(slot)
                self.slots.append(self.actor.remote(os.getcwd()))
                begin(self.slots[-1], job)
                continue
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None  # the error itself, without Ray's wrapping
            deaths = 0
            begin(slot, next(waiting, None))
            yield record

    def compiling(self) -> str:
        return ""  # workers elsewhere do not tell

    def close(self) -> None:
        for slot in self.slots:
            self.ray.kill(slot)
        self.slots.clear()
        self.connection.close()
