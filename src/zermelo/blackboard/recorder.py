"""The observer behind a trace: it turns the events of a search into steps that a student can follow.

Some events belong together and make one step: a leaf's visit and its value, a node's visit and its first window. An
event that changes nothing (a repeated window) makes no step.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from zermelo.blackboard.pseudocode import line_of
from zermelo.blackboard.ranges import Ranges, sign
from zermelo.blackboard.wording import Interval, Narrator, Value
from zermelo.game.protocol import CHANCE
from zermelo.search.observer import Observer, Reason
from zermelo.trees.tree import Tree

Edge = tuple[int, int]

_MIRRORED = {
    Reason.ALPHA: Reason.BETA,
    Reason.BETA: Reason.ALPHA,
    Reason.CHANCE_LOW: Reason.CHANCE_HIGH,
    Reason.CHANCE_HIGH: Reason.CHANCE_LOW,
}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a search: what happened at which node, in one sentence, and what it changed.

    kind    depth (a new, deeper search begins), visit, probe, leaf, estimate, window, range, cut, beam or value; of
            Monte Carlo tree search: begin, select, expand, outcome, rollout, backup, proof or answer
    line    the line of the pseudocode, from 1; 0 if there is none
    depth   the depth of this search, if there are several
    note, bound   of Monte Carlo tree search: visits and confidence bounds, in words
    path    the nodes that are marked, if they are not the way from the root to the node
    """

    kind: str
    node: int
    text: str
    line: int
    depth: int | None
    window: dict[int, Interval] = field(default_factory=dict)
    range: dict[int, Interval] = field(default_factory=dict)
    value: dict[int, Value] = field(default_factory=dict)
    sign: dict[int, str] = field(default_factory=dict)
    entered: int | None = None
    cut: tuple[Edge, ...] = ()
    note: dict[int, str] = field(default_factory=dict)
    bound: dict[int, str] = field(default_factory=dict)
    path: tuple[int, ...] = ()


class Recorder(Observer):
    """Watches one search of a tree."""

    def __init__(self, tree: Tree, algorithm: str, maximiser: int, mirror: float | None, ranges: Ranges | None):
        self.tree, self.algorithm, self.maximiser = tree, algorithm, maximiser
        self.mirror = mirror  # the sum of the utilities, if the search's values are MIN's
        self.ranges = ranges
        self.narrator = Narrator(tree)
        self.steps: list[Step] = []
        self.visited: list[int] = []
        self.probes = 0
        self.depth: int | None = None
        self._forget()

    def _forget(self) -> None:
        self.entered: set[int] = set()
        self.finished: set[int] = set()
        self.estimated: set[int] = set()
        self.cut_edges: set[Edge] = set()
        self.path: list[int] = []
        self._window: dict[int, Interval] = {}
        self._average: dict[int, Interval] = {}
        self._pending: int | None = None  # entered, but not recorded yet
        self._pending_ply = 0
        self._fresh = False
        if self.ranges:
            self.ranges.forget()

    def begin(self, depth: int) -> None:
        """Start a search to this depth, and forget what the last one has seen."""
        self._forget()
        self.depth = depth
        self._step("depth", 0, f"Search to depth {depth}.")

    # Events of the search.

    def visit(self, ply: int, action: Any) -> None:
        if ply == 0 and self.depth is not None:
            self.begin(self.depth + 1)
        self._flush(ply - 1)
        del self.path[ply:]
        node = 0 if ply == 0 else int(self.tree.first_child[self.path[-1]]) + int(action)
        self.path.append(node)
        self._pending, self._pending_ply, self._fresh = node, ply, True

    def bound(self, ply: int, low: float, high: float) -> None:
        window = (low, high) if self.mirror is None else (self.mirror - high, self.mirror - low)
        node = self._at(ply)
        if node == self._pending and self._fresh:  # the first event of a node is its window
            self._window[node], self._fresh = window, False
            return
        self._flush(ply)
        if self.tree.mover[node] == CHANCE:
            if self._average.get(node) != window:
                self._average[node] = window
                self._tell_average(node, window)
        elif window != self._window[node]:
            text = self.narrator.window(node, self._window[node], window)
            self._window[node] = window
            self._step("window", node, text, window={node: window})

    def cut(self, ply: int, reason: Reason, value: float, limit: float) -> None:
        self._flush(ply)
        node = self._at(ply)
        if self.mirror is not None and reason in _MIRRORED:
            reason, value, limit = _MIRRORED[reason], self.mirror - value, self.mirror - limit
        if reason == Reason.BEAM:
            self._step("beam", node, self.narrator.cut(node, reason, value, limit, True))
            return
        edges = self._unsearched(node)
        self._step("cut", node, self.narrator.cut(node, reason, value, limit, bool(edges)), cut=edges)

    def estimate(self, ply: int, value: float) -> None:
        self.estimated.add(self._at(ply))

    def value(self, ply: int, value: Any) -> None:
        node = self._at(ply)
        worth: Value = value
        if isinstance(value, tuple):
            worth = tuple(float(v) for v in value)
        elif self.mirror is not None:
            worth = self.mirror - value
        self.finished.add(node)
        if node == self._pending:
            self._read(node, worth)
            return
        edges = self._unsearched(node)
        relation = "" if self.ranges is None or isinstance(worth, tuple) else sign(worth, self.ranges.of(node))
        text = self.narrator.result(node, worth, relation, not self._is_cut(node) and not edges)
        self._step("value", node, text, value={node: worth}, sign={node: relation}, cut=edges)

    # What becomes of it.

    def _at(self, ply: int) -> int:
        """The node at this ply; the search has left all below it."""
        del self.path[ply + 1 :]
        return self.path[ply]

    def _flush(self, ply: int) -> None:
        """Record the node that was entered last, now that the reason is known."""
        node, self._pending = self._pending, None
        if node is None:
            return
        if self._fresh and self._window:  # in a search with windows, only a probe has none
            if self._pending_ply <= ply:  # a probe that visits nothing below is not a step
                self.probes += 1
                self._enter("probe", node, self.narrator.probe(node))
            return
        self._enter("visit", node, self.narrator.visit(node, self._window.get(node)))

    def _read(self, node: int, worth: Value) -> None:
        """A leaf, or a node at the depth limit: entered and left in one step."""
        self._pending = None
        kind = "estimate" if node in self.estimated else "leaf"
        text = getattr(self.narrator, kind)(node, worth)
        ranges = self.ranges.see(node, worth) if self.ranges and isinstance(worth, float) else {}
        relation = "≈" if kind == "estimate" else ""
        self._enter(kind, node, text, ranges=ranges, value={node: worth}, sign={node: relation})

    def _enter(
        self, kind: str, node: int, text: str, ranges: dict[int, Interval] | None = None, **changes: Any
    ) -> None:
        self.entered.add(node)
        if kind != "probe":
            self.visited.append(node)
        window = {node: self._window[node]} if node in self._window else {}
        own = {} if self.ranges is None else {node: self.ranges.of(node), **(ranges or {})}
        self._step(kind, node, text, entered=node, window=window, range=own, **changes)

    def _tell_average(self, node: int, bounds: Interval) -> None:
        first, count = int(self.tree.first_child[node]), int(self.tree.child_count[node])
        known = sum(child in self.finished for child in range(first, first + count))
        probed = any(child in self.entered for child in self._children(node))
        self._step("range", node, self.narrator.average(bounds, known, count, probed))

    def _children(self, node: int) -> range:
        first = int(self.tree.first_child[node])
        return range(first, first + int(self.tree.child_count[node]))

    def _unsearched(self, node: int) -> tuple[Edge, ...]:
        """The edges below a node that the search skips, including those below children that were only probed."""
        edges = []
        for child in self._children(node):
            if child not in self.entered:
                edges.append((node, child))
            elif child not in self.finished:
                edges += [(child, below) for below in self._children(child) if below not in self.entered]
        new = tuple(edge for edge in edges if edge not in self.cut_edges)
        self.cut_edges.update(new)
        return new

    def _is_cut(self, node: int) -> bool:
        return any((node, child) in self.cut_edges for child in self._children(node))

    def _step(self, kind: str, node: int, text: str, **changes: Any) -> None:
        if kind == "depth":
            side = ""
        elif self.tree.mover[node] == CHANCE:
            side = "chance"
        else:
            side = "max" if self.tree.mover[node] == self.maximiser else "min"
        line = line_of(self.algorithm, kind, side)
        self.steps.append(Step(kind, node, text, line, self.depth, **changes))
