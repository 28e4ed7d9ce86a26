"""`improve`: generation after generation of playing, training and testing, in a folder that can be resumed at any time.

    FOLDER/settings.json                what the run was started with
    FOLDER/generation-N/positions/      the positions of its games
    FOLDER/generation-N/weights.npz     the evaluation that was trained (network.npz for a network)
    FOLDER/generation-N/training.json   how training went
    FOLDER/generation-N/contest.json    the games against the best evaluation so far, and the decision
    FOLDER/best.npz                     the best evaluation so far
    FOLDER/status.html                  all of this for people

Each file is written whole or not at all. What exists is not done again.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from zermelo.game.errors import GameError, ZermeloError
from zermelo.game.features import has_network
from zermelo.game.protocol import Game
from zermelo.games.resolve import game_of, resolve
from zermelo.generations.contest import Contest, contest
from zermelo.generations.saved import damaged, read_saved
from zermelo.generations.settings import LoopSettings
from zermelo.generations.status import DECISIONS, Generation, Status, write_page
from zermelo.kernel.files import write_whole
from zermelo.kernel.stopping import StopToken
from zermelo.learn.crew.crew import crew_for
from zermelo.learn.learned import Learned
from zermelo.learn.positions import Generated, load
from zermelo.learn.positions.evaluations import identity, with_evaluation
from zermelo.learn.positions.generate import fill
from zermelo.learn.positions.workshop import Workshop
from zermelo.learn.training.fitting import fit_evaluation, require_trainable
from zermelo.learn.training.train import TrainEpoch

PAGE_EVERY = 2.0
"""Seconds between two versions of the status page."""


def improve(
    game: Game | str,
    folder: str | Path,
    settings: LoopSettings | None = None,
    *,
    generations: int = 1,
    start: str | Path | None = None,
    parameters: dict[str, Any] | None = None,
    workers: int = 1,
    ray: str | bool = False,
    on_progress: Callable[[Status], Any] | None = None,
    stop: StopToken | None = None,
) -> Status:
    """Improve a game's evaluation; an existing folder is resumed, up to so many generations.

    start      a file with the evaluation to begin with; by default the game's own (its weights alone for a sum)
    workers    processes that play; 1: this process, 0: as many as there are processors
    ray        True, or the address of a Ray cluster, on which the workers then run
    """
    made = resolve(game, parameters or {}) if isinstance(game, str) else game_of(game)
    token = stop or StopToken()
    settings = settings or LoopSettings()
    require_trainable(made, settings.model, settings.hidden)  # now, not after hours of play
    with _alone(Path(folder)):
        run = _Run(made, Path(folder), settings, _start(made, Path(folder), settings, start), token)
        run.listener = on_progress
        run.crew = crew_for(game, parameters, Workshop(made), workers, ray)
        try:
            for number in range(1, generations + 1):
                run.generation(number)
                if token.is_set:
                    break
            run.say("stopped" if token.is_set else "finished", now=True)
            return run.status
        finally:
            run.crew.close()


def _start(game: Game, folder: Path, settings: LoopSettings, start: str | Path | None) -> Path | None:
    """The evaluation to begin with: as given, or the game's own.

    If the game is judged by a network, a weighted sum begins with the game's own weights alone: a sum is tested against
    a sum, and not against the network.
    """
    if start is not None or settings.model != "sum" or not has_network(game):
        return None if start is None else Path(start)
    file = folder / "start.npz"
    if not file.exists():
        Learned(game.name, game.feature_names(), game.weights, 1.0, 1.0, 0.0, 0).save(file)
    return file


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Only one run at a time writes to a folder: two would overwrite each other's weights and tests."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".lock", "wb") as file:  # the system unlocks it when the process ends, also by `kill -9`
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise GameError(f"another run is writing to {folder}: wait for it, or use another folder") from None
        yield


def _require_whole(game: Game, file: Path) -> None:
    """Raise an error if the evaluation that a run has trained cannot be read any more."""
    try:
        with_evaluation(game, file)
    except ZermeloError:
        raise damaged(file) from None


class _Run:
    """One call of `improve`."""

    crew: Any
    listener: Callable[[Status], Any] | None = None

    def __init__(self, game: Game, folder: Path, settings: LoopSettings, start: Path | None, stop: StopToken):
        self.game, self.folder, self.settings, self.stop = game, folder, settings, stop
        self.best: Path | None = None if start is None else start.resolve()
        self._require_same(folder / "settings.json", game.name)
        self.status = Status(game.title, settings.to_json(), [], "starting", time.time())
        self.told = 0.0

    def _require_same(self, file: Path, name: str) -> None:
        """The folder belongs to one game, and to one set of settings."""
        own = json.loads(json.dumps({"game": name, "start": identity(self.best), **self.settings.to_json()}))
        if not file.exists():
            write_whole(file, json.dumps(own, indent=2).encode())
        found = read_saved(file)
        for key in own:
            if found.get(key) != own[key]:
                raise GameError(
                    f"{file.parent} was begun with {key} = {found.get(key)!r}, not {own[key]!r}: use the same options, "
                    "or another folder"
                )

    def say(self, doing: str, *, now: bool = False) -> None:
        """Tell the listener what is being done, and from time to time the page."""
        self.status.doing, self.status.updated = doing, time.time()
        if now or time.monotonic() - self.told > PAGE_EVERY:
            self.told = time.monotonic()
            write_page(self.folder / "status.html", self.status)
        if self.listener is not None:
            self.listener(self.status)

    def generation(self, number: int) -> None:
        """Play, train, test, and keep the evaluation if it wins; what is done already is only read."""
        own = self.folder / f"generation-{number}"
        now = Generation(number, against=None if self.best is None else self.best.parent.name)
        self.status.generations.append(now)
        self._play(own, now)
        if self.stop.is_set:
            return
        file = self._train(own, now)
        if self.stop.is_set:
            return
        if not now.is_unchanged:
            self._test(own, now, file)
        if now.decision == "accept":
            self.best = file
            write_whole(self.folder / "best.npz", file.read_bytes())
        self.say(f"generation {number}: {DECISIONS[now.decision]}", now=True)

    def _play(self, own: Path, now: Generation) -> None:
        def tell(found: Generated) -> None:
            now.positions = found.positions
            speed = f", {found.per_second:,.0f} per second" if found.seconds > 0 else ""
            self.say(f"generation {now.number}: playing, {found.positions:,} of {found.wanted:,} positions{speed}")

        play = self.settings.play
        seeded = type(play).from_json({**play.to_json(), "seed": play.seed + now.number})
        wanted = self.settings.positions
        tell(fill(self.crew, self.game, own / "positions", wanted, seeded, self.best, tell, self.stop))

    def _train(self, own: Path, now: Generation) -> Path:
        file = own / ("weights.npz" if self.settings.model == "sum" else "network.npz")
        report = own / "training.json"
        if not (report.exists() and file.exists()):
            first = max(now.number - self.settings.keep + 1, 1)
            folders = [self.folder / f"generation-{i}" / "positions" for i in range(first, now.number + 1)]
            self.say(f"generation {now.number}: reading positions", now=True)
            records = load(folders, self.game)

            def tell(epoch: TrainEpoch) -> None:
                now.losses = [*now.losses, (epoch.loss, epoch.held_out)]
                self.say(
                    f"generation {now.number}: training, epoch {epoch.number}, loss {epoch.held_out:.4f}", now=True
                )

            fitted = fit_evaluation(
                self.game, records, self.settings.train, model=self.settings.model, hidden=self.settings.hidden,
                start=self.best, on_epoch=tell, stopped=lambda: self.stop.is_set,
            )  # fmt: skip
            if self.stop.is_set:
                return file
            fitted.save(file)
            write_whole(report, json.dumps(fitted.trained.to_json()).encode())
        else:
            _require_whole(self.game, file)
        about = read_saved(report, "positions", "before", "after", "best", "epochs")
        now.learned_from, now.before, now.after = about["positions"], about["before"], about["after"]
        now.losses = [(epoch["loss"], epoch["held_out"]) for epoch in about["epochs"]]
        now.is_unchanged = about["best"] == 0 and not self._begins_anew()
        return file

    def _begins_anew(self) -> bool:
        """Does training begin with a network of random weights? It is new even if no epoch made it better."""
        has_kept = self.best is not None and self.best.name == "network.npz"
        return self.settings.model == "network" and not has_kept

    def _test(self, own: Path, now: Generation, file: Path) -> None:
        def tell(found: Contest) -> None:
            now.contest = found.to_json()
            self.say(f"generation {now.number}: testing, {found.score}, LLR {found.llr:+.2f}")

        play = self.settings.play
        seeded = type(play).from_json({**play.to_json(), "seed": play.seed + now.number})
        best = None if self.best is None else str(self.best)
        tell(
            contest(
                self.crew,
                own / "contest.json",
                self.settings.sprt(),
                str(file.resolve()),
                best,
                seeded,
                most_pairs=self.settings.most_pairs,
                on_progress=tell,
                stop=self.stop,
            )
        )
