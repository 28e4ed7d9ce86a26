"""One game as a routine: fast players with a depth of a ply or two, and a tape of the positions they pass.

The same routine plays a program against itself, to learn from, and one set of weights against another, to compare them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.game.hashing import mix
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.history import forget, remember, rewind
from zermelo.kernel.ordinals import number_of
from zermelo.kernel.parts import Part
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine, why_not_compiled
from zermelo.kernel.worker import PLIES
from zermelo.learn.choices import sampled
from zermelo.learn.logistic import Rows

INF = math.inf
TO_THE_END = 1 << 20
"""A depth that no game reaches."""

MOST_PLIES = 4_000
"""A game that lasts longer is given up."""

QUIESCENCE_PLIES = 8
"""How far beyond the horizon noisy moves are followed."""

DECIDED_PLIES = 8
"""The plies in a row for which a game must look decided to be ended."""

FINISHED, UNFINISHED, NO_ROOM, WRONG_NUMBER = range(4)
"""How a game went; in the last two cases it has to be played again, or mended."""

# Indices of a tape's counts.
POSITIONS, AMOUNTS, LENGTH = range(3)


class Tape(Part):
    """Positions with their features, as the player to move sees them.

    numbers, amounts   the features of all positions, one after another
    starts             [position] the index of its first feature
    movers, plies      [position] the player to move, and the plies played
    values             [position] the value of a search for the player to move, if requested
    utilities          [player] the utility of the end
    counts             positions and amounts so far, and the plies of the game
    """

    settled = True

    def __init__(self, positions: int, amounts: int, players: int, features: int):
        self.features = features
        self.numbers = np.zeros(amounts, np.int32)
        self.amounts = np.zeros(amounts, np.float32)
        self.starts = np.zeros(positions + 1, np.int64)
        self.movers = np.zeros(positions, np.int64)
        self.plies = np.zeros(positions, np.int64)
        self.values = np.zeros(positions, np.float64)
        self.utilities = np.zeros(players, np.float64)
        self.counts = np.zeros(3, np.int64)

    def note(self, game: Any, s: Any, mover: int, ply: int, value: float) -> int:
        """Write a position down; returns FINISHED if there was room."""
        position, n = self.counts[POSITIONS], self.counts[AMOUNTS]
        if position >= len(self.movers):
            return NO_ROOM
        for number, amount in game.features(s, mover):
            if number < 0 or number >= self.features:
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
        self.values[position] = value
        self.starts[position + 1] = n
        self.counts[POSITIONS] = position + 1
        self.counts[AMOUNTS] = n
        return FINISHED


class Room(Part):
    """How players search, with room for the moves of the quiescence search.

    quiet      they look on until it is quiet
    searched   recorded positions are also searched, a ply deeper than the players search
    """

    settled = True

    def __init__(self, game: Game, quiet: bool, searched: bool, depth: int):
        self.quiet, self.searched = quiet, searched
        room = (depth + 1 + QUIESCENCE_PLIES if quiet else 0, game.max_actions or 256)
        self.moves = np.zeros(room, np.int64)
        self.promises = np.zeros(room, np.float64)


def look(game: Any, s: Any, player: int, depth: int, alpha: float, beta: float) -> float:
    """Alpha-beta: the value of a state for this player if it is within the window; otherwise a bound on it."""
    remember(game, s)
    if game.is_terminal(s):
        best = 1.0 * game.utility(s, player)
    elif depth <= 0:
        best = 1.0 * game.evaluate(s, player)
    elif game.to_move(s) == CHANCE:
        best = 0.0
        for outcome, probability in game.outcomes(s):
            best += probability * look(game, game.result(s, outcome), player, depth, -INF, INF)
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


def look_on(game: Any, s: Any, player: int, room: Room, ply: int, depth: int, alpha: float, beta: float) -> float:
    """The same with quiescence: beyond the depth noisy moves are followed, all moves by how much they promise."""
    remember(game, s)
    if game.is_terminal(s):
        forget(game)
        return float(1.0 * game.utility(s, player))
    own = game.side(game.to_move(s)) == game.side(player)
    best = -INF if own else INF
    noisy_only = depth <= 0 and game.may_stand(s)
    if noisy_only or ply >= len(room.moves):
        best = 1.0 * game.evaluate(s, player)
        if ply >= len(room.moves) or (best >= beta if own else best <= alpha):
            forget(game)
            return float(best)
    moves, promises = room.moves[ply], room.promises[ply]
    count = game.list_noisy_actions(s, moves) if noisy_only else game.list_actions(s, moves)
    for i in range(count):
        promises[i] = game.promise(s, moves[i])
    for tried in range(count):
        first = tried
        for i in range(tried + 1, count):
            if promises[i] > promises[first]:
                first = i
        move = moves[first]
        moves[first], promises[first] = moves[tried], promises[tried]
        after = game.result(s, move)
        if own:
            best = max(best, look_on(game, after, player, room, ply + 1, depth - 1, max(alpha, best), beta))
        else:
            best = min(best, look_on(game, after, player, room, ply + 1, depth - 1, alpha, min(beta, best)))
        if best >= beta if own else best <= alpha:
            break
    forget(game)
    return float(best)


def is_quiet(game: Any, s: Any, player: int, room: Room) -> bool:
    """Does quiescence search return the static evaluation?"""
    if not room.quiet:
        return True
    here = number_of(0)  # a recursion that is called with a literal here and a number there cannot be cached
    return bool(game.may_stand(s) and look_on(game, s, player, room, here, here, -INF, INF) == game.evaluate(s, player))


def searched_value(game: Any, s: Any, player: int, room: Room, depth: int) -> float:
    """The value of a state by a search to this depth."""
    if room.quiet:
        return look_on(game, s, player, room, number_of(0), depth, -INF, INF)
    return look(game, s, player, depth, -INF, INF)


def best_move(game: Any, s: Any, player: int, random: Random, room: Room, depth: int) -> int:
    """The best move of the search; of equal moves, each is equally likely."""
    best = -INF
    equals = 0
    move = 0
    for a in game.actions(s):
        nearly = best - 1e-12 * max(1.0, abs(best))  # so that equals are seen to be equal
        after = game.result(s, a)
        if room.quiet:
            value = look_on(game, after, player, room, number_of(0), depth - 1, nearly, INF)
        else:
            value = look(game, after, player, depth - 1, nearly, INF)
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
    room: Room,
    side: int,
    depth: int,
    opening: int,
    ending: int,
    exploration: float,
    share: float,
    decided: float,
) -> int:
    """One game between `game`'s evaluation, on this side, and `rival`'s; returns how it went.

    Each of the first `opening` moves is random with probability `exploration`, and the last of them always is, so that
    there are also positions after bad moves: a search meets many of them. After the opening both players play as well
    as they can, and each position is recorded with probability `share`; with quiescence search, only quiet ones. With
    at most `ending` plies left, play is perfect. A game that has been `decided` better than a draw for the same
    player for DECIDED_PLIES plies is over.
    """
    streak = 0
    for ply in range(MOST_PLIES):
        remember(game, s)
        remember(rival, s)
        if game.is_terminal(s):
            for p in range(game.players):
                tape.utilities[p] = game.utility(s, p)
            tape.counts[LENGTH] = ply
            return FINISHED
        if decided < INF:
            low, high = game.utility_range
            worth = game.evaluate(s, 0) - (low + high) / 2
            streak = max(streak, 0) + 1 if worth > decided else min(streak, 0) - 1 if worth < -decided else 0
            if abs(streak) == DECIDED_PLIES:
                for p in range(game.players):
                    tape.utilities[p] = high if (game.side(p) == game.side(0)) == (streak > 0) else low
                tape.counts[LENGTH] = ply
                return FINISHED
        if game.to_move(s) == CHANCE:
            s = game.result(s, sampled(game, s, random))
            continue
        player = max(game.to_move(s), number_of(0))
        move = 0
        if ply >= opening and random.uniform() < share and is_quiet(game, s, player, room):
            value = searched_value(game, s, player, room, depth + 1) if room.searched else 0.0
            trouble = tape.note(game, s, player, ply, value)
            if trouble != FINISHED:
                return trouble
        if ply == opening - 1 or (ply < opening and random.uniform() < exploration):
            move = any_move(game, s, random)
        else:
            far = depth
            if ending > 0 and game.plies_left(s) <= ending:
                far = TO_THE_END
            if game.side(player) == side:
                move = best_move(game, s, player, random, room, far)
            else:
                move = best_move(rival, s, player, random, room, far)
        s = game.result(s, move)
    tape.counts[LENGTH] = MOST_PLIES
    return UNFINISHED


PLAY = Routine(play)


class Player:
    """Plays games between two evaluations of one game, compiled wherever the game allows it.

    quiet      look on through noisy moves, and note quiet positions only
    searched   also record the value of a search one ply deeper
    decided    end games that have been this much better than a draw for one player for some plies; by default none
    """

    def __init__(
        self,
        game: Game,
        rival: Game,
        seed: int,
        compile: bool | None = None,
        *,
        quiet: bool = False,
        searched: bool = False,
        decided: float = math.inf,
    ):
        self.quiet, self.searched, self.decided = quiet, searched, decided
        self.game = game.remembering((), PLIES)
        self.rival = rival.remembering((), PLIES)
        self.compiled = compile if compile is not None else why_not_compiled(game) is None
        self.random = Random()
        self.seed = seed
        self.tape = Tape(1 << 12, 1 << 17, game.players, len(game.feature_names()))

    def play(
        self, number: int, side: int, depth: int, opening: int, ending: int, exploration: float, share: float
    ) -> int:
        """Play the game of this number: its random numbers, and so its moves, depend on the seed and on that alone."""
        while True:
            before = self.tape.counts.copy()
            for one in (self.game, self.rival):
                rewind(one, 0)
            self.random.state[0] = self._seed_of(number)
            rest = (side, depth, opening, ending, float(exploration), float(share), float(self.decided))
            parts = (self.rival, self.random, self.tape, Room(self.game, self.quiet, self.searched, depth))
            if self.compiled:
                how = int(PLAY.compiled(self.game, *parts, *rest)(self.game.initial()))
            else:
                how = PLAY.run_plain(self.game, self.game.initial(), *parts, *rest)
            if how != NO_ROOM:
                return how
            self.tape.counts[:] = before
            self._enlarge()

    def opening(self, number: int, most: int) -> int:
        """The number of opening moves of this game: each number up to the maximum is equally likely."""
        self.random.state[0] = mix(self._seed_of(number), most)
        return self.random.below(most + 1)

    def _seed_of(self, number: int) -> int:
        return mix(mix(0, self.seed), number)

    def _enlarge(self) -> None:
        """Make room for more positions, and go on with those that there are."""
        old = self.tape
        tape = Tape(2 * len(old.movers), 2 * len(old.numbers), len(old.utilities), old.features)
        for name in ("numbers", "amounts", "starts", "movers", "plies", "values", "utilities", "counts"):
            table = getattr(old, name)
            getattr(tape, name)[: len(table)] = table
        self.tape = tape

    def rows(self, positions: int, columns: int) -> Rows:
        """The features of the first `count` positions on the tape."""
        tape = self.tape
        amounts = int(tape.starts[positions])
        return Rows(
            tape.numbers[:amounts].copy(), tape.amounts[:amounts].copy(), tape.starts[: positions + 1].copy(), columns
        )
