"""Players of known strength whose games depend on the opening, on the side and on the nearness of a draw.

An opening favours the player who begins by a number of Elo that is drawn from a normal distribution; a pair is two
games from one opening with the sides exchanged. Games are won, drawn and lost by Davidson's model (1970).
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from zermelo.arena.elo import elo_of_score, score_of_elo
from zermelo.arena.score import Score


@dataclass(frozen=True)
class World:
    """What games are like, whoever plays."""

    draws: float = 0.5  # how near a draw is: 0 for never; among equals, draws / (2 + draws) of the games are drawn
    openings: float = 100.0  # the standard deviation of what an opening is worth to who begins, in Elo
    side: float = 30.0  # what it is worth to begin, on average

    def chances(self, elo: Any) -> Any:
        """The chances of loss, draw and win at a difference in strength, along the last axis."""
        root = 10.0 ** (np.asarray(elo) / 800)
        weights = np.stack([1 / root, np.full_like(root, self.draws), root], axis=-1)
        return weights / weights.sum(axis=-1, keepdims=True)

    def expected(self, strength: float) -> float:
        """The expected score over all openings and both sides: the truth that intervals are about."""
        worth = self.side + self.openings * np.array([NormalDist().inv_cdf((k + 0.5) / 999) for k in range(999)])
        return float(np.mean([self.chances(strength + sign * worth) @ [0, 0.5, 1] for sign in (1, -1)]))

    def strength(self, elo: float) -> float:
        """The difference in strength at which the expected score is that of a difference in Elo."""
        low, high = -4000.0, 4000.0
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if self.expected(middle) < score_of_elo(elo) else (low, middle)
        return low

    def pairs(self, random: np.random.Generator, strength: float, shape: tuple[int, ...]) -> Any:
        """The half points of both games of so many pairs, along the last axis."""
        worth = random.normal(self.side, self.openings, shape)
        games = []
        for sign in (1, -1):
            chances = self.chances(strength + sign * worth)
            lots = random.random(shape)
            games.append((lots > chances[..., 0]).astype(int) + (lots > chances[..., 0] + chances[..., 1]))
        return np.stack(games, axis=-1)


def truth(world: World, strength: float) -> float:
    return elo_of_score(world.expected(strength))


def scored(pairs: Any, singles: Any = ()) -> Score:
    """The score of a match from its half points, without adding game by game."""
    score = Score()
    singles = np.asarray(singles, dtype=int)
    score.pairs = np.bincount(np.asarray(pairs, dtype=int).reshape(-1, 2).sum(axis=1), minlength=5).tolist()
    score.singles = np.bincount(singles, minlength=3).tolist()
    score.results = np.bincount([*np.asarray(pairs, dtype=int).ravel(), *singles], minlength=3).tolist()
    return score
