"""An exercise on Monte Carlo tree search: which leaf is selected next, and what are the counts after the backup?"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from zermelo.blackboard.exercise import Exercise, Grade, Mark, lettered
from zermelo.blackboard.growth import Growth, watch_mcts
from zermelo.blackboard.wording import number
from zermelo.kernel.random import Random
from zermelo.search.mcts.watched import Simulation
from zermelo.trees import Node, Tree, leaf, node

CLEAR = 0.03
"""How far apart the two best bounds must be, so that no rounding decides."""
EXPLORATION = 2.0
"""With the spread of ½ that the search assumes at first, the factor of the exploration term is 1."""
FEWEST, MOST = 7, 15


def selection(seed: int) -> Exercise:
    """Select the next leaf, and back up its result."""
    random = Random(seed)
    while True:
        tree = Tree(_random_tree(random), utility_range=(0, 1))
        count = FEWEST + random.below(MOST - FEWEST + 1)
        chosen = random.below(1 << 30)
        grown = watch_mcts(tree, simulations=count + 1, exploration=EXPLORATION, proofs=False, seed=chosen)
        if _is_clear(grown.simulations[-1]):
            watching = {"simulations": count + 1, "exploration": EXPLORATION, "proofs": False, "seed": chosen}
            return replace(_asked(seed, grown), watching={"algorithm": "mcts", **watching})


def _random_tree(random: Random) -> Node:
    """Two levels with two or three moves each; results between 0 and 1."""
    moves = 2 + random.below(2)
    groups = [[leaf(Fraction(random.below(5), 4)) for _ in range(2)] for _ in range(moves)]
    return lettered(node(0, *(node(1, *group) for group in groups)))


def _is_clear(simulation: Simulation) -> bool:
    """Is every choice of the simulation made by bounds, and by a clear margin?"""
    if len(simulation.choices) < 2 or simulation.factor != 1.0:
        return False
    for choice in simulation.choices:
        totals = sorted((bound.total for bound in choice.bounds), reverse=True)
        if choice.how != "bound" or totals[0] - totals[1] < CLEAR:
            return False
    return True


def _asked(seed: int, grown: Growth) -> Exercise:
    tree = grown.tree
    assert tree is not None
    last = [step for step in grown.steps if step.depth == len(grown.simulations)]
    before = grown.at(grown.steps.index(last[0]) - 1)
    backup = next(step for step in last if step.kind == "backup")
    reasons = [step.text for step in last if step.kind == "select"]
    chosen = last[-1].path[-1]
    path = [tree.nodes[n].name for n in last[-1].path]
    before.current = ()
    counts = {at.name: before.note.get(n, "n = 0") for n, at in enumerate(tree.nodes) if not at.is_leaf}
    counts |= {tree.nodes[n].name: note for n, note in backup.note.items() if not tree.nodes[n].is_leaf}
    right = {name: note.removeprefix("n = ") for name, note in counts.items()}
    right = {"leaf": tree.nodes[chosen].name, **right}
    solution = ", ".join(f"{name}={count}" for name, count in right.items())
    result = tree.nodes[chosen].utility[0]

    def grade(answer: str) -> Grade:
        found = re.findall(r"([A-Za-z]+\d?)\s*=\s*(\d+)", answer)
        given = {name.casefold() if name.casefold() == "leaf" else name.upper(): count for name, count in found}
        if answer.strip() and not given:
            why = "Write the number of the leaf and the visits of each node, like leaf=3, A=9, B=5."
            return Grade((Mark("answer", answer.strip(), solution, False, why, readable=False),))
        marks = []
        for name, correct in right.items():
            said = given.get(name, "")
            why = " ".join(reasons) if name == "leaf" else _why_count(name, path)
            marks.append(Mark(name, said, correct, said == correct, why))
        return Grade(tuple(marks))

    question = (
        f"UCT has made {len(grown.simulations) - 1} simulations on this tree. Beside each node is its mean result for "
        "MAX and its number of visits. MAX selects the child with the greatest mean + √(ln(N + 1) / n), MIN the one "
        "with the least mean − √(ln(N + 1) / n): N visits of the node itself, n of the child. Which leaf does the next "
        "simulation reach, and how many visits does each node have after the backup? "
        "(The leaves are numbered, below their values.)"
    )
    hints = (
        f"Begin at A, with N = {before.note.get(0, '').removeprefix('n = ')}: compute the bound of each child.",
        reasons[0],
        f"The backup adds one visit to every node on the path, and to no other. The result is {number(result)}.",
    )
    return Exercise("mcts", seed, tree, question, "leaf=1, A=9, B=5, C=4", solution, grade, before, hints)


def _why_count(name: str, path: list[str]) -> str:
    way = ", ".join(path)
    if name in path:
        return f"It is on the path {way}, so the backup adds one visit."
    return f"It is not on the path {way}, so its visits stay as they are."
