"""The transposition table: results for positions that several lines of play lead to.

An entry is two words: the data, and the position's key XOR the data, so that an entry torn by two threads matches no
key and no lock is needed (Hyatt and Mann 2002). The best move is stored as its place in the list of legal moves, so the
table cannot return an illegal move. Four entries form a bucket, which is one cache line; a new entry replaces the least
useful of the four.
"""

from __future__ import annotations

import contextlib
import mmap
from typing import Any

import numpy as np

from zermelo.kernel.bits import highest_bit
from zermelo.kernel.ordinals import number_of, signed
from zermelo.kernel.parts import Part
from zermelo.search.engine.scores import EXACT, LOWER, is_packed_exactly, packed, unpacked

# An entry's data, from the highest bit: 32 of score, then the fields below.
INDEX, DEPTH, WORK, BOUND = 22, 11, 6, 4  # where each begins
NO_INDEX, DEEPEST_ENTRY, WORK_LIMIT, AGES = 1023, 2047, 31, 16
SOLVED = DEEPEST_ENTRY
"""The depth of an entry without estimates: it holds at any depth."""

BUCKET = 4
ENTRY_BYTES = 16
GOLDEN = 0x9E3779B97F4A7C15
WORD = (1 << 64) - 1

AGE, RULE, MASK, FILLED, MOST = range(5)
EMPTY = -(1 << 40)
SMALLEST = 63
"""The mask of the smallest table in use."""

SPARSE = 8
"""How many buckets there must be for each known position."""

# Which entry of a full bucket is replaced.
LEAST_WORK, LEAST_DEPTH, ANY = range(3)
REPLACEMENTS = {"work": LEAST_WORK, "depth": LEAST_DEPTH, "always": ANY}


def score_in(data: int) -> int:
    return unpacked(data >> 32)


def index_in(data: int) -> int:
    return (data >> INDEX) & NO_INDEX


def depth_in(data: int) -> int:
    return (data >> DEPTH) & DEEPEST_ENTRY


def bound_in(data: int) -> int:
    return (data >> BOUND) & EXACT


class Table(Part):
    """The part of the engine's memory that is the transposition table.

    entries   two words for each entry, the key XOR the data and the data; 0 if the entry is empty
    known     [i] key and score of a position whose solution was given
    policy    AGE of the current search, RULE of replacement, MASK (one less than the buckets in use), FILLED entries,
              MOST (one less than the buckets there are)

    A table starts small enough for the processor's caches, and grows fourfold whenever it is half full: unused memory
    would only slow the search down.
    """

    entries: Any
    known: Any
    policy: Any

    def bucket_of(self, word: int) -> int:
        """The place where the bucket of a key begins."""
        return (((word * GOLDEN) & WORD) >> 32 & self.policy[MASK]) * (2 * BUCKET)  # type: ignore[no-any-return]

    def look_up(self, place: int, key: int) -> int:
        """The data of a position's entry, or 0."""
        for i in range(place, place + 2 * BUCKET, 2):
            data = self.entries[i + 1]
            if self.entries[i] ^ data == key and data != 0:
                return data  # type: ignore[no-any-return]
        return 0

    def store(self, place: int, key: int, score: int, index: int, depth: int, nodes: int, bound: int) -> None:
        """Store the result of a position."""
        if bound == EXACT and not is_packed_exactly(score):
            bound = LOWER
        work = min(highest_bit(nodes), WORK_LIMIT)
        data = (
            (packed(score, bound) << 32)
            | (min(index, NO_INDEX) << INDEX)
            | (min(depth, DEEPEST_ENTRY) << DEPTH)
            | (work << WORK)
            | (bound << BOUND)
            | self.policy[AGE]
        )
        self.keep(place, key, data)

    def keep(self, place: int, key: int, data: int) -> None:
        """Put a position's data into its own entry of the bucket, or else into the one of the lowest rank."""
        chosen = place
        worst = 1 << 40
        for i in range(place, place + 2 * BUCKET, 2):
            old = self.entries[i + 1]
            if self.entries[i] ^ old == key and old != 0:
                chosen = i
                worst = 0
                break
            rank = self.rank(old)
            if rank < worst:
                worst = rank
                chosen = i
        if worst == EMPTY:
            self.policy[FILLED] += 1
        self.entries[chosen] = key ^ data
        self.entries[chosen + 1] = data
        if self.policy[FILLED] > 2 * self.policy[MASK] and self.policy[MASK] < self.policy[MOST]:
            self.grow()

    def recall(self, salt: int) -> None:
        """Store the known positions, ranked above all others, so that they stay.

        Stores all of them or none, and into so many buckets that hardly five of them share one.
        """
        buckets = SPARSE * len(self.known)
        if buckets > self.policy[MOST] + 1:
            return
        while self.policy[MASK] + 1 < buckets:
            self.grow()
        for i in range(len(self.known)):
            word = (self.known[i][0] & WORD) ^ salt
            score = self.known[i][1]
            solved, most, exact = number_of(SOLVED), number_of(1 << WORK_LIMIT), number_of(EXACT)
            self.store(self.bucket_of(word), signed(word), score, number_of(NO_INDEX), solved, most, exact)

    def clear(self) -> None:
        """Forget everything."""
        for i in range(2 * BUCKET * (self.policy[MASK] + 1)):
            self.entries[i] = 0
        self.policy[MASK] = min(SMALLEST, self.policy[MOST])
        self.policy[FILLED] = 0

    def grow(self) -> None:
        """Use four times as many buckets: each entry stays, or moves to one of three new buckets."""
        buckets = self.policy[MASK] + 1
        self.policy[MASK] = min(4 * buckets - 1, self.policy[MOST])
        for i in range(0, 2 * BUCKET * buckets, 2):
            data = self.entries[i + 1]
            if data != 0:
                word = self.entries[i] ^ data
                place = self.bucket_of(word & WORD)
                end = place + 2 * BUCKET
                if place != i - i % (2 * BUCKET):
                    while place < end and self.entries[place + 1] != 0:
                        place += 2
                    if place < end:  # a node that began before the last growth stores in an old bucket
                        self.entries[place] = self.entries[i]
                        self.entries[place + 1] = data
                    self.entries[i] = 0
                    self.entries[i + 1] = 0

    def rank(self, data: int) -> int:
        """How useful an entry is: those of earlier searches least, then by the work they took."""
        if data == 0:
            return EMPTY
        age = (self.policy[AGE] - data) & (AGES - 1)  # the low bits of the data are its age
        if self.policy[RULE] == LEAST_WORK:
            return ((data >> WORK) & WORK_LIMIT) - (age << 6)  # type: ignore[no-any-return]
        if self.policy[RULE] == LEAST_DEPTH:
            return depth_in(data) - (age << 12)  # type: ignore[no-any-return]
        return 0


def room_for(mebibytes: float, compiled: bool) -> tuple[Any, int]:
    """Empty memory for a table of at most this size, and its number of buckets, a power of 2."""
    buckets = 1
    while 2 * buckets * BUCKET * ENTRY_BYTES <= mebibytes * (1 << 20):
        buckets *= 2
    size = buckets * BUCKET * ENTRY_BYTES
    try:
        memory = mmap.mmap(-1, size)  # aligned to a page, and so each bucket to a cache line
    except (OSError, OverflowError):
        raise ValueError(f"there is not enough memory for a table of {mebibytes:g} MiB: use a smaller one") from None
    with contextlib.suppress(AttributeError, OSError):
        memory.madvise(mmap.MADV_HUGEPAGE)  # with small pages, translating addresses takes longest
    return (np.frombuffer(memory, np.int64) if compiled else memoryview(memory).cast("q")), buckets
