"""What a network sees of a position: Tesauro's inputs (1992) for both sides, and what players count.

For each side and each of the 24 points, four inputs: at least one checker, at least two, at least three, and half the
number beyond three. Then half the number of checkers on the bar, and the first, second and last five checkers borne
off. Then, for each side, what is counted in every position:

pips        the distance that all its checkers have to go, in hundreds
spread      the standard deviation of its checkers' places, in tens

and what is counted while there is contact ("the front" is the other side's rearmost checker):

behind      the share of its checkers that are not past the front
break       the pips that these need to pass it, in hundreds
shots       the share of the other side's 36 rolls that hit a blot
two hit     the share of rolls that hit two blots or more
loss        the pips that it loses by a hit, on average over all rolls, in tens
escapes     the share of its 36 rolls that bring its rearmost checker past the points that block it
contained   the smallest such share among its own places and the empty places that the rearmost checker has to pass
mobility    such shares of all checkers outside its home board, times the way home, in hundreds
entering    the share of rolls that bring no checker in from the bar; the same if there is one on the bar, and the
            share of rolls that leave one of two or more there
timing      the pips that it can play without breaking points of its home board, in hundreds
prime       its longest row of points in front of the other side's rearmost checker: one input for each length, 3 to 6
anchors     its foremost and rearmost anchor in the other side's home board and outer board
back game   the share of its checkers in the other side's home board, if it holds two or more points there; if one
"""

from __future__ import annotations

import math
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from zermelo.game.state import i64, u64
from zermelo.games.backgammon.checkers import BAR, OFF, POINTS, count_at, occupied, open_points
from zermelo.games.backgammon.state import BackgammonState
from zermelo.kernel.bits import count_bits, highest_bit, lowest_bit

BAR_INPUT, OFF_INPUTS = 96, 97
PIPS, SPREAD = 100, 101
COUNTED = 102
BEHIND, BREAK, SHOTS, TWO_HIT, LOSS, ESCAPES, CONTAINED, MOBILITY = range(COUNTED, COUNTED + 8)
CLOSED_OUT, BARRED, TWO_BARRED, TIMING, PRIME = range(COUNTED + 8, COUNTED + 13)
FOREMOST, REARMOST, BACK_GAME, ONE_ANCHOR = range(PRIME + 4, PRIME + 8)
SIDE = ONE_ANCHOR + 1
COUNT = 2 * SIDE

CONTACT, CRASHED, RACE = 0, 1, 2
PHASES = ("contact", "crashed", "race")
FEW = 7
"""A side with fewer checkers than this beyond its two lowest points has crashed, or is bearing off."""


def names() -> tuple[str, ...]:
    """The names of all inputs."""
    found = []
    for side in ("own", "other"):
        for point in range(1, 25):
            found += [f"{side} {point}: {what}" for what in ("1 or more", "2 or more", "3 or more", "more than 3")]
        found += [
            f"{side} {what}" for what in ("bar", "off: 1 to 5", "off: 6 to 10", "off: 11 to 15", "pips", "spread")
        ]
        found += [f"{side} {what}" for what in ("behind", "break", "shots", "two hit", "loss", "escapes", "contained")]
        found += [f"{side} {what}" for what in ("mobility", "closed out", "barred", "two barred", "timing")]
        found += [f"{side} prime of {length}" for length in range(3, 7)]
        found += [f"{side} {what}" for what in ("foremost anchor", "rearmost anchor", "back game", "one anchor")]
    return tuple(found)


def is_contact(s: BackgammonState) -> bool:
    """Can a checker of one side still meet one of the other? If not, the game is a race."""
    return highest_bit(occupied(s.low[0], s.high[0])) + highest_bit(occupied(s.low[1], s.high[1])) > 25


def phase_of(s: BackgammonState) -> int:
    """Which network judges this position: contact, crashed (contact; a side has few checkers to play with) or race."""
    if not is_contact(s):
        return RACE
    for p in range(2):
        low = s.low[p]
        if 15 - i64(low & u64(15)) - i64(low >> u64(4) & u64(15)) - i64(low >> u64(8) & u64(15)) < FEW:
            return CRASHED
    return CONTACT


def list_features(s: BackgammonState, p: int, escapes: Any, numbers: Any, amounts: Any) -> int:
    """Write the numbers and amounts of a position's inputs as player p sees it; returns how many there are."""
    low, high, other_low, other_high = s.low[p], s.high[p], s.low[1 - p], s.high[1 - p]
    places, others = occupied(low, high), occupied(other_low, other_high)
    count = list_checkers(low, high, places, 0, numbers, amounts, 0)
    count = list_checkers(other_low, other_high, others, SIDE, numbers, amounts, count)
    rear, other_rear = highest_bit(places), highest_bit(others)
    if rear + other_rear <= 25:
        return count
    free, others_free = open_points(other_low, other_high), open_points(low, high)
    blots, others_blots = places & turned(others_free), others & turned(free)
    count = list_counted(low, high, places, free, others_free, 25 - other_rear, escapes, 0, numbers, amounts, count)
    count = list_counted(
        other_low, other_high, others, others_free, free, 25 - rear, escapes, SIDE, numbers, amounts, count
    )
    count = list_shots(other_low, other_high, others, turned(blots), others_free, 0, numbers, amounts, count)
    return list_shots(low, high, places, turned(others_blots), free, SIDE, numbers, amounts, count)


def list_checkers(low: Any, high: Any, places: Any, first: int, numbers: Any, amounts: Any, count: int) -> int:
    """The inputs for the checkers of one side, its pips and their spread."""
    total, squares = 0, 0
    left = places
    while left != 0:
        place = lowest_bit(left)
        left &= left - u64(1)
        checkers = count_at(low, high, place)
        total += place * checkers
        squares += place * place * checkers
        number = first + 4 * place - 4
        if place == BAR:
            count = put(number, 0.5 * checkers, numbers, amounts, count)
            continue
        for unary in range(min(checkers, 3)):
            count = put(number + unary, 1.0, numbers, amounts, count)
        if checkers > 3:
            count = put(number + 3, 0.5 * (checkers - 3), numbers, amounts, count)
    off = count_at(low, high, OFF)
    for five in range(3):
        if off > 5 * five:
            count = put(first + OFF_INPUTS + five, 0.2 * min(off - 5 * five, 5), numbers, amounts, count)
    count = put(first + PIPS, 0.01 * total, numbers, amounts, count)
    spread = math.sqrt(max(15 * squares - total * total, 0)) / 150.0
    return put(first + SPREAD, spread, numbers, amounts, count)


def list_counted(
    low: Any, high: Any, places: Any, free: Any, others_free: Any, front: int, escapes: Any, first: int, numbers: Any,
    amounts: Any, count: int,
) -> int:  # fmt: skip
    """The inputs that are counted while there is contact, for one side, without shots."""
    closed = ~turned(others_free) & POINTS  # this side's points of two or more checkers
    rear = highest_bit(places)

    behind, distance, timing, way = 0, 0, 0, 0.0
    left = places
    while left != 0:
        place = lowest_bit(left)
        left &= left - u64(1)
        checkers = count_at(low, high, place)
        if place > front:
            behind += checkers
            distance += checkers * (place - front)
        if place > 6:
            way += checkers * (place - 6) * escapes[ahead_of(place, free)]
        if place <= 18:
            timing += checkers * (place - 6) if place > 6 else max(checkers - 2, 0) * place
    contained = 1.0
    for place in range(max(front, 7), rear + 1):
        if free >> u64(place) & u64(1) == 1:
            contained = min(contained, escapes[ahead_of(place, free)])
    shut = 6 - count_bits(free >> u64(19) & u64(63))
    bar = count_at(low, high, BAR)

    count = put(first + BEHIND, behind / 15.0, numbers, amounts, count)
    count = put(first + BREAK, distance * 0.01, numbers, amounts, count)
    count = put(first + ESCAPES, escapes[ahead_of(rear, free)], numbers, amounts, count)
    count = put(first + CONTAINED, contained, numbers, amounts, count)
    count = put(first + MOBILITY, way * 0.01, numbers, amounts, count)
    count = put(first + CLOSED_OUT, shut * shut / 36.0, numbers, amounts, count)
    count = put(first + BARRED, shut * shut / 36.0 if bar > 0 else 0.0, numbers, amounts, count)
    count = put(first + TWO_BARRED, 1.0 - (6 - shut) * (6 - shut) / 36.0 if bar > 1 else 0.0, numbers, amounts, count)
    count = put(first + TIMING, timing * 0.01, numbers, amounts, count)
    length = longest_row(closed & ~((u64(2) << u64(front)) - u64(1)))
    if length >= 3:
        count = put(first + PRIME + min(length, 6) - 3, 1.0, numbers, amounts, count)
    anchors = closed >> u64(13)
    if anchors != 0:
        count = put(first + FOREMOST, (12 - lowest_bit(anchors)) / 12.0, numbers, amounts, count)
        count = put(first + REARMOST, (12 - highest_bit(anchors)) / 12.0, numbers, amounts, count)
    deep = count_bits(closed >> u64(19))
    if deep > 0:
        men = 0
        for place in range(19, 26):
            men += count_at(low, high, place)
        count = put(first + (BACK_GAME if deep > 1 else ONE_ANCHOR), men / 15.0, numbers, amounts, count)
    return count


def list_shots(
    low: Any, high: Any, shooters: Any, blots: Any, free: Any, first: int, numbers: Any, amounts: Any, count: int
) -> int:
    """The inputs for one side's blots, as the other side, which shoots, numbers them."""
    if blots == 0 or highest_bit(shooters) < lowest_bit(blots):
        return count
    rolls, double, lost = hitting_rolls(low, high, shooters, blots, free)
    count = put(first + SHOTS, rolls / 36.0, numbers, amounts, count)
    count = put(first + TWO_HIT, double / 36.0, numbers, amounts, count)
    return put(first + LOSS, lost / 360.0, numbers, amounts, count)


def put(number: int, amount: float, numbers: Any, amounts: Any, count: int) -> int:
    """Write one input, unless it is 0; returns how many there are then."""
    numbers[count], amounts[count] = number, amount
    return count + (amount != 0.0)


def turned(places: Any) -> Any:
    """A set of places as the other side numbers them: place p becomes 25 − p."""
    places = (places & u64(0x55555555)) << u64(1) | places >> u64(1) & u64(0x55555555)
    places = (places & u64(0x33333333)) << u64(2) | places >> u64(2) & u64(0x33333333)
    places = (places & u64(0x0F0F0F0F)) << u64(4) | places >> u64(4) & u64(0x0F0F0F0F)
    places = (places & u64(0x00FF00FF)) << u64(8) | places >> u64(8) & u64(0x00FF00FF)
    places = (places & u64(0x0000FFFF)) << u64(16) | places >> u64(16) & u64(0x0000FFFF)
    return places >> u64(6)


def ahead_of(place: int, free: Any) -> int:
    """The open points among the twelve in front of a place. The next one is bit 11; what is off the board is open."""
    if place >= 13:
        return int(i64(free >> u64(place - 12) & u64(0xFFF)))
    return int(i64((free << u64(12 - place) | (u64(1) << u64(13 - place)) - u64(1)) & u64(0xFFF)))


def hitting_rolls(low: Any, high: Any, shooters: Any, blots: Any, free: Any) -> tuple[int, int, int]:
    """How many of a side's 36 rolls hit a blot, how many hit two or more, and the pips that all of them take.

    All places are as the hitting side numbers them. A hit is by one checker with one or more steps; with one checker on
    the bar, that checker enters with one die, and any checker may hit with the other.
    """
    bar = count_at(low, high, BAR)
    field = shooters & POINTS
    if bar > 0:
        shooters &= u64(1) << u64(BAR)
    rolls, double, lost = 0, 0, 0
    for one in range(1, 7):
        after = shooters >> u64(one)
        for other in range(1, one + 1):
            then = shooters >> u64(other)
            if one == other:
                second = (after & free) >> u64(one)
                third = (second & free) >> u64(one)
                hit = after | second | third | (third & free) >> u64(one)
                if bar == 1 and after & free != 0:
                    second = field >> u64(one)
                    hit |= second | (second & free) >> u64(one)
            else:
                hit = after | then | (after & free) >> u64(other) | (then & free) >> u64(one)
                if bar == 1:
                    if after & free != 0:
                        hit |= field >> u64(other)
                    if then & free != 0:
                        hit |= field >> u64(one)
            hit &= blots
            if hit != 0:
                weight = 1 if one == other else 2
                rolls += weight
                lost += weight * highest_bit(hit)
                if hit & hit - u64(1) != 0:
                    double += weight
    return rolls, double, lost


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
