"""Forward pruning, and quiescence search's stand pat: what is left out at a risk, or estimated.

All of it but stand pat is tried only in null windows, and only if the player to move may stand pat (in chess: is not in
check). Each function answers one question; the search in `node` acts on the answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.kernel.ordinals import float_of, number_of, ordinal
from zermelo.search.engine.scores import TOP, UNKNOWN
from zermelo.search.engine.switches import ESTIMATES, FUTILITY, LEAVES, NULL_MOVE, PROBCUT, QUIESCENCE, REDUCTIONS

if TYPE_CHECKING:
    from zermelo.search.engine.memory import Memory

QUIESCENCE_PLIES = 24
"""How many plies beyond the horizon quiescence search follows noisy moves."""
SAFE_UNITS, SAFE_DEPTH = 9, 6
"""How many units of evaluation a ply can lose, and up to which depth reverse futility pruning relies on that."""
FUTILE_UNITS = 12
"""How many units of evaluation a ply can gain."""
NULL_DEPTH, NULL_REDUCTION, NULL_UNITS = 3, 2, 16
"""The null move's least depth, its reduction, and the advantage in units that makes the reduction one ply larger."""
LATE_DEPTH, LATE_FROM = 4, 4
"""Up to which depth late move pruning is used, and how many moves are never reduced or pruned."""
LOST_UNITS = 5
"""How many units per ply of depth a quiet move may lose."""
HOPELESS_DEPTH = 4
"""Up to which depth quiet moves can be hopeless, and losing captures are left out."""

PROBCUT_DEPTH, PROBCUT_CHECKS, CONFIDENCE = 3, 2, 1.3
"""ProbCut's least depth, the most predictions it tries, and the standard errors by which they must miss the window."""


def stand_pat(search: Memory, estimate: int, best: int, ceiling: int) -> int:
    """The score at the horizon if the player to move declines all noisy moves: the estimate within known bounds."""
    search.counts[LEAVES] += 1
    search.counts[ESTIMATES] += 1
    return min(max(estimate, best), ceiling)


def quiescence_continues(search: Memory, depth: int) -> bool:
    """Does quiescence search look at noisy moves here?"""
    return search.has_noisy_actions and search.switches[QUIESCENCE] != 0 and depth > -QUIESCENCE_PLIES


def is_improving(search: Memory, ply: int, turn: int) -> bool:
    """Is the estimate better for the mover than two plies ago, or if that is unknown, than four plies ago?

    A position that improves deserves more: fewer moves are pruned, and they are reduced less.
    """
    known = search.estimated
    for back in (2, 4):
        if ply >= back and known[ply - back] != UNKNOWN:
            return bool(turn * known[ply] > turn * known[ply - back])
    return True


def reverse_futility(search: Memory, estimate: int, depth: int, improving: bool) -> int:
    """A score that the position keeps if it loses as much at each ply as a ply can lose; -TOP if that says nothing.

    If even that reaches beta, the position is good enough without a search (static null move pruning).
    """
    if search.switches[FUTILITY] == 0 or depth > SAFE_DEPTH:
        return number_of(-TOP)
    plies = depth - 1 if improving else depth
    return ordinal(float_of(estimate) - SAFE_UNITS * plies * search.unit)


def null_move_applies(game: Any, s: Any, search: Memory, estimate: int, depth: int, beta: int) -> bool:
    """Is it worth asking whether the position stays good enough if the player to move passes? (Beal 1989)"""
    return search.switches[NULL_MOVE] != 0 and depth >= NULL_DEPTH and estimate >= beta and game.may_pass(s)


def null_move_depth(search: Memory, estimate: int, depth: int, beta: int) -> int:
    """How deep to search after a null move: less deep the greater the depth and the advantage."""
    advantage = (float_of(estimate) - float_of(beta)) / (NULL_UNITS * search.unit)
    return depth - 1 - NULL_REDUCTION - depth // 3 - int(min(advantage, 3.0))


def futility(search: Memory, estimate: int, depth: int) -> int:
    """The best score that quiet moves can hope for so close to the horizon; TOP if they can hope for anything."""
    if search.switches[FUTILITY] == 0 or depth > HOPELESS_DEPTH:
        return number_of(TOP)
    return ordinal(float_of(estimate) + FUTILE_UNITS * depth * search.unit)


def delta(search: Memory, estimate: int, gain: float) -> int:
    """The best score that a noisy move can hope for in quiescence search, by what it gains (delta pruning)."""
    return ordinal(float_of(estimate) + gain + FUTILE_UNITS * search.unit)


def is_late(game: Any, s: Any, search: Memory, a: Any, searched: int) -> bool:
    """Is this a late quiet move, to be reduced or pruned?"""
    return search.switches[REDUCTIONS] != 0 and searched > LATE_FROM and not game.is_noisy(s, a)


def loses_material(game: Any, s: Any, search: Memory, a: Any, searched: int, depth: int) -> bool:
    """Is this a move that loses something at once, close to the horizon, and not the first move?

    A noisy move must not lose more than it gains; a quiet move may lose more the deeper the search is.
    """
    if not search.has_gain or search.switches[FUTILITY] == 0 or searched == 1:
        return False
    if game.is_noisy(s, a):
        return depth <= HOPELESS_DEPTH and game.gain(s, a) < 0.0
    return depth <= LATE_DEPTH and game.gain(s, a) < -LOST_UNITS * depth * search.unit


def late_move_count(depth: int, hopeless: bool, improving: bool) -> int:
    """How many moves are searched before late move pruning leaves out the quiet ones; few if there is little hope."""
    if hopeless:
        return LATE_FROM
    return LATE_FROM + depth * depth if improving else LATE_FROM + depth * depth // 2


def needs_estimate(search: Memory, depth: int) -> bool:
    """Does any pruning ask for the static evaluation here? ProbCut does not so close to the horizon."""
    if not search.has_probcut or depth >= PROBCUT_DEPTH:
        return True
    switches = search.switches
    return switches[FUTILITY] != 0 or switches[NULL_MOVE] != 0 or switches[REDUCTIONS] != 0  # type: ignore[no-any-return]


def probcut_applies(search: Memory, depth: int, left: int) -> bool:
    """Is it worth asking a shallow search? Not if this search reaches the end of the game, and can be exact."""
    return search.has_probcut and search.switches[PROBCUT] != 0 and PROBCUT_DEPTH <= depth < left


def probcut_window(game: Any, s: Any, depth: int, number: int, beta: int, fails_high: bool) -> tuple[int, int]:
    """Multi-ProbCut (Buro 1997): the depth of a shallow search, and the score that it should reach, or not reach.

    If the search is expected to fail high and the shallow one reaches the score, or to fail low and it does not, the
    deep search very probably ends on the same side of the window. The depth is 0 if there is no prediction.
    """
    shallow, slope, offset, error = game.probcut(s, depth, number)
    margin = CONFIDENCE * error
    return shallow, ordinal((float_of(beta) + (margin if fails_high else -margin) - offset) / slope)
