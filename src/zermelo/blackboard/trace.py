"""A trace of the real search: every visit, window, range, value and cut, step by step, in sentences.

`trace` runs `zermelo.analyse` on a tree with an observer and keeps the events. Values are always MAX's, also
if MIN moves first. With more than two players they are vectors.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from zermelo.blackboard.order import constant_sum, height, reordered
from zermelo.blackboard.pseudocode import pseudocode
from zermelo.blackboard.ranges import Ranges
from zermelo.blackboard.recorder import Edge, Recorder, Step
from zermelo.blackboard.steps import Snapshot, Steps
from zermelo.blackboard.subject import Subject, subject_of
from zermelo.blackboard.wording import Narrator, Value, interval, number, value
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


@dataclass(frozen=True, eq=False)
class Trace(Steps):
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

    @functools.cached_property
    def has_windows(self) -> bool:
        """Does the algorithm keep alpha and beta?"""
        return any(step.window for step in self.steps)

    @functools.cached_property
    def has_ranges(self) -> bool:
        """Are values single numbers, so that nodes have ranges?"""
        return any(step.range for step in self.steps)

    @functools.cached_property
    def shows(self) -> tuple[str, ...]:  # type: ignore[override]
        """What can be shown next to the nodes of a picture, the default first."""
        return ("windows", "ranges", "values") if self.has_windows else ("values", "windows", "ranges")

    @functools.cached_property
    def subject(self) -> Subject:
        return subject_of(self.tree)

    def way_to(self, node: int) -> tuple[int, ...]:
        path = [node]
        while path[-1] > 0:
            path.append(int(self.tree.parent[path[-1]]))
        return tuple(reversed(path))

    # For pages.

    def facts(self) -> list[tuple[str, str]]:
        found = [("place", "node")]
        found += [("alpha", "α"), ("beta", "β")] if self.has_windows else []
        found += [("range", "its own range")] if self.has_ranges else []
        deeper = any(step.depth is not None for step in self.steps)
        return [*found, ("value", "value"), *([("depth", "depth")] if deeper else [])]

    def now(self, step: Step, snapshot: Snapshot) -> dict[str, str]:
        window = snapshot.window.get(step.node)
        own = snapshot.range.get(step.node)
        worth = snapshot.value.get(step.node)
        return {
            "place": "" if step.kind == "depth" else Narrator(self.tree).kind(step.node),
            "alpha": number(window[0]) if window else "",
            "beta": number(window[1]) if window else "",
            "range": interval(own) if own else "",
            "value": f"{snapshot.sign.get(step.node, '')} {value(worth)}".strip() if worth is not None else "",
            "depth": "" if step.depth is None else str(step.depth),
        }

    def views(self) -> list[tuple[str, str]]:
        found = [("window", "windows [α, β]")] if self.has_windows else []
        found += [("range", "own ranges")] if self.has_ranges else []
        return [*found, ("none", "values only")] if found else []

    def summary(self) -> str:
        counts = self.counts
        return (
            f"{self.algorithm}: value {value(self.value)}, {counts['nodes']} nodes visited, "
            f"{counts['leaves']} of {counts['all_leaves']} leaves seen, {len(self.steps)} steps."
        )

    def legend(self) -> str:
        players = "▲ MAX, ▼ MIN" if self.tree.players <= 2 else "squares: the players by their letters"
        chance = ", ○ chance" if self.tree.chance else ""
        return (
            f"{players}{chance}, ■ leaf. Dotted: not visited yet. Dashed and struck through: pruned. "
            "Thick at the end: the principal variation. ≤ and ≥: a bound; ≈: an estimate."
        )


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
