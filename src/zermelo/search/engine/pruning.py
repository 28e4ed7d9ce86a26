"""Forward pruning, and quiescence search's stand pat: what is left out at a risk, or estimated.

All of it but stand pat is tried only in null windows, and only if the player to move may stand pat (in chess: is not in
check). Each function answers one question; the search in `node` acts on the answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.kernel.ordinals import float_of, number_of, ordinal
from zermelo.search.engine.scores import TOP
from zermelo.search.engine.switches import ESTIMATES, FUTILITY, LEAVES, NULL_MOVE, QUIESCENCE, REDUCTIONS

if TYPE_CHECKING:
    from zermelo.search.engine.memory import Memory

QUIESCENCE_PLIES = 24
"""How many plies beyond the horizon quiescence search follows noisy moves."""
FUTILE_UNITS, FUTILE_DEPTH = 8, 6
"""How many units of evaluation a ply can gain, and up to which depth reverse futility pruning relies on that."""
NULL_DEPTH, NULL_REDUCTION, NULL_UNITS = 3, 2, 16
"""The null move's least depth, its reduction, and the advantage in units that makes the reduction one ply larger."""
LATE_DEPTH, LATE_FROM = 4, 3
"""Up to which depth late move pruning is used, and how many moves it always keeps."""


def stand_pat(search: Memory, estimate: int, best: int, ceiling: int) -> int:
    """The score at the horizon if the player to move declines all noisy moves: the estimate within known bounds."""
    search.counts[LEAVES] += 1
    search.counts[ESTIMATES] += 1
    return min(max(estimate, best), ceiling)


def quiescence_continues(search: Memory, depth: int) -> bool:
    """Does quiescence search look at noisy moves here?"""
    return search.has_noisy_actions and search.switches[QUIESCENCE] != 0 and depth > -QUIESCENCE_PLIES


def reverse_futility(search: Memory, estimate: int, depth: int) -> int:
    """A score that the position keeps if it loses as much at each ply as a ply can lose; -TOP if that says nothing.

    If even that reaches beta, the position is good enough without a search (static null move pruning).
    """
    if search.switches[FUTILITY] == 0 or depth > FUTILE_DEPTH:
        return number_of(-TOP)
    return ordinal(float_of(estimate) - FUTILE_UNITS * depth * search.unit)


def null_move_applies(game: Any, s: Any, search: Memory, estimate: int, depth: int, beta: int) -> bool:
    """Is it worth asking whether the position stays good enough if the player to move passes? (Beal 1989)"""
    return search.switches[NULL_MOVE] != 0 and depth >= NULL_DEPTH and estimate >= beta and game.may_pass(s)


def null_move_depth(search: Memory, estimate: int, depth: int, beta: int) -> int:
    """How deep to search after a null move."""
    reduced = depth - 1 - NULL_REDUCTION - depth // 4
    if float_of(estimate) > float_of(beta) + NULL_UNITS * search.unit:
        reduced -= 1
    return reduced


def futility(search: Memory, estimate: int, depth: int) -> int:
    """The best score that quiet moves can hope for so close to the horizon; TOP if they can hope for anything."""
    if search.switches[FUTILITY] == 0 or depth > LATE_DEPTH:
        return number_of(TOP)
    return ordinal(float_of(estimate) + FUTILE_UNITS * depth * search.unit)


def delta(search: Memory, estimate: int, gain: float) -> int:
    """The best score that a noisy move can hope for in quiescence search, by what it gains (delta pruning)."""
    return ordinal(float_of(estimate) + gain + FUTILE_UNITS * search.unit)


def is_late(game: Any, s: Any, search: Memory, a: Any, searched: int) -> bool:
    """Is this a late quiet move, to be reduced or pruned?"""
    return search.switches[REDUCTIONS] != 0 and searched > LATE_FROM and not game.is_noisy(s, a)


def loses_material(game: Any, s: Any, search: Memory, a: Any, searched: int, depth: int) -> bool:
    """Is this a noisy move that loses more than it gains, close to the horizon, and not the first move?"""
    return (
        search.has_gain
        and search.switches[FUTILITY] != 0
        and searched > 1
        and depth <= LATE_DEPTH
        and game.is_noisy(s, a)
        and game.gain(s, a) < 0.0
    )


def late_move_count(depth: int, hopeless: bool) -> int:
    """How many moves are searched before late move pruning leaves out the quiet ones; few if there is little hope."""
    return LATE_FROM if hopeless else LATE_FROM + depth * depth
