"""The inputs of backgammon's network, counted one by one: to compare with the fast way."""

from __future__ import annotations

import math
from typing import Any

from zermelo.game.state import i64, u64
from zermelo.games.backgammon.checkers import BAR, OFF, POINTS, count_at, occupied, open_points, turned
from zermelo.games.backgammon.features import (
    BACK_GAME,
    BARRED,
    BEHIND,
    BREAK,
    CLOSED_OUT,
    CONTAINED,
    ESCAPES,
    FOREMOST,
    LOSS,
    MOBILITY,
    OFF_INPUTS,
    ONE_ANCHOR,
    PIPS,
    PRIME,
    REARMOST,
    SHOTS,
    SIDE,
    SPREAD,
    TIMING,
    TWO_BARRED,
    TWO_HIT,
    is_contact,
)
from zermelo.games.backgammon.state import BackgammonState
from zermelo.kernel.bits import count_bits, highest_bit, lowest_bit


def list_features(s: BackgammonState, p: int, escapes: Any, numbers: Any, amounts: Any) -> int:
    """Write the numbers and amounts of a position's inputs as player p sees it; returns how many there are."""
    contact = is_contact(s)
    count = 0
    for side in range(2):
        q = p if side == 0 else 1 - p
        low, high, other_low, other_high = s.low[q], s.high[q], s.low[1 - q], s.high[1 - q]
        count = list_checkers(low, high, SIDE * side, numbers, amounts, count)
        if contact:
            count = list_counted(low, high, other_low, other_high, escapes, SIDE * side, numbers, amounts, count)
    return count


def list_checkers(low: Any, high: Any, first: int, numbers: Any, amounts: Any, count: int) -> int:
    """The inputs for the checkers of one side, its pips and their spread."""
    total, squares = 0, 0
    left = occupied(low, high)
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
    low: Any, high: Any, other_low: Any, other_high: Any, escapes: Any, first: int, numbers: Any, amounts: Any,
    count: int,
) -> int:  # fmt: skip
    """The inputs that are counted while there is contact, for one side."""
    free, others_free = open_points(other_low, other_high), open_points(low, high)
    places, others = occupied(low, high), occupied(other_low, other_high)
    closed = ~turned(others_free) & POINTS  # this side's points of two or more checkers
    front = 25 - highest_bit(others)
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
    rolls, double, lost = hitting_rolls(other_low, other_high, others, turned(places & POINTS & ~closed), others_free)
    shut = 6 - count_bits(free >> u64(19) & u64(63))
    bar = count_at(low, high, BAR)

    count = put(first + BEHIND, behind / 15.0, numbers, amounts, count)
    count = put(first + BREAK, distance * 0.01, numbers, amounts, count)
    count = put(first + SHOTS, rolls / 36.0, numbers, amounts, count)
    count = put(first + TWO_HIT, double / 36.0, numbers, amounts, count)
    count = put(first + LOSS, lost / 360.0, numbers, amounts, count)
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


def put(number: int, amount: float, numbers: Any, amounts: Any, count: int) -> int:
    """Write one input, unless it is 0; returns how many there are then."""
    numbers[count], amounts[count] = number, amount
    return count + (amount != 0.0)


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
    if blots == 0:
        return 0, 0, 0
    bar = count_at(low, high, BAR)
    if bar > 0:
        shooters &= u64(1) << u64(BAR)
    field = occupied(low, high) & POINTS
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


def longest_row(places: Any) -> int:
    """The length of the longest row of neighbouring places."""
    length = 0
    while places != 0:
        places &= places >> u64(1)
        length += 1
    return length
