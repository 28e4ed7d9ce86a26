"""How the search uses the transposition table: probing it, enhanced transposition cutoffs, and storing a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.kernel.calls import prefetch
from zermelo.kernel.ordinals import number_of, signed
from zermelo.search.bookkeeping import NODES
from zermelo.search.engine.scores import EXACT, LOWER, TOP, UPPER, WINS, earlier
from zermelo.search.engine.switches import ESTIMATES, REDUCTIONS, SALT, SOUND, STRICT_DEPTH, TABLE_CUTS
from zermelo.search.engine.table import NO_INDEX, SOLVED, WORD, bound_in, depth_in, index_in, score_in

if TYPE_CHECKING:
    from zermelo.search.engine.memory import Memory


def table_cutoff(search: Memory, data: int, depth: int, alpha: int, beta: int) -> bool:
    """Does a table entry answer the question: is it deep enough, and does its bound decide the window?"""
    far = depth_in(data)
    if not (far == depth if search.switches[STRICT_DEPTH] != 0 else far >= min(depth, SOLVED)):
        return False
    known, kind = score_in(data), bound_in(data)
    if not (kind == EXACT or (kind == LOWER and known >= beta) or (kind == UPPER and known <= alpha)):
        return False
    if far != SOLVED:
        search.counts[ESTIMATES] += 1
    search.counts[TABLE_CUTS] += 1
    return True


def informed(data: int, estimate: int) -> int:
    """A better estimate than the static one, if the table has a bound on the score of the position."""
    if data == 0:
        return estimate
    known, kind = score_in(data), bound_in(data)
    if not -WINS < known < WINS:
        return estimate
    if kind == EXACT or (kind == LOWER and known > estimate) or (kind == UPPER and known < estimate):
        return known
    return estimate


def enhanced_transposition_cutoff(
    game: Any, s: Any, search: Memory, mover: int, moves: Any, count: int, beta: int
) -> tuple[int, int]:
    """The first move whose child is in the table, solved and good enough for a cutoff (Plaat et al. 1996).

    Returns the place of the move in the list and its score, or -1 and any score.
    """
    for j in range(count):  # all buckets are fetched at once, so that one wait for memory is enough
        word = game.canonical_key(game.result(s, moves[j])) ^ search.limits[SALT]
        prefetch(search.entries, search.bucket_of(word))
        search.keys[j] = signed(word)
    for j in range(count):
        key = search.keys[j]
        data = search.look_up(search.bucket_of(key & WORD), key)
        if data != 0 and depth_in(data) == SOLVED and (bound_in(data) & UPPER) != 0:
            score = earlier(-score_in(data))
            if score >= beta and game.side(game.to_move(game.result(s, moves[j]))) != game.side(mover):
                return number_of(j), score
    return number_of(-1), number_of(-TOP)


def kept_index(search: Memory, data: int, best: int, low: int, chosen: int) -> int:
    """The place of the move to store: if no move was good, that of the entry before, because bounds give no order."""
    if best > low or search.switches[REDUCTIONS] == 0:
        return chosen
    return index_in(data) if data != 0 else number_of(NO_INDEX)


def store_result(
    search: Memory,
    place: int,
    key: int,
    best: int,
    chosen: int,
    depth: int,
    low: int,
    high: int,
    estimates: int,
    nodes: int,
) -> None:
    """Store the score of a node that was searched to this depth in the window from low to high.

    `estimates` and `nodes` are the counters when the node was entered. A score without estimates is true at any depth.
    """
    kind = LOWER if best >= high else UPPER if best <= low else EXACT
    far = min(max(depth, 0), SOLVED - 1)
    if search.switches[STRICT_DEPTH] == 0:
        if search.counts[ESTIMATES] == estimates:
            far = SOLVED
        elif search.switches[SOUND] != 0 and best >= WINS and kind != UPPER:
            far, kind = SOLVED, LOWER  # a proven win, though there may be a faster one
        elif search.switches[SOUND] != 0 and best <= -WINS and kind != LOWER:
            far, kind = SOLVED, UPPER
    search.store(place, key, best, chosen, far, search.counts[NODES] - nodes + 1, kind)
