"""Temporal differences: a network teaches itself a game by playing (Sutton 1988; Tesauro 1992).

Each player chooses the move whose resulting state the network likes best. After the game, its states are visited from
the last to the first. Each is moved towards what is known one step later: the result of the game at first, then the
network's own, just corrected, judgement of the following state, mixed with the result as λ says.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.protocol import CHANCE
from zermelo.kernel.parts import Part
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.networks.network import FOUR, ONE, QUARTER

INF = float("inf")
NO_ROOM, UNFINISHED = -1, -2
COPYING, NUMBERS = 0, 1


class Lesson(Part):
    """The work arrays of one learner: the states of the game in progress as features, and the network's units.

    base, base_amounts    sums of the hidden units for one state, and its features; the states after other moves have
                          most features in common with it, and only the differences are added
    """

    def __init__(self, network: Any, positions: int = 4096, entries: int = 1 << 19, moves: int = 4096):
        units = network.units
        self.numbers, self.amounts = np.zeros(entries, np.int64), np.zeros(entries)
        self.starts, self.viewers = np.zeros(positions + 1, np.int64), np.zeros(positions, np.int64)
        self.moves = np.zeros(moves, np.int64)
        self.sums, self.hidden, self.base, self.errors = (np.zeros(units, np.float32) for _ in range(4))
        self.out, self.targets = np.zeros(network.outputs), np.zeros(network.outputs)
        self.base_amounts, self.seen = np.zeros(network.inputs), np.zeros(network.inputs, np.int64)
        self.base_numbers = np.zeros(network.inputs, np.int64)
        self.counts = np.zeros(4, np.int64)  # features of the base, ticks, games, positions

    def take_base(self, game: Any, network: Any, s: Any, viewer: int) -> None:
        """Make this state the one that others are compared with."""
        for i in range(self.counts[0]):
            self.base_amounts[self.base_numbers[i]] = 0.0
        count = 0
        network.start(self.base)
        for number, amount in game.features(s, viewer):
            if self.base_amounts[number] == 0.0:
                self.base_numbers[count] = number
                count += 1
            self.base_amounts[number] += amount
            network.add(number, amount, self.base)
        self.counts[0] = count

    def look(self, game: Any, network: Any, s: Any, viewer: int) -> None:
        """The network's outputs for a state, from the sums of the base and the differences."""
        sums, base = self.sums, self.base
        for j in range(network.units):
            sums[j] = base[j]
        tick = self.counts[1] + 1
        self.counts[1] = tick
        for number, amount in game.features(s, viewer):
            self.seen[number] = tick
            if amount != self.base_amounts[number]:
                network.add(number, amount - self.base_amounts[number], sums)
        for i in range(self.counts[0]):
            number = self.base_numbers[i]
            if self.seen[number] != tick:
                network.add(number, -self.base_amounts[number], sums)
        network.respond(sums, self.hidden, self.out)

    def record(self, game: Any, s: Any, viewer: int, place: int) -> bool:
        """Write down a state's features; False if there is no room."""
        if place >= len(self.viewers):
            return False
        end = self.starts[place]
        for number, amount in game.features(s, viewer):
            if end == len(self.numbers):
                return False
            self.numbers[end] = number
            self.amounts[end] = amount
            end += 1
        self.viewers[place] = viewer
        self.starts[place + 1] = end
        return True


def sampled(game: Any, s: Any, random: Random) -> int:
    """A chance outcome with its probability."""
    left = random.uniform()
    chosen = 0
    for outcome, probability in game.outcomes(s):
        chosen = outcome
        left -= probability
        if left < 0:
            break
    return chosen


def best_move(game: Any, network: Any, lesson: Lesson, s: Any) -> int:
    """The move after which the network predicts the most for the player to move."""
    p = game.to_move(s)
    count = game.list_actions(s, lesson.moves)
    if count == 1:
        return int(lesson.moves[0])
    best, chosen, has_base = -INF, lesson.moves[0], -1
    for i in range(count):
        after = game.result(s, lesson.moves[i])
        if game.is_terminal(after):
            value = float(game.utility(after, p))
        else:
            viewer = game.viewer(after)
            if has_base != viewer:
                lesson.take_base(game, network, after, viewer)
                has_base = viewer
            lesson.look(game, network, after, viewer)
            value = network.outcomes.value(game, lesson.out)
            if viewer != p:
                low, high = game.utility_range
                value = low + high - value
        if value > best:
            best, chosen = value, lesson.moves[i]
    return int(chosen)


def correct(network: Any, lesson: Lesson, place: int, rate: float) -> None:
    """One step of gradient descent on the cross-entropy of one recorded state."""
    sums, hidden, errors = lesson.sums, lesson.hidden, lesson.errors
    network.start(sums)
    for i in range(lesson.starts[place], lesson.starts[place + 1]):
        network.add(lesson.numbers[i], lesson.amounts[i], sums)
    network.respond(sums, hidden, lesson.out)
    second, second_bias, first, first_bias = network.second, network.second_bias, network.first, network.first_bias
    for j in range(network.units):
        errors[j] = 0.0
    for k in range(network.outputs):
        change = np.float32(rate * (lesson.targets[k] - lesson.out[k]))
        second_bias[k] += change
        for j in range(network.units):
            errors[j] += change * second[k, j]
            second[k, j] += change * hidden[j]
    for j in range(network.units):
        x = min(abs(sums[j]), FOUR)
        errors[j] *= QUARTER * (ONE - QUARTER * x)
        first_bias[j] += errors[j]
    for i in range(lesson.starts[place], lesson.starts[place + 1]):
        number, amount = lesson.numbers[i], np.float32(lesson.amounts[i])
        for j in range(network.units):
            first[number, j] += amount * errors[j]


def look_back(game: Any, network: Any, lesson: Lesson, s: Any, positions: int, rate: float, trace: float) -> None:
    """Learn from a finished game, from its last state to its first."""
    outcomes = network.outcomes
    viewer = lesson.viewers[positions - 1]
    for k in range(network.outputs):
        lesson.targets[k] = outcomes.target(game, s, viewer, k)
    for place in range(positions - 1, -1, -1):
        correct(network, lesson, place, rate)
        for k in range(network.outputs):
            lesson.targets[k] = trace * lesson.targets[k] + (1.0 - trace) * lesson.out[k]
        if place > 0 and lesson.viewers[place - 1] != viewer:
            viewer = lesson.viewers[place - 1]
            for k in range(network.outputs):
                lesson.out[k] = lesson.targets[k]
            for k in range(network.outputs):
                lesson.targets[k] = outcomes.turned(lesson.out, k)


def learn_by_playing(
    game: Any, s: Any, network: Any, lesson: Lesson, random: Random, games: int, plies: int, rate: float, trace: float,
    exploration: float,
) -> int:  # fmt: skip
    """Play games from this state and learn from each; returns how many were finished."""
    finished = 0
    start = s
    for _ in range(games):
        s = start
        place = 0
        for _ply in range(plies):
            if game.is_terminal(s):
                if place > 0:
                    look_back(game, network, lesson, s, place, rate, trace)
                finished += 1
                lesson.counts[3] += place
                break
            if game.to_move(s) == CHANCE:
                s = game.result(s, sampled(game, s, random))
                continue
            if exploration > 0 and random.uniform() < exploration:
                count = game.list_actions(s, lesson.moves)
                move = int(lesson.moves[random.below(count)])
            else:
                move = best_move(game, network, lesson, s)
            s = game.result(s, move)
            if not game.is_terminal(s):
                if not lesson.record(game, s, game.viewer(s), place):
                    return NO_ROOM
                place += 1
    return finished


LEARN = Routine(learn_by_playing)
