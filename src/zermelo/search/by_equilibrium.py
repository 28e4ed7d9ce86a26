"""An equilibrium as an algorithm of the registry: a small game with hidden information is solved on the spot."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Any

from zermelo.equilibria.methods import DEFAULT, method_named
from zermelo.equilibria.reading import Choice
from zermelo.equilibria.solver import Look, Solver
from zermelo.game.errors import StateError
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.random import Random
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import Stopped
from zermelo.search.analysis import Analysis, Move
from zermelo.search.clairvoyance import FEW_STATES, knowledge_in
from zermelo.search.engine.answers import Progress
from zermelo.search.question import Question, Searcher
from zermelo.search.registry import Algorithm, register

DEFAULT_SECONDS = 10.0
UNTIL = 0.001
"""The exploitability at which it stops, in units of the game's utility."""
UNCOMPILED, TINY = 2_000, 100
"""A game with at most this many positions is written down, or also solved, in plain Python: nothing to compile."""
OPTIONS: dict[str, Any] = {"until": UNTIL, "method": DEFAULT, "seed": None}


class EquilibriumSearcher(Searcher):
    """An equilibrium of one game, which is solved at the first question and kept for the next ones.

    until    the exploitability at which it stops
    method   of `zermelo solve`, such as cfr+ or dcfr
    seed     draws the move from the strategy; by default the question's. Without one, the likeliest move is given
    """

    def __init__(self, algorithm: Algorithm, game: Game, compile: bool | None, options: dict[str, Any]):
        super().__init__(algorithm, game, compile, options)
        self.settings = {**OPTIONS, **options}
        until, seed = self.settings["until"], self.settings["seed"]
        if isinstance(until, bool) or not isinstance(until, int | float) or not 0 < until < math.inf:
            raise ValueError(f"until must be a positive number, not {until!r}")
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int) or seed < 0):
            raise ValueError(f"seed must be a whole number of at least 0, not {seed!r}")
        method_named(self.settings["method"])
        self.solver: Solver | None = None
        self.choices: list[Choice] = []

    def analyse(self, question: Question) -> Analysis:
        began = time.perf_counter()
        stop = StopToken(question.stop)
        with stop:
            look = self._solved(question, stop)
        return self._answer(question, look, time.perf_counter() - began)

    def _solved(self, question: Question, stop: StopToken) -> Look | None:
        """Solve the game unless it is solved; None if it was stopped before it was written down."""
        seconds = question.seconds
        if question.clock is not None:
            seconds = min(math.inf if seconds is None else seconds, question.clock.limits()[0])
        if self.solver is None:
            knowledge = knowledge_in(self.game) if self.compile is None else None
            positions = math.inf if knowledge is None else knowledge.positions
            try:
                compile = False if positions <= UNCOMPILED else self.compile
                self.solver = Solver(self.game, self.settings["method"], compile=compile, stop=stop)
            except Stopped:
                return None
            # Iterations are the same program for all games.
            self.solver.compiled = self.compile is not False and positions > TINY
        solver = self.solver
        if solver.looks and solver.looks[-1].exploitability <= self.settings["until"]:
            return solver.looks[-1]
        solver.stop = stop

        def tell(look: Look) -> None:
            if question.on_progress is not None:
                value, spent = look.values[question.player], max(look.seconds, 1e-9)
                said = Progress(look.iterations, value, None, False, (), 0, spent, counted="iterations")
                question.on_progress(said)

        limit = DEFAULT_SECONDS if seconds is None or seconds == math.inf else seconds
        solver.solve(until=self.settings["until"], seconds=limit, on_progress=tell)
        self.choices = list(solver.choices())
        return solver.looks[-1]

    # The answer.

    def _answer(self, question: Question, look: Look | None, seconds: float) -> Analysis:
        choice = None if look is None or question.mover == CHANCE else self._choice(question)
        moves = self._moves(question, choice)
        best = self._drawn(question, moves) if choice is not None else moves[0] if moves else None
        value = 0.0 if look is None else look.values[question.player]
        if choice is not None:
            value = sum(p * v for p, v in zip(choice.probabilities, choice.values, strict=True))
        return Analysis(
            game=self.game,
            state=question.state,
            player=question.player,
            action=None if best is None else best.action,
            value=value,
            exact=False,
            line=() if best is None else (best.action,),
            moves=tuple(moves),
            nodes=0 if self.solver is None else int(self.solver.form.states),
            depth=0,
            seconds=seconds,
            compile_seconds=0.0,
            algorithm=self.algorithm.name,
            reason="",
            compiled=self.solver is not None and self.solver.compiled,
            remarks=tuple(self._remarks(look, choice)),
        )

    def _choice(self, question: Question) -> Choice:
        assert self.solver is not None
        try:
            return self.choices[self.solver.number_of(question.state)]
        except StateError:
            raise StateError(
                f"this position of {self.game.title} cannot be reached from the start of the game, so its equilibrium "
                "says nothing about it; name another algorithm, such as pimc"
            ) from None

    def _moves(self, question: Question, choice: Choice | None) -> list[Move]:
        """The moves, the likeliest first."""
        name = self.game.action_name
        if choice is None:
            return [Move(a, name(question.state, a), None, False) for a in question.actions]
        known = dict(zip(choice.moves, zip(choice.probabilities, choice.values, strict=True), strict=True))
        moves = []
        for a in question.actions:
            probability, value = known[name(choice.example, a)]
            moves.append(Move(a, name(question.state, a), value, True, (a,), probability=probability))
        return sorted(moves, key=lambda move: -(move.probability or 0.0))

    def _drawn(self, question: Question, moves: list[Move]) -> Move:
        """A move drawn from the strategy; the likeliest if there is no seed."""
        seed = question.seed if self.settings["seed"] is None else self.settings["seed"]
        if seed is None:
            return moves[0]
        left = Random(seed).uniform()
        for move in moves:
            left -= move.probability or 0.0
            if left < 0.0:
                return move
        return moves[0]  # only rounding leads here

    def _remarks(self, look: Look | None, choice: Choice | None) -> Iterator[str]:
        if look is None or self.solver is None:
            yield "stopped before the game was written down"
            return
        gain = max(best - value for best, value in zip(look.best_responses, look.values, strict=True))
        method, _, _ = self.solver.method.title.partition(":")
        yield (
            f"{look.iterations:,} iterations of {method}: no player can gain more than {max(gain, 0.0):.2g} by playing "
            "otherwise"
        )
        if self.game.players > 2 or (self.game.players == 2 and not self.game.zero_sum):
            yield self.solver.guarantee()
        if choice is not None and choice.reach == 0.0:
            yield "in the equilibrium, play never gets here: elsewhere it is sound, here it may not be"


def can_be_solved_now(game: Game) -> bool:
    """Is it small enough to be solved on the spot, and does it have perfect recall?"""
    knowledge = knowledge_in(game) if game.hidden else None
    return knowledge is not None and knowledge.recalls


def is_quick_in_python(game: Game) -> bool:
    """Can it be solved on the spot without a compiler?"""
    knowledge = knowledge_in(game)
    return knowledge is not None and knowledge.positions <= UNCOMPILED


def _because(game: Game) -> str:
    return f"hidden information, and small enough to solve on the spot (at most {FEW_STATES:,} states)"


register(
    Algorithm(
        "equilibrium",
        "An equilibrium by regret minimisation: how often to play each move. For small games with hidden information.",
        EquilibriumSearcher,
        sides=None,
        zero_sum=False,
        chance=True,
        hidden=True,
        needs_hidden=True,
        history=False,
        deepens=False,
        randomised=True,
        limits=("seconds",),
        options=OPTIONS,
        lines=True,
        strength=lambda game: 120 if can_be_solved_now(game) else 0,
        because=_because,
    )
)
