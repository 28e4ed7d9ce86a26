"""Building classes on a Ray cluster: each class is a task that gets the files it needs and returns its own.

Classes that do not lead to each other are built at the same time. The files are the same as those built on one machine.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from zermelo.game.protocol import Game
from zermelo.games.resolve import resolve
from zermelo.kernel.clusters import RayConnection
from zermelo.lookup.building import ClassBuilder, SolvedClass, chosen_classes, require_numbering
from zermelo.lookup.class_files import open_class, write_file


def build_there(words: str, parameters: dict[str, Any], c: int, distance: str, threads: int, *files: bytes) -> bytes:
    """Runs on the cluster: the file of one class, given those of the classes that it leads to."""
    game = require_numbering(resolve(words, parameters))
    with tempfile.TemporaryDirectory() as folder:
        builder = ClassBuilder(game, Path(folder), distance, threads)
        for k, content in zip(game.classes_after(c), files, strict=True):
            write_file(builder.path(k), content)
        builder.build(c)
        return builder.path(c).read_bytes()


def build_on_cluster(
    words: str,
    parameters: dict[str, Any],
    names: Iterable[str],
    folder: Path,
    *,
    pieces: int | None = None,
    distance: str = "win",
    threads: int = 1,
    on_class: Callable[[SolvedClass], Any] | None = None,
) -> list[SolvedClass]:
    """Build classes on the Ray cluster, each with so many threads. Those that exist are kept."""
    game: Game = require_numbering(resolve(words, parameters))
    builder = ClassBuilder(game, folder, distance)
    connection = RayConnection()
    ray = connection.ray
    task = ray.remote(num_cpus=threads)(build_there)
    content: dict[int, Any] = {}
    running: dict[Any, int] = {}
    done = []
    try:
        for c in chosen_classes(game, names, pieces):  # a task waits for the files that are its arguments
            if builder.finished(c) is not None:
                content[c] = ray.put(builder.path(c).read_bytes())
                running[content[c]] = c
            else:
                needed = [content[k] for k in game.classes_after(c)]
                content[c] = task.remote(words, parameters, c, distance, threads, *needed)
                running[content[c]] = c
        while running:
            (ready,), _ = ray.wait(list(running), num_returns=1)
            c = running.pop(ready)
            try:
                found = ray.get(ready)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None
            built = not builder.path(c).exists()
            if built:
                write_file(builder.path(c), found)
                open_class(builder.path(c))
            solved = builder.finished(c)
            assert solved is not None
            solved = replace(solved, built=built)
            done.append(solved)
            if on_class is not None:
                on_class(solved)
    finally:
        connection.close()
    return done
