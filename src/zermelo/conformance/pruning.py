"""Findings on what lets an engine leave moves out: noisy and forcing moves, what they gain, passes and repetitions.

Nobody sees when such an answer is wrong: the engine only plays worse. So each is compared with the others, and with the
textbook's methods.
"""

from __future__ import annotations

import contextlib
import math
import numbers
import statistics
from typing import Any

import numpy as np

from zermelo.conformance.ends import EndRules
from zermelo.conformance.inspection import Broken, Inspection
from zermelo.conformance.moves import legal_ones
from zermelo.conformance.report import shown
from zermelo.conformance.samples import Sample
from zermelo.game.protocol import CHANCE
from zermelo.kernel.random import Random
from zermelo.search.engine.pruning import PROBCUT_CHECKS, PROBCUT_DEPTH

ROOM = 4096
"""How many moves the arrays take into which the game writes them."""

DEPTHS = 12
"""For how many depths ProbCut's predictions are examined."""

GAINS = 1_000
"""In how many states the gain of a noisy move is compared with what the evaluation says after it."""

ENOUGH, AGAINST = 20, -0.2
"""From so many gains on, a correlation below this is taken for a wrong sign."""


class PruningRules:
    """Findings on the methods by which an engine decides what not to search."""

    def __init__(self, inspection: Inspection, ends: EndRules, seed: int):
        self.inspection, self.game, self.ends = inspection, inspection.game, ends
        self.random = Random(seed ^ 0x9A55)
        self.passes = "null_move" in self.game.forward_pruning
        self._room: Any = None
        self._gains: list[tuple[float, float, Any, Sample]] = []  # gain, what the evaluation rises by, the move, where

    def visit(self, s: Any, moves: list[Any]) -> None:
        """Examine a state in which a player is to move, with its legal moves."""
        with contextlib.suppress(Broken):
            self._check_lists("count_actions", "list_actions", "actions", s, moves)
        noisy: list[Any] = []
        with contextlib.suppress(Broken):
            noisy = self._check_noisy(s, moves)
        with contextlib.suppress(Broken):
            self._check_forcing(s, moves, noisy)
        for method, check in (
            ("may_stand", self._check_stand),
            ("plies_left", self._check_plies_left),
            ("after_pass", self._check_pass),
            ("probcut", self._check_probcut),
        ):
            if self.game.offers(method):
                with contextlib.suppress(Broken):
                    check(s)

    def visit_again(self, s: Any) -> None:
        """Examine a state that may have occurred before: does `recurs` say so of no other?"""
        inspection = self.inspection
        if not self.game.uses_history or not self.game.offers("recurs") or not self._holds("recurs", s):
            return
        if self.game.occurrences(inspection.call("history_key", s)) < 2:
            inspection.note("recurs", "`recurs` gives True, and the position has not occurred before", s)
            return
        self.ends.check_sums(s, self.ends.utilities(s))  # which a search then takes for the end's

    def finish(self) -> None:
        """When all games are played: do gains go with what the evaluation says?"""
        if len(self._gains) < ENOUGH:
            return
        gains, rises, moves, samples = zip(*self._gains, strict=True)
        try:
            correlation = statistics.correlation(gains, rises)
        except statistics.StatisticsError:  # one or the other is constant
            return
        if correlation < AGAINST:
            i = min(range(len(gains)), key=lambda i: gains[i] - rises[i])
            self.inspection.path[:] = samples[i].path
            s = samples[i].state
            said = (
                f"the correlation of `gain` with what noisy moves add to the evaluation is {correlation:.2f}: for "
                f"{self.inspection.move_name(s, moves[i])} it gives {gains[i]:g}, and they add {rises[i]:g}"
            )
            self.inspection.note("gain-against-evaluation", said, s)

    # Lists of moves.

    def _check_lists(self, counting: str, listing: str, yielding: str, s: Any, moves: list[Any]) -> None:
        """Are the moves that are counted, and written into an array, those that are yielded?"""
        inspection = self.inspection
        if counting and self.game.offers(counting):
            count = inspection.call(counting, s)
            if count != len(moves):
                said = f"`{counting}` gives {shown(count)}, and `{yielding}` yields {len(moves)}"
                inspection.note("moves-disagree", said, s, about=counting)
        if self.game.offers(listing):
            if self._room is None:
                self._room = np.zeros(ROOM, np.int64 if inspection.fixed_width else object)
            count = inspection.call(listing, s, self._room)
            written = list(self._room[:count]) if isinstance(count, numbers.Integral) else None
            if written is None or len(written) != len(moves) or set(written) != set(moves):
                said = f"`{listing}` writes {shown(written)}, and `{yielding}` yields {shown(moves)}"
                inspection.note("moves-disagree", said, s, about=listing)

    def _check_noisy(self, s: Any, moves: list[Any]) -> list[Any]:
        """Examine the noisy moves, and return them."""
        inspection = self.inspection
        if not self.game.offers("noisy_actions"):
            return []
        noisy = legal_ones(inspection, "noisy_actions", "noisy-actions", s, moves)
        self._check_lists("", "list_noisy_actions", "noisy_actions", s, noisy)
        if self.game.offers("is_noisy"):
            for a in moves:
                said_so = self._holds("is_noisy", s, a)
                if said_so != (a in noisy):
                    yields = "yields it" if a in noisy else "does not yield it"
                    said = f"`is_noisy` gives {said_so} for {inspection.move_name(s, a)}, and `noisy_actions` {yields}"
                    inspection.note("moves-disagree", said, s, about="is_noisy")
        if noisy and self.game.offers("gain"):
            self._check_gain(s, noisy[self.random.below(len(noisy))])
        return noisy

    def _check_gain(self, s: Any, a: Any) -> None:
        inspection = self.inspection
        gain = inspection.call("gain", s, a)
        if not isinstance(gain, numbers.Real) or math.isnan(gain):
            said = f"`gain` gives {shown(gain)} for {inspection.move_name(s, a)}"
            inspection.note("gain-not-a-number", said, s)
        elif math.isfinite(gain) and self.game.offers("evaluate") and len(self._gains) < GAINS:
            after = inspection.after(s, a)
            p = int(inspection.call("to_move", s))
            worth = inspection.call("utility" if inspection.call("is_terminal", after) else "evaluate", after, p)
            rise = float(worth) - float(inspection.call("evaluate", s, p))
            self._gains.append((float(gain), rise, a, Sample(s, tuple(inspection.path))))

    def _check_forcing(self, s: Any, moves: list[Any], noisy: list[Any]) -> None:
        inspection = self.inspection
        if not self.game.offers("forcing_actions"):
            return
        forcing = legal_ones(inspection, "forcing_actions", "forcing-actions", s, moves)
        self._check_lists("", "list_forcing_actions", "forcing_actions", s, forcing)
        for a in forcing:
            move = inspection.move_name(s, a)
            if a in noisy:
                said = f"`forcing_actions` yields {move}, and so does `noisy_actions`"
                inspection.note("forcing-actions", said, s)
            elif self.game.offers("may_stand"):
                after = inspection.after(s, a)
                if not inspection.call("is_terminal", after) and self._holds("may_stand", after):
                    said = f"`forcing_actions` yields {move}, after which `may_stand` gives True"
                    inspection.note("forcing-actions", said, s)

    # Standing and passing.

    def _check_stand(self, s: Any) -> None:
        self._holds("may_stand", s)

    def _check_plies_left(self, s: Any) -> None:
        left = self.inspection.call("plies_left", s)
        if not isinstance(left, numbers.Integral) or left < 0:
            said = f"`plies_left` gives {shown(left)}; it gives a whole number of at least 0"
            self.inspection.note("wrong-type", said, s, about="plies_left")

    def _check_pass(self, s: Any) -> None:
        """Where an engine may let the mover pass, is it the opponent's turn then, in a state that can be played on?"""
        inspection = self.inspection
        if not self.passes or not self._holds("may_pass", s) or not self._holds("may_stand", s):
            return
        after = inspection.call("after_pass", s)
        if type(after) is not type(s):
            said = f"`after_pass` gives a {type(after).__name__}, not a {type(s).__name__}"
            inspection.note("after-pass", said, s)
            return
        mover, other = int(inspection.call("to_move", s)), int(inspection.call("to_move", after))
        if other == CHANCE or self.game.side(other) == self.game.side(mover):
            inspection.note("after-pass", f"after `after_pass` it is {self.game.player_name(other)}'s turn", s)
        elif not inspection.call("is_terminal", after) and not inspection.listed("actions", after):
            inspection.note("after-pass", "after `after_pass` the game is not over, and there is no legal move", s)

    def _check_probcut(self, s: Any) -> None:
        """Does each prediction lead from a shallower search to a deeper one, by a line that rises?"""
        depth, number = PROBCUT_DEPTH + self.random.below(DEPTHS), self.random.below(PROBCUT_CHECKS)
        found = self.inspection.call("probcut", s, depth, number)
        if isinstance(found, tuple) and len(found) == 4 and all(isinstance(each, numbers.Real) for each in found):
            shallow, slope, offset, error = found
            if shallow == 0:  # no prediction
                return
            is_depth = isinstance(shallow, int | np.integer) and 0 < shallow < depth
            if is_depth and 0 < slope < math.inf and math.isfinite(offset) and 0 <= error < math.inf:
                return
        self.inspection.note("bad-probcut", f"`probcut` gives {shown(found)} for depth {depth}, number {number}", s)

    def _holds(self, method: str, s: Any, *more: Any) -> bool:
        """What a method answers that says True or False."""
        answer = self.inspection.call(method, s, *more)
        if not isinstance(answer, bool | np.bool_ | numbers.Integral):
            said = f"`{method}` gives {shown(answer)}; it gives True or False"
            self.inspection.note("wrong-type", said, s, about=method)
            raise Broken
        return bool(answer)
