"""Two players with a card each, and information that is wrong."""

from __future__ import annotations

import random as unseeded
from collections.abc import Iterator
from typing import Any

from broken.race import Race, breaks
from zermelo import CHANCE, Game


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
