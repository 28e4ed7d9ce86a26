"""One side's checkers as two words of four-bit counts, and what a single checker can do with one die.

A side counts from its own end: place 25 is the bar, 24 to 1 are the points, 0 is off the board. `low` holds the counts
of places 0 to 15, `high` those of places 16 to 25. What is place p for one side is place 25 − p for the other.
"""

from __future__ import annotations

from typing import Any

from zermelo.game.state import u64

OFF, BAR = 0, 25
CHECKERS = 15


def count_at(low: Any, high: Any, place: int) -> int:
    """The number of checkers at a place."""
    if place < 16:
        return int(low >> u64(4 * place) & u64(15))
    return int(high >> u64(4 * place - 64) & u64(15))


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


def may_step(low: Any, high: Any, other_low: Any, other_high: Any, origin: int, die: int) -> bool:
    """Can the side move a checker from the origin by this die?"""
    if count_at(low, high, origin) == 0 or (origin != BAR and count_at(low, high, BAR) > 0):
        return False
    target = origin - die
    if target > 0:
        return count_at(other_low, other_high, 25 - target) < 2
    if high != 0 or low >> u64(28) != 0:  # not all checkers are in the home board
        return False
    return target == 0 or low >> u64(4 * origin + 4) == 0  # a larger die takes the rearmost checker


def step(low: Any, high: Any, other_low: Any, other_high: Any, origin: int, die: int) -> tuple[Any, Any, Any, Any]:
    """Both sides' counts after a legal step: a single checker of the other side on the target goes to its bar."""
    target = max(origin - die, OFF)
    low, high = moved(low, high, origin, target)
    if target > OFF and count_at(other_low, other_high, 25 - target) == 1:
        other_low, other_high = moved(other_low, other_high, 25 - target, BAR)
    return low, high, other_low, other_high


def pips(low: Any, high: Any) -> int:
    """The total distance that the side's checkers have to go."""
    total = 0
    for place in range(1, 26):
        total += place * count_at(low, high, place)
    return total
