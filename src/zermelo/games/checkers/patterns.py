"""Patterns of men: which of eight neighbouring squares are empty or have a man of either player.

A pattern is a number in base 3, one digit for each square: 0 is empty (or a king), 1 an own man, 2 the opponent's.
There are seven strips of two rows, and nine blocks of four rows and two columns. Buro (*Improving heuristic mini-max
search by supervised learning*, 2002) learned an evaluation of Othello from such patterns; Letouzey's program Scan plays
international draughts with patterns of men.

Two rows are eight bits of the board. A table has, for each of the 256 contents of such a pair of rows, four numbers
side by side in the lanes of a word: one for each of the three blocks that the pair crosses, and one for the strip.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

PAIRS, BLOCKS = 4, 3
"""Pairs of rows, and blocks side by side."""
STRIPS = 2 * PAIRS - 1
LANE = 16
"""The bits of a lane; the strip is in the last of four lanes."""
FILLINGS, HALF_FILLINGS = 3**8, 3**4
"""The contents of a pattern, and of the half of a block that is in one pair of rows."""
PATTERNS = STRIPS + (PAIRS - 1) * BLOCKS


@functools.cache
def lanes() -> Any:
    """[256 · player + content of a pair of rows] the numbers of its patterns if all its pieces are own men.

    White sees the board turned around: there, the bits are in reverse.
    """
    made = np.zeros(512, np.uint64)
    for p in range(2):
        for content in range(256):
            digits = [content >> (place if p == 0 else 7 - place) & 1 for place in range(8)]
            blocks = [[digits[place + c] for place in (0, 1, 4, 5)] for c in range(BLOCKS)]
            numbers = [_number(each) for each in (*blocks, digits)]
            made[256 * p + content] = sum(number << LANE * lane for lane, number in enumerate(numbers))
    made.flags.writeable = False
    return made


def _number(digits: list[int]) -> int:
    return sum(digit * 3**place for place, digit in enumerate(digits))


def pattern_squares(pattern: int) -> tuple[int, ...]:
    """The eight squares of a pattern as Black sees it, in the order of the digits."""
    if pattern < PAIRS:
        return tuple(8 * pattern + place + 1 for place in range(8))
    if pattern < STRIPS:
        return tuple(8 * (pattern - PAIRS) + place + 5 for place in range(8))
    row, column = divmod(pattern - STRIPS, BLOCKS)
    return tuple(8 * (row + half) + place + column + 1 for half in range(2) for place in (0, 1, 4, 5))


def pattern_name(pattern: int, filling: int) -> str:
    """Such as "5-12 .x..o..x": the squares, and x for own men and o for the opponent's."""
    squares = pattern_squares(pattern)
    signs = "".join(".xo"[filling // 3**place % 3] for place in range(8))
    return f"{'strip' if pattern < STRIPS else 'block'} {squares[0]}-{squares[-1]} {signs}"
