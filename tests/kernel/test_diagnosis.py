"""When a game cannot be compiled, the error names the method, the line and the usual cure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from zermelo import CompileError, Game, analyse, u8, u64
from zermelo.kernel.routine import Routine

NAMES = {0: "a", 1: "b"}


class Marks(NamedTuple):
    board: u64
    n: u8


class Base(Game):
    utility_range = (-1, 1)

    def initial(self) -> Marks:
        return Marks(0, 0)

    def to_move(self, s: Marks) -> int:
        return s.n & 1

    def actions(self, s: Marks) -> Iterator[int]:
        for a in range(3):
            yield a

    def result(self, s: Marks, a: int) -> Any:
        return Marks(s.board | (1 << a), s.n + 1)

    def is_terminal(self, s: Marks) -> bool:
        return self.is_over(s)

    def is_over(self, s: Marks) -> bool:
        return s.n >= 3

    def utility(self, s: Marks, p: int) -> Any:
        return 0


class Dictionary(Base):
    def actions(self, s: Marks) -> Iterator[int]:
        for a in NAMES:
            yield a


class Attribute(Base):
    def __init__(self) -> None:
        self.weights = {1: 2}

    def utility(self, s: Marks, p: int) -> float:
        return self.weights[1]


class Super(Base):
    def is_over(self, s: Marks) -> bool:
        return super().is_over(s)


class Undefined(Base):
    def utility(self, s: Marks, p: int) -> float:
        return undefined_thing  # type: ignore[name-defined, no-any-return]  # noqa: F821


class Text(Base):
    def utility(self, s: Marks, p: int) -> Any:
        return "win"


class Any_(Base):
    def is_over(self, s: Marks) -> bool:
        return any([s.n > 2, s.n > 3])


class PlainTuple(Base):
    def result(self, s: Marks, a: int) -> Any:
        return (s.board, s.n + 1)


class Unequal(Base):
    pairs = ((1, 2), (3, 4, 5))

    def utility(self, s: Marks, p: int) -> float:
        total = 0
        for pair in self.pairs:
            total += pair[0]
        return total


class Recursive(Base):
    def is_over(self, s: Marks) -> bool:
        return s.n >= 3 or (s.n > 10 and self.is_over(s))


@pytest.mark.parametrize(
    ("game", "place", "cure"),
    [
        (Dictionary(), r"in Dictionary\.actions, line \d+, `for a in NAMES:", "turn a dict or a list into a tuple"),
        (Attribute(), r"in Attribute\.utility, line \d+, `return self\.weights\[1\]`", "cannot be compiled"),
        (Super(), r"in Super\.is_over, line \d+", r"super\(\) cannot be compiled"),
        (Undefined(), r"in Undefined\.utility, line \d+", "the name is not defined there"),
        (Text(), r"in Text\.utility, line \d+", "the method must return a number"),
        (Any_(), r"in Any_\.is_over, line \d+", "write the loop out"),
        (PlainTuple(), r"in Base\.is_over|in PlainTuple\.is_over", "let `result` return the NamedTuple itself"),
        (Unequal(), r"in Unequal\.utility, line \d+", "make all items alike"),
        (Recursive(), r"in Recursive\.is_over, line \d+", "write the recursion as a function outside"),
    ],
)
def test_the_method_the_line_and_the_cure(game: Game, place: str, cure: str) -> None:
    with pytest.raises(CompileError) as caught:
        analyse(game, algorithm="minimax", compile=True)
    message = str(caught.value)
    assert message.startswith(f"{game.name} cannot be compiled: ")
    assert re.search(place, message), message
    assert re.search(cure, message), message


class Replaces(Base):
    """`_replace`, natural for NamedTuples, compiles: with one field, with several, and one after another."""

    def result(self, s: Marks, a: int) -> Marks:
        if a == 0:
            return s._replace(board=s.board | 5)._replace(n=s.n + 1)
        return s._replace(n=s.n + 1, board=s.board << a)


def follow(game: Any, s: Any) -> Any:
    for a in (0, 1, 0, 2, 0):
        s = game.result(s, a)
    return s.board, s.n


def test_replace_compiles() -> None:
    game, routine = Replaces(), Routine(follow)
    assert routine.compiled(game)(Marks(0, 250)) == routine.run_plain(game, Marks(0, 250)) == (61, 255)


class Mapping(Base):
    """What a list gives is as good as what a generator yields."""

    def actions(self, s: Marks) -> Any:
        return [a for a in range(3) if a != 1]


def test_actions_may_return_a_list() -> None:
    game = Mapping()
    assert (
        analyse(game, algorithm="minimax", compile=True).nodes
        == analyse(game, algorithm="minimax", compile=False).nodes
        == 15
    )


def test_messages_are_read_in_colour_too() -> None:
    """Numba paints its messages where a package for coloured terminals is loaded, as others bring it along."""
    from zermelo.kernel.diagnosis import COLOUR

    assert COLOUR.sub("", "\x1b[1m\x1b[31mFailed\x1b[0m in \x1b[1;34mnopython\x1b[m mode") == "Failed in nopython mode"
