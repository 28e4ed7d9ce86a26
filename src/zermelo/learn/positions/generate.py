"""`generate`: fill a folder with positions, by as many processes as wanted."""

from __future__ import annotations

import contextlib
import functools
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.game.errors import ZermeloError
from zermelo.game.protocol import Game
from zermelo.games.resolve import game_of, resolve
from zermelo.kernel.stopping import StopToken
from zermelo.learn.positions.evaluations import with_evaluation
from zermelo.learn.positions.files import SUFFIX, InUse, count_in
from zermelo.learn.positions.filling import fill
from zermelo.learn.positions.generator import PlaySettings
from zermelo.learn.td.crew import words_of

MOST_DEATHS = 3
"""How often a worker may die without having written anything."""
TELL_EVERY = 0.5


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
    parameters: dict[str, Any] | None = None,
    evaluation: str | Path | None = None,
    on_progress: Callable[[Generated], Any] | None = None,
    stop: StopToken | None = None,
    **settings: Any,
) -> Generated:
    """Fill a folder with positions from games of the engine against itself; an existing folder is resumed.

    positions    the number of positions that the folder shall have
    workers      processes; 1: this process
    evaluation   a file with the weights or the network to play with; by default the game's own evaluation
    settings     see `PlaySettings`

    Ctrl-C, or the token, ends it; the games that are finished are kept.
    """
    made = resolve(game, parameters or {}) if isinstance(game, str) else game_of(game)
    made = with_evaluation(made, evaluation)
    task = _Generation(made, Path(folder), positions, PlaySettings(**settings), on_progress, stop or StopToken())
    if workers == 1:
        task.alone()
    else:
        what, how = words_of(game, parameters)
        where = None if evaluation is None else str(Path(evaluation).resolve())
        task.by_processes(workers, {"game": what, "parameters": how, "evaluation": where})
    return task.progress()


class _Generation:
    """One call of `generate`."""

    def __init__(self, game: Game, folder: Path, wanted: int, settings: PlaySettings, listener: Any, stop: StopToken):
        self.game, self.folder, self.wanted, self.settings = game, folder, wanted, settings
        self.listener, self.stop = listener, stop
        folder.mkdir(parents=True, exist_ok=True)
        self.before = count_in(folder, game)
        self.begun = time.perf_counter()

    def progress(self) -> Generated:
        count = count_in(self.folder, self.game)
        return Generated(count, count - self.before, self.wanted, time.perf_counter() - self.begun)

    def tell(self, about: Any = None) -> None:
        if self.listener is not None:
            self.listener(self.progress())

    def path(self, worker: int) -> Path:
        return self.folder / f"worker-{worker}{SUFFIX}"

    def share(self, worker: int, workers: int) -> int:
        """How many positions the file of a worker shall have: what is missing is divided evenly."""
        own = count_in([self.path(worker)], self.game)
        return (
            own + max(self.wanted - self.before, 0) // workers + (worker < max(self.wanted - self.before, 0) % workers)
        )

    def alone(self) -> None:
        """Play in this process, in the first file that nobody else is writing."""
        for worker in range(1 << 10):
            try:
                fill(self.game, self.path(worker), self.settings, worker, self.share(worker, 1), self.tell, self.stop)
            except InUse:
                continue
            return

    def by_processes(self, workers: int, words: dict[str, Any]) -> None:
        shares = [self.share(worker, workers) for worker in range(workers)]
        errors: list[Exception] = []

        def work(worker: int) -> None:
            try:
                self.one_process(worker, shares[worker], words)
            except Exception as error:
                errors.append(error)
                self.stop.stop()

        threads = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(workers)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            for thread in threads:
                thread.join(TELL_EVERY / workers)
            self.tell()
        if errors:
            raise errors[0]

    def one_process(self, worker: int, wanted: int, words: dict[str, Any]) -> None:
        """Run a worker process until its file is filled. One that dies is started again."""
        deaths = 0
        while count_in([self.path(worker)], self.game) < wanted and not self.stop.is_set:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "zermelo.learn.positions.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,  # Ctrl-C is for the main process, which then ends the workers
            )
            assert process.stdin is not None
            assert process.stdout is not None
            about = {**words, "settings": self.settings.to_json(), "path": str(self.path(worker).resolve())}
            stdin = process.stdin
            with self.stop.calling(functools.partial(_close, stdin)):
                with contextlib.suppress(OSError):
                    stdin.write(json.dumps({**about, "worker": worker, "wanted": wanted}) + "\n")
                    stdin.flush()
                for line in process.stdout:
                    found = json.loads(line)
                    if "error" in found:
                        raise ZermeloError(f"a worker could not play: {found['error']}")
                    deaths = 0
                _close(stdin)
            if process.wait() != 0 and not self.stop.is_set:
                deaths += 1
                if deaths >= MOST_DEATHS:
                    raise ZermeloError(f"{deaths} worker processes died one after the other; see the messages above")


def _close(stream: Any) -> None:
    with contextlib.suppress(OSError, ValueError):
        stream.close()
