"""Sets as the bits of a word, and words in tuples: helpers for boards, the same in both modes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zermelo.game.state import u64


def count_bits(word: int) -> int:
    """How many bits are set."""
    return int(word).bit_count()


def lowest_bit(word: int) -> int:
    """The index of the lowest bit that is set; 64 where none is."""
    return 64 if word == 0 else (word & -word).bit_length() - 1


def highest_bit(word: int) -> int:
    """The index of the highest bit that is set; -1 where none is."""
    return int(word).bit_length() - 1


def nth_bit(word: int, number: int) -> int:
    """The index of the set bit of this number, counted from 0 for the lowest; there must be so many."""
    place, width = 0, 32
    while width > 0:  # which half of the bits is it in?
        below = count_bits(word & ((u64(1) << width) - 1))
        if number >= below:
            number -= below
            word >>= width
            place += width
        width >>= 1
    return place


def bits(word: int) -> Iterator[int]:
    """Yields the indices of the bits that are set, lowest first."""
    while word != 0:
        yield lowest_bit(word)
        word &= word - 1


def replaced(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    """The tuple with one item replaced."""
    return (*items[:index], item, *items[index + 1 :])


def add_row(words: tuple[int, int, int, int], table: Any, place: int) -> tuple[int, int, int, int]:
    """Four words plus the four words of a table from this place on (compiled: one vector addition)."""
    a, b, c, d = words
    return (
        u64(a + int(table[place])),
        u64(b + int(table[place + 1])),
        u64(c + int(table[place + 2])),
        u64(d + int(table[place + 3])),
    )
