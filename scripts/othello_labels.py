"""Labelled positions of Othello from self-play, and the sums that least squares needs of them: compiled routines.

A game starts with random moves. Then each position is searched, to the end if few squares are empty, and the
best move is played, or now and then a random one. A position's *score* is what the search found. Its *result* is the
score of the first position on the line from there that was solved, if no random move came between; both are in discs,
for the player to move.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.games.othello import Othello
from zermelo.games.othello.patterns import GROUP, LANES
from zermelo.games.othello.weights import STAGES, stage_of
from zermelo.kernel.bits import count_bits
from zermelo.kernel.ordinals import float_of, number_of
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.search.engine.memory import Memory
from zermelo.search.engine.node import NOTHING, search_node
from zermelo.search.engine.options import Options
from zermelo.search.engine.scores import TOP

TO_THE_END = 100
WARM_UP = 6
"""How deep to search before a search to the end."""
UNKNOWN = 1000.0
"""The result of a position after which a random move was played."""
DEPTH, SOLVED, OPENING, EXPLORATION = range(4)
"""Places in the settings: plies of a search, the empty squares from which on positions are solved, the most random
moves at the start, and one in how many later moves is random."""

RECORD = np.dtype([("own", "<u8"), ("other", "<u8"), ("score", "<f4"), ("result", "<f4")])


def search_value(game: Any, s: Any, search: Any, depth: int) -> float:
    """The value for the player to move, by iterative deepening."""
    player = game.to_move(s)
    search.look_from(player)
    root, low, high, view, nothing = number_of(0), number_of(-TOP), number_of(TOP), number_of(1), number_of(NOTHING)
    score, plies = number_of(0), number_of(1)
    while True:
        score = search_node(game, s, player, search, root, plies, low, high, view, nothing)
        if plies == depth:
            break
        plies = depth if plies >= WARM_UP else min(plies + 1, depth)
    return float_of(score)


def play(
    game: Any, s: Any, search: Any, random: Any, settings: Any, own: Any, other: Any, score: Any, result: Any
) -> int:
    """Play a game and write down its positions; returns how many there are."""
    moves = search.moves[100]
    for _ in range(min(random.below(settings[OPENING] + 1), random.below(settings[OPENING] + 1))):
        if not game.is_terminal(s):
            s = game.result(s, moves[random.below(game.list_actions(s, moves))])
    count = 0
    while not game.is_terminal(s):
        empty = game.plies_left(s)
        solved = empty <= settings[SOLVED]
        value = search_value(game, s, search, number_of(TO_THE_END) if solved else settings[DEPTH])
        own[count], other[count], score[count] = s.own, s.other, value
        result[count] = value if solved else UNKNOWN
        a = search.line[0, 0]
        count += 1
        if random.below(settings[EXPLORATION]) == 0:
            a = moves[random.below(game.list_actions(s, moves))]
            if not solved:
                result[count - 1] = 2 * UNKNOWN  # even if it is known what followed
        s = game.result(s, a)
    for i in range(count - 2, -1, -1):
        if result[i] == UNKNOWN and abs(result[i + 1]) < UNKNOWN:
            result[i] = -result[i + 1]
    return count


def accumulate(
    game: Any, s: Any, own: Any, other: Any, target: Any, weights: Any, out: Any, found: Any, begin: int, end: int
) -> float:
    """Add the gradient of half the squared errors to `out`; returns the sum of the squared errors.

    Weights are at [feature * STAGES + stage]. The predictions are written to `found`.
    """
    numbers = found[end:]  # room for the features of a position
    total = 0.0
    for row in range(begin, end):
        below, share = stage_of(game.squares - count_bits(own[row] | other[row]), game.squares)
        features = list_features(game, own[row], other[row], numbers)
        value = 0.0
        for i in range(features):
            place = int(numbers[i]) * STAGES + below
            value += (1.0 - share) * weights[place] + share * weights[place + 1]
        error = value - target[row]
        found[row] = value
        total += error * error
        for i in range(features):
            place = int(numbers[i]) * STAGES + below
            out[place] += (1.0 - share) * error
            out[place + 1] += share * error
    return total


def curvatures(game: Any, s: Any, own: Any, other: Any, out: Any, found: Any, begin: int, end: int) -> int:
    """Add the diagonal of the matrix of least squares to `out`."""
    numbers = found[end:]
    for row in range(begin, end):
        below, share = stage_of(game.squares - count_bits(own[row] | other[row]), game.squares)
        for i in range(list_features(game, own[row], other[row], numbers)):
            place = int(numbers[i]) * STAGES + below
            out[place] += (1.0 - share) * (1.0 - share)
            out[place + 1] += share * share
    return end - begin


def list_features(game: Any, own: int, other: int, numbers: Any) -> int:
    """Write the features of a position within its stage; returns how many."""
    counts = game.counts(own, other)
    count = 0
    for number in range(len(counts)):
        numbers[count] = game.pattern_features[game.count_begins[number] + counts[number]]
        count += 1
    for group in range(game.pattern_groups):
        words = game.pattern_words(own, other, group)
        for word in range(GROUP):
            for lane in range(LANES):
                begin = game.pattern_begins[LANES * (GROUP * group + word) + lane]
                if begin != 0:
                    numbers[count] = game.pattern_features[begin + (words[word] >> 16 * lane & 0xFFFF)]
                    count += 1
    return count


PLAY, ACCUMULATE, CURVATURES = Routine(play), Routine(accumulate), Routine(curvatures)


class Player:
    """Plays games with some weights and labels their positions."""

    def __init__(self, weights: Any, seed: int, settings: tuple[int, int, int, int], mebibytes: float = 8):
        self.game = Othello(weights=weights)
        self.search = Memory(self.game, None, mebibytes, compiled=True, plies=200)
        Options().checked(self.game).switch(self.search.switches, True, False, True)
        self.columns = [np.zeros(128, RECORD[name]) for name in RECORD.names or ()]
        self.random = Random(seed)
        self.program = PLAY.compiled(self.game, self.search, self.random, np.array(settings, np.int64), *self.columns)

    def game_of(self) -> Any:
        """The positions of one game."""
        count = self.program(self.game.initial())
        records = np.zeros(count, RECORD)
        for name, column in zip(RECORD.names or (), self.columns, strict=True):
            records[name] = column[:count]
        return records


class Sums:
    """The positions of one worker, and sums over them."""

    def __init__(self, game: Othello, records: Any, share: float):
        score, result = records["score"], records["result"]
        known = np.abs(result) < UNKNOWN
        target = np.where(known, share * score + (1 - share) * result, score)
        keep = known | (share > 0)
        self.game = game
        self.own, self.other = records["own"][keep].copy(), records["other"][keep].copy()
        self.target = target[keep].astype(np.float32)
        self.found = np.zeros(len(self.own) + 64, np.float32)
        self.zeros = np.zeros_like(self.target)

    def gradient(self, weights: Any, out: Any, begin: int, end: int, *, targets: bool) -> float:
        """Add the gradient at these weights, or without targets its linear part; returns the squared errors."""
        target = self.target if targets else self.zeros
        program = ACCUMULATE.compiled(self.game, self.own, self.other, target, weights, out, self.found, begin, end)
        return float(program(self.game.initial()))

    def curvature(self, out: Any, begin: int, end: int) -> None:
        """Add how often each feature occurs, which is how much the squared errors curve in its weight."""
        CURVATURES.compiled(self.game, self.own, self.other, out, self.found, begin, end)(self.game.initial())
