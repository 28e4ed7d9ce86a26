"""Proof-number search as an algorithm of the registry: win, draw or loss for the player to move."""

from __future__ import annotations

import math
from typing import Any

from zermelo.game.protocol import Game
from zermelo.search.analysis import Analysis, Move
from zermelo.search.proof_number import solve_by_proof
from zermelo.search.question import Question, Searcher
from zermelo.search.registry import Algorithm, register

DEFAULT_SECONDS = 10.0


class ProofSearcher(Searcher):
    """Proof-number search. It learns nothing from one question for the next."""

    def analyse(self, question: Question) -> Analysis:
        game, state, seconds = question.game, question.state, question.seconds
        if question.clock is not None:
            seconds = min(math.inf if seconds is None else seconds, question.clock.limits()[0])
        if not question.is_limited:
            seconds = DEFAULT_SECONDS
        found = solve_by_proof(
            game,
            state,
            table=self.options.get("table", self.algorithm.options["table"]),
            nodes=question.nodes,
            seconds=seconds,
            compile=self.compile,
            stop=question.stop,
        )
        proven = found.value is not None
        value = float(Game.evaluate(game, state, question.player)) if found.value is None else found.value
        return Analysis(
            game=game,
            state=state,
            player=question.player,
            action=found.action,
            value=value,
            exact=proven,
            line=found.line,
            moves=tuple(self._move(question, a, found.action, value, proven, found.line) for a in question.actions),
            nodes=found.nodes,
            depth=len(found.line),
            seconds=found.seconds,
            compile_seconds=math.fsum(proof.compile_seconds for proof in found.proofs),
            algorithm=self.algorithm.name,
            reason="",
            compiled=found.proofs[0].compiled,
        )

    def _move(self, question: Question, a: Any, best: Any, value: float, proven: bool, line: tuple[Any, ...]) -> Move:
        name = question.game.action_name(question.state, a)
        if a != best or not proven:
            return Move(a, name, None, False)
        return Move(a, name, value, True, line, proven=True)


register(
    Algorithm(
        "proof_number",
        "Can a win be forced? Depth-first proof-number search (df-pn; Nagai 2002).",
        ProofSearcher,
        history=False,
        bounded=True,
        deepens=False,
        limits=("nodes", "seconds"),
        options={"table": 64},
    )
)
