"""The features of the chess evaluation: names, piece-square tables, and weights.

Every feature has two weights, one for the opening and one for the endgame, side by side. Weights are in utility, of
which a pawn is about a tenth; here they are written in hundredths of a pawn.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

BY_HAND = {
    "pawns": (82, 100),
    "knights": (330, 300),
    "bishops": (345, 315),
    "rooks": (475, 530),
    "queens": (1000, 980),
    "bishop pair": (25, 50),
    "knights' moves": (4, 3),
    "bishops' moves": (5, 4),
    "rooks' moves": (2, 4),
    "queens' moves": (1, 3),
    "doubled pawns": (-8, -20),
    "isolated pawns": (-12, -14),
    "backward pawns": (-10, -12),
    "pawns side by side": (6, 4),
    "blocked passed pawns": (-5, -20),
    "supported passed pawns": (12, 16),
    "passed pawns, own king": (0, -2),
    "passed pawns, other king": (0, 4),
    "rooks on open files": (28, 10),
    "rooks on half-open files": (12, 6),
    "rooks on the seventh": (8, 20),
    "knights' outposts": (20, 12),
    "pawns before the king": (10, 0),
    "open files at the king": (-14, 0),
    "danger to the other king": (2, 0),
    "pieces attacked by pawns": (45, 40),
    "pieces attacked by lesser ones": (35, 35),
    "the move": (12, 8),
}
"""The features, in the order of `ChessEvaluation.counts`, with their weights in the opening and in the endgame.

Moves go to squares that are neither guarded by the opponent's pawns nor occupied by one's own pawns or king. The kings'
distances to a passed pawn count more the further it has advanced. Danger is the number of attacks on the squares around
a king, multiplied by the number of attacking pieces.
"""

COUNTS = tuple(BY_HAND)
PASSED = len(COUNTS)
"""The index of the passed pawns, from the second row to the seventh."""
PLACES = PASSED + 6
"""The index of the piece-square features: 32 for each kind, because mirrored squares share one."""

PASSED_BY_HAND = ((0, 5), (0, 10), (5, 22), (18, 45), (45, 85), (85, 140))

KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")

# Files a to d, from the eighth row down to the first.
PLACES_BY_HAND = {
    "pawn": (
        """  0   0   0   0
            40  50  45  50
             5  12  20  25
            -4   4   5  15
            -8   0   6  16
            -8   0   0   4
           -10   2  -4 -12
             0   0   0   0""",
        """  0   0   0   0
            60  55  50  45
            30  28  24  20
            12   8   4   0
             4   4   0  -2
             0   2   0   2
             2   2   4   4
             0   0   0   0""",
    ),
    "knight": (
        """-90 -45 -30 -15
           -30 -15  25  20
           -10  25  40  50
             0  10  25  35
            -6   6  15  18
           -16   0   8  14
           -22 -16  -2   2
           -60 -20 -20 -14""",
        """-60 -40 -20 -16
           -28 -14  -8   2
           -18  -4  12  14
           -10   6  18  24
           -10   4  16  22
           -18  -4   2  14
           -28 -16  -8  -2
           -40 -34 -18 -14""",
    ),
    "bishop": (
        """-25 -10 -30 -25
           -20  -5   0  -5
            -5  15  20  20
            -4   5  16  24
            -2   8   8  20
             4  12  12  10
             4  16  10   4
           -20  -8 -10  -8""",
        """-14 -10  -8  -6
            -8  -2   0  -2
             0   2   4   2
            -2   4   8  10
            -4   2   8  10
            -6   0   6   8
           -12  -8  -2   2
           -16  -8 -10  -4""",
    ),
    "rook": (
        """ 15  18  20  24
            12  16  26  30
             0  10  14  18
           -10  -4   6  10
           -18 -10  -6   0
           -22 -12  -8  -4
           -24 -12  -8  -2
           -12  -8   2   8""",
        """  8   8  10   8
             8   8   8   6
             4   4   4   4
             4   2   4   2
             0   0   2   0
            -4  -2  -4  -2
            -4  -4  -2  -2
            -6  -4  -2  -4""",
    ),
    "queen": (
        """-12   4  14  18
           -14 -24   0   2
            -4  -2   8  14
           -10 -10  -4  -2
            -8  -6  -4  -4
            -8   0  -2  -2
           -14  -6   6   4
           -18 -14 -10   2""",
        """  0  10  16  18
            -2  14  24  30
            -4  10  20  32
             4  16  24  34
            -2  14  20  30
           -10   0  10  12
           -18 -16 -12  -8
           -24 -24 -20 -16""",
    ),
    "king": (
        """-30  10   0 -20
            10   0 -10 -20
             0  10   0 -20
           -20 -10 -20 -35
           -40 -20 -30 -45
           -20 -10 -25 -40
             4  10 -15 -45
            10  30   0 -10""",
        """-60 -30 -14  -8
           -16  10  18  18
             2  22  28  26
            -6  18  26  30
           -14   6  20  26
           -16   2  12  20
           -24  -6   4  10
           -50 -32 -18 -16""",
    ),
}
"""Piece-square values, in the opening and in the endgame."""

FILE = Path(__file__).with_name("weights.npz")
"""The weights that were learned, by scripts/train_chess.py."""

UNIT = 2.0**-14
"""Weights are multiples of this, so that a sum does not depend on the order of addition."""


class Squares(NamedTuple):
    """Tables for both players, Black's with the board turned upside down.

    places      [64 · player + square] which of the 32 places of a kind a square is
    zones       [64 · player + square] the squares around a king, and one more row ahead of it
    shields     [64 · player + square] where pawns shelter a king: the two rows ahead of it, on three files
    distances   [64 · square + square] the number of king moves
    """

    places: Any
    zones: Any
    shields: Any
    distances: Any


@functools.cache
def squares() -> Squares:
    """The tables, which all games of chess share."""
    places, zones, shields = np.zeros(128, np.int64), np.zeros(128, np.uint64), np.zeros(128, np.uint64)
    for player in range(2):
        for square in range(64):
            x, y = square & 7, square >> 3
            ahead = 1 - 2 * player
            places[64 * player + square] = 4 * (y if player == 0 else 7 - y) + min(x, 7 - x)
            around = [(x + i, y + j * ahead) for i in (-1, 0, 1) for j in (-1, 0, 1, 2)]
            zones[64 * player + square] = _word(around)
            shields[64 * player + square] = _word([(i, j) for i, j in around if (j - y) * ahead > 0])
    ranks, files = np.arange(64) >> 3, np.arange(64) & 7
    apart = [np.abs(line[:, None] - line[None, :]) for line in (ranks, files)]
    made = Squares(places, zones, shields, np.maximum(*apart).ravel())
    for table in made:
        table.flags.writeable = False
    return made


def _word(places: list[tuple[int, int]]) -> int:
    return sum(1 << 8 * y + x for x, y in places if 0 <= x < 8 and 0 <= y < 8)


@functools.cache
def feature_names() -> tuple[str, ...]:
    """The names of all features, each for the opening and for the endgame."""
    names = [*COUNTS, *(f"passed pawn on row {row}" for row in range(2, 8))]
    for kind in KINDS:
        names += [f"{kind} on {'abcd'[i % 4]}{i // 4 + 1}" for i in range(32)]
    return tuple(f"{phase}: {name}" for name in names for phase in ("opening", "endgame"))


def weights_by_hand() -> Any:
    """The weights before anything is learned."""
    pairs = [*BY_HAND.values(), *PASSED_BY_HAND]
    for kind in KINDS:
        opening, endgame = (np.array(text.split(), int).reshape(8, 4)[::-1].ravel() for text in PLACES_BY_HAND[kind])
        pairs += zip(opening.tolist(), endgame.tolist(), strict=True)
    return np.round(np.array(pairs, float).ravel() / 1000 / UNIT) * UNIT


def default_weights() -> Any:
    """Those that chess is shipped with: see FILE."""
    return _learned().copy()


@functools.cache
def _learned() -> Any:
    with np.load(FILE, allow_pickle=False) as file:
        return file["weights"].astype(np.float64)
