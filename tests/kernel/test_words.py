"""Sets in several words: compiled and plain answers against sets of Python."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from zermelo import Game, Random, u64
from zermelo.kernel.routine import Routine
from zermelo.kernel.words import (
    are_equal,
    contains,
    count_items,
    difference,
    flooded,
    have_common,
    intersection,
    is_empty,
    joined,
    lowest_item,
    neighbours,
    nth_item,
    split,
    spread,
    union,
    word_of,
    words_at,
)


class Two(NamedTuple):
    a: tuple[u64, u64]
    b: tuple[u64, u64]


class Three(NamedTuple):
    a: tuple[u64, u64, u64]
    b: tuple[u64, u64, u64]


class Sets(Game):
    """Only a carrier of states: routines take a game."""

    def __init__(self, words: int):
        self.words = words

    def initial(self) -> Any:
        blank = (0,) * self.words
        return (Two if self.words == 2 else Three)(blank, blank)

    def to_move(self, s: Any) -> int:
        return 0

    def actions(self, s: Any) -> Any:
        for a in range(0):
            yield a

    def result(self, s: Any, a: int) -> Any:
        return s

    def is_terminal(self, s: Any) -> bool:
        return True

    def utility(self, s: Any, p: int) -> float:
        return 0.0


def write(a: Any, row: int, out: Any) -> None:
    for i in range(len(a)):
        out[row, i] = word_of(a, i)


def answers(game: Any, s: Any, item: int, stride: int, out: Any, numbers: Any) -> int:
    """Every function once: sets into `out`, numbers into `numbers`."""
    write(union(s.a, s.b), 0, out)
    write(intersection(s.a, s.b), 1, out)
    write(difference(s.a, s.b), 2, out)
    write(neighbours(s.a, stride), 3, out)
    write(spread(s.a, s.b, stride), 4, out)
    write(flooded(intersection(s.a, s.b), s.b, stride), 5, out)
    write(words_at(out, 2, s.a), 6, out)
    numbers[0] = count_items(s.a)
    numbers[1] = lowest_item(s.a)
    numbers[2] = 1 if contains(s.a, item) else 0
    numbers[3] = 1 if have_common(s.a, s.b) else 0
    numbers[4] = 1 if is_empty(s.a) else 0
    numbers[5] = 1 if are_equal(s.a, s.b) else 0
    numbers[6] = -1 if is_empty(s.a) else nth_item(s.a, item % count_items(s.a))
    return 0


def items(number: int, bits: int) -> set[int]:
    return {i for i in range(bits) if number >> i & 1}


@pytest.mark.parametrize("words", [2, 3])
def test_both_modes_agree_with_sets(words: int) -> None:
    game, random, bits = Sets(words), Random(words), 64 * words
    state = type(game.initial())
    for stride in (9, 20):
        for round_ in range(12):
            a, b = (joined(tuple(random.bits() & random.bits() for _ in range(words))) for _ in range(2))
            a, b = (0 if round_ == 0 else a), (a if round_ == 1 else b)
            s, item = state(split(a, words), split(b, words)), random.below(bits)
            found = []
            for run in (Routine(answers).run_plain, _compiled):
                out, numbers = np.zeros((7, words), np.uint64), np.zeros(7, np.int64)
                run(game, s, item, stride, out, numbers)
                found.append((out.tolist(), numbers.tolist()))
            assert found[0] == found[1]
            sets = [items(joined(tuple(row)), bits) for row in found[0][0]]
            x, y = items(a, bits), items(b, bits)
            near = {i + step for i in x for step in (1, -1, stride, -stride) if 0 <= i + step < bits}
            assert sets[:5] == [x | y, x & y, x - y, near, x | near & y]
            assert sets[5] == grown(x & y, y, stride)
            assert sets[6] == x - y
            lowest = min(x, default=bits)
            nth = sorted(x)[item % len(x)] if x else -1
            assert found[0][1] == [len(x), lowest, item in x, bool(x & y), not x, x == y, nth]


def grown(seeds: set[int], within: set[int], stride: int) -> set[int]:
    found, queue = set(seeds), list(seeds)
    while queue:
        i = queue.pop()
        for j in (i + 1, i - 1, i + stride, i - stride):
            if j in within and j not in found:
                found.add(j)
                queue.append(j)
    return found


_routine = Routine(answers)


def _compiled(game: Any, s: Any, *arguments: Any) -> Any:
    return _routine.compiled(game, *arguments)(s)
