"""Games whose states are no values."""

from __future__ import annotations

import random as unseeded
from typing import Any, NamedTuple

from broken.race import Race, breaks


@breaks("initial-differs")
class RandomStart(Race):
    def initial(self) -> Any:
        return (unseeded.random() / 10, 0)


@breaks("state-type")
class TwoKinds(Race):
    class State(NamedTuple):
        total: int
        mover: int

    def initial(self) -> Any:
        return self.State(0, 0)


@breaks("state-unhashable")
class Listed(Race):
    def initial(self) -> Any:
        return [0, 0]

    def result(self, s: Any, a: Any) -> Any:
        return [s[0] + a, 1 - s[1]]

    def key(self, s: Any) -> int:
        return int(2 * s[0] + s[1])


class Point:
    """A state without equality."""

    def __init__(self, total: int, mover: int):
        self.total, self.mover = total, mover

    def __getitem__(self, i: int) -> int:
        return self.mover if i else self.total


class Equal(Point):
    """The same with equality, and a place to scribble."""

    visits = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equal) and (self.total, self.mover) == (other.total, other.mover)

    def __hash__(self) -> int:
        return hash((self.total, self.mover))


@breaks("state-equality")
class NeverEqual(Race):
    def initial(self) -> Any:
        return Point(0, 0)

    def result(self, s: Any, a: Any) -> Any:
        return Point(s[0] + a, 1 - s[1])


@breaks("state-mutated")
class InPlace(Race):
    def initial(self) -> Any:
        return Equal(0, 0)

    def result(self, s: Any, a: Any) -> Any:
        s.total, s.mover = s.total + a, 1 - s.mover
        return s


@breaks("state-mutated")
class CountsVisits(Race):
    def initial(self) -> Any:
        return Equal(0, 0)

    def result(self, s: Any, a: Any) -> Any:
        return Equal(s[0] + a, 1 - s[1])

    def to_move(self, s: Any) -> int:
        s.visits += 1
        return int(s[1])


@breaks("result-differs")
class Slips(Race):
    def result(self, s: Any, a: Any) -> Any:
        return (s[0] + a + unseeded.randrange(2), 1 - s[1])


@breaks("result-differs")
class Remembers(Race):
    moves = 0

    def result(self, s: Any, a: Any) -> Any:
        self.moves += 1
        return (s[0] + a, 1 - s[1], self.moves)


@breaks("key-differs")
class MovingKey(Race):
    def key(self, s: Any) -> int:
        return unseeded.getrandbits(64)


@breaks("key-collision")
class KeyWithoutMover(Race):
    def key(self, s: Any) -> int:
        return int(s[0])


@breaks("key-width")
class NegativeKey(Race):
    def key(self, s: Any) -> int:
        return int(-1 - 2 * s[0] - s[1])
