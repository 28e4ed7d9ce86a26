"""The features of the Othello evaluation: a few counts of the whole board, and Logistello's patterns.

A pattern is a few squares in a line or a corner, and every configuration of it is a feature (Buro 1997). Its number in
base 3 is a sum over the rows of the board. A table has these numbers for each row and each way to fill it, with four
patterns as the 16-bit lanes of a word. Mirror images share a feature, and so do configurations with exchanged colours,
with the opposite sign: what is good for one player is equally bad for the other.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

Squares = tuple[tuple[int, int], ...]
"""Squares as (column, row), both from 0 at the top left, in an order."""

SUMMARIES = ("mobility", "frontier", "corners", "X-squares", "C-squares", "stable", "discs", "parity", "turn")
"""The features that are no patterns, each a difference between a player and the other, in the order of their numbers.

`frontier` counts the empty squares next to the opponent's discs, X and C-squares only those next to an empty corner;
`parity` is 1 for the player who gets the last move by the number of empty squares, `turn` for the player to move.
"""

PHASES = 6
"""The number of phases of equal length; every feature has a weight in each."""

LANES = 4
"""Patterns to a word: the number of one has at most ten digits, and 3 ** 10 fits 16 bits."""

BY_HAND = {
    "mobility": (1.2, 1.2, 1.1, 0.9, 0.6, 0.3),
    "frontier": (0.5, 0.5, 0.4, 0.3, 0.2, 0.0),
    "corners": (6.0, 6.0, 6.0, 5.0, 4.0, 2.0),
    "X-squares": (-4.0, -4.0, -3.5, -2.5, -1.5, -0.5),
    "C-squares": (-1.5, -1.5, -1.5, -1.0, -0.5, 0.0),
    "stable": (1.0, 1.0, 1.0, 1.0, 1.0, 0.8),
    "discs": (-0.3, -0.3, -0.2, -0.1, 0.1, 0.6),
    "parity": (0.0, 0.0, 0.0, 0.5, 1.0, 1.5),
    "turn": (0.5, 0.5, 0.5, 0.5, 0.5, 0.5),
}
"""Hand-made weights of the summaries in each phase, in discs. All patterns have weight 0."""


class Patterns(NamedTuple):
    """The patterns of a board as tables."""

    a_phase: int  # features of one phase, summaries first
    ways: dict[str, Any]  # for each kind of pattern the ways to fill it that have features, as numbers in base 3
    words: int  # the number of words that hold the numbers of all patterns
    lanes: Any  # [(256 * row + byte) * words + word]: what a player's discs of a row add to the numbers in a word
    begins: Any  # [pattern]: the start of its numbers in `features`
    features: Any  # [begin + number]: the feature, negative if the colours are exchanged; 0 if there is none


def shapes(size: int) -> dict[str, Squares]:
    """One of each kind of pattern: the others are its images under the symmetries of the board."""
    last, length = size - 1, min(5, size)
    found = {
        "edge and X": (*((x, 0) for x in range(size)), (1, 1), (last - 1, 1)),
        "corner 3 × 3": tuple((x, y) for y in range(3) for x in range(3)),
        f"corner 2 × {length}": tuple((x, y) for y in range(2) for x in range(length)),
    }
    for y in range(1, size // 2):
        found[f"row {y + 1}"] = tuple((x, y) for x in range(size))
    for length in range(size, 3, -1):
        found[f"diagonal of {length}"] = tuple((i, i + size - length) for i in range(length))
    return found


def images(squares: Squares, size: int) -> list[Squares]:
    """The squares under each of the eight symmetries of the board, in the same order."""
    turned = [squares, tuple((y, x) for x, y in squares)]
    turned += [tuple((size - 1 - x, y) for x, y in image) for image in turned]
    return turned + [tuple((x, size - 1 - y) for x, y in image) for image in turned]


@functools.cache
def patterns(size: int) -> Patterns:
    """The patterns of a board of this size; its arrays are shared, and not to be written to."""
    count = len(SUMMARIES)
    ways: dict[str, Any] = {}
    instances: list[tuple[Squares, int]] = []
    begin, features = 1, [np.zeros(1, np.int32)]  # at 0 the number of an unused lane
    for name, squares in shapes(size).items():
        found = images(squares, size)
        instances += [(image, begin) for image in {frozenset(image): image for image in reversed(found)}.values()]
        same = [image for image in found if frozenset(image) == frozenset(squares)]
        numbers, ways[name] = _shared_features(squares, same)
        features.append((numbers + np.sign(numbers) * (count - 1)).astype(np.int32))
        count += len(ways[name])
        begin += 3 ** len(squares)
    instances += [((), 0)] * (-len(instances) % LANES)
    words = len(instances) // LANES
    lanes = np.zeros((size, 256, words), np.uint64)
    for number, (squares, _) in enumerate(instances):
        for digit, (x, y) in enumerate(squares):
            lanes[y, np.arange(256) >> x & 1 == 1, number // LANES] += np.uint64(3**digit << 16 * (number % LANES))
    begins = np.array([begin for _, begin in instances], np.int64)
    made = Patterns(count, ways, words, lanes.ravel(), begins, np.concatenate(features))
    for table in made[3:]:
        table.flags.writeable = False
    return made


def _shared_features(squares: Squares, same: list[Squares]) -> tuple[Any, Any]:
    """For each way to fill the squares its feature from 1, negative with colours exchanged; and the ways that have one.

    `same` has the squares in every order in which a symmetry of the board can put them.
    """
    ways = np.arange(3 ** len(squares))
    digits = np.stack([ways // 3**place % 3 for place in range(len(squares))])
    exchanged = np.array([0, 2, 1])[digits]
    orders = [[image.index(square) for square in squares] for image in same]
    powers = 3 ** np.arange(len(squares))
    least = np.min([powers @ digits[order] for order in orders], axis=0)
    least_exchanged = np.min([powers @ exchanged[order] for order in orders], axis=0)
    sign = np.sign(least_exchanged - least)  # 0 if a configuration is its own opposite
    first = np.minimum(least, least_exchanged)
    kept = np.unique(first[sign != 0])
    numbers = sign * (np.searchsorted(kept, first) + 1)
    return numbers, kept


def feature_names(size: int) -> tuple[str, ...]:
    """The names of all features, phase by phase: a pattern is named by its squares, X own and O the opponent's."""
    names = list(SUMMARIES)
    for name, ways in patterns(size).ways.items():
        length = len(shapes(size)[name])
        names += [f"{name} {''.join('-XO'[way // 3**place % 3] for place in range(length))}" for way in ways.tolist()]
    return tuple(f"phase {phase + 1}: {name}" for phase in range(PHASES) for name in names)


def weights_by_hand(size: int) -> Any:
    """The weights of all features before anything is learned."""
    weights = np.zeros((PHASES, patterns(size).a_phase))
    weights[:, : len(SUMMARIES)] = np.array([BY_HAND[name] for name in SUMMARIES]).T
    return weights.ravel()


FILE = Path(__file__).with_name("othello_weights.npz")
"""The weights that were learned, by scripts/train_othello.py."""


def default_weights(size: int) -> Any:
    """On the usual board those that were learned from play, by scripts/train_othello.py; on others those by hand."""
    return _learned().copy() if size == 8 else weights_by_hand(size)


@functools.cache
def _learned() -> Any:
    with np.load(FILE, allow_pickle=False) as file:
        return file["weights"].astype(np.float64)
