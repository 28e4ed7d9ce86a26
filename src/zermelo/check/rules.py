"""Random play in plain Python, slowly and suspiciously: every rule of the protocol, tried in every state on the way."""

from __future__ import annotations

import contextlib
import inspect
import math
import numbers
from typing import Any

import numpy as np

from zermelo.check.chance import ChanceRules
from zermelo.check.declarations import has_own, sides
from zermelo.check.hidden import HiddenRules
from zermelo.check.inspection import LISTED, PLIES, Broken, Draw, Inspection
from zermelo.check.report import Statistics, shown
from zermelo.game.protocol import CHANCE
from zermelo.game.state import Width, field_layouts, i64, is_named_tuple, normaliser, u64
from zermelo.kernel.random import Random

TOLERANCE = 1e-9
"""By how much sums of utilities may differ, relative to the greatest of them."""

NAMES_READ = 3
"""How many of a state's moves are read back from their names; that all names differ is seen of every move."""

SAMPLES = 400
"""How many states on the way, and how many ends, are kept for the verdict on the evaluation."""


class Sample:
    """A state met in random play, with the states before it."""

    def __init__(self, state: Any, earlier: list[Any]):
        self.state, self.earlier = state, earlier


class RandomPlay:
    """Random games, one after the other, and what they add up to."""

    def __init__(self, inspection: Inspection, seed: int):
        self.inspection, self.game = inspection, inspection.game
        self.random = Random(seed)
        self.sides = sides(self.game)
        self.chance = ChanceRules(inspection, seed)
        self.hidden = HiddenRules(inspection, seed)
        self.samples: list[Sample] = []
        self.ends: list[tuple[Any, list[float]]] = []
        self._first: Any = None
        self._total: tuple[float, tuple[str, ...]] | None = None  # what the utilities add up to, and where
        self._seen: dict[Any, Any] = {}  # each state with its key
        self._by_key: dict[int, Any] = {}  # each key with a state and what can be told of it
        self._lengths: list[int] = []
        self._unfinished = 0
        self._moves = self._choices = 0
        self._utilities: dict[tuple[float, ...], int] = {}

    def play(self, games: int) -> None:
        """Play so many games, or as many as there is time for."""
        for _ in range(games):
            if self.inspection.clock.is_up:
                break
            try:
                self._play_one()
            except Broken:
                pass
            except Exception as error:  # what a method returned cannot be compared, hashed or printed
                method, s = self.inspection.under_way
                self.inspection.note_raised(
                    method, s, error, whose="comparing, hashing or printing what goes into or comes out of "
                )
        if self._lengths and not any(self._lengths):
            with contextlib.suppress(Broken):
                self.inspection.note(
                    "initial-is-terminal", "the game is over before it begins", self.inspection.start()
                )
        self.chance.finish()
        self.hidden.finish()

    @property
    def statistics(self) -> Statistics:
        """What random play looked like."""
        games = len(self._lengths)
        return Statistics(
            games=games,
            unfinished=self._unfinished,
            mean_length=sum(self._lengths) / games if games else 0.0,
            longest=max(self._lengths, default=0),
            branching_factor=self._moves / self._choices if self._choices else 0.0,
            utilities=dict(self._utilities),
            distinct_states=len(self._seen),
        )

    # One game.

    def _play_one(self) -> None:
        inspection = self.inspection
        s = self._start()
        states, played, ended = [s], [], False
        while not inspection.clock.is_up:
            a = self._visit(s, states[:-1])
            ended = a is _OVER
            if ended:
                break
            if len(played) == PLIES:
                inspection.note("long-game", f"random play went on for {PLIES:,} plies and came to no end", s)
                break
            after = self._follow(s, a)
            inspection.leave(s, a)
            played.append(a)
            states.append(after)
            s = after
        self._lengths.append(len(played))
        self._unfinished += not ended
        if not inspection.has("state-mutated"):  # then the states of the path are not what they were
            self._replay(states, played)

    def _start(self) -> Any:
        inspection = self.inspection
        s = inspection.start()
        if self._first is None:
            self._first = s
            again = inspection.start()
            if not inspection.are_equal(s, again):
                inspection.note("initial-differs", f"`initial` gives {shown(s)}, and then {shown(again)}", s)
            if inspection.fixed_width:
                self._check_widths("initial", inspection.call_raw(inspect.unwrap(type(self.game).initial)), s)
        return s

    def _visit(self, s: Any, earlier: list[Any]) -> Any:
        """Examine a state; returns the move to play, or _OVER."""
        inspection = self.inspection
        inspection.enter(s)
        inspection.watch(s)
        new = self._check_value(s)
        terminal = inspection.call("is_terminal", s)
        if not isinstance(terminal, bool | np.bool_ | numbers.Integral):
            inspection.note("wrong-type", f"`is_terminal` gives {shown(terminal)}; it gives True or False", s)
        if new:
            with contextlib.suppress(Broken):
                self._check_text(s)
        if terminal:
            self._check_end(s, new)
            return _OVER
        mover = self._check_mover(s)
        if mover == CHANCE:
            count, a = self.chance.visit(s, new)
        else:
            moves = self._check_moves(s, new)
            count = len(moves)
            a = moves[self.random.below(count)]
            self._moves += count
            self._choices += 1
            if new:
                with contextlib.suppress(Broken):
                    self._check_names(s, moves, a)
                with contextlib.suppress(Broken):
                    self._check_promise(s, a)
                self.hidden.visit(s, mover, moves)
        if new:
            self._check_key_collision(s, (False, mover, count))
            with contextlib.suppress(Broken):
                self._check_evaluation(s)
            self._keep(s, earlier)
        return a

    def _keep(self, s: Any, earlier: list[Any]) -> None:
        """Keep a sample of the states, each as likely as any other to be in it (Vitter 1985)."""
        sample = Sample(s, earlier if self.game.uses_history else [])
        if len(self.samples) < SAMPLES:
            self.samples.append(sample)
        else:
            place = self.random.below(len(self._seen) + 1)
            if place < SAMPLES:
                self.samples[place] = sample

    def _follow(self, s: Any, a: Any) -> Any:
        inspection = self.inspection
        method = "draw" if isinstance(a, Draw) else "result"
        after = inspection.after(s, a)
        if inspection.fixed_width:
            raw = inspection.call_raw(
                inspect.unwrap(getattr(type(self.game), method)), s, Random(a.seed) if isinstance(a, Draw) else a
            )
            self._check_widths(f"`{method}` for {inspection.move_name(s, a)}", raw, s)
        expected = type(self._first)
        if type(after) is not expected and (is_named_tuple(expected) or after is None):
            said = (
                f"`{method}` for {inspection.move_name(s, a)} gives a {type(after).__name__}, not a {expected.__name__}"
            )
            inspection.note("state-type", said, s)
            raise Broken
        return after

    def _replay(self, states: list[Any], played: list[Any]) -> None:
        """The same moves again: they must lead to the same states."""
        inspection = self.inspection
        s = inspection.start()
        for a, expected in zip(played, states[1:], strict=True):
            if inspection.clock.is_up:
                return
            inspection.enter(s)
            after = inspection.after(s, a)
            if not inspection.are_equal(after, expected):
                name = inspection.move_name(s, a)
                said = f"`result` for {name} gives {shown(after)}, where it gave {shown(expected)} before"
                inspection.note("result-differs", said, s)
                return
            inspection.leave(s, a)
            s = after

    # What every state must be.

    def _check_value(self, s: Any) -> bool:
        """Is this a new state? Its hash and its key are looked at."""
        inspection = self.inspection
        if not inspection.is_hashable(s):
            inspection.note("state-unhashable", f"the state, a {type(s).__name__}, cannot be hashed", s)
            return True
        new = s not in self._seen
        key = None
        with contextlib.suppress(Broken):
            key = inspection.call("key", s)
            if not isinstance(key, numbers.Integral):
                inspection.note("wrong-type", f"`key` gives {shown(key)}; it gives a whole number", s, about="key")
                key = None
            elif not 0 <= int(key) < 1 << 64:
                said = f"`key` gives {shown(key)}, which is not a number of 64 bits without a sign"
                inspection.note("key-width", said, s)
        known = self._seen.setdefault(s, key)
        if known != key:
            inspection.note("key-differs", f"`key` gives {shown(key)}, and gave {shown(known)} for an equal state", s)
        return new or self.game.uses_history  # where the past counts, a state that was seen may have other moves

    def _check_key_collision(self, s: Any, told: Any) -> None:
        """Different states may share a key on purpose, as mirror images do, but not where the end or the turn differs."""
        key = self._seen.get(s) if self.inspection.is_hashable(s) else None
        if key is None or self.game.uses_history:
            return
        other, told_of_other = self._by_key.setdefault(key, (s, told))
        if other != s and told != told_of_other:
            said = f"`key` gives {key} here, and also for {shown(other)}, where play goes on otherwise"
            self.inspection.note("key-collision", said, s)

    def _check_widths(self, what: str, raw: Any, s: Any) -> None:
        if normaliser(type(raw)) is not None:
            for field, layout in zip(raw._fields, field_layouts(type(raw)), strict=True):
                self._check_width(what, field, layout, getattr(raw, field), s)

    def _check_width(self, what: str, field: str, layout: Any, number: Any, s: Any) -> None:
        if not isinstance(layout, Width):
            parts = field_layouts(layout) if is_named_tuple(layout) else layout
            for i, part in enumerate(parts):
                self._check_width(what, f"{field}[{i}]", part, number[i], s)
        elif layout(number) != number and not (layout is u64 and isinstance(number, numbers.Integral)):
            # Words of 64 bits are spared: boards wrap around on purpose.
            said = f"{what} puts {shown(number)} into {field}, a {layout}, which makes {layout(number)} of it"
            self.inspection.note("field-width", said, s, about=field)

    def _check_text(self, s: Any) -> None:
        text = self.inspection.call("text", s)
        if not isinstance(text, str):
            self.inspection.note("wrong-type", f"`text` gives {shown(text)}; it gives a string", s, about="text")

    # Turns and moves.

    def _check_mover(self, s: Any) -> int:
        inspection = self.inspection
        mover = inspection.call("to_move", s)
        if not isinstance(mover, numbers.Integral) or not (mover == CHANCE or 0 <= mover < self.game.players):
            players = f"0 to {self.game.players - 1}" if self.game.players > 1 else "0"
            said = f"`to_move` gives {shown(mover)}; the players are {players}, and CHANCE is {CHANCE}"
            inspection.note("illegal-to-move", said, s)
            raise Broken
        return int(mover)

    def _check_moves(self, s: Any, new: bool) -> list[Any]:
        inspection = self.inspection
        moves = inspection.listed("actions", s)
        if not moves:
            inspection.note("no-moves", "the game is not over, a player is to move, and `actions` yields nothing", s)
            raise Broken
        if len(moves) == LISTED:
            inspection.note("endless-actions", f"`actions` yields {LISTED:,} moves or more", s)
            raise Broken
        for a in moves:
            if not inspection.is_hashable(a):
                inspection.note("action-type", f"the move {shown(a)} cannot be hashed", s)
                raise Broken
            if inspection.fixed_width and not (isinstance(a, numbers.Integral) and i64(a) == a):
                said = f"the move {shown(a)} is not a whole number of 64 bits, as moves are where states have widths"
                inspection.note("action-type", said, s)
        if len(set(moves)) < len(moves):
            twice = next(a for i, a in enumerate(moves) if a in moves[:i])
            inspection.note("repeated-actions", f"`actions` yields {inspection.move_name(s, twice)} more than once", s)
        most = self.game.max_actions
        if isinstance(most, int) and len(moves) > most:
            inspection.note("too-many-actions", f"`actions` yields {len(moves)} moves; max_actions is {most}", s)
        if new:
            again = inspection.listed("actions", s)
            if again != moves:
                said = f"`actions` yields {shown(moves)}, and asked again {shown(again)}"
                inspection.note("actions-differ", said, s)
        return moves

    def _check_names(self, s: Any, moves: list[Any], chosen: Any) -> None:
        inspection = self.inspection
        names: dict[str, Any] = {}
        for a in moves:
            name = inspection.call("action_name", s, a)
            if not isinstance(name, str):
                said = f"`action_name` gives {shown(name)} for the move {shown(a)}; it gives a string"
                inspection.note("wrong-type", said, s, about="action_name")
                return
            other = names.setdefault(name.strip().casefold(), a)
            if other != a:
                said = f"the moves {shown(other)} and {shown(a)} are both called {name!r}"
                inspection.note("name-ambiguous", said, s)
        others = (moves[self.random.below(len(moves))] for _ in range(NAMES_READ - 1))
        for a in (chosen, *others):
            name = inspection.call("action_name", s, a)
            back, error = inspection.attempt("action_named", s, name)
            if error is not None:
                said = f"`action_named` does not read {name!r}, the name of {shown(a)}: {type(error).__name__}: {error}"
                inspection.note("name-unreadable", said, s)
            elif back != a and names.get(name.strip().casefold()) == a:  # else the name is ambiguous, as noted
                said = f"`action_named` reads {name!r}, the name of {shown(a)}, as {shown(back)}"
                inspection.note("name-unreadable", said, s)

    def _check_promise(self, s: Any, a: Any) -> None:
        if has_own(self.game, "promise"):
            promise = self.inspection.call("promise", s, a)
            if not isinstance(promise, numbers.Real) or math.isnan(promise):
                said = f"`promise` gives {shown(promise)} for {self.inspection.move_name(s, a)}"
                self.inspection.note("promise-not-a-number", said, s)


_OVER: Any = object()
"""In place of a move, where the game is over."""
