"""Trees and traces as plain text, for a terminal: one line for each node, its children indented below it."""

from __future__ import annotations

from typing import Any

from zermelo.blackboard.figure import SHOWS, chosen_show, note_text, snapshot_of, value_text
from zermelo.blackboard.layout import BUDGET, Spot, folded
from zermelo.blackboard.steps import Snapshot
from zermelo.blackboard.subject import Subject, subject_of

SYMBOLS = {"max": "▲", "min": "▼", "chance": "○"}


def draw(drawing: Any, show: str | None = None, *, budget: int = BUDGET) -> str:
    """A tree, a trace (after its last step) or a snapshot, line by line.

    ✂ marks pruned nodes, · unvisited nodes, * the principal variation, and > the current node.
    """
    snapshot = snapshot_of(drawing)
    subject = snapshot.trace.subject if snapshot else subject_of(drawing)
    if snapshot is not None:
        show = chosen_show(snapshot, show)
    if show is not None and show not in SHOWS:
        raise ValueError(f"show is one of {', '.join(SHOWS)}, not {show!r}")
    line = (0, *snapshot.trace.line) if snapshot else ()
    spots = folded(subject.children, line, max(2, budget))
    rows: list[list[int]] = [[] for _ in spots]
    for place, spot in enumerate(spots[1:], 1):
        if snapshot is None or not subject.growing or spot.node < 0 or spot.node in snapshot.visited:
            rows[spot.parent].append(place)
    lines: list[str] = []
    waiting = [(0, "", "")]
    while waiting:
        place, before, below = waiting.pop()
        lines.append((before + _line(subject, snapshot, spots, place, show or "values")).rstrip())
        children = rows[place]
        for child in reversed(children):
            last = child == children[-1]
            waiting.append((child, below + ("└─" if last else "├─"), below + ("  " if last else "│ ")))
    return "\n".join(lines) + "\n"


def _line(subject: Subject, snapshot: Snapshot | None, spots: list[Spot], place: int, show: str) -> str:
    spot = spots[place]
    if spot.node < 0:
        return f" … +{spot.hidden:,} nodes"
    node, words = spot.node, []
    if spot.parent >= 0:
        parent = spots[spot.parent].node
        words.append(subject.edge_text(parent, node - subject.children[parent].start))
    kind = subject.kind(node)
    if kind == "player":
        words.append("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[subject.movers[node]])
    else:
        words.append(SYMBOLS.get(kind, ""))
    if kind == "leaf":
        words.append(_leaf(subject.nodes[node].name, subject.leaf_text(node)))
    else:
        words.append(subject.nodes[node].name)
    if kind != "leaf" and snapshot is not None:
        words.append(value_text(snapshot, node))
    if snapshot is not None and (kind != "leaf" or show in ("visits", "bounds")):
        words.append(note_text(snapshot, node, show))
    if spot.hidden:
        words.append(f"+{spot.hidden:,} nodes")
    shown = "  ".join(word for word in words if word)
    shown = "".join(c if c.isprintable() else "�" for c in shown)  # a name must not steer the terminal
    if place == 0:
        return shown
    return f"{_mark(snapshot, spots, place) if snapshot else '─'} {shown}"


def _leaf(name: str, worth: str) -> str:
    """A leaf, so that neither a name nor a move's label can be taken for its value."""
    if not name:
        return f"■ {worth}"
    return f"■ leaf {name}: {worth}" if name[0].isdigit() else f"■ {name}: {worth}"


def _mark(snapshot: Snapshot, spots: list[Spot], place: int) -> str:
    spot = spots[place]
    if (spots[spot.parent].node, spot.node) in snapshot.cut:
        return "✂"
    if spot.node not in snapshot.visited:
        return "·"
    if spot.node in snapshot.best:
        return "*"
    return ">" if spot.node in snapshot.current[-1:] else "─"
