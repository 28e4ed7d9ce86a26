"""Games that let an engine leave out what it should search: noisy and forcing moves, passes and repetitions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from broken.engine import Telling
from broken.evaluation import Longer
from broken.race import Race, breaks
from zermelo import Game

# What the class declares.


@breaks("bad-declaration")
class NothingForAUnit(Telling):
    evaluation_unit = 0.0


@breaks("bad-declaration")
class UnitInWords(Telling):
    evaluation_unit = "a tenth"  # type: ignore[assignment]


@breaks("bad-declaration")
class PassUnwritten(Telling):
    after_pass = Game.after_pass


@breaks("bad-declaration")
class RecursUnasked(Telling):
    def recurs(self, s: Any) -> bool:
        return False


# Noisy and forcing moves.


@breaks("noisy-actions")
class NoisyTwice(Telling):
    def noisy_actions(self, s: Any) -> Iterator[Any]:
        yield 2
        yield 2


@breaks("noisy-actions")
class NoisyButIllegal(Telling):
    def noisy_actions(self, s: Any) -> Iterator[Any]:
        yield 3


@breaks("moves-disagree")
class AllNoisy(Telling):
    def is_noisy(self, s: Any, a: Any) -> bool:
        return True


@breaks("moves-disagree")
class NeverNoisy(Telling):
    def is_noisy(self, s: Any, a: Any) -> bool:
        return False


@breaks("moves-disagree")
class CountsThree(Telling):
    def count_actions(self, s: Any) -> int:
        return 3

    def list_actions(self, s: Any, room: Any) -> int:
        return Game.list_actions(self, s, room)


@breaks("moves-disagree")
class WritesOneTwice(Telling):
    def list_actions(self, s: Any, room: Any) -> int:
        room[:2] = 1
        return 2


@breaks("moves-disagree")
class WritesNothing(Telling):
    def list_actions(self, s: Any, room: Any) -> int:
        return None  # type: ignore[return-value]


@breaks("moves-disagree")
class WritesQuietOnes(Telling):
    def list_noisy_actions(self, s: Any, room: Any) -> int:
        return self.list_actions(s, room)


@breaks("moves-disagree")
class WritesNoForcingOnes(Telling):
    def list_forcing_actions(self, s: Any, room: Any) -> int:
        return 0


@breaks("gain-not-a-number")
class GainOfNaN(Telling):
    def gain(self, s: Any, a: Any) -> float:
        return math.nan


@breaks("gain-not-a-number")
class GainInWords(Telling):
    def gain(self, s: Any, a: Any) -> float:
        return "a lot"  # type: ignore[return-value]


@breaks("gain-against-evaluation")
class GainsOfTheOther(Longer):
    def noisy_actions(self, s: Any) -> Iterator[Any]:
        yield from self.actions(s)

    def gain(self, s: Any, a: Any) -> float:
        other = 1 - self.to_move(s)
        return self.evaluate(self.result(s, a), other) - self.evaluate(s, other)


@breaks("bad-probcut")
class PredictsFromAsDeep(Telling):
    def probcut(self, s: Any, depth: int, number: int) -> tuple[int, float, float, float]:
        return depth, 1.0, 0.0, 0.1


@breaks("bad-probcut")
class PredictsByNoLine(Telling):
    def probcut(self, s: Any, depth: int, number: int) -> tuple[int, float, float, float]:
        return 1, 0.0, 0.0, 0.1


@breaks("bad-probcut")
class PredictsWithoutAnError(Telling):
    def probcut(self, s: Any, depth: int, number: int) -> tuple[int, float, float, float]:
        return 1, 1.0, 0.0  # type: ignore[return-value]


@breaks("forcing-actions")
class ForcingButIllegal(Telling):
    def forcing_actions(self, s: Any) -> Iterator[Any]:
        yield 3


@breaks("forcing-actions")
class ForcingAndNoisy(Telling):
    def forcing_actions(self, s: Any) -> Iterator[Any]:
        yield from self.noisy_actions(s)


@breaks("forcing-actions")
class ForcesNothing(Telling):
    def forcing_actions(self, s: Any) -> Iterator[Any]:
        if s[0] == 0:
            yield 1


# Standing and passing.


@breaks("wrong-type")
class StandsPerhaps(Telling):
    def may_stand(self, s: Any) -> bool:
        return None  # type: ignore[return-value]


@breaks("wrong-type")
class PassesPerhaps(Telling):
    def may_pass(self, s: Any) -> bool:
        return "perhaps"  # type: ignore[return-value]


@breaks("wrong-type")
class LessThanNothingLeft(Telling):
    def plies_left(self, s: Any) -> int:
        return -1


@breaks("after-pass")
class PassesToItself(Telling):
    def after_pass(self, s: Any) -> Any:
        return s


@breaks("after-pass")
class PassesAList(Telling):
    def after_pass(self, s: Any) -> Any:
        return [s[0], 1 - s[1]]


@breaks("after-pass")
class PassesIntoNothing(Telling):
    def actions(self, s: Any) -> Iterator[Any]:
        if s != (0, 1):
            yield from super().actions(s)


@breaks("may-pass")
class PassesInZugzwang(Telling):
    def may_pass(self, s: Any) -> bool:
        return True


# Repetitions.


class Circle(Race):
    """A token on a circle of five places, one or two steps a move; who comes to a position for the third time wins."""

    uses_history = True

    def result(self, s: Any, a: Any) -> Any:
        return ((s[0] + a) % 5, 1 - s[1])

    def is_terminal(self, s: Any) -> bool:
        return self.occurrences(self.key(s)) >= 3

    def evaluate(self, s: Any, p: int) -> float:
        return 0.0

    def recurs(self, s: Any) -> bool:
        return self.occurrences(self.key(s)) >= 2


@breaks("recurs")
class RecursAtOnce(Circle):
    def recurs(self, s: Any) -> bool:
        return True


@breaks("wrong-type")
class RecursPerhaps(Circle):
    def recurs(self, s: Any) -> bool:
        return None  # type: ignore[return-value]


@breaks("not-zero-sum")
class WorthlessBeforeItsEnd(Circle):
    def utility(self, s: Any, p: int) -> float:
        return super().utility(s, p) if self.is_terminal(s) else -1
