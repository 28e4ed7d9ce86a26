"""Random trees for hypothesis: any mixture of players and chance, with many ties."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from zermelo.trees import Node, chance, leaf, node

LEAVES = st.integers(-3, 3)
WEIGHTS = st.sampled_from([1, 2, 3, 5])


def trees(*, players: int = 2, dice: bool = False, leaves: Any = LEAVES, size: int = 40) -> st.SearchStrategy[Node]:
    """Trees in which the movers come in any order; with dice, some nodes are chance nodes."""
    ends = st.tuples(*[leaves] * (players if players > 2 else 1)).map(lambda utility: leaf(*utility))
    estimates = st.tuples(*[leaves] * (players if players > 2 else 1))

    def extend(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        several = st.lists(children, min_size=1, max_size=4)
        movers = st.integers(0, players - 1)
        decisions = st.builds(lambda p, c, e: node(p, *c, estimate=e), movers, several, estimates)
        if not dice:
            return decisions
        weighted = st.lists(st.tuples(WEIGHTS, children), min_size=1, max_size=4)
        rolls = st.builds(lambda w, e: chance(*_normalised(w), estimate=e), weighted, estimates)
        return decisions | rolls

    return st.recursive(ends, extend, max_leaves=size).filter(lambda tree: bool(tree.children))


def _normalised(weighted: list[tuple[int, Node]]) -> list[tuple[float, Node]]:
    total = sum(w for w, _ in weighted)
    return [(w / total, child) for w, child in weighted]
