"""Drawing a tree: each change to one node makes another tree, which is always valid.

Nodes are known by their numbers, breadth first, as pictures number them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from zermelo.game.errors import IllegalAction
from zermelo.game.protocol import CHANCE
from zermelo.trees.building import ParsedTree
from zermelo.trees.formats import parse
from zermelo.trees.source import mover_named
from zermelo.trees.tree import Node, Number, leaf

MOST_NODES = 200
"""More than anyone draws by hand."""
LETTERS = "xyzuvwabcdefghijklmnopqrst"
"""What unknown leaves are called, in this order."""


def edited(tree: ParsedTree, change: str, number: int, text: str = "") -> ParsedTree:
    """The tree after a change, by its name in CHANGES, to the node of this number."""
    if change not in CHANGES:
        raise ValueError(f"there is no change {change!r}; there are {', '.join(CHANGES)}")
    path = path_to(tree.root, number)
    made = CHANGES[change](tree, path, text.strip())
    count = sum(1 for _ in _all(made.root))
    if count > MOST_NODES:
        raise ValueError(f"the tree would have {count} nodes; a drawn one has at most {MOST_NODES}")
    return made


def path_to(root: Node, number: int) -> tuple[int, ...]:
    """The places of the moves from the root to a node."""
    paths: list[tuple[int, ...]] = [()]
    for place, (path, at) in enumerate(zip(paths, _all(root), strict=False)):
        if place == number:
            return path
        paths += [(*path, i) for i in range(len(at.children))]
    raise IllegalAction(f"there is no node {number} in this tree")


def _all(root: Node) -> list[Node]:
    """Every node, breadth first."""
    nodes = [root]
    for at in nodes:  # grows as it is walked
        nodes += at.children
    return nodes


def _at(root: Node, path: tuple[int, ...]) -> Node:
    return root if not path else _at(root.children[path[0]], path[1:])


def _with(root: Node, path: tuple[int, ...], made: Node) -> Node:
    """The tree with another node at a place."""
    if not path:
        return made
    children = list(root.children)
    children[path[0]] = _with(children[path[0]], path[1:], made)
    return replace(root, children=tuple(children))


def _put(tree: ParsedTree, path: tuple[int, ...], made: Node) -> ParsedTree:
    return replace(tree, root=_with(tree.root, path, made))


def _even(count: int) -> tuple[Number, ...]:
    return (Fraction(1, count),) * count if count > 1 else (1,)


def _worthless(tree: ParsedTree) -> Node:
    return leaf(*[0] * (tree.players if tree.players > 2 or tree.players == 1 else 1))


def _add(tree: ParsedTree, path: tuple[int, ...], text: str) -> ParsedTree:
    """One more child. A leaf becomes a node above two leaves, the first of which has its value."""
    at = _at(tree.root, path)
    if at.is_leaf:
        first = replace(at, name="", estimate=())
        return _put(tree, path, Node(children=(first, _worthless(tree)), name=at.name))
    children = (*at.children, _worthless(tree))
    odds = _even(len(children)) if at.mover == CHANCE else ()
    labels = (*at.labels, "") if at.labels else ()
    return _put(tree, path, replace(at, children=children, odds=odds, labels=labels))


def _delete(tree: ParsedTree, path: tuple[int, ...], text: str) -> ParsedTree:
    """Without the node and all below it; the probabilities that are left grow alike."""
    if not path:
        raise IllegalAction("the root cannot be deleted: delete its children instead")
    parent, place = _at(tree.root, path[:-1]), path[-1]

    def without(row: tuple[object, ...]) -> tuple[object, ...]:
        return row[:place] + row[place + 1 :]

    children: tuple[Node, ...] = without(parent.children)  # type: ignore[assignment]
    if not children:
        return _put(tree, path[:-1], replace(_worthless(tree), name=parent.name))
    odds: tuple[Number, ...] = without(parent.odds)  # type: ignore[assignment]
    total = sum(odds)
    if parent.mover == CHANCE:
        odds = tuple(p / total if isinstance(total, float) else Fraction(p) / total for p in odds) if total else ()
        odds = odds or _even(len(children))
    labels: tuple[str, ...] = without(parent.labels)  # type: ignore[assignment]
    made = replace(parent, children=children, odds=odds, labels=labels if any(labels) else ())
    return _put(tree, path[:-1], made)


def _value(tree: ParsedTree, path: tuple[int, ...], text: str) -> ParsedTree:
    """A leaf's utility: a number, (1, 2, 6), or a word if unknown; ? is the next free letter. Else an estimate."""
    at = _at(tree.root, path)
    if text == "?":
        text = next(letter for letter in LETTERS if letter not in tree.unknowns)
    found = parse(text).root
    if not found.is_leaf:
        raise ValueError("one value is expected: a number, (1, 2, 6), or a word for an unknown leaf")
    if not at.is_leaf:
        if found.unknown:
            raise ValueError("an estimate is a number")
        return _put(tree, path, replace(at, estimate=found.utility))
    if found.unknown and tree.players > 2:
        raise ValueError("an unknown leaf has one number, and here leaves have one for each player")
    if len(found.utility) > 1 and len(_all(tree.root)) == 1:  # the only leaf determines the number of players
        tree = replace(tree, players=len(found.utility))
    return _put(tree, path, replace(at, utility=found.utility, unknown=found.unknown, estimate=()))


def _mover(tree: ParsedTree, path: tuple[int, ...], text: str) -> ParsedTree:
    """The mover: MAX, MIN, CHANCE, a letter; or nothing, to take turns by depth."""
    at = _at(tree.root, path)
    if at.is_leaf:
        raise ValueError("a leaf has no mover: give it children first")
    mover = mover_named(text) if text else None
    if text and (mover is None or mover >= tree.players):
        raise ValueError(f"{text[:30]!r} does not move here: there are MAX, MIN, CHANCE, and letters for more players")
    odds = (at.odds or _even(len(at.children))) if mover == CHANCE else ()
    return _put(tree, path, replace(at, mover=mover, odds=odds))


def _odds(tree: ParsedTree, path: tuple[int, ...], text: str) -> ParsedTree:
    """The probabilities of a chance node's outcomes, from left to right."""
    at = _at(tree.root, path)
    if at.mover != CHANCE:
        raise ValueError("only a chance node has probabilities: let CHANCE move here first")
    given = [part.strip() for part in text.split(",")]
    if len(given) != len(at.children):
        raise ValueError(f"{len(at.children)} probabilities are expected, such as 1/2, 1/4, 1/4; not {len(given)}")
    found = parse("{" + ", ".join(f"{p}: 0" for p in given) + "}")
    return _put(tree, path, replace(at, odds=found.root.odds))


def _label(tree: ParsedTree, path: tuple[int, ...], text: str) -> ParsedTree:
    """Set the name of the move to the node."""
    if not path:
        raise ValueError("no move leads to the root")
    parent = _at(tree.root, path[:-1])
    labels = [*parent.labels, *[""] * (len(parent.children) - len(parent.labels))]
    labels[path[-1]] = text[:40]
    return _put(tree, path[:-1], replace(parent, labels=tuple(labels) if any(labels) else ()))


def _name(tree: ParsedTree, path: tuple[int, ...], text: str) -> ParsedTree:
    """Set the name of the node."""
    return _put(tree, path, replace(_at(tree.root, path), name=text[:40]))


def _left(tree: ParsedTree, path: tuple[int, ...], text: str) -> ParsedTree:
    """One place to the left among its siblings, with its label and its probability."""
    if not path or path[-1] == 0:
        raise IllegalAction("there is no place to the left")
    parent, place = _at(tree.root, path[:-1]), path[-1]
    order = list(range(len(parent.children)))
    order[place - 1], order[place] = order[place], order[place - 1]
    labels = [*parent.labels, *[""] * (len(order) - len(parent.labels))] if parent.labels else []
    made = replace(
        parent,
        children=tuple(parent.children[i] for i in order),
        odds=tuple(parent.odds[i] for i in order) if parent.odds else (),
        labels=tuple(labels[i] for i in order) if labels else (),
    )
    return _put(tree, path[:-1], made)


CHANGES: dict[str, Callable[[ParsedTree, tuple[int, ...], str], ParsedTree]] = {
    "add": _add,
    "delete": _delete,
    "value": _value,
    "mover": _mover,
    "odds": _odds,
    "label": _label,
    "name": _name,
    "left": _left,
}
"""What can be changed of a node, by name."""
