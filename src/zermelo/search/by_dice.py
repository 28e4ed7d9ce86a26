"""The search for games with dice as an algorithm of the registry."""

from __future__ import annotations

import math
import time
from typing import Any

from zermelo.game.protocol import CHANCE, Game
from zermelo.search.analysis import Analysis, Move
from zermelo.search.dice.engine import MOST_PLIES, DiceEngine, RankedMove
from zermelo.search.engine.answers import Progress
from zermelo.search.question import Question, Searcher
from zermelo.search.registry import Algorithm, register

DEFAULT_PLIES = 2
OPTIONS: dict[str, Any] = {"plies": None, "filters": "normal", "inner": 1, "pruning": "none", "table": 16, "threads": 1}


class DiceSearcher(Searcher):
    """The dice engine for one game. It keeps its table from one question to the next.

    plies   how many plies each move is judged at; the limit `depth` is one more, because it counts the move itself
    The other options are those of `DiceEngine`.
    """

    def __init__(self, algorithm: Algorithm, game: Game, compile: bool | None, options: dict[str, Any]):
        super().__init__(algorithm, game, compile, options)
        given = {**OPTIONS, **options}
        self.plies = given.pop("plies")
        if self.plies is not None and (not isinstance(self.plies, int) or not 0 <= self.plies <= MOST_PLIES):
            raise ValueError(f"plies must be a whole number from 0 to {MOST_PLIES}, not {self.plies!r}")
        self.engine = DiceEngine(game, compile=compile, **given)

    def analyse(self, question: Question) -> Analysis:
        engine, began = self.engine, time.perf_counter()
        engine.compile_seconds = 0.0
        engine.compile(question.player)
        seconds = question.seconds
        if question.clock is not None:
            seconds = min(math.inf if seconds is None else seconds, question.clock.limits()[0])
        plies = self._plies(question, seconds is not None)
        if question.mover == CHANCE:
            value, reached = self._value(question, plies, seconds)
            return self._answer(question, value, [], reached, began)

        def tell(ranked: list[RankedMove]) -> None:
            if question.on_progress is not None:
                best, spent = ranked[0], time.perf_counter() - began - engine.compile_seconds
                line = (best.action,)
                question.on_progress(
                    Progress(best.plies + 1, best.equity, None, False, line, engine.nodes, max(spent, 1e-9))
                )

        ranked = engine.rank(
            question.state,
            plies,
            nodes=question.nodes,
            stop=question.stop,
            seconds=seconds,
            on_ply=tell,
            settle=not question.all_moves and question.depth is None,
            filtered=not question.all_moves,
        )
        value = ranked[0].equity if ranked else float(Game.evaluate(self.game, question.state, question.player))
        return self._answer(question, value, ranked, ranked[0].plies if ranked else 0, began)

    def _plies(self, question: Question, is_timed: bool) -> int:
        """How many plies: as asked; otherwise as many as time allows; otherwise two."""
        if question.depth is not None:
            return min(question.depth - 1, MOST_PLIES)
        if self.plies is not None:
            return int(self.plies)
        return MOST_PLIES if is_timed or question.nodes is not None else DEFAULT_PLIES

    def _value(self, question: Question, plies: int, seconds: float | None) -> tuple[float, int]:
        """What a state is worth in which chance moves, at as many plies as the limits allow, and at how many."""
        value, reached, spent = float(Game.evaluate(self.game, question.state, question.player)), 0, 0
        deadline = time.perf_counter() + (math.inf if seconds is None else seconds)
        is_limited = seconds is not None or question.nodes is not None
        for ply in range(0 if is_limited else plies, plies + 1):
            found = self.engine.evaluate(
                question.state,
                ply,
                player=question.player,
                nodes=None if question.nodes is None else max(question.nodes - spent, 1),
                stop=question.stop,
                seconds=None if seconds is None else max(deadline - time.perf_counter(), 1e-6),
            )
            spent += self.engine.nodes
            if found is None:
                break
            value, reached = found.equity, ply
        self.engine.nodes = spent
        return value, reached

    def _answer(self, question: Question, value: float, ranked: list[RankedMove], plies: int, began: float) -> Analysis:
        engine, best = self.engine, ranked[0].action if ranked else None
        if best is None and question.actions:
            best = question.actions[0]
        moves = [Move(each.action, each.name, each.equity, each.exact, (each.action,)) for each in ranked]
        found = {each.action for each in ranked}
        name = self.game.action_name
        moves += [Move(a, name(question.state, a), None, False) for a in question.actions if a not in found]
        return Analysis(
            game=self.game,
            state=question.state,
            player=question.player,
            action=best,
            value=value,
            exact=False,
            line=() if best is None else (best,),
            moves=tuple(moves),
            nodes=engine.nodes,
            depth=plies + 1,
            seconds=time.perf_counter() - began - engine.compile_seconds,
            compile_seconds=engine.compile_seconds,
            algorithm=self.algorithm.name,
            reason="",
            compiled=engine.compiled,
        )

    def clear(self) -> None:
        self.engine.clear()


def strength(game: Game) -> int:
    """The default for games with dice and a network: the textbook's algorithms judge one leaf at a time."""
    return 50 if getattr(game, "network", None) is not None else 0


register(
    Algorithm(
        "dice",
        "Plies over all rolls with move filters and a table; judges all replies of a position together.",
        DiceSearcher,
        chance=True,
        needs_chance=True,
        history=False,
        options=OPTIONS,
        strength=strength,
        because="dice, and a network that judges all replies of a position together",
    )
)
