"""Scores: what the engine's search compares. Integers, in the order of the values that they stand for.

A value that is not decided is the ordinal of a float, so no two floats share a score, and a null window has a width of
one. Wins lie above all floats, faster ones higher, and losses below: "a win in n plies" is a number of its own, and no
evaluation is mistaken for a win. A score is the value for the player to move, and the distance of a win counts from the
current node, so that a position's score does not depend on the path to it.
"""

from __future__ import annotations

from zermelo.kernel.ordinals import float_of, ordinal, single_float_of, single_ordinal
from zermelo.kernel.worker import PLIES

TOP = (1 << 63) - 2  # one more is still a number of 64 bits
"""Greater than any score: the bound of an open window."""
WIN = TOP - 1
"""A win that has happened; WIN - n is a win in n plies."""
WINS = WIN - 2 * PLIES
"""Scores from here on are wins."""

UNKNOWN = -(1 << 63)
"""No score."""

SINGLE_TOP = (1 << 31) - 1
LOWER, UPPER, EXACT = 1, 2, 3
"""The kinds of bounds: the score is at least this, at most this, or exactly this."""


def earlier(score: int) -> int:
    """A score as seen one ply before: wins and losses are one ply further away."""
    if score >= WINS:
        return score - 1
    if score <= -WINS:
        return score + 1
    return score


def later(limit: int) -> int:
    """A bound of a window as seen one ply later: the inverse of `earlier`. Open windows stay open."""
    if limit >= WINS:
        return min(limit + 1, TOP)
    if limit <= -WINS:
        return max(limit - 1, -TOP)
    return limit


def packed(score: int, bound: int) -> int:
    """A score in 32 bits; if single precision cannot represent it, the nearest bound that still holds."""
    if score >= WINS:
        return SINGLE_TOP - (TOP - score)
    if score <= -WINS:
        return (score + TOP) - SINGLE_TOP
    single = single_ordinal(float_of(score))
    back = ordinal(single_float_of(single))
    if back == score:
        return single
    if bound == UPPER:
        return single + 1 if back < score else single
    return single - 1 if back > score else single


def unpacked(single: int) -> int:
    """The score that `packed` put into 32 bits."""
    if single >= SINGLE_TOP - (TOP - WINS):
        return TOP - (SINGLE_TOP - single)
    if single <= (TOP - WINS) - SINGLE_TOP:
        return (single + SINGLE_TOP) - TOP
    return ordinal(single_float_of(single))


def is_packed_exactly(score: int) -> bool:
    """Does a score survive its packing?"""
    return unpacked(packed(score, LOWER)) == score
