"""The unknown-leaf solver against brute force: values over a fine grid, prunings against the real searches."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zermelo import Observer, analyse
from zermelo.search.search import FailHard, Search, StrictCuts, StrictFailHard
from zermelo.trees import MAX, Node, Tree, chance, filled, leaf, node, unknown
from zermelo.trees.piecewise import Interval, Intervals
from zermelo.trees.unknowns import solve
from zermelo.trees.variations import Path, decide

FACTOR = int(os.environ.get("ZERMELO_EXAMPLES", "1"))  # `make slow` looks at more
BOUNDS = (-4, 4)
GRID = [Fraction(n, 4) for n in range(4 * BOUNDS[0], 4 * BOUNDS[1] + 1)]
COARSE = [Fraction(n, 2) for n in range(2 * BOUNDS[0], 2 * BOUNDS[1] + 1)]


def trees(letters: str, dice: bool, size: int = 14) -> st.SearchStrategy[Node]:
    """Trees in which every one of the letters is a leaf at least once. The odds are halves and quarters: real searches
    reckon in floats, and only so are their ties the true ones."""
    known = st.integers(-3, 3).map(leaf)
    ends = st.one_of(known, known, st.sampled_from(letters).map(unknown))

    def extend(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        several = st.lists(children, min_size=1, max_size=4)
        decisions = st.builds(lambda mover, below: node(mover, *below), st.integers(0, 1), several)
        if not dice:
            return decisions
        coins = st.lists(children, min_size=2, max_size=2).map(lambda c: chance((0.5, c[0]), (0.5, c[1])))
        thirds = st.lists(children, min_size=3, max_size=3).map(
            lambda c: chance((0.25, c[0]), (0.5, c[1]), (0.25, c[2]))
        )
        return decisions | decisions | coins | thirds

    whole = st.recursive(ends, extend, max_leaves=size).filter(lambda tree: bool(tree.children))
    return whole.filter(lambda tree: set(solve(tree).unknowns) == set(letters))


def points(sets: Iterable[Intervals]) -> list[Fraction]:
    """Inside, at the ends of and outside each interval, as far as floats can say: and a grid over all."""
    ends = {end for union in sets for part in union for end in (part.low, part.high) if isinstance(end, Fraction)}
    near = {Fraction(float(end + off)) for end in ends for off in (Fraction(-1, 64), Fraction(1, 64))}
    at = {end for end in ends if Fraction(float(end)) == end}
    return sorted(x for x in {*COARSE, *near, *at} if BOUNDS[0] <= x <= BOUNDS[1])


class Visited(Observer):
    """Notes the lines of moves to the nodes that a search enters."""

    def __init__(self) -> None:
        self.path: list[int] = []
        self.seen: set[Path] = set()

    def visit(self, ply: int, action: Any) -> None:
        del self.path[max(ply - 1, 0) :]
        if ply > 0:
            self.path.append(int(action))
        self.seen.add(tuple(self.path))


def visited(tree: Node, algorithm: str, bookkeeping: type[Search] | None = None) -> set[Path]:
    watcher = Visited()
    game = Tree(tree, utility_range=BOUNDS)
    analyse(game, algorithm=algorithm, bookkeeping=bookkeeping, observer=watcher, compile=True)
    return watcher.seen


@settings(max_examples=80 * FACTOR)
@given(trees("x", dice=True, size=25))
def test_the_value_and_the_best_moves_of_one_unknown(tree: Node) -> None:
    solution = solve(tree)
    value = solution.value("x")
    assert all(slope >= 0 for slope in value.slopes)  # monotone in every leaf
    among = only = {}
    if tree.mover in (0, 1):
        among, only = solution.best_moves("x"), solution.best_moves("x", only=True)
    for x in {*GRID, *value.breakpoints, *points([*among.values(), *only.values()])}:
        truth = decide(filled(tree, {"x": x}))
        assert value(x) == truth.value
        if among:
            assert tuple(move for move, where in among.items() if x in where) == truth.best
            alone = truth.best if len(truth.best) == 1 else ()
            assert tuple(move for move, where in only.items() if x in where) == alone


RULES = [(Search, True, False), (StrictCuts, False, False), (FailHard, True, True), (StrictFailHard, False, True)]


@pytest.mark.parametrize(("kind", "cut_ties", "fail_hard"), RULES, ids=lambda rule: getattr(rule, "__name__", ""))
@settings(max_examples=30 * FACTOR)
@given(tree=trees("x", dice=False, size=20))
def test_prunings_are_those_of_the_real_alpha_beta(
    kind: type[Search], cut_ties: bool, fail_hard: bool, tree: Node
) -> None:
    solution = solve(tree, bounds=BOUNDS)
    pruned = solution.prunings("x", cut_ties=cut_ties, fail_hard=fail_hard)
    agrees(tree, pruned, points(pruned.values()), "alpha_beta", kind)


@settings(max_examples=30 * FACTOR)
@given(trees("x", dice=True, size=16))
def test_prunings_are_those_of_the_real_star1(tree: Node) -> None:
    solution = solve(tree, bounds=BOUNDS)
    pruned = solution.prunings("x")
    agrees(tree, pruned, points(pruned.values()), "star1", None)


def agrees(
    tree: Node,
    pruned: dict[Path, Intervals],
    places: list[Fraction],
    algorithm: str,
    kind: type[Search] | None,
) -> None:
    """At each place, the leaves that the solution says are pruned are those that the real search never enters."""
    leaves = [path for path, at in every(tree) if at.is_leaf]
    for x in places:
        seen = visited(filled(tree, {"x": x}), algorithm, kind)
        for path in leaves:
            assert (path in pruned and x in pruned[path]) == (path not in seen), (path, x)


def every(tree: Node, path: Path = ()) -> list[tuple[Path, Node]]:
    return [(path, tree), *(pair for i, child in enumerate(tree.children) for pair in every(child, (*path, i)))]


@settings(max_examples=25 * FACTOR)
@given(trees("x", dice=False))
def test_an_inner_node_is_pruned_where_all_its_leaves_are(tree: Node) -> None:
    solution = solve(tree)
    pruned = solution.prunings("x")
    for path, at in every(tree):
        below = [pruned.get(p, Intervals()) for p, a in every(at, path) if a.is_leaf]
        shared = below[0]
        for where in below[1:]:
            shared &= where
        assert solution.pruned(path, "x") == shared


RANGES = st.sampled_from([Interval(-1, 2), Interval(-1, 2, "()"), Interval(0, 3, "[)"), Interval(-2, None), Interval()])


@settings(max_examples=30 * FACTOR)
@given(trees("xy", dice=False), RANGES, st.booleans())
def test_two_unknowns_whatever_the_other_is(tree: Node, among: Interval, only: bool) -> None:
    """For all, and for some, values of y: against every value of y on a grid that holds all of the places that matter.

    With leaves that are whole numbers and no chance, moves change only where an unknown equals a leaf or the other
    unknown. So halves beyond the leaves on both sides, and quarters where x is a half, stand for all numbers.
    """
    solution = solve(tree)
    grid = [Fraction(n, 4) for n in range(-20, 21)]
    truth = {
        (x, y): decide(filled(tree, {"x": x, "y": y})).best
        for x, y in itertools.product(COARSE, (y for y in grid if y in among))
    }
    for move in range(len(tree.children)):
        whatever = solution.when(move, "x", only=only, for_all={"y": among})
        possibly = solution.when(move, "x", only=only, for_some={"y": among})
        for x in COARSE:
            holds = [best == (move,) if only else move in best for (a, _), best in truth.items() if a == x]
            assert (x in whatever) == all(holds)
            assert (x in possibly) == any(holds)


@settings(max_examples=25 * FACTOR)
@given(trees("xy", dice=True, size=10), RANGES)
def test_two_unknowns_with_chance(tree: Node, among: Interval) -> None:
    """The same question asked of x and of y has the same answer; and that for y, where x is given, is easy.

    With chance, moves change at places that no grid need hold, so that a grid alone would not show what holds for all.
    """
    if tree.mover not in (0, 1):
        return
    solution = solve(tree)
    ys = [y for y in GRID if y in among]
    lowest, highest = solution.value_range("x", y=among)
    for x, y in itertools.product(COARSE, ys):
        value = decide(filled(tree, {"x": x, "y": y})).value
        assert solution.value("x", y=y)(x) == value
        assert lowest(x) <= value <= highest(x)
    for move in range(len(tree.children)):
        whatever = solution.when(move, "x", for_all={"y": among})
        possibly = solution.when(move, "x", for_some={"y": among})
        at_each = [solution.when(move, "x", y=y) for y in ys]
        assert all(whatever <= where <= possibly for where in at_each)
        for x in points([whatever, possibly]):
            of_y = solution.when(move, "y", x=x)  # the same question the other way round
            assert (x in whatever) == (Intervals(among) <= of_y)
            assert (x in possibly) == bool(Intervals(among) & of_y)


@settings(max_examples=8 * FACTOR)
@given(
    trees("xy", dice=False, size=10) | trees("xy", dice=True, size=10),
    st.sampled_from([Interval(-1, 2), Interval(-1, 2, "()"), Interval(0, 0)]),
)
def test_prunings_whatever_the_other_is(tree: Node, among: Interval) -> None:
    solution = solve(tree, bounds=BOUNDS)
    for path in [p for p, at in every(tree) if at.is_leaf][-2:]:
        whatever = solution.pruned(path, "x", for_all={"y": among})
        possibly = solution.pruned(path, "x", for_some={"y": among})
        for x in points([whatever, possibly]):
            of_y = solution.pruned(path, "y", x=x)
            assert (x in whatever) == (Intervals(among) <= of_y)
            assert (x in possibly) == bool(Intervals(among) & of_y)


@settings(max_examples=15 * FACTOR, suppress_health_check=[HealthCheck.filter_too_much])
@given(trees("xyz", dice=False, size=10))
def test_for_all_there_is_some(tree: Node) -> None:
    """Three unknowns: whatever y is, there is a z."""
    solution = solve(tree)
    ys, zs = Interval(-1, 1), Interval(0, 2, "[)")
    grid = [Fraction(n, 2) for n in range(-8, 9)]
    finer = [Fraction(n, 8) for n in range(-8, 17)]
    for move in range(len(tree.children)):
        where = solution.when(move, "x", for_all={"y": ys}, for_some={"z": zs})
        for x in grid:
            truth = all(
                any(move in decide(filled(tree, {"x": x, "y": y, "z": z})).best for z in finer if z in zs)
                for y in finer[::2]
                if y in ys
            )
            assert (x in where) == truth


@settings(max_examples=25 * FACTOR)
@given(st.lists(st.lists(st.integers(-3, 3), min_size=1, max_size=3), min_size=1, max_size=3), st.integers(0, 1))
def test_movers_by_depth_and_a_root_of_min(leaves: list[list[Any]], first: int) -> None:
    leaves[-1][-1] = "x"
    solution = solve(leaves, first=first)
    for x in COARSE:
        game = Tree(leaves, first=first, x=x)
        real = analyse(game, algorithm="minimax", compile=True)
        assert solution.value()(x) == (real.value if first == MAX else -real.value)  # type: ignore[operator]
        assert real.action == min(move for move, where in solution.best_moves().items() if x in where)
