"""Games whose declarations, methods, turns, moves or ends are wrong."""

from __future__ import annotations

import contextlib
import math
import random as unseeded
import time
from collections.abc import Iterator
from typing import Any

from broken.race import Race, breaks
from zermelo import Game

# What the class declares.


@breaks("missing-method")
class NoUtility(Game):
    initial, to_move, actions, result, is_terminal = (
        Race.initial,
        Race.to_move,
        Race.actions,
        Race.result,
        Race.is_terminal,
    )


@breaks("bad-declaration")
class UpsideDownRange(Race):
    utility_range = (1, -1)


@breaks("bad-declaration")
class HalfAPlayer(Race):
    players = 1.5  # type: ignore[assignment]


@breaks("bad-declaration")
class NoActionsAtAll(Race):
    max_actions = 0


# Anything at all.


@breaks("raises")
class Divides(Race):
    def result(self, s: Any, a: Any) -> Any:
        return (s[0] + a + 0 * (1 // (5 - s[0])), 1 - s[1])


@breaks("raises")
class Quits(Race):
    def to_move(self, s: Any) -> int:
        if s[0] == 4:
            raise SystemExit(3)
        return int(s[1])


@breaks("raises")
class UnprintableMoves(Race):
    def action_name(self, s: Any, a: Any) -> str:
        return {1: "one"}[a]


@breaks("never-returns")
class Loops(Race):
    def actions(self, s: Any) -> Iterator[Any]:
        while s[0] == 3:
            pass
        yield from super().actions(s)


@breaks("never-returns")
class SwallowsEverything(Race):
    def is_terminal(self, s: Any) -> bool:
        while s[0] == 3:
            with contextlib.suppress(Exception):
                time.sleep(0.01)
        return super().is_terminal(s)


@breaks("wrong-type")
class ForgetsToReturn(Race):
    def is_terminal(self, s: Any) -> bool:  # type: ignore[return]
        if s[0] >= 7:
            return True


@breaks("wrong-type")
class UtilityInWords(Race):
    def utility(self, s: Any, p: int) -> float:
        return "won"  # type: ignore[return-value]


@breaks("wrong-type")
class PictureInBytes(Race):
    def text(self, s: Any) -> str:
        return b"total"  # type: ignore[return-value]


# Turns and moves.


@breaks("illegal-to-move")
class ThirdPlayer(Race):
    def to_move(self, s: Any) -> int:
        return 2 if s[0] == 3 else int(s[1])


@breaks("illegal-to-move")
class Nobody(Race):
    def to_move(self, s: Any) -> int:
        return None  # type: ignore[return-value]


@breaks("no-moves")
class Stuck(Race):
    def actions(self, s: Any) -> Iterator[Any]:
        if s[0] != 5:
            yield from super().actions(s)


@breaks("actions-after-end")
class PlaysOn(Race):
    def actions(self, s: Any) -> Iterator[Any]:
        yield 1
        yield 2


@breaks("actions-differ")
class AnyOrder(Race):
    def actions(self, s: Any) -> Iterator[Any]:
        moves = list(super().actions(s))
        unseeded.shuffle(moves)
        yield from moves


@breaks("repeated-actions")
class Twice(Race):
    max_actions = 4

    def actions(self, s: Any) -> Iterator[Any]:
        yield from super().actions(s)
        yield from super().actions(s)


@breaks("too-many-actions")
class Understated(Race):
    max_actions = 1


@breaks("endless-actions")
class EndlessMoves(Race):
    max_actions = None

    def actions(self, s: Any) -> Iterator[Any]:
        a = 1
        while not self.is_terminal(s):
            yield a
            a += 1


@breaks("action-type")
class ListsForMoves(Race):
    def actions(self, s: Any) -> Iterator[Any]:
        for a in super().actions(s):
            yield [a]

    def result(self, s: Any, a: Any) -> Any:
        return super().result(s, a[0])


@breaks("name-ambiguous")
class OneName(Race):
    def action_name(self, s: Any, a: Any) -> str:
        return "add"


@breaks("player-names")
class Twins(Race):
    def player_name(self, p: int) -> str:
        return ("Alex", "alex ")[p] if p >= 0 else "chance"


@breaks("player-names")
class Nameless(Race):
    def player_name(self, p: int) -> str:
        return ("White", " ")[p] if p >= 0 else "chance"


@breaks("name-unreadable")
class ReadsNothing(Race):
    def action_named(self, s: Any, name: str) -> Any:
        raise ValueError(name)


@breaks("name-unreadable")
class ReadsText(Race):
    def action_named(self, s: Any, name: str) -> Any:
        return name


# The end.


@breaks("utility-not-finite")
class NotANumber(Race):
    def utility(self, s: Any, p: int) -> float:
        return math.nan


@breaks("utility-out-of-range")
class Generous(Race):
    def utility(self, s: Any, p: int) -> float:
        return 3 * super().utility(s, p)


@breaks("not-zero-sum")
class Winner8(Race):
    def utility(self, s: Any, p: int) -> float:
        return 0 if s[0] == 8 and s[1] == p else super().utility(s, p)


class FourSeats(Race):
    """Four seats in two sides, as at a bridge table."""

    players = 4

    def side(self, p: int) -> int:
        return p % 2

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] + a, (s[1] + 1) % 4)

    def utility(self, s: Any, p: int) -> float:
        return -1 if s[1] % 2 == p % 2 else 1

    def evaluate(self, s: Any, p: int) -> float:
        return 0.0


@breaks("side-utilities-differ")
class EachForItself(FourSeats):
    def utility(self, s: Any, p: int) -> float:
        return 1 if s[1] == p else -1


@breaks("initial-is-terminal")
class OverAtOnce(Race):
    def initial(self) -> Any:
        return (7, 0)


@breaks("long-game")
class NeverEnds(Race):
    def result(self, s: Any, a: Any) -> Any:
        return ((s[0] + a) % 5, 1 - s[1])


@breaks("out-of-time")
class Slow(Race):
    def is_terminal(self, s: Any) -> bool:
        time.sleep(0.03)
        return super().is_terminal(s)
