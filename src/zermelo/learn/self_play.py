"""One game as a routine: quick players who look a ply or two ahead, and a tape of the positions that they came through.

The same routine plays a program against itself, to learn from, and one set of weights against another, to compare them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.game.hashing import mix
from zermelo.game.protocol import Game
from zermelo.kernel.history import forget, remember
from zermelo.kernel.ordinals import number_of
from zermelo.kernel.parts import Part
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine, why_not_compiled
from zermelo.kernel.worker import PLIES
from zermelo.learn.logistic import Rows

INF = math.inf
TO_THE_END = 1 << 20
"""A depth that no game reaches."""

MOST_PLIES = 4_000
"""A game that lasts longer is given up."""

FINISHED, UNFINISHED, NO_ROOM, WRONG_NUMBER = range(4)
"""How a game went; in the last two cases it has to be played again, or mended."""

# What a tape counts.
POSITIONS, AMOUNTS, LENGTH = range(3)


class Tape(Part):
    """Positions with their features, as the player to move sees them.

    numbers, amounts   the features of all positions, one after another
    starts             [position] where its features begin
    movers, plies      [position] who was to move, and after how many plies
    utilities          [player] what the end of the game was worth
    counts             positions and amounts so far, and how many plies the game lasted
    """

    settled = True

    def __init__(self, positions: int, amounts: int, players: int):
        self.numbers = np.zeros(amounts, np.int32)
        self.amounts = np.zeros(amounts, np.float32)
        self.starts = np.zeros(positions + 1, np.int64)
        self.movers = np.zeros(positions, np.int64)
        self.plies = np.zeros(positions, np.int64)
        self.utilities = np.zeros(players, np.float64)
        self.counts = np.zeros(3, np.int64)

    def note(self, game: Any, s: Any, mover: int, ply: int) -> int:
        """Write a position down; returns FINISHED if there was room."""
        position, n = self.counts[POSITIONS], self.counts[AMOUNTS]
        if position >= len(self.movers):
            return NO_ROOM
        for number, amount in game.features(s, mover):
            if number < 0 or number >= len(game.weights):
                self.starts[0] = number
                return WRONG_NUMBER
            if amount != 0.0:
                if n >= len(self.numbers):
                    return NO_ROOM
                self.numbers[n] = number
                self.amounts[n] = amount
                n += 1
        self.movers[position] = mover
        self.plies[position] = ply
        self.starts[position + 1] = n
        self.counts[POSITIONS] = position + 1
        self.counts[AMOUNTS] = n
        return FINISHED


def look(game: Any, s: Any, player: int, depth: int, alpha: float, beta: float) -> float:
    """Alpha-beta: the value of a state for this player, where it lies within the window; otherwise a bound on it."""
    remember(game, s)
    if game.is_terminal(s):
        best = 1.0 * game.utility(s, player)
    elif depth <= 0:
        best = 1.0 * game.evaluate(s, player)
    elif game.side(game.to_move(s)) == game.side(player):
        best = -INF
        for a in game.actions(s):
            best = max(best, look(game, game.result(s, a), player, depth - 1, max(alpha, best), beta))
            if best >= beta:
                break
    else:
        best = INF
        for a in game.actions(s):
            best = min(best, look(game, game.result(s, a), player, depth - 1, alpha, min(beta, best)))
            if best <= alpha:
                break
    forget(game)
    return float(best)


def best_move(game: Any, s: Any, player: int, random: Random, depth: int) -> int:
    """The best move as far as one sees; of several equals each is equally likely."""
    best = -INF
    equals = 0
    move = 0
    for a in game.actions(s):
        nearly = best - 1e-12 * max(1.0, abs(best))  # so that equals are seen to be equal
        value = look(game, game.result(s, a), player, depth - 1, nearly, INF)
        if value > best or equals == 0:
            best, equals, move = value, 1, a
        elif value == best:
            equals += 1
            if random.below(equals) == 0:
                move = a
    return move


def any_move(game: Any, s: Any, random: Random) -> int:
    """A legal move, each equally likely."""
    count = 0
    move = 0
    for a in game.actions(s):
        count += 1  # noqa: SIM113 - compiled
        if random.below(count) == 0:
            move = a
    return move


def play(
    game: Any,
    s: Any,
    rival: Any,
    random: Random,
    tape: Tape,
    side: int,
    depth: int,
    opening: int,
    ending: int,
    exploration: float,
    share: float,
) -> int:
    """One game between `game`'s evaluation, on this side, and `rival`'s; returns how it went.

    The first moves, `opening` of them, are each random with the chance `exploration`, and the last of them always is,
    so that there are also positions after moves that nobody would choose: a search meets many of them. Of the positions
    after the opening, where all play as well as they can, each is written down with the chance `share`. With at most
    `ending` plies left, play is perfect.
    """
    for ply in range(MOST_PLIES):
        remember(game, s)
        remember(rival, s)
        if game.is_terminal(s):
            for p in range(game.players):
                tape.utilities[p] = game.utility(s, p)
            tape.counts[LENGTH] = ply
            return FINISHED
        player = max(game.to_move(s), number_of(0))
        move = 0
        if ply >= opening and random.uniform() < share:
            trouble = tape.note(game, s, player, ply)
            if trouble != FINISHED:
                return trouble
        if ply == opening - 1 or (ply < opening and random.uniform() < exploration):
            move = any_move(game, s, random)
        else:
            far = depth
            if ending > 0 and game.plies_left(s) <= ending:
                far = TO_THE_END
            if game.side(player) == side:
                move = best_move(game, s, player, random, far)
            else:
                move = best_move(rival, s, player, random, far)
        s = game.result(s, move)
    tape.counts[LENGTH] = MOST_PLIES
    return UNFINISHED


PLAY = Routine(play)


class Player:
    """Plays games between two evaluations of one game, compiled wherever the game allows it."""

    def __init__(self, game: Game, rival: Game, seed: int, compile: bool | None = None):
        self.game = game.remembering((), PLIES)
        self.rival = rival.remembering((), PLIES)
        self.compiled = compile if compile is not None else why_not_compiled(game) is None
        self.random = Random()
        self.seed = seed
        self.tape = Tape(1 << 12, 1 << 17, game.players)

    def play(
        self, number: int, side: int, depth: int, opening: int, ending: int, exploration: float, share: float
    ) -> int:
        """Play the game of this number: its random numbers, and so its moves, depend on the seed and on that alone."""
        while True:
            before = self.tape.counts.copy()
            for one in (self.game, self.rival):
                if one.uses_history:
                    one.history_length[0] = 0
            self.random.state[0] = self._seed_of(number)
            rest = (side, depth, opening, ending, float(exploration), float(share))
            parts = (self.rival, self.random, self.tape)
            if self.compiled:
                how = int(PLAY.compiled(self.game, *parts, *rest)(self.game.initial()))
            else:
                how = PLAY.run_plain(self.game, self.game.initial(), *parts, *rest)
            if how != NO_ROOM:
                return how
            self.tape.counts[:] = before
            self._enlarge()

    def opening(self, number: int, most: int) -> int:
        """How many moves the opening of this game has: each number up to the most is equally likely."""
        self.random.state[0] = mix(self._seed_of(number), most)
        return self.random.below(most + 1)

    def _seed_of(self, number: int) -> int:
        return mix(mix(0, self.seed), number)

    def _enlarge(self) -> None:
        """Make room for more positions, and go on with those that there are."""
        old = self.tape
        tape = Tape(2 * len(old.movers), 2 * len(old.numbers), len(old.utilities))
        for name in ("numbers", "amounts", "starts", "movers", "plies", "utilities", "counts"):
            table = getattr(old, name)
            getattr(tape, name)[: len(table)] = table
        self.tape = tape

    def rows(self, positions: int, columns: int) -> Rows:
        """The features of the first so many positions on the tape."""
        tape = self.tape
        amounts = int(tape.starts[positions])
        return Rows(
            tape.numbers[:amounts].copy(), tape.amounts[:amounts].copy(), tape.starts[: positions + 1].copy(), columns
        )
