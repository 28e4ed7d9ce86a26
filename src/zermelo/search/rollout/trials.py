"""One trial of a rollout after the other, compiled: both sides play on, and luck is subtracted from the result.

**Luck.** Before each roll, every outcome is judged by the best reply to it. Their average is what the position is worth
before the roll, so the outcome that comes up is lucky by the difference. On average over all rolls the luck is exactly
0, whatever the judgement is: subtracting it does not change the expected result, and the better the judgement, the
less the results scatter. This is a control variate; backgammon programs call it variance reduction.

**Stratified rolls.** The first two rolls of consecutive trials run through all strata, parts of equal probability: of
36 trials, each pair of dice comes first in one. The seed says where they begin, so every single trial is still fair.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.hashing import mix
from zermelo.game.protocol import CHANCE
from zermelo.game.state import i64, u64
from zermelo.kernel.ordinals import number_of
from zermelo.kernel.parts import Part
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.search.dice.memory import DiceMemory
from zermelo.search.dice.node import UNKNOWN, dice_node
from zermelo.search.search import INF

SEED, FIRST, TRIALS, TRUNCATE, PLIES, REDUCING, STRATA, KEEP, DONE, MOVES = range(10)
LONGEST = 20_000
"""The most moves and rolls of one trial."""
ROLL_ROW, REPLY_ROW = 0, 1
"""The rows of the memory that hold the outcomes of a roll and the replies to it."""


class Trials(Part):
    """The settings and the results of some trials.

    settings   SEED; the number of the FIRST trial, and how many TRIALS; TRUNCATE: the number of moves, as answers to
               rolls, after which the position is judged instead, 0 for never; PLIES at which moves are chosen;
               REDUCING: subtract luck? STRATA of the first two rolls; KEEP: how many moves are judged at these plies;
               DONE: trials finished; MOVES made in all of them
    values     the result of each trial, outputs the network's outputs, both without luck
    luck       the luck of the trial in progress: the outputs', and last the value's
    average    the same for the average before a roll
    """

    def __init__(self, outputs: int, room: int):
        self.count = outputs
        self.settings = np.zeros(10, np.int64)
        self.values, self.outputs = np.zeros(room), np.zeros((room, outputs))
        self.luck, self.average, self.rolled = (np.zeros(outputs + 1) for _ in range(3))
        self.margin = np.zeros(1)
        self.random = Random()

    def start(self, trial: int) -> None:
        """Begin a trial: its dice depend on the seed and its number only, not on the move that is tried."""
        self.random.state[0] = mix(mix(u64(self.settings[SEED]), u64(trial)), u64(0))
        for k in range(self.count + 1):
            self.luck[k] = 0.0

    def uniform(self, trial: int, roll: int) -> float:
        """The random number in [0, 1) that decides a roll: the first two rolls are stratified."""
        number = self.random.uniform()
        strata = self.settings[STRATA]
        if roll > 1 or strata <= 1:
            return float(number)
        shift = i64(mix(u64(self.settings[SEED]), u64(roll + 1)) >> u64(1)) % strata
        stratum = (trial + shift) % strata if roll == 0 else (trial // strata + shift) % strata
        return float((stratum + number) / strata)

    def note_outcome(self, memory: DiceMemory, value: float, odds: float, is_chosen: bool) -> None:
        """Add what an outcome is worth to the average before the roll."""
        for k in range(self.count):
            self.average[k] += odds * memory.outputs[REPLY_ROW, k]
        self.average[self.count] += odds * value
        if is_chosen:
            for k in range(self.count):
                self.rolled[k] = memory.outputs[REPLY_ROW, k]
            self.rolled[self.count] = value

    def finish(self, place: int, memory: DiceMemory, value: float) -> None:
        """Note the result of a trial without its luck."""
        self.values[place] = value - self.luck[self.count]
        for k in range(self.count):
            self.outputs[place, k] = memory.outputs[0, k] - self.luck[k]
        self.settings[DONE] = place + 1


def chosen_outcome(memory: DiceMemory, count: int, number: float) -> int:
    """The place of the outcome that a number in [0, 1) stands for."""
    for i in range(count):
        number -= memory.odds[ROLL_ROW, i]
        if number < 0.0:
            return i
    return count - 1


def best_reply(game: Any, s: Any, player: int, judge: Any, memory: DiceMemory) -> float:
    """The value of a state after a roll: that of the best reply, judged statically."""
    if game.is_terminal(s) or game.to_move(s) == CHANCE:
        return memory.judge_state(game, s, player, judge, number_of(REPLY_ROW))
    count = memory.list_moves(game, s, number_of(REPLY_ROW))
    own = game.side(game.to_move(s)) == game.side(player)
    sign, limit = (1.0, INF) if own else (-1.0, -INF)
    row = number_of(REPLY_ROW)
    return memory.best_leaf(game, s, player, judge, row, number_of(0), count, sign, limit, UNKNOWN)


def measure_luck(
    game: Any, s: Any, player: int, judge: Any, memory: DiceMemory, trials: Trials, count: int, chosen: int
) -> None:
    """Add the luck of the chosen outcome, of those listed, to that of the trial."""
    for k in range(trials.count + 1):
        trials.average[k] = 0.0
    for i in range(count):
        value = best_reply(game, game.result(s, memory.outcome[ROLL_ROW, i]), player, judge, memory)
        trials.note_outcome(memory, value, memory.odds[ROLL_ROW, i], i == chosen)
    for k in range(trials.count + 1):
        trials.luck[k] += trials.rolled[k] - trials.average[k]


def chosen_move(game: Any, s: Any, player: int, judge: Any, memory: DiceMemory, trials: Trials) -> Any:
    """The move of the player to move: the best at the plies of the rollout, of the moves that look best statically."""
    row, plies = number_of(REPLY_ROW), int(trials.settings[PLIES])
    count = memory.list_moves(game, s, row)
    sign = 1.0 if game.side(game.to_move(s)) == game.side(player) else -1.0
    if count == 1:
        return memory.moves[row, 0]
    memory.judge_moves(game, s, player, judge, row, count)
    memory.bring_forward(row, 0, count, sign)
    best, chosen = -INF, memory.moves[row, 0]
    kept = min(count, trials.settings[KEEP]) if plies > 0 else 1
    for i in range(kept if kept > 1 else 0):
        memory.bring_forward(row, i, count, sign)
        if sign * (memory.values[row, 0] - memory.values[row, i]) > trials.margin[0]:
            break
        after = game.result(s, memory.moves[row, i])
        value = dice_node(
            game, after, player, judge, memory, plies, number_of(2), number_of(1), number_of(0), -INF, INF, UNKNOWN
        )
        if sign * value > best:
            best, chosen = sign * value, memory.moves[row, i]
    return chosen


def roll_out(game: Any, s: Any, player: int, judge: Any, memory: DiceMemory, trials: Trials) -> int:
    """Play from a state as often as the settings say; returns how many trials were finished."""
    settings, start = trials.settings, s
    for place in range(settings[TRIALS]):
        trial = settings[FIRST] + place
        trials.start(trial)
        s, rolls, moves, answers = start, 0, 0, False
        for _ in range(LONGEST):
            if game.is_terminal(s) or (settings[TRUNCATE] > 0 and moves >= settings[TRUNCATE]):
                break
            memory.count_node(number_of(0))
            if game.to_move(s) == CHANCE:
                count = memory.list_outcomes(game, s, number_of(ROLL_ROW))
                chosen = chosen_outcome(memory, count, trials.uniform(trial, rolls))
                outcome = memory.outcome[ROLL_ROW, chosen]
                if settings[REDUCING] != 0:
                    measure_luck(game, s, player, judge, memory, trials, count, chosen)
                s = game.result(s, outcome)
                rolls, answers = rolls + 1, True
            else:
                s = game.result(s, chosen_move(game, s, player, judge, memory, trials))
                moves, answers = moves + (1 if answers else 0), False
        settings[MOVES] += moves
        zero, plies = number_of(0), int(settings[PLIES])
        value = dice_node(game, s, player, judge, memory, plies, zero, number_of(1), zero, -INF, INF, UNKNOWN)
        trials.finish(place, memory, value)
    return int(settings[DONE])


ROLL_OUT = Routine(roll_out)
