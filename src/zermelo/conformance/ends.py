"""Findings on the end of the game: utilities, their sums, and estimates of them on the way."""

from __future__ import annotations

import math
import numbers
from typing import Any

from zermelo.conformance.declarations import sides
from zermelo.conformance.inspection import Broken, Inspection
from zermelo.conformance.report import shown

TOLERANCE = 1e-9
"""By how much sums of utilities may differ, relative to the greatest of them."""

EVALUATION_TOLERANCE = 1e-6
"""The same for evaluations, which are made of more arithmetic."""


class EndRules:
    """Findings on `utility` and `evaluate`."""

    def __init__(self, inspection: Inspection):
        self.inspection, self.game = inspection, inspection.game
        self.sides = sides(self.game)
        self.total: float | None = None  # what the sides' utilities add up to, where the game is zero-sum
        self._where: tuple[str, ...] = ()

    def utilities(self, s: Any) -> tuple[float, ...]:
        """What the end is worth to each player, each number looked at."""
        return tuple(self._utility(s, p) for p in range(self.game.players))

    def visit(self, s: Any, utilities: tuple[float, ...]) -> None:
        """Examine an end that is worth so much to each player."""
        inspection = self.inspection
        self.check_sums(s, utilities)
        more, _ = inspection.attempt("actions", s)  # that it may raise here is no fault: nothing asks it
        if more:
            said = f"the game is over, and `actions` still yields {inspection.move_name(s, more[0])}"
            inspection.note("actions-after-end", said, s)

    def _utility(self, s: Any, p: int) -> float:
        inspection = self.inspection
        utility = inspection.call("utility", s, p)
        if not isinstance(utility, numbers.Real):
            said = f"`utility` gives {shown(utility)} for player {p}; it gives a number"
            inspection.note("wrong-type", said, s, about="utility")
            raise Broken
        if not math.isfinite(utility):
            inspection.note("utility-not-finite", f"`utility` gives {float(utility)} for player {p}", s)
            raise Broken
        low, high = self.game.utility_range
        if not low <= float(utility) <= high:
            said = f"`utility` gives {float(utility):g} for player {p}; utility_range is {low:g} to {high:g}"
            inspection.note("utility-out-of-range", said, s)
        return float(utility)

    def check_sums(self, s: Any, utilities: tuple[float, ...]) -> None:
        """Do partners get the same, and all sides together always the same?"""
        inspection = self.inspection
        near = TOLERANCE * max(1.0, *(abs(u) for u in utilities))
        for side, members in self.sides.items():
            worth = [utilities[p] for p in members]
            if max(worth) - min(worth) > near:
                said = f"players {shown(members)} are on side {shown(side)}, and their utilities are {shown(worth)}"
                inspection.note("side-utilities-differ", said, s)
                return
        if not self.game.zero_sum or len(self.sides) == 1:
            return
        total = sum(utilities[members[0]] for members in self.sides.values())
        if self.total is None:
            self.total, self._where = total, inspection.move_names()
        elif abs(total - self.total) > near:
            said = (
                f"zero_sum is declared, but the sides' utilities {shown(utilities)} add up to {total:g}, "
                f"and to {self.total:g} after {' '.join(self._where) or 'no moves'}"
            )
            inspection.note("not-zero-sum", said, s)

    def check_evaluation(self, s: Any) -> None:
        """Examine the game's own evaluation of a state that is not the end."""
        inspection = self.inspection
        if not self.game.offers("evaluate"):
            return
        low, high = self.game.utility_range
        values = []
        for p in range(self.game.players):
            value = inspection.call("evaluate", s, p)
            if not isinstance(value, numbers.Real) or not math.isfinite(value):
                inspection.note("evaluation-not-finite", f"`evaluate` gives {shown(value)} for player {p}", s)
                return
            if not low <= float(value) <= high:
                said = f"`evaluate` gives {float(value):g} for player {p}; utility_range is {low:g} to {high:g}"
                inspection.note("evaluation-out-of-range", said, s)
            values.append(float(value))
        if self.game.zero_sum and len(self.sides) == 2 and self.total is not None:
            total = sum(values[members[0]] for members in self.sides.values())
            if abs(total - self.total) > EVALUATION_TOLERANCE * max(1.0, *(abs(v) for v in values)):
                said = f"the evaluations {shown(values)} add up to {total:g}, and utilities to {self.total:g}"
                inspection.note("evaluation-not-zero-sum", said, s)
