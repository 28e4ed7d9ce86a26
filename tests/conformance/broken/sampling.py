"""Games that tell Monte Carlo tree search something wrong, and one that tells it all that it can use."""

from __future__ import annotations

import itertools
import math
from typing import Any

from broken.race import Race, breaks

COUNTER = itertools.count()


class Simulated(Race):
    """The race to 7 with all that Monte Carlo tree search can use, and nothing wrong with it."""

    all_moves_as_first = True

    def nth_action(self, s: Any, n: int) -> int:
        return 2 - n

    def rollout(self, s: Any, random: Any) -> int:
        return int(1 + random.below(2))

    def playout(self, s: Any, random: Any, played: Any) -> Any:
        while not self.is_terminal(s):
            a = self.rollout(s, random)
            played.note(s[1], a)
            s = self.result(s, a)
        return s

    def prior(self, s: Any, a: int) -> float:
        return 2.0 if a == 2 else 0.0


@breaks("moves-disagree")
class AlwaysTheFirst(Simulated):
    def nth_action(self, s: Any, n: int) -> int:
        return 1


@breaks("bad-rollout")
class AddsThree(Simulated):
    def rollout(self, s: Any, random: Any) -> int:
        return 3

    def playout(self, s: Any, random: Any, played: Any) -> Any:
        return (7, 0)


@breaks("bad-rollout")
class OtherRandomNumbers(Simulated):
    def playout(self, s: Any, random: Any, played: Any) -> Any:
        return (7, next(COUNTER) % 2)


@breaks("playout-not-over")
class StopsEarly(Simulated):
    def playout(self, s: Any, random: Any, played: Any) -> Any:
        return s


@breaks("bad-prior")
class InfinitePrior(Simulated):
    def prior(self, s: Any, a: int) -> float:
        return math.inf


@breaks("bad-prior")
class NegativePrior(Simulated):
    def prior(self, s: Any, a: int) -> float:
        return -1.0


@breaks("bad-declaration")
class MovesTooFar(Simulated):
    def actions(self, s: Any) -> Any:
        return (5_000 + a for a in Race.actions(self, s))

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] + a - 5_000, 1 - s[1])

    def nth_action(self, s: Any, n: int) -> int:
        return 5_002 - n

    def rollout(self, s: Any, random: Any) -> int:
        return int(5_001 + random.below(2))
