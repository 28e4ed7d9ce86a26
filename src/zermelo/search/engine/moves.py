"""The moves of a node: listing them into the memory, and picking them one by one, the most promising first."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from zermelo.kernel.ordinals import number_of
from zermelo.search.engine.ordering import slot_of
from zermelo.search.engine.scores import WIN
from zermelo.search.engine.switches import FORCING, PROMISE, REDUCTIONS

if TYPE_CHECKING:
    from zermelo.search.engine.memory import Memory

TRIED = -math.inf
"""The order of a move that has been picked."""
PICKED_SINGLY = 4
"""How many moves are picked one by one: many nodes need no more. Then the rest is sorted."""
LEFT_OUT = -(1 << 60)
"""The rank of a move that was picked and not searched."""
LEAST_PROMISE = -1e300
"""The order of a move whose promise is less than this, or not a number."""


# Listing.


def list_all(game: Any, s: Any, search: Memory, ply: int) -> int:
    """List the legal moves; returns how many there are."""
    moves = search.moves[ply]
    count = game.list_actions(s, moves)
    if count > len(moves):
        search.overflow(ply)
    if count == 0:
        search.fail(ply)
    return count  # type: ignore[no-any-return]


def list_noisy(game: Any, s: Any, search: Memory, ply: int, with_forcing: bool) -> tuple[int, int]:
    """List the noisy moves, then if asked for the forcing ones; returns how many are noisy, and how many there are."""
    moves = search.moves[ply]
    noisy = count = game.list_noisy_actions(s, moves)
    if search.has_forcing_actions and with_forcing and search.switches[FORCING] != 0:
        count += game.list_forcing_actions(s, moves[count:])
    if count > len(moves):
        search.overflow(ply)
    return noisy, count


def list_safe(game: Any, s: Any, search: Memory, ply: int) -> int:
    """List the moves that do not lose at once; returns how many there are."""
    moves = search.moves[ply]
    count = 0
    for a in game.safe_actions(s):
        if count == len(moves):
            search.overflow(ply)
        moves[count] = a
        count += 1
    return count


def wins_at_once(game: Any, s: Any, player: int, search: Memory, ply: int, turn: int) -> bool:
    """Has the player to move a move that wins at once? It becomes the principal variation."""
    for a in game.actions(s):
        after = game.result(s, a)
        wins = game.is_terminal(after) and search.end(game.utility(after, player), turn, ply) == WIN
        if wins and not (ply == 0 and search.is_excluded(a)):
            search.length[ply + 1] = 0
            search.prefer(ply, a)
            return True
    return False


# Picking.


def slot_in(game: Any, s: Any, search: Memory, a: Any) -> int:
    """The slot of a move's history: by what it does, if the game says that."""
    return slot_of(game.move_kind(s, a) if search.has_move_kind else number_of(a))


def rank_moves(game: Any, s: Any, search: Memory, ply: int, side: int, count: int) -> None:
    """Note what the moves are ordered by: the game's promise, then killer moves, countermoves and history.

    If the game has kinds of moves, only those that promise neither good nor ill have a history.
    """
    moves, order, rank = search.moves[ply], search.order[ply], search.rank_of[ply]
    promising = search.has_promise and search.switches[PROMISE] != 0
    ranked = search.ranked()
    last = search.slot_before(ply, 1)
    earlier = search.slot_before(ply, 2)
    for j in range(count):
        promise = game.promise(s, moves[j]) if promising else 0.0
        order[j] = promise if promise > LEAST_PROMISE else LEAST_PROMISE
        if ranked and (order[j] == 0.0 or not search.has_move_kind):
            rank[j] = search.quiet_rank(ply, side, moves[j], slot_in(game, s, search, moves[j]), last, earlier)
        else:
            rank[j] = 0


def best_of(order: Any, rank: Any, count: int) -> int:
    """The place of the best move that has not been tried; of equals the first."""
    best = 0
    most = order[0]
    for i in range(1, count):
        if order[i] > most or (order[i] == most and rank[i] > rank[best]):
            best = i
            most = order[i]
    return best


def sort_rest(order: Any, rank: Any, sorted_moves: Any, count: int) -> None:
    """Sort the places of the moves that have not been tried, in the order in which `best_of` would find them."""
    found = 0
    for i in range(count):
        here = order[i]
        if here == TRIED:
            continue
        j = found
        while j > 0:
            other = sorted_moves[j - 1]
            if order[other] > here or (order[other] == here and rank[other] >= rank[i]):
                break
            sorted_moves[j] = other
            j -= 1
        sorted_moves[j] = i
        found += 1


def learn_from_cutoff(
    game: Any, s: Any, search: Memory, ply: int, side: int, i: int, searched: int, count: int, depth: int
) -> None:
    """Credit a quiet move that caused a cutoff, and debit the quiet moves that were searched before any that did."""
    moves, order, rank = search.moves[ply], search.order[ply], search.rank_of[ply]
    learning = search.switches[REDUCTIONS] != 0
    if learning and depth <= 0:
        return
    if not game.is_noisy(s, moves[i]):
        search.credit(ply, side, moves[i], slot_in(game, s, search, moves[i]), depth)
    if learning and searched > 1:
        for j in range(count):
            if order[j] == TRIED and j != i and rank[j] != LEFT_OUT and not game.is_noisy(s, moves[j]):
                search.experience(ply, side, slot_in(game, s, search, moves[j]), depth, -1)
