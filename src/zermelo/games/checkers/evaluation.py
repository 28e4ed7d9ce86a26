"""The evaluation of checkers: a weighted sum of counts, squares of kings, and patterns of men."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo.game.state import i64, u64
from zermelo.games.advantage import compressed
from zermelo.games.checkers.board import BOARD, SQUARES, CheckersState, bit_of
from zermelo.games.checkers.patterns import BLOCKS, FILLINGS, HALF_FILLINGS, LANE, PAIRS, PATTERNS, STRIPS, lanes
from zermelo.games.checkers.tables import CheckersTables
from zermelo.games.checkers.weights import KINGS, MEN, ROWS, RUNAWAYS, default_weights, feature_names
from zermelo.games.parameters import finite_weights
from zermelo.kernel.bits import count_bits, lowest_bit

ALL_PIECES = 24.0
LAST_BIT = bit_of(SQUARES)


def _set(*squares: int) -> int:
    return sum(1 << bit_of(square) for square in squares)


DOUBLE_CORNERS = _set(1, 5, 28, 32)
SYSTEM = _set(1, 2, 3, 4, 9, 10, 11, 12, 17, 18, 19, 20, 25, 26, 27, 28)
"""Every other row, from Black's home row on."""


class CheckersEvaluation(CheckersTables):
    """Features, a player's own less the opponent's; their weighted sum; and the value, within the utilities."""

    def __init__(self, weights: Any = None) -> None:
        super().__init__()
        self.lanes = lanes()
        if weights is None:
            self.weights = default_weights()
        else:
            self.weights = finite_weights(weights, feature_names()).astype(np.float32)

    def evaluate(self, s: CheckersState, p: int) -> float:
        """The weighted features, compressed so that they never count as much as a win."""
        return compressed(self.weighted_features(s, p))

    def feature_names(self) -> tuple[str, ...]:
        return feature_names()

    def features(self, s: CheckersState, p: int) -> Iterator[tuple[int, float]]:
        """First Black's, then White's; those for the opening and for the endgame are shared out by the phase."""
        opening = self.share_of_opening(s)
        for player in range(2):
            sign = 1.0 if player == p else -1.0
            early, late = sign * opening, sign * (1.0 - opening)
            counts = self.counts(s, player)
            for feature in range(len(counts)):
                if counts[feature] != 0:
                    yield 2 * feature, early * counts[feature]
                    yield 2 * feature + 1, late * counts[feature]
            left = self.runaways(s, player)
            while left != 0:
                feature = self.runaway_feature(player, lowest_bit(left))
                left &= left - 1
                yield feature, early
                yield feature + 1, late
            left = s.kings & (s.black if player == 0 else s.white)
            while left != 0:
                feature = self.king_feature(player, lowest_bit(left))
                left &= left - 1
                yield feature, early
                yield feature + 1, late
            for pattern in range(PATTERNS):
                yield self.pattern_feature(s, player, pattern), sign

    def weighted_features(self, s: CheckersState, p: int) -> float:
        """The inherited sum, written out: without `yield` it is many times as fast."""
        weights = self.weights
        own, other = self.counts(s, p), self.counts(s, 1 - p)
        early = late = 0.0
        for feature in range(len(own)):
            amount = own[feature] - other[feature]
            early += weights[2 * feature] * amount
            late += weights[2 * feature + 1] * amount
        for player in range(2):
            opening = endgame = 0.0
            left = self.runaways(s, player)
            while left != 0:
                feature = self.runaway_feature(player, lowest_bit(left))
                left &= left - 1
                opening += weights[feature]
                endgame += weights[feature + 1]
            left = s.kings & (s.black if player == 0 else s.white)
            while left != 0:
                feature = self.king_feature(player, lowest_bit(left))
                left &= left - 1
                opening += weights[feature]
                endgame += weights[feature + 1]
            early += opening if player == p else -opening
            late += endgame if player == p else -endgame
        share = self.share_of_opening(s)
        return self.pattern_sum(s, p) - self.pattern_sum(s, 1 - p) + (share * early + (1.0 - share) * late)

    def share_of_opening(self, s: CheckersState) -> float:
        """The phase of the game: 1 with all pieces on the board, 0 with none."""
        return count_bits(s.black | s.white) / ALL_PIECES

    def king_feature(self, p: int, bit: int) -> int:
        """The first of the two features of a player's king on a square."""
        place = bit if p == 0 else LAST_BIT - bit
        return 2 * (KINGS + place - place // 9)

    def runaway_feature(self, p: int, bit: int) -> int:
        """The first of the two features of a man that nothing can stop."""
        place = bit if p == 0 else LAST_BIT - bit
        return 2 * (RUNAWAYS + (place - place // 9) // 4)

    def ahead(self, squares: int, p: int) -> int:
        """The squares diagonally in front of these, as this player sees it."""
        return (squares << 4 | squares << 5 if p == 0 else squares >> 4 | squares >> 5) & BOARD

    def runaways(self, s: CheckersState, p: int) -> int:
        """A player's men with no opposing piece anywhere in front, in the triangle that they can reach."""
        own, cone = (s.black, s.white) if p == 0 else (s.white, s.black)
        for _ in range(ROWS):
            cone |= self.ahead(cone, 1 - p)
        return own & ~s.kings & ~cone

    # Patterns of men: see `patterns`.

    def pair_lanes(self, s: CheckersState, p: int, shift: int) -> int:
        """The numbers of the patterns in the eight bits of a pair of rows from this one on, as a player sees them."""
        own, other = (s.black & ~s.kings, s.white & ~s.kings) if p == 0 else (s.white & ~s.kings, s.black & ~s.kings)
        return u64(self.lanes[256 * p + (own >> shift & 255)]) + 2 * u64(self.lanes[256 * p + (other >> shift & 255)])

    def between_lanes(self, s: CheckersState, p: int, shift: int) -> int:
        """The same for the strip between two pairs: four bits of one, the unused bit, four of the other."""
        own, other = (s.black & ~s.kings, s.white & ~s.kings) if p == 0 else (s.white & ~s.kings, s.black & ~s.kings)
        own, other = own >> shift & 15 | own >> shift + 1 & 240, other >> shift & 15 | other >> shift + 1 & 240
        return u64(self.lanes[256 * p + own]) + 2 * u64(self.lanes[256 * p + other])

    def pattern_feature(self, s: CheckersState, p: int, pattern: int) -> int:
        """The feature of one pattern as a player sees it."""
        if pattern < PAIRS:
            number = self.pair_lanes(s, p, 9 * (pattern if p == 0 else PAIRS - 1 - pattern)) >> 3 * LANE
        elif pattern < STRIPS:
            strip = pattern - PAIRS
            number = self.between_lanes(s, p, 4 + 9 * (strip if p == 0 else PAIRS - 2 - strip)) >> 3 * LANE
        else:
            row, lane = (pattern - STRIPS) // BLOCKS, LANE * ((pattern - STRIPS) % BLOCKS)
            near = self.pair_lanes(s, p, 9 * (row if p == 0 else PAIRS - 1 - row)) >> lane & 0xFFFF
            far = self.pair_lanes(s, p, 9 * (row + 1 if p == 0 else PAIRS - 2 - row)) >> lane & 0xFFFF
            number = near + HALF_FILLINGS * far
        return MEN + FILLINGS * pattern + i64(number)

    def pattern_sum(self, s: CheckersState, p: int) -> float:
        """The weights of all patterns, each pair of rows looked up once."""
        weights = self.weights
        total = 0.0
        near = u64(0)
        for pair in range(PAIRS):
            far = self.pair_lanes(s, p, 9 * (pair if p == 0 else PAIRS - 1 - pair))
            total += weights[MEN + FILLINGS * pair + i64(far >> 3 * LANE)]
            if pair > 0:
                both = near + HALF_FILLINGS * far
                first = MEN + FILLINGS * (STRIPS + BLOCKS * (pair - 1))
                for block in range(BLOCKS):
                    total += weights[first + FILLINGS * block + i64(both >> LANE * block & 0xFFFF)]
            near = far
        for strip in range(PAIRS - 1):
            number = self.between_lanes(s, p, 4 + 9 * (strip if p == 0 else PAIRS - 2 - strip)) >> 3 * LANE
            total += weights[MEN + FILLINGS * (PAIRS + strip) + i64(number)]
        return total

    def counts(self, s: CheckersState, p: int) -> tuple[int, ...]:
        """A player's features that are counted, in the order of `weights.COUNTS`."""
        own, other = (s.black, s.white) if p == 0 else (s.white, s.black)
        men, kings = own & ~s.kings, own & s.kings
        empty = self.empty(s)
        steps = count_bits(men << 4 & empty) + count_bits(men << 5 & empty)
        if p == 1:
            steps = count_bits(men >> 4 & empty) + count_bits(men >> 5 & empty)
        kings_steps = count_bits(kings << 4 & empty) + count_bits(kings << 5 & empty)
        kings_steps += count_bits(kings >> 4 & empty) + count_bits(kings >> 5 & empty)
        system = count_bits((s.black | s.white) & (SYSTEM if p == 0 else BOARD & ~SYSTEM))
        return (
            count_bits(men),
            count_bits(kings),
            1 if kings != 0 and other & s.kings == 0 else 0,
            1 if s.mover == p else 0,
            1 if s.mover == p and system & 1 != 0 else 0,
            steps,
            kings_steps,
            count_bits(kings & ~(empty << 4 | empty << 5 | empty >> 4 | empty >> 5)),
            count_bits(self.jumpers(s, own, other)),
            1 if kings & DOUBLE_CORNERS != 0 and count_bits(other) > count_bits(own) else 0,
        )
