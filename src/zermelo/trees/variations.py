"""Variations of a tree for teaching: functions from a tree to another tree, on which every algorithm works.

A tree is given as nested lists, as a `Node` or as a `Tree`. The result is a `Node` with an explicit mover at every
node, because the depth no longer determines it. `decide` returns the value of a tree and its best moves, in exact
fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.game.errors import GameError, IllegalAction, Unsuitable
from zermelo.game.protocol import CHANCE
from zermelo.trees.piecewise import exact
from zermelo.trees.tree import MAX, MIN, Node, Number, Tree, to_node, turns

Path = tuple[int, ...]
"""A node, by the moves that lead to it from the root."""


def with_movers(tree: Any, first: int = MAX, players: int = 2) -> Node:
    """The same tree, with an explicit mover at every node."""
    if isinstance(tree, Tree):
        game = tree

        def at(number: int) -> Node:
            below, count = int(game.first_child[number]), int(game.child_count[number])
            children = tuple(at(below + i) for i in range(count))
            return replace(game.nodes[number], mover=int(game.mover[number]) if count else None, children=children)

        return at(0)

    def moved(node: Node, turn: int) -> Node:
        if node.is_leaf:
            return node
        mover, after = turns(node, turn, players)
        return replace(node, mover=mover, children=tuple(moved(child, after) for child in node.children))

    return moved(to_node(tree), first % players)


def probabilities(node: Node) -> tuple[Fraction, ...]:
    """A chance node's probabilities as fractions that add up to 1 exactly, as floats such as 1/3 do not."""
    decimals = tuple(exact(p) for p in node.odds)
    simple = tuple(p.limit_denominator(10_000) for p in decimals)
    total = sum(decimals, Fraction(0))
    if len(decimals) != len(node.children) or any(p < 0 for p in decimals) or abs(total - 1) > Fraction(1, 10**9):
        raise GameError(f"the probabilities of a chance node, {node.odds}, do not add up to 1 over its children")
    for read in (decimals, simple):
        if sum(read) == 1:
            return read
    return tuple(p / total for p in decimals)


def utility_of(node: Node) -> Fraction:
    """A leaf's utility to MAX."""
    if node.unknown:
        raise GameError(
            f"the leaf {node.unknown} is unknown: give its value, as in filled(tree, {{{node.unknown!r}: 3}})"
        )
    if len(node.utility) == 2 and exact(node.utility[0]) + exact(node.utility[1]) != 0:
        raise Unsuitable(f"what MAX wins MIN must lose, and a leaf has {node.utility}")
    if len(node.utility) not in (1, 2):
        raise Unsuitable(f"this is for MAX and MIN, and a leaf has {len(node.utility)} numbers, {node.utility}")
    return exact(node.utility[0])


class Decision(NamedTuple):
    """The value of a tree for MAX, all best moves of the root (empty at a chance node), and the value of each move."""

    value: Fraction
    best: tuple[int, ...]
    moves: tuple[Fraction, ...]


def decide(tree: Any, first: int = MAX, players: int = 2) -> Decision:
    """Expectiminimax by its definition, in exact fractions."""
    root = with_movers(tree, first, players)
    moves = tuple(value_of(child) for child in root.children)
    value = value_of(root)
    best = tuple(i for i, v in enumerate(moves) if v == value) if root.mover != CHANCE else ()
    return Decision(value, best, moves)


def value_of(node: Node) -> Fraction:
    """The expectiminimax value of a node for MAX; every node must have a mover."""
    if node.is_leaf:
        return utility_of(node)
    values = [value_of(child) for child in node.children]
    if node.mover == CHANCE:
        return sum((p * v for p, v in zip(probabilities(node), values, strict=True)), Fraction(0))
    return chooser(node)(values)


def chooser(node: Node) -> Callable[[Sequence[Fraction]], Fraction]:
    """The choice of a player: the greatest or the least value."""
    if node.mover not in (MAX, MIN):
        raise Unsuitable(f"this is for MAX and MIN, and player {node.mover} moves at a node")
    return max if node.mover == MAX else min


def choices(tree: Any, mover: int, first: int = MAX, players: int = 2) -> dict[Path, int]:
    """The minimax move of one player at each of its nodes, the first of equals."""
    found: dict[Path, int] = {}

    def note(node: Node, path: Path) -> None:
        if node.mover == mover and not node.is_leaf:
            values = [value_of(child) for child in node.children]
            found[path] = values.index(chooser(node)(values))
        for i, child in enumerate(node.children):
            note(child, (*path, i))

    note(with_movers(tree, first, players), ())
    return found


def following(tree: Any, moves: Mapping[Path, int], first: int = MAX, players: int = 2) -> Node:
    """The tree in which, at each of the nodes named, the move named is the only one."""

    def at(node: Node, path: Path) -> Node:
        children = tuple(at(child, (*path, i)) for i, child in enumerate(node.children))
        if path not in moves:
            return replace(node, children=children)
        if node.mover == CHANCE or not 0 <= moves[path] < len(children):
            raise IllegalAction(f"there is no move {moves[path]} to follow at {path}")
        return arranged(replace(node, children=children), (moves[path],))

    return at(with_movers(tree, first, players), ())


def erring(tree: Any, probability: Number, mover: int = MIN, first: int = MAX, players: int = 2) -> Node:
    """The tree in which a player makes mistakes: with this probability, its move is drawn uniformly at random.

    A chance node precedes each of its choices. When the player does choose, it takes later mistakes into account.
    """
    error = exact(probability)
    if not 0 <= error <= 1:
        raise ValueError(f"a probability is between 0 and 1, and this is {probability}")

    def at(node: Node) -> Node:
        children = tuple(at(child) for child in node.children)
        chosen = replace(node, children=children)
        if node.mover != mover or len(children) < 2 or not error:
            return chosen
        labels = tuple(f"errs: {label_of(node, i)}" for i in range(len(children)))
        errors, odds = children, (error / len(children),) * len(children)
        if error < 1:
            errors, odds, labels = (chosen, *errors), (1 - error, *odds), ("chooses", *labels)
        return Node(CHANCE, errors, odds, estimate=node.estimate, labels=labels)

    return at(with_movers(tree, first, players))


def dark_magic(tree: Any, cost: Number, uses: int | None = None, first: int = MAX, players: int = 2) -> Node:
    """The tree in which MAX can pay a cost before each move of MIN and make the move itself.

    At each MIN node, MAX first chooses between the original node and the same node with MAX to move, below which every
    utility is reduced by the cost. `uses` is how often MAX can pay on one path; None for any number of times.
    """

    def at(node: Node, paid: int) -> Node:
        if node.is_leaf:
            return _charged(node, paid * cost)
        kept = replace(_charged(node, paid * cost), children=tuple(at(child, paid) for child in node.children))
        if node.mover != MIN or (uses is not None and paid >= uses):
            return kept
        children = tuple(at(child, paid + 1) for child in node.children)
        bought = replace(_charged(node, (paid + 1) * cost), mover=MAX, children=children)
        labels = ("leave it to MIN", f"pay {cost}")
        return Node(MAX, (kept, bought), estimate=kept.estimate, labels=labels)

    return at(with_movers(tree, first, players), 0)


def _charged(node: Node, amount: Number) -> Node:
    """The node with an amount taken from MAX and given to MIN."""
    if not amount:
        return node
    if node.unknown:
        raise GameError(f"the leaf {node.unknown} is unknown, and a cost cannot be taken off it: give its value first")

    def less(numbers: tuple[Number, ...]) -> tuple[Number, ...]:
        changed = (exact(u) - exact(amount) if i == 0 else exact(u) + exact(amount) for i, u in enumerate(numbers))
        return tuple(u.numerator if u.denominator == 1 else u for u in changed)

    return replace(node, utility=less(node.utility), estimate=less(node.estimate))


def single_agent(tree: Any, first: int = MAX, players: int = 2) -> Node:
    """The tree without opposition: MAX moves at every player's node. Chance stays."""
    return everywhere(with_movers(tree, first, players), lambda n: replace(n, mover=MAX if n.mover == MIN else n.mover))


def cut_off(tree: Any, depth: int, first: int = MAX, players: int = 2) -> Node:
    """The tree down to a depth, with estimates (0 if a node has none) in place of what is below.

    A greedy player decides by the tree cut off at depth 1.
    """

    def at(node: Node, left: int) -> Node:
        if node.is_leaf:
            return node
        if left == 0:
            return Node(utility=node.estimate or (0,), name=node.name)
        return replace(node, children=tuple(at(child, left - 1) for child in node.children))

    return at(with_movers(tree, first, players), depth)


def rescaled(tree: Any, scale: Callable[[Any], Number], first: int = MAX, players: int = 2) -> Node:
    """The tree with every utility, and every estimate, on another scale.

    An increasing scale keeps the best moves of a tree without chance; a linear one, `lambda u: a * u + b` with a > 0,
    keeps those of every tree.
    """

    def new(numbers: tuple[Number, ...]) -> tuple[Number, ...]:
        if not numbers:
            return ()
        return (scale(numbers[0]), *(-scale(numbers[0]) for _ in numbers[1:]))

    def at(node: Node) -> Node:
        if node.is_leaf:
            utility_of(node)  # raises an error if it is unknown, or has other players
        return replace(node, utility=new(node.utility), estimate=new(node.estimate))

    return everywhere(with_movers(tree, first, players), at)


def everywhere(node: Node, change: Callable[[Node], Node]) -> Node:
    """The tree with every node changed, from the leaves up."""
    return change(replace(node, children=tuple(everywhere(child, change) for child in node.children)))


def arranged(node: Node, order: Sequence[int]) -> Node:
    """The node with these of its children, in this order, each with the name of the move to it."""
    labels = tuple(label_of(node, i) for i in order) if node.labels else ()
    odds = tuple(node.odds[i] for i in order) if node.odds else ()
    return replace(node, children=tuple(node.children[i] for i in order), labels=labels, odds=odds)


def label_of(node: Node, move: int) -> str:
    """The name of a move: its label, or its number if it has none."""
    return node.labels[move] if move < len(node.labels) and node.labels[move] else str(move)
