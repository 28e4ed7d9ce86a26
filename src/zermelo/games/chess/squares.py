"""Tables of squares for the evaluation, computed once."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np


class Squares(NamedTuple):
    """Tables for both players, Black's with the board turned upside down.

    places      [128 · player + 64 · mirrored + square] a square as the player sees it, or its mirror image
    zones       [64 · player + square] the squares around a king, and one more row ahead of it
    distances   [64 · square + square] the number of king moves
    """

    places: Any
    zones: Any
    distances: Any


@functools.cache
def squares() -> Squares:
    """The tables, which all games of chess share."""
    square = np.arange(64)
    turned = square ^ 56
    places = np.concatenate([square, square ^ 7, turned, turned ^ 7])
    zones = [_zone(place & 7, place >> 3, 1 - 2 * player) for player in range(2) for place in range(64)]
    apart = [np.abs(line[:, None] - line[None, :]) for line in (square >> 3, square & 7)]
    made = Squares(places, np.array(zones, np.uint64), np.maximum(*apart).ravel())
    for table in made:
        table.flags.writeable = False
    return made


def _zone(x: int, y: int, ahead: int) -> int:
    around = [(x + i, y + j * ahead) for i in (-1, 0, 1) for j in (-1, 0, 1, 2)]
    return sum(1 << 8 * y + x for x, y in around if 0 <= x < 8 and 0 <= y < 8)
