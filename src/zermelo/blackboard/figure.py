"""The content of a picture, before it becomes SVG, TikZ or pixels: shapes, lines and words with coordinates.

Every kind of picture renders the same figure. MAX is a triangle upwards, MIN one downwards, chance a circle, other
players squares with their letter; pruned edges are dashed and struck through: nothing depends on colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from zermelo.blackboard.layout import BUDGET, folded, tidy
from zermelo.blackboard.steps import Snapshot, Steps
from zermelo.blackboard.subject import Subject, subject_of
from zermelo.blackboard.wording import Interval, interval, value

RADIUS, LEAF, LEVEL, GAP, MARGIN = 15.0, 5.0, 86.0, 14.0, 16.0
FONT, SMALL = 14.0, 12.0
LABEL_AT = 0.6  # the position of a label along its edge
SHOWS = ("windows", "ranges", "visits", "bounds", "values")


@dataclass(frozen=True)
class Line:
    """A straight line; `kind` is edge or strike."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str = "edge"


@dataclass(frozen=True)
class Shape:
    """A node's symbol: a polygon, or with a radius a circle around its only point; `kind` names it."""

    kind: str
    points: tuple[tuple[float, float], ...]
    radius: float = 0.0


@dataclass(frozen=True)
class Words:
    """A text; `anchor` is start, middle or end, and `kind` is value, note, leaf, label, name, letter or hidden."""

    x: float
    y: float
    text: str
    anchor: str
    kind: str

    @property
    def size(self) -> float:
        """The height of its letters."""
        return SMALL if self.kind in ("note", "label", "hidden") else FONT


@dataclass
class Group:
    """What belongs to one node, or to the edge that leads to it, and the state that it is in.

    part    node or edge
    states  seen, unseen, current, cut, best: how it is drawn
    """

    part: str
    node: int
    states: set[str]
    items: list[Line | Shape | Words] = field(default_factory=list)


@dataclass
class Figure:
    """A picture as groups of shapes, lines and words; `notes` and `values` are shown next to the nodes."""

    groups: list[Group]
    width: float
    height: float
    title: str
    description: str
    drawn: tuple[int, ...]
    growing: bool = False  # nodes are invisible until they are seen


def figure(drawing: Any, show: str | None = None, budget: int = BUDGET, title: str = "") -> Figure:
    """The figure of a tree, a trace (after its last step) or a snapshot.

    show    what to show next to the nodes: "windows", "ranges" or "values"; by default windows,
            if the search has them
    budget  the number of nodes to draw before subtrees are folded
    """
    snapshot = snapshot_of(drawing)
    if snapshot is None:
        return _Builder(subject_of(drawing), None, "values", budget, title, live=False).build()
    view = chosen_show(snapshot, show)
    return _Builder(snapshot.trace.subject, snapshot, view, budget, title, live=False).build()


def snapshot_of(drawing: Any) -> Snapshot | None:
    """What is drawn of a search: the snapshot, or of a whole search the last one; None if it is only a tree."""
    if isinstance(drawing, Steps):
        return drawing.at(-1)
    return drawing if isinstance(drawing, Snapshot) else None


def chosen_show(snapshot: Snapshot, show: str | None) -> str:
    """What to show next to the nodes; raises ValueError if the search has no such thing."""
    shows = snapshot.trace.shows
    if show is not None and show not in shows:
        raise ValueError(f"show is one of {', '.join(shows)}, not {show!r}")
    return show or shows[0]


def live_figure(trace: Steps, budget: int = BUDGET, title: str = "") -> Figure:
    """The figure of a search before its first step, with room for all that any of its steps will write."""
    return _Builder(trace.subject, Snapshot(trace, -1), "windows", budget, title, live=True).build()


def written_figure(
    subject: Subject, values: dict[int, str], notes: dict[int, str], line: tuple[int, ...], budget: int, title: str = ""
) -> Figure:
    """The figure of a tree, with room for these words next to its nodes."""
    return _Builder(subject, None, "windows", budget, title, live=True, written=(values, notes), line=line).build()


def value_text(snapshot: Snapshot, node: int) -> str:
    """The text of a node's value; "" if there is none yet."""
    if node not in snapshot.value:
        return ""
    sign = snapshot.sign.get(node, "")
    return f"{sign} {value(snapshot.value[node])}".strip()


def note_text(snapshot: Snapshot, node: int, show: str) -> str:
    """The text of a node's window, range, visits or bound."""
    if show in ("visits", "bounds"):
        return (snapshot.note if show == "visits" else snapshot.bound).get(node, "")
    known: dict[int, Interval] = {"windows": snapshot.window, "ranges": snapshot.range}.get(show, {})
    return interval(known[node]) if node in known else ""


def text_width(text: str, size: float) -> float:
    """The approximate width of a text. No font is used, so that a tree has the same layout everywhere."""
    return 0.6 * size * len(text)


class _Builder:
    def __init__(
        self,
        subject: Subject,
        snapshot: Snapshot | None,
        show: str,
        budget: int,
        title: str,
        live: bool,
        written: tuple[dict[int, str], dict[int, str]] | None = None,
        line: tuple[int, ...] = (),
    ):
        self.subject, self.snapshot, self.show, self.live = subject, snapshot, show, live
        self.title = title
        self.spots = folded(subject.children, (0, *snapshot.trace.line) if snapshot else line, max(2, budget))
        self.values, self.notes = written or self._texts()

    def _texts(self) -> tuple[dict[int, str], dict[int, str]]:
        """The texts next to the nodes; in a live figure, the widest that will appear."""
        if self.snapshot is None:
            return {}, {}
        nodes = [s.node for s in self.spots if s.node >= 0]
        interior = [node for node in nodes if not self.subject.is_leaf(node)]
        noted = nodes if "visits" in self.snapshot.trace.shows else interior  # leaves have visits, too
        if not self.live:
            return (
                {node: value_text(self.snapshot, node) for node in interior},
                {node: note_text(self.snapshot, node, self.show) for node in noted},
            )
        values, notes = dict.fromkeys(interior, ""), dict.fromkeys(noted, "")
        for step in self.snapshot.trace.steps:
            for node in step.value.keys() & values.keys():
                sign = step.sign.get(node, "")
                _widen(values, node, f"{sign} {value(step.value[node])}".strip())
            for known in (step.window, step.range):
                for node in known.keys() & notes.keys():
                    _widen(notes, node, interval(known[node]))
            for words in (step.note, step.bound):
                for node in words.keys() & notes.keys():
                    _widen(notes, node, words[node])
        return values, notes

    def build(self) -> Figure:
        rows: list[list[int]] = [[] for _ in self.spots]
        depth = [0] * len(self.spots)
        for place, spot in enumerate(self.spots):
            if spot.parent >= 0:
                rows[spot.parent].append(place)
                depth[place] = depth[spot.parent] + 1
        room = [self._room(place) for place in range(len(self.spots))]
        x = self._places(rows, room)
        y = [MARGIN + RADIUS + level * LEVEL for level in depth]
        edges = [self._edge(place, x, y) for place in range(1, len(self.spots))]
        nodes = [self._node(place, x[place], y[place]) for place in range(len(self.spots))]
        width = max(at + right for at, (_, right) in zip(x, room, strict=True)) + MARGIN
        foot = max(self._foot(spot.node, spot.hidden) + at for spot, at in zip(self.spots, y, strict=True))
        drawn = tuple(spot.node for spot in self.spots if spot.node >= 0)
        groups, growing = edges + nodes, self.subject.growing
        if growing and not self.live:
            groups = [group for group in groups if "unseen" not in group.states]
        return Figure(groups, width, foot + MARGIN, self._title(), self._description(), drawn, growing)

    def _places(self, rows: list[list[int]], room: list[tuple[float, float]]) -> list[float]:
        """The coordinates of the spots. A folded subtree takes the room of a child on the level below."""
        rows, room = [list(row) for row in rows], list(room)
        for place, spot in enumerate(self.spots):
            if spot.hidden and spot.node >= 0:
                half = max(22.0, text_width(_more(spot.hidden), SMALL) / 2)
                rows[place].append(len(rows))
                rows.append([])
                room.append((half, half))
        x = tidy(rows, [left for left, _ in room], [right for _, right in room], GAP)
        return [MARGIN + at for at in x[: len(self.spots)]]

    def _room(self, place: int) -> tuple[float, float]:
        """How much room a spot needs to the left and to the right of its centre."""
        spot = self.spots[place]
        if spot.node < 0:
            half = text_width(_more(spot.hidden), SMALL) / 2
            return half, half
        at = self.subject.nodes[spot.node]
        if self.subject.is_leaf(spot.node):
            words = max(text_width(at.name, SMALL), text_width(self.notes.get(spot.node, ""), SMALL))
            half = max(LEAF, text_width(self.subject.leaf_text(spot.node), FONT) / 2, words / 2)
            left = right = half
        else:
            left = RADIUS + (4 + text_width(at.name, FONT) if at.name else 0)
            beside = max(
                text_width(self.values.get(spot.node, ""), FONT), text_width(self.notes.get(spot.node, ""), SMALL)
            )
            right = RADIUS + (5 + beside if beside else 0)
        if spot.hidden:
            half = max(22.0, text_width(_more(spot.hidden), SMALL) / 2)
            left, right = max(left, half), max(right, half)
        label = text_width(self._label(place), SMALL) / 2 / LABEL_AT
        return max(left, label), max(right, label)

    def _label(self, place: int) -> str:
        spot = self.spots[place]
        if spot.node <= 0:
            return ""
        parent = self.spots[spot.parent].node
        return self.subject.edge_text(parent, spot.node - self.subject.children[parent].start)

    def _foot(self, node: int, hidden: int) -> float:
        if node < 0:
            return SMALL
        if hidden:
            return RADIUS + 48
        if not self.subject.is_leaf(node):
            return RADIUS
        return LEAF + 18 + (14 if self.subject.nodes[node].name else 0) + (14 if node in self.notes else 0)

    def _top(self, place: int) -> float:
        node = self.spots[place].node
        kind = self.subject.kind(node) if node >= 0 else "stub"
        return {"leaf": LEAF, "stub": SMALL / 2, "min": 0.8 * RADIUS}.get(kind, RADIUS)

    def _bottom(self, place: int) -> float:
        return 0.8 * RADIUS if self.subject.kind(self.spots[place].node) == "max" else RADIUS

    def _edge(self, place: int, x: list[float], y: list[float]) -> Group:
        spot = self.spots[place]
        parent = spot.parent
        x1, y1 = x[parent], y[parent] + self._bottom(parent)
        x2, y2 = x[place], y[place] - self._top(place)
        group = Group("edge", spot.node, self._edge_states(place))
        group.items.append(Line(x1, y1, x2, y2))
        label = self._label(place)
        if self.live or "cut" in group.states:
            group.items += _strikes(x1, y1, x2, y2, 0.85 if label else 0.6)
        if label:
            height = y1 + LABEL_AT * (y2 - y1) + SMALL / 3
            group.items.append(Words(x1 + LABEL_AT * (x2 - x1), height, label, "middle", "label"))
        return group

    def _edge_states(self, place: int) -> set[str]:
        spot = self.spots[place]
        if self.snapshot is None:
            return set()
        states = set()
        if self._is_cut(spot.node, self.spots[spot.parent].node):
            states.add("cut")
        if spot.node in self.snapshot.best:
            states.add("best")
        if spot.node in self.snapshot.current:
            states.add("current")
        states.add("seen" if spot.node in self.snapshot.visited else "unseen")
        return states

    def _is_cut(self, node: int, parent: int) -> bool:
        assert self.snapshot is not None
        return (parent, node) in self.snapshot.cut

    def _node_states(self, node: int) -> set[str]:
        if self.snapshot is None:
            return {"seen"}
        states = {"seen" if node in self.snapshot.visited else "unseen"}
        if node in self.snapshot.current[-1:] and not self.snapshot.best:
            states.add("current")
        if node in self.snapshot.best:
            states.add("best")
        return states

    def _node(self, place: int, x: float, y: float) -> Group:
        spot = self.spots[place]
        if spot.node < 0:
            group = Group("node", -1, set())
            group.items.append(Words(x, y + SMALL / 2, _more(spot.hidden), "middle", "hidden"))
            return group
        node, at = spot.node, self.subject.nodes[spot.node]
        group = Group("node", node, self._node_states(node))
        kind = self.subject.kind(node)
        group.items.append(symbol(kind, x, y))
        if kind == "leaf":
            group.items.append(Words(x, y + LEAF + 15, self.subject.leaf_text(node), "middle", "leaf"))
            if at.name:
                group.items.append(Words(x, y + LEAF + 29, at.name, "middle", "label"))
            if self.live or self.notes.get(node):
                note = "" if self.live else self.notes[node]
                group.items.append(Words(x, y + LEAF + (43 if at.name else 29), note, "middle", "note"))
            return group
        if kind == "player":
            letter = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[self.subject.movers[node]]
            group.items.append(Words(x, y + 5, letter, "middle", "letter"))
        if at.name:
            group.items.append(Words(x - RADIUS - 4, y + 5, at.name, "end", "name"))
        if spot.hidden:
            foot = y + RADIUS + 30
            group.items.append(Shape("fold", ((x, y + RADIUS + 2), (x + 22, foot), (x - 22, foot))))
            group.items.append(Words(x, foot + 14, _more(spot.hidden), "middle", "hidden"))
        worth, note = self.values.get(node, ""), self.notes.get(node, "")
        if self.live or worth:
            group.items.append(Words(x + RADIUS + 5, y - 1, "" if self.live else worth, "start", "value"))
        if self.live or note:
            group.items.append(Words(x + RADIUS + 5, y + 13, "" if self.live else note, "start", "note"))
        return group

    def _title(self) -> str:
        if self.title:
            return self.title
        root = self.subject.nodes[0].name
        if self.snapshot is None:
            return f"Game tree {root}".strip()
        return f"{self.snapshot.trace.algorithm.replace('_', '-')} on {root or 'a game tree'}"

    def _description(self) -> str:
        size = len(self.subject.nodes)
        leaves = sum(not row for row in self.subject.children)
        words = [f"A tree of {size} nodes, {leaves} of them leaves."]
        if len(self.spots) < size:
            words.append("Some subtrees are folded up.")
        if self.snapshot is not None and not self.live:
            words.append(self.snapshot.text)
            if self.snapshot.cut:
                words.append(f"Pruned: {_listed(self.subject, sorted(self.snapshot.cut))}.")
        return " ".join(words)


def _widen(texts: dict[int, str], node: int, text: str) -> None:
    if len(text) > len(texts[node]):
        texts[node] = text


def _more(count: int) -> str:
    return f"+{count:,} node{'s' * (count != 1)}"


def _listed(subject: Subject, edges: Iterable[tuple[int, int]]) -> str:
    cut = [child for _, child in edges]
    leaves = [subject.leaf_text(child) for child in cut if not subject.children[child]]
    trees = sum(bool(subject.children[child]) for child in cut)
    words = [f"leaves {', '.join(leaves[:12])}{' …' * (len(leaves) > 12)}"] if leaves else []
    if trees:
        words.append(f"{trees} subtree{'s' * (trees != 1)}")
    return " and ".join(words)


def symbol(kind: str, x: float, y: float) -> Shape:
    """The shape of a kind of node."""
    r = RADIUS
    if kind == "max":
        return Shape(kind, ((x, y - r), (x + r, y + 0.8 * r), (x - r, y + 0.8 * r)))
    if kind == "min":
        return Shape(kind, ((x, y + r), (x - r, y - 0.8 * r), (x + r, y - 0.8 * r)))
    if kind == "chance":
        return Shape(kind, ((x, y),), r)
    side = LEAF if kind == "leaf" else 0.85 * r
    return Shape(kind, ((x - side, y - side), (x + side, y - side), (x + side, y + side), (x - side, y + side)))


def _strikes(x1: float, y1: float, x2: float, y2: float, at: float) -> list[Line | Shape | Words]:
    """Two short strokes across a line."""
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    along_x, along_y = (x2 - x1) / length, (y2 - y1) / length
    strokes: list[Line | Shape | Words] = []
    for shift in (-3.0, 3.0):
        cx, cy = x1 + at * (x2 - x1) + shift * along_x, y1 + at * (y2 - y1) + shift * along_y
        # Across the edge, and tilted a little, as one strikes a line out by hand.
        dx, dy = 8 * along_y + 3 * along_x, -8 * along_x + 3 * along_y
        strokes.append(Line(cx - dx, cy - dy, cx + dx, cy + dy, "strike"))
    return strokes
