"""Exact answers in one unknown: intervals with their ends open or closed, and piecewise-linear functions.

Everything is a fraction, never a float, so that an end is in an interval or it is not, and a tie is a tie.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from zermelo.game.errors import GameError
from zermelo.trees.tree import Number

INF = math.inf

Extended = Fraction | float
"""A fraction, or one of the two infinities, which are the only floats."""


def exact(number: Number) -> Fraction:
    """A number as a fraction: a float is read as the decimal that it prints as, so that 0.7 is 7/10."""
    if isinstance(number, float):
        if not math.isfinite(number):
            raise GameError(f"{number} is not a finite number")
        return Fraction(repr(float(number)))
    return Fraction(number)


def extended(number: Number | None, missing: float) -> Extended:
    """A number that can be infinite; None means infinite."""
    if number is None:
        return missing
    if isinstance(number, float) and math.isinf(number):
        return float(number)
    return exact(number)


def written(number: Extended) -> str:
    """A number as people write it: 3, 7/2, ∞."""
    if isinstance(number, float):
        return "∞" if number > 0 else "−∞"
    return str(number).replace("-", "−")


Cut = tuple[Extended, int]
"""A place between numbers: just before a number (0) or just after it (1). An interval reaches from cut to cut."""

LOWEST: Cut = (-INF, 1)
HIGHEST: Cut = (INF, 0)


@dataclass(frozen=True, init=False)
class Interval:
    """The numbers from `low` to `high`; the ends belong to it (`[]`) or not (`()`, `[)`, `(]`), infinite ones never.

    `Interval(0, 1200)` is 0 ≤ x ≤ 1200; `Interval(0, None)` is x ≥ 0; `Interval(3, 800, "[)")` is 3 ≤ x < 800.
    """

    low: Extended
    high: Extended
    low_closed: bool
    high_closed: bool

    def __init__(self, low: Number | None = None, high: Number | None = None, ends: str = "[]"):
        if len(ends) != 2 or ends[0] not in "[(" or ends[1] not in "])":
            raise ValueError(f"the ends of an interval are written [], (), [) or (], not {ends!r}")
        least, most = extended(low, -INF), extended(high, INF)
        object.__setattr__(self, "low", least)
        object.__setattr__(self, "high", most)
        object.__setattr__(self, "low_closed", ends[0] == "[" and least != -INF)
        object.__setattr__(self, "high_closed", ends[1] == "]" and most != INF)
        if self.start >= self.stop:
            raise ValueError(f"there is no number in {self}")

    @classmethod
    def between(cls, start: Cut, stop: Cut) -> Interval:
        """The interval between two cuts."""
        return cls(start[0], stop[0], ("(" if start[1] else "[") + ("]" if stop[1] else ")"))

    @property
    def start(self) -> Cut:
        """The cut at which it begins."""
        return (self.low, 0 if self.low_closed else 1)

    @property
    def stop(self) -> Cut:
        """The cut at which it ends."""
        return (self.high, 1 if self.high_closed else 0)

    def __contains__(self, number: Number) -> bool:
        return self.start <= (exact(number), 0) and (exact(number), 1) <= self.stop

    def __str__(self) -> str:
        if self.low == self.high:
            return "{" + written(self.low) + "}"
        opening, closing = "[" if self.low_closed else "(", "]" if self.high_closed else ")"
        return f"{opening}{written(self.low)}, {written(self.high)}{closing}"

    def condition(self, unknown: str = "x") -> str:
        """As a condition on the unknown: `x < 800`."""
        if self.low == self.high:
            return f"{unknown} = {written(self.low)}"
        above, below = "≤" if self.low_closed else "<", "≤" if self.high_closed else "<"
        if self.low == -INF and self.high == INF:
            return f"any {unknown}"
        if self.low == -INF:
            return f"{unknown} {below} {written(self.high)}"
        if self.high == INF:
            return f"{unknown} {'≥' if self.low_closed else '>'} {written(self.low)}"
        return f"{written(self.low)} {above} {unknown} {below} {written(self.high)}"


@dataclass(frozen=True, init=False)
class Intervals:
    """A union of as few intervals as possible, sorted, so that equal sets are equal objects."""

    parts: tuple[Interval, ...]

    def __init__(self, *parts: Interval):
        cuts: list[tuple[Cut, Cut]] = []
        for part in sorted(parts, key=lambda p: p.start):
            if cuts and part.start <= cuts[-1][1]:
                cuts[-1] = (cuts[-1][0], max(cuts[-1][1], part.stop))
            else:
                cuts.append((part.start, part.stop))
        object.__setattr__(self, "parts", tuple(Interval.between(start, stop) for start, stop in cuts))

    def __or__(self, other: Intervals) -> Intervals:
        return Intervals(*self.parts, *other.parts)

    def __and__(self, other: Intervals) -> Intervals:
        shared = []
        for mine in self.parts:
            for theirs in other.parts:
                start, stop = max(mine.start, theirs.start), min(mine.stop, theirs.stop)
                if start < stop:
                    shared.append(Interval.between(start, stop))
        return Intervals(*shared)

    def __invert__(self) -> Intervals:
        cuts = [LOWEST, *(cut for part in self.parts for cut in (part.start, part.stop)), HIGHEST]
        pairs = zip(cuts[::2], cuts[1::2], strict=True)
        return Intervals(*(Interval.between(start, stop) for start, stop in pairs if start < stop))

    def __sub__(self, other: Intervals) -> Intervals:
        return self & ~other

    def __le__(self, other: Intervals) -> bool:
        """Is it all within the other?"""
        return not self - other

    def __contains__(self, number: Number) -> bool:
        return any(number in part for part in self.parts)

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __iter__(self) -> Iterator[Interval]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    def __str__(self) -> str:
        return " ∪ ".join(map(str, self.parts)) if self.parts else "∅"

    def condition(self, unknown: str = "x") -> str:
        """As a condition on the unknown: `x < 800 or x = 900`."""
        return " or ".join(part.condition(unknown) for part in self.parts) if self.parts else f"no {unknown}"


NOWHERE = Intervals()
EVERYWHERE = Intervals(Interval())


@dataclass(frozen=True)
class Line:
    """slope · x + start. If the start is infinite, the slope is 0."""

    slope: Fraction
    start: Extended

    def __call__(self, x: Fraction) -> Extended:
        return self.slope * x + self.start

    def crossing(self, other: Line) -> Fraction | None:
        """The x at which two lines cross."""
        if self.slope == other.slope or isinstance(self.start, float) or isinstance(other.start, float):
            return None
        return (other.start - self.start) / (self.slope - other.slope)

    def written(self, unknown: str) -> str:
        """As people write it: `x/2 + 100`."""
        if not self.slope:
            return written(self.start)
        above = "" if abs(self.slope.numerator) == 1 else str(abs(self.slope.numerator))
        below = "" if self.slope.denominator == 1 else f"/{self.slope.denominator}"
        term = f"{'−' if self.slope < 0 else ''}{above}{unknown}{below}"
        if not self.start:
            return term
        return f"{term} {'+' if self.start > 0 else '−'} {abs(self.start)}"


@dataclass(frozen=True, init=False)
class Piecewise:
    """A continuous function of one unknown that is linear between its breakpoints.

    lines[0] holds up to breakpoints[0], lines[1] from there to breakpoints[1], and so on; neighbours differ.
    """

    breakpoints: tuple[Fraction, ...]
    lines: tuple[Line, ...]
    unknown: str

    def __init__(self, breakpoints: Iterable[Fraction], lines: Iterable[Line], unknown: str = "x"):
        kept, pieces = list(breakpoints), list(lines)
        for i in range(len(kept) - 1, -1, -1):  # from the end, so that earlier indices stay valid
            if pieces[i] == pieces[i + 1]:
                del kept[i], pieces[i + 1]
        object.__setattr__(self, "breakpoints", tuple(kept))
        object.__setattr__(self, "lines", tuple(pieces))
        object.__setattr__(self, "unknown", unknown)

    @classmethod
    def constant(cls, value: Number, unknown: str = "x") -> Piecewise:
        """A constant function, possibly infinite."""
        return cls((), (Line(Fraction(0), extended(value, INF)),), unknown)

    @classmethod
    def identity(cls, unknown: str = "x") -> Piecewise:
        """The unknown itself."""
        return cls((), (Line(Fraction(1), Fraction(0)),), unknown)

    @property
    def slopes(self) -> tuple[Fraction, ...]:
        """The slope of each piece, from left to right."""
        return tuple(line.slope for line in self.lines)

    @property
    def is_constant(self) -> bool:
        """Is it a constant function?"""
        return len(self.lines) == 1 and not self.lines[0].slope

    def line_at(self, x: Fraction) -> Line:
        """The line at x; at a boundary, the left one."""
        for place, line in zip(self.breakpoints, self.lines, strict=False):
            if x <= place:
                return line
        return self.lines[-1]

    def __call__(self, x: Number) -> Extended:
        place = exact(x)
        return self.line_at(place)(place)

    def pieces(self) -> Iterator[tuple[Interval, Line]]:
        """Each piece with the closed interval on which it holds."""
        yield from zip(_cells(self.breakpoints, "[]"), self.lines, strict=True)

    def max(self, other: Piecewise) -> Piecewise:
        """The greater of the two, at each place."""
        return self._combined(other, lambda x: self.line_at(x) if self(x) >= other(x) else other.line_at(x))

    def min(self, other: Piecewise) -> Piecewise:
        """The lesser of the two, at each place."""
        return self._combined(other, lambda x: self.line_at(x) if self(x) <= other(x) else other.line_at(x))

    def __add__(self, other: Piecewise) -> Piecewise:
        def added(x: Fraction) -> Line:
            mine, theirs = self.line_at(x), other.line_at(x)
            return Line(mine.slope + theirs.slope, mine.start + theirs.start)

        return self._combined(other, added)

    def __mul__(self, weight: Number) -> Piecewise:
        by = exact(weight)
        if not by:
            return Piecewise.constant(0, self.unknown)  # an infinite value with no weight counts for nothing
        return Piecewise(self.breakpoints, (Line(by * li.slope, by * li.start) for li in self.lines), self.unknown)

    __rmul__ = __mul__

    def where_above(self, other: Piecewise | Number) -> Intervals:
        """The set on which it is greater than the other."""
        return self._where(other, lambda mine, theirs: mine > theirs)

    def where_below(self, other: Piecewise | Number) -> Intervals:
        """The set on which it is less than the other."""
        return self._where(other, lambda mine, theirs: mine < theirs)

    def where_equal(self, other: Piecewise | Number) -> Intervals:
        """The set on which the two are equal."""
        return self._where(other, lambda mine, theirs: mine == theirs)

    def where_at_least(self, other: Piecewise | Number) -> Intervals:
        """The set on which it is greater than or equal to the other."""
        return self._where(other, lambda mine, theirs: mine >= theirs)

    def where_at_most(self, other: Piecewise | Number) -> Intervals:
        """The set on which it is less than or equal to the other."""
        return self._where(other, lambda mine, theirs: mine <= theirs)

    def __str__(self) -> str:
        if len(self.lines) == 1:
            return self.lines[0].written(self.unknown)
        return "; ".join(
            f"{line.written(self.unknown)} where {part.condition(self.unknown)}" for part, line in self.pieces()
        )

    def _marks(self, other: Piecewise) -> list[Fraction]:
        """Every place at which either bends, or they cross: between two of these, the same one is ahead."""
        bends = sorted({*self.breakpoints, *other.breakpoints})
        crossings = set()
        for x in _samples(bends):
            place = self.line_at(x).crossing(other.line_at(x))
            if place is not None:
                crossings.add(place)  # a crossing outside the cell does no harm
        return sorted({*bends, *crossings})

    def _combined(self, other: Piecewise, line_at: Callable[[Fraction], Line]) -> Piecewise:
        marks = self._marks(other)
        return Piecewise(marks, (line_at(x) for x in _samples(marks)), self.unknown)

    def _where(self, other: Piecewise | Number, holds: Callable[[Extended, Extended], bool]) -> Intervals:
        theirs = other if isinstance(other, Piecewise) else Piecewise.constant(other)
        marks = self._marks(theirs)
        cells = list(zip(_samples(marks), _cells(marks, "()"), strict=True))
        cells += [(x, Interval(x, x)) for x in marks]
        return Intervals(*(cell for x, cell in cells if holds(self(x), theirs(x))))


def _cells(marks: Sequence[Fraction], ends: str) -> list[Interval]:
    """The intervals that the marks make of all numbers, from left to right."""
    places: list[Extended] = [-INF, *marks, INF]
    return [Interval(low, high, ends) for low, high in pairwise(places)]


def _samples(marks: Sequence[Fraction]) -> list[Fraction]:
    """A place within each of these."""
    if not marks:
        return [Fraction(0)]
    return [marks[0] - 1, *((low + high) / 2 for low, high in pairwise(marks)), marks[-1] + 1]
