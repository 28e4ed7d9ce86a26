"""A run of TD(λ): rounds of self-play, matches against the best network so far, checkpoints, and the result."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.errors import GameError, ZermeloError
from zermelo.game.hashing import mix
from zermelo.game.protocol import Game
from zermelo.games.resolve import resolve
from zermelo.kernel.stopping import StopToken
from zermelo.learn.rating import OPENING, Rating, rate
from zermelo.learn.td.checkpoint import Checkpoint, checkpoint_of
from zermelo.learn.td.crew import Alone, Cluster, Crew, Processes
from zermelo.learn.td.learner import Learner, RoundStopped, set_weights, weights_of
from zermelo.learn.td.settings import DEFAULT_EXPLORATION, TdSettings, require_teachable
from zermelo.networks import Network, with_network
from zermelo.networks.files import digest_of
from zermelo.search.checks import time_limit, whole_number

DEFAULT_GAMES = 100_000
SAVE_EVERY = 10.0
"""Seconds between two checkpoints."""


@dataclass(frozen=True)
class TdProgress:
    """How far a run has come; `rating` is the last match against the best network so far."""

    doing: str  # "playing" or "rating"
    games: int
    share: float
    seconds: float
    per_second: float
    rate: float
    rating: dict[str, Any] | None


@dataclass(frozen=True)
class TdLearned:
    """The best network of a run, and how it was found."""

    game: Game
    network: Network
    games: int
    unfinished: int
    positions: int
    seconds: float
    ratings: tuple[dict[str, Any], ...]
    stopped: bool

    def apply(self, game: Game | None = None) -> Game:
        """A copy of the game that this network evaluates."""
        return with_network(self.game if game is None else game, self.network)

    def save(self, path: str | Path) -> None:
        """Write the network to a file, together with the record of its training."""
        self.network.save(path, self.game)


def learn_td(
    game: Game | str,
    *,
    games: int | None = None,
    seconds: float | None = None,
    hidden: tuple[int, ...] = (64,),
    trace: float = 0.0,
    rate: float = 0.1,
    last_rate: float = 0.005,
    exploration: float | None = None,
    seed: int = 0,
    workers: int = 1,
    interval: int = 200,
    ratings: int = 20,
    rating_games: int = 1000,
    start: Network | None = None,
    out: str | Path | None = None,
    parameters: dict[str, Any] | None = None,
    ray: str | bool = False,
    compile: bool | None = None,
    on_progress: Callable[[TdProgress], Any] | None = None,
    stop: StopToken | None = None,
) -> TdLearned:
    """Teach a network a game by TD(λ): it plays against itself, and learns from every position (Tesauro 1992).

    games, seconds    how long: by default 100,000 games
    hidden        the units of each hidden layer: (64,), (128, 32), or () for a weighted sum
    trace         λ: 0 learns from the next position, 1 from the result
    rate, last_rate    the learning rate falls geometrically from one to the other
    exploration   the share of random moves; by default 0.1, with chance 0
    seed          the same seed and the same number of games and workers give the same weights
    workers       processes; each has its own weights, and after every round the mean is taken
    interval      games of each worker in a round
    ratings, rating_games    the number of matches against the best network so far, and their games; the winner is kept
    start         begin with this network instead of random weights
    out           save the best network here whenever there is a new one, and a checkpoint beside it: an unfinished run
                  with the same options is resumed
    parameters    of a game that is given by its name
    ray           play on a Ray cluster: its address, or True for a new one on this machine
    on_progress   called from time to time
    stop          ends the run early, as Ctrl-C does, and keeps the best network so far
    """
    made = resolve(game, parameters or {}) if isinstance(game, str) else game
    require_teachable(made)
    if start is not None:
        hidden = tuple(start.hidden)
    wanted, limit = whole_number("games", games), time_limit(seconds) if seconds is not None else None
    if wanted is None and limit is None:
        wanted = DEFAULT_GAMES
    if exploration is None:
        exploration = 0.0 if made.chance else DEFAULT_EXPLORATION
    settings = TdSettings(tuple(hidden), trace, rate, last_rate, exploration, seed, workers, interval)
    if wanted is not None and settings.interval * workers > wanted:
        settings = replace(settings, interval=max(1, -(-wanted // workers)))
    run = _Run(made, settings, start, compile, stop or StopToken(), on_progress)
    run.wanted, run.limit = wanted or math.inf, limit or math.inf
    run.ratings, run.rating_games = max(int(ratings), 1), int(rating_games)
    run.open(None if out is None else Path(out))
    if ray is not False:
        run.crew = Cluster(game, parameters, settings, ray if isinstance(ray, str) and ray else None)
    elif workers > 1:
        run.crew = Processes(game, parameters, settings)
    return run.run()


def opening_for(positions: int, games: int) -> int:
    """The most random plies with which a match begins: a quarter of a game, so that there is something left to play."""
    return min(OPENING, max(1, positions // (4 * max(games, 1))))


class _Run:
    """One call of `learn_td`."""

    wanted: float
    limit: float
    ratings: int
    rating_games: int
    out: Path | None

    def __init__(
        self, game: Game, settings: TdSettings, start: Network | None, compile: bool | None, stop: StopToken, told: Any
    ):
        self.settings, self.compile, self.stop, self.told = settings, compile, stop, told
        learner = Learner(game, settings, compile)
        self.given = start is not None
        if start is not None:
            set_weights(learner.network, weights_of(start))
        self.crew: Crew = Alone(learner)
        self.plain = game
        self.now = with_network(game, Network.for_game(game, settings.hidden))
        self.best = with_network(game, Network.for_game(game, settings.hidden))
        weights = weights_of(learner.network)
        self.state = Checkpoint(game.name, digest_of(game), settings, weights, weights)
        self.before, self.earlier = 0.0, 0  # seconds and games before this run was resumed
        self.begun = self.saved = time.perf_counter()

    def open(self, out: Path | None) -> None:
        """Resume the run that has left a checkpoint beside the output file, if there is one."""
        self.out = out
        if out is None:
            return
        checkpoint = checkpoint_of(out)
        if checkpoint.exists():
            found = Checkpoint.load(checkpoint)
            found.require_same(checkpoint, self.state)
            self.state, self.before, self.earlier = found, found.seconds, self.played_in(found)
        elif out.exists() and not self.given:
            raise GameError(
                f"{out} exists, and is not overwritten: to go on learning, begin with it (--from {out}); or choose "
                "another output file"
            )

    @staticmethod
    def played_in(state: Checkpoint) -> int:
        return state.games + state.unfinished

    @property
    def played(self) -> int:
        return self.played_in(self.state)

    @property
    def seconds(self) -> float:
        return self.before + time.perf_counter() - self.begun

    @property
    def share(self) -> float:
        """How much of the run is over."""
        return min(1.0, max(self.played / self.wanted, self.seconds / self.limit))

    def run(self) -> TdLearned:
        """Play and rate until the end."""
        self.begun = time.perf_counter()
        stopped = False
        try:
            while True:
                if self.is_rating_due():
                    self.rate()
                    self.save()
                elif time.perf_counter() - self.saved > SAVE_EVERY:
                    self.save()
                if self.share >= 1.0 and self.state.rounds > 0:
                    break
                self.round()
        except (RoundStopped, KeyboardInterrupt):
            stopped = True
            self.save()
        finally:
            self.crew.close()
        learned = self.result(stopped)
        if self.out is not None and not self.out.exists():  # no match has been won yet
            learned.save(self.out)
        return learned

    def is_rating_due(self) -> bool:
        """Has another of as many equal parts of the run as there are ratings been finished?"""
        rated = self.state.ratings[-1]["share"] if self.state.ratings else 0.0
        return self.state.rounds > 0 and int(self.share * self.ratings) > int(rated * self.ratings)

    def round(self) -> None:
        """One round of all workers."""
        state, rate = self.state, self.settings.rate_after(self.share)
        if self.stop.is_set:
            raise RoundStopped
        self.tell("playing", rate)
        found = self.crew.play(state.weights, state.rounds, rate, lambda: self.stop.is_set)
        if not np.isfinite(found.weights).all():
            raise ZermeloError(
                f"the weights are not finite after {self.played:,} games: learn at a lower rate than {rate:g}"
            )
        state.weights = found.weights
        state.rounds += 1
        state.games += found.games
        state.unfinished += found.unfinished
        state.positions += found.positions
        state.seconds = self.seconds

    def rate(self) -> None:
        """A match against the best network so far; the winner is the best one from now on."""
        state = self.state
        self.tell("rating", self.settings.rate_after(self.share))
        set_weights(self.now.network, state.weights)
        set_weights(self.best.network, state.best)
        seed = mix(self.settings.seed, state.rounds)
        found: Rating = rate(
            self.now, self.best, games=self.rating_games, seed=seed, compile=self.compile,
            opening=opening_for(state.positions, self.played), stopped=lambda: self.stop.is_set,
        )  # fmt: skip
        if self.stop.is_set:
            raise RoundStopped
        better = found.points >= 0
        state.ratings.append(
            {"games": self.played, "seconds": round(self.seconds, 3), "share": self.share,
             "against": state.best_games, "points": found.points, "error": found.error, "better": better}
        )  # fmt: skip
        if better:
            state.best, state.best_games = state.weights, self.played
            if self.out is not None:
                self.result(False).save(self.out)
        self.tell("rating", self.settings.rate_after(self.share))

    def save(self) -> None:
        """Write the checkpoint; without one, a finished run has its output file only."""
        self.saved = time.perf_counter()
        self.state.seconds = self.seconds
        if self.out is None:
            return
        if self.share >= 1.0 and not self.stop.is_set:
            checkpoint_of(self.out).unlink(missing_ok=True)
        else:
            self.state.save(checkpoint_of(self.out))

    def result(self, stopped: bool) -> TdLearned:
        state = self.state
        network = Network.for_game(self.plain, self.settings.hidden)
        set_weights(network, state.best)
        network.record = {
            "method": "TD(λ)", **self.settings.to_json(), "games": self.played, "best_after": state.best_games,
            "positions": state.positions, "seconds": round(state.seconds, 3), "ratings": list(state.ratings),
        }  # fmt: skip
        return TdLearned(
            self.plain, network, state.games, state.unfinished, state.positions, state.seconds, tuple(state.ratings),
            stopped,
        )  # fmt: skip

    def tell(self, doing: str, rate: float) -> None:
        if self.told is not None:
            new = max(self.seconds - self.before, 1e-9)
            last = self.state.ratings[-1] if self.state.ratings else None
            speed = (self.played - self.earlier) / new
            self.told(TdProgress(doing, self.played, self.share, self.seconds, speed, rate, last))
