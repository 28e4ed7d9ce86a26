"""Traces: the events of the textbook's trees step by step, ranges, toggles, orders, and truth on random trees."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from support.random_trees import trees
from zermelo.blackboard.order import exact_values, reordered
from zermelo.blackboard.pseudocode import pseudocode
from zermelo.blackboard.trace import trace
from zermelo.trees import MAX, MIN, Tree, chance, node

INF = math.inf
FIGURE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]  # the textbook's Figure 5.2
A, B, C, D = 0, 1, 2, 3


def test_every_event_of_figure_5_2() -> None:
    made = trace(Tree(FIGURE))
    assert [(step.kind, step.node) for step in made.steps] == [
        ("visit", A),
        ("visit", B),
        ("leaf", 4),
        ("window", B),
        ("leaf", 5),
        ("leaf", 6),
        ("value", B),
        ("window", A),
        ("visit", C),
        ("leaf", 7),
        ("cut", C),
        ("value", C),
        ("visit", D),
        ("leaf", 10),
        ("window", D),
        ("leaf", 11),
        ("window", D),
        ("leaf", 12),
        ("cut", D),
        ("value", D),
        ("value", A),
    ]
    assert made.value == 3
    assert made.action == 0
    assert made.line == (B, 4)
    assert made.pruned == ((C, 8), (C, 9))
    assert made.unseen_leaves == (8, 9)
    assert made.visited == (0, 1, 4, 5, 6, 2, 7, 3, 10, 11, 12)
    assert made.counts == {"nodes": 11, "leaves": 7, "all_leaves": 9, "cuts": 2, "pruned": 2, "probes": 0}


def test_windows_and_the_cut_of_figure_5_2() -> None:
    made = trace(Tree(FIGURE))
    assert made.at(3).window[B] == (-INF, 3)
    assert made.at(7).window[A] == (3, INF)
    cut = made.at(10)
    assert cut.window[C] == (3, INF)
    assert cut.cut == {(C, 8), (C, 9)}
    assert cut.current == (A, C)
    assert cut.text == "MIN already has 2 here, MAX already has 3 elsewhere: nothing below can matter."
    assert made.pseudocode[cut.line - 1].strip() == "if best ≤ α: stop, the rest is pruned"
    assert made.at(11).value[C] == 2
    assert made.at(11).sign[C] == "≤"
    assert made.at(-1).best == (A, B, 4)
    assert "nothing is left to prune" in made.at(18).text


def test_ranges_stage_by_stage_as_in_figure_5_5() -> None:
    made = trace(Tree(FIGURE))
    leaves = [i for i, step in enumerate(made.steps) if step.kind == "leaf"]
    stages = [made.at(i).range for i in leaves]
    assert [s[A] for s in stages] == [(-INF, INF), (-INF, INF), (3, INF), (3, INF), (3, 14), (3, 5), (3, 3)]
    assert [s[B] for s in stages[:3]] == [(-INF, 3), (-INF, 3), (3, 3)]
    assert [s[C] for s in stages[3:]] == [(-INF, 2)] * 4
    assert [s[D] for s in stages[4:]] == [(-INF, 14), (-INF, 5), (2, 2)]


@pytest.mark.parametrize("algorithm", ["expectiminimax", "star1"])
def test_the_three_chance_intervals(algorithm: str) -> None:
    """TRUTH: a six-sided chance node, utilities in [−10, 10], after 10 / 10, 10 / 10, 10, −10."""
    die = chance(*[(Fraction(1, 6), u) for u in (10, 10, -10, 0, 0, 0)])
    made = trace(Tree(node(MAX, die), utility_range=(-10, 10)), algorithm)
    leaves = [i for i, step in enumerate(made.steps) if step.kind == "leaf"][:3]
    ranges = [made.at(i).range[1] for i in leaves]
    expected = [(-20 / 3, 10), (-10 / 3, 10), (-10 / 3, 20 / 3)]
    assert [pytest.approx(e) for e in expected] == ranges
    if algorithm == "star1":
        told = [step.text for step in made.steps if step.kind == "range"]
        assert "between −6.67 and 10" in told[1]
        assert "between −3.33 and 10" in told[2]
        assert "between −3.33 and 6.67" in told[3]


def coins() -> Tree:
    """TRUTH: MAX, coin, MIN with utilities known in [−2, 2]."""
    halves = [((2, 2), (1, 2)), ((0, 2), (-1, 0))]
    moves = [chance(*[(0.5, node(MIN, *leaves)) for leaves in half]) for half in halves]
    return Tree(node(MAX, *moves), utility_range=(-2, 2))


@pytest.mark.parametrize("algorithm", ["star1", "star2"])
def test_chance_nodes_are_cut_with_a_reason(algorithm: str) -> None:
    made = trace(coins(), algorithm)
    assert made.value == 1.5
    assert made.unseen_leaves == (12, 13, 14)  # the 6th, 7th and 8th leaf
    (cut,) = [step for step in made.steps if step.kind == "cut" and step.node == 2]
    assert "at most 1 whatever follows, MAX already has 1.5" in cut.text
    assert made.counts["probes"] == (1 if algorithm == "star2" else 0)


def test_strict_cuts_search_ties_to_the_end() -> None:
    tie = Tree([[10], [10, 0]])
    assert trace(tie).unseen_leaves == (5,)
    strict = trace(tie, cut="<")
    assert strict.unseen_leaves == ()
    assert any("best < α" in line for line in strict.pseudocode)


def test_fail_hard_never_leaves_the_window() -> None:
    soft, hard = trace(Tree(FIGURE)), trace(Tree(FIGURE), fail="hard")
    assert soft.at(-1).value[C] == 2
    assert hard.at(-1).value[C] == 3
    assert hard.at(-1).sign[C] == "≤"
    assert hard.at(-1).value[D] == 3
    assert hard.value == 3


@pytest.mark.parametrize("algorithm", ["minimax", "star1", "beam", "maxn"])
@pytest.mark.parametrize("toggle", [{"cut": "<"}, {"fail": "hard"}])
def test_toggles_are_refused_elsewhere(algorithm: str, toggle: dict[str, str]) -> None:
    with pytest.raises(zermelo.Unsuitable, match="cut and fail are toggles of alpha_beta"):
        trace(Tree(FIGURE, utility_range=(0, 20)), algorithm, **toggle)


@pytest.mark.parametrize("wrong", [{"cut": ">"}, {"fail": "never"}, {"order": "backwards"}])
def test_unknown_settings_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        trace(Tree(FIGURE), **wrong)


def test_orders() -> None:
    best = trace(Tree(FIGURE), order="best")
    assert best.counts["leaves"] == 5  # TRUTH: in the best order 5 leaves
    assert [float(u) for u in best.tree.utilities[best.tree.child_count == 0][:, 0]][:3] == [3, 8, 12]
    assert best.action == 0
    worst = trace(Tree(FIGURE), order="worst")
    assert worst.counts["leaves"] == 9
    assert worst.value == 3
    assert worst.action == 0  # by its place in the tree that was given
    assert trace(Tree(FIGURE), order="random", seed=5).original == trace(Tree(FIGURE), order="random", seed=5).original
    assert len({trace(Tree(FIGURE), order="random", seed=s).original for s in range(9)}) > 3


def test_labels_and_odds_travel_with_their_children() -> None:
    tree = Tree(node(MAX, 1, chance((0.25, 8), (0.75, 0)), labels=["keep", "roll"]))
    searched, original = reordered(tree, "best")
    assert searched.nodes[0].labels == ("roll", "keep")
    assert original == (0, 2, 1, 3, 4)
    assert searched.nodes[1].odds == (0.25, 0.75)


def test_deepening_marks_every_depth() -> None:
    tree = Tree(node(MAX, node(MIN, 3, 12, estimate=[5]), node(MIN, 2, 4, estimate=[9])))
    made = trace(tree, deepening=True)
    assert [(step.kind, step.depth) for step in made.steps if step.kind == "depth"] == [("depth", 1), ("depth", 2)]
    first = next(i for i, step in enumerate(made.steps) if step.depth == 2)
    assert made.at(first - 1).value == {1: 5, 2: 9, 0: 9}
    assert made.at(first - 1).sign[1] == "≈"
    assert made.at(first).value == {}  # a deeper search begins with nothing
    assert made.value == 3
    assert made.visited[:3] == (0, 1, 2)


def test_depth_limit_shows_the_evaluation() -> None:
    tree = Tree(node(MAX, node(MIN, 3, 12, estimate=[5]), node(MIN, 2, 4, estimate=[9])))
    made = trace(tree, "minimax", depth=1)
    assert [step.kind for step in made.steps] == ["visit", "estimate", "estimate", "value"]
    assert "at the depth limit: the evaluation says 9" in made.steps[2].text
    assert made.pruned == ()
    assert made.unseen_leaves == (3, 4, 5, 6)


def test_three_players_have_vectors() -> None:
    """TRUTH: three players A, B, C."""
    left = [[(1, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]]
    right = [[(5, 1, 1), (1, 5, 2)], [(7, 7, 1), (5, 4, 5)]]
    made = trace(Tree([left, right], players=3), "maxn")
    assert made.value == (1, 2, 6)
    assert made.at(-1).value[2] == (1, 5, 2)
    assert not made.has_windows
    assert not made.has_ranges
    assert made.steps[-1].text == "The root: A takes (1, 2, 6), the best for itself."


def test_a_min_root_shows_the_values_of_max() -> None:
    made = trace(Tree([[20, 7], [25, 3]], first=MIN))
    assert made.value == 20
    assert made.analysis.value == -20
    (cut,) = [step for step in made.steps if step.kind == "cut"]
    assert cut.text == "MAX already has 25 here, MIN already has 20 elsewhere: nothing below can matter."
    assert made.at(-1).window[2] == (-INF, 20)
    assert made.pseudocode[cut.line - 1].strip().startswith("if best ≥ β")


def test_a_min_root_with_bounds_meant_for_max() -> None:
    roll = chance((0.5, 4), (0.5, 6))
    made = trace(Tree(node(MIN, roll, chance((0.5, 10), (0.5, 2))), utility_range=(0, 10)), "star1")
    assert made.value == 5
    assert made.unseen_leaves == (6,)  # ½·10 + ½·0 is no less than 5


@pytest.mark.parametrize("algorithm", ["minimax", "alpha_beta", "expectiminimax", "star1", "star2", "maxn"])
def test_every_step_has_a_line_and_a_sentence(algorithm: str) -> None:
    made = trace(Tree(FIGURE, utility_range=(0, 20)), algorithm)
    assert pseudocode(algorithm)
    for step in made.steps:
        assert 1 <= step.line <= len(made.pseudocode), step
        assert step.text.endswith("."), step


@pytest.mark.parametrize("algorithm", ["greedy", "beam", "and_or"])
def test_other_algorithms_can_be_traced(algorithm: str) -> None:
    tree = Tree(node(MAX, node(MIN, 1, 0), node(MIN, 1, 1)), utility_range=(0, 1))
    made = trace(tree, algorithm)
    assert made.steps[-1].kind == "value"
    assert len(made.visited) == made.analysis.nodes


def test_a_single_leaf_is_refused() -> None:
    with pytest.raises(zermelo.StateError, match="single leaf"):
        trace(Tree(3))


def test_there_is_no_step_beyond_the_last() -> None:
    made = trace(Tree(FIGURE))
    with pytest.raises(IndexError, match="the trace has 21"):
        made.at(21)
    assert made.at(-1).index == 20


@given(trees(), st.sampled_from(["given", "best", "worst", "random"]), st.sampled_from(["<=", "<"]))
def test_alpha_beta_on_random_trees(root: object, order: str, cut: str) -> None:
    tree = Tree(root)
    made = trace(tree, order=order, cut=cut, seed=3)
    exact = exact_values(made.tree)
    assert made.value == exact[0] == exact_values(tree)[0]
    assert len(made.visited) == made.analysis.nodes == len(set(made.visited))
    end = made.at(-1)
    for number, (low, high) in end.range.items():
        assert low <= exact[number] <= high
    for number, worth in end.value.items():
        sign = end.sign[number]
        assert sign in ("", "≤", "≥")
        assert {"": worth == exact[number], "≤": exact[number] <= worth, "≥": exact[number] >= worth}[sign]
    below = {child for _, child in made.pruned}
    reached = {n for n in range(len(made.tree.nodes)) if n not in below}
    for n in range(1, len(made.tree.nodes)):
        if int(made.tree.parent[n]) not in reached:
            reached.discard(n)
    assert reached == set(made.visited)  # every node was visited, or lies below a pruned edge


@given(trees(dice=True), st.sampled_from(["star1", "star2", "expectiminimax"]))
def test_chance_on_random_trees(root: object, algorithm: str) -> None:
    tree = Tree(root, utility_range=(-3, 3))
    made = trace(tree, algorithm)
    exact = exact_values(tree)
    assert made.value == pytest.approx(exact[0], abs=1e-9)
    assert len(made.visited) == made.analysis.nodes
    for number, (low, high) in made.at(-1).range.items():
        assert low - 1e-9 <= exact[number] <= high + 1e-9
