"""The evaluation of chess: a weighted sum of features, each with a weight for the opening and for the endgame.

What is counted is in `pawns`, `kings` and `threats`; `features` has the names, `weights` the weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo.games.advantage import compressed
from zermelo.games.chess.attacks import Attacks
from zermelo.games.chess.board import KING, ChessState
from zermelo.games.chess.endgames import LIGHT
from zermelo.games.chess.features import (
    CASTLING,
    COMBINATIONS,
    MATERIAL,
    PLACES,
    THE_MOVE,
    feature_groups,
    feature_names,
)
from zermelo.games.chess.ledgers import Listing, Sums
from zermelo.games.chess.threats import ChessThreats
from zermelo.games.chess.weights import default_weights
from zermelo.games.parameters import finite_weights
from zermelo.kernel.bits import count_bits, lowest_bit

ALL_PIECES = 24
"""The total count of both players' pieces at the start, which measures the phase of the game."""

ROOM = 1024
"""More features than a position can have."""

BISHOP_PAIR, KNIGHT_PAIR, ROOK_PAIR, KNIGHTS_AND_PAWNS, ROOKS_AND_PAWNS = range(COMBINATIONS, COMBINATIONS + 5)

DRAWISH, OPPOSITE_BISHOPS, OPPOSITE_WITH_PIECES = 0.15, 0.5, 0.85
"""What is left of an advantage without pawns to win, and with bishops on squares of different colours."""


class ChessEvaluation(ChessThreats):
    """Features, as one player's less the other's; their weighted sum; and the value, within the utilities."""

    def __init__(self, weights: Any = None) -> None:
        super().__init__()
        self.sums, self.listing = Sums(), Listing()
        self.weights = default_weights() if weights is None else finite_weights(weights, feature_names())

    def evaluate(self, s: ChessState, p: int) -> float:
        return self.worth(s, p, self.weighted_features(s, p))

    def worth(self, s: ChessState, p: int, total: float) -> float:
        """The value of a weighted sum, compressed so that it never counts as much as a win; or a known endgame's."""
        strong = self.mating_player(s)
        if strong >= 0:
            progress = self.mating_progress(s, strong)
            return progress if strong == p else -progress
        return compressed(total)

    def feature_names(self) -> tuple[str, ...]:
        return feature_names()

    def feature_groups(self) -> dict[str, range]:
        return feature_groups()

    def features(self, s: ChessState, p: int) -> Iterator[tuple[int, float]]:
        """First White's, then Black's; each for the opening and for the endgame, shared out by the phase."""
        numbers, amounts = np.zeros(ROOM, np.int32), np.zeros(ROOM, np.float64)
        for i in range(self.list_features(s, p, numbers, amounts)):
            yield numbers[i], amounts[i]

    def list_features(self, s: ChessState, p: int, numbers: Any, amounts: Any) -> int:
        """The same, written into arrays."""
        sign = 1 if p == 0 else -1
        listed = self.whites_less_blacks(s, self.listing, (numbers, amounts, 0, sign))
        count = min(int(listed[2]), len(numbers) // 2)
        opening, endgame = self.shares(s)
        for i in range(count - 1, -1, -1):  # from the last, because one entry becomes two
            feature, amount = numbers[i], amounts[i]
            numbers[2 * i], amounts[2 * i] = 2 * feature, opening * amount
            numbers[2 * i + 1], amounts[2 * i + 1] = 2 * feature + 1, endgame * amount
        return 2 * count

    def weighted_features(self, s: ChessState, p: int) -> float:
        """The inherited sum, without a list of the features."""
        opening, endgame = self.whites_less_blacks(s, self.sums, (0.0, 0.0))
        early, late = self.shares(s)
        total: float = early * opening + late * endgame
        return total if p == 0 else -total

    def whites_less_blacks(self, s: ChessState, ledger: Any, total: Any) -> Any:
        """The total with White's features, and with Black's on the other side."""
        white, total = self.surveyed(s, 0, ledger, total)
        total = ledger.turned(total)
        black, total = self.surveyed(s, 1, ledger, total)
        total = self.side_features(s, 1, black, white, ledger, total)
        total = ledger.turned(total)
        return self.side_features(s, 0, white, black, ledger, total)

    def side_features(self, s: ChessState, p: int, mine: Attacks, theirs: Attacks, ledger: Any, total: Any) -> Any:
        """The total with all features of one player but mobility."""
        total = self.material_features(s, p, ledger, total)
        total = self.pawn_features(s, p, mine, theirs, ledger, total)
        total = self.passed_features(s, p, mine, theirs, ledger, total)
        total = self.shelter_features(s, p, ledger, total)
        total = self.attack_features(s, p, mine, theirs, ledger, total)
        total = self.threat_features(s, p, mine, theirs, ledger, total)
        return self.piece_features(s, p, mine, theirs, ledger, total)

    def material_features(self, s: ChessState, p: int, ledger: Any, total: Any) -> Any:
        """The total with a player's pieces: how many of each kind, together with which others, and on which squares."""
        own = self.pieces_of(s, p)
        pawns, knights, rooks = count_bits(s.pawns & own), count_bits(s.knights & own), count_bits(s.rooks & own)
        bishops = s.bishops & own
        total = ledger.add(self, total, MATERIAL, pawns)
        total = ledger.add(self, total, MATERIAL + 1, knights)
        total = ledger.add(self, total, MATERIAL + 2, count_bits(bishops))
        total = ledger.add(self, total, MATERIAL + 3, rooks)
        total = ledger.add(self, total, MATERIAL + 4, count_bits(s.queens & own))
        total = ledger.add(self, total, BISHOP_PAIR, 1 if bishops & LIGHT != 0 and bishops & ~LIGHT != 0 else 0)
        total = ledger.add(self, total, KNIGHT_PAIR, 1 if knights > 1 else 0)
        total = ledger.add(self, total, ROOK_PAIR, 1 if rooks > 1 else 0)
        total = ledger.add(self, total, KNIGHTS_AND_PAWNS, knights * (pawns - 5))
        total = ledger.add(self, total, ROOKS_AND_PAWNS, rooks * (pawns - 5))
        total = ledger.add(self, total, THE_MOVE, 1 if s.mover == p else 0)
        total = ledger.add(self, total, CASTLING, count_bits(s.castling & own))
        mirrored = 0 if lowest_bit(s.kings & own) & 7 > 3 else 64
        for kind in range(KING + 1):
            left = self.squares_of(s, kind) & own
            while left != 0:
                place = self.places[128 * p + mirrored + lowest_bit(left)]
                left &= left - 1
                total = ledger.add(self, total, PLACES + 64 * kind + place, 1)
        return total

    # How much the weights for the opening and for the endgame count.

    def middlegame(self, s: ChessState) -> float:
        """How far the game is from an endgame: 1 with all pieces, 0 with only pawns and kings."""
        pieces = count_bits(s.knights | s.bishops) + 2 * count_bits(s.rooks) + 4 * count_bits(s.queens)
        return min(pieces, ALL_PIECES) / ALL_PIECES

    def shares(self, s: ChessState) -> tuple[float, float]:
        """The shares of the two weights; both less if the endgame is hard to win."""
        phase, hope = self.middlegame(s), self.winning_hope(s)
        return hope * phase, hope * (1.0 - phase)

    def winning_hope(self, s: ChessState) -> float:
        """How much an advantage counts: less if the stronger side has no pawns, or with bishops of opposite colours."""
        if s.pawns & s.white == 0 or s.pawns & s.black == 0:
            white, black = self.piece_points(s, s.white), self.piece_points(s, s.black)
            pawns = s.pawns & (s.white if white > black else s.black)
            if pawns == 0 and white != black and abs(white - black) <= 3:
                return DRAWISH
        light, dark = s.bishops & LIGHT, s.bishops & ~LIGHT
        one_each = count_bits(light) == count_bits(dark) == 1 and count_bits(s.bishops & s.white) == 1
        if one_each:
            return OPPOSITE_BISHOPS if s.knights | s.rooks | s.queens == 0 else OPPOSITE_WITH_PIECES
        return 1.0

    def piece_points(self, s: ChessState, own: int) -> int:
        """What a player's pieces without pawns count together, in pawns."""
        minor = count_bits((s.knights | s.bishops) & own)
        return 3 * minor + 5 * count_bits(s.rooks & own) + 9 * count_bits(s.queens & own)
