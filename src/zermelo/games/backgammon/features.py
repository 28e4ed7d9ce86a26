"""What a network sees of a position: Tesauro's inputs (1992) for both sides, and what players count.

For each side and each of the 24 points, four inputs: at least one checker, at least two, at least three, and half the
number beyond three. Then half the number of checkers on the bar, and the share of checkers borne off. Then, for each
side:

pips        the distance that all its checkers have to go, in hundreds
shots       the share of the other side's 36 rolls that hit a blot
escapes     the share of its 36 rolls that bring its rearmost checker past the points that block it
prime       its longest row of points in front of the other side's rearmost checker: one input for each length, 3 to 6
behind      the share of its checkers that the other side's rearmost checker still faces

The last input is 1 if the sides have passed each other: a race.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from zermelo.game.state import i64, u64
from zermelo.games.backgammon.checkers import BAR, POINTS, count_at, occupied, open_points
from zermelo.games.backgammon.state import BackgammonState
from zermelo.kernel.bits import highest_bit

PIPS, SHOTS, ESCAPES, PRIME, BEHIND = 98, 99, 100, 101, 105
SIDE = 106
RACE = 2 * SIDE
COUNT = RACE + 1


def names() -> tuple[str, ...]:
    """The names of all inputs."""
    found = []
    for side in ("own", "other"):
        for point in range(1, 25):
            found += [f"{side} {point}: {what}" for what in ("1 or more", "2 or more", "3 or more", "more than 3")]
        found += [f"{side} {what}" for what in ("bar", "off", "pips", "shots", "escapes")]
        found += [f"{side} prime of {length}" for length in range(3, 7)] + [f"{side} behind"]
    return (*found, "race")


def is_contact(s: BackgammonState) -> bool:
    """Can a checker of one side still meet one of the other? If not, the game is a race."""
    rear = highest_bit(occupied(s.low[0], s.high[0])) if occupied(s.low[0], s.high[0]) != 0 else 0
    other = highest_bit(occupied(s.low[1], s.high[1])) if occupied(s.low[1], s.high[1]) != 0 else 0
    return rear + other > 25


def checker_features(low: Any, high: Any, first: int) -> Iterator[tuple[int, float]]:
    """The inputs for the checkers of one side, numbered from `first`."""
    off = i64(low & u64(15))
    if off > 0:
        yield first + 97, off / 15.0
    number = first
    left = low >> u64(4)
    for half in range(2):
        while left != 0:
            checkers = i64(left & u64(15))
            if checkers > 0 and number - first < 96:
                yield number, 1.0
                if checkers > 1:
                    yield number + 1, 1.0
                if checkers > 2:
                    yield number + 2, 1.0
                if checkers > 3:
                    yield number + 3, 0.5 * (checkers - 3)
            elif checkers > 0:
                yield number, 0.5 * checkers
            left >>= u64(4)
            number += 4
        if half == 0:
            left = high
            number = first + 60


def contact_features(
    low: Any, high: Any, other_low: Any, other_high: Any, escapes: Any, first: int
) -> Iterator[tuple[int, float]]:
    """The counted inputs of one side while there is contact."""
    free, others_free = open_points(other_low, other_high), open_points(low, high)
    closed = ~turned(others_free) & POINTS  # this side's points of two or more checkers
    blots = occupied(low, high) & POINTS & ~closed
    if blots != 0:
        shots = hitting_rolls(occupied(other_low, other_high), turned(blots), others_free)
        if shots > 0:
            yield first + SHOTS, shots / 36.0
    rear = highest_bit(occupied(low, high))
    ahead = free >> u64(rear - 12) if rear >= 12 else free << u64(12 - rear) | (u64(1) << u64(13 - rear)) - u64(1)
    yield first + ESCAPES, escapes[i64(ahead & u64(0xFFF))]
    front = 25 - highest_bit(occupied(other_low, other_high))  # the other side's rearmost checker
    length = longest_row(closed & ~((u64(2) << u64(front)) - u64(1)))
    if length >= 3:
        yield first + PRIME + min(length, 6) - 3, 1.0
    behind = 0
    for place in range(front + 1, 26):
        behind += count_at(low, high, place)
    yield first + BEHIND, behind / 15.0


def turned(places: Any) -> Any:
    """A set of places as the other side numbers them: place p becomes 25 − p."""
    places = (places & u64(0x55555555)) << u64(1) | places >> u64(1) & u64(0x55555555)
    places = (places & u64(0x33333333)) << u64(2) | places >> u64(2) & u64(0x33333333)
    places = (places & u64(0x0F0F0F0F)) << u64(4) | places >> u64(4) & u64(0x0F0F0F0F)
    places = (places & u64(0x00FF00FF)) << u64(8) | places >> u64(8) & u64(0x00FF00FF)
    places = (places & u64(0x0000FFFF)) << u64(16) | places >> u64(16) & u64(0x0000FFFF)
    return places >> u64(6)


def hitting_rolls(shooters: Any, blots: Any, free: Any) -> int:
    """How many of 36 rolls hit a blot, with one checker moving; a shooter on the bar must move first."""
    if shooters >> u64(BAR) != 0:
        shooters = u64(1) << u64(BAR)
    rolls = 0
    for one in range(1, 7):
        after = shooters >> u64(one)
        direct = after & blots != 0
        for other in range(1, one + 1):
            hit = direct or shooters >> u64(other) & blots != 0
            if not hit and one != other:
                hit = ((after & free) >> u64(other) | (shooters >> u64(other) & free) >> u64(one)) & blots != 0
            elif not hit:
                second = (after & free) >> u64(one)
                third = (second & free) >> u64(one)
                hit = (second | third | (third & free) >> u64(one)) & blots != 0
            if hit:
                rolls += 1 if one == other else 2
    return rolls


@cache
def escape_table() -> Any:
    """The share of 36 rolls that bring a checker past a block, for each set of open points among the next twelve.

    Bit 11 is the next point. A checker has escaped if at most two of the six points in front of it are closed.
    """
    rolls = np.zeros(1 << 12)
    for one, other in product(range(1, 7), repeat=2):
        if one == other:
            rolls += _escapes((one,) * 4)
        else:
            rolls += _escapes((one, other)) | _escapes((other, one))
    return rolls / 36


def _escapes(steps: tuple[int, ...]) -> Any:
    """For each set of open points: does a checker escape that makes these steps, as far as it can?"""
    ahead = np.arange(1 << 12) << 24 | (1 << 24) - 1  # what is farther away is open; the next point is bit 35
    gone = np.zeros(1 << 12, np.int64)
    blocked = np.zeros(1 << 12, bool)
    for die in steps:
        blocked |= ahead >> 36 - gone - die & 1 == 0
        gone = np.where(blocked, gone, gone + die)
    closed = sum(1 - (ahead >> 35 - gone - place & 1) for place in range(6))
    return (gone > 0) & (closed <= 2)


def longest_row(places: Any) -> int:
    """The length of the longest row of neighbouring places."""
    length = 0
    while places != 0:
        places &= places >> u64(1)
        length += 1
    return length
