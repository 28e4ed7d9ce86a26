"""A quick match between two sets of weights for one game: are the learned weights better?"""

from __future__ import annotations

import math
from dataclasses import dataclass

from zermelo.game.errors import GameError
from zermelo.game.protocol import Game
from zermelo.kernel.stopping import StopToken
from zermelo.learn.self_play import FINISHED, Player


@dataclass(frozen=True)
class Match:
    """The first player's wins, draws and losses."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of the points, a draw being half of one."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def error(self) -> float:
        """The standard error of the score."""
        if not self.games:
            return math.inf
        square = self.wins * (1 - self.score) ** 2 + self.losses * self.score**2 + self.draws * (0.5 - self.score) ** 2
        return math.sqrt(square) / self.games

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}: {self.score:.1%} ± {self.error:.1%}"


def match(
    first: Game,
    second: Game,
    *,
    games: int = 200,
    depth: int = 2,
    opening: int = 8,
    seed: int = 0,
    quiet: bool = False,
    compile: bool | None = None,
    stop: StopToken | None = None,
) -> Match:
    """So many games between two evaluations of one game, two from each random opening, with the sides exchanged.

    With `quiet`, both look on beyond the depth through noisy moves. Stopped, it returns what has been played.
    """
    if first.name != second.name:
        raise GameError(f"a match is between two evaluations of one game, not {first.name} and {second.name}")
    low, high = first.utility_range
    middle = (low + high) / 2 if -math.inf < low and high < math.inf else 0.0
    player = Player(first, second, seed, compile, quiet=quiet)
    counts = [0, 0, 0]
    for number in range(games):
        if stop is not None and stop.is_set:
            break
        side = number % 2
        if player.play(number // 2, side, depth, opening, 0, 1.0, 0.0) == FINISHED:
            mine = next(p for p in range(first.players) if first.side(p) == side)
            worth = player.tape.utilities[mine] - middle
            counts[0 if worth > 0 else 1 if worth == 0 else 2] += 1
    return Match(*counts)
