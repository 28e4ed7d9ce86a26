"""Several trees of one position, grown by threads that share nothing, as one answer (root parallelisation).

Chaslot, Winands and van den Herik (2008) compare this with threads on one shared tree. It needs no locks, and with a
fixed number of simulations it gives the same answer every time.
"""

from __future__ import annotations

from typing import Any

from zermelo.search.mcts.tree import DEEPEST, SIMULATIONS, SQUARES, SUM, VISITS, Tree


def merge(tree: Tree, other: Tree, game: Any, state: Any, player: int) -> None:
    """Add what another tree has found out about the root's moves; below them, only the first tree's play is kept."""
    own = {tree.action[node]: node for node in tree.root_moves(game, state, player)}
    for node in other.root_moves(game, state, player):
        into = own.get(other.action[node])
        if into is None:  # so few simulations that the first tree did not try it
            continue
        tree.node[into, VISITS] += other.node[node, VISITS]
        tree.value[into] += other.value[node]
        tree.add_squares(into, other.square_of(node))
        _tighten(tree, into, other, node)
    _tighten(tree, 0, other, 0)
    tree.node[0, VISITS] += other.node[0, VISITS]
    tree.counts[SIMULATIONS] += other.counts[SIMULATIONS]
    tree.counts[DEEPEST] = max(tree.counts[DEEPEST], other.counts[DEEPEST])
    for moment in (SUM, SQUARES):
        tree.scale[moment] += other.scale[moment]


def _tighten(tree: Tree, node: int, other: Tree, its_node: int) -> None:
    if tree.proves:
        tree.low[node] = max(tree.low[node], other.low[its_node])
        tree.high[node] = min(tree.high[node], other.high[its_node])
