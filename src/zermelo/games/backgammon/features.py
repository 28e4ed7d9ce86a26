"""What a network sees of a position: Tesauro's inputs (1992) for both sides.

For each side and each of the 24 points, four inputs: at least one checker, at least two, at least three, and half the
number beyond three. Then half the number of checkers on the bar, and the share of checkers borne off.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zermelo.game.state import u64

SIDE = 98
COUNT = 2 * SIDE


def side_features(low: Any, high: Any, first: int) -> Iterator[tuple[int, float]]:
    """The inputs of one side, numbered from `first`."""
    off = int(low & u64(15))
    if off > 0:
        yield first + 97, off / 15.0
    number = first
    left = low >> u64(4)
    for half in range(2):
        while left != 0:
            checkers = int(left & u64(15))
            if checkers > 0:
                if number - first == 96:
                    yield number, 0.5 * checkers
                else:
                    yield number, 1.0
                    if checkers > 1:
                        yield number + 1, 1.0
                    if checkers > 2:
                        yield number + 2, 1.0
                    if checkers > 3:
                        yield number + 3, 0.5 * (checkers - 3)
            left >>= u64(4)
            number += 4
        if half == 0:
            left = high
            number = first + 60
