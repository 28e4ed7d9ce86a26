"""A tidy layout of a tree, computed here once so that all kinds of picture agree.

Reingold and Tilford's idea (1981): equal subtrees look the same, subtrees are as close together as their outlines
allow, and a parent is centred above its children. Each node has its own width to the left and to the right. Space
between siblings is distributed evenly: the layout is the mean of the two drawings that push all subtrees to the left
and to the right, which keeps every distance that both of them keep.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

BUDGET = 160
"""The number of nodes to draw before subtrees are folded: about a readable page."""
FOLDED = 5
"""The width of a folded subtree in nodes, with the count below it."""


def tidy(
    children: Sequence[Sequence[int]], left: Sequence[float], right: Sequence[float], gap: float = 12.0
) -> list[float]:
    """The x coordinate of each node; the leftmost edge is at 0.

    Node 0 is the root and children come after their parents; `left` and `right` are the room that each node needs on
    either side of its centre.
    """
    offset = [0.0] * len(children)  # from the parent
    outlines: list[tuple[list[float], list[float]]] = [([], [])] * len(children)
    for node in reversed(range(len(children))):
        below = [outlines[child] for child in children[node]]
        places = _side_by_side(below, gap)
        middle = (places[0] + places[-1]) / 2 if places else 0.0
        for child, place in zip(children[node], places, strict=True):
            offset[child] = place - middle
            outlines[child] = ([], [])  # no longer needed
        lefts, rights = _merged(below, [place - middle for place in places])
        outlines[node] = ([-left[node], *lefts], [right[node], *rights])
    x = [0.0] * len(children)
    x[0] = -min(outlines[0][0])
    for node, row in enumerate(children):
        for child in row:
            x[child] = x[node] + offset[child]
    return x


def _side_by_side(outlines: list[tuple[list[float], list[float]]], gap: float) -> list[float]:
    """Places for subtrees side by side, the first at 0."""
    rightwards = _pushed(outlines, gap)
    mirrored = [([-r for r in rights], [-x for x in lefts]) for lefts, rights in reversed(outlines)]
    leftwards = _pushed(mirrored, gap)
    if not rightwards:
        return []
    width = rightwards[-1]
    return [(a + width - b) / 2 for a, b in zip(rightwards, reversed(leftwards), strict=True)]


def _pushed(outlines: list[tuple[list[float], list[float]]], gap: float) -> list[float]:
    """The least places from left to right at which no two subtrees come closer than the gap."""
    places: list[float] = []
    edge: list[float] = []  # the right outline of all that is placed
    for lefts, rights in outlines:
        place = max((e - x + gap for e, x in zip(edge, lefts, strict=False)), default=0.0)
        places.append(place)
        reach = [place + r for r in rights]
        both = [max(a, b) for a, b in zip(edge, reach, strict=False)]
        edge = both + edge[len(reach) :] + reach[len(edge) :]
    return places


def _merged(outlines: list[tuple[list[float], list[float]]], places: list[float]) -> tuple[list[float], list[float]]:
    """The outline of subtrees at these places, taken together."""
    lefts: list[float] = []
    rights: list[float] = []
    for (low, high), place in zip(outlines, places, strict=True):
        for depth, (x, y) in enumerate(zip(low, high, strict=True)):
            if depth == len(lefts):
                lefts.append(x + place)
                rights.append(y + place)
            else:
                lefts[depth] = min(lefts[depth], x + place)
                rights[depth] = max(rights[depth], y + place)
    return lefts, rights


@dataclass(frozen=True)
class Spot:
    """A place in the drawing: a node with `hidden` nodes folded below it; or, as node −1, only hidden nodes."""

    node: int
    parent: int  # the place of its parent in the list of spots, −1 for the root
    hidden: int = 0


def folded(children: Sequence[Sequence[int]], first: Sequence[int] = (), budget: int = BUDGET) -> list[Spot]:
    """The nodes to draw, parents before children: level by level, as many as the budget allows.

    The nodes in `first` (such as the principal variation) are opened before all others. A node with more children than
    the remaining budget shows some of them, and one spot for the rest.
    """
    sizes = [1] * len(children)
    for node in reversed(range(len(children))):
        sizes[node] += sum(sizes[child] for child in children[node])
    opened = _opened(children, set(first), budget)
    spots = [Spot(0, -1)]
    for place, spot in enumerate(spots):  # grows as it is walked
        if spot.node < 0 or not children[spot.node]:
            continue
        shown = opened.get(spot.node, 0)
        row = children[spot.node]
        if shown == 0:
            spots[place] = Spot(spot.node, spot.parent, sizes[spot.node] - 1)
            continue
        spots += [Spot(child, place) for child in row[:shown]]
        if shown < len(row):
            spots.append(Spot(-1, place, sum(sizes[child] for child in row[shown:])))
    return spots


def _opened(children: Sequence[Sequence[int]], wanted: set[int], budget: int) -> dict[int, int]:
    """Which nodes are drawn with children, and how many."""
    if len(children) <= budget:
        return {node: len(row) for node, row in enumerate(children) if row}
    opened: dict[int, int] = {}
    left = budget - FOLDED
    queue = [(False, 0, 0)]
    while queue:
        _, depth, node = heapq.heappop(queue)
        room = left + FOLDED - 1  # an opened node is as small as any
        costs = [FOLDED if children[child] else 1 for child in children[node]]
        shown = len(costs)
        if sum(costs) > room and (node == 0 or shown > budget // 4):  # too many to show all, and all too many to fold
            room -= FOLDED
            shown = 0
            while shown < len(costs) and sum(costs[: shown + 1]) <= room:
                shown += 1
        if shown == 0 or sum(costs[:shown]) > room:
            continue
        opened[node] = shown
        left = room - sum(costs[:shown])
        for child in children[node][:shown]:
            if children[child]:
                heapq.heappush(queue, (child not in wanted, depth + 1, child))
    return opened
