"""Compiled and plain: does the game compile, and do both modes play the same games?"""

from __future__ import annotations

import contextlib
import time
from typing import Any

import numpy as np

from zermelo.conformance.inspection import NOWHERE, PLIES, Broken, Draw, Inspection
from zermelo.conformance.playout import (
    ACTIONS,
    COUNT,
    IS_TERMINAL,
    KEY,
    MOVE,
    NETWORK_NEAR,
    NUMBERS_NEAR,
    ODDS,
    OUTCOMES,
    PEEK,
    PLAY,
    PLAYERS,
    PROMISE,
    RANDOM,
    RESAMPLED,
    STATE,
    SUCCESSOR,
    TO_MOVE,
    Record,
)
from zermelo.conformance.report import shown
from zermelo.conformance.samples import Sample
from zermelo.game.features import has_network
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import i64
from zermelo.kernel.random import Random
from zermelo.kernel.routine import why_not_compiled

ROOM = 4096
"""How many moves of one state are kept, to show where the modes differ."""

PEEKS = 200
"""In how many states what is hidden is compared."""

PLAIN, COMPILED = "plain", "compiled"

UNSAFE = ("raises", "never-returns", "illegal-to-move", "no-moves", "endless-actions", "state-type", "action-type")
"""After these, nothing is run compiled: what raises in plain Python may read or write anywhere in compiled code."""


def compiles(inspection: Inspection, wish: bool | None) -> tuple[bool, str | None]:
    """Do the rules compile, and if not, why not? Failing to is an error where the states, or the caller, ask for it."""
    game = inspection.game
    if wish is False:
        return False, "compile=False was asked for"
    try:
        reason = why_not_compiled(game)
    except Exception as error:
        return False, f"`initial` raises {type(error).__name__}"
    if reason is not None:
        if wish:
            inspection.note("does-not-compile", f"compile=True was asked for, but {reason}")
        return False, reason
    try:
        PLAY.compiled(game, Random(0), *_records(game))
    except Exception as error:
        said = " ".join(str(error).split())[:1000]
        inspection.note("does-not-compile", said)
        return False, said
    return True, None


def _records(game: Game) -> tuple[Record, Record]:
    promises = game.offers("promise")
    near = NETWORK_NEAR if has_network(game) else NUMBERS_NEAR
    return Record(PLIES, game.players, ROOM, promises, near), Record(PLIES, game.players, 0, promises, near)


class Comparison:
    """The same random games in both modes, each first in plain Python."""

    def __init__(self, inspection: Inspection, seed: int):
        self.inspection, self.game, self.seed = inspection, inspection.game, seed
        self.compiled, self.plain = _records(self.game)
        self._nothing = Record(0, self.game.players)
        self.games = self.plies = 0

    def play(self, games: int) -> None:
        """Compare so many games, or as many as there is time for, up to the first difference."""
        clock, inspection = self.inspection.clock, self.inspection
        for number in range(games):
            if clock.is_up or inspection.has("modes-differ", *UNSAFE):
                return
            try:
                start = inspection.start()
                self._run(PLAIN, start, Random(self.seed + number))  # as far as there is time
                inspection.start()
                self._run(COMPILED, start, Random(self.seed + number))
            except Broken:
                return
            if self.compiled.length[2]:
                return  # see `conclude`
            self.games += 1
            self.plies += int(self.compiled.length[0])

    def conclude(self) -> None:
        """Note where the last game differed, if it did; apart from `play`, because it may have to compile something."""
        if self.compiled.length[2]:
            try:
                self._note_difference()
            except Broken:
                said = f"the modes differ after {int(self.compiled.length[0])} plies, and then plain Python fails"
                self.inspection.note("modes-differ", said)

    def _run(self, mode: str, start: Any, random: Random) -> None:
        """Play one game; what it raises is noted where it was raised."""
        inspection, clock = self.inspection, self.inspection.clock
        record = self.plain if mode is PLAIN else self.compiled
        record.clear()
        inspection.under_way = mode, start
        clock.stop = record.stop if mode is PLAIN else [0]  # compiled, it ends where plain Python did
        clock.step_began = time.perf_counter() if mode is COMPILED else None  # plain games may be slow
        try:
            if mode is PLAIN:
                PLAY.run_plain(self.game, start, random, record, self._nothing)
            else:
                PLAY.compiled(self.game, random, record, self.plain)(start)
        except Exception as error:
            s = self._follow(int(record.length[0]))
            if mode is PLAIN:
                inspection.note_raised("play", s, error, whose="a random game, ")
            else:
                said = f"compiled, {type(error).__name__} is raised ({error}); plain Python plays on"
                inspection.note("modes-differ", said, s)
            raise Broken from None
        finally:
            clock.step_began = None

    def note_hanging(self) -> None:
        """Note that a game has not come to an end."""
        inspection, mode = self.inspection, self.inspection.under_way[0]
        if mode not in (PLAIN, COMPILED):
            inspection.note_hanging()
            return
        inspection.clock.cancelled = False  # to follow the moves once more; that much of the game did go on
        record = self.plain if mode is PLAIN else self.compiled
        try:
            s = self._follow(int(record.length[0]))
        except Broken:
            s = NOWHERE
        inspection.clock.cancelled = True
        said = f"a random game, {mode}, did not go on from here within {inspection.clock.step_seconds:g} s"
        inspection.note("never-returns", said, s, about=mode)

    def _follow(self, plies: int) -> Any:
        """The state after so many plies of the game that plain Python has played."""
        inspection = self.inspection
        s = inspection.start()
        for ply in range(plies):
            inspection.enter(s)
            a = self._move(ply)
            after = inspection.after(s, a)
            inspection.leave(s, a)
            s = after
        return s

    def _move(self, ply: int) -> Any:
        if int(self.plain.whole[ply, TO_MOVE]) + CHANCE == CHANCE:
            return Draw(int(self.plain.whole[ply, RANDOM]))
        return int(self.plain.moves[ply])

    # Hidden information.

    def can_peek(self) -> bool:
        """Is there hidden information, and does that part of the rules compile too?"""
        inspection, game = self.inspection, self.game
        if not game.offers("information") or not game.offers("resample") or inspection.has("modes-differ", *UNSAFE):
            return False
        try:
            PEEK.compiled(game, 0, Random(0), self.compiled)
            RESAMPLED.compiled(game, 0, Random(0))
        except Exception as error:
            inspection.note("hidden-not-compiled", " ".join(str(error).split())[:1000])
            return False
        return True

    def peek(self, samples: list[Sample]) -> None:
        """Compare what the players know, and what is drawn for them, in these states."""
        inspection = self.inspection
        for number, sample in enumerate(samples[:PEEKS]):
            if inspection.clock.is_up or inspection.has("modes-differ", *UNSAFE):
                return
            inspection.path[:] = sample.path
            with contextlib.suppress(Broken):
                self._peek_in(sample.state, number % self.game.players, self.seed + number)

    def _peek_in(self, s: Any, p: int, seed: int) -> None:
        inspection, game = self.inspection, self.game
        information = inspection.call("information", s, p)
        if inspection.call("to_move", s) == CHANCE or not _is_whole(information):
            return
        drawn = inspection.call("resample", s, p, Random(seed))
        PEEK.run_plain(game, s, p, Random(seed), self.plain)
        PEEK.compiled(game, p, Random(seed), self.compiled)(s)
        plain, compiled = self.plain.whole[0], self.compiled.whole[0]
        if plain[KEY] != compiled[KEY]:
            said = f"`information` for player {p} gives {shown(information)}, and compiled something else"
            inspection.note("modes-differ", said, s)
        elif plain[STATE] != compiled[STATE]:
            fields = RESAMPLED.compiled(game, p, Random(seed))(s)
            inspection.note("modes-differ", said_differently(f"`resample` for player {p}", drawn, fields), s)

    # Where they differ.

    def _note_difference(self) -> None:
        ply = int(self.compiled.length[0])
        whole = [(int(a), int(b)) for a, b in zip(self.plain.whole[ply], self.compiled.whole[ply], strict=True)]
        if whole[STATE][0] != whole[STATE][1] and ply > 0:
            s = self._follow(ply - 1)
            said = self._state_difference(s, self._move(ply - 1))
        else:
            s = self._follow(ply)
            self.inspection.enter(s)
            said = self._difference(s, ply, whole)
        self.inspection.note("modes-differ", said, s)

    def _state_difference(self, s: Any, a: Any) -> str:
        inspection = self.inspection
        inspection.enter(s)
        plain = inspection.after(s, a)
        drawn = isinstance(a, Draw)
        random = Random(a.seed if isinstance(a, Draw) else 0)
        try:
            compiled = type(plain)(*SUCCESSOR.compiled(self.game, 0 if drawn else a, random)(s))
            said = f"compiled {shown(compiled)}"
        except Exception:
            said = "compiled another state"
        return f"`{'draw' if drawn else 'result'}` for {inspection.move_name(s, a)} gives {shown(plain)}, and {said}"

    def _difference(self, s: Any, ply: int, whole: list[tuple[int, int]]) -> str:
        """What the modes answer differently in this state, in the order in which it was asked."""
        unequal = [column for column, (plain, compiled) in enumerate(whole) if plain != compiled]
        if KEY in unequal:
            return said_differently("`key`", *whole[KEY])
        if IS_TERMINAL in unequal:
            return said_differently("`is_terminal`", *map(bool, whole[IS_TERMINAL]))
        if TO_MOVE in unequal:
            return said_differently("`to_move`", *(i64(mover + CHANCE) for mover in whole[TO_MOVE]))
        for p in range(self.game.players):
            if self._differ(ply, PLAYERS + p):
                method = "utility" if whole[IS_TERMINAL][0] else "evaluate"
                return said_differently(f"`{method}` for player {p}", *self._reals(ply, PLAYERS + p))
        if ACTIONS in unequal:
            return said_differently("`actions`", self.inspection.listed("actions", s), self._listed(whole[COUNT][1]))
        if OUTCOMES in unequal or COUNT in unequal or self._differ(ply, ODDS):
            plain = self.inspection.listed("outcomes", s)
            return said_differently("`outcomes`", plain, f"{self._listed(whole[COUNT][1])}, or other probabilities")
        if self._differ(ply, PROMISE):
            move = self.inspection.move_name(s, self._move(ply))
            return said_differently(f"`promise` for {move}", *self._reals(ply, PROMISE))
        assert MOVE in unequal or RANDOM in unequal
        return "the random numbers are not the same in both modes: `draw` takes more of them in one than in the other"

    def _differ(self, ply: int, column: int) -> bool:
        return not are_near(*self._reals(ply, column), float(self.compiled.near[0]))

    def _reals(self, ply: int, column: int) -> tuple[float, float]:
        return float(self.plain.real[ply, column]), float(self.compiled.real[ply, column])

    def _listed(self, count: int) -> list[int]:
        return [int(a) for a in self.compiled.listed[:count]]


def said_differently(what: str, plain: Any, compiled: Any) -> str:
    """What a method gives in both modes, in words."""
    return f"{what} gives {shown(plain)}, and compiled {compiled if isinstance(compiled, str) else shown(compiled)}"


def are_near(x: float, y: float, near: float = NUMBERS_NEAR) -> bool:
    """Are these the same number, but for how libraries round?"""
    return bool(x == y or abs(x - y) <= near * max(1.0, abs(x), abs(y)))  # equal if both are infinite, too


def _is_whole(x: Any) -> bool:
    """Is this made of whole numbers alone?"""
    return all(_is_whole(item) for item in x) if isinstance(x, tuple) else isinstance(x, int | np.integer)
