"""`ask`, the compiled entry point: a search with one window, or MTD(f), a series of null windows."""

from __future__ import annotations

from typing import Any

from zermelo.game.errors import StateError
from zermelo.kernel.ordinals import number_of
from zermelo.kernel.routine import Routine
from zermelo.search.engine.memory import Memory
from zermelo.search.engine.node import NOTHING, search_node
from zermelo.search.engine.scores import TOP
from zermelo.search.engine.switches import DEPTH, HIGH, LOW, METHOD, RECALL, SALT

WINDOW, MTDF, MTDF_AFRESH = range(3)


def ask(game: Any, s: Any, search: Memory) -> int:
    """The score of a state for the player to move, by the depth, the window and the method in the memory's limits."""
    if game.is_terminal(s):
        raise StateError("the game is over")
    player = max(game.to_move(s), number_of(0))
    search.look_from(player)
    root, view, nothing = number_of(0), number_of(1), number_of(NOTHING)
    depth, low, high = search.limits[DEPTH], search.limits[LOW], search.limits[HIGH]
    if search.limits[METHOD] == MTDF_AFRESH:
        search.clear()
    if search.limits[RECALL] != 0:
        search.limits[RECALL] = 0
        search.recall(search.limits[SALT])
    if search.limits[METHOD] == WINDOW:
        return search_node(game, s, player, search, root, depth, low, high, view, nothing)
    # MTD(f): null windows, each next to the last score (Plaat, Schaeffer, Pijls and de Bruin 1996).
    score = low  # the guess
    low, high = number_of(-TOP), number_of(TOP)
    move, length = search.line[0, 0], number_of(0)
    while low < high:
        beta = score + 1 if score == low else score
        score = search_node(game, s, player, search, root, depth, beta - 1, beta, view, nothing)
        if score < beta:
            high = score
        else:
            low = score
            move, length = search.line[0, 0], search.length[0]
    search.line[0, 0] = move  # of the last move that was good enough
    search.length[0] = min(length, 1)
    return score  # type: ignore[no-any-return]


ASK = Routine(ask)
