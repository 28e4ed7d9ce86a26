"""A student's own functions are graded by value, move and the nodes that they looked at, and cannot do harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo import UnknownName
from zermelo.blackboard.student import grade_file
from zermelo.trees import Tree

RIGHT = """
def minimax(tree):
    def value(node):
        if tree.is_leaf(node):
            return tree.utility(node)
        values = [value(child) for child in tree.children(node)]
        return max(values) if tree.mover(node) == "MAX" else min(values)
    values = [value(child) for child in tree.children(tree.root)]
    return max(values), values.index(max(values))

def alpha_beta(tree):
    print("students print things")
    def value(node, alpha, beta):
        if tree.is_leaf(node):
            return tree.utility(node)
        best = float("-inf") if tree.mover(node) == "MAX" else float("inf")
        for child in tree.children(node):
            v = value(child, alpha, beta)
            if tree.mover(node) == "MAX":
                best = max(best, v)
                if best >= beta:
                    return best
                alpha = max(alpha, best)
            else:
                best = min(best, v)
                if best <= alpha:
                    return best
                beta = min(beta, best)
        return best
    return value(tree.root, float("-inf"), float("inf"))
"""
TREES = [Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), Tree([[[3, 9], [10, 6]], [[4, 7], [0, 5]]])]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(RIGHT)
    return path


@pytest.mark.parametrize("function", ["minimax", "alpha_beta"])
def test_right_answers_pass(file: Path, function: str) -> None:
    for grade in grade_file(file, function, TREES):
        assert grade.passed, str(grade)


def test_wrong_values_and_moves(file: Path) -> None:
    file.write_text(RIGHT.replace("values.index(max(values))", "2"))
    grade, _ = grade_file(file, "minimax", TREES)
    assert [mark.correct for mark in grade.marks] == [True, False, True]


def test_a_strict_cut_looks_at_too_much(file: Path) -> None:
    file.write_text(RIGHT.replace("best <= alpha", "best < alpha"))
    (grade,) = grade_file(file, "alpha_beta", [Tree([[3, 12], [3, 1]])])
    assert not grade.passed
    assert "it visited too much: [" in str(grade)


def test_over_pruning(file: Path) -> None:
    file.write_text(RIGHT.replace("best <= alpha", "best <= alpha + 5"))
    (grade,) = grade_file(file, "alpha_beta", [Tree([[3, 12], [6, 1]])])
    assert "pruned too much: [" in str(grade)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("def minimax(tree):\n    while True: pass", "did not finish within 2 s"),
        ("def minimax(tree):\n    return 1 / 0", "ZeroDivisionError"),
        ("def minimax(tree):\n    return float('-inf')", "it returned -inf"),
        ("def other(tree): pass", "the file has no function minimax"),
        ("def minimax(tree:", "SyntaxError"),
        ("import os; os._exit(3)", "it ended without an answer"),
        ("def minimax(tree):\n    return tree.utility(tree.root)", "only leaves have a utility"),
    ],
)
def test_broken_files(file: Path, code: str, message: str) -> None:
    file.write_text(code)
    grades = grade_file(file, "minimax", TREES, seconds=2 if "while True" in code else 120)
    assert len(grades) == 2
    assert message in str(grades[0])


def test_what_cannot_be_graded(file: Path) -> None:
    with pytest.raises(UnknownName, match="'star1' is not graded"):
        grade_file(file, "star1", TREES)
    with pytest.raises(UnknownName, match="there is no file"):
        grade_file(file.with_name("none.py"), "minimax", TREES)


def test_an_error_is_shown_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "def minimax(tree):\n    return below(tree, 0)\n\ndef below(tree, node):\n    return tree.utility(node)\n"
    )
    [grade] = grade_file(file, "minimax", [Tree([[3, 12], [2, 4]])])
    assert "line 5: ValueError: node 0 is not a leaf" in str(grade)
    assert "return tree.utility(node)" in str(grade)
    file.write_text("x = 1\ndef minimax(:\n")
    [grade] = grade_file(file, "minimax", [Tree([[3, 12], [2, 4]])])
    assert "line 2: SyntaxError" in str(grade)


def test_a_picture_shows_where_a_search_went_wrong(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "def alpha_beta(tree, node=0):\n"
        "    if tree.is_leaf(node): return tree.utility(node)\n"
        "    values = [alpha_beta(tree, child) for child in tree.children(node)]\n"
        "    return max(values) if tree.mover(node) == 'MAX' else min(values)\n"
    )
    [grade] = grade_file(file, "alpha_beta", [Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])])
    assert "■ 4   node 8: visited in step 8, should be pruned   <-- the first difference" in grade.picture
    assert grade.picture in str(grade)
