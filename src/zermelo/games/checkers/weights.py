"""The features of the checkers evaluation: their names, the weights set by hand, and those that were learned.

Counts and the squares of kings have two weights, side by side: one with all pieces on the board, and one for the
endgame. Patterns of men have one. Weights are in utility, of which a man is about a tenth; here they are written in
hundredths of a man.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.games.checkers.board import SQUARES
from zermelo.games.checkers.patterns import FILLINGS, PAIRS, PATTERNS, pattern_name, pattern_squares

BY_HAND = {
    "men": (100, 100),
    "kings": (140, 150),
    "first king": (10, 10),
    "to move": (3, 3),
    "the opposition": (0, 6),
    "men's steps": (1, 1),
    "kings' steps": (2, 3),
    "kings without a step": (-20, -30),
    "pieces that can capture": (5, 5),
    "king in the double corner, behind": (0, 25),
}
"""The features, in the order of `CheckersEvaluation.counts`, with their weights in the opening and in the endgame.

The opposition ("the move" in books) is with the player to move if the number of pieces in its system, every other row
from its home row on, is odd. What men do together, such as the bridge on 1 and 3, is in the patterns.
"""

COUNTS = tuple(BY_HAND)
RUNAWAYS = len(COUNTS)
"""The index of the men that nothing can stop, from the home row to the last row but one."""
ROWS = 7
KINGS = RUNAWAYS + ROWS
"""The index of the first feature of a king on a square."""
MEN = 2 * (KINGS + SQUARES)
"""The number of the first pattern: all before it come in pairs."""

RUNAWAYS_BY_HAND = (5, 8, 11, 15, 20, 26, 32)
CENTRE = (14, 15, 18, 19)

FILE = Path(__file__).with_name("weights.npz")
"""The weights that were learned, by scripts/train_checkers.py."""

UNIT = 2.0**-14
"""Weights are multiples of this, so that a sum does not depend on the order of addition."""


@functools.cache
def feature_names() -> tuple[str, ...]:
    """The names of all features: first those for the opening and for the endgame, then the patterns of men."""
    names = [*COUNTS, *(f"runaway man on row {row}" for row in range(1, ROWS + 1))]
    names += [f"king on {square}" for square in range(1, SQUARES + 1)]
    paired = [f"{phase}: {name}" for name in names for phase in ("opening", "endgame")]
    return (*paired, *(pattern_name(pattern, i) for pattern in range(PATTERNS) for i in range(FILLINGS)))


@functools.cache
def weights_by_hand() -> Any:
    """The weights before anything is learned: of the patterns, those of the strips that do not overlap have any."""
    pairs = [*BY_HAND.values(), *((weight, 2 * weight) for weight in RUNAWAYS_BY_HAND)]
    pairs += [(6, 8) if square in CENTRE else (0, 0) for square in range(1, SQUARES + 1)]
    digits = np.arange(FILLINGS)[:, None] // 3 ** np.arange(8) % 3
    patterns = np.zeros((PATTERNS, FILLINGS))
    for strip in range(PAIRS):
        worth = [2 * min((square - 1) // 4, 4) + (4 if square in CENTRE else 0) for square in pattern_squares(strip)]
        patterns[strip] = (digits == 1) @ np.array(worth)
    made = np.concatenate([np.array(pairs, float).ravel(), patterns.ravel()])
    return (np.round(made / 1000 / UNIT) * UNIT).astype(np.float32)


def default_weights() -> Any:
    """Those that checkers is shipped with: see FILE."""
    return _learned().copy()


@functools.cache
def _learned() -> Any:
    with np.load(FILE, allow_pickle=False) as file:
        return file["weights"].astype(np.float32)
