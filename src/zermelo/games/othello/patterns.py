"""Logistello's patterns (Buro 1997) as tables, and the counts beside them.

A pattern is a few squares in a line or a corner. Each way to fill it is a feature, as the player to move sees it. The
way is a number in base 3, a sum over the rows of the board: a table has what each row adds, for each way to fill the
row, with four patterns as the 16-bit lanes of a word and four words side by side, which a processor adds at once.
Mirror images share a feature.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

Squares = tuple[tuple[int, int], ...]
"""Squares as (column, row), both from 0 at the top left, in an order."""

LANES = 4
"""Patterns to a word: the number of one has at most ten digits, and 3 ** 10 fits 16 bits."""

GROUP = 4
"""Words side by side: their numbers are added up together."""

COUNTS = {"moves": 34, "opponent's moves": 34, "frontier": 40, "opponent's frontier": 40, "parity": 2}
"""The features beside the patterns, and how many values each has; greater values count as the greatest.

`moves` are legal moves (mobility), `frontier` the empty squares next to a player's discs (potential mobility of the
other player), `parity` is 1 if the number of empty squares is odd.
"""


class Patterns(NamedTuple):
    """The patterns and counts of a board as tables. A *way* is a place in a table of all ways to fill all patterns."""

    features: Any  # [way] its feature within a stage
    first_ways: Any  # [feature] the first way that has it
    kinds: tuple[tuple[str, Any], ...]  # each kind of pattern, and its ways that have a feature of their own
    groups: int  # of words that hold the numbers of all patterns
    lanes: Any  # [((group * size + row) * 256 + byte) * GROUP + word] what a player's discs of a row add
    begins: Any  # [pattern] the way of its number 0; unused lanes have the way 0, which is no feature's
    counts: Any  # [count] the way of its value 0

    @property
    def ways(self) -> int:
        """How many ways there are in all."""
        return len(self.features)

    @property
    def features_a_stage(self) -> int:
        """How many features a stage has."""
        return len(self.first_ways)


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
    """The patterns of a board of this size; its arrays are shared and read-only."""
    features = [np.array([-1])]
    way, count = 1, 0
    counts = []
    for values in COUNTS.values():
        features.append(count + np.arange(values))
        counts.append(way)
        way, count = way + values, count + values
    instances: list[tuple[Squares, int]] = []
    kinds: list[tuple[str, Any]] = []
    for name, squares in shapes(size).items():
        found = images(squares, size)
        instances += [(image, way) for image in {frozenset(image): image for image in reversed(found)}.values()]
        least = _mirrored(squares, [image for image in found if frozenset(image) == frozenset(squares)])
        kept, numbers = np.unique(least, return_inverse=True)
        features.append(count + numbers)
        kinds.append((name, kept))
        way, count = way + 3 ** len(squares), count + len(kept)
    instances += [((), 0)] * (-len(instances) % (LANES * GROUP))
    every = np.concatenate(features).astype(np.int32)
    begins = np.array([begin for _, begin in instances], np.int64)
    first_ways = np.unique(every[1:], return_index=True)[1] + 1
    lanes = _lanes([squares for squares, _ in instances], size)
    made = Patterns(
        every, first_ways, tuple(kinds), len(instances) // (LANES * GROUP), lanes, begins, np.array(counts, np.int64)
    )
    for table in (made.features, made.first_ways, made.lanes, made.begins, made.counts):
        table.flags.writeable = False
    return made


def names_of(size: int) -> list[str]:
    """The names of the features of a stage; a pattern shows its squares, X for the player to move, O for the other."""
    names = [f"{name} {value}" for name, values in COUNTS.items() for value in range(values)]
    for (name, kept), squares in zip(patterns(size).kinds, shapes(size).values(), strict=True):
        names += [f"{name} {_shown(number, len(squares))}" for number in kept.tolist()]
    return names


def _lanes(instances: list[Squares], size: int) -> Any:
    """What each row adds to the numbers of these patterns, for each way in which a player's discs can fill it."""
    lanes = np.zeros((len(instances) // (LANES * GROUP), size, 256, GROUP), np.uint64)
    for number, squares in enumerate(instances):
        word, lane = divmod(number, LANES)
        group, word = divmod(word, GROUP)
        for digit, (x, y) in enumerate(squares):
            lanes[group, y, np.arange(256) >> x & 1 == 1, word] += np.uint64(3**digit << 16 * lane)
    return lanes.ravel()


def _mirrored(squares: Squares, same: list[Squares]) -> Any:
    """For each way to fill the squares, the least number among its mirror images.

    `same` has the squares in every order in which a symmetry of the board can put them.
    """
    ways = np.arange(3 ** len(squares))
    digits = np.stack([ways // 3**place % 3 for place in range(len(squares))])
    powers = 3 ** np.arange(len(squares))
    orders = [[image.index(square) for square in squares] for image in same]
    return np.min([powers @ digits[order] for order in orders], axis=0)


def _shown(number: int, length: int) -> str:
    """A way to fill a pattern: X is the player to move, O the opponent."""
    return "".join("-XO"[number // 3**place % 3] for place in range(length))
