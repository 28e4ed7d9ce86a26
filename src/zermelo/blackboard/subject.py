"""What is drawn: a tree by numbers, whether it is a game's, a user's, or that of a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zermelo.blackboard.wording import number, probability, value
from zermelo.game.protocol import CHANCE
from zermelo.trees.tree import Node, Tree, to_node, turns


@dataclass(frozen=True)
class Subject:
    """The tree that is drawn, by numbers as in `Tree`.

    growing  nodes appear when they are first seen
    ends     of a search tree: the nodes at which the game is over; other nodes without children are not leaves
    """

    nodes: list[Node]
    children: list[range]
    movers: list[int]
    players: int
    growing: bool = False
    ends: frozenset[int] | None = None

    def is_leaf(self, node: int) -> bool:
        """Is it drawn as a leaf?"""
        return not self.children[node] if self.ends is None else node in self.ends

    def kind(self, node: int) -> str:
        """The shape of a node."""
        if self.is_leaf(node):
            return "leaf"
        if self.movers[node] == CHANCE:
            return "chance"
        return ("max", "min")[self.movers[node]] if self.players <= 2 else "player"

    def leaf_text(self, node: int) -> str:
        """The text below a leaf."""
        at = self.nodes[node]
        if at.unknown:
            return at.unknown
        return number(at.utility[0]) if len(at.utility) == 1 else value(tuple(at.utility))

    def edge_text(self, parent: int, place: int) -> str:
        """The text on the edge to a child: the move's label, or the outcome's probability."""
        at = self.nodes[parent]
        label = at.labels[place] if place < len(at.labels) else ""
        odds = probability(at.odds[place]) if place < len(at.odds) else ""
        return f"{label} ({odds})" if label and odds else label or odds


def subject_of(tree: Any) -> Subject:
    """A tree, or what can be made one, ready to be drawn; unknown leaves keep their letters."""
    if isinstance(tree, Tree):
        counts = zip(tree.first_child, tree.child_count, strict=True)
        children = [range(int(first), int(first) + int(count)) for first, count in counts]
        return Subject(tree.nodes, children, [int(m) for m in tree.mover], tree.players)
    nodes, children = [to_node(tree)], []
    for at in nodes:  # grows as it is walked, breadth first as trees are numbered
        children.append(range(len(nodes), len(nodes) + len(at.children)))
        nodes += at.children
    players = max([2, *(len(at.utility) for at in nodes)])
    movers, waiting = [0] * len(nodes), [0] * len(nodes)  # who moves, and whose turn it is
    for place, at in enumerate(nodes):
        movers[place], after = turns(at, waiting[place], players)
        for child in children[place]:
            waiting[child] = after
    return Subject(nodes, children, movers, players)
