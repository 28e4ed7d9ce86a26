"""Findings on chance: the outcomes, their probabilities, and whether drawing agrees with them."""

from __future__ import annotations

import contextlib
import math
import numbers
from typing import Any

from zermelo.conformance.inspection import LISTED, Broken, Draw, Inspection
from zermelo.conformance.report import shown
from zermelo.game.protocol import CHANCE
from zermelo.kernel.random import Random
from zermelo.search.textbook import DEFAULT_WIDTH

TOLERANCE = 1e-9
"""By how much probabilities may miss 1: what search allows too."""

STATES_DRAWN = 20
DRAWS = 2_000
"""In so many chance states so many outcomes are drawn, to compare frequencies with probabilities."""

EXPECTED = 10
"""How often an outcome must be expected before its frequency is looked at by itself; the rarer are put together."""

DEVIATION = 6.0
"""How many standard deviations chi-squared may be too high: one in a billion correct games would be."""


class ChanceRules:
    """Findings at chance nodes."""

    def __init__(self, inspection: Inspection, seed: int):
        self.inspection, self.game = inspection, inspection.game
        self.random = Random(seed ^ 0xC4A1CE)
        self._lists = self.game.offers("outcomes")
        self._draws = self.game.offers("draw")
        self._seen = self._sampled = 0

    def visit(self, s: Any, new: bool) -> tuple[int, Any]:
        """Examine a chance node; returns how many outcomes are listed, and one of them, or a Draw."""
        inspection = self.inspection
        self._seen += 1
        if not self.game.chance:
            inspection.note("chance-not-declared", "`to_move` gives CHANCE, but the game does not declare chance", s)
        if self.game.deals_once and any(self.game.to_move(before) != CHANCE for before, _ in inspection.path):
            inspection.note("chance-after-deal", "deals_once is declared, but CHANCE moves after a player", s)
        if not self._lists and not self._draws:
            inspection.note("no-outcomes", "CHANCE moves, and neither `outcomes` nor `draw` is written", s)
            raise Broken
        probabilities = self._probabilities(s) if self._lists else {}
        draw = Draw(self.random.bits())
        if self._draws and new:
            self._check_draw(s, draw)
            if self._lists and self._sampled < STATES_DRAWN:
                self._sampled += 1
                with contextlib.suppress(Broken):
                    self._check_frequencies(s, probabilities)
        return len(probabilities), self._chosen(probabilities) if self._lists else draw

    def finish(self) -> None:
        """When all games are played: what was never met."""
        if self.game.chance and not self._seen and not self.inspection.has("raises", "never-returns"):
            self.inspection.note("chance-never-seen", "chance is declared, but CHANCE was never to move")

    def _probabilities(self, s: Any) -> dict[Any, float]:
        """The outcomes with their probabilities, each pair looked at."""
        inspection = self.inspection
        pairs = inspection.listed("outcomes", s)
        if not pairs:
            inspection.note("no-outcomes", "CHANCE is to move, and `outcomes` yields nothing", s)
            raise Broken
        found: dict[Any, float] = {}
        for pair in pairs:
            outcome, probability = self._pair(s, pair)
            if outcome in found:
                inspection.note("repeated-outcomes", f"`outcomes` yields {shown(outcome)} more than once", s)
            found[outcome] = found.get(outcome, 0.0) + probability
        total = math.fsum(found.values())
        if len(pairs) == LISTED:
            inspection.note("endless-actions", f"`outcomes` yields {LISTED:,} outcomes or more", s, about="outcomes")
        elif abs(total - 1.0) > TOLERANCE:
            inspection.note(
                "probabilities-sum", f"the probabilities of {len(pairs)} outcomes add up to {total:.12g}", s
            )
        self._check_width(s, sum(p > 0 for p in found.values()))
        return found

    def _pair(self, s: Any, pair: Any) -> tuple[Any, float]:
        inspection = self.inspection
        if not isinstance(pair, tuple) or len(pair) != 2 or not inspection.is_hashable(pair[0]):
            said = f"`outcomes` yields {shown(pair)}, which is not a pair of an outcome and its probability"
        elif not isinstance(pair[1], numbers.Real) or not 0 <= float(pair[1]) <= 1 + TOLERANCE:
            said = f"`outcomes` gives {shown(pair[0])} the probability {shown(pair[1])}"
        elif inspection.fixed_width and not isinstance(pair[0], numbers.Integral):
            said = f"the outcome {shown(pair[0])} is not a whole number, as outcomes must be if states have widths"
        else:
            return pair[0], float(pair[1])
        inspection.note("bad-outcome", said, s)
        raise Broken

    def _check_width(self, s: Any, count: int) -> None:
        most = self.game.max_actions
        if isinstance(most, int) and count > most:
            said = f"`outcomes` yields {count} outcomes; max_actions, which covers them too, is {most}"
        elif most is None and count > DEFAULT_WIDTH:
            said = f"`outcomes` yields {count} outcomes; without a declaration, search makes room for {DEFAULT_WIDTH}"
        else:
            return
        self.inspection.note("too-many-actions", said, s, about="outcomes")

    def _chosen(self, probabilities: dict[Any, float]) -> Any:
        left = self.random.uniform()
        for outcome, probability in probabilities.items():
            left -= probability
            if left < 0:
                return outcome
        return max(probabilities, key=lambda outcome: probabilities[outcome])  # the sum is less than 1

    def _check_draw(self, s: Any, draw: Draw) -> None:
        """The game's own `draw` must give the same state again from the same random numbers."""
        inspection = self.inspection
        drawn, again = (inspection.after(s, draw) for _ in range(2))
        if not inspection.are_equal(drawn, again):
            said = f"`draw` gives {shown(drawn)}, and {shown(again)} from the same random numbers"
            inspection.note("draw-differs", said, s)
            raise Broken

    def _check_frequencies(self, s: Any, probabilities: dict[Any, float]) -> None:
        """Pearson's chi-squared test of many draws against the listed probabilities."""
        inspection = self.inspection
        expected: dict[Any, float] = {}  # by the state that comes of it
        outcome_of: dict[Any, Any] = {}
        for outcome, probability in probabilities.items():
            if probability > 0.0:
                after = inspection.after(s, outcome)
                if not inspection.is_hashable(after):
                    return
                expected[after] = expected.get(after, 0.0) + probability
                outcome_of[after] = outcome
        counts = dict.fromkeys(expected, 0)
        draws = 0
        while draws < DRAWS and not inspection.clock.is_up:
            after = inspection.after(s, Draw(self.random.bits()))
            if after not in counts:
                said = f"`draw` gives {shown(after)}, to which no outcome leads that has a probability above 0"
                inspection.note("draw-not-an-outcome", said, s)
                return
            counts[after] += 1
            draws += 1
        rare = {after for after, p in expected.items() if p * draws < EXPECTED}
        cells = [(counts[x], p * draws, shown(outcome_of[x])) for x, p in expected.items() if x not in rare]
        often = sum(expected[x] for x in rare) * draws
        if often >= EXPECTED:
            cells.append((sum(counts[x] for x in rare), often, f"one of {len(rare)} rare outcomes"))
        if len(cells) < 2:
            return
        chi_squared = sum((seen - wanted) ** 2 / wanted for seen, wanted, _ in cells)
        if _deviation(chi_squared, len(cells) - 1) > DEVIATION:
            seen, wanted, name = max(cells, key=lambda cell: (cell[0] - cell[1]) ** 2 / cell[1])
            said = f"of {draws:,} draws {seen:,} gave {name}; by `outcomes` {wanted:,.0f} were to be expected"
            inspection.note("draw-frequencies", said, s)


def _deviation(chi_squared: float, freedom: int) -> float:
    """By how many standard deviations chi-squared is too high, by its cube root (Wilson and Hilferty 1931)."""
    spread = 2 / (9 * freedom)
    return float((chi_squared / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
