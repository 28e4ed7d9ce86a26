"""What a game tells an engine, in both modes: one routine asks it all, and what it writes down is compared."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from zermelo.conformance.inspection import Broken, Inspection
from zermelo.conformance.modes import UNSAFE, are_near, said_differently
from zermelo.conformance.samples import Sample
from zermelo.game.hashing import mix, mixed
from zermelo.game.protocol import CHANCE
from zermelo.game.state import u64
from zermelo.kernel.parts import Part
from zermelo.kernel.routine import Routine

# The columns of what is written down.
SAFE, NOISY, IS_NOISY, FORCING, CANONICAL, STAND, MAY_PASS, AFTER_PASS, RECURS, LEFT = range(10)
COUNTED, LISTED, LISTED_NOISY, LISTED_FORCING, MIRRORED, KIND = range(10, 16)
LOW, HIGH, GAIN, FEATURES = range(4)  # one for each player from FEATURES on

LISTS = {"safe_actions": SAFE, "noisy_actions": NOISY, "forcing_actions": FORCING}
NUMBERS = {
    "count_actions": COUNTED,
    "canonical_key": CANONICAL,
    "plies_left": LEFT,
    "recurs": RECURS,
    "may_stand": STAND,
    "may_pass": MAY_PASS,
}
DIGESTS = {
    "is_noisy": IS_NOISY,
    "list_actions": LISTED,
    "list_noisy_actions": LISTED_NOISY,
    "list_forcing_actions": LISTED_FORCING,
    "after_pass": AFTER_PASS,
    "mirror_image": MIRRORED,
    "move_kind": KIND,
}
REAL = ("bounds", "gain", "features")

STATES = 200
"""In how many states the answers are compared."""

INFINITE = 1e100
"""In place of an infinite gain, so that sums of them can be compared."""


class Answers(Part):
    """What the game tells an engine of one state.

    whole    digests of lists of moves, the canonical key, how many plies are left, and what is true or false
    real     the bounds, a sum of the noisy moves' gains, and for each player a sum of the features
    room     for the moves that the game writes into an array
    """

    settled = True

    def __init__(self, players: int, room: int = 4096):
        self.whole = np.zeros(KIND + 1, np.uint64)
        self.real = np.zeros(FEATURES + players, np.float64)
        self.room = np.zeros(room, np.int64)

    def digest(self, count: int) -> int:
        """A digest of the first so many moves that were written."""
        digest = u64(count)
        for i in range(min(count, len(self.room))):
            digest = mix(digest, self.room[i])
        return digest


def consult(game: Any, s: Any, answers: Answers) -> int:
    """Write down what the game tells an engine of this state."""
    safe, noisy, is_noisy, forcing, kinds = u64(0), u64(0), u64(0), u64(0), u64(0)
    gains = 0.0
    for a in game.safe_actions(s):
        safe = mix(safe, a)
    for a in game.noisy_actions(s):
        noisy = mix(noisy, a)
        gain = game.gain(s, a)
        gains += gain if abs(gain) < INFINITE else INFINITE
    for a in game.actions(s):
        is_noisy = mix(is_noisy, 1 if game.is_noisy(s, a) else 0)
        kinds = mix(kinds, game.move_kind(s, a))
    for a in game.forcing_actions(s):
        forcing = mix(forcing, a)
    answers.whole[SAFE] = safe
    answers.whole[NOISY] = noisy
    answers.whole[IS_NOISY] = is_noisy
    answers.whole[FORCING] = forcing
    answers.whole[KIND] = kinds
    answers.real[GAIN] = gains
    answers.whole[COUNTED] = game.count_actions(s)
    answers.whole[LISTED] = answers.digest(game.list_actions(s, answers.room))
    answers.whole[LISTED_NOISY] = answers.digest(game.list_noisy_actions(s, answers.room))
    answers.whole[LISTED_FORCING] = answers.digest(game.list_forcing_actions(s, answers.room))
    answers.whole[CANONICAL] = game.canonical_key(s)
    answers.whole[MIRRORED] = mixed(game.mirror_image(s))
    answers.whole[LEFT] = game.plies_left(s)
    answers.whole[RECURS] = 1 if game.recurs(s) else 0
    answers.whole[STAND] = 1 if game.may_stand(s) else 0
    answers.whole[MAY_PASS] = 1 if game.may_pass(s) else 0
    if game.may_stand(s) and game.may_pass(s):
        answers.whole[AFTER_PASS] = mixed(game.after_pass(s))
    low, high = game.bounds(s)
    answers.real[LOW] = low
    answers.real[HIGH] = high
    for p in range(game.players):
        total = 0.0
        for number, amount in game.features(s, p):
            total += (number + 1) * amount
        answers.real[FEATURES + p] = total
    return 0


CONSULT = Routine(consult)


class Consultation:
    """The same questions in both modes, in states that random play came through."""

    def __init__(self, inspection: Inspection):
        self.inspection, self.game = inspection, inspection.game

    def is_possible(self) -> bool:
        """Does the game tell an engine anything of its own, and does that compile?"""
        inspection, game = self.inspection, self.game
        own = any(game.offers(method) for method in (*LISTS, *NUMBERS, *DIGESTS, *REAL))
        if not own or inspection.has("modes-differ", *UNSAFE):
            return False
        try:
            CONSULT.compiled(game, Answers(game.players))
        except Exception as error:
            inspection.note("does-not-compile", " ".join(str(error).split())[:1000])
            return False
        return True

    def compare(self, samples: list[Sample]) -> None:
        """Compare what is told in these states, up to the first difference."""
        inspection = self.inspection
        for sample in samples[:STATES]:
            if inspection.clock.is_up or inspection.has("modes-differ", *UNSAFE):
                return
            with contextlib.suppress(Broken):
                inspection.start()
                for s in sample.earlier:
                    inspection.enter(s)
                inspection.enter(sample.state)
                inspection.path[:] = sample.path
                if inspection.call("to_move", sample.state) != CHANCE:
                    said = self._difference(sample.state)
                    if said is not None:
                        inspection.note("modes-differ", said, sample.state)

    def _difference(self, s: Any) -> str | None:
        """What the modes answer differently in this state."""
        inspection, game = self.inspection, self.game
        plain, compiled = Answers(game.players), Answers(game.players)
        inspection.under_way = "consult", s
        try:
            CONSULT.run_plain(game, s, plain)
        except Exception as error:
            inspection.note_raised("consult", s, error, whose="a method that the engine calls, ")
            raise Broken from None
        CONSULT.compiled(game, compiled)(s)
        unequal = set(np.flatnonzero(plain.whole != compiled.whole))
        for method, column in LISTS.items():
            if column in unequal:
                return said_differently(f"`{method}`", inspection.listed(method, s), "something else")
        for method, column in NUMBERS.items():
            if column in unequal:
                return said_differently(f"`{method}`", inspection.call(method, s), int(compiled.whole[column]))
        for method, column in DIGESTS.items():
            if column in unequal:
                return f"`{method}` does not give the same compiled"
        if not (are_near(plain.real[LOW], compiled.real[LOW]) and are_near(plain.real[HIGH], compiled.real[HIGH])):
            ranges = ((float(each.real[LOW]), float(each.real[HIGH])) for each in (plain, compiled))
            return said_differently("`bounds`", *ranges)
        if not are_near(plain.real[GAIN], compiled.real[GAIN]):
            return "`gain` does not give the same compiled"
        for p in range(game.players):
            if not are_near(plain.real[FEATURES + p], compiled.real[FEATURES + p]):
                answer = inspection.listed("features", s, p)
                return said_differently(f"`features` for player {p}", answer, "something else")
        return None
