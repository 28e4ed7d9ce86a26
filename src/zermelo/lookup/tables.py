"""Endgame tables: built step by step, saved as they grow, verified, and only then given their names.

A *builder* knows one table: its size, the steps that compute it, and how to check a step against the earlier ones. A
game that has tables lists its builders in BUILDERS.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from zermelo.game.errors import UnknownName
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.table_files import DamagedTable, Shapes, Unfinished, read_table, size_of, table_directory

BUILDERS = {"backgammon": "zermelo.games.backgammon.bearoff_builders"}
"""Games with tables, and the module whose `builders(parts)` makes their builders."""

SAVED = 5.0
"""Seconds between two times at which a table that is being built is saved."""


class Builder(Protocol):
    """What builds one table."""

    name: str
    title: str
    file: str
    kind: str
    positions: int
    shapes: Shapes
    steps: int
    speed: float

    def prepare(self) -> None:
        """Compile, and compute what all steps need."""

    def step(self, number: int, arrays: dict[str, Any]) -> None:
        """Compute one step, given the earlier ones."""

    def fault(self, number: int, arrays: dict[str, Any]) -> str:
        """What is wrong with one step; empty if nothing is."""

    def about(self) -> dict[str, Any]:
        """What the file says of itself."""


@dataclass(frozen=True)
class Progress:
    """How far a build is: steps done and in all, and the seconds that are left, if known."""

    doing: str
    done: int
    steps: int
    left: float | None


@dataclass(frozen=True)
class Built:
    """A table: complete, or stopped after some steps."""

    builder: Builder
    path: Path
    done: int
    complete: bool
    resumed: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The result as plain data."""
        size = self.path.stat().st_size if self.complete else size_of(self.builder.shapes)
        return {
            "table": self.builder.name,
            "positions": self.builder.positions,
            "bytes": size,
            "file": str(self.path),
            "complete": self.complete,
            "steps": [self.done, self.builder.steps],
            "seconds": self.seconds,
        }


def builders(game: str, parts: tuple[str, ...] = ()) -> list[Builder]:
    """The builders of a game's tables: those that are named, or all."""
    if game not in BUILDERS:
        raise UnknownName(f"there are no tables for {game!r}; there are for {', '.join(BUILDERS)}")
    found: list[Builder] = importlib.import_module(BUILDERS[game]).builders(parts)
    return found


def build(
    builder: Builder,
    folder: Path | None = None,
    *,
    stop: StopToken | None = None,
    on_progress: Callable[[Progress], Any] | None = None,
) -> Built:
    """Build and verify a table, or continue one that was stopped. A table that exists is built anew.

    folder       where the file is written; by default the folder of tables
    stop         a token that ends it; the next call continues
    on_progress  called after each step
    """
    path = (folder or table_directory()) / builder.file
    began = time.monotonic()
    with Unfinished(path, builder.kind, builder.shapes).opened() as file:
        resumed = file.done
        builder.prepare()
        done, saved = resumed, time.monotonic()
        watch = _Watch("building", builder.steps, done, on_progress)
        while done < builder.steps:
            if stop is not None and stop.is_set:
                file.advance(done)
                return Built(builder, path, done, False, resumed, time.monotonic() - began)
            builder.step(done, file.arrays)
            done += 1
            if time.monotonic() - saved > SAVED:
                file.advance(done)
                saved = time.monotonic()
            watch.tell(done)
        file.advance(done)
        fault = _first_fault(builder, file.arrays, stop, on_progress)
        if fault is None:
            return Built(builder, path, done, False, resumed, time.monotonic() - began)
        if fault:
            file.advance(0)  # computed again by the next call
            raise DamagedTable(f"{file.part} is wrong: {fault}; build it again")
        file.finish(builder.about())
    return Built(builder, path, done, True, resumed, time.monotonic() - began)


def verify(
    builder: Builder,
    folder: Path | None = None,
    *,
    stop: StopToken | None = None,
    on_progress: Callable[[Progress], Any] | None = None,
) -> Built:
    """Check a finished table: its checksums, and every position against its successors."""
    path = (folder or table_directory()) / builder.file
    if not path.exists():
        raise DamagedTable(f"{path} does not exist: build it with `zermelo table`")
    began = time.monotonic()
    about, arrays = read_table(path, builder.kind)
    if about != builder.about():
        there = f"the table {about['name']}" if "name" in about else "another table"
        raise DamagedTable(f"{path} is {there}, not {builder.name}: verify that one, or build {builder.name}")
    builder.prepare()
    fault = _first_fault(builder, arrays, stop, on_progress)
    if fault:
        raise DamagedTable(f"{path} is wrong: {fault}; delete it and build it again with `zermelo table`")
    done = 0 if fault is None else builder.steps
    return Built(builder, path, done, fault is not None, 0, time.monotonic() - began)


def _first_fault(
    builder: Builder, arrays: dict[str, Any], stop: StopToken | None, tell: Callable[[Progress], Any] | None
) -> str | None:
    """The first fault in a table; empty if there is none, None if the check was stopped."""
    copies = {name: np.array(array) for name, array in arrays.items()}
    watch = _Watch("verifying", builder.steps, 0, tell)
    for number in range(builder.steps):
        if stop is not None and stop.is_set:
            return None
        fault = builder.fault(number, copies)
        if fault:
            return fault
        watch.tell(number + 1)
    return ""


class _Watch:
    """Estimates the time that is left from the steps so far."""

    def __init__(self, doing: str, steps: int, done: int, tell: Callable[[Progress], Any] | None):
        self.doing, self.steps, self.first, self.call = doing, steps, done, tell
        self.began = time.monotonic()

    def tell(self, done: int) -> None:
        if self.call is not None:
            spent = time.monotonic() - self.began
            left = spent / (done - self.first) * (self.steps - done) if done > self.first else None
            self.call(Progress(self.doing, done, self.steps, left))
