"""One learner: a network with weights of its own that plays rounds of games against itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.game.hashing import mix
from zermelo.game.protocol import Game
from zermelo.kernel.random import Random
from zermelo.kernel.routine import why_not_compiled
from zermelo.learn.td.lesson import LEARN, NO_ROOM, Lesson
from zermelo.learn.td.settings import TdSettings
from zermelo.networks import Network, with_network

MOST_PLIES = 5_000
"""A game that lasts longer is given up."""

AT_A_TIME = 0.1
"""Seconds that compiled code plays before it can be stopped."""


class RoundStopped(Exception):
    """A round was stopped before its end; its games do not count."""


@dataclass(frozen=True)
class Round:
    """What a learner has done in a round: its weights afterwards, and how much it has played."""

    weights: Any
    games: int
    unfinished: int
    positions: int


def weights_of(network: Network) -> Any:
    """All weights of a network as one vector."""
    return np.concatenate([np.ravel(table) for table in network.arrays()])


def set_weights(network: Network, vector: Any) -> None:
    """Overwrite all weights of a network, in place: programs that use it need not be asked for again."""
    start = 0
    for table in network.arrays():
        table[...] = vector[start : start + table.size].reshape(table.shape)
        start += table.size
    if start != len(vector):
        raise ValueError(f"the network has {start} weights, not {len(vector)}")


class Learner:
    """A network that learns from its own games, compiled if the game allows it."""

    def __init__(self, game: Game, settings: TdSettings, compile: bool | None = None):
        self.network = Network.for_game(game, settings.hidden, seed=settings.seed)
        self.game, self.settings = with_network(game, self.network), settings
        self.compiled = compile if compile is not None else why_not_compiled(game) is None
        self.random = Random()
        self.lesson = Lesson(self.network)
        self.at_a_time = 1

    def play(
        self, weights: Any, worker: int, number: int, rate: float, stopped: Callable[[], bool] = lambda: False
    ) -> Round:
        """Play a round, beginning with these weights.

        The result depends on nothing else but the settings, so a round that was lost can be played again, by any
        process.
        """
        while True:
            found = self._attempt(weights, worker, number, rate, stopped)
            if found is not None:
                return found
            places, entries = len(self.lesson.viewers), len(self.lesson.numbers)
            self.lesson = Lesson(self.network, 2 * places, 2 * entries)

    def _attempt(
        self, weights: Any, worker: int, number: int, rate: float, stopped: Callable[[], bool]
    ) -> Round | None:
        """A round; None if a game had more positions than there was room for."""
        set_weights(self.network, weights)
        self.random.state[0] = mix(mix(mix(0, self.settings.seed), number), worker)
        self.lesson.counts[0] = 0
        played = finished = 0
        while played < self.settings.interval:
            if stopped():
                raise RoundStopped
            some = min(self.at_a_time, self.settings.interval - played)
            began = time.perf_counter()
            ended = self._some_games(some, rate)
            if ended == NO_ROOM:
                return None
            took = time.perf_counter() - began
            self.at_a_time = max(1, min(2 * some, int(some * AT_A_TIME / max(took, 1e-6))))
            played, finished = played + some, finished + ended
        return Round(weights_of(self.network), finished, played - finished, int(self.lesson.counts[0]))

    def _some_games(self, games: int, rate: float) -> int:
        arguments = (self.lesson, self.random, games, MOST_PLIES, rate, self.settings.trace, self.settings.exploration)
        if self.compiled:
            return int(LEARN.compiled(self.game, *arguments)(self.game.initial()))
        return int(LEARN.run_plain(self.game, self.game.initial(), *arguments))
