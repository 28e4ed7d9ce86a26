"""The engine as an algorithm of the registry: "engine", and "mtdf", which asks with null windows only."""

from __future__ import annotations

import dataclasses
from typing import Any

from zermelo.game.protocol import Game
from zermelo.search.analysis import Analysis
from zermelo.search.engine import Engine, Options
from zermelo.search.question import Question, Searcher
from zermelo.search.registry import Algorithm, register

OPTIONS = {
    "table": 64,
    "threads": 1,
    "endgames": True,
    **{each.name: each.default for each in dataclasses.fields(Options)},
}


class EngineSearcher(Searcher):
    """The engine for one game. It keeps its transposition table from one question to the next."""

    def __init__(self, algorithm: Algorithm, game: Game, compile: bool | None, options: dict[str, Any]):
        super().__init__(algorithm, game, compile, options)
        mtdf = algorithm.name == "mtdf" or options.get("mtdf", False)
        self.engine = Engine(game, compile=compile, **{**options, "mtdf": mtdf})

    def analyse(self, question: Question) -> Analysis:
        lines = question.lines or (max(len(question.actions), 1) if question.all_moves else 1)
        return self.engine.think(
            question.state,
            depth=question.depth,
            nodes=question.nodes,
            seconds=question.seconds,
            clock=question.clock,
            lines=lines,
            history=question.history,
            on_progress=question.on_progress,
            stop=question.stop,
        )

    def clear(self) -> None:
        self.engine.clear()


def _strength(game: Game) -> int:
    """Not the default if the rules depend on earlier positions and there is no evaluation.

    Then only a proof says anything, and the table, which does not know how a position was reached, allows none.
    """
    return 100 if not game.uses_history or game.offers("evaluate") else 0


register(
    Algorithm(
        "engine",
        "Alpha-beta with a transposition table, move ordering, extensions and proofs.",
        EngineSearcher,
        lines=True,
        options=OPTIONS,
        strength=_strength,
        because="the strongest for two sides, no chance and nothing hidden",
    )
)
register(
    Algorithm(
        "mtdf",
        "The engine with null windows only (MTD(f); Plaat, Schaeffer, Pijls and de Bruin 1996).",
        EngineSearcher,
        lines=True,
        options=OPTIONS,
    )
)
