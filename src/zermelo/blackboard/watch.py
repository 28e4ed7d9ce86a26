"""What a search did on a tree, node by node, for exercises and grading."""

from __future__ import annotations

from typing import Any

from zermelo.search.analysis import Analysis
from zermelo.search.driver import analyse
from zermelo.search.observer import Reason
from zermelo.trees import Tree


class Watched:
    """An observer that knows at which node of the tree the search is.

    visited  the numbers of the nodes, in the order in which they were entered
    values   the value of each node that was left, for player 0
    ranges   each node's bounds as they changed: windows, or at a chance node the range of its average
    cuts     the reason for each node whose rest was pruned
    """

    def __init__(self, tree: Tree):
        self.tree = tree
        self.visited: list[int] = []
        self.values: dict[int, Any] = {}
        self.ranges: dict[int, list[tuple[float, float]]] = {}
        self.cuts: dict[int, str] = {}
        self.analysis: Analysis
        self._path: list[int] = []

    def visit(self, ply: int, action: Any) -> None:
        del self._path[ply:]
        self._path.append(0 if ply == 0 else int(self.tree.first_child[self._path[-1]]) + action)
        self.visited.append(self._path[-1])

    def bound(self, ply: int, low: float, high: float) -> None:
        self.ranges.setdefault(self._path[ply], []).append((low, high))

    def cut(self, ply: int, reason: Reason, value: float, limit: float) -> None:
        self.cuts[self._path[ply]] = reason.sentence(value, limit)

    def value(self, ply: int, value: Any) -> None:
        self.values[self._path[ply]] = value


def watch(tree: Tree, algorithm: str, **options: Any) -> Watched:
    """Run the real algorithm on the tree and record it. Values are for MAX, even if MIN moves at the root."""
    seen = Watched(tree)
    seen.analysis = analyse(tree, algorithm=algorithm, observer=seen, compile=False, **options)
    if seen.analysis.player != 0:
        seen.values = {n: -v for n, v in seen.values.items()}
    return seen
