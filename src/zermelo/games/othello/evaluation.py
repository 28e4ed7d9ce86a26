"""The evaluation of Othello: a sum of weights, one for each pattern as it is filled and one for each count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.game.state import u64
from zermelo.games.othello.board import OthelloBoard
from zermelo.games.othello.patterns import GROUP, LANES, patterns
from zermelo.games.othello.weights import STAGES, UNIT, default_tables, default_weights, feature_names, spread, stage_of
from zermelo.kernel.bits import add_row, count_bits


class OthelloEvaluation(OthelloBoard):
    """Values are those of the player to move; for the other player they have the opposite sign."""

    def __init__(self, size: int, weights: Any):
        super().__init__(size)
        known = patterns(size)
        self.pattern_features, self.pattern_lanes = known.features, known.lanes
        self.pattern_begins, self.count_begins = known.begins, known.counts
        self.rounding = (np.count_nonzero(known.begins) + len(known.counts)) / (2 * UNIT)
        self.pattern_groups, self.ways, self.features_a_stage = known.groups, known.ways, known.features_a_stage
        if weights is None:
            self._weights, self.tables = default_weights(size), default_tables(size)
        else:
            self.weights = self._checked_weights(weights)

    @property
    def weights(self) -> Any:
        """One for each feature, in discs. To change some, assign a whole array."""
        return self._weights

    @weights.setter
    def weights(self, weights: Any) -> None:
        self._weights, self.tables = weights, spread(weights, self.size)

    def feature_names(self) -> tuple[str, ...]:
        return feature_names(self.size)

    def evaluate(self, s: Any, p: int) -> float:
        """The weighted features, within the utilities."""
        limit = self.squares - 0.5
        return min(max(self.weighted_features(s, p), -limit), limit)

    def features(self, s: Any, p: int) -> Iterator[tuple[int, float]]:
        """Each feature in two stages, those before and after this number of empty squares."""
        empty = self.squares - count_bits(s.own | s.other)
        below, share = stage_of(empty, self.squares)
        sign = 1.0 if p == s.mover else -1.0
        first = below * self.features_a_stage
        counts = self.counts(s.own, s.other)
        for number in range(len(counts)):
            feature = first + self.pattern_features[self.count_begins[number] + counts[number]]
            yield feature, sign * (1.0 - share)
            yield feature + self.features_a_stage, sign * share
        for group in range(self.pattern_groups):
            words = self.pattern_words(s.own, s.other, group)
            for word in range(GROUP):
                for lane in range(LANES):
                    begin = self.pattern_begins[LANES * (GROUP * group + word) + lane]
                    if begin != 0:
                        feature = first + self.pattern_features[begin + (words[word] >> 16 * lane & 0xFFFF)]
                        yield feature, sign * (1.0 - share)
                        yield feature + self.features_a_stage, sign * share

    def weighted_features(self, s: Any, p: int) -> float:
        """The inherited sum, from the tables of this number of empty squares, which are in 256ths of a disc.

        Places are unsigned: for others Numba would ask whether they count from the end.
        """
        base = u64(self.ways * (self.squares - count_bits(s.own | s.other)))
        counts = self.counts(s.own, s.other)
        total = 0
        for number in range(len(counts)):
            total += self.tables[base + u64(self.count_begins[number] + counts[number])]
        for group in range(self.pattern_groups):
            a, b, c, d = self.pattern_words(s.own, s.other, group)
            first = LANES * GROUP * group
            total += self.weight_of(a, base, first) + self.weight_of(b, base, first + LANES)
            total += self.weight_of(c, base, first + 2 * LANES) + self.weight_of(d, base, first + 3 * LANES)
        return total / UNIT if p == s.mover else -total / UNIT

    def weight_of(self, word: int, base: int, first: int) -> int:
        """The sum of the weights of the four patterns in a word, `first` being the number of the first pattern."""
        tables, begins = self.tables, self.pattern_begins
        total: int = tables[base + u64(begins[first]) + (word & 0xFFFF)]
        total += tables[base + u64(begins[first + 1]) + (word >> 16 & 0xFFFF)]
        total += tables[base + u64(begins[first + 2]) + (word >> 32 & 0xFFFF)]
        return total + tables[base + u64(begins[first + 3]) + (word >> 48)]  # type: ignore[no-any-return]

    def counts(self, own: int, other: int) -> tuple[int, int, int, int, int]:
        """The features that are no patterns: see `patterns.COUNTS`."""
        empty = self.board & ~(own | other)
        return (
            min(count_bits(self.moves(own, other)), 33),
            min(count_bits(self.moves(other, own)), 33),
            min(count_bits(self.around(own) & empty), 39),
            min(count_bits(self.around(other) & empty), 39),
            count_bits(empty) & 1,
        )

    def pattern_words(self, own: int, other: int, group: int) -> tuple[int, int, int, int]:
        """How the patterns of a group are filled: numbers in base 3, 1 for `own` and 2 for the other, in lanes."""
        mine = others = (u64(0), u64(0), u64(0), u64(0))
        for row in range(self.size):
            start = 256 * (group * self.size + row)
            mine = add_row(mine, self.pattern_lanes, GROUP * (start + (own >> 8 * row & 255)))
            others = add_row(others, self.pattern_lanes, GROUP * (start + (other >> 8 * row & 255)))
        return (
            mine[0] + 2 * others[0],
            mine[1] + 2 * others[1],
            mine[2] + 2 * others[2],
            mine[3] + 2 * others[3],
        )

    def _checked_weights(self, weights: Any) -> Any:
        try:
            given = np.array(weights, np.float64)
        except (TypeError, ValueError) as error:
            raise GameError(f"weights must be an array of numbers: {error}") from None
        wanted = STAGES * self.features_a_stage
        if given.shape != (wanted,):
            raise GameError(
                f"weights must be an array of {wanted} numbers for {self.title}, not of shape {given.shape}"
            )
        if not np.isfinite(given).all():
            raise GameError("weights must be finite numbers")
        return given
