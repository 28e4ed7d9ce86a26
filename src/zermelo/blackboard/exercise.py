"""What an exercise is: a tree, a question, hints, the correct answer, and marks for a given one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from zermelo.trees import Node, Tree


@dataclass(frozen=True)
class Mark:
    """One part of a question: the given answer, the correct answer, and the explanation.

    If an answer cannot be read, `why` says how to write it, and `readable` is False.
    """

    place: str
    given: str
    right: str
    correct: bool
    why: str
    readable: bool = True

    @property
    def brief(self) -> str:
        """Whether it is right, without the answer."""
        if self.correct:
            return f"✓ {self.place}: {self.right}"
        return f"✗ {self.place}: {self.given or 'no answer'}" + ("" if self.readable else f". {self.why}")

    def __str__(self) -> str:
        if self.correct:
            return self.brief
        return f"✗ {self.place}: {self.given or 'no answer'}; correct is {self.right}. {self.why}"


@dataclass(frozen=True)
class Grade:
    """All marks of one answer; `picture` shows, as text, where a search went wrong."""

    marks: tuple[Mark, ...]
    picture: str = ""

    @property
    def right(self) -> int:
        """The number of correct marks."""
        return sum(mark.correct for mark in self.marks)

    @property
    def passed(self) -> bool:
        """Is everything right?"""
        return self.right == len(self.marks)

    @property
    def brief(self) -> str:
        """What is right and what is wrong, without the answers."""
        return "\n".join([*(mark.brief for mark in self.marks), f"{self.right} of {len(self.marks)} right"])

    def __str__(self) -> str:
        marks = "\n".join([*(str(mark) for mark in self.marks), f"{self.right} of {len(self.marks)} right"])
        return f"{marks}\n\n{self.picture}" if self.picture else marks


@dataclass(frozen=True)
class Exercise:
    """A tree, a question about it, the form of the answer, and the correct answer."""

    kind: str
    seed: int
    tree: Tree
    question: str
    form: str  # an example of an answer, not the right one
    solution: str
    grader: Callable[[str], Grade]
    drawing: Any = None  # what to draw, if not the tree itself
    hints: tuple[str, ...] = ()  # the first says the least
    watching: dict[str, Any] = field(default_factory=dict)  # the search that answers it: an algorithm and its options

    def __post_init__(self) -> None:
        if self.drawing is None:
            object.__setattr__(self, "drawing", self.tree)

    def grade(self, answer: str) -> Grade:
        """Grade an answer."""
        return self.grader(answer)


# Names on the blackboard: interior nodes are letters, leaves are numbers from left to right.


def _letters(count: int) -> list[str]:
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return [alphabet[i] if i < 26 else f"{alphabet[i % 26]}{i // 26}" for i in range(count)]


def lettered(tree: Node) -> Node:
    """The tree with a letter for each interior node, breadth first, and a number for each leaf, left to right."""
    letters = iter(_letters(10_000))
    names: dict[int, str] = {}
    level = [tree]
    while level:
        for at in level:
            if not at.is_leaf:
                names[id(at)] = next(letters)
        level = [child for at in level for child in at.children]
    numbers = iter(range(1, 10_000))

    def copy(at: Node) -> Node:
        if at.is_leaf:
            return replace(at, name=str(next(numbers)))
        return replace(at, name=names[id(at)], children=tuple(copy(child) for child in at.children))

    return copy(tree)
