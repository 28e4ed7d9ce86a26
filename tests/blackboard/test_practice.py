"""Exercises are seeded, their own solutions pass, and every other answer is told what is wrong, node by node."""

from __future__ import annotations

import functools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import UnknownName
from zermelo.blackboard.practice import exercise, kinds


@pytest.mark.parametrize("kind", kinds())
def test_the_solution_passes_and_the_example_is_only_an_example(kind: str) -> None:
    for seed in range(20):
        asked = exercise(kind, seed)
        assert asked.grade(asked.solution).passed, (seed, asked.solution)
        assert not asked.grade("").passed
        assert str(exercise(kind, seed).solution) == asked.solution


@pytest.mark.parametrize("kind", kinds())
def test_different_seeds_are_different_exercises(kind: str) -> None:
    assert len({exercise(kind, seed).solution for seed in range(20)}) > 3


made = functools.cache(exercise)


@settings(max_examples=200)
@given(st.sampled_from(["values", "chance", "pruning", "bounds", "mcts"]), st.integers(0, 9), st.text(max_size=60))
def test_any_answer_is_graded(kind: str, seed: int, answer: str) -> None:
    grade = made(kind, seed).grade(answer)
    assert 0 <= grade.right <= len(grade.marks)
    assert str(grade)


@pytest.mark.parametrize("seed", range(12))
def test_the_selected_leaf_follows_from_the_picture(seed: int) -> None:
    """By the formula in the question, from the numbers that are drawn."""
    asked = exercise("mcts", seed)
    tree, seen = asked.tree, asked.drawing
    visits = {n: int(note.removeprefix("n = ")) for n, note in seen.note.items()}
    at, counts = 0, dict(visits)
    while True:
        counts[at] += 1
        children = range(int(tree.first_child[at]), int(tree.first_child[at] + tree.child_count[at]))
        if not children:
            break
        sign = 1 if tree.mover[at] == 0 else -1
        log = math.log(visits[at] + 1)
        bounds = {n: sign * seen.value[n] + math.sqrt(log / visits[n]) for n in children}
        at = max(bounds, key=lambda n: bounds[n])
    right = {tree.nodes[n].name: count for n, count in counts.items() if not tree.nodes[n].is_leaf}
    given = ", ".join(f"{name}={count}" for name, count in {"leaf": tree.nodes[at].name, **right}.items())
    assert asked.grade(given).passed, (given, asked.solution)
    assert len(asked.hints) == 3


def test_values_are_graded_node_by_node() -> None:
    asked = exercise("values", 1)
    wrong = asked.solution.replace("A=4", "A=5")
    grade = asked.grade(wrong)
    assert grade.right == len(grade.marks) - 1
    assert "✗ A: 5; correct is 4. MAX takes the greatest of 3, 0, 4." in str(grade)


def test_over_pruning_and_under_pruning_are_told_apart() -> None:
    asked = exercise("pruning", 1)
    assert asked.solution == "6"
    assert "leaf 4: pruned; correct is visited" in str(asked.grade("4, 6"))
    missed = str(asked.grade("none"))
    assert "leaf 6: visited; correct is pruned. MIN can hold this node to" in missed
    assert "no such leaf" in str(asked.grade("6, 77"))


def test_conditions_are_compared_exactly() -> None:
    asked = exercise("unknown", 2)
    assert asked.solution == "x ≤ 1"
    for right in ("x <= 1", "1 >= x", "X ≤ 1", " x<=1 "):
        assert asked.grade(right).passed, right
    for wrong in ("x < 1", "x <= 1.2", "-2 <= x <= 1", "x", "about 1", ""):
        assert not asked.grade(wrong).passed, wrong


def test_what_is_printed_can_be_typed_back() -> None:
    asked = exercise("bounds", 3)
    assert asked.grade(asked.solution.replace("-", "−")).passed
    values = exercise("values", 1)
    assert values.grade(values.solution.lower()).passed
    assert not exercise("pruning", 1).grade("all but 6").passed


def test_fractions_and_decimals_are_both_taken() -> None:
    asked = exercise("chance", 1)
    assert "7/2" in asked.solution
    assert asked.grade(asked.solution.replace("7/2", "3.5")).passed


def test_an_unknown_kind() -> None:
    with pytest.raises(UnknownName, match="there is no exercise 'chess'; there are values, chance"):
        exercise("chess", 1)
