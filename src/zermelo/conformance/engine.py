"""Findings on what a game tells an engine: bounds, safe moves, canonical keys, features, and where passing is unsafe.

Engines trust these answers blindly, so each is compared with what the textbook's methods say, as far as that is cheap.
"""

from __future__ import annotations

import contextlib
import math
import numbers
from functools import cached_property
from typing import Any

from zermelo.conformance.declarations import sides
from zermelo.conformance.inspection import Broken, Inspection
from zermelo.conformance.moves import legal_ones
from zermelo.conformance.report import shown
from zermelo.kernel.random import Random

REPLIES, REPLIES_IN_DANGER = 8, 128
"""Where two moves can go many more ways than this, safe moves are compared in so much a smaller part of the states."""

SOLVED = 2_000
"""How many states a claim of `bounds` may take to be proven or refuted."""

SOLVED_IN_ALL = 50_000
"""How many states this may take in all."""

LATE = 8
"""In how many states before the end of each game."""

DEEP = 100
"""How many plies are looked ahead."""

TOLERANCE = 1e-9
"""By how much, relatively, bounds may miss a value, and a sum of features another."""


class EngineRules:
    """Findings on the methods that only an engine asks."""

    def __init__(self, inspection: Inspection, seed: int):
        self.inspection, self.game = inspection, inspection.game
        self.random = Random(seed ^ 0xE26)
        self._left = SOLVED_IN_ALL
        self._by_key: dict[int, tuple[Any, Any]] = {}  # each canonical key with a state and what can be told of it
        game = self.game
        two_sides = game.zero_sum and len(sides(game)) == 2
        self._plain_rules = two_sides and not (game.chance or game.hidden or game.uses_history)

    @cached_property
    def _feature_count(self) -> int:
        return len(self.game.feature_names())  # listing the names takes long if there are a hundred thousand

    def visit(self, s: Any, moves: list[Any]) -> None:
        """Examine a state in which a player is to move, with its legal moves."""
        game = self.game
        for method, check in (
            ("safe_actions", self._check_safe),
            ("canonical_key", self._check_key),
            ("mirror_image", self._check_mirror),
            ("features", self._check_features),
            ("bounds", self._check_bounds),
        ):
            if game.offers(method):
                with contextlib.suppress(Broken):
                    check(s, moves)

    def visit_end(self, s: Any, utilities: tuple[float, ...]) -> None:
        """Examine an end that is worth so much to each player."""
        mover, error = self.inspection.attempt("to_move", s)  # that it may raise here is no fault
        if error is not None or not isinstance(mover, numbers.Integral) or not 0 <= int(mover) < len(utilities):
            return
        worth = utilities[int(mover)]
        with contextlib.suppress(Broken):
            if self.game.offers("canonical_key"):
                self._file(s, (True, worth))
            if self.game.offers("bounds"):
                self._check_end(s, worth)

    def look_back(self, states: list[Any]) -> None:
        """When a game has ended: are claims right where so little was left that it can be solved?"""
        checks = [
            check
            for check, claimed in (
                (self._check_claims, self.game.offers("bounds")),
                (self._check_burden, "null_move" in self.game.forward_pruning),
            )
            if claimed
        ]
        if not self._plain_rules or not checks or not self.inspection.is_hashable(states[0]):
            return
        path = list(self.inspection.path)
        with contextlib.suppress(Broken):
            for ply in reversed(range(max(0, len(path) - LATE), len(path))):
                self.inspection.path[:] = path[:ply]
                if not all(check(states[ply]) for check in checks):
                    break  # the earlier ones would take even longer
        self.inspection.path[:] = path

    # Moves.

    def _check_safe(self, s: Any, moves: list[Any]) -> None:
        inspection = self.inspection
        found = legal_ones(inspection, "safe_actions", "safe-actions", s, moves)
        ways = REPLIES if len(found) == len(moves) else REPLIES_IN_DANGER
        if not self._plain_rules or self.random.below(1 + len(moves) ** 2 // ways) > 0:
            return
        mover = int(inspection.call("to_move", s))
        after = {a: inspection.after(s, a) for a in moves}
        if any(self._has_won(then, mover) for then in after.values()):
            return  # nobody asks then
        for a, then in after.items():
            if inspection.call("is_terminal", then):
                continue
            opponent = int(inspection.call("to_move", then))
            same_side = self.game.side(opponent) == self.game.side(mover)
            replies = [] if same_side else inspection.listed("actions", then)
            wins = [b for b in replies if self._has_won(inspection.after(then, b), opponent)]
            move = inspection.move_name(s, a)
            if wins and a in found:
                said = f"`safe_actions` yields {move}, after which {inspection.move_name(then, wins[0])} wins at once"
                inspection.note("safe-actions", said, s)
            elif not wins and a not in found:
                said = f"`safe_actions` leaves out {move}, after which the opponent cannot win at once"
                inspection.note("safe-actions", said, s)

    def _has_won(self, s: Any, p: int) -> bool:
        """Is the game over, and is that the best that player p could have?"""
        if not self.inspection.call("is_terminal", s):
            return False
        return bool(self.inspection.call("utility", s, p) >= self.game.utility_bounds(p)[1])

    # Keys.

    def _check_key(self, s: Any, moves: list[Any]) -> None:
        self._file(s, (False, len(moves)))

    def _file(self, s: Any, told: Any) -> None:
        """Has another state the same canonical key? Only where the same can be told of it."""
        inspection = self.inspection
        key = inspection.call("canonical_key", s)
        if not isinstance(key, numbers.Integral):
            said = f"`canonical_key` gives {shown(key)}; it gives a whole number"
            inspection.note("wrong-type", said, s, about="canonical_key")
        elif not 0 <= int(key) < 1 << 64:
            said = f"`canonical_key` gives {shown(key)}, which is not a number of 64 bits without a sign"
            inspection.note("key-width", said, s, about="canonical_key")
        elif not self.game.uses_history:
            other, told_of_other = self._by_key.setdefault(int(key), (s, told))
            if told != told_of_other:
                said = (
                    f"`canonical_key` gives {int(key)} here, and also for {shown(other)}, which is worth something else"
                )
                inspection.note("canonical-key", said, s)

    def _check_mirror(self, s: Any, moves: list[Any]) -> None:
        """A mirror image has the same mover and as many moves, and its own image is the state itself."""
        inspection = self.inspection
        image = inspection.call("mirror_image", s)
        if type(image) is not type(s):
            said = f"`mirror_image` gives {shown(image)}; it gives a state"
            inspection.note("wrong-type", said, s, about="mirror_image")
            return
        if inspection.call("to_move", image) != inspection.call("to_move", s):
            said = "another player is to move in the image"
        elif len(inspection.listed("actions", image)) != len(moves):
            said = f"the image has other than {len(moves)} legal moves"
        elif inspection.call("mirror_image", image) != s:
            said = "the image of the image is another state"
        else:
            return
        inspection.note("mirror-image", f"`mirror_image` gives {shown(image)}: {said}", s)

    # Bounds.

    def _check_bounds(self, s: Any, moves: list[Any]) -> None:
        self._bounds(s)

    def _bounds(self, s: Any) -> tuple[float, float]:
        inspection = self.inspection
        given = inspection.call("bounds", s)
        low, high = self.game.utility_range
        if not isinstance(given, tuple) or len(given) != 2 or not all(isinstance(x, numbers.Real) for x in given):
            said = f"`bounds` gives {shown(given)}; it gives a pair of numbers"
        elif not given[0] <= given[1]:
            said = f"`bounds` gives {shown(given)}; the least comes first"
        elif not (low <= given[0] and given[1] <= high):
            said = f"`bounds` gives {shown(given)}; utility_range is {low:g} to {high:g}"
        else:
            return float(given[0]), float(given[1])
        inspection.note("bounds-no-range", said, s)
        raise Broken

    def _check_end(self, s: Any, worth: float) -> None:
        """Are the bounds of an end right that is worth so much to the player to move?"""
        low, high = self._bounds(s)
        near = TOLERANCE * max(1.0, abs(worth))
        if not low - near <= worth <= high + near:
            said = f"`bounds` gives {low:g} to {high:g} at an end that is worth {worth:g} to the player to move"
            self.inspection.note("bounds-wrong", said, s)

    def _check_claims(self, s: Any) -> bool:
        """Does best play keep within `bounds`? Returns False where it takes too long to tell."""
        inspection = self.inspection
        low, high = self._bounds(s)
        least, greatest = self.game.utility_range
        p = int(inspection.call("to_move", s))
        said = f"`bounds` gives {low:g} to {high:g} here, and with best play the player to move gets"
        if low > least:
            reached = self._reaches(s, p, low - TOLERANCE * max(1.0, abs(low)), {})
            if reached is None:
                return False
            if not reached:
                inspection.note("bounds-wrong", f"{said} less", s)
        if high < greatest:
            reached = self._reaches(s, p, high + TOLERANCE * max(1.0, abs(high)), {})
            if reached is None:
                return False
            if reached:
                inspection.note("bounds-wrong", f"{said} more", s)
        return True

    def _check_burden(self, s: Any) -> bool:
        """Is no move worse than passing where the mover may pass? Returns False where it takes too long to tell."""
        inspection = self.inspection
        if inspection.has("after-pass", "wrong-type"):
            return True
        if not inspection.call("may_pass", s) or not inspection.call("may_stand", s):
            return True
        p, after = int(inspection.call("to_move", s)), inspection.call("after_pass", s)
        low, high = self.game.utility_range
        for wanted in (high, (low + high) / 2):
            passing, moving = self._reaches(after, p, wanted, {}), self._reaches(s, p, wanted, {})
            if passing is None or moving is None:
                return False
            if passing and not moving:
                said = "`may_pass` gives True, and whatever is played, passing would have been better"
                inspection.note("may-pass", said, s)
                break
        return True

    def _reaches(self, s: Any, p: int, wanted: float, known: dict[Any, bool], ply: int = 0) -> bool | None:
        """Can player p get so much, whatever the others do? None where that is too far to see."""
        inspection, game = self.inspection, self.game
        if s in known:
            return known[s]
        self._left -= 1
        if len(known) >= SOLVED or ply == DEEP or self._left < 0 or inspection.clock.is_up:
            return None
        if inspection.call("is_terminal", s):
            answer = bool(inspection.call("utility", s, p) >= wanted)
        else:
            own = game.side(int(inspection.call("to_move", s))) == game.side(p)
            answer = not own
            for a in inspection.listed("actions", s):
                reached = self._reaches(inspection.after(s, a), p, wanted, known, ply + 1)
                if reached is None:
                    return None
                if reached == own:
                    answer = own
                    break
        known[s] = answer
        return answer

    # Features.

    def _check_features(self, s: Any, moves: list[Any]) -> None:
        inspection, weights = self.inspection, self.game.weights
        count = self._feature_count
        for p in range(self.game.players):
            total = 0.0
            for pair in inspection.listed("features", s, p):
                number, amount = pair if isinstance(pair, tuple) and len(pair) == 2 else (None, None)
                if not isinstance(number, numbers.Integral) or not isinstance(amount, numbers.Real):
                    said = f"`features` yields {shown(pair)}, which is not a pair of a number and an amount"
                elif not 0 <= int(number) < count:
                    said = f"`features` yields the number {int(number)}; there are {count} features, from 0"
                elif not math.isfinite(amount):
                    said = f"`features` gives feature {int(number)} the amount {float(amount)}"
                else:
                    total += float(weights[int(number)]) * float(amount) if len(weights) else 0.0
                    continue
                inspection.note("bad-features", said, s)
                return
            if not len(weights):
                continue
            given = inspection.call("weighted_features", s, p)
            if not abs(given - total) <= self.game.rounding + TOLERANCE * max(1.0, abs(total)):
                said = f"`weighted_features` gives {float(given):g} for player {p}; the features add up to {total:g}"
                inspection.note("bad-features", said, s)
