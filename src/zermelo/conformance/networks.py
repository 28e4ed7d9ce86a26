"""Findings on what a game tells a network: phases, lists and changes of features, and what the outputs mean."""

from __future__ import annotations

import contextlib
import math
import numbers
from typing import Any

import numpy as np

from zermelo.conformance.inspection import Broken, Inspection
from zermelo.conformance.report import shown
from zermelo.networks.changes import MEMORY
from zermelo.networks.network import SPARE
from zermelo.networks.outcomes import ExpectedUtility

TOLERANCE = 1e-5
"""By how much amounts may differ: lists of features are in single precision."""


class NetworkRules:
    """Findings on the methods that only a network asks."""

    def __init__(self, inspection: Inspection):
        self.inspection, self.game = inspection, inspection.game
        finite = all(map(math.isfinite, self.game.utility_range))
        two_sides = self.game.zero_sum and len({self.game.side(p) for p in range(self.game.players)}) == 2
        self._asked = self.game.offers("features") and two_sides and (finite or self.game.predicts is not None)

    def visit(self, s: Any, moves: list[Any]) -> None:
        """Examine a state in which a player is to move, with its legal moves."""
        if not self._asked:
            return
        for check in (self._check_phase, self._check_list, self._check_changes):
            with contextlib.suppress(Broken):
                check(s, moves)

    def _check_phase(self, s: Any, moves: list[Any]) -> None:
        inspection = self.inspection
        phase, names = inspection.call("phase", s), inspection.call("phase_names")
        if not isinstance(phase, numbers.Integral) or not 0 <= int(phase) < len(names):
            said = f"`phase` gives {shown(phase)}; `phase_names` gives {len(names)} names, and phases count from 0"
            inspection.note("bad-phase", said, s)
        viewer = inspection.call("viewer", s)
        if not isinstance(viewer, numbers.Integral) or not 0 <= int(viewer) < self.game.players:
            said = f"`viewer` gives {shown(viewer)}; players are numbered from 0 to {self.game.players - 1}"
            inspection.note("bad-phase", said, s, about="viewer")

    def _check_list(self, s: Any, moves: list[Any]) -> None:
        if not self.game.offers("list_features"):
            return
        room = 2 * len(self.game.feature_names()) + SPARE
        numbered, amounts = np.zeros(room, np.int64), np.zeros(room, np.float32)
        for p in range(self.game.players):
            count = self.inspection.call("list_features", s, p, numbered, amounts)
            if not isinstance(count, numbers.Integral) or not 0 <= int(count) <= room:
                said = f"`list_features` gives {shown(count)}; it gives how many features it has written, up to {room}"
                self.inspection.note("features-disagree", said, s)
                return
            listed: dict[int, float] = {}
            for i in range(int(count)):
                listed[int(numbered[i])] = listed.get(int(numbered[i]), 0.0) + float(amounts[i])
            self._compare(s, "`list_features` writes", listed, self._features(s, p))

    def _check_changes(self, s: Any, moves: list[Any]) -> None:
        if not self.game.offers("list_changes"):
            return
        room = 2 * len(self.game.input_names()) + SPARE
        numbered, amounts = np.zeros(room, np.int64), np.zeros(room, np.float32)
        last: dict[Any, Any] = {}
        kept: dict[Any, dict[int, float]] = {}
        for a in moves[:4]:
            after = self.inspection.call("result", s, a)
            if self.inspection.call("is_terminal", after):
                continue
            viewer = self.inspection.call("viewer", after)
            key = viewer, self.inspection.call("phase", after)
            words = last.setdefault(key, np.zeros(MEMORY, np.uint64))
            for i in range(int(self.inspection.call("list_changes", after, viewer, words, numbered, amounts))):
                kept.setdefault(key, {})[int(numbered[i])] = float(amounts[i])
            wanted = self._inputs(after, viewer, numbered, amounts)
            self._compare(after, "with `list_changes` there is", kept.get(key, {}), wanted, "`list_inputs` writes")

    def _features(self, s: Any, p: int) -> dict[int, float]:
        found: dict[int, float] = {}
        for number, amount in self.inspection.listed("features", s, p):
            found[int(number)] = found.get(int(number), 0.0) + float(amount)
        return found

    def _inputs(self, s: Any, p: int, numbered: Any, amounts: Any) -> dict[int, float]:
        found: dict[int, float] = {}
        for i in range(int(self.inspection.call("list_inputs", s, p, numbered, amounts))):
            found[int(numbered[i])] = found.get(int(numbered[i]), 0.0) + float(amounts[i])
        return found

    def _compare(
        self, s: Any, who: str, found: dict[int, float], wanted: dict[int, float], other_one: str = "`features` yields"
    ) -> None:
        for number in sorted(found.keys() | wanted.keys()):
            one, other = found.get(number, 0.0), wanted.get(number, 0.0)
            if not abs(one - other) <= TOLERANCE * max(1.0, abs(other)):
                said = f"{who} {one:g} of feature {number}, and {other_one} {other:g}"
                self.inspection.note("features-disagree", said, s)
                return

    def visit_end(self, s: Any) -> None:
        """Examine a state in which the game is over: what the outputs should be there."""
        if not self._asked:
            return
        part = self.game.predicts or ExpectedUtility()
        try:
            said = self._wrong_outcomes(part, s)
        except Exception as error:
            said = f"`predicts` raises {type(error).__name__}: {error}"
        if said:
            self.inspection.note("bad-outcomes", said, s)

    def _wrong_outcomes(self, part: Any, s: Any) -> str:
        """What is wrong with the part that says what the outputs mean; empty if nothing is."""
        game = self.game
        if part.count != len(part.names):
            return f"`predicts` has {part.count} outputs and {len(part.names)} names"
        p = 0
        q = next(other for other in range(game.players) if game.side(other) != game.side(p))
        own, theirs = (np.array([part.target(game, s, who, k) for k in range(part.count)]) for who in (p, q))
        for name, target in zip(part.names, own, strict=True):
            if not 0 <= target <= 1:
                return f"`target` of {name!r} gives {target:g}; outputs are from 0 to 1"
        for k, name in enumerate(part.names):
            turned = part.turned(own, k)
            if abs(turned - theirs[k]) > TOLERANCE:
                return f"`turned` of {name!r} gives {turned:g}, and the opponent's `target` is {theirs[k]:g}"
        return ""
