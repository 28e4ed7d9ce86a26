"""The weights of Othello's evaluation: their stages, their names, and the tables that a search reads.

Weights are known at some numbers of empty squares, the *stages*, and are linear in between, so that the evaluation
never jumps. For a search they are spread out: a table for each number of empty squares has a whole number for each
way to fill each pattern, in 256ths of a disc.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.games.othello.patterns import COUNTS, names_of, patterns, shapes

STAGES, STAGE = 14, 4
"""The number of stages, and the empty squares from one to the next; the first is the end of the game. On a smaller
board they are as much closer as it has fewer squares. Positions before the last stage have its weights."""

UNIT = 256
"""The tables' whole numbers are parts of a disc of this size."""

FILE_UNIT = 64
"""The same for the file of learned weights: finer than what is known of them, and half the size."""

FILE = Path(__file__).with_name("weights.npz")
"""The learned weights, made by scripts/train_othello.py."""

MOVES = (0.4, 0.6, 0.9, 1.1, 1.2, 1.2)
FRONTIER = (0.0, 0.2, 0.3, 0.4, 0.5, 0.5)
DISCS = (0.6, 0.1, -0.1, -0.2, -0.3, -0.3)
PARITY = (1.5, 1.0, 0.5, 0.0, 0.0, 0.0)
CORNER = (4.0, 8.0, 10.0, 10.0, 10.0, 10.0)
X_SQUARE = (-0.5, -1.5, -2.5, -3.5, -4.0, -4.0)
C_SQUARE = (0.0, -0.5, -1.0, -1.5, -1.5, -1.5)
"""Hand-made weights in discs, from the end of the game to its beginning; X and C-squares next to empty corners."""


def stage_of(empty: int, squares: int) -> tuple[int, float]:
    """The stage at or below this number of empty squares, and how far it is towards the next, from 0 to 1."""
    place = min(empty * 60 / (squares - 4) / STAGE, STAGES - 1.0)
    below = min(int(place), STAGES - 2)
    return below, place - below


@functools.cache
def feature_names(size: int) -> tuple[str, ...]:
    """The names of all features, stage by stage."""
    names = names_of(size)
    stages = (f"{stage * STAGE * (size * size - 4) / 60:.3g} empty: " for stage in range(STAGES))
    return tuple(stage + name for stage in stages for name in names)


def spread(weights: Any, size: int) -> Any:
    """The tables of a search, one after another: [empty squares * ways + way] in parts of a disc."""
    known = patterns(size)
    stages = np.asarray(weights, np.float32).reshape(STAGES, -1) * UNIT
    every = np.zeros((STAGES, known.ways), np.float32)
    every[:, 1:] = stages[:, known.features[1:]]
    tables = np.empty((size * size + 1, known.ways), np.int16)
    for empty in range(size * size + 1):
        below, share = stage_of(empty, size * size)
        between = every[below] + np.float32(share) * (every[below + 1] - every[below])
        tables[empty] = np.clip(np.rint(between), -32768, 32767)
    return tables.ravel()


def weights_by_hand(size: int) -> Any:
    """The weights before anything is learned."""
    known = patterns(size)
    ages = np.linspace(0, len(MOVES) - 1, STAGES)
    moves, frontier, discs, parity, corner, x_square, c_square = (
        np.interp(ages, np.arange(len(MOVES)), weights)
        for weights in (MOVES, FRONTIER, DISCS, PARITY, CORNER, X_SQUARE, C_SQUARE)
    )
    columns: list[Any] = []
    for name, values in COUNTS.items():
        each = {
            "moves": moves,
            "opponent's moves": -moves,
            "frontier": -frontier,
            "opponent's frontier": frontier,
            "parity": 2 * parity,
        }[name]
        columns.append(np.outer(each, np.arange(values)) - (parity[:, None] if name == "parity" else 0.0))
    way = 1 + sum(COUNTS.values())
    for name, squares in shapes(size).items():
        ways = np.arange(3 ** len(squares))
        owner = np.array([0, 1, -1])[np.stack([ways // 3**place % 3 for place in range(len(squares))])]
        worth = np.zeros((STAGES, len(ways)))
        if name.startswith(("edge", "row")):  # a square is in a row and in a column
            worth += np.outer(discs / 2, owner[:size].sum(axis=0))
        if name == "corner 3 × 3":
            open_corner = owner[0] == 0
            worth += np.outer(corner, owner[0]) + np.outer(x_square, open_corner * owner[4])
            worth += np.outer(c_square, open_corner * (owner[1] + owner[3]))
        first = known.first_ways[(known.first_ways >= way) & (known.first_ways < way + len(ways))]
        columns.append(worth[:, first - way])
        way += len(ways)
    return np.concatenate(columns, axis=1).ravel()


CUT_STAGES, DEEPEST_CUT = 5, 24
"""The number of stages of ProbCut's predictions, and the depth up to which there are some."""


def cut_stage(empty: int) -> int:
    """The stage of ProbCut's predictions."""
    return min(empty // 12, CUT_STAGES - 1)


@functools.cache
def cuts(size: int) -> Any:
    """ProbCut's predictions: [stage, depth, number] a shallow depth, slope, offset and error. A depth of 0 is none.

    There are none on small boards, and for new weights until scripts/fit_othello_probcut.py has been run.
    """
    predictions = np.zeros((CUT_STAGES, DEEPEST_CUT + 1, 2, 4))
    if size == 8:
        with np.load(FILE, allow_pickle=False) as file:
            if "cuts" in file:
                predictions = file["cuts"].astype(np.float64)
    predictions.flags.writeable = False
    return predictions


def default_weights(size: int) -> Any:
    """On the usual board those that were learned from play; on others those by hand. Read-only."""
    return _learned() if size == 8 else _by_hand(size)


@functools.cache
def default_tables(size: int) -> Any:
    """The tables of the default weights. Read-only."""
    tables = spread(default_weights(size), size)
    tables.flags.writeable = False
    return tables


@functools.cache
def _by_hand(size: int) -> Any:
    weights = weights_by_hand(size)
    weights.flags.writeable = False
    return weights


@functools.cache
def _learned() -> Any:
    with np.load(FILE, allow_pickle=False) as file:
        weights = file["weights"].astype(np.float64) / FILE_UNIT
    weights.flags.writeable = False
    return weights
