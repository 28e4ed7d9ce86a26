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
from zermelo.games.backgammon.checkers import BAR, OFF, POINTS, count_at, made_points, occupied, turned
from zermelo.games.backgammon.state import BackgammonState
from zermelo.kernel.bits import count_bits, highest_bit, lowest_bit
from zermelo.kernel.loops import vector_loop

BAR_INPUT, OFF_INPUTS = 96, 97
PIPS, SPREAD = 100, 101
COUNTED = 102
BEHIND, BREAK, SHOTS, TWO_HIT, LOSS, ESCAPES, CONTAINED, MOBILITY = range(COUNTED, COUNTED + 8)
CLOSED_OUT, BARRED, TWO_BARRED, TIMING, PRIME = range(COUNTED + 8, COUNTED + 13)
FOREMOST, REARMOST, BACK_GAME, ONE_ANCHOR = range(PRIME + 4, PRIME + 8)
SIDE = ONE_ANCHOR + 1
COUNT = 2 * SIDE

WORDS = 5
"""What is remembered of each side of the last position."""

ROLL, CHECKER, TWELFTH = 1 / 36, 1 / 15, 1 / 12
"""Factors: products are faster than quotients."""

NIBBLES, ALL_BYTES = u64(0x0F0F0F0F0F0F0F0F), u64(0x0101010101010101)

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


def list_changes(s: BackgammonState, p: int, escapes: Any, last: Any, numbers: Any, amounts: Any) -> int:
    """Write the inputs that may differ from the last position's, as player p sees them; returns how many there are.

    `last` has WORDS words for each side: its checkers (low, high), their pips, the squares of their places, and the
    pips that are free to play. Only the points whose numbers of checkers differ are visited.
    """
    low, high, other_low, other_high = s.low[p], s.high[p], s.low[1 - p], s.high[1 - p]
    count = list_checkers(low, high, last, 0, numbers, amounts, 0)
    count = list_checkers(other_low, other_high, last, WORDS, numbers, amounts, count)
    if not is_contact(s):
        return count
    places, others = occupied(low, high), occupied(other_low, other_high)
    points, others_points = made_points(low, high), made_points(other_low, other_high)
    count = list_counted(
        low, high, places, points, other_low, other_high, others, others_points, i64(last[4]), escapes, 0, numbers,
        amounts, count,
    )  # fmt: skip
    return list_counted(
        other_low, other_high, others, others_points, low, high, places, points, i64(last[WORDS + 4]), escapes, SIDE,
        numbers, amounts, count,
    )  # fmt: skip


def list_features(s: BackgammonState, p: int, escapes: Any, numbers: Any, amounts: Any) -> int:
    """Write the inputs of a position that are not 0, as player p sees them; returns how many there are."""
    last = np.zeros(2 * WORDS, np.uint64)
    return int(keep_some(numbers, amounts, list_changes(s, p, escapes, last, numbers, amounts)))


@vector_loop()
def keep_some(numbers: Any, amounts: Any, count: int) -> int:
    """Keep the inputs that are not 0; returns how many there are."""
    found = 0
    for i in range(count):
        numbers[found], amounts[found] = numbers[i], amounts[i]
        found += 1 if amounts[i] != 0 else 0
    return found


def list_checkers(low: Any, high: Any, last: Any, at: int, numbers: Any, amounts: Any, count: int) -> int:
    """The inputs for the checkers of one side, its pips and their spread. Its words begin at `at` in `last`."""
    first = 0 if at == 0 else SIDE
    was_low, was_high = u64(last[at]), u64(last[at + 1])
    total, squares, timing = i64(last[at + 2]), i64(last[at + 3]), i64(last[at + 4])
    left = occupied(low ^ was_low, high ^ was_high)
    while left != 0:
        place = lowest_bit(left)
        left &= left - u64(1)
        checkers, before = count_at(low, high, place), count_at(was_low, was_high, place)
        total += place * (checkers - before)
        squares += place * place * (checkers - before)
        timing += playable(place, checkers) - playable(place, before)
        number = first + 4 * place - 4
        if place == BAR:
            count = put(number, 0.5 * checkers, numbers, amounts, count)
            continue
        count = put(number, 1.0 if checkers > 0 else 0.0, numbers, amounts, count)
        count = put(number + 1, 1.0 if checkers > 1 else 0.0, numbers, amounts, count)
        count = put(number + 2, 1.0 if checkers > 2 else 0.0, numbers, amounts, count)
        count = put(number + 3, 0.5 * max(checkers - 3, 0), numbers, amounts, count)
    if (low ^ was_low) & u64(15) != 0:
        off = count_at(low, high, OFF)
        for five in range(3):
            count = put(first + OFF_INPUTS + five, 0.2 * min(max(off - 5 * five, 0), 5), numbers, amounts, count)
    last[at], last[at + 1], last[at + 2], last[at + 3], last[at + 4] = low, high, total, squares, timing
    count = put(first + PIPS, 0.01 * total, numbers, amounts, count)
    spread = math.sqrt(max(15 * squares - total * total, 0)) * (0.1 * CHECKER)
    return put(first + SPREAD, spread, numbers, amounts, count)


def playable(place: int, checkers: int) -> int:
    """The pips that the checkers at a place can play without breaking points of the home board."""
    if place > 18:
        return 0
    return checkers * (place - 6) if place > 6 else max(checkers - 2, 0) * place


def list_counted(
    low: Any, high: Any, places: Any, points: Any, other_low: Any, other_high: Any, others: Any, others_points: Any,
    timing: int, escapes: Any, first: int, numbers: Any, amounts: Any, count: int,
) -> int:  # fmt: skip
    """The inputs that are counted while there is contact, for one side: all of them, in the order of their numbers."""
    free, others_free = ~turned(others_points) & POINTS, ~turned(points) & POINTS
    front = 25 - highest_bit(others)
    rear = highest_bit(places)

    behind, distance = number_and_pips(low, high, front + 1)
    distance -= front * behind
    # The numbers of rolls that escape from each point; all points are visited, since jumps would take longer.
    ahead = free << u64(12) | u64(0x1FFF)
    bar = count_at(low, high, BAR)
    last = i64(escapes[i64(ahead >> u64(rear) & u64(0xFFF))])
    way, contained = bar * (BAR - 6) * last if bar > 0 else 0, 36
    open_here = free >> u64(max(front, 7)) << u64(max(front, 7)) & (u64(2) << u64(rear)) - u64(1)
    for place in range(7, 25):
        rolls = i64(escapes[i64(ahead >> u64(place) & u64(0xFFF))])
        way += count_at(low, high, place) * (place - 6) * rolls
        contained = min(contained, rolls if open_here >> u64(place) & u64(1) == 1 else 36)
    rolls, double, lost = hitting_rolls(other_low, other_high, others, turned(places & POINTS & ~points), others_free)
    shut = 6 - count_bits(free >> u64(19) & u64(63))
    rows = points & ~((u64(2) << u64(front)) - u64(1))
    three = rows & rows >> u64(1) & rows >> u64(2)
    four, five, six = three & rows >> u64(3), three & three >> u64(2), three & three >> u64(3)
    anchors = points >> u64(13)
    deep = count_bits(points >> u64(19))
    men = number_of(high >> u64(12)) * CHECKER

    for i in range(ONE_ANCHOR + 1 - COUNTED):
        numbers[count + i] = first + COUNTED + i
    amounts[count] = behind * CHECKER
    at = count - COUNTED
    amounts[at + BREAK] = distance * 0.01
    amounts[at + SHOTS] = rolls * ROLL
    amounts[at + TWO_HIT] = double * ROLL
    amounts[at + LOSS] = lost * (0.1 * ROLL)
    amounts[at + ESCAPES] = last * ROLL
    amounts[at + CONTAINED] = contained * ROLL
    amounts[at + MOBILITY] = way * (0.01 * ROLL)
    amounts[at + CLOSED_OUT] = shut * shut * ROLL
    amounts[at + BARRED] = shut * shut * ROLL if bar > 0 else 0.0
    amounts[at + TWO_BARRED] = 1.0 - (6 - shut) * (6 - shut) * ROLL if bar > 1 else 0.0
    amounts[at + TIMING] = timing * 0.01
    amounts[at + PRIME] = 1.0 if three != 0 and four == 0 else 0.0
    amounts[at + PRIME + 1] = 1.0 if four != 0 and five == 0 else 0.0
    amounts[at + PRIME + 2] = 1.0 if five != 0 and six == 0 else 0.0
    amounts[at + PRIME + 3] = 1.0 if six != 0 else 0.0
    amounts[at + FOREMOST] = (12 - lowest_bit(anchors)) * TWELFTH if anchors != 0 else 0.0
    amounts[at + REARMOST] = (12 - highest_bit(anchors)) * TWELFTH if anchors != 0 else 0.0
    amounts[at + BACK_GAME] = men if deep > 1 else 0.0
    amounts[at + ONE_ANCHOR] = men if deep == 1 else 0.0
    return at + ONE_ANCHOR + 1


def put(number: int, amount: float, numbers: Any, amounts: Any, count: int) -> int:
    """Write one input; returns how many there are then."""
    numbers[count], amounts[count] = number, amount
    return count + 1


def number_and_pips(low: Any, high: Any, begin: int) -> tuple[int, int]:
    """How many checkers are on this place and higher ones, and their pips."""
    if begin < 16:
        low = low >> u64(4 * begin) << u64(4 * begin)
    else:
        low, high = u64(0), high >> u64(4 * begin - 64) << u64(4 * begin - 64)
    lower, upper = number_of(low), number_of(high)
    return lower + upper, pips_of(low, lower) + pips_of(high, upper) + 16 * upper


def number_of(word: Any) -> int:
    """The sum of a word's four-bit counts, which is at most 15: a product adds up all bytes in the highest one."""
    sums = (word & NIBBLES) + (word >> u64(4) & NIBBLES)
    return int(i64(u64(sums * ALL_BYTES) >> u64(56)))


def pips_of(word: Any, number: int) -> int:
    """The sum of a word's four-bit counts, each times its place. `number` is the sum of the counts.

    Byte k of the first product is the sum of bytes 0 to k. So byte j is in 8 − j bytes, which the second one adds up.
    """
    odd = word >> u64(4) & NIBBLES
    below = u64(u64(((word & NIBBLES) + odd) * ALL_BYTES) * ALL_BYTES) >> u64(56)
    return 2 * (8 * number - int(i64(below))) + int(i64(u64(odd * ALL_BYTES) >> u64(56)))


def hitting_rolls(low: Any, high: Any, shooters: Any, blots: Any, free: Any) -> tuple[int, int, int]:
    """How many of a side's 36 rolls hit a blot, how many hit two or more, and the pips that all of them take.

    All places are as the hitting side numbers them. A hit is by one checker with one or more steps; with one checker on
    the bar, that checker enters with one die, and any checker may hit with the other.
    """
    if blots == 0 or highest_bit(shooters) < lowest_bit(blots):
        return 0, 0, 0
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
            # No jumps: whether a roll hits is hard to predict.
            weight = 1 if one == other else 2
            rolls += weight if hit != 0 else 0
            lost += weight * highest_bit(hit | u64(1))
            double += weight if hit & hit - u64(1) != 0 else 0
    return rolls, double, lost


@cache
def escape_table() -> Any:
    """How many of 36 rolls bring a checker past a block, for each set of open points among the next twelve.

    Bit 11 is the next point. A checker has escaped if at most two of the six points in front of it are closed.
    """
    rolls = np.zeros(1 << 12, np.uint8)
    for one, other in product(range(1, 7), repeat=2):
        if one == other:
            rolls += _escapes((one,) * 4)
        else:
            rolls += _escapes((one, other)) | _escapes((other, one))
    return rolls


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
