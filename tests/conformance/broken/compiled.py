"""The race with states of fixed width, and what goes wrong only where it is compiled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from broken.race import Race, breaks
from zermelo import Game, i8, i64, u8, u64


class Total(NamedTuple):
    total: u8
    mover: u8


class Compiled(Game):
    """The same race, compiled."""

    utility_range = (-1, 1)
    max_actions = 2

    def initial(self) -> Any:
        return Total(0, 0)

    def to_move(self, s: Any) -> int:
        return int(s.mover)

    def actions(self, s: Any) -> Iterator[int]:
        if not self.is_terminal(s):
            yield 1
            yield 2

    def result(self, s: Any, a: int) -> Any:
        return Total(s.total + a, 1 - s.mover)

    def is_terminal(self, s: Any) -> bool:
        return bool(s.total >= 7)

    def utility(self, s: Any, p: int) -> float:
        return -1 if s.mover == p else 1


class Signed(NamedTuple):
    total: u8
    mover: u8
    debt: i8
    board: tuple[u64, u64]


@breaks("field-width")
class Overflows(Race):
    def initial(self) -> Any:
        return Signed(0, 0, 0, (0, 0))

    def result(self, s: Any, a: int) -> Any:
        return Signed(s.total + a, 1 - s.mover, s.debt - 100, (~s.board[0], s.board[1] << 40))


@breaks("field-width")
class Fractions(Overflows):
    def result(self, s: Any, a: int) -> Any:
        return Signed(s.total + a, 1 - s.mover, 0, (~s.board[0], s.total + 0.5))  # type: ignore[arg-type]


@breaks("action-type", "does-not-compile")
class WordsForMoves(Compiled):
    def actions(self, s: Any) -> Iterator[Any]:
        for a in super().actions(s):
            yield str(a)

    def result(self, s: Any, a: Any) -> Any:
        return super().result(s, int(a))


@breaks("does-not-compile")
class UsesADictionary(Compiled):
    def __init__(self) -> None:
        self.steps = {1: 1, 2: 2}

    def result(self, s: Any, a: int) -> Any:
        return Total(s.total + self.steps[a], 1 - s.mover)


BIG = 6_364_136_223_846_793_005


def scrambled(n: int) -> int:
    """More than 64 bits hold, in plain Python; compiled, what is left of it."""
    return (n + 3) * BIG % 1000


class Wide(NamedTuple):
    total: i64
    mover: u8


DIFFERING = ("result", "actions", "utility", "evaluate", "key")
RESULT, ACTIONS, UTILITY, EVALUATE, KEY = range(5)


class WideRace(Game):
    """The race once more, its total of 64 bits; where the modes differ is in a table, so that all are one program."""

    utility_range = (-1000, 1000)

    def __init__(self, where: str):
        self.where = np.array([where == method for method in DIFFERING], np.int64)

    def initial(self) -> Any:
        return Wide(0, 0)

    def to_move(self, s: Any) -> int:
        return int(s.mover)

    def actions(self, s: Any) -> Iterator[int]:
        if not self.is_terminal(s):
            yield 1
            yield 2 + (scrambled(s.total) if self.where[ACTIONS] else 0)

    def result(self, s: Any, a: int) -> Any:
        return Wide(s.total + a + (scrambled(s.total) if self.where[RESULT] else 0), 1 - s.mover)

    def is_terminal(self, s: Any) -> bool:
        return bool(s.total >= 7)

    def utility(self, s: Any, p: int) -> float:
        won = scrambled(s.total) if self.where[UTILITY] else 1
        return -won if s.mover == p else won

    def evaluate(self, s: Any, p: int) -> float:
        good = scrambled(s.total) if self.where[EVALUATE] else 0
        return good if s.mover == p else -good

    def key(self, s: Any) -> int:
        return u64(2 * s.total + s.mover + (scrambled(s.total) if self.where[KEY] else 0))


TABLE = tuple(range(6))


class OutOfBounds(Compiled):
    """Reads beyond the end of a table: plain Python says so; compiled code must not be let near it."""

    def result(self, s: Any, a: int) -> Any:
        return Total(TABLE[s.total] + a, 1 - s.mover)
