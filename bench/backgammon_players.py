"""Opponents for backgammon: pubeval and gnubg-nn, and matches at 0-ply, cubeless for money.

Pubeval is Tesauro's public player of 1993: a linear function of the position after the move, with one set of weights
for races and one for the rest. Its weights are not part of the project: a folder with `pubeval_contact.txt` and
`pubeval_race.txt` (122 numbers each) is needed. gnubg-nn (GPL) is the evaluation of GNU Backgammon as a Python package.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.state import u64
from zermelo.games.backgammon import Backgammon, BackgammonState
from zermelo.games.backgammon.checkers import BAR, CHECKERS, OFF, count_at, occupied
from zermelo.games.backgammon.state import MOVING, OVER, ROLLING
from zermelo.kernel.bits import highest_bit, replaced
from zermelo.kernel.parts import Part
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.learn.choices import best_move
from zermelo.networks.siblings import Siblings

INF = float("inf")


@dataclass(frozen=True)
class Score:
    """Points per game with their standard error."""

    mean: float
    error: float
    games: int

    def __str__(self) -> str:
        return f"{self.mean:+.4f} ± {self.error:.4f} ({self.games:,} games)"


def score(points: Any) -> Score:
    return Score(float(np.mean(points)), float(np.std(points) / math.sqrt(len(points))), len(points))


class Greedy(Part):
    """The player that takes the move whose result the game's network likes best: 0-ply."""

    def __init__(self, game: Backgammon):
        self.siblings = Siblings(game.network)
        self.moves = np.zeros(game.max_actions, np.int64)

    def choose(self, game: Any, s: Any) -> int:
        return best_move(game, self.siblings, s, self.moves, game.list_actions(s, self.moves))


class Pubeval(Part):
    """Tesauro's public player. It uses the race weights if there was no contact before the move."""

    def __init__(self, folder: Path):
        self.contact, self.race = (
            np.array((folder / f"pubeval_{name}.txt").read_text().split(), float) for name in ("contact", "race")
        )
        self.moves = np.zeros(Backgammon.max_actions, np.int64)

    def choose(self, game: Any, s: Any) -> int:
        rear, other = highest_bit(occupied(s.low[0], s.high[0])), highest_bit(occupied(s.low[1], s.high[1]))
        best, chosen = -INF, 0
        for i in range(game.list_actions(s, self.moves)):
            value = self.judge(game.result(s, self.moves[i]), s.mover, rear + other < 25)
            if value > best:
                best, chosen = value, self.moves[i]
        return int(chosen)

    def judge(self, s: Any, p: int, race: bool) -> float:
        """What a position is worth to the player who has just moved."""
        low, high, other_low, other_high = s.low[p], s.high[p], s.low[1 - p], s.high[1 - p]
        if count_at(low, high, OFF) == CHECKERS:
            return 1e9
        weights = self.race if race else self.contact
        total = weights[120] * count_at(other_low, other_high, BAR) / 2 + weights[121] * count_at(low, high, OFF) / 15
        for j in range(24):
            place = 24 - j
            checkers = count_at(low, high, place) - count_at(other_low, other_high, 25 - place)
            if checkers == -1:
                total += weights[5 * j]
            elif checkers == 1:
                total += weights[5 * j + 1]
            elif checkers > 1:
                total += weights[5 * j + 2]
                if checkers == 3:
                    total += weights[5 * j + 3]
                elif checkers > 3:
                    total += weights[5 * j + 4] * (checkers - 3) / 2
        return float(total)


def rolled(game: Any, s: Any, random: Random) -> Any:
    """The state after a random roll."""
    one, other = 1 + random.pick(6), 1 + random.pick(6)
    while s.phase != ROLLING and one == other:  # the opening roll
        one, other = 1 + random.pick(6), 1 + random.pick(6)
    return game.result(s, 10 * one + other if s.phase != ROLLING else 10 * max(one, other) + min(one, other))


def play_match(game: Any, s: Any, rival: Any, first: Any, second: Any, random: Random, games: int, points: Any) -> int:
    """Play games: `first` on `game` against `second` on `rival`. Two games share their dice, with sides exchanged."""
    start = s
    seed = random.state[0]
    for number in range(games):
        random.state[0] = seed + u64(0x1234567) * u64(number >> 1)
        s = start
        while not game.is_terminal(s):
            s = rolled(game, s, random)
            if s.mover == number & 1:
                s = game.result(s, first.choose(game, s))
            else:
                s = rival.result(s, second.choose(rival, s))
        points[number] = game.utility(s, number & 1)
    return games


MATCH = Routine(play_match)


def match(game: Backgammon, rival: Backgammon, first: Part, second: Part, games: int, seed: int = 1) -> Any:
    """The points of `first` in each game."""
    points = np.zeros(games)
    MATCH.compiled(game, rival, first, second, Random(seed), games, points)(game.initial())
    return points


def choose(game: Any, s: Any, player: Any) -> int:
    return int(player.choose(game, s))


CHOOSE = Routine(choose)


class GnubgNN:
    """GNU Backgammon's evaluation in this process. It moves by itself; what it plays is matched by position."""

    def __init__(self, plies: int = 0):
        import gnubg_nn

        self.engine, self.plies = gnubg_nn, plies

    def board(self, s: BackgammonState, p: int) -> list[list[int]]:
        """The checkers of the other side and of player p, who is on roll: points 1 to 24, and the bar."""
        return [[count_at(s.low[q], s.high[q], place) for place in range(1, 26)] for q in (1 - p, p)]

    def play(self, s: BackgammonState) -> BackgammonState:
        """The position after gnubg's move, with the other player about to roll."""
        p = s.mover
        own, other = ([count_at(s.low[q], s.high[q], place) for place in range(26)] for q in (p, 1 - p))
        steps = self.engine.best_move([other[1:], own[1:]], s.dice >> 3, s.dice & 7, self.plies)
        for origin, target in steps:
            own[origin] -= 1
            own[target] += 1
            if target > OFF and other[25 - target] == 1:
                other[25 - target], other[BAR] = 0, other[BAR] + 1
        lows, highs = s.low, s.high
        for q, counts in ((p, own), (1 - p, other)):
            word = sum(number << 4 * place for place, number in enumerate(counts))
            lows, highs = replaced(lows, q, u64(word & (1 << 64) - 1)), replaced(highs, q, u64(word >> 64))
        return s._replace(low=lows, high=highs, dice=0, mover=1 - p, phase=ROLLING)


def is_legal(game: Backgammon, s: BackgammonState, after: BackgammonState) -> bool:
    """Is a position one of the results of the legal moves?"""
    results = (game.result(s, a) for a in game.actions(s))
    return any(found.low == after.low and found.high == after.high for found in results)


def match_gnubg(game: Backgammon, player: Any, gnubg: GnubgNN, games: int, seed: int = 1, checked: int = 200) -> Any:
    """The points of a player in each game against gnubg-nn; the first moves of gnubg are checked with the rules.

    The player is a part with `choose`, or a function from a state to a move.
    """
    find = CHOOSE.compiled(game, player) if isinstance(player, Part) else player
    random, points = Random(seed), np.zeros(games)
    for number in range(games):
        random.state[0] = u64(seed * 0x9E3779B9 + 0x1234567 * (number >> 1))
        s = game.initial()
        while not game.is_terminal(s):
            s = rolled(game, s, random)
            assert s.phase == MOVING
            if s.mover == number & 1:
                s = game.result(s, int(find(s)))
                continue
            after = gnubg.play(s)
            if checked > 0:
                assert is_legal(game, s, after), f"gnubg played an illegal move: {game.to_text(s)}"
                checked -= 1
            p = s.mover
            if count_at(after.low[p], after.high[p], OFF) == CHECKERS:
                after = game.after_game(after, p, game.game_points(after, p))
            s = after
        assert s.phase == OVER
        points[number] = game.utility(s, number & 1)
    return points
