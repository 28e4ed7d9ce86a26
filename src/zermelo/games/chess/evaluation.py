"""The evaluation of chess: a weighted sum of features, each with a weight for the opening and for the endgame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zermelo.game.state import u64
from zermelo.games.advantage import compressed
from zermelo.games.chess.board import KING, ROOK_SLIDERS, ChessState
from zermelo.games.chess.endgames import ChessEndgames
from zermelo.games.chess.moves import COLUMN, ROW
from zermelo.games.chess.weights import PASSED, PLACES, default_weights, feature_names, squares
from zermelo.games.parameters import finite_weights
from zermelo.kernel.bits import count_bits, lowest_bit

ALL_PIECES = 24
"""The total count of both players' pieces at the start, which measures the phase of the game."""

LAST_COLUMN = COLUMN << 7


class ChessEvaluation(ChessEndgames):
    """Features, as White's less Black's; their weighted sum; and the value, within the utilities."""

    def __init__(self, weights: Any = None) -> None:
        super().__init__()
        self.places, self.zones, self.shields, self.distances = squares()
        self.weights = default_weights() if weights is None else finite_weights(weights, feature_names())

    def evaluate(self, s: ChessState, p: int) -> float:
        return self.worth(s, p, self.weighted_features(s, p))

    def worth(self, s: ChessState, p: int, total: float) -> float:
        """The sum, compressed so that it never counts as much as a win; without pawns, progress towards mate."""
        strong = self.mating_player(s)
        if strong >= 0:
            progress = self.mating_progress(s, strong)
            return progress if strong == p else -progress
        return compressed(total)

    def feature_names(self) -> tuple[str, ...]:
        return feature_names()

    def features(self, s: ChessState, p: int) -> Iterator[tuple[int, float]]:
        """First White's, then Black's; each for the opening and for the endgame, shared out by the phase."""
        phase = self.middlegame(s)
        for player in range(2):
            sign = 1.0 if player == p else -1.0
            opening, endgame = sign * phase, sign * (1.0 - phase)
            counts = self.counts(s, player)
            for feature in range(len(counts)):
                if counts[feature] != 0:
                    yield 2 * feature, opening * counts[feature]
                    yield 2 * feature + 1, endgame * counts[feature]
            left = self.passed(s, player)
            while left != 0:
                feature = self.passed_feature(player, lowest_bit(left))
                left &= left - 1
                yield feature, opening
                yield feature + 1, endgame
            for kind in range(KING + 1):
                left = self.squares_of(s, kind) & (s.white if player == 0 else s.black)
                while left != 0:
                    feature = self.place_feature(player, kind, lowest_bit(left))
                    left &= left - 1
                    yield feature, opening
                    yield feature + 1, endgame

    def weighted_features(self, s: ChessState, p: int) -> float:
        """The inherited sum, written out: without `yield` it is many times as fast."""
        own, other = self.counts(s, p), self.counts(s, 1 - p)
        opening = endgame = 0.0
        for feature in range(len(own)):
            amount = own[feature] - other[feature]
            opening += self.weights[2 * feature] * amount
            endgame += self.weights[2 * feature + 1] * amount
        for player in range(2):
            pieces = s.white if player == 0 else s.black
            early = late = 0.0
            left = self.passed(s, player)
            while left != 0:
                feature = self.passed_feature(player, lowest_bit(left))
                left &= left - 1
                early += self.weights[feature]
                late += self.weights[feature + 1]
            for kind in range(KING + 1):
                left = self.squares_of(s, kind) & pieces
                while left != 0:
                    feature = self.place_feature(player, kind, lowest_bit(left))
                    left &= left - 1
                    early += self.weights[feature]
                    late += self.weights[feature + 1]
            opening += early if player == p else -early
            endgame += late if player == p else -late
        phase = self.middlegame(s)
        return phase * opening + (1.0 - phase) * endgame

    def middlegame(self, s: ChessState) -> float:
        """How far the game is from an endgame: 1 with all pieces, 0 with only pawns and kings."""
        pieces = count_bits(s.knights | s.bishops) + 2 * count_bits(s.rooks) + 4 * count_bits(s.queens)
        return min(pieces, ALL_PIECES) / ALL_PIECES

    def place_feature(self, p: int, kind: int, square: int) -> int:
        """The first of the two features of a player's piece on a square."""
        place: int = self.places[64 * p + square]
        return 2 * (PLACES + 32 * kind + place)

    def passed_feature(self, p: int, square: int) -> int:
        """The first of the two features of a passed pawn on a square."""
        return 2 * (PASSED - 1 + (square >> 3 if p == 0 else 7 - (square >> 3)))

    # Pawns.

    def ahead(self, squares: int, p: int) -> int:
        """The squares one row further on, as this player sees it."""
        return u64(squares << 8) if p == 0 else squares >> 8

    def all_ahead(self, squares: int, p: int) -> int:
        """These squares and all further on."""
        if p == 0:
            squares |= u64(squares << 8)
            squares |= u64(squares << 16)
            return squares | u64(squares << 32)
        squares |= squares >> 8
        squares |= squares >> 16
        return squares | squares >> 32

    def sideways(self, squares: int) -> int:
        """The squares to the left and to the right of these."""
        return u64((squares & ~LAST_COLUMN) << 1) | (squares & ~COLUMN) >> 1

    def passed(self, s: ChessState, p: int) -> int:
        """A player's passed pawns that no pawn of their own blocks."""
        own, other = (s.white, s.black) if p == 0 else (s.black, s.white)
        stopped = self.all_ahead(self.ahead(s.pawns & other, 1 - p), 1 - p)
        stopped |= self.sideways(stopped) | self.all_ahead(self.ahead(s.pawns & own, 1 - p), 1 - p)
        return s.pawns & own & ~stopped

    # The features.

    def counts(self, s: ChessState, p: int) -> tuple[int, ...]:
        """A player's features that are counted, in the order of `weights.COUNTS`."""
        own, other = (s.white, s.black) if p == 0 else (s.black, s.white)
        occupied = s.white | s.black
        pawns, their_pawns = s.pawns & own, s.pawns & other
        guarded = self.sideways(self.ahead(pawns, p))
        their_guarded = self.sideways(self.ahead(their_pawns, 1 - p))
        king, their_king = lowest_bit(s.kings & own), lowest_bit(s.kings & other)
        zone = u64(self.zones[64 * (1 - p) + their_king])
        free = ~(pawns | s.kings & own | their_guarded)

        attackers = units = lesser = 0
        knights, knight_moves = s.knights & own, 0
        left = knights
        while left != 0:
            reached = u64(self.knight_moves[lowest_bit(left)])
            left &= left - 1
            knight_moves += count_bits(reached & free)
            lesser += count_bits(reached & other & (s.rooks | s.queens))
            if reached & zone != 0:
                attackers += 1
                units += 2 * count_bits(reached & zone)
        bishops, bishop_moves = s.bishops & own, 0
        left = bishops
        while left != 0:
            reached = self.slide(lowest_bit(left), occupied)
            left &= left - 1
            bishop_moves += count_bits(reached & free)
            lesser += count_bits(reached & other & (s.rooks | s.queens))
            if reached & zone != 0:
                attackers += 1
                units += 2 * count_bits(reached & zone)
        rooks, rook_moves = s.rooks & own, 0
        left = rooks
        while left != 0:
            reached = self.slide(ROOK_SLIDERS + lowest_bit(left), occupied)
            left &= left - 1
            rook_moves += count_bits(reached & free)
            lesser += count_bits(reached & other & s.queens)
            if reached & zone != 0:
                attackers += 1
                units += 3 * count_bits(reached & zone)
        queens, queen_moves = s.queens & own, 0
        left = queens
        while left != 0:
            square = lowest_bit(left)
            reached = self.slide(square, occupied) | self.slide(ROOK_SLIDERS + square, occupied)
            left &= left - 1
            queen_moves += count_bits(reached & free)
            if reached & zone != 0:
                attackers += 1
                units += 5 * count_bits(reached & zone)

        beside = self.sideways(pawns)
        files = self.all_ahead(self.all_ahead(pawns, 0), 1)
        their_files = self.all_ahead(self.all_ahead(their_pawns, 0), 1)
        neighbours = self.sideways(files)
        backward = self.ahead(pawns, p) & their_guarded & neighbours & ~self.all_ahead(guarded, p)
        seventh = ROW << 48 if p == 0 else ROW << 8
        outposts = knights & guarded & ~self.all_ahead(their_guarded, 1 - p)
        outposts &= ROW << 24 | ROW << 32 | (ROW << 40 if p == 0 else ROW << 16)
        at_king = self.all_ahead(self.all_ahead(u64(self.shields[64 * p + king]), 0), 1) & ROW

        own_king = other_king = 0
        left = passed = self.passed(s, p)
        while left != 0:
            square = lowest_bit(left)
            left &= left - 1
            row = square >> 3 if p == 0 else 7 - (square >> 3)
            front = square + 8 if p == 0 else square - 8
            own_king += (row - 1) * self.distances[64 * king + front]
            other_king += (row - 1) * self.distances[64 * their_king + front]
        return (
            count_bits(pawns),
            count_bits(knights),
            count_bits(bishops),
            count_bits(rooks),
            count_bits(queens),
            1 if bishops & (bishops - 1) != 0 else 0,
            knight_moves,
            bishop_moves,
            rook_moves,
            queen_moves,
            count_bits(pawns & self.all_ahead(self.ahead(pawns, p), p)),
            count_bits(pawns & ~neighbours),
            count_bits(backward),
            count_bits(pawns & (beside | guarded)),
            count_bits(self.ahead(passed, p) & occupied),
            count_bits(passed & (guarded | beside)),
            own_king,
            other_king,
            count_bits(rooks & ~files & ~their_files),
            count_bits(rooks & ~files & their_files),
            count_bits(rooks & seventh),
            count_bits(outposts),
            count_bits(pawns & u64(self.shields[64 * p + king])),
            count_bits(at_king & ~files),
            attackers * units if attackers > 1 else 0,
            count_bits(guarded & other & ~their_pawns),
            lesser,
            1 if s.mover == p else 0,
        )
