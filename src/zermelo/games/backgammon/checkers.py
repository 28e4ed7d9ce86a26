"""One side's checkers as two words of four-bit counts, and what a single checker can do with one die.

A side counts from its own end: place 25 is the bar, 24 to 1 are the points, 0 is off the board. `low` holds the counts
of places 0 to 15, `high` those of places 16 to 25. What is place p for one side is place 25 − p for the other. A set of
places is a word with one bit for each.
"""

from __future__ import annotations

from typing import Any

from zermelo.game.state import i64, u64

OFF, BAR = 0, 25
CHECKERS = 15
POINTS = u64((1 << 25) - 2)
ONES = u64(0x1111111111111111)


def count_at(low: Any, high: Any, place: int) -> int:
    """The number of checkers at a place."""
    word = low if place < 16 else high
    return int(i64(word >> u64(4 * (place & 15)) & u64(15)))


def moved(low: Any, high: Any, origin: int, target: int) -> tuple[Any, Any]:
    """The counts after one checker has moved."""
    if origin < 16:
        low -= u64(1) << u64(4 * origin)
    else:
        high -= u64(1) << u64(4 * origin - 64)
    if target < 16:
        low += u64(1) << u64(4 * target)
    else:
        high += u64(1) << u64(4 * target - 64)
    return low, high


def step(low: Any, high: Any, other_low: Any, other_high: Any, origin: int, die: int) -> tuple[Any, Any, Any, Any]:
    """Both sides' counts after a legal step: a single checker of the other side on the target goes to its bar."""
    target = max(origin - die, OFF)
    low, high = moved(low, high, origin, target)
    if target > OFF and count_at(other_low, other_high, 25 - target) == 1:
        other_low, other_high = moved(other_low, other_high, 25 - target, BAR)
    return low, high, other_low, other_high


# Sets of places.


def _gathered(ones: Any) -> Any:
    """The lowest bits of a word's sixteen counts, side by side."""
    ones = (ones | ones >> u64(3)) & u64(0x0303030303030303)
    ones = (ones | ones >> u64(6)) & u64(0x000F000F000F000F)
    ones = (ones | ones >> u64(12)) & u64(0x000000FF000000FF)
    return (ones | ones >> u64(24)) & u64(0xFFFF)


def occupied(low: Any, high: Any) -> Any:
    """The places with checkers, without those borne off."""
    low = (low | low >> u64(1) | low >> u64(2) | low >> u64(3)) & ONES
    high = (high | high >> u64(1) | high >> u64(2) | high >> u64(3)) & ONES
    return (_gathered(low) | _gathered(high) << u64(16)) & ~u64(1)


def made_points(low: Any, high: Any) -> Any:
    """The points with two checkers or more."""
    low = (low >> u64(1) | low >> u64(2) | low >> u64(3)) & ONES
    high = (high >> u64(1) | high >> u64(2) | high >> u64(3)) & ONES
    return (_gathered(low) | _gathered(high) << u64(16)) & POINTS


def open_points(other_low: Any, other_high: Any) -> Any:
    """The points on which the other side has at most one checker, as this side numbers them."""
    return ~turned(made_points(other_low, other_high)) & POINTS


def turned(places: Any) -> Any:
    """A set of places as the other side numbers them: place p becomes 25 − p, by way of a reversed word of 32 bits."""
    places = (places & u64(0x55555555)) << u64(1) | places >> u64(1) & u64(0x55555555)
    places = (places & u64(0x33333333)) << u64(2) | places >> u64(2) & u64(0x33333333)
    places = (places & u64(0x0F0F0F0F)) << u64(4) | places >> u64(4) & u64(0x0F0F0F0F)
    places = (places & u64(0x00FF00FF)) << u64(8) | places >> u64(8) & u64(0x00FF00FF)
    places = (places & u64(0x0000FFFF)) << u64(16) | places >> u64(16) & u64(0x0000FFFF)
    return places >> u64(6)


def origins(places: Any, free: Any, die: int) -> Any:
    """The places from which a checker can move by this die, given the occupied places and the open points."""
    if places >> u64(BAR) != 0:
        places = u64(1) << u64(BAR)
    found = places & free << u64(die)
    if places >> u64(7) == 0:  # all checkers are in the home board: bearing off
        found |= places & u64(1) << u64(die)
        if places >> u64(die) == 0:  # a larger die takes the rearmost checker
            found |= places & ~(
                places >> u64(1) | places >> u64(2) | places >> u64(3) | places >> u64(4) | places >> u64(5)
            )
    return found


def pips(low: Any, high: Any) -> int:
    """The total distance that the side's checkers have to go."""
    total = 0
    for place in range(1, 26):
        total += place * count_at(low, high, place)
    return total
