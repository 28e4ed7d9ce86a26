"""Games whose evaluations are wrong."""

from __future__ import annotations

import math
from typing import Any

from broken.race import Race, breaks


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
