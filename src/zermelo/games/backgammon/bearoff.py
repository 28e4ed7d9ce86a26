"""Bear-off positions: how they are numbered, and what the tables say of them.

In a bear-off position all checkers of a side are on its home board, points 1 to 6, or off. If both sides are there,
they have passed each other, and each goes its own way. Two tables know these positions:

one-sided   54,264 positions of up to 15 checkers: the probability that the last checker is off after exactly k rolls,
            and for 15 checkers, that the first one is. A side plays for the smallest average number of rolls.
two-sided   pairs of positions with up to 6 checkers: the exact expected points of the player to roll, for four places
            of the cube. Both sides play perfectly.

The number of a position is in the combinatorial number system. With a_k checkers on point k or higher, it is
C(a_1 + 5, 6) + C(a_2 + 4, 5) + … + C(a_6, 1). So positions of n checkers come after all positions of fewer, and every
step makes the number smaller.
"""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.state import i64, u64
from zermelo.games.backgammon.checkers import CHECKERS
from zermelo.kernel.table_files import read_table, table_directory

HOME = 6
POSITIONS = math.comb(CHECKERS + HOME, HOME)
FULL = math.comb(CHECKERS + HOME - 1, HOME)
"""The number of the first position with 15 checkers: only such a side can lose a gammon."""
MOST_ROLLS = 32
"""Longer bear-offs have a probability below one in 10¹⁵."""

CUBELESS, CENTRED, OWNED, OPPONENTS = range(4)
"""Whose cube it is, in the two-sided table."""

UNKNOWN, ONE_SIDED, TWO_SIDED = range(3)
"""Where the chances in a position come from."""

ONE_SIDED_KIND, TWO_SIDED_KIND = "backgammon one-sided bear-off", "backgammon two-sided bear-off"
ONE_SIDED_FILE, TWO_SIDED_FILES = "backgammon_one_sided.table", "backgammon_two_sided_*.table"
"""The two-sided table for up to N checkers has N in its name."""


def positions_up_to(checkers: int) -> int:
    """How many positions have at most so many checkers."""
    return math.comb(checkers + HOME, HOME)


def binomials() -> np.ndarray[Any, Any]:
    """C(n, k) for the numbers of positions."""
    return np.array([[math.comb(n, k) for k in range(HOME + 1)] for n in range(CHECKERS + HOME)], np.int64)


def is_home(low: Any, high: Any) -> bool:
    """Are all checkers of a side on its home board or off?"""
    return bool(high == 0 and low >> u64(4 * (HOME + 1)) == 0)


def number_of(low: Any, choose: Any) -> int:
    """The number of a bear-off position. `choose` is the table of `binomials`."""
    number = i64(0)
    above = i64(0)
    for point in range(HOME, 0, -1):
        above += i64(low >> u64(4 * point) & u64(15))
        number += choose[above + HOME - point, HOME + 1 - point]
    return int(number)


def position_at(number: int, choose: Any) -> Any:
    """The counts of the position with this number, 15 checkers in all."""
    low = u64(0)
    before = CHECKERS
    for point in range(1, HOME + 1):
        above = before
        while choose[above + HOME - point, HOME + 1 - point] > number:
            above -= 1
        number -= choose[above + HOME - point, HOME + 1 - point]
        low |= u64(before - above) << u64(4 * (point - 1))
        before = above
    return low | u64(before) << u64(4 * HOME)


def chances(own: int, other: int, last: Any, first: Any, out: Any) -> None:
    """The five chances of the player to roll, from the one-sided tables.

    The player to roll is first if it needs no more rolls than the other side. The other side loses a gammon if it has
    not borne off any checker in the rolls before.
    """
    win, gammon, lost_gammon = 0.0, 0.0, 0.0
    other_left, other_none, own_none = 1.0, 1.0, 1.0  # the chance that all checkers, or none, are left
    for k in range(1, MOST_ROLLS):
        win += last[own, k] * other_left
        if other >= FULL:
            gammon += last[own, k] * other_none
            other_none -= first[other - FULL, k]
        other_left -= last[other, k]
        if own >= FULL:
            own_none -= first[own - FULL, k]
            lost_gammon += last[other, k] * own_none
    out[0], out[1], out[2], out[3], out[4] = win, gammon, 0.0, lost_gammon, 0.0


# Files.

NO_ONE_SIDED = np.zeros((0, MOST_ROLLS), np.float32)
NO_TWO_SIDED = np.zeros((0, 0, 4), np.float32)
for _array in (NO_ONE_SIDED, NO_TWO_SIDED):
    _array.flags.writeable = False  # as those of a file: compiled code is the same with and without tables
NO_TABLES: tuple[Any, Any, Any] = NO_ONE_SIDED, NO_ONE_SIDED, NO_TWO_SIDED

_opened: dict[Any, Any] = {}


def two_sided_file(checkers: int) -> str:
    """The file name of the two-sided table for up to so many checkers."""
    return TWO_SIDED_FILES.replace("*", str(checkers))


def tables() -> tuple[Any, Any, Any]:
    """The one-sided tables of the last and of the first checker, and the largest two-sided one; empty if not built."""
    one = _read(table_directory() / ONE_SIDED_FILE, ONE_SIDED_KIND)
    there = table_directory().glob(TWO_SIDED_FILES)
    largest = max(there, key=lambda path: path.stat().st_size, default=None)
    two = {} if largest is None else _read(largest, TWO_SIDED_KIND)
    return one.get("last", NO_ONE_SIDED), one.get("first", NO_ONE_SIDED), two.get("equity", NO_TWO_SIDED)


def _read(path: Path, kind: str) -> dict[str, Any]:
    """The arrays of a file, opened and checked once in each process; none if there is no such file."""
    try:
        about = os.stat(path)
    except OSError:
        return {}
    key = (str(path), about.st_ino, about.st_mtime_ns, about.st_size)
    if key not in _opened:
        _, arrays = read_table(path, kind)
        _opened[key] = {label: np.asarray(array) for label, array in arrays.items()}
    found: dict[str, Any] = _opened[key]
    return found
