"""The solution of a tree with unknown leaves, as the command line and the page show it."""

from __future__ import annotations

import math

from zermelo.game.protocol import CHANCE
from zermelo.trees import ParsedTree, filled
from zermelo.trees.piecewise import Interval
from zermelo.trees.tree import Number
from zermelo.trees.unknowns import Solution, solve


def solution_of(parsed: ParsedTree, **values: Number) -> Solution:
    """The solution for the leaves without a value. If the tree has a finite range, each leaf lies within it."""
    root = filled(parsed.root, values)
    low, high = parsed.utility_range
    bounds = (low, high) if -math.inf < low and high < math.inf else None
    inside = Interval(None if math.isinf(low) else low, None if math.isinf(high) else high)
    domain = {} if bounds else {name: inside for name in parsed.unknowns if name not in values}
    return solve(root, first=parsed.first, players=parsed.players, bounds=bounds, **domain)


def value_in_words(found: Solution, name: str) -> str:
    """The value of the root as a function of one unknown, for any values of the others."""
    least, most = found.value_range(name)
    return str(least) if least == most else f"at least {least}; at most {most}"


def conditions(found: Solution, name: str) -> list[str]:
    """For which values of one unknown each move of the root is best; empty at a chance node."""
    moves = range(0 if found.root.mover == CHANCE else len(found.root.children))
    return [found.when(move, name).condition(name) for move in moves]
