"""A trace of the real search: every visit, window, range, value and cut, step by step, in sentences.

`trace` runs `zermelo.analyse` on a tree with an observer and keeps the events. Values are always MAX's, also
if MIN moves first. With more than two players they are vectors.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from zermelo.blackboard.order import constant_sum, height, reordered
from zermelo.blackboard.pseudocode import pseudocode
from zermelo.blackboard.ranges import Ranges
from zermelo.blackboard.recorder import Edge, Recorder, Step
from zermelo.blackboard.wording import Interval, Value
from zermelo.game.errors import StateError, Unsuitable
from zermelo.search import registry
from zermelo.search.analysis import Analysis
from zermelo.search.driver import analyse
from zermelo.search.search import FailHard, Search, StrictCuts, StrictFailHard
from zermelo.trees.tree import Tree

__all__ = ["Snapshot", "Step", "Trace", "trace"]

_BOOKKEEPING: dict[tuple[str, str], type[Search]] = {
    ("<", "soft"): StrictCuts,
    ("<=", "hard"): FailHard,
    ("<", "hard"): StrictFailHard,
}


@dataclass
class Snapshot:
    """What is known after one step, for each node by number.

    window   the [α, β] with which the search last was at the node
    range    the possible values of the node, from the leaves seen so far (Figure 5.5)
    value    the value with which the node was left; sign says whether the node is worth "≤" or "≥" that, or "≈"
    cut      the edges that have been pruned, as pairs of parent and child
    current  the nodes from the root to the current node
    best     the nodes of the principal line, once the search is over
    """

    trace: Trace = field(repr=False)
    index: int
    kind: str = ""
    text: str = ""
    line: int = 0
    depth: int | None = None
    window: dict[int, Interval] = field(default_factory=dict)
    range: dict[int, Interval] = field(default_factory=dict)
    value: dict[int, Value] = field(default_factory=dict)
    sign: dict[int, str] = field(default_factory=dict)
    visited: set[int] = field(default_factory=set)
    cut: set[Edge] = field(default_factory=set)
    current: tuple[int, ...] = ()
    best: tuple[int, ...] = ()

    def _repr_svg_(self) -> str:
        from zermelo.blackboard import svg  # the pictures depend on the trace

        return svg.draw(self)


@dataclass(frozen=True, eq=False)
class Trace:
    """A search of a tree, step by step.

    tree      as it was searched, with its children in the requested order
    original  for each node of it, the number that the node has in the tree that was given
    analysis  the answer of `zermelo.analyse`
    visited   the nodes in the order of the search; with iterative deepening, nodes appear again
    value     the root's value: MAX's, or a vector for all players
    pruned    the edges, as (parent, child), that the last search pruned; the topmost edge of each subtree
    """

    tree: Tree
    original: tuple[int, ...]
    analysis: Analysis
    algorithm: str
    cut: str
    fail: str
    steps: tuple[Step, ...]
    visited: tuple[int, ...]
    pruned: tuple[Edge, ...]
    unseen_leaves: tuple[int, ...]
    value: Value
    probes: int

    @property
    def pseudocode(self) -> list[str]:
        """The algorithm, line by line."""
        return pseudocode(self.algorithm, self.cut, self.fail)

    @property
    def line(self) -> tuple[int, ...]:
        """The principal line, as the nodes on it after the root."""
        nodes, at = [], 0
        for action in self.analysis.line:
            at = int(self.tree.first_child[at]) + int(action)
            nodes.append(at)
        return tuple(nodes)

    @property
    def action(self) -> int | None:
        """The best move, by its index in the tree as given; None if the root is a chance node."""
        if self.analysis.action is None:
            return None
        first = int(self.tree.first_child[0])
        return self.original[first + int(self.analysis.action)] - 1

    @property
    def counts(self) -> dict[str, int]:
        """How much work it was, and how much was saved."""
        leaves = int((self.tree.child_count == 0).sum())
        return {
            "nodes": self.analysis.nodes,
            "leaves": leaves - len(self.unseen_leaves),
            "all_leaves": leaves,
            "cuts": sum(step.kind == "cut" for step in self.steps),
            "pruned": len(self.pruned),
            "probes": self.probes,
        }

    def snapshots(self) -> Iterator[Snapshot]:
        """The view after each step. It is one object that changes: to keep one, use `at`."""
        snapshot = Snapshot(self, -1)
        for index, step in enumerate(self.steps):
            self._advance(snapshot, index, step)
            yield snapshot

    def at(self, index: int) -> Snapshot:
        """The view after this step; a negative number counts from the end."""
        if not -len(self.steps) <= index < len(self.steps):
            raise IndexError(f"there is no step {index}: the trace has {len(self.steps)}")
        snapshot = Snapshot(self, -1)
        for i in range(range(len(self.steps))[index] + 1):
            self._advance(snapshot, i, self.steps[i])
        return snapshot

    def _advance(self, snapshot: Snapshot, index: int, step: Step) -> None:
        if step.kind == "depth":
            for known in (snapshot.window, snapshot.range, snapshot.value, snapshot.sign, snapshot.visited):
                known.clear()
            snapshot.cut.clear()
        snapshot.index, snapshot.kind, snapshot.text = index, step.kind, step.text
        snapshot.line, snapshot.depth = step.line, step.depth
        snapshot.window.update(step.window)
        snapshot.range.update(step.range)
        snapshot.value.update(step.value)
        snapshot.sign.update(step.sign)
        snapshot.cut.update(step.cut)
        if step.entered is not None:
            snapshot.visited.add(step.entered)
        path = [step.node]
        while path[-1] > 0:
            path.append(int(self.tree.parent[path[-1]]))
        snapshot.current = tuple(reversed(path))
        snapshot.best = (0, *self.line) if index == len(self.steps) - 1 else ()

    @functools.cached_property
    def has_windows(self) -> bool:
        """Does the algorithm keep alpha and beta?"""
        return any(step.window for step in self.steps)

    @functools.cached_property
    def has_ranges(self) -> bool:
        """Are values single numbers, so that nodes have ranges?"""
        return any(step.range for step in self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def __str__(self) -> str:
        return "\n".join(f"{i:>4}  {step.text}" for i, step in enumerate(self.steps))

    def _repr_svg_(self) -> str:
        return self.at(-1)._repr_svg_()


def trace(
    tree: Tree,
    algorithm: Any = "alpha_beta",
    *,
    depth: int | None = None,
    cut: str = "<=",
    fail: str = "soft",
    order: str = "given",
    seed: int = 0,
    deepening: bool = False,
    **options: Any,
) -> Trace:
    """Search a tree by one of zermelo's algorithms, and keep every step.

    depth      the depth limit in moves; by default to the leaves
    cut, fail  of alpha-beta: prune at a tie ("<=") or only beyond it ("<"); return all that is known of a pruned node
               ("soft") or nothing outside the window ("hard")
    order      of the players' moves: "given", "best" first, "worst" first, "random" by `seed`
    deepening  search to depth 1, 2, 3 … until the value is proven, or to `depth`
    options    numbers that some algorithms take, such as beam=2
    """
    chosen = registry.find(algorithm)
    if not chosen.observable:
        textbook = ", ".join(each.name for each in registry.algorithms(observable=True))
        raise Unsuitable(f"{chosen.name} cannot be watched step by step; these can: {textbook}")
    bookkeeping = _variant(chosen, cut, fail)
    searched, original = reordered(tree, order, seed)
    if searched.child_count[0] == 0:
        raise StateError("the tree is a single leaf: there is nothing to search")
    mirrored = chosen.name != "and_or" and searched.players == 2 and searched.zero_sum and searched.mover[0] == 1
    mirror = constant_sum(searched) if mirrored and not chosen.vector else None
    maximiser = 0 if mirrored or searched.mover[0] < 0 or chosen.vector else int(searched.mover[0])
    low, high = (0.0, 1.0) if chosen.name == "and_or" else searched.utility_range
    scalar = not chosen.vector and searched.players <= 2
    ranges = Ranges(searched, maximiser, (float(low), float(high))) if scalar else None
    recorder = Recorder(searched, chosen.name, maximiser, mirror, ranges)
    if deepening and chosen.deepens:
        recorder.depth = 0
    analysis = analyse(
        searched,
        algorithm=chosen,
        depth=depth if depth is not None else height(searched),
        deepening=deepening,
        compile=False,
        observer=recorder,
        bookkeeping=bookkeeping,
        **options,
    )
    leaves = {int(n) for n in (searched.child_count == 0).nonzero()[0]}
    return Trace(
        tree=searched,
        original=original,
        analysis=analysis,
        algorithm=chosen.name,
        cut=cut,
        fail=fail,
        steps=tuple(recorder.steps),
        visited=tuple(recorder.visited),
        pruned=tuple(sorted(recorder.cut_edges)),
        unseen_leaves=tuple(sorted(leaves - recorder.entered)),
        value=analysis.value if mirror is None or isinstance(analysis.value, tuple) else mirror - analysis.value,
        probes=recorder.probes,
    )


def _variant(chosen: registry.Algorithm, cut: str, fail: str) -> type[Search] | None:
    """The bookkeeping that makes alpha-beta cut and fail as asked."""
    if cut not in ("<=", "<"):
        raise ValueError(f'cut is "<=" (at a tie, too) or "<", not {cut!r}')
    if fail not in ("soft", "hard"):
        raise ValueError(f'fail is "soft" or "hard", not {fail!r}')
    variant = _BOOKKEEPING.get((cut, fail))
    if variant is not None and chosen.name != "alpha_beta":
        why = "it cuts in one way only" if chosen.prunes else "it has no window [α, β] to cut at"
        raise Unsuitable(f"cut and fail are toggles of alpha_beta; {chosen.name} takes neither: {why}")
    return variant
