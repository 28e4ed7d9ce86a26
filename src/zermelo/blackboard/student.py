"""Grading of a student's own search: its value, its move, and the nodes that it visits, in order.

The student's file defines `minimax(tree)` or `alpha_beta(tree)` (or `expectiminimax`), which returns the value, or the
value and the move. It runs in a separate process with a time limit, and sees the tree only through `StudentTree`, which
records every node that it visits.
"""

from __future__ import annotations

import importlib.util
import json
import math
import subprocess
import sys
import traceback
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from zermelo.blackboard import text
from zermelo.blackboard.exercise import Grade, Mark
from zermelo.blackboard.practice import show
from zermelo.blackboard.watch import watch
from zermelo.game.errors import UnknownName
from zermelo.trees import Node, Tree

GRADED = ("minimax", "alpha_beta", "expectiminimax")


@dataclass
class StudentTree:
    """The argument of a student's function. Nodes are numbers; the root is `tree.root`."""

    children_of: list[list[int]]
    movers: list[str]
    odds: list[float]
    utilities: list[float]

    def __post_init__(self) -> None:
        self.root = 0
        self.looked_at: list[int] = []

    def _look(self, node: int) -> None:
        if node not in self.looked_at:
            self.looked_at.append(node)

    def is_leaf(self, node: int) -> bool:
        """Has the node no children?"""
        self._look(node)
        return not self.children_of[node]

    def children(self, node: int) -> list[int]:
        """The node's children, from left to right."""
        self._look(node)
        return list(self.children_of[node])

    def utility(self, node: int) -> float:
        """The value of a leaf for MAX."""
        self._look(node)
        if self.children_of[node]:
            raise ValueError(f"node {node} is not a leaf: only leaves have a utility")
        return self.utilities[node]

    def mover(self, node: int) -> str:
        """Who moves at a node: "MAX", "MIN" or "CHANCE"."""
        return self.movers[node]

    def probability(self, node: int) -> float:
        """The probability with which chance leads to this node."""
        return self.odds[node]


def describe(tree: Tree) -> dict[str, Any]:
    """The tree as plain data, for the process that runs the student's function."""
    return {
        "children_of": [
            list(range(int(tree.first_child[n]), int(tree.first_child[n] + tree.child_count[n])))
            for n in range(len(tree.nodes))
        ],
        "movers": [tree.player_name(int(m)).upper() for m in tree.mover],
        "odds": [float(p) for p in tree.odds],
        "utilities": [float(u) for u in tree.utilities[:, 0]],
    }


def grade_file(path: Path, function: str, trees: list[Tree], seconds: float = 10.0) -> list[Grade]:
    """Grade a function of the file on each tree."""
    if function not in GRADED:
        raise UnknownName(f"{function!r} is not graded; these are: {', '.join(GRADED)}")
    if not path.is_file():
        raise UnknownName(f"there is no file {str(path)!r}")
    request = {"file": str(path), "function": function, "trees": [describe(tree) for tree in trees]}
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "zermelo.blackboard.student"],
            input=json.dumps(request),
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return [_failed(f"it did not finish within {seconds:g} s") for _ in trees]
    answers = _answers(done.stdout)
    if len(answers) != len(trees):
        last = done.stderr.strip().splitlines()[-1:] or ["it ended without an answer"]
        return [_failed(last[0]) for _ in trees]
    return [_grade(tree, function, answer) for tree, answer in zip(trees, answers, strict=True)]


def _answers(output: str) -> list[dict[str, Any]]:
    for line in reversed(output.splitlines()):  # the student's own output comes before it
        if line.startswith(MARKER):
            found: list[dict[str, Any]] = json.loads(line.removeprefix(MARKER))
            return found
    return []


def _failed(why: str) -> Grade:
    return Grade(
        (Mark("run", why, "a value", False, "The function must return the value, or the value and the move."),)
    )


def _grade(tree: Tree, function: str, answer: dict[str, Any]) -> Grade:
    if "error" in answer:
        return _failed(answer["error"])
    seen = watch(tree, function)
    right = seen.analysis
    value, move, order = answer["value"], answer["move"], answer["looked_at"]
    assert isinstance(right.value, float)
    marks = [
        Mark(
            "value", show(value), show(right.value), abs(value - right.value) < 1e-9, "The value of the root for MAX."
        ),
    ]
    if move is not None:
        good = [m.action for m in right.moves if m.value == right.value and m.exact] or [right.action]
        marks.append(Mark("move", str(move), str(right.action), move in good, "The first move with that value."))
    expected = list(dict.fromkeys(seen.visited))
    same = next((i for i, (a, b) in enumerate(zip(order, expected, strict=False)) if a != b), None)
    if same is None and len(order) != len(expected):
        same = min(len(order), len(expected))
    why = ""
    if same is not None:
        theirs = order[same] if same < len(order) else "nothing more"
        ours = expected[same] if same < len(expected) else "nothing more"
        extra, left_out = [n for n in order if n not in expected], [n for n in expected if n not in order]
        kind = "visited the nodes in another order"
        if extra:
            kind = f"visited too much: {extra}"
        elif left_out:
            kind = f"pruned too much: {left_out}"
        why = f"At step {same + 1} it visited {theirs}, but {function} visits {ours}: it {kind}."
    marks.append(Mark("nodes in order", str(order), str(expected), same is None, why))
    return Grade(tuple(marks), "" if same is None else _picture(tree, order, expected, same))


def _picture(tree: Tree, order: list[int], expected: list[int], same: int) -> str:
    """The tree with the number of each node, and in which step it was visited: first where the search went wrong."""
    theirs, ours = ({node: step + 1 for step, node in enumerate(nodes)} for nodes in (order, expected))
    wrong = order[same] if same < len(order) else expected[same]

    def noted(number: int) -> Node:
        at = tree.nodes[number]
        first, count = int(tree.first_child[number]), int(tree.child_count[number])
        steps = f"visited in step {theirs[number]}" if number in theirs else "not visited"
        if theirs.get(number) != ours.get(number):
            steps += f", should be in step {ours[number]}" if number in ours else ", should be pruned"
        mark = "   <-- the first difference" if number == wrong else ""
        name = f"node {number}: {steps}{mark}"
        if at.is_leaf:
            return replace(at, name="", utility=(), unknown=f"{show(float(tree.utilities[number, 0]))}   {name}")
        children = tuple(noted(child) for child in range(first, first + count))
        return replace(at, name=name, mover=int(tree.mover[number]), children=children)

    return text.draw(noted(0))


MARKER = "zermelo-student: "


def _located(error: BaseException, file: str) -> str:
    """An error, with the last line of the student's own file that led to it."""
    said = f"{type(error).__name__}: {error}"[:300]
    if isinstance(error, SyntaxError) and error.lineno is not None:
        return f"line {error.lineno}: {said}"
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f"line {own[-1].lineno}: {said}\n    {own[-1].line}" if own else said


def main() -> None:
    """The process that runs the student's function: a request comes in as JSON, and the answers go out so."""
    request = json.loads(sys.stdin.read())
    spec = importlib.util.spec_from_file_location("student", request["file"])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(Path(request["file"]).parent.resolve()))  # the file may have neighbours
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        print(MARKER + json.dumps([{"error": _located(error, request["file"])}] * len(request["trees"])), flush=True)
        return
    function = getattr(module, request["function"], None)
    answers: list[dict[str, Any]] = []
    for description in request["trees"]:
        tree = StudentTree(**description)
        if function is None:
            answers.append({"error": f"the file has no function {request['function']}"})
            continue
        try:
            found = function(tree)
            value, move = found if isinstance(found, tuple) else (found, None)
            if not math.isfinite(float(value)):
                raise ValueError(f"it returned {value}, which is not the value of any leaf")
            answers.append(
                {"value": float(value), "move": None if move is None else int(move), "looked_at": tree.looked_at}
            )
        except Exception as error:
            answers.append({"error": _located(error, request["file"])})
    print(MARKER + json.dumps(answers), flush=True)


if __name__ == "__main__":
    main()
