"""Findings on what a game tells Monte Carlo tree search: random moves, playouts and priors, in both modes."""

from __future__ import annotations

import contextlib
import math
import numbers
from typing import Any

import numpy as np

from zermelo.conformance.inspection import Broken, Inspection
from zermelo.conformance.modes import UNSAFE, are_near
from zermelo.conformance.report import shown
from zermelo.conformance.samples import Sample
from zermelo.game.hashing import mix, mixed
from zermelo.game.protocol import CHANCE
from zermelo.game.state import u64
from zermelo.kernel.parts import Part
from zermelo.kernel.played import Played
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine

MOST_MOVES = 1 << 12
"""The moves of a game that declares `all_moves_as_first` are numbers below this."""
METHODS = ("nth_action", "rollout", "playout", "prior")
STATES = 100
"""In how many states the modes are compared."""


class SamplingRules:
    """Findings on the methods that only Monte Carlo tree search calls."""

    def __init__(self, inspection: Inspection, seed: int):
        self.inspection, self.game = inspection, inspection.game
        self.seed = seed

    def visit(self, s: Any, moves: list[Any]) -> None:
        """Examine a state in which a player is to move, with its legal moves."""
        checks = (self._check_nth, self._check_rollout, self._check_playout, self._check_prior)
        for method, check in zip(METHODS, checks, strict=True):
            if self.game.offers(method):
                with contextlib.suppress(Broken):
                    check(s, moves)
        if self.game.all_moves_as_first:
            self._check_numbers(moves)

    def _check_nth(self, s: Any, moves: list[Any]) -> None:
        found = [self.inspection.call("nth_action", s, n) for n in range(len(moves))]
        if len(set(found)) < len(found) or set(found) != set(moves):
            said = f"`nth_action` gives {shown(found)}, and `actions` yields {shown(moves)}"
            self.inspection.note("moves-disagree", said, s, about="nth_action")

    def _check_rollout(self, s: Any, moves: list[Any]) -> None:
        a = self._drawn("rollout", s)
        if a not in moves:
            self.inspection.note("bad-rollout", f"`rollout` gives {shown(a)}, which is not a legal move", s)

    def _check_playout(self, s: Any, moves: list[Any]) -> None:
        end = self._drawn("playout", s, Played(), Played())
        if not self.inspection.call("is_terminal", end):
            said = f"`playout` gives {shown(end)}, and the game is not over there"
            self.inspection.note("playout-not-over", said, s)

    def _drawn(self, method: str, s: Any, *more: Any) -> Any:
        """What the method gives; it must give the same from the same random numbers."""
        found, again = (self.inspection.call(method, s, Random(self.seed), *more[i : i + 1], state=s) for i in range(2))
        if found != again:
            said = f"`{method}` gives {shown(found)}, and from the same random numbers {shown(again)}"
            self.inspection.note("bad-rollout", said, s, about=method)
            raise Broken
        return found

    def _check_prior(self, s: Any, moves: list[Any]) -> None:
        for a in moves:
            prior = self.inspection.call("prior", s, a)
            if not isinstance(prior, numbers.Real) or not 0 <= float(prior) < math.inf:
                said = f"`prior` gives {shown(prior)} for {self.inspection.move_name(s, a)}"
                self.inspection.note("bad-prior", said, s)
                return

    def _check_numbers(self, moves: list[Any]) -> None:
        wrong = [a for a in moves if not isinstance(a, numbers.Integral) or not 0 <= int(a) < MOST_MOVES]
        if wrong:
            said = f"all_moves_as_first is declared, and the move {shown(wrong[0])} is no number from 0 to 4,095"
            self.inspection.note("bad-declaration", said, about="all_moves_as_first")


# Both modes.


class Drawn(Part):
    """What the methods give in one state: digests of moves and of an end, and a sum of the priors."""

    settled = True

    def __init__(self) -> None:
        self.whole = np.zeros(len(METHODS), np.uint64)
        self.real = np.zeros(1, np.float64)
        self.random = Random(0)
        self.played = Played(2_000)


def sample(game: Any, s: Any, drawn: Drawn) -> int:
    """Write down what the game tells Monte Carlo tree search about this state."""
    digest, total, n = u64(0), 0.0, 0
    for a in game.actions(s):
        digest = mix(digest, game.nth_action(s, n))
        n += 1
        total += n * game.prior(s, a)
    drawn.whole[0] = digest
    drawn.whole[1] = u64(game.rollout(s, drawn.random))
    digest = mixed(game.playout(s, drawn.random, drawn.played))
    for i in range(drawn.played.count[0]):
        digest = mix(mix(digest, drawn.played.moves[i]), drawn.played.movers[i])
    drawn.whole[2] = digest
    drawn.real[0] = total
    return n


SAMPLE = Routine(sample)


def compare_sampling(inspection: Inspection, samples: list[Sample]) -> None:
    """Compare what the two modes tell in these states, up to the first difference."""
    game = inspection.game
    if not any(game.offers(method) for method in METHODS) or inspection.has("modes-differ", *UNSAFE):
        return
    try:
        SAMPLE.compiled(game, Drawn())
    except Exception as error:
        inspection.note("does-not-compile", " ".join(str(error).split())[:1000])
        return
    for each in samples[:STATES]:
        if inspection.clock.is_up:
            return
        inspection.start()
        for s in (*each.earlier, each.state):
            inspection.enter(s)
        inspection.path[:] = each.path
        if game.to_move(each.state) == CHANCE:
            continue
        plain, compiled = Drawn(), Drawn()
        inspection.under_way = "rollout", each.state
        SAMPLE.run_plain(game, each.state, plain)
        SAMPLE.compiled(game, compiled)(each.state)
        unequal = [METHODS[i] for i in np.flatnonzero(plain.whole != compiled.whole)]
        if not are_near(plain.real[0], compiled.real[0]):
            unequal.append("prior")
        if unequal:
            inspection.note("modes-differ", f"`{unequal[0]}` does not give the same compiled", each.state)
            return
