"""Temporal differences: a network teaches itself a game by playing (Sutton 1988; Tesauro 1992).

Each player chooses the move whose resulting state the network likes best. After the game, its states are visited from
the last to the first. Each is moved towards what is known one step later: the result of the game at first, then the
network's own judgement of the following state, mixed with the result as λ says. The network is the game's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.protocol import CHANCE
from zermelo.kernel.parts import Part
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.learn.choices import best_move, sampled
from zermelo.networks.backprop import Step
from zermelo.networks.network import Network
from zermelo.networks.siblings import Siblings

NO_ROOM = -1


class Lesson(Part):
    """The work arrays of one learner: the states of the game in progress as features, and room for evaluations.

    numbers, amounts, starts    the features of all states; those of state i begin at starts[i]
    viewers, phases             who sees each state, and the phase of the game
    explored                    was the state reached by a random move?
    counts                      [0]: how many states were learned from
    """

    settled = True

    def __init__(self, network: Network, positions: int = 4096, entries: int = 1 << 19, moves: int = 4096):
        self.siblings, self.step = Siblings(network), Step(network)
        self.numbers, self.amounts = np.zeros(entries, np.int32), np.zeros(entries, np.float32)
        self.starts, self.viewers = np.zeros(positions + 1, np.int64), np.zeros(positions, np.int64)
        self.phases, self.explored = np.zeros(positions, np.int64), np.zeros(positions, np.bool_)
        self.moves = np.zeros(moves, np.int64)
        self.counts = np.zeros(1, np.int64)

    def record(self, game: Any, s: Any, place: int, explored: bool) -> bool:
        """Write down a state's features; False if there is no room."""
        if place >= len(self.viewers):
            return False
        end, viewer = self.starts[place], game.viewer(s)
        numbers, amounts, changes = self.numbers, self.amounts, self.siblings.changes
        count = game.list_inputs(s, viewer, changes.listed, changes.shares)
        if end + count > len(numbers):
            return False
        for i in range(count):
            numbers[end + i] = changes.listed[i]
            amounts[end + i] = changes.shares[i]
        self.viewers[place] = viewer
        self.phases[place] = game.phase(s)
        self.explored[place] = explored
        self.starts[place + 1] = end + count
        return True


def look_back(game: Any, lesson: Lesson, s: Any, positions: int, surprised: bool, rate: float, trace: float) -> None:
    """Learn from a finished game, from its last state to its first; `surprised` if a random move ended it.

    A random move says nothing about the state before it, so that state is not corrected: what the network says of it
    is the target further back (Sutton and Barto 2018, 1.5).
    """
    network, step = game.network, lesson.step
    outcomes, targets, out = network.outcomes, step.targets, step.out
    viewer = lesson.viewers[positions - 1]
    for k in range(network.outputs):
        targets[k] = outcomes.target(game, s, viewer, k)
    for place in range(positions - 1, -1, -1):
        begin, end = lesson.starts[place], lesson.starts[place + 1]
        if surprised:
            step.look(network, lesson.phases[place], lesson.numbers, lesson.amounts, begin, end)
        else:
            step.correct(network, lesson.phases[place], lesson.numbers, lesson.amounts, begin, end, rate)
        for k in range(network.outputs):
            targets[k] = out[k] if surprised else trace * targets[k] + (1.0 - trace) * out[k]
        if place > 0 and lesson.viewers[place - 1] != viewer:
            viewer = lesson.viewers[place - 1]
            for k in range(network.outputs):
                out[k] = targets[k]
            for k in range(network.outputs):
                targets[k] = outcomes.turned(out, k)
        surprised = lesson.explored[place]


def learn_by_playing(
    game: Any, s: Any, lesson: Lesson, random: Random, games: int, plies: int, rate: float, trace: float,
    exploration: float,
) -> int:  # fmt: skip
    """Play games from this state and learn from each; returns how many were finished within so many plies."""
    finished = 0
    start = s
    for _ in range(games):
        s = start
        place = 0
        explores = False
        for _ply in range(plies):
            if game.is_terminal(s):
                if place > 0:
                    look_back(game, lesson, s, place, explores, rate, trace)
                finished += 1
                lesson.counts[0] += place
                break
            if game.to_move(s) == CHANCE:
                s = game.result(s, sampled(game, s, random))
                explores = False  # if the game ends now, then by chance
                continue
            count = game.list_actions(s, lesson.moves)
            explores = exploration > 0 and count > 1 and random.uniform() < exploration
            if explores:
                move = int(lesson.moves[random.below(count)])
            else:
                move = best_move(game, lesson.siblings, s, lesson.moves, count)
            s = game.result(s, move)
            if not game.is_terminal(s):
                if not lesson.record(game, s, place, explores):
                    return NO_ROOM
                place += 1
    return finished


LEARN = Routine(learn_by_playing)
