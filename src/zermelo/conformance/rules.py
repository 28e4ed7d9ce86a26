"""Random play in plain Python, slowly and suspiciously: every rule of the protocol, tried in every state on the way."""

from __future__ import annotations

import contextlib
import numbers
from typing import Any

import numpy as np

from zermelo.conformance.chance import ChanceRules
from zermelo.conformance.ends import EndRules
from zermelo.conformance.engine import EngineRules
from zermelo.conformance.hidden import HiddenRules
from zermelo.conformance.inspection import PLIES, Broken, Draw, Inspection
from zermelo.conformance.moves import MoveRules
from zermelo.conformance.networks import NetworkRules
from zermelo.conformance.pictures import PictureRules
from zermelo.conformance.pruning import PruningRules
from zermelo.conformance.report import Statistics, shown
from zermelo.conformance.samples import Sample
from zermelo.conformance.sampling import SamplingRules
from zermelo.conformance.states import StateRules
from zermelo.game.protocol import CHANCE
from zermelo.game.state import is_named_tuple
from zermelo.kernel.random import Random

SAMPLES = 400
"""How many states on the way, and how many ends, are kept for the verdict on the evaluation."""

UTILITIES = 1000
"""How many different ends are counted."""

OVER: Any = object()
"""In place of a move, where the game is over."""


class RandomPlay:
    """Random games, one after the other, and what they add up to."""

    def __init__(self, inspection: Inspection, seed: int):
        self.inspection, self.game = inspection, inspection.game
        self.random = Random(seed)
        self.states = StateRules(inspection)
        self.moves = MoveRules(inspection, seed)
        self.ends = EndRules(inspection)
        self.chance = ChanceRules(inspection, seed)
        self.hidden = HiddenRules(inspection, seed)
        self.engine = EngineRules(inspection, seed)
        self.networks = NetworkRules(inspection)
        self.pruning = PruningRules(inspection, self.ends, seed)
        self.sampling = SamplingRules(inspection, seed)
        self.pictures = PictureRules(inspection)
        self.samples: list[Sample] = []
        self.end_samples: list[Sample] = []
        self._first: Any = None
        self._lengths: list[int] = []
        self._unfinished = 0
        self._legal_moves = self._turns = 0
        self._utilities: dict[tuple[float, ...], int] = {}

    def play(self, games: int) -> None:
        """Play so many games, or as many as there is time for."""
        inspection = self.inspection
        for _ in range(games):
            if inspection.clock.is_up:
                break
            try:
                self._play_one()
            except Broken:
                pass
            except Exception as error:  # what a method returned cannot be compared, hashed or printed
                method, s = inspection.under_way
                inspection.note_raised(method, s, error, whose="using what goes into or comes out of ")
        if self._lengths and not any(self._lengths) and not self._unfinished:
            with contextlib.suppress(Broken):
                inspection.note("initial-is-terminal", "the game is over before it begins", inspection.start())
        if inspection.has("not-zero-sum"):
            inspection.drop("evaluation-not-zero-sum")
        if inspection.has("state-mutated"):
            inspection.drop("key-differs", "key-collision")
        if self._utilities:
            self.chance.finish()
            self.hidden.finish()
            self.pruning.finish()
        elif inspection.clock.is_up and not inspection.has("never-returns", "long-game", "endless-actions"):
            inspection.note("out-of-time", "no random game came to its end in the time given")

    @property
    def statistics(self) -> Statistics:
        """What random play looked like."""
        games = len(self._lengths)
        return Statistics(
            games=games,
            unfinished=self._unfinished,
            mean_length=sum(self._lengths) / games if games else 0.0,
            longest=max(self._lengths, default=0),
            branching_factor=self._legal_moves / self._turns if self._turns else 0.0,
            utilities=dict(self._utilities),
            distinct_states=len(self.states.keys),
        )

    def _play_one(self) -> None:
        inspection = self.inspection
        s = self._start()
        states: list[Any] = [s]
        played: list[Any] = []
        ended = False
        while not inspection.clock.is_up:
            a = self._visit(s)
            ended = a is OVER
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
        if ended:
            self.engine.look_back(states)
        if not inspection.has("state-mutated", "initial-differs"):  # then it would be a wonder
            self._replay(states, played)

    def _start(self) -> Any:
        inspection = self.inspection
        s = inspection.start()
        if self._first is None:
            self._first = s
            again = inspection.start()
            if not inspection.are_equal(s, again):
                inspection.note("initial-differs", f"`initial` gives {shown(s)}, and then {shown(again)}", s)
            self.states.check_initial(s)
        return s

    def _visit(self, s: Any) -> Any:
        """Examine a state; returns the move to play, or OVER."""
        inspection = self.inspection
        inspection.enter(s)
        inspection.watch(s)
        new = self.states.visit(s)
        terminal = inspection.call("is_terminal", s)
        if not isinstance(terminal, bool | np.bool_ | numbers.Integral):
            said = f"`is_terminal` gives {shown(terminal)}; it gives True or False"
            inspection.note("wrong-type", said, s, about="is_terminal")
        if terminal:
            self._visit_end(s, new)
            return OVER
        mover = self.moves.mover(s)
        if mover == CHANCE:
            count, a = self.chance.visit(s, new)
        else:
            moves = self.moves.visit(s, new)
            count = len(moves)
            a = moves[self.random.below(count)]
            self._legal_moves += count
            self._turns += 1
            with contextlib.suppress(Broken):
                self.pruning.visit_again(s)
            if new:
                self.hidden.visit(s, mover, moves)
                self.engine.visit(s, moves)
                self.networks.visit(s, moves)
                self.pruning.visit(s, moves)
                self.sampling.visit(s, moves)
                self.pictures.visit(s, moves)
        if new:
            self.states.check_collision(s, (False, mover, count))
            with contextlib.suppress(Broken):
                self.ends.check_evaluation(s)
            self._keep(s)
        return a

    def _visit_end(self, s: Any, new: bool) -> None:
        utilities = self.ends.utilities(s)
        if utilities in self._utilities or len(self._utilities) < UTILITIES:
            self._utilities[utilities] = self._utilities.get(utilities, 0) + 1
        if new:
            self.ends.visit(s, utilities)
            self.engine.visit_end(s, utilities)
            self.networks.visit_end(s)
            self.pictures.visit_end(s)
            self.states.check_collision(s, (True, utilities, 0))
            if len(self.end_samples) < SAMPLES:
                self.end_samples.append(Sample(s, tuple(self.inspection.path), utilities))

    def _keep(self, s: Any) -> None:
        """Keep a sample of the states, each as likely as any other to be in it (Vitter 1985)."""
        if len(self.samples) < SAMPLES:
            self.samples.append(Sample(s, tuple(self.inspection.path)))
        else:
            place = self.random.below(len(self.states.keys) + 1)
            if place < SAMPLES:
                self.samples[place] = Sample(s, tuple(self.inspection.path))

    def _follow(self, s: Any, a: Any) -> Any:
        inspection = self.inspection
        after = inspection.after(s, a)
        expected = type(self._first)
        if type(after) is not expected and (is_named_tuple(expected) or after is None):
            method = "draw" if isinstance(a, Draw) else "result"
            move = inspection.move_name(s, a)
            said = f"`{method}` for {move} gives a {type(after).__name__}, not a {expected.__name__}"
            inspection.note("state-type", said, s)
            raise Broken
        self.states.check_after(s, a)
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
                move = inspection.move_name(s, a)
                said = f"`result` for {move} gives {shown(after)}, where it gave {shown(expected)} before"
                inspection.note("result-differs", said, s)
                return
            inspection.leave(s, a)
            s = after
