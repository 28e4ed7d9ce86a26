"""Steps of any search, and what is known after each of them: what pictures and pages show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from zermelo.blackboard.recorder import Edge, Step
from zermelo.blackboard.subject import Subject
from zermelo.blackboard.wording import Interval, Value


@dataclass
class Snapshot:
    """What is known after one step, for each node by number.

    window   the [α, β] with which the search last was at the node
    range    the possible values of the node, from the leaves seen so far (Figure 5.5)
    value    the value with which the node was left; sign says whether the node is worth "≤" or "≥" that, or "≈"
    cut      the edges that have been pruned, as pairs of parent and child
    note     of Monte Carlo tree search: the visits of a node, and `bound` its confidence bound
    current  the nodes from the root to the current node
    best     the nodes of the principal line, once the search is over
    """

    trace: Steps = field(repr=False)
    index: int
    kind: str = ""
    text: str = ""
    line: int = 0
    depth: int | None = None
    window: dict[int, Interval] = field(default_factory=dict)
    range: dict[int, Interval] = field(default_factory=dict)
    value: dict[int, Value] = field(default_factory=dict)
    sign: dict[int, str] = field(default_factory=dict)
    note: dict[int, str] = field(default_factory=dict)
    bound: dict[int, str] = field(default_factory=dict)
    visited: set[int] = field(default_factory=set)
    cut: set[Edge] = field(default_factory=set)
    current: tuple[int, ...] = ()
    best: tuple[int, ...] = ()

    def _repr_svg_(self) -> str:
        from zermelo.blackboard import svg  # the pictures depend on the trace

        return svg.draw(self)


class Steps:
    """A search, step by step. Subclasses say what is drawn, and what is written about it.

    shows   what can be shown next to the nodes of a picture, the default first
    """

    steps: tuple[Step, ...]
    algorithm: str
    shows: tuple[str, ...]

    @property
    def subject(self) -> Subject:
        """The tree that is drawn."""
        raise NotImplementedError

    @property
    def line(self) -> tuple[int, ...]:
        """The principal line, as the nodes on it after the root."""
        raise NotImplementedError

    @property
    def pseudocode(self) -> list[str]:
        """The algorithm, line by line."""
        raise NotImplementedError

    def way_to(self, node: int) -> tuple[int, ...]:
        """The nodes from the root to a node."""
        raise NotImplementedError

    def facts(self) -> list[tuple[str, str]]:
        """The facts shown for the node of each step: keys and labels."""
        raise NotImplementedError

    def now(self, step: Step, snapshot: Snapshot) -> dict[str, str]:
        """These facts, after a step."""
        raise NotImplementedError

    def views(self) -> list[tuple[str, str]]:
        """What a page can show next to the nodes: keys and labels."""
        raise NotImplementedError

    def summary(self) -> str:
        """The result of the search and its cost."""
        raise NotImplementedError

    def legend(self) -> str:
        """The legend of the tree."""
        raise NotImplementedError

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
        snapshot.note.update(step.note)
        snapshot.bound.update(step.bound)
        snapshot.current = step.path or self.way_to(step.node)
        snapshot.best = (0, *self.line) if index == len(self.steps) - 1 else ()

    def __len__(self) -> int:
        return len(self.steps)

    def __str__(self) -> str:
        return "\n".join(f"{i:>4}  {step.text}" for i, step in enumerate(self.steps))

    def _repr_svg_(self) -> str:
        return self.at(-1)._repr_svg_()
