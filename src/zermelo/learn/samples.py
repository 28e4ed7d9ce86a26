"""Positions as a network with two views sees them: lists of inputs, ready for training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.game.protocol import Game
from zermelo.kernel.flat import read_state
from zermelo.kernel.routine import Routine
from zermelo.learn.positions import words
from zermelo.networks.two_views import VIEWS, require_two_players

AT_A_TIME = 1 << 16
"""Positions whose words are in memory together."""


MOST, NOT_WHOLE = 127, -1
"""The largest amount of an input; the answer of `collect` to others."""


@dataclass
class Samples:
    """Positions as arrays.

    numbers    positions × 2 × places: the inputs of the player who views it, then the other's; unused places hold the
               number of inputs
    amounts    their amounts; None if all are 1
    phases     the phase of each position
    sums       the game's own `weighted_features`, as the viewer sees them
    scores     the value of the search to the viewer, less the middle of the utility range
    results    the result of the game to the viewer, as a share of the utility range
    """

    numbers: Any
    amounts: Any
    phases: Any
    sums: Any
    scores: Any
    results: Any

    def __len__(self) -> int:
        return len(self.phases)

    def chosen(self, which: Any) -> Samples:
        """Some of the positions."""
        amounts = None if self.amounts is None else self.amounts[which]
        others = (self.phases, self.sums, self.scores, self.results)
        return Samples(self.numbers[which], amounts, *(column[which] for column in others))


def collect(
    game: Any, s: Any, rows: Any, begin: int, mirror: Any, listed: Any, shares: Any, numbers: Any, amounts: Any,
    phases: Any, sums: Any,
) -> int:  # fmt: skip
    """Write down the inputs, the phase and the sum of states; returns the most inputs that one of them has.

    NOT_WHOLE if an amount is no whole number that fits.
    """
    places, most = numbers.shape[2], 0
    for i in range(len(rows)):
        s = read_state(rows[i], s)
        if mirror[begin + i] != 0:
            s = game.mirror_image(s)
        viewer = game.viewer(s)
        for view in range(VIEWS):
            p = viewer if view == 0 else 1 - viewer
            count = game.list_inputs(s, p, listed, shares)
            most = max(most, count)
            for k in range(min(count, places)):
                numbers[begin + i, view, k] = listed[k]
                amounts[begin + i, view, k] = int(shares[k]) if abs(shares[k]) <= MOST else 0
                if amounts[begin + i, view, k] != shares[k]:
                    return NOT_WHOLE
        phases[begin + i] = game.phase(s)
        sums[begin + i] = game.weighted_features(s, viewer)
    return most


COLLECT = Routine(collect)


def samples(game: Game, records: Any, places: int = 32, mirror: Any = None) -> Samples:
    """The samples of some records, whose player to move is the viewer; a GameError if a state has more inputs.

    mirror    which of the states to mirror; None: none of them
    """
    require_two_players(game)
    inputs, count = len(game.input_names()), len(records)
    mirror = np.zeros(count, np.uint8) if mirror is None else np.asarray(mirror, np.uint8)
    numbers = np.full((count, VIEWS, places), inputs, np.uint16 if inputs < 1 << 16 else np.uint32)
    amounts = np.zeros((count, VIEWS, places), np.int8)
    phases, sums = np.zeros(count, np.uint8), np.zeros(count, np.float32)
    listed, shares = np.zeros(2 * inputs + 64, np.int64), np.zeros(2 * inputs + 64, np.float32)
    for begin in range(0, count, AT_A_TIME):
        rows = words(records, begin, begin + AT_A_TIME)
        program = COLLECT.compiled(game, rows, begin, mirror, listed, shares, numbers, amounts, phases, sums)
        most = program(game.initial())
        if most == NOT_WHOLE:
            raise GameError(f"the inputs of {game.title} must have whole amounts from {-MOST} to {MOST}")
        if most > places:
            raise GameError(f"a state of {game.title} has {most} inputs, and there are {places} places: set `places`")
    ones = ((amounts == 1) | (numbers == inputs)).all()
    low, high = game.utility_range
    scores, results = records["score"] - (low + high) / 2, (records["result"] - low) / (high - low)
    return Samples(numbers, None if ones else amounts, phases, sums, scores, results)
