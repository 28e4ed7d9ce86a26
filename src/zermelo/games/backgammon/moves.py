"""All legal ways to play a roll, each once. Two ways that lead to the same position are one move.

A move is a number. With two different dice it holds the origin of the step with the larger die (bits 0 to 4) and of the
step with the smaller die (bits 5 to 9), 0 if a die is not used, and whether the smaller die is played first (bit 20).
With doubles it holds the origins of up to four steps, the highest first, in five bits each. The number 0 means that no
step is possible.

Why nothing is listed twice. With doubles, a set of origins determines the position after it, and another set leads to
another position. The steps of a legal set can be played from the highest origin down: entering from the bar and
leaving the outer board come first, and no step depends on a lower one. With different dice, the steps {x by the larger
die, y by the smaller} lead to the same position in both orders. Two different sets are equal in two cases only:

- A checker goes from f to f − larger − smaller, by either point between; unless one of these points holds a single
  checker of the other side, which is hit or not.
- Two checkers are borne off, each with either die.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zermelo.game.state import u64
from zermelo.games.backgammon.checkers import BAR, count_at, occupied, open_points, origins, step
from zermelo.kernel.bits import bits

SMALLER_FIRST = 1 << 20
ORIGIN = 31


def single_moves(low: Any, high: Any, other_low: Any, other_high: Any, larger: int, smaller: int) -> Iterator[int]:
    """The moves with two different dice: both if possible, else the larger, else the smaller."""
    free, places = open_points(other_low, other_high), occupied(low, high)
    by_larger, by_smaller = origins(places, free, larger), origins(places, free, smaller)
    found = False
    for x in bits(by_larger):
        a, b, _, _ = step(low, high, other_low, other_high, x, larger)
        for y in bits(origins(occupied(a, b), free, smaller)):
            found = True
            if not is_repeated(low, high, other_low, other_high, larger, smaller, x, y):
                yield x | y << 5
    for y in bits(by_smaller):
        a, b, _, _ = step(low, high, other_low, other_high, y, smaller)
        for x in bits(origins(occupied(a, b), free, larger) & ~by_larger):  # others can be played in either order
            found = True
            if not is_repeated(low, high, other_low, other_high, larger, smaller, x, y):
                yield x | y << 5 | SMALLER_FIRST
    if not found and by_larger != 0:
        for x in bits(by_larger):
            yield x
    elif not found and by_smaller != 0:
        for y in bits(by_smaller):
            yield y << 5
    elif not found:
        yield 0


def may_play(low: Any, high: Any, free: Any, first: int, die: int, second: int, other_die: int) -> bool:
    """Are two steps legal in this order?"""
    if origins(occupied(low, high), free, die) >> u64(first) & u64(1) == 0:
        return False
    a, b, _, _ = step(low, high, u64(0), u64(0), first, die)
    return bool(origins(occupied(a, b), free, other_die) >> u64(second) & u64(1) == 1)


def may_play_set(low: Any, high: Any, free: Any, larger: int, smaller: int, x: int, y: int) -> bool:
    """Are the steps x by the larger die and y by the smaller legal in one order or the other?"""
    return may_play(low, high, free, x, larger, y, smaller) or may_play(low, high, free, y, smaller, x, larger)


def is_repeated(
    low: Any, high: Any, other_low: Any, other_high: Any, larger: int, smaller: int, x: int, y: int
) -> bool:
    """Does another set of steps, which is listed instead, lead to the same position?"""
    if x == y - smaller and y > larger:  # from y by way of y − smaller; the other way is y − larger
        return (
            count_at(other_low, other_high, 25 - x) != 1
            and count_at(other_low, other_high, 25 - y + larger) != 1
            and may_play_set(low, high, open_points(other_low, other_high), larger, smaller, y, y - larger)
        )
    if x < y <= smaller:  # both are borne off
        return may_play_set(low, high, open_points(other_low, other_high), larger, smaller, y, x)
    return False


def most_steps(low: Any, high: Any, free: Any, die: int) -> int:
    """How many of the four steps of a double can be played: as many as from the highest origin down.

    No step takes away the possibility of another one, since a side's own checkers are not in its way.
    """
    steps = 0
    origin = BAR
    while steps < 4 and origin > 0:
        if origins(occupied(low, high), free, die) >> u64(origin) & u64(1) == 1:
            low, high, _, _ = step(low, high, u64(0), u64(0), origin, die)
            steps += 1
        else:
            origin -= 1
    return steps


def double_moves(low: Any, high: Any, other_low: Any, other_high: Any, die: int) -> Iterator[int]:
    """The moves with doubles: as many of the four steps as possible, each from no higher an origin than the last."""
    free = open_points(other_low, other_high)
    steps = most_steps(low, high, free, die)
    if steps == 0:
        yield 0
    for i in bits(next_origins(low, high, free, die, BAR)):
        if steps == 1:
            yield i
            continue
        a, b, _, _ = step(low, high, u64(0), u64(0), i, die)
        for j in bits(next_origins(a, b, free, die, i)):
            if steps == 2:
                yield i | j << 5
                continue
            c, d, _, _ = step(a, b, u64(0), u64(0), j, die)
            for k in bits(next_origins(c, d, free, die, j)):
                if steps == 3:
                    yield i | j << 5 | k << 10
                    continue
                e, f, _, _ = step(c, d, u64(0), u64(0), k, die)
                for m in bits(next_origins(e, f, free, die, k)):
                    yield i | j << 5 | k << 10 | m << 15


def next_origins(low: Any, high: Any, free: Any, die: int, last: int) -> Any:
    """The origins of the next step of a double."""
    return origins(occupied(low, high), free, die) & ((u64(2) << u64(last)) - u64(1))


def play(
    low: Any, high: Any, other_low: Any, other_high: Any, larger: int, smaller: int, move: int
) -> tuple[Any, Any, Any, Any]:
    """Both sides' counts after a move."""
    if move & SMALLER_FIRST:
        low, high, other_low, other_high = step(low, high, other_low, other_high, move >> 5 & ORIGIN, smaller)
        return step(low, high, other_low, other_high, move & ORIGIN, larger)
    for number in range(4):
        origin = move >> 5 * number & ORIGIN
        if origin > 0:
            die = larger if number == 0 else smaller
            low, high, other_low, other_high = step(low, high, other_low, other_high, origin, die)
    return low, high, other_low, other_high
