"""The weights of the chess evaluation: those set by hand, with which learning begins, and those that were learned.

Weights are in utility, of which a pawn is about a tenth; here they are written in hundredths of a pawn.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.games.chess.features import DANGERS, GROUPS, KINDS

Pairs = tuple[tuple[float, float], ...]


def _moves(most: int, usual: int, opening: float, endgame: float) -> Pairs:
    """Weights of 0 to `most` moves: the same for each, less than 0 if there are fewer than usual."""
    return tuple((opening * (count - usual), endgame * (count - usual)) for count in range(most + 1))


BY_HAND: dict[str, Pairs] = {
    "material": ((82, 100), (346, 312), (375, 340), (490, 558), (1015, 1020)),
    "combinations": ((25, 50), (-4, -4), (-8, -8), (3, 3), (-4, -4)),
    "the move": ((12, 8),),
    "right to castle": ((8, 0),),
    "knight moves": _moves(8, 4, 4, 3),
    "bishop moves": _moves(13, 6, 5, 4),
    "rook moves": _moves(14, 7, 2, 4),
    "queen moves": _moves(27, 13, 1, 3),
    "pawn structure": ((-8, -20), (-8, -10), (-6, -6), (-6, -8), (-6, -6), (-2, -2)),
    "pawns side by side": ((2, 0), (6, 2), (8, 6), (12, 12), (25, 25), (40, 40)),
    "pawns guarded by pawns": ((0, 0), (8, 4), (8, 6), (12, 12), (25, 25), (40, 40)),
    "passed pawns": ((0, 5), (0, 10), (5, 22), (18, 40), (40, 70), (75, 110)),
    "blocked passed pawns": ((0, -4), (0, -6), (-2, -12), (-6, -20), (-10, -30), (-15, -45)),
    "passed pawns, next square safe": ((0, 2), (0, 2), (2, 5), (4, 10), (8, 18), (12, 25)),
    "passed pawns, path safe": ((0, 3), (0, 4), (4, 8), (8, 18), (15, 35), (25, 60)),
    "passed pawns, next square guarded": ((0, 2), (2, 4), (4, 6), (8, 12), (12, 18), (15, 25)),
    "passed pawns, own king": tuple((0, -2 * steps) for steps in range(8)),
    "passed pawns, other king": tuple((0, 4 * min(steps, 5)) for steps in range(8)),
    "passed pawns, pieces": ((4, 12), (-4, -12), (0, 300)),
    "pieces": ((28, 10), (12, 6), (8, 20), (20, 12), (10, 6), (6, 4), (-2, -3), (-3, -3), (6, 3), (-30, -5)),
    "space": ((1, 0), (2, 0)),
    "king shelter": 4 * ((-12, 0), (10, 0), (6, 0), (0, 0), (-4, 0), (-4, 0), (-4, 0)),
    "pawn storm": (
        *((0, 0), (-10, 0), (-25, 0), (-15, 0), (-6, 0), (0, 0), (0, 0)),
        *((0, 0), (0, 0), (-5, 0), (-2, 0), (0, 0), (0, 0), (0, 0)),
    ),
    "king": ((-14, 0), (4, 0)),
    "danger to the other king": tuple(
        (min(0.6 * degree**2, 400), min(0.1 * degree**2, 80)) for degree in range(1, DANGERS + 1)
    ),
    "safe checks": ((10, 5), (6, 5), (10, 5), (10, 5)),
    "attacks on the king": ((0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (2, 0), (10, 6)),
    "threats by pawns": ((50, 40), (50, 40), (70, 50), (60, 50)),
    "threats by minor pieces": ((4, 8), (20, 15), (25, 15), (45, 40), (40, 50)),
    "threats by rooks": ((2, 8), (20, 15), (20, 20), (5, 10), (40, 40)),
    "threats": ((10, 25), (25, 15), (10, 5), (12, 10), (8, 4), (2, 2)),
}
"""The weights of each group of `features.GROUPS` but places, in the opening and in the endgame."""

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


def _places_by_hand() -> Pairs:
    """Piece-square values for the whole board: mirrored squares have the same."""
    pairs: list[tuple[float, float]] = []
    for kind in KINDS:
        halves = [np.array(text.split(), int).reshape(8, 4)[::-1] for text in PLACES_BY_HAND[kind]]
        opening, endgame = (np.hstack([half, half[:, ::-1]]).ravel().tolist() for half in halves)
        pairs += zip(opening, endgame, strict=True)
    return tuple(pairs)


def weights_by_hand() -> Any:
    """The weights before anything is learned."""
    groups = BY_HAND | {"places": _places_by_hand()}
    pairs = [pair for group in GROUPS for pair in groups[group]]
    return np.round(np.array(pairs, float).ravel() / 1000 / UNIT) * UNIT


def default_weights() -> Any:
    """Those that chess is shipped with: see FILE."""
    return _learned().copy()


@functools.cache
def _learned() -> Any:
    with np.load(FILE, allow_pickle=False) as file:
        return file["weights"].astype(np.float64)
