"""A whole game as arrays: every information set, and every end with the moves of each player that lead to it.

A walk over all states finds the information sets. What a player did on the way to one is a *sequence*, and in a game
of perfect recall an information set belongs to one sequence. So the whole game is a list of ends, each with one
sequence of every player and a probability: the sequence form (Koller, Megiddo and von Stengel 1996).
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from zermelo.game.errors import GameError, TooDeep, Unsuitable
from zermelo.game.hashing import mix, mixed
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.calls import StopFlag, read_flag
from zermelo.kernel.ordinals import number_of
from zermelo.kernel.parts import Part
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine, why_not_compiled
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import Stopped, plain_python, run, run_plain

DONE, NO_ROOM, TOO_DEEP, DIFFERENT_MOVES, NO_MOVES, STOPPED = range(6)
"""How a walk ended."""

SETS, SEQUENCES, ENDS, TRAIL, FORGETTING, STATES = range(6)
"""Indices of the counts of an unfolding; FORGETTING counts states whose player has forgotten something."""

MOST_PLIES = 1000

MOST_ENDS, END_BYTES = 100_000_000, 100
"""Ends of a game that are written down unless more are allowed, and about what each takes, for two players."""

PROBES, PROBING = 400, 0.5
"""Random plays that estimate the size of a game, and the most seconds for them."""

PROBES_FOR_QUARTILE = 40
"""With fewer random plays, the upper quartile says too little."""

ELSE = "Sample it instead, with `--method mccfr` or `zermelo.equilibria.sampling.Sampler`."


class Unfolding(Part):
    """The arrays that a walk fills.

    slots, keys          a hash table from what a player knows to the number of the information set
    owner, first, width  [set] its player; its first sequence, one for each move; the number of moves
    parent               [set] the sequence of the player that leads to it; sequence p is player p's empty one
    trails, trail        [set] the moves from the start to a state of the set are trail[trails[set] : trails[set + 1]]
    move                 [sequence] its last move
    ends, chances, worth [end] the sequence of each player; the probability of chance; the utility to each player
    """

    settled = True

    def __init__(self, players: int, actions: int, sets: int, ends: int, compiled: bool):
        self.players = players
        slots = 1 << (2 * sets).bit_length()
        self.slots = np.full(slots, -1, np.int64)
        self.keys = np.zeros(sets, np.uint64)
        self.owner, self.first, self.width = (np.zeros(sets, np.int64) for _ in range(3))
        self.parent = np.zeros(sets, np.int64)
        self.trails, self.trail = np.zeros(sets + 1, np.int64), np.zeros(16 * sets, np.int64)
        self.move = np.zeros(8 * sets + players, np.int64)
        self.ends = np.zeros((ends, players), np.int32)
        self.chances, self.worth = np.zeros(ends), np.zeros((ends, players))
        self.counts = np.zeros(6, np.int64)
        self.counts[SEQUENCES] = players
        self.current = np.arange(players)
        self.moves, self.path = np.zeros((MOST_PLIES, actions), np.int64), np.zeros(MOST_PLIES, np.int64)
        self.stop: Any = np.zeros(1, np.int64) if compiled else StopFlag()

    def set_of(self, game: Any, s: Any, player: int, moves: Any, count: int, ply: int) -> int:
        """The number of the information set that this player is in; a new one if it was never met; -1 without room."""
        key = mix(mixed(game.information(s, player)) if game.hidden else mixed(s), player)
        mask = len(self.slots) - 1
        slot = number_of(key & mask)
        while self.slots[slot] >= 0:
            if self.keys[self.slots[slot]] == key:
                return number_of(self.slots[slot])
            slot = (slot + 1) & mask
        found, first, end = self.counts[SETS], self.counts[SEQUENCES], self.counts[TRAIL]
        if found >= len(self.owner) or first + count > len(self.move) or end + ply > len(self.trail):
            return number_of(-1)
        self.slots[slot] = found
        self.keys[found] = key
        self.owner[found], self.first[found], self.width[found] = player, first, count
        self.parent[found] = self.current[player]
        for i in range(count):
            self.move[first + i] = moves[i]
        for i in range(ply):
            self.trail[end + i] = self.path[i]
        self.trails[found + 1] = end + ply
        self.counts[SETS], self.counts[SEQUENCES], self.counts[TRAIL] = found + 1, first + count, end + ply
        return number_of(found)

    def note_end(self, game: Any, s: Any, chance: float) -> int:
        """Write down an end of the game."""
        end = self.counts[ENDS]
        if end >= len(self.chances):
            return NO_ROOM
        self.chances[end] = chance
        for p in range(self.players):
            self.ends[end, p] = self.current[p]
            self.worth[end, p] = game.utility(s, p)
        self.counts[ENDS] = end + 1
        return DONE


def walk(game: Any, s: Any, book: Unfolding, chance: float = 1.0, ply: int = 0) -> int:
    """Visit every state from here on, with the probability of chance so far; returns how it ended."""
    book.counts[STATES] += 1
    if read_flag(book.stop, 0) != 0:
        return STOPPED
    if game.is_terminal(s):
        return book.note_end(game, s, chance)
    if ply >= len(book.path):
        return TOO_DEEP
    mover = game.to_move(s)
    if mover == CHANCE:
        for outcome, probability in game.outcomes(s):
            if probability > 0.0:
                book.path[ply] = outcome
                ended = walk(game, game.result(s, outcome), book, chance * probability, ply + 1)
                if ended != DONE:
                    return ended
        return DONE
    moves = book.moves[ply]
    count = game.list_actions(s, moves)
    if count == 0 or count > len(moves):
        return NO_MOVES
    which = book.set_of(game, s, mover, moves, count, ply)
    if which < 0:
        return NO_ROOM
    first, before = book.first[which], book.current[mover]
    if book.width[which] != count:
        return DIFFERENT_MOVES
    for i in range(count):
        if book.move[first + i] != moves[i]:
            return DIFFERENT_MOVES
    if book.parent[which] != before:
        book.counts[FORGETTING] += 1
    for i in range(count):
        book.current[mover] = first + i
        book.path[ply] = moves[i]
        ended = walk(game, game.result(s, moves[i]), book, chance, ply + 1)
        if ended != DONE:
            return ended
    book.current[mover] = before
    return DONE


WALK = Routine(walk)


def unfold(
    game: Game,
    state: Any = None,
    *,
    most_ends: int = MOST_ENDS,
    compile: bool | None = None,
    stop: StopToken | None = None,
    seconds: float | None = None,
) -> Unfolding:
    """The arrays of a game, from its start or from a state; raises an error if it has more ends than allowed.

    seconds   how long it may take, compilation not counted
    """
    if game.hidden and not game.offers("information"):
        raise Unsuitable(f"{game.title} hides something, so it needs the method `information`")
    start = game.initial() if state is None else game.checked(state)
    compiled = why_not_compiled(game) is None if compile is None else compile
    here = game.remembering([start], MOST_PLIES + 2)
    token = stop or StopToken()
    guess = estimate_ends(game, start, token)
    if guess.least > most_ends:
        raise TooDeep(
            f"{game.title} has more than {most_ends:,} ends, too many to write them all down: about {guess.ends:.1e}, "
            f"which would take {guess.ends * END_BYTES / 1e9:,.3g} GB. {ELSE}"
        )
    sets, ends = 1 << 10, min(1 << 14, most_ends)
    if compiled:
        WALK.compiled(here, Unfolding(game.players, game.max_actions or 1024, 1, 1, compiled))
    with StopToken(token, seconds=seconds) as limited:
        while True:
            book = Unfolding(game.players, game.max_actions or 1024, sets, ends, compiled)
            ended = _walked(here, start, book, compiled, limited)
            if ended != NO_ROOM:
                break
            if ends >= most_ends:
                raise TooDeep(f"{game.title} has more than {most_ends:,} ends, too many to write them all down. {ELSE}")
            sets, ends = 4 * sets, min(4 * ends, most_ends)
    if ended == STOPPED and not token.is_set:
        raise TooDeep(f"{game.title} has about {guess.ends:.1e} ends: {seconds:g} s are not enough for them. {ELSE}")
    _check(game, start, book, ended)
    return book


class Estimate(NamedTuple):
    """About how many ends a game has, and how many it has at least, with high probability."""

    ends: float
    least: float


def estimate_ends(game: Game, start: Any, stop: StopToken | None = None) -> Estimate:
    """The number of ends from random plays: the mean product of the numbers of moves on the way (Knuth 1975)."""
    random = Random(1)
    counts: list[float] = []
    deadline = time.perf_counter() + PROBING
    while len(counts) < PROBES and not (stop is not None and stop.is_set):
        s, product, plies = start, 1.0, 0
        while not game.is_terminal(s) and plies < MOST_PLIES:
            moves = game.moves_at(s)
            if not moves:  # the walk says what is wrong
                break
            product *= len(moves)
            s = game.result(s, moves[random.below(len(moves))])
            plies += 1
        counts.append(product)
        if len(counts) >= 2 and time.perf_counter() > deadline:
            break
    mean = float(np.mean(counts)) if counts else 0.0
    error = float(np.std(counts, ddof=1)) / len(counts) ** 0.5 if len(counts) > 1 else mean
    least = mean - 4.0 * error
    if len(counts) >= PROBES_FOR_QUARTILE:
        # A few long plays may carry the whole mean. But by Markov's inequality at most one play in eight counts eight
        # times the number of ends or more, so a quarter of them would be unlikely.
        least = max(least, float(np.quantile(counts, 0.75)) / 8.0)
    return Estimate(mean, least)


def _walked(game: Game, start: Any, book: Unfolding, compiled: bool, token: StopToken) -> int:
    """Fill the arrays; returns how it ended."""
    with token.watching(book.stop):
        if compiled:
            program = WALK.compiled(game, book)
            return int(run(lambda: program(start), book.stop))
        with plain_python():
            return int(run_plain(lambda: WALK.run_plain(game, start, book), book.stop, token=token))


def _check(game: Game, start: Any, book: Unfolding, ended: int) -> None:
    """Raise an error unless the walk was complete."""
    if ended == STOPPED:
        raise Stopped
    if ended == TOO_DEEP:
        raise TooDeep(f"{game.title} goes on for more than {MOST_PLIES:,} plies")
    if ended == NO_MOVES:
        raise GameError(no_moves(game, book.moves.shape[1]))
    if ended == DIFFERENT_MOVES:
        raise GameError(different_moves(game))


def no_moves(game: Game, most: int) -> str:
    """The message about a state without moves, or with too many."""
    return f"{game.title}: a state that is not terminal has no legal moves, or more than max_actions = {most:,}"


def different_moves(game: Game) -> str:
    """The message about an information set whose states have different moves."""
    return (
        f"{game.title}: the player to move has different legal moves in two states that `information` does not tell "
        "apart. Add what decides about the moves to `information`."
    )
