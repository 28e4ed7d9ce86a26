"""Pairs of games between two evaluations of one game, at a number of nodes per move: which is better?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.game.hashing import mix
from zermelo.game.protocol import Game
from zermelo.kernel.random import Random
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import run
from zermelo.learn.positions.generator import TABLE, PlaySettings
from zermelo.learn.positions.pairs import PLAY_PAIR
from zermelo.learn.positions.playing import FAULTY, LONGEST, SEARCHED
from zermelo.search.engine.engine import Engine
from zermelo.search.engine.task import MOST_PLIES, SALTS


class Contest:
    """Plays pairs of games. Both games of a pair begin with the same random opening, with the sides exchanged."""

    def __init__(self, first: Game, second: Game, settings: PlaySettings):
        self.settings = settings
        self.engines = [Engine(game, table=TABLE, endgames=False, compile=True) for game in (first, second)]
        self.games = [_own(game) for game in (first, second)]
        low, high = first.utility_range
        finite = -math.inf < low and high < math.inf
        self.balance = settings.balance or ((high - low) / 4 if finite else math.inf)
        self.random, self.points = Random(), np.zeros(2, np.int64)

    def pairs(self, first: int, count: int, stop: StopToken) -> list[tuple[int, int]]:
        """The half points of the first evaluation in both games of so many pairs; fewer if it is stopped."""
        found: list[tuple[int, int]] = []
        memories = [engine.memories[0] for engine in self.engines]
        with stop.watching(*[memory.stop for memory in memories]):
            for number in range(first, first + count):
                self.random.state[0] = mix(mix(1, self.settings.seed), number)
                how = self._pair(memories)
                if how == FAULTY:
                    raise GameError(f"a search of {self.games[0].title} failed: run `zermelo check` on it")
                if how != SEARCHED:
                    break
                found.append((int(self.points[0]), int(self.points[1])))
        return found

    def _pair(self, memories: list[Any]) -> int:
        settings = self.settings
        program = PLAY_PAIR.compiled(
            self.games[0], self.games[1], *memories, self.random, self.points, SALTS, settings.nodes,
            *settings.opening, float(self.balance), math.inf if settings.decided is None else float(settings.decided),
        )  # fmt: skip
        return int(run(lambda: program(self.games[0].initial()), memories[0].stop))


def _own(game: Game) -> Game:
    """The game with a path of its own, also if both evaluations are the same object."""
    return game.remembering((), LONGEST + MOST_PLIES + 2)
