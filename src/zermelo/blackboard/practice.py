"""Exercises made from a seed, graded node by node and edge by edge, each answer with its explanation.

The correct answers come from the real algorithms; nothing is computed a second time here.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from fractions import Fraction

from zermelo.blackboard.exercise import Exercise, Grade, Mark, lettered
from zermelo.blackboard.practice_mcts import selection
from zermelo.blackboard.watch import Watched, watch
from zermelo.game.errors import UnknownName
from zermelo.kernel.random import Random
from zermelo.trees import MAX, Node, Tree, chance, leaf, node, unknown
from zermelo.trees.piecewise import Interval, Intervals
from zermelo.trees.unknowns import solve


def exercise(kind: str, seed: int) -> Exercise:
    """The exercise of this kind that belongs to the seed."""
    if kind not in KINDS:
        raise UnknownName(f"there is no exercise {kind!r}; there are {', '.join(KINDS)}")
    return KINDS[kind](seed)


def _random_tree(random: Random, dice: bool = False) -> Node:
    """Two or three levels, two or three moves each, leaves from 0 to 15, few of them equal."""
    shape = ((3, 3), (2, 2, 2), (3, 2), (2, 3, 2))[random.below(4)] if not dice else ((2, 2, 2),)[0]

    def grow(depth: int) -> Node:
        if depth == len(shape):
            return leaf(random.below(16))
        if dice and depth == 1:
            parts = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))[random.below(3)]
            return chance((parts, grow(depth + 1)), (1 - parts, grow(depth + 1)))
        mover = depth % 2 if not dice else (0 if depth == 0 else 1)
        return node(mover, *(grow(depth + 1) for _ in range(shape[depth])))

    return lettered(grow(0))


def _interior(tree: Tree) -> list[int]:
    return [n for n in range(len(tree.nodes)) if not tree.nodes[n].is_leaf]


def _leaves(tree: Tree) -> list[int]:
    """The leaves, from left to right."""
    return sorted((n for n in range(len(tree.nodes)) if tree.nodes[n].is_leaf), key=lambda n: int(tree.nodes[n].name))


def show(number: float) -> str:
    """A number as people write it."""
    exact = Fraction(number).limit_denominator(1000)
    return str(exact) if abs(float(exact) - number) < 1e-9 else f"{number:.3f}"


# The kinds of exercise.


def values(seed: int, dice: bool = False) -> Exercise:
    """Fill in the value of every node."""
    tree = Tree(_random_tree(Random(seed), dice))
    seen = watch(tree, "expectiminimax" if dice else "minimax")
    right = {tree.nodes[n].name: seen.values[n] for n in _interior(tree)}
    solution = ", ".join(f"{name}={show(value)}" for name, value in right.items())

    def grade(answer: str) -> Grade:
        given = {n.upper(): v for n, v in re.findall(r"([A-Za-z]\d?)\s*=\s*([-+0-9./]+)", _plain(answer))}
        if answer.strip() and "=" not in answer:
            why = "Write each node's name and its value, like A=1, B=2."
            return Grade((Mark("answer", answer.strip(), solution, False, why, readable=False),))
        marks = []
        for number in _interior(tree):
            name = tree.nodes[number].name
            value = _number(given.get(name, ""))
            correct = value is not None and abs(value - right[name]) < 1e-6
            marks.append(Mark(name, given.get(name, ""), show(right[name]), correct, _why_value(tree, number, seen)))
        return Grade(tuple(marks))

    kind = "chance" if dice else "values"
    question = "Fill in the value of every node for MAX" + (", averaging at the chance nodes." if dice else ".")
    watching = {"algorithm": "expectiminimax" if dice else "minimax"}
    lowest = _interior(tree)[-1]
    rule = "MAX takes the greatest of its children's values, MIN the least"
    hints = (
        f"Work from the leaves up. {rule}{', and a chance node is worth the average' if dice else ''}.",
        f"{tree.nodes[lowest].name} = {show(seen.values[lowest])}: {_why_value(tree, lowest, seen)}",
    )
    return Exercise(kind, seed, tree, question, "A=1, B=2, C=3", solution, grade, None, hints, watching)


def _why_value(tree: Tree, number: int, seen: Watched) -> str:
    first, count = int(tree.first_child[number]), int(tree.child_count[number])
    children = [show(seen.values[n]) for n in range(first, first + count)]
    mover = tree.player_name(int(tree.mover[number]))
    if mover == "chance":
        parts = [f"{show(float(tree.odds[first + i]))}·{value}" for i, value in enumerate(children)]
        return f"Chance averages: {' + '.join(parts)}."
    return f"{mover} takes the {'greatest' if mover == 'MAX' else 'least'} of {', '.join(children)}."


def pruning(seed: int) -> Exercise:
    """Mark the leaves that alpha-beta prunes."""
    random = Random(seed)
    for _ in range(200):  # until there is something to prune
        tree = Tree(_random_tree(random))
        seen = watch(tree, "alpha_beta")
        unseen = [n for n in _leaves(tree) if n not in seen.visited]
        if unseen:
            break
    pruned = {tree.nodes[n].name for n in unseen}
    solution = ", ".join(sorted(pruned, key=int))

    def grade(answer: str) -> Grade:
        given = set(re.findall(r"\d+", answer))
        if re.search(r"[^\d\s,;]", answer) and answer.strip().casefold() != "none":
            why = "Write the numbers of leaves, or none."
            return Grade((Mark("answer", answer.strip(), solution, False, why, readable=False),))
        marks = []
        for number in _leaves(tree):
            name = tree.nodes[number].name
            said, is_pruned = name in given, name in pruned
            why = _why_pruned(tree, number, seen) if is_pruned else _why_seen(seen)
            words = {True: "pruned", False: "visited"}
            marks.append(Mark(f"leaf {name}", words[said], words[is_pruned], said == is_pruned, why))
        marks += [
            Mark(f"leaf {name}", "pruned", "no such leaf", False, f"The leaves are numbered 1 to {len(_leaves(tree))}.")
            for name in sorted(given - {tree.nodes[n].name for n in _leaves(tree)}, key=int)
        ]
        return Grade(tuple(marks))

    question = (
        "Which leaves does alpha-beta prune, going from left to right? It cuts at ties. "
        f"(The leaves are numbered 1 to {len(_leaves(tree))}, below their values.)"
    )
    first = min(unseen, key=lambda n: int(tree.nodes[n].name))
    hints = (
        "Keep α, what MAX already has elsewhere, and β, what MIN already has. A node is left as soon as α ≥ β.",
        f"The number of pruned leaves is {len(unseen)}.",
        f"The first of them is leaf {tree.nodes[first].name}. {_why_pruned(tree, first, seen)}",
    )
    watching = {"algorithm": "alpha_beta"}
    return Exercise("pruning", seed, tree, question, "4, 6", solution, grade, None, hints, watching)


def _why_pruned(tree: Tree, number: int, seen: Watched) -> str:
    """The reason of the cut above a leaf that was not seen."""
    at = number
    while at not in seen.cuts and tree.parent[at] >= 0:
        at = int(tree.parent[at])
    return seen.cuts.get(at, "It is below a pruned branch.")


def _why_seen(seen: Watched) -> str:
    return "Nothing known at this point of the search could rule it out."


def unknown_leaf(seed: int) -> Exercise:
    """One leaf is x: for which x is the first move best?"""
    random = Random(seed)
    for _ in range(500):
        groups = [[random.below(16) for _ in range(3)] for _ in range(2)]
        tree = lettered(node(MAX, node(1, *groups[0]), node(1, unknown("x"), *groups[1][1:])))
        right = solve(tree).best_moves("x")[0]
        solution = right.condition("x")
        if _condition(solution) is not None:  # not always, and not never
            break

    def grade(answer: str) -> Grade:
        given = _condition(answer)
        wrong = "" if given is not None else "Write a condition on x, such as x <= 3 or 2 < x < 5."
        if given is not None and given != right:
            missing, extra = right - given, given - right
            wrong = f"Missing: {missing.condition('x')}. " if missing.parts else ""
            wrong += f"Too much: {extra.condition('x')}." if extra.parts else ""
        return Grade((Mark("x", answer.strip(), solution, not wrong, wrong.strip()),))

    question = "One leaf is unknown. For which x is the first move a best move for MAX?"
    first, others = min(groups[0]), groups[1][1:]
    hints = (
        "Compare the values of the two moves. MIN moves below both of them.",
        f"The first move is worth {first}. The second is worth the least of x, {others[0]} and {others[1]}.",
    )
    return Exercise("unknown", seed, Tree(tree, x=0), question, "x <= 3", solution, grade, tree, hints)


def _condition(answer: str) -> Intervals | None:
    """An inequality in x, such as `x <= 3`, `3 >= x` or `2 < x < 5`, as the numbers for which it holds."""
    text = _plain(answer).replace("≤", "<=").replace("≥", ">=").replace(" ", "").casefold()
    found = re.fullmatch(r"(?:([-\d./]+)(<=|>=|<|>))?x(?:(<=|>=|<|>)([-\d./]+))?", text)
    if not found or text == "x":
        return None
    left, left_sign, right_sign, right = found.groups()
    everything = Intervals(Interval())
    for number, sign in ((left, _TURNED.get(left_sign or "")), (right, right_sign)):
        if number is not None and sign is not None:
            limit = _number(number)
            if limit is None:
                return None
            exact = Fraction(number)
            ends = "[]" if "=" in sign else "()"
            side = Interval(None, exact, ends) if sign.startswith("<") else Interval(exact, None, ends)
            everything = everything & Intervals(side)
    return everything


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _plain(answer: str) -> str:
    """An answer with the signs of a keyboard: what zermelo prints can be typed back."""
    return answer.replace("−", "-").replace("–", "-").replace("·", "")


def chance_bounds(seed: int) -> Exercise:
    """The range of a chance node's value after each outcome, with utilities in [−10, 10]."""
    random = Random(seed)
    leaves = [random.below(21) - 10 for _ in range(4)]
    tree = Tree(lettered(chance(*((Fraction(1, 4), leaf(x)) for x in leaves))), utility_range=(-10, 10))
    seen = watch(tree, "star1")
    right = seen.ranges[0][2:]  # after the window it was given, and the range before any outcome

    def grade(answer: str) -> Grade:
        given = re.findall(r"\[?\s*([-\d./]+)\s*[,;]\s*([-\d./]+)\s*\]?", _plain(answer))
        marks = []
        for i, (low, high) in enumerate(right):
            said = given[i] if i < len(given) else ("", "")
            numbers = _number(said[0]), _number(said[1])
            correct = (
                numbers[0] is not None
                and numbers[1] is not None
                and abs(numbers[0] - low) < 0.01
                and abs(numbers[1] - high) < 0.01
            )
            after = ", ".join(str(x) for x in leaves[: i + 1])
            why = f"The known outcomes give {show(sum(leaves[: i + 1]) / 4)}; each of the rest adds from −2.5 to 2.5."
            shown = f"[{said[0]}, {said[1]}]" if said[0] else ""
            marks.append(Mark(f"after {after}", shown, f"[{show(low)}, {show(high)}]", correct, why))
        return Grade(tuple(marks))

    question = (
        f"A chance node has four equally likely outcomes, {', '.join(map(str, leaves))}, seen from left to right; "
        "utilities are in [−10, 10]. Give the bounds on its value after each outcome except the last."
    )
    solution = ", ".join(f"[{show(low)}, {show(high)}]" for low, high in right)
    low, high = right[0]
    hints = (
        "An outcome that is known adds its value divided by 4; one that is not adds between −10/4 and 10/4.",
        f"After {leaves[0]}: {show(leaves[0] / 4)}, and three times −2.5 to 2.5, so [{show(low)}, {show(high)}].",
    )
    form, watching = "[-5, 7.5], [-2.5, 5], [0, 2.5]", {"algorithm": "star1"}
    return Exercise("bounds", seed, tree, question, form, solution, grade, None, hints, watching)


def _number(text: str) -> float | None:
    try:
        return float(Fraction(text)) if text else None
    except (ValueError, ZeroDivisionError):
        return None


KINDS: dict[str, Callable[[int], Exercise]] = {
    "values": values,
    "chance": lambda seed: values(seed, dice=True),
    "pruning": pruning,
    "unknown": unknown_leaf,
    "bounds": chance_bounds,
    "mcts": selection,
}
"""The kinds of exercise by name."""


def new_seed() -> int:
    """The number of an exercise that was probably never seen before."""
    return secrets.randbelow(1_000_000)


def kinds() -> list[str]:
    """The names of the kinds of exercise."""
    return list(KINDS)
