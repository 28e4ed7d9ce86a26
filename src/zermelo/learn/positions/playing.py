"""Whole games of the engine against itself in one compiled routine, which writes down the positions.

Python between the moves would take longer than the searches: a short search at chess takes half a millisecond.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zermelo.game.protocol import Game
from zermelo.kernel.calls import read_flag
from zermelo.kernel.flat import count_words, write_state
from zermelo.kernel.history import forget, remember, rewind
from zermelo.kernel.ordinals import float_of, number_of
from zermelo.kernel.parts import Part
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.search.bookkeeping import NODE_LIMIT, NODES
from zermelo.search.checks import UNLIMITED
from zermelo.search.engine.memory import Memory
from zermelo.search.engine.node import NOTHING, search_node
from zermelo.search.engine.scores import TOP, WIN, WINS
from zermelo.search.engine.switches import ESTIMATES, EXCLUDED, EXTENDED_LIMIT, ROOT_HINT, SALT
from zermelo.search.engine.table import AGE, AGES

QUIET, FIRST, LAST, WON, ADJUDICATED, RANDOM = 1, 2, 4, 8, 16, 32
"""The flags of a position: no capture or the like to come; the first and the last of a game; the search found a win or
a loss; the game was ended by its score; a random move was played."""

MOST_DEPTH = 100
"""The depth at which a search ends, however few nodes it took."""
HARD_LIMIT = 4
"""How many times the wanted nodes a depth may take before it is given up."""
DECIDED_PLIES = 6
"""For how many plies in a row a game must look decided to be ended."""
MOST_OPENINGS = 50
"""How many random openings are tried before an unbalanced one is taken."""
LONGEST = 1_000
"""A game of more plies is given up: none of its positions is kept."""

SEARCHED, STOPPED, FAULTY = range(3)
"""How a search ended: with a move, by the stop flag, or because the rules failed."""

POSITIONS, GAMES, GIVEN_UP, SEARCHES, VISITED = range(5)
"""The counts of a tape."""


class Tape(Part):
    """The positions of games, in columns.

    words     [position] the state as a row of words
    scores    [position] the value of the search to the player to move
    results   [position] the utility of the end of the game to the player to move
    movers    [position] the player to move
    plies     [position] plies since the start of the game, the opening included
    flags     [position] see above
    counts    positions and games on the tape; games given up, searches and nodes so far
    """

    settled = True

    def __init__(self, game: Game, room: int):
        self.words = np.zeros((room, count_words(type(game.initial()))), np.uint64)
        self.scores, self.results = np.zeros(room, np.float32), np.zeros(room, np.float32)
        self.movers, self.plies = np.zeros(room, np.int8), np.zeros(room, np.uint16)
        self.flags = np.zeros(room, np.uint8)
        self.counts = np.zeros(5, np.int64)


def think(game: Any, s: Any, search: Memory, salt: int, past: int, nodes: int) -> tuple[int, int]:
    """How a short search went, and its score; the best move is the first of `search.line`.

    Iterative deepening until so many nodes are visited. `past` is the number of states on the path before this one.
    """
    player = max(game.to_move(s), number_of(0))
    search.look_from(player)
    prepare(search, (player + 1) * salt & (1 << 62) - 1)
    root, view, nothing = number_of(0), number_of(1), number_of(NOTHING)
    score, spent = number_of(0), number_of(0)
    for depth in range(1, MOST_DEPTH + 1):
        for i in range(len(search.counts)):
            search.counts[i] = 0
        search.length[0] = 0
        search.limits[EXTENDED_LIMIT] = 2 * depth
        search.limits[NODE_LIMIT] = UNLIMITED if depth == 1 else HARD_LIMIT * nodes - spent
        try:
            found = search_node(
                game, s, player, search, root, number_of(depth), number_of(-TOP), number_of(TOP), view, nothing
            )
        except Exception:
            rewind(game, past)
            if read_flag(search.stop, 0) != 0:
                return STOPPED, score
            if search.counts[NODES] < search.limits[NODE_LIMIT]:
                return FAULTY, score
            spent += search.counts[NODES]
            break
        spent += search.counts[NODES]
        score = found
        search.first[0] = search.line[0, 0]
        search.limits[ROOT_HINT] = 1
        if spent >= nodes or search.counts[ESTIMATES] == 0 or WIN - abs(score) <= depth:
            break
    search.counts[NODES] = spent
    return SEARCHED, score


def prepare(search: Memory, salt: int) -> None:
    """Make the memory ready for another position of the same game."""
    search.limits[EXCLUDED], search.limits[ROOT_HINT], search.limits[SALT] = 0, 0, salt
    search.policy[AGE] = (search.policy[AGE] + 1) % AGES
    for side in range(2):
        for slot in range(search.history.shape[1]):
            search.history[side, slot] >>= 1
    for ply in range(min(len(search.killers), 2 * MOST_DEPTH)):
        search.killers[ply, 0] = -1
        search.killers[ply, 1] = -1


def any_move(game: Any, s: Any, search: Memory, random: Random) -> int:
    """A legal move, each equally likely."""
    moves = search.moves[0]
    return int(moves[random.below(game.list_actions(s, moves))])


def open_game(game: Any, s: Any, search: Memory, random: Random, plies: int) -> tuple[int, Any]:
    """Play so many random plies; returns how many were played, fewer if the game was over, and the state."""
    for ply in range(plies):
        remember(game, s)
        if game.is_terminal(s):
            forget(game)
            return ply, s
        s = game.result(s, any_move(game, s, search, random))
    return plies, s


def play_game(
    game: Any, s: Any, search: Memory, tape: Tape, random: Random, salt: int, nodes: int, least: int, most: int,
    balance: float, random_moves: float, decided: float,
) -> int:  # fmt: skip
    """Play one game and write down its positions; returns how it ended: SEARCHED if it did as games do."""
    low, high = game.utility_range
    middle = (low + high) / 2 if -math.inf < low and high < math.inf else 0.0
    start, first = s, tape.counts[POSITIONS]
    search.clear()
    search.forget_ordering()
    ply, tries, streak, place = number_of(0), 0, 0, first
    while ply < LONGEST:
        if ply == 0:
            rewind(game, number_of(0))
            ply, s = open_game(game, start, search, random, least + random.below(most - least + 1))
            tries += 1
        remember(game, s)
        over = game.is_terminal(s)
        forget(game)
        if over:
            if place == first and tries < MOST_OPENINGS:
                ply = number_of(0)
                continue
            for i in range(first, place):
                tape.results[i] = game.utility(s, int(tape.movers[i]))
            return finish(tape, first, place)
        how, score = think(game, s, search, salt, ply, nodes)
        if how != SEARCHED:
            return how
        tape.counts[SEARCHES] += 1
        tape.counts[VISITED] += search.counts[NODES]
        mover, move = game.to_move(s), search.first[0]
        won = abs(score) >= WINS
        value = float_of(score)
        if won:
            value = search.range_here[1] if score > 0 else search.range_here[0]
        if place == first and tries < MOST_OPENINGS and abs(value - middle) > balance:
            ply = number_of(0)
            continue
        ahead = value > middle if game.side(mover) == game.side(0) else value < middle
        streak = 0 if abs(value - middle) < decided else max(streak, 0) + 1 if ahead else min(streak, 0) - 1
        flags = FIRST if place == first else 0
        if won:
            flags |= WON
        if game.may_stand(s) and not game.is_noisy(s, move):
            flags |= QUIET
        ends = won or abs(streak) >= DECIDED_PLIES
        if not ends and random_moves > 0.0 and random.uniform() < random_moves:
            flags |= RANDOM
            move = any_move(game, s, search, random)
        write_state(s, tape.words[place])
        tape.scores[place], tape.movers[place] = value, mover
        tape.plies[place], tape.flags[place] = ply, flags
        place += 1
        if ends:
            for i in range(first, place):
                tape.results[i] = high if (game.side(int(tape.movers[i])) == game.side(0)) == ahead else low
                tape.flags[i] |= ADJUDICATED
            return finish(tape, first, place)
        remember(game, s)
        s = game.result(s, move)
        ply += 1
    tape.counts[GIVEN_UP] += 1
    return SEARCHED


def finish(tape: Tape, first: int, place: int) -> int:
    """Keep the positions of a finished game."""
    if place > first:
        tape.flags[place - 1] |= LAST
        tape.counts[POSITIONS] = place
        tape.counts[GAMES] += 1
    return SEARCHED


def play_games(
    game: Any, s: Any, search: Memory, tape: Tape, random: Random, salt: int, positions: int, nodes: int, least: int,
    most: int, balance: float, random_moves: float, decided: float,
) -> int:  # fmt: skip
    """Play games until the tape has so many positions, or until it is stopped; returns how the last game ended."""
    while tape.counts[POSITIONS] < positions:
        how = play_game(game, s, search, tape, random, salt, nodes, least, most, balance, random_moves, decided)
        if how != SEARCHED:
            return how
    return SEARCHED


PLAY_GAMES = Routine(play_games)
