"""Running an algorithm on unknown numbers: every comparison that can go several ways makes a case for each.

A case is described by linear conditions on the unknowns. Eliminating unknowns one by one (Fourier 1827, Motzkin 1936),
in exact fractions, shows whether a case is possible and which values of one unknown it allows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from zermelo.game.errors import Unsuitable
from zermelo.trees.piecewise import Extended, Interval

Result = TypeVar("Result")

MOST_CASES = 20_000
"""More than any tree on a blackboard has. A tree with a dozen unknowns can have more, and would never finish."""


@dataclass(frozen=True)
class Linear:
    """A weighted sum of unknowns plus a constant, which can be infinite.

    `nudge` is an infinitesimal shift: it decides between equals.
    """

    weights: tuple[Fraction, ...]
    constant: Extended
    nudge: Fraction = Fraction(0)

    def __add__(self, other: Linear) -> Linear:
        weights = tuple(a + b for a, b in zip(self.weights, other.weights, strict=True))
        return Linear(weights, self.constant + other.constant, self.nudge + other.nudge)

    def __sub__(self, other: Linear) -> Linear:
        return self + other.times(Fraction(-1))

    def times(self, factor: Fraction) -> Linear:
        """The same, that many times."""
        return Linear(tuple(factor * w for w in self.weights), factor * self.constant, factor * self.nudge)


@dataclass(frozen=True)
class Condition:
    """weights · unknowns + constant is > 0, ≥ 0 or = 0."""

    weights: tuple[Fraction, ...]
    constant: Fraction
    relation: str  # ">", "≥" or "="

    def scaled(self) -> Condition:
        """The same condition with its first weight 1 or −1, so that parallel conditions are recognised."""
        size = next((abs(w) for w in self.weights if w), Fraction(1))
        if self.relation == "=" and next((w for w in self.weights if w), Fraction(1)) < 0:
            size = -size
        if size == 1:
            return self
        return Condition(tuple(w / size for w in self.weights), self.constant / size, self.relation)


Region = tuple[Condition, ...]


def within(interval: Interval, place: int, count: int) -> list[Condition]:
    """The conditions that keep one of `count` unknowns in an interval."""
    found = []
    for end, closed, sign in ((interval.low, interval.low_closed, 1), (interval.high, interval.high_closed, -1)):
        if isinstance(end, Fraction):
            weights = tuple(Fraction(sign if i == place else 0) for i in range(count))
            found.append(Condition(weights, -sign * end, "≥" if closed else ">"))
    return found


def tidied(conditions: Iterable[Condition]) -> Region | None:
    """The conditions without those that follow from a parallel one; None if they contradict each other."""
    equal: dict[tuple[Fraction, ...], Condition] = {}
    bounds: dict[tuple[Fraction, ...], Condition] = {}
    for given in conditions:
        one = given.scaled()
        if not any(one.weights):
            if not {">": one.constant > 0, "≥": one.constant >= 0, "=": one.constant == 0}[one.relation]:
                return None
        elif one.relation == "=":
            if equal.setdefault(one.weights, one).constant != one.constant:
                return None
        else:
            known = bounds.get(one.weights)
            if known is None or (one.constant, one.relation != ">") < (known.constant, known.relation != ">"):
                bounds[one.weights] = one
    return (*equal.values(), *bounds.values())


def eliminated(region: Region, place: int) -> Region | None:
    """The conditions on the other unknowns for which some value of this one satisfies all (Fourier–Motzkin)."""
    equality = next((c for c in region if c.relation == "=" and c.weights[place]), None)
    if equality is not None:
        others = (c for c in region if c is not equality)
        return tidied(_combined(c, equality, -c.weights[place] / equality.weights[place]) for c in others)
    lower = [c for c in region if c.weights[place] > 0]
    upper = [c for c in region if c.weights[place] < 0]
    rest = [c for c in region if not c.weights[place]]
    for low in lower:
        for high in upper:
            rest.append(_combined(high, low, -high.weights[place] / low.weights[place]))
    return tidied(rest)


def _combined(one: Condition, other: Condition, factor: Fraction) -> Condition:
    """One condition plus a multiple of the other, such that an unknown cancels."""
    weights = tuple(a + factor * b for a, b in zip(one.weights, other.weights, strict=True))
    strict = ">" in (one.relation, other.relation)  # a strict one makes the sum strict; two equations make an equation
    relation = one.relation if other.relation == "=" else ">" if strict else "≥"
    return Condition(weights, one.constant + factor * other.constant, relation)


def projected(conditions: Iterable[Condition], places: Iterable[int]) -> Region | None:
    """The conditions after eliminating these unknowns; None if nothing satisfies them."""
    region = tidied(conditions)
    for place in places:
        if region is None:
            return None
        region = eliminated(region, place)
    return region


def possible(conditions: Iterable[Condition], count: int) -> bool:
    """Can all conditions hold at the same time?"""
    return projected(conditions, range(count)) is not None


def interval_of(conditions: Iterable[Condition], place: int, count: int) -> Interval | None:
    """The values of one unknown for which some values of the others satisfy the conditions; None if there are none."""
    region = projected(conditions, (i for i in range(count) if i != place))
    if region is None or not possible(region, count):
        return None
    low: Extended = -math.inf
    high: Extended = math.inf
    ends = ["[", "]"]
    for condition in region:
        weight = condition.weights[place]
        if weight:
            end = -condition.constant / weight
            if weight > 0 or condition.relation == "=":
                low, ends[0] = end, "(" if condition.relation == ">" else "["
            if weight < 0 or condition.relation == "=":
                high, ends[1] = end, ")" if condition.relation == ">" else "]"
            if condition.relation == "=":
                break
    return Interval(low, high, "".join(ends))


class Case:
    """One combination of results of a run's comparisons, and the conditions for it.

    A run starts with the decisions of an earlier one. At every later comparison it takes the first possible result and
    records the others.
    """

    def __init__(self, start: Region, count: int, decided: list[int]):
        self.conditions, self.count = start, count
        self.decided, self.answers = decided, list[int]()
        self.others: list[list[int]] = []

    def sign(self, a: Linear, b: Linear) -> int:
        """1, 0 or −1 as the first is more than, equal to or less than the second, in this case."""
        if isinstance(a.constant, float) or isinstance(b.constant, float):
            return (a.constant > b.constant) - (a.constant < b.constant)
        difference = a - b
        main = self._sign(difference.weights, Fraction(difference.constant))
        return main or (difference.nudge > 0) - (difference.nudge < 0)

    def meets(self, condition: Condition) -> bool:
        """Is the condition met, in this case?"""
        sign = self._sign(condition.weights, condition.constant)
        return sign == 0 if condition.relation == "=" else sign >= (condition.relation == ">")

    def _sign(self, weights: tuple[Fraction, ...], constant: Fraction) -> int:
        if not any(weights):
            return (constant > 0) - (constant < 0)
        ways = {
            1: Condition(weights, constant, ">"),
            0: Condition(weights, constant, "="),
            -1: Condition(tuple(-w for w in weights), -constant, ">"),
        }
        step = len(self.answers)
        if step < len(self.decided):
            answer = self.decided[step]
        else:
            answer, *others = [s for s, way in ways.items() if possible((*self.conditions, way), self.count)]
            self.others += [[*self.answers, other] for other in others]
        self.answers.append(answer)
        self.conditions = tidied((*self.conditions, ways[answer])) or ()
        return answer


def explore(run: Callable[[Case], Result], start: Iterable[Condition], count: int) -> Iterator[tuple[Region, Result]]:
    """Every case of a run, by its conditions, with the result. The cases do not overlap, and together are all."""
    region = tidied(start)
    waiting: list[list[int]] = [] if region is None or not possible(region, count) else [[]]
    cases = 0
    while waiting:
        cases += 1
        if cases > MOST_CASES:
            raise Unsuitable(f"the tree's {count} unknowns make more than {MOST_CASES:,} cases: give some their values")
        case = Case(region or (), count, waiting.pop())
        result = run(case)
        yield case.conditions, result
        waiting += case.others
