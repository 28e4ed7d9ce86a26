"""A race in which coins are tossed, and coins that are wrong."""

from __future__ import annotations

import math
import random as unseeded
from collections.abc import Iterator
from typing import Any

from broken.race import Race, breaks
from zermelo import CHANCE, Game


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


@breaks("chance-after-deal")
class CoinAfterEveryMove(Coin):
    deals_once = True


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
