"""`generate`: fill a folder with positions, by as many workers as wanted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.hashing import mix
from zermelo.game.protocol import Game
from zermelo.games.resolve import game_of, resolve
from zermelo.kernel.stopping import StopToken
from zermelo.learn.crew.crew import Crew, Job, crew_for
from zermelo.learn.positions.evaluations import identity
from zermelo.learn.positions.files import Appender, count_in, free_file
from zermelo.learn.positions.generator import BLOCK, PlaySettings
from zermelo.learn.positions.workshop import Workshop


@dataclass(frozen=True)
class Generated:
    """How far generation has come: positions in the folder, those of this run, and its seconds."""

    positions: int
    new: int
    wanted: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.new / self.seconds if self.seconds > 0 else 0.0


def generate(
    game: Game | str,
    folder: str | Path,
    *,
    positions: int,
    workers: int = 1,
    ray: str | bool = False,
    parameters: dict[str, Any] | None = None,
    evaluation: str | Path | None = None,
    on_progress: Callable[[Generated], Any] | None = None,
    stop: StopToken | None = None,
    **settings: Any,
) -> Generated:
    """Fill a folder with positions from games of the engine against itself; an existing folder is resumed.

    positions    the number of positions that the folder shall have
    workers      processes; 1: this process, 0: as many as there are processors
    ray          True, or the address of a Ray cluster, on which the workers then run
    evaluation   a file with the weights or the network to play with; by default the game's own evaluation
    settings     see `PlaySettings`

    Ctrl-C, or the token, ends it; the games that are finished are kept.
    """
    made = resolve(game, parameters or {}) if isinstance(game, str) else game_of(game)
    crew = crew_for(game, parameters, Workshop(made), workers, ray)
    try:
        return fill(
            crew, made, Path(folder), positions, PlaySettings(**settings), evaluation, on_progress, stop or StopToken()
        )
    finally:
        crew.close()


def fill(
    crew: Crew, game: Game, folder: Path, wanted: int, settings: PlaySettings, evaluation: str | Path | None,
    on_progress: Callable[[Generated], Any] | None, stop: StopToken,
) -> Generated:  # fmt: skip
    """Have a crew fill a folder until it has so many positions."""
    begun = time.perf_counter()
    file = None if evaluation is None else str(Path(evaluation).resolve())
    about = {**settings.to_json(), "evaluation": identity(file)}
    with free_file(folder, game, about) as into:  # which cuts off half a game
        before = count_in(folder, game)
        found = Generated(before, 0, wanted, 0.0)
        for _, _, data in crew.do(_blocks(into, before, wanted, crew.workers, settings, file), stop):
            into.append(np.frombuffer(data, into.kind))
            count = count_in(folder, game)
            found = Generated(count, count - before, wanted, time.perf_counter() - begun)
            if on_progress is not None:
                on_progress(found)
    return found


def _blocks(
    into: Appender, before: int, wanted: int, workers: int, settings: PlaySettings, evaluation: str | None
) -> Iterator[Job]:
    """Blocks until the file has so many positions more.

    The number of a block comes from the positions in the file when it is begun, and from how many were begun since
    these were written: so no block comes twice, and a single worker resumes as if it had never been interrupted.
    """
    first, size = into.count, min(BLOCK, -(-(wanted - before) // workers))
    asked, since, known = 0, -1, first
    while True:
        # A block may have a few positions more than asked for, never fewer.
        missing = wanted - before - max(into.count - first, asked)
        if missing <= 0:
            return
        since, known = (since + 1 if into.count == known else 0), into.count
        positions = min(size, missing)
        asked += positions
        about = {"kind": "positions", "evaluation": evaluation, "settings": settings.to_json()}
        yield {**about, "number": mix(mix(0, known), since), "positions": positions}
