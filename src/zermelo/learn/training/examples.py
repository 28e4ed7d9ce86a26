"""Positions from files as examples: each once, in random order, with a target, and some games held out for testing.

Only the states are kept in memory, as rows of words. Features are computed when a chunk of positions is needed, by a
compiled routine, so that millions of positions need hundreds of megabytes at most.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.game.protocol import Game
from zermelo.kernel.flat import read_state
from zermelo.kernel.ordinals import signed
from zermelo.kernel.routine import Routine
from zermelo.learn.logistic import Rows, chances, column, fit
from zermelo.learn.positions import FIRST, QUIET, RANDOM, WON, log_odds_ahead, sides, words

HELD_OUT = 0.05
"""The share of games that are held out."""
STEEPNESS = 4.0
"""The log-odds of winning at the end of the utility range, if there is nothing to measure it by."""
MEASURED = 100_000
"""Positions by which it is measured."""


@dataclass(frozen=True)
class Examples:
    """Positions to learn from.

    chosen     [position] its place in the records
    words      [position] the state
    scores     [position] the value of searches, as log-odds of winning for the player to move
    results    [position] 1, ½ or 0 for the player to move; of games whose size counts, its share of the range
    trusted    [position] was no random move played between this position and the end of its game?
    held_out   [position] not to learn from, but to test with: whole games, since the positions of one game are alike
    slope      log-odds of winning for each unit of utility
    """

    game: Game
    chosen: Any
    words: Any
    scores: Any
    results: Any
    trusted: Any
    held_out: Any
    games: int
    slope: float

    @property
    def count(self) -> int:
        return len(self.scores)

    def split(self) -> tuple[Any, Any]:
        """The positions to learn from, and those held out; a ValueError if there are too few of either."""
        learned, tested = np.flatnonzero(~self.held_out), np.flatnonzero(self.held_out)
        if len(learned) == 0 or len(tested) == 0:
            raise ValueError(f"{self.count:,} positions of {self.games:,} games are too few to learn from")
        return learned, tested

    def targets(self, share: float) -> Any:
        """The chance of winning to learn: a mean of the result, with this share, and of what the search says.

        If a random move was played later in the game, the result says little: then the search alone counts.
        """
        own = np.where(self.trusted, share, 0.0)
        return (own * self.results + (1 - own) * chances(self.scores)).astype(np.float32)


def prepare(
    records: Any, game: Game, *, seed: int = 0, quiet: bool = True, size: bool = False, ahead: float = 0.0
) -> Examples:
    """Examples from records: each position once, the games held out chosen at random.

    quiet   leave out positions in which something is about to be captured or the like: searches do not evaluate them
    size    the size of the result matters, and not only who won
    ahead   how much the searches of later positions count, see `look_ahead`
    """
    flags = records["flags"]
    game_of = np.cumsum(flags & FIRST != 0)
    games = int(game_of[-1]) if len(game_of) else 0
    trusted = after_the_last(flags & RANDOM != 0, game_of)
    wanted = np.flatnonzero((flags & WON == 0) & ((flags & QUIET != 0) | (not quiet)))
    rows = words(records)[wanted]
    random = np.random.default_rng(seed)
    order = random.permutation(len(wanted))
    _, first = np.unique(keys(rows[order], game), return_index=True)
    kept = np.sort(order[first])
    chosen = wanted[kept]
    tested = random.random(games + 1) < HELD_OUT
    if games > 1 and not tested[1:].any():
        tested[random.integers(1, games + 1)] = True
    low, high = game.utility_range
    middle, half = ((low + high) / 2, (high - low) / 2) if math.isfinite(low + high) else (0.0, math.inf)
    utilities = records["result"].astype(np.float64) - middle
    results = 0.5 + 0.5 * (utilities / half if size else np.sign(utilities))
    scores = records["score"].astype(np.float64) - middle
    measured = chosen[trusted[chosen]]
    slope = steepness(scores[measured], results[measured], half)
    scores *= slope
    if ahead > 0.0:
        scores = log_odds_ahead(scores, results, flags, sides(records, game), ahead)
    held_out = tested[game_of[chosen]]
    return Examples(
        game, chosen, rows[kept], scores[chosen], results[chosen], trusted[chosen], held_out, games, slope
    )  # fmt: skip


def after_the_last(marked: Any, game_of: Any) -> Any:
    """For each position: is no position of its game from here on marked?"""
    if len(marked) == 0:
        return np.zeros(0, bool)
    ends = np.append(np.flatnonzero(np.diff(game_of)), len(game_of) - 1)
    place = np.arange(len(marked))
    nxt = np.minimum.accumulate(np.where(marked, place, len(marked))[::-1])[::-1]  # the next marked position
    end_of = ends[np.searchsorted(ends, place)]
    return nxt > end_of


def steepness(scores: Any, results: Any, half: float) -> float:
    """The log-odds of winning for each unit of utility, fitted to scores and results (Platt 1999)."""
    scores, results = scores[:MEASURED], results[:MEASURED]
    size = float(np.sqrt(np.mean(scores**2))) if len(scores) else 0.0
    usual = STEEPNESS / half if half < math.inf else 1.0
    if size < 1e-3 / usual:
        return usual  # the search has no opinion yet
    weights, _ = fit(column(scores / size), results, 1e-3, tolerance=1e-6)
    return float(np.clip(weights[0] / size, usual / 16, usual * 16))


def list_keys(game: Any, s: Any, rows: Any, found: Any) -> int:
    """Write the key of each position, which symmetric positions share."""
    for i in range(len(found)):
        found[i] = signed(game.canonical_key(read_state(rows[i], s)))
    return len(found)


def list_rows(
    game: Any, s: Any, rows: Any, mirror: Any, starts: Any, numbers: Any, amounts: Any, phases: Any, inputs: int
) -> int:
    """Write the features of positions, or a network's inputs; returns how many positions there was room for."""
    end = 0
    for i in range(len(phases)):
        state = read_state(rows[i], s)
        if mirror[i] != 0:
            state = game.mirror_image(state)
        viewer = game.viewer(state)
        if inputs != 0:
            count = game.list_inputs(state, viewer, numbers[end:], amounts[end:])
        else:
            count = game.list_features(state, viewer, numbers[end:], amounts[end:])
        if end + count >= len(numbers):  # it may have written fewer than there are
            return i
        end += count
        starts[i + 1] = end
        phases[i] = game.phase(state)
    return len(phases)


KEYS, ROWS = Routine(list_keys), Routine(list_rows)


def keys(rows: Any, game: Game) -> Any:
    """The canonical keys of positions."""
    found = np.zeros(len(rows), np.int64)
    KEYS.compiled(game, np.ascontiguousarray(rows), found)(game.initial())
    return found


class Extractor:
    """Computes the features of positions, or a network's inputs, compiled; the arrays grow as needed."""

    def __init__(self, game: Game, inputs: bool = False):
        self.game, self.inputs = game, int(inputs)
        self.columns = len(game.input_names() if inputs else game.feature_names())
        self.room = 1 << 20

    def rows(self, states: Any, mirror: Any = None) -> tuple[Rows, Any]:
        """The features and the phases of these positions, those that `mirror` marks mirrored first."""
        count = len(states)
        states = np.ascontiguousarray(states)
        mirror = np.zeros(count, np.uint8) if mirror is None else mirror.astype(np.uint8)
        starts, phases = np.zeros(count + 1, np.int64), np.zeros(count, np.int64)
        while True:
            numbers, amounts = np.zeros(self.room, np.int64), np.zeros(self.room, np.float32)
            program = ROWS.compiled(self.game, states, mirror, starts, numbers, amounts, phases, self.inputs)
            if program(self.game.initial()) == count:
                end = int(starts[-1])
                return Rows(numbers[:end], amounts[:end], starts, self.columns), phases
            self.room *= 2
