"""Trees with unknown leaves: the published exercises, what the answers print as, and what is refused.

The exercises are those of courses that use Russell and Norvig, Artificial Intelligence: A Modern Approach, 4th edition,
chapter 5; the first tree is its Figure 5.2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo import GameError, IllegalAction, UnknownName, Unsuitable
from zermelo.trees import MAX, MIN, Node, Tree, chance, leaf, node
from zermelo.trees.piecewise import EVERYWHERE, NOWHERE, Interval, Intervals, Line, Piecewise, exact
from zermelo.trees.unknowns import solve


def average(*leaves: Any) -> Node:
    return chance(*((1 / len(leaves), leaf) for leaf in leaves))


# The exercises.


def test_figure_5_2_with_x_for_its_2() -> None:
    solution = solve([[3, 12, 8], ["x", 4, 6], [14, 5, 2]])
    value = solution.value("x")
    assert value.breakpoints == (3, 4)
    assert value.slopes == (0, 1, 0)
    assert str(value) == "3 where x ≤ 3; x where 3 ≤ x ≤ 4; 4 where x ≥ 4"
    assert solution.best_moves() == {0: Intervals(Interval(None, 3)), 1: Intervals(Interval(3)), 2: NOWHERE}
    assert solution.when(0, only=True).condition() == "x < 3"
    assert solution.when(1, only=True).condition() == "x > 3"
    assert solution.prunings() == {path: Intervals(Interval(None, 3)) for path in ((1, 1), (1, 2))}
    assert solution.pruned((1, 1), cut_ties=False).condition() == "x < 3"


def test_100_whatever_x_and_y_are() -> None:
    solution = solve([[200, 100], [20, "x", "y"]])
    assert solution.value("x") == Piecewise.constant(100)
    assert [str(bound) for bound in solution.value_range("y")] == ["100", "100"]
    assert solution.when(0, "x", only=True) == EVERYWHERE
    assert solution.pruned("x", "x") == solution.pruned("y", "x") == EVERYWHERE


def test_a_beta_cut_the_other_way_up() -> None:
    """MIN with 20 in hand meets 25: the rest is pruned, whatever it is."""
    assert solve([[20], [25, "x"]], first=MIN).pruned("x") == EVERYWHERE
    assert solve([[20], ["x", 1000]], first=MIN).pruned((1, 1)).condition() == "x ≥ 20"


def trip() -> Node:
    return node(
        MIN,
        node(MAX, average(200, "x"), average(300, 500)),
        node(MAX, average(300, 500), average(600, 900, "y")),
    )


def test_the_trip() -> None:
    costs = Interval(0, None)
    solution = solve(trip(), x=costs, y=costs)
    assert str(solution.when(0, "x", only=True)) == "[0, 800)"
    assert str(solution.when(0, "x")) == "[0, 800]"
    assert solution.when(1, "x", y=0) & solution.when(0, "x", y=0) == Intervals(Interval(800, 800))
    at_most = {"y": Interval(0, 1200)}
    assert solution.when((1, 1), "x", only=True, for_all=at_most).condition() == "x > 1600"
    assert solution.when((1, 1), "x", for_all=at_most).condition() == "x ≥ 1600"
    assert solution.when((1, 0), "x", for_some=at_most) == NOWHERE  # 400 is less than 500, for MAX, whatever y is
    assert str(solution.when(0, "x", for_some=at_most)) == "[0, 1600]"
    assert str(solution.when(0, "x", for_some={"y": Interval(0, 1200, "[)")})) == "[0, 1600)"
    lowest, highest = solution.value_range("x", y=Interval(0, 1200))
    assert str(lowest) == "400 where x ≤ 600; x/2 + 100 where 600 ≤ x ≤ 800; 500 where x ≥ 800"
    assert highest.breakpoints == (600, 1600)


def test_without_a_domain_the_trip_is_solved_for_all_numbers() -> None:
    assert solve(trip()).when(0, "x", only=True, for_all={"y": Interval(0)}).condition() == "x < 800"


def coins(*halves: Any, odds: tuple[Any, Any] = (0.5, 0.5)) -> Node:
    return node(MAX, *(chance((odds[0], node(MIN, *a)), (odds[1], node(MIN, *b))) for a, b in halves))


def test_chance_with_utilities_in_minus_2_to_2() -> None:
    """Leaves 6, 7 and 8 need not be seen where the fifth, x, is 0. How far could it rise?

    The coin is worth at most x/2 + 1, and MAX has 1.5: at x = 1 its second side can still be skipped. The sixth leaf
    is seen there, since Star1 widens a child's window by a hair, lest rounding matter.
    """
    solution = solve(coins(([2, 2], [1, 2]), (["x", 2], [-1, 0])), bounds=(-2, 2))
    prunings = {path: str(where) for path, where in solution.prunings().items()}
    assert prunings == {(1, 0, 1): "[−2, 1)", (1, 1, 0): "[−2, 1]", (1, 1, 1): "[−2, 2]"}


def test_chance_with_utilities_in_0_to_10() -> None:
    solution = solve(coins(([9, 10], [9, 7]), ([2, "x"], ["y", 8]), odds=(0.7, 0.3)), bounds=(0, 10))
    assert solution.value("x") == Piecewise.constant(Fraction(42, 5))
    assert solution.pruned("x", "x") == solution.pruned("y", "x") == Intervals(Interval(0, 10))


# What is asked, and what is refused.


def test_floats_are_the_decimals_that_they_print_as() -> None:
    assert exact(0.7) == Fraction(7, 10)
    solution = solve(chance((0.7, "x"), (0.3, 0.1)))
    assert str(solution.value()) == "7x/10 + 3/100"
    thirds = solve(chance((1 / 3, "x"), (1 / 3, 0), (1 / 3, 1)))
    assert str(thirds.value()) == "x/3 + 1/3"
    sevenths = solve(chance(*((1 / 7, "x") for _ in range(7))))
    assert sevenths.value() == Piecewise.identity()
    with pytest.raises(GameError, match="nan is not a finite number"):
        solve([float("nan"), "x"])


def test_the_same_unknown_twice() -> None:
    solution = solve([["x", 3], [chance((0.5, "x"), (0.5, 2))]])
    assert str(solution.when(0)) == "[2, 4]"
    assert str(solution.when(1, only=True)) == "(−∞, 2) ∪ (4, ∞)"
    assert solution.when(1, only=True).condition() == "x < 2 or x > 4"


def test_one_player_and_nodes_by_name() -> None:
    assert str(solve([[3, "x"], [5]], players=1).value()) == "5 where x ≤ 5; x where x ≥ 5"
    tree = node(MAX, node(MIN, 3), node(MIN, "x", leaf(7, name="seven"), name="right"))
    assert solve(tree).pruned("seven") == solve(tree).pruned((1, 1))
    assert solve(tree).pruned("right") == solve(tree).pruned(1) == NOWHERE


def test_a_tree_without_unknowns_has_a_constant_value() -> None:
    solution = solve(Tree([[3, 12], [2, 4]], first=MIN))
    assert solution.unknowns == ()
    assert str(solution.value()) == "4"
    assert solution.best_moves() == {0: NOWHERE, 1: EVERYWHERE}


def ask(tree: Any, question: str, *arguments: Any, bounds: Any = None, **more: Any) -> Any:
    return getattr(solve(tree, bounds=bounds), question)(*arguments, **more)


XY = [["x", 1], ["y", 2]]
COIN = [chance((0.5, "x"), (0.5, 1))]


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: ask(XY, "value", "x"), GameError, r"the value depends on y too: ask for value\('x', y=3\)"),
        (lambda: ask(XY, "value"), GameError, "the tree has the unknowns x, y: say of which one"),
        (lambda: ask(XY, "value", "z"), UnknownName, "the tree has no unknown z; it has x, y"),
        (lambda: ask([1, 2], "value", "y"), UnknownName, "the tree has no unknown y; it has none"),
        (lambda: ask(XY, "when", 2, "x"), IllegalAction, r"there is no move 2 after \(\)"),
        (lambda: ask(XY, "when", (0, 7), "x"), IllegalAction, r"there is no move 7 after \(0,\)"),
        (lambda: ask(chance((1, "x")), "when", 0), Unsuitable, r"no player moves on the way to \(0,\): chance does"),
        (lambda: ask(XY, "when", 0, "x", y=1, for_all={"y": Interval()}), GameError, "each unknown is given, asked"),
        (lambda: ask(XY, "pruned", "z", "x"), UnknownName, "no node is called z"),
        (lambda: ask([["x"], ["x"]], "pruned", "x"), UnknownName, "2 nodes are called x"),
        (lambda: ask(COIN, "prunings"), Unsuitable, "pruned only if bounds are known"),
        (lambda: ask(COIN, "prunings", bounds=(0, 1), cut_ties=False), Unsuitable, "it is Star1 that prunes"),
        (lambda: solve([3, "x"], bounds=(0, 2)), GameError, r"the leaf at \(0,\) is 3, beyond the bounds \[0, 2\]"),
        (lambda: solve(["x"], bounds=(0, 2), x=Interval(0)), GameError, r"x is said to lie in \[0, ∞\), beyond"),
        (lambda: ask(["x"], "prunings", bounds=(0, 2), x=3), GameError, r"x is said to lie in \{3\}, beyond"),
        (lambda: solve(node(2, "x")), Unsuitable, r"player 2 moves at \(\)"),
        (lambda: solve([(1, 2, 3), "x"]), Unsuitable, "a leaf has 3 numbers"),
        (lambda: solve([(1, 2), "x"]), Unsuitable, "what MAX wins MIN must lose"),
        (lambda: solve(chance((0.5, "x"), (0.6, 1))), GameError, "do not add up to 1"),
    ],
)
def test_what_is_refused(call: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        call()


# Intervals and functions.


def test_intervals_print_as_people_write_them() -> None:
    assert str(Interval(3, 800, "[)")) == "[3, 800)"
    assert Interval(3, 800, "[)").condition() == "3 ≤ x < 800"
    assert Interval(None, 800, "()").condition("y") == "y < 800"
    assert Interval(Fraction(7, 2)).condition() == "x ≥ 7/2"
    assert str(Interval(-1, 0.5, "(]")) == "(−1, 1/2]"
    assert Interval().condition() == "any x"
    assert (str(NOWHERE), NOWHERE.condition()) == ("∅", "no x")
    assert str(Intervals(Interval(3, 3), Interval(1, 2), Interval(2, 3, "(]"))) == "[1, 3]"
    assert str(Intervals(Interval(2, 3, "(]"), Interval(1, 2, "[)"))) == "[1, 2) ∪ (2, 3]"
    for low, high, ends in ((3, 2, "[]"), (2, 2, "[)"), (None, None, "]["), (1, 2, "[")):
        with pytest.raises(ValueError, match=r"there is no number in|the ends of an interval"):
            Interval(low, high, ends)


def unions() -> st.SearchStrategy[Intervals]:
    ends = st.none() | st.integers(-3, 3)

    def made(low: int | None, high: int | None, shape: str) -> Intervals:
        if low is not None and high is not None and (low > high or (low == high and shape != "[]")):
            return NOWHERE
        return Intervals(Interval(low, high, shape))

    parts = st.builds(made, ends, ends, st.sampled_from(["[]", "()", "[)", "(]"]))
    return st.lists(parts, max_size=4).map(lambda found: Intervals(*(part for union in found for part in union)))


PLACES = [Fraction(n, 2) for n in range(-8, 9)]  # every end, and a place between every two


@given(unions(), unions())
def test_unions_are_sets(a: Intervals, b: Intervals) -> None:
    for x in PLACES:
        assert (x in a | b) == (x in a or x in b)
        assert (x in a & b) == (x in a and x in b)
        assert (x in a - b) == (x in a and x not in b)
        assert (x in ~a) == (x not in a)
    assert ~~a == a
    assert (a == b) == all((x in a) == (x in b) for x in PLACES)
    assert (a <= b) == all(x in b for x in PLACES if x in a)


def functions() -> st.SearchStrategy[Piecewise]:
    plain = st.integers(-3, 3).map(Piecewise.constant) | st.just(Piecewise.identity())

    def extend(below: st.SearchStrategy[Piecewise]) -> st.SearchStrategy[Piecewise]:
        weights = st.sampled_from([Fraction(1, 2), Fraction(-2, 3), 2])
        return st.one_of(
            st.builds(Piecewise.max, below, below),
            st.builds(Piecewise.min, below, below),
            st.builds(lambda f, g: f + g, below, below),
            st.builds(lambda f, w: w * f, below, weights),
        )

    return st.recursive(plain, extend, max_leaves=6)


@given(functions(), functions())
def test_functions_are_what_they_are_at_each_place(f: Piecewise, g: Piecewise) -> None:
    sets = [f.where_above(g), f.where_equal(g), f.where_below(g)]
    ends = {end for union in sets for part in union for end in (part.low, part.high) if isinstance(end, Fraction)}
    for x in {*PLACES, *f.breakpoints, *g.breakpoints, *ends}:
        assert f.max(g)(x) == max(f(x), g(x))
        assert f.min(g)(x) == min(f(x), g(x))
        assert (f + g)(x) == f(x) + g(x)
        assert [x in union for union in sets] == [f(x) > g(x), f(x) == g(x), f(x) < g(x)]
        assert (x in f.where_at_least(g)) == (f(x) >= g(x))
        assert (x in f.where_at_most(g)) == (f(x) <= g(x))
    for (left, before), (_, after) in zip(f.pieces(), list(f.pieces())[1:], strict=False):
        assert before != after
        assert isinstance(left.high, Fraction)
        assert before(left.high) == after(left.high)  # continuous


def test_lines_print_as_people_write_them() -> None:
    lines = [Line(Fraction(-3, 2), Fraction(-1)), Line(Fraction(1), Fraction(0)), Line(Fraction(0), Fraction(-7, 3))]
    assert [line.written("x") for line in lines] == ["−3x/2 − 1", "x", "−7/3"]
