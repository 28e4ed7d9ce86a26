"""The board of Go: points as bits of words, captures by floods, and keys of the stones.

Groups are never numbered. A group has liberties if a flood from the empty points reaches it, so one flood through all
stones of a colour, which stops as soon as it has reached the stones in question, decides whether a move captures.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from zermelo.game.protocol import Game
from zermelo.game.state import u64
from zermelo.games.go.state import words_for
from zermelo.kernel.words import (
    Words,
    count_items,
    difference,
    flooded,
    have_common,
    intersection,
    is_empty,
    lowest_item,
    neighbours,
    split,
    spread,
    union,
    words_at,
)

KEYS_SEED = 0x60
"""Seed of the random numbers that keys of stones are made of; other numbers would make other keys."""


def without_liberties(stones: Words, empty: Words, asked: Words, stride: int) -> Words:
    """The stones without liberties, all of one colour; none if all those that are asked about have some."""
    alive = intersection(neighbours(empty, stride), stones)
    while not is_empty(difference(asked, alive)):
        grown = spread(alive, stones, stride)
        if is_empty(difference(grown, alive)):
            return difference(stones, alive)
        alive = grown
    return difference(alive, alive)


class GoBoard(Game):
    """The points of a board and what a stone on one of them captures."""

    def __init__(self, size: int):
        self.size = size
        self.stride = size + 1
        self.points = size * self.stride
        """How many numbers points have, those of the unused column included; also the number of a pass."""
        places = [(row, column) for row in range(size) for column in range(size)]
        self.board = self._table([places])
        self.light_points = self._table([[(r, c) for r, c in places if (r + c) % 2 == 0]])
        self.place = self._table([[(p // self.stride, p % self.stride)] for p in range(self.points)])
        self.near = self._table(
            [
                [(r + i, c + j) for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1))]
                for r, c in (divmod(p, self.stride) for p in range(self.points))
            ]
        )
        self.diagonal = self._table(
            [
                [(r + i, c + j) for i in (1, -1) for j in (1, -1)]
                for r, c in (divmod(p, self.stride) for p in range(self.points))
            ]
        )
        self.stone_keys = np.random.default_rng(KEYS_SEED).integers(1 << 63, size=(2, self.points), dtype=np.uint64)

    def _table(self, rows: Iterable[Iterable[tuple[int, int]]]) -> np.ndarray:
        """Sets of points, given by row and column, as rows of words; what is beyond the board is left out."""
        size, stride = self.size, self.stride
        numbers = [sum(1 << stride * r + c for r, c in set(row) if 0 <= r < size and 0 <= c < size) for row in rows]
        return np.array([split(number, words_for(size)) for number in numbers], np.uint64)

    # Sets of points.

    def empty_points(self, own: Words, other: Words) -> Words:
        return difference(words_at(self.board, 0, own), union(own, other))

    def captured(self, own: Words, other: Words, p: int) -> Words:
        """The stones of `other` that a stone of `own` on this empty point captures."""
        asked = intersection(words_at(self.near, p, own), other)
        if is_empty(asked):
            return asked
        empty = difference(self.empty_points(own, other), words_at(self.place, p, own))
        return without_liberties(other, empty, asked, self.stride)

    def suicides(self, own: Words, other: Words, p: int) -> Words:
        """The stones of `own` that a stone on this empty point removes if it captures nothing."""
        empty = self.empty_points(own, other)
        place = words_at(self.place, p, own)
        if have_common(words_at(self.near, p, own), empty):
            return difference(own, own)
        return without_liberties(union(own, place), difference(empty, place), place, self.stride)

    def uncapturable(self, stones: Words, empty: Words) -> Words:
        """Stones of one colour that no single move captures: their group has liberties of both colours of a chessboard.

        Groups with several liberties of one colour are left out, so this is a quick test and not an exact one.
        """
        light = intersection(empty, words_at(self.light_points, 0, empty))
        by_light = flooded(intersection(neighbours(light, self.stride), stones), stones, self.stride)
        dark = difference(empty, light)
        return flooded(intersection(neighbours(dark, self.stride), by_light), by_light, self.stride)

    def forbidden_by_ko(self, own: Words, other: Words, p: int, captured: Words) -> int:
        """The point that may not be retaken at once after a stone on p; the number of a pass if there is none.

        It is where p captured one stone, if p is one stone itself and has no other liberty.
        """
        near = words_at(self.near, p, own)
        linked_or_free = union(own, self.empty_points(own, other))
        if count_items(captured) == 1 and not have_common(near, linked_or_free):
            return lowest_item(captured)
        return self.points

    def areas(self, black: Words, white: Words) -> tuple[Words, Words]:
        """The areas of both colours: their stones, and the empty points that reach only stones of that colour."""
        empty = self.empty_points(black, white)
        by_black = flooded(intersection(neighbours(black, self.stride), empty), empty, self.stride)
        by_white = flooded(intersection(neighbours(white, self.stride), empty), empty, self.stride)
        return union(black, difference(by_black, by_white)), union(white, difference(by_white, by_black))

    # Keys.

    def key_of_stones(self, stones: Words, colour: int) -> int:
        """The exclusive or of the keys of these stones (Zobrist 1970)."""
        key = u64(0)
        left = stones
        while not is_empty(left):
            p = lowest_item(left)
            key ^= u64(self.stone_keys[colour, p])
            left = difference(left, words_at(self.place, p, left))
        return key
