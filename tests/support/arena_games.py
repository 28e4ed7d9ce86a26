"""Games for the arena's tests: partners, a game for one, dice that cannot be listed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from zermelo import CHANCE, Game, i64


class Count(NamedTuple):
    turn: i64
    total: i64


class Partners(Game):
    """Four players on two sides each add 1 or 2 in turn, eight times; the side of players 0 and 2 wants it even."""

    players = 4
    utility_range = (-1.0, 1.0)

    def initial(self) -> Count:
        return Count(0, 0)

    def to_move(self, s: Count) -> int:
        return s.turn % 4

    def actions(self, s: Count) -> Iterator[int]:
        yield 1
        yield 2

    def result(self, s: Count, a: int) -> Count:
        return Count(s.turn + 1, s.total + a)

    def is_terminal(self, s: Count) -> bool:
        return s.turn == 8

    def utility(self, s: Count, p: int) -> float:
        return 1.0 if s.total % 2 == p % 2 else -1.0

    def side(self, p: int) -> int:
        return 10 + p % 2


class Alone(Game):
    """A game for one: ten times 0 to 3 points."""

    players = 1
    utility_range = (0.0, 30.0)

    def initial(self) -> Count:
        return Count(0, 0)

    def to_move(self, s: Count) -> int:
        return 0

    def actions(self, s: Count) -> Iterator[int]:
        for a in range(4):
            yield a

    def result(self, s: Count, a: int) -> Count:
        return Count(s.turn + 1, s.total + a)

    def is_terminal(self, s: Count) -> bool:
        return s.turn == 10

    def utility(self, s: Count, p: int) -> float:
        return float(s.total)

    def evaluate(self, s: Count, p: int) -> float:
        return float(s.total)


class Lottery(Game):
    """A number of 62 bits is drawn; then two players each take or leave one of its two halves' parities."""

    chance = True
    utility_range = (-1.0, 1.0)

    def initial(self) -> Count:
        return Count(0, 0)

    def to_move(self, s: Count) -> int:
        return CHANCE if s.turn == 0 else s.turn - 1

    def actions(self, s: Count) -> Iterator[int]:
        yield 0
        yield 1

    def result(self, s: Count, a: int) -> Count:
        return Count(s.turn + 1, s.total ^ a)

    def draw(self, s: Count, random: Any) -> Count:
        return Count(1, random.bits() >> 2)

    def is_terminal(self, s: Count) -> bool:
        return s.turn == 3

    def utility(self, s: Count, p: int) -> float:
        return 1.0 if s.total % 2 == p else -1.0
