"""Sets of more than 64 items as tuples of 64-bit words, the lowest first: large boards, the same in both modes.

Item i is bit i % 64 of word i // 64. `spread`, `neighbours` and `flooded` read the items as the points of a board whose
rows are `stride` items long. A column that is never used keeps the end of a row apart from the start of the next one.
"""

from __future__ import annotations

from typing import Any

from zermelo.kernel.bits import count_bits, nth_bit

Words = tuple[int, ...]


def union(a: Words, b: Words) -> Words:
    """The items of either."""
    return tuple(x | y for x, y in zip(a, b, strict=True))


def intersection(a: Words, b: Words) -> Words:
    """The items of both."""
    return tuple(x & y for x, y in zip(a, b, strict=True))


def difference(a: Words, b: Words) -> Words:
    """The items of a that are not in b."""
    return tuple(x & ~y for x, y in zip(a, b, strict=True))


def is_empty(a: Words) -> bool:
    """Are there no items?"""
    return not any(a)


def are_equal(a: Words, b: Words) -> bool:
    """Do both have the same items?"""
    return a == b


def have_common(a: Words, b: Words) -> bool:
    """Is there an item in both?"""
    return any(x & y for x, y in zip(a, b, strict=True))


def contains(a: Words, item: int) -> bool:
    """Is this one of the items?"""
    return bool(a[item >> 6] >> (item & 63) & 1)


def word_of(a: Words, index: int) -> int:
    """The word of this index; the index may be known only at run time."""
    return a[index]


def count_items(a: Words) -> int:
    """How many items there are."""
    return sum(x.bit_count() for x in a)


def lowest_item(a: Words) -> int:
    """The lowest item; 64 times the number of words if there is none."""
    whole = joined(a)
    return (whole & -whole).bit_length() - 1 if whole else 64 * len(a)


def nth_item(a: Words, number: int) -> int:
    """The item of this number, counted from 0 for the lowest; there must be so many."""
    index = 0
    word = word_of(a, 0)
    while number >= count_bits(word):
        number -= count_bits(word)
        index += 1
        word = word_of(a, index)
    return 64 * index + nth_bit(word, number)


def words_at(table: Any, row: int, like: Words) -> Words:
    """A row of a table of words; `like` tells compiled code how many words that are."""
    return tuple(table[row].tolist())


def neighbours(a: Words, stride: int) -> Words:
    """The points next to these along rows and columns, some of them beyond the board."""
    whole = joined(a)
    return split(whole << 1 | whole >> 1 | whole << stride | whole >> stride, len(a))


def flooded(seeds: Words, within: Words, stride: int) -> Words:
    """The seeds and all points of `within` that are connected with them through points of `within`."""
    found, room = joined(seeds), joined(within)
    before = -1
    while found != before:
        before = found
        found |= (found << 1 | found >> 1 | found << stride | found >> stride) & room
    return split(found, len(seeds))


def spread(a: Words, within: Words, stride: int) -> Words:
    """These points and their neighbours within: one step of `flooded`."""
    return union(a, intersection(neighbours(a, stride), within))


def joined(a: Words) -> int:
    """All words as one long number. Only for plain Python."""
    whole = 0
    for word in reversed(a):
        whole = whole << 64 | word
    return whole


def split(whole: int, count: int) -> Words:
    """A long number as so many words. Only for plain Python."""
    return tuple(whole >> 64 * i & 0xFFFFFFFFFFFFFFFF for i in range(count))
