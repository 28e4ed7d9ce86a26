"""How deep to search a move: late move reductions, internal iterative reduction, and extensions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.kernel.ordinals import float_of, ordinal
from zermelo.search.engine.ordering import COUNTER
from zermelo.search.engine.scores import LOWER, WINS
from zermelo.search.engine.switches import EXTENDED_LIMIT, FORCED, REDUCTIONS, SINGULAR, URGENT
from zermelo.search.engine.table import bound_in, depth_in, score_in

if TYPE_CHECKING:
    from zermelo.search.engine.memory import Memory

REDUCED_DEPTH = 3
"""The least depth at which late moves are reduced."""
REDUCED_WITHIN = 64
"""Depths and places in the order of moves up to which reductions grow."""
MUCH_EXPERIENCE = 1 << 13
"""The history that reduces a move by one ply more or less."""
UNKNOWN_DEPTH = 4
"""The depth beyond which internal iterative reduction is used."""
SINGULAR_DEPTH, SINGULAR_UNITS = 6, 2
"""The least depth of singular extensions, and by how many units of evaluation a singular move beats the others."""


def late_move_reductions() -> Any:
    """[depth][place] the reduction in plies: the product of the logarithms of the depth and of the place."""
    number = np.arange(REDUCED_WITHIN)
    return (0.5 + np.outer(np.log(number + 3), np.log(number + 2)) / 2.4).astype(np.int64)


def late_move_reduction(
    search: Memory, depth: int, searched: int, rank: int, is_narrow: bool, improving: bool, ply: int
) -> int:
    """By how many plies to reduce a late move: less if it has done well elsewhere, more if it has failed there."""
    reduction = search.reductions[min(depth, REDUCED_WITHIN - 1), min(searched, REDUCED_WITHIN - 1)]
    if reduction > 1 and (rank >= COUNTER or not is_narrow):
        reduction -= 1
    if not improving:
        reduction += 1
    if rank < COUNTER:
        reduction -= max(min(rank // MUCH_EXPERIENCE, 2), -2)
    if ply == 0:
        reduction //= 2  # what is overlooked at the root is overlooked for good
    return reduction  # type: ignore[no-any-return]


def internal_iterative_reduction(search: Memory, depth: int) -> int:
    """One ply less for a position that is not in the table, whose moves are therefore in no good order."""
    return 1 if search.switches[REDUCTIONS] != 0 and depth > UNKNOWN_DEPTH else 0


def check_extension(search: Memory, depth: int, ply: int) -> int:
    """One ply more if the player to move may not stand pat."""
    return 1 if search.switches[URGENT] != 0 and depth >= 0 and 0 < ply < search.limits[EXTENDED_LIMIT] else 0


def is_forced(search: Memory, count: int, ply: int) -> bool:
    """Is there a single move, which is then searched one ply deeper?"""
    return count == 1 and search.switches[FORCED] != 0 and ply < search.limits[EXTENDED_LIMIT]


def may_be_singular(search: Memory, data: int, depth: int, ply: int) -> bool:
    """Is the table's move good enough to ask whether it is the only good one? (Anantharaman, Campbell and Hsu 1990)"""
    return (
        search.switches[SINGULAR] != 0
        and data != 0
        and 0 < ply < search.limits[EXTENDED_LIMIT]
        and depth >= SINGULAR_DEPTH
        and (bound_in(data) & LOWER) != 0
        and depth_in(data) >= depth - 3
        and -WINS < score_in(data) < WINS
    )


def singular_beta(search: Memory, data: int) -> int:
    """The score that no other move reaches if the table's move is singular."""
    return ordinal(float_of(score_in(data)) - SINGULAR_UNITS * search.unit)
