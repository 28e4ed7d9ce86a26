"""A game that tells an engine all that it can use, and some whose bounds, safe moves, keys or features are wrong."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from broken.race import Race, breaks
from zermelo.networks import ExpectedUtility


class Telling(Race):
    """The race to 7 with all that an engine can use, and nothing wrong with it."""

    forward_pruning = ("null_move", "reductions")
    evaluation_unit = 0.1
    weights = (0.25, -0.25)

    def safe_actions(self, s: Any) -> Iterator[Any]:
        for a in self.actions(s):
            if s[0] + a < 5:
                yield a

    def noisy_actions(self, s: Any) -> Iterator[Any]:
        if s[0] in (5, 6):
            yield 2

    def is_noisy(self, s: Any, a: Any) -> bool:
        return bool(s[0] in (5, 6) and a == 2)

    def gain(self, s: Any, a: Any) -> float:
        return 0.5

    def forcing_actions(self, s: Any) -> Iterator[Any]:
        for a in self.actions(s):
            if s[0] < 5 <= s[0] + a:
                yield a

    def count_actions(self, s: Any) -> int:
        return 0 if self.is_terminal(s) else 2

    def list_actions(self, s: Any, room: Any) -> int:
        room[:2] = 2, 1
        return self.count_actions(s)

    def bounds(self, s: Any) -> tuple[float, float]:
        if s[0] >= 7:
            return (-1, -1)
        return (1, 1) if s[0] >= 5 else (-1, 1)

    def may_stand(self, s: Any) -> bool:
        return bool(s[0] < 5)

    def may_pass(self, s: Any) -> bool:
        return bool(s[0] % 3 != 1)

    def after_pass(self, s: Any) -> Any:
        return (s[0], 1 - s[1])

    def plies_left(self, s: Any) -> int:
        return max(7 - int(s[0]), 0)

    def canonical_key(self, s: Any) -> int:
        return int(s[0])

    def feature_names(self) -> tuple[str, ...]:
        return ("good total", "bad total")

    def features(self, s: Any, p: int) -> Iterator[tuple[int, float]]:
        yield (0 if s[0] % 3 != 1 else 1), (1.0 if s[1] == p else -1.0)


@breaks("bad-declaration")
class PrunesByMagic(Telling):
    forward_pruning = ("null_move", "magic")


@breaks("bad-declaration")
class OneNameForAll(Telling):
    forward_pruning = "beam"  # type: ignore[assignment]


@breaks("bad-declaration")
class NamelessFeature(Telling):
    def feature_names(self) -> tuple[str, ...]:
        return ("good total",)


@breaks("bad-declaration")
class EndlessWeight(Telling):
    weights = (0.25, math.inf)


@breaks("safe-actions")
class Careless(Telling):
    def safe_actions(self, s: Any) -> Iterator[Any]:
        yield from self.actions(s)


@breaks("safe-actions")
class Timid(Telling):
    def safe_actions(self, s: Any) -> Iterator[Any]:
        for a in self.actions(s):
            if s[0] + a < 4:
                yield a


@breaks("safe-actions")
class SafeButIllegal(Telling):
    def safe_actions(self, s: Any) -> Iterator[Any]:
        yield 0


@breaks("bounds-no-range")
class BoundsUpsideDown(Telling):
    def bounds(self, s: Any) -> tuple[float, float]:
        return (1, -1)


@breaks("bounds-no-range")
class BoundsTooWide(Telling):
    def bounds(self, s: Any) -> tuple[float, float]:
        return (-2, 2)


@breaks("bounds-no-range")
class HalfABound(Telling):
    def bounds(self, s: Any) -> tuple[float, float]:
        return 1  # type: ignore[return-value]


@breaks("bounds-wrong")
class BoundsOfTheOther(Telling):
    def bounds(self, s: Any) -> tuple[float, float]:
        low, high = super().bounds(s)
        return (-high, -low) if s[0] < 7 else (low, high)


@breaks("bounds-wrong")
class WinsWhereItIsLost(Telling):
    def bounds(self, s: Any) -> tuple[float, float]:
        return (0, 1)


@breaks("canonical-key")
class KeyOfTheRest(Telling):
    def canonical_key(self, s: Any) -> int:
        return int(s[0] >= 5)


@breaks("canonical-key")
class KeyWithoutTheWinner(Telling):
    def utility(self, s: Any, p: int) -> float:
        return 0.0 if s[0] == 8 else super().utility(s, p)

    def bounds(self, s: Any) -> tuple[float, float]:
        return (-1, 1)

    def safe_actions(self, s: Any) -> Iterator[Any]:
        for a in self.actions(s):
            if s[0] + a not in (5, 6):
                yield a

    def canonical_key(self, s: Any) -> int:
        return min(int(s[0]), 7)


@breaks("mirror-image")
class ImageWithTheOtherMover(Telling):
    def mirror_image(self, s: Any) -> Any:
        return type(s)((s[0], 1 - s[1], *s[2:]))


@breaks("key-width")
class NegativeCanonicalKey(Telling):
    def canonical_key(self, s: Any) -> int:
        return -1 - int(s[0])


@breaks("bad-features")
class OneFeatureTooMany(Telling):
    def features(self, s: Any, p: int) -> Iterator[tuple[int, float]]:
        yield 2, 1.0


@breaks("bad-features")
class EndlessFeature(Telling):
    def features(self, s: Any, p: int) -> Iterator[tuple[int, float]]:
        yield 0, math.nan


@breaks("bad-features")
class FeaturesWithoutNumbers(Telling):
    def features(self, s: Any, p: int) -> Iterator[Any]:
        yield 1.0


@breaks("bad-features")
class AnotherSum(Telling):
    def weighted_features(self, s: Any, p: int) -> float:
        return 0.5


@breaks("bad-phase")
class OnePhaseTooMany(Telling):
    def phase(self, s: Any) -> int:
        return 1


@breaks("bad-phase")
class NobodysView(Telling):
    def viewer(self, s: Any) -> int:
        return 2


@breaks("features-disagree")
class AnotherList(Telling):
    def list_features(self, s: Any, p: int, numbers: Any, amounts: Any) -> int:
        return 0


@breaks("features-disagree")
class NothingListed(Telling):
    def features(self, s: Any, p: int) -> Iterator[tuple[int, float]]:
        yield 0, float(s[0])

    def list_changes(self, s: Any, p: int, last: Any, numbers: Any, amounts: Any) -> int:
        return 0


class SameForBoth(ExpectedUtility):
    def turned(self, out: Any, k: int) -> float:
        return float(out[k])


@breaks("bad-outcomes")
class OneSidedOutcomes(Telling):
    predicts = SameForBoth()


class Points(ExpectedUtility):
    def target(self, game: Any, s: Any, p: int, k: int) -> float:
        return 3.0 * float(game.utility(s, p))


@breaks("bad-outcomes")
class OutcomesBeyondOne(Telling):
    predicts = Points()
