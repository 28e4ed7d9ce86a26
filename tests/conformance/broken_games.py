"""One small game that keeps the protocol, and many that break it, each in one way: the check must find just that."""

from __future__ import annotations

import contextlib
import math
import random as unseeded
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo import CHANCE, Game, i8, i64, u8, u64

BROKEN: list[tuple[type[Game], tuple[str, ...]]] = []
"""Games, each with the codes that are found in it."""


def breaks(*codes: str) -> Callable[[type[Game]], type[Game]]:
    """Note that the check finds just these codes in a game."""

    def note(cls: type[Game]) -> type[Game]:
        BROKEN.append((cls, codes))
        return cls

    return note


class Race(Game):
    """Two players add 1 or 2 in turn; who reaches 7 wins. The state is the total and the mover."""

    utility_range = (-1, 1)
    max_actions = 2

    def initial(self) -> Any:
        return (0, 0)

    def to_move(self, s: Any) -> int:
        return int(s[1])

    def actions(self, s: Any) -> Iterator[Any]:
        if not self.is_terminal(s):
            yield 1
            yield 2

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] + a, 1 - s[1])

    def is_terminal(self, s: Any) -> bool:
        return bool(s[0] >= 7)

    def utility(self, s: Any, p: int) -> float:
        return -1 if s[1] == p else 1

    def evaluate(self, s: Any, p: int) -> float:
        if self.is_terminal(s):
            return self.utility(s, p)
        good = s[0] % 3 != 1  # whoever leaves 1 or 4 wins
        return 0.5 if good == (s[1] == p) else -0.5


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


# States.


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


# Chance: after each move a coin is tossed, and heads adds 1.


class Coin(Race):
    chance = True

    def initial(self) -> Any:
        return (0, 0, 0)  # total, mover, whether the coin is to be tossed

    def to_move(self, s: Any) -> int:
        return CHANCE if s[2] else int(s[1])

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] + a, s[1], 0) if s[2] else (s[0] + a, 1 - s[1], 1)

    def outcomes(self, s: Any) -> Iterator[tuple[Any, float]]:
        yield 0, 0.5
        yield 1, 0.5

    def evaluate(self, s: Any, p: int) -> float:
        return 0.0


class CoinDrawn(Coin):
    """The same coin, which is also, or only, drawn."""

    def draw(self, s: Any, random: Any) -> Any:
        return self.result(s, random.below(2))


class OnlyDrawn(CoinDrawn):
    outcomes = Game.outcomes


@breaks("chance-not-declared")
class SecretCoin(Coin):
    chance = False


@breaks("chance-never-seen")
class NoCoin(Race):
    chance = True
    outcomes = Coin.outcomes


@breaks("no-outcomes")
class CoinWithoutSides(Coin):
    def outcomes(self, s: Any) -> Iterator[tuple[Any, float]]:
        yield from ()


@breaks("no-outcomes")
class CoinUnwritten(Coin):
    outcomes = Game.outcomes


@breaks("bad-outcome")
class NegativeOdds(Coin):
    def outcomes(self, s: Any) -> Iterator[tuple[Any, float]]:
        yield 0, 1.5
        yield 1, -0.5


@breaks("bad-outcome")
class OddsOfNaN(Coin):
    def outcomes(self, s: Any) -> Iterator[tuple[Any, float]]:
        yield 0, math.nan
        yield 1, 0.5


@breaks("bad-outcome")
class BareOutcomes(Coin):
    def outcomes(self, s: Any) -> Iterator[tuple[Any, float]]:
        yield 0  # type: ignore[misc]


@breaks("probabilities-sum")
class LightCoin(Coin):
    def outcomes(self, s: Any) -> Iterator[tuple[Any, float]]:
        yield 0, 0.5
        yield 1, 0.4


@breaks("repeated-outcomes")
class TwoHeads(Coin):
    def outcomes(self, s: Any) -> Iterator[tuple[Any, float]]:
        yield 0, 0.5
        yield 1, 0.25
        yield 1, 0.25


@breaks("too-many-actions")
class Die(Coin):
    def outcomes(self, s: Any) -> Iterator[tuple[Any, float]]:
        for face in range(6):
            yield face, 1 / 6


@breaks("draw-differs")
class UnseededDraw(CoinDrawn):
    def draw(self, s: Any, random: Any) -> Any:
        return self.result(s, unseeded.randrange(2))


@breaks("draw-not-an-outcome")
class ThreeSided(CoinDrawn):
    def draw(self, s: Any, random: Any) -> Any:
        return self.result(s, random.below(3))


@breaks("draw-frequencies")
class LoadedCoin(CoinDrawn):
    def draw(self, s: Any, random: Any) -> Any:
        return self.result(s, int(random.uniform() < 0.6))


# Hidden information: each player has a card that the other does not see. The lower card may not add 2 at first.


class Cards(Game):
    players = 2
    chance = True
    hidden = True
    utility_range = (-1, 1)

    def initial(self) -> Any:
        return ()

    def to_move(self, s: Any) -> int:
        return CHANCE if not s else len(s) % 2

    def actions(self, s: Any) -> Iterator[Any]:
        if not self.is_terminal(s):
            yield "bet"
            yield "pass"

    def outcomes(self, s: Any) -> Iterator[tuple[Any, float]]:
        for first in range(3):
            for second in range(3):
                if first != second:
                    yield (first, second), 1 / 6

    def result(self, s: Any, a: Any) -> Any:
        return (*s, *a) if not s else (*s, a)

    def is_terminal(self, s: Any) -> bool:
        return len(s) == 4

    def utility(self, s: Any, p: int) -> float:
        return 1 if s[p] > s[1 - p] else -1

    def information(self, s: Any, p: int) -> Any:
        return (s[p], *s[2:])

    def resample(self, s: Any, p: int, random: Any) -> Any:
        others = [card for card in range(3) if card != s[p]]
        other = others[random.below(2)]
        return (s[0], other, *s[2:]) if p == 0 else (other, s[1], *s[2:])


@breaks("missing-method")
class NobodyKnows(Race):
    hidden = True


@breaks("no-resample")
class NoResample(Cards):
    resample = Game.resample


@breaks("hidden-not-declared")
class SecretlyHidden(Cards):
    hidden = False


@breaks("hidden-never-seen")
class OpenCards(Cards):
    def information(self, s: Any, p: int) -> Any:
        return s

    def resample(self, s: Any, p: int, random: Any) -> Any:
        return s


@breaks("information-unhashable")
class ListOfInformation(Cards):
    def information(self, s: Any, p: int) -> Any:
        return [s[p], *s[2:]]


@breaks("information-differs")
class Rumours(Cards):
    def information(self, s: Any, p: int) -> Any:
        return (s[p], unseeded.random())


@breaks("information-actions")
class LowCardPasses(Cards):
    def actions(self, s: Any) -> Iterator[Any]:
        for a in super().actions(s):
            p = self.to_move(s)
            if a == "pass" or s[p] > s[1 - p]:
                yield a


@breaks("resample-differs")
class UnseededResample(Cards):
    def resample(self, s: Any, p: int, random: Any) -> Any:
        return super().resample(s, p, UNSEEDED)


class _Unseeded:
    def below(self, n: int) -> int:
        return unseeded.randrange(n)


UNSEEDED = _Unseeded()


@breaks("resample-distinguishable")
class ChangesOwnCard(Cards):
    def resample(self, s: Any, p: int, random: Any) -> Any:
        return (s[1], s[0], *s[2:])


@breaks("resample-distinguishable")
class SkipsTurn(Cards):
    def information(self, s: Any, p: int) -> Any:
        return s[p]

    def resample(self, s: Any, p: int, random: Any) -> Any:
        return (*s[:2], *s[3:]) if len(s) > 2 else s


# What search uses.


@breaks("evaluation-not-finite")
class EndlessHope(Race):
    def evaluate(self, s: Any, p: int) -> float:
        return math.inf


@breaks("evaluation-out-of-range")
class Enthusiast(Race):
    def evaluate(self, s: Any, p: int) -> float:
        return 10 * super().evaluate(s, p)


@breaks("evaluation-not-zero-sum")
class Optimist(Race):
    def evaluate(self, s: Any, p: int) -> float:
        return 0.5


@breaks("evaluation-order")
class Backwards(Race):
    def evaluate(self, s: Any, p: int) -> float:
        return -self.utility(s, p) if self.is_terminal(s) else super().evaluate(s, p)


class Longer(Race):
    """The same to 31, so that there are states enough to correlate over."""

    def is_terminal(self, s: Any) -> bool:
        return bool(s[0] >= 31)


@breaks("evaluation-against-outcome", "evaluation-order")
class WrongSign(Longer):
    def evaluate(self, s: Any, p: int) -> float:
        return -super().evaluate(s, p)


@breaks("promise-not-a-number")
class NoPromise(Race):
    def promise(self, s: Any, a: Any) -> float:
        return math.nan


# States of fixed width.


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
