"""Counting for a race: the nodes and leaves of a textbook algorithm's tree. Minimax counts the whole tree."""

from __future__ import annotations

import functools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.game.protocol import Game
from zermelo.kernel.routine import why_not_fixed_width
from zermelo.kernel.worker import PLIES, Stopped, plain_python, run, run_plain
from zermelo.search.bookkeeping import DEEPEST, NODE_LIMIT, NODES
from zermelo.search.checks import UNLIMITED
from zermelo.search.minimax import minimax
from zermelo.search.registry import Algorithm, find
from zermelo.search.search import DEPTH_LIMIT, ESTIMATES, Search
from zermelo.search.textbook import DEFAULT_WIDTH


@dataclass(frozen=True)
class Tree:
    """The tree that an algorithm searched from one position."""

    value: float
    nodes: int
    leaves: int
    estimates: int
    plies: int
    seconds: float


class Census:
    """What bookkeeping does in addition in a race: it counts the nodes that are neither terminal nor at the horizon."""

    limits: Any

    def __init__(self, **settings: Any):
        super().__init__(**settings)
        self.inner = np.zeros(1, np.int64)

    def cutoff(self, ply: int) -> bool:
        if ply >= self.limits[DEPTH_LIMIT]:
            return True
        self.inner[0] += 1
        return False


@functools.cache
def counting(bookkeeping: type[Search]) -> type[Search]:
    """The same bookkeeping, with a census."""
    return type(f"Counting{bookkeeping.__name__}", (Census, bookkeeping), {})


def whole_trees(game: Game, starts: Sequence[Any], depth: int | None, limit: int) -> list[list[Tree]]:
    """The trees of all positions for depth 1, 2 and so on, as far as minimax comes within the limit of nodes."""
    counted: list[list[Tree]] = []
    for current in range(1, (depth or PLIES) + 1):
        try:
            counted.append(searched_trees(find(minimax), game, starts, current, limit))
        except Stopped:
            break
        if all(tree.estimates == 0 for tree in counted[-1]):
            break
    if not counted:
        raise ValueError(f"minimax_nodes = {limit} are too few for {game.title} to look even one move ahead")
    return counted


def searched_trees(algorithm: Algorithm, game: Game, starts: Sequence[Any], depth: int, limit: int) -> list[Tree]:
    """The trees that an algorithm searches to this depth from all positions; raises Stopped at the limit of nodes."""
    trees: list[Tree] = []
    for past, state in starts:
        trees.append(_searched_tree(algorithm, game, past, state, depth, limit))
        limit -= trees[-1].nodes
    return trees


def _searched_tree(algorithm: Algorithm, game: Game, past: Sequence[Any], state: Any, depth: int, limit: int) -> Tree:
    player = game.to_move(state)
    compiled = why_not_fixed_width(type(state)) is None
    kind: Any = algorithm.bookkeeping
    search: Any = counting(kind)(
        compiled=compiled,
        plies=min(PLIES, depth + 2),
        root_moves=max(1, len(game.legal(state))),
        columns=1,
        bounds=game.utility_bounds(player),
        width=game.max_actions or DEFAULT_WIDTH,
        **algorithm.options,
    )
    search.limits[DEPTH_LIMIT], search.limits[NODE_LIMIT] = depth, min(limit, UNLIMITED)
    rules = game.remembering(past, PLIES + 2)
    routine = algorithm.routine
    assert routine is not None
    if compiled:
        program = routine.compiled(rules, player, search)
        began = time.perf_counter()
        value = run(lambda: program(state), search.stop)
    else:
        began = time.perf_counter()
        with plain_python():
            value = run_plain(lambda: routine.run_plain(rules, state, player, search), search.stop)
    seconds = time.perf_counter() - began
    nodes, estimates = int(search.counts[NODES]), int(search.counts[ESTIMATES])
    leaves = nodes - int(search.inner[0])
    return Tree(float(value), nodes, leaves, estimates, int(search.counts[DEEPEST]), seconds)
