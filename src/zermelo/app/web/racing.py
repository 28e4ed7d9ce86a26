"""A race of algorithms: they search the same position one after the other, each with the same time.

The tab's host runs it as `python -m zermelo.app.web.racing` and kills it to stop the race. So a race can be stopped at
any time, and does not slow down the host's answers.
"""

from __future__ import annotations

import dataclasses
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zermelo.app.web.faults import in_words
from zermelo.app.web.restraint import restrain
from zermelo.app.web.table import GameTable
from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import Game
from zermelo.search.analysis import Analysis
from zermelo.search.checks import require_two_sides
from zermelo.search.driver import analyse
from zermelo.search.engine import PLAIN, Engine
from zermelo.search.proof_number import prove, require_win_or_loss
from zermelo.search.question import Question
from zermelo.search.registry import find, suitable

Tell = Callable[[dict[str, Any]], None]

TABLE = 64
"""MiB for an algorithm's table."""
NO_ORDER = {"promise": False, "killers": False, "counters": False, "history": False}


@dataclass(frozen=True)
class Runner:
    """A participant: an algorithm by its name, the engine with options, or proof-number search."""

    key: str
    title: str
    options: dict[str, Any] = field(default_factory=dict)
    is_usual: bool = False


TITLES = {
    "minimax": "minimax",
    "alpha_beta": "alpha-beta",
    "beam": "beam search, the 3 best moves",
    "expectiminimax": "expectiminimax",
    "star1": "Star1",
    "star2": "Star2",
    "maxn": "max^n",
    "mcts": "Monte Carlo tree search",
}
"""Titles of algorithms; others are called by their names."""
USUAL = ("minimax", "alpha_beta", "expectiminimax", "star1", "star2", "maxn", "mcts")
VARIED = ("engine", "mtdf", "proof_number", "and_or")
"""Algorithms that take part in several variants, or with a report of their own; the last is one with proof numbers."""
FIRST_SIMULATIONS = 1_000
ENGINES = (
    Runner("engine_plain", "engine, plain alpha-beta", {**dataclasses.asdict(PLAIN), "table": 0}),
    Runner("engine_unordered", "engine without move ordering", NO_ORDER),
    Runner("engine_tableless", "engine without a table", {"table": 0}),
    Runner("engine", "engine, all techniques", {}, True),
    Runner("mtdf", "engine, MTD(f)", {"mtdf": True}, True),
)
PROOF = Runner("proof_number", "proof-number search")


def runners(game: Game) -> list[Runner]:
    """The participants that suit a game."""
    suits = [a.name for a in suitable(game.traits) if a.name not in VARIED and (a.deepens or a.simulates)]
    order = [name for name in TITLES if name in suits] + [name for name in suits if name not in TITLES]
    found = [Runner(name, TITLES.get(name, name.replace("_", " ")), {}, name in USUAL) for name in order]
    for more, require in ((ENGINES, _require_engine), ((PROOF,), require_win_or_loss)):
        try:
            require(game)
        except Unsuitable:
            continue
        found += more
    is_two_sided = any(each.key == "engine" for each in found)
    # Without chance, algorithms for chance nodes are the same as minimax.
    return [each for each in found if not (is_two_sided and each.key in ("expectiminimax", "star1", "star2", "maxn"))]


def _require_engine(game: Game) -> None:
    require_two_sides("the engine", game)


class Course:
    """One participant's race: its progress over time."""

    def __init__(self, table: GameTable, runner: Runner, seconds: float, tell: Tell):
        self.game, self.state, self.past = table.game, table.states[-1], table.states[:-1]
        self.runner, self.seconds, self.tell = runner, seconds, tell

    def run(self) -> dict[str, Any]:
        """Run it, and return the result."""
        if self.runner in ENGINES:
            return self._by_engine()
        if self.runner is PROOF:
            return self._by_proof()
        return self._by_algorithm() if find(self.runner.key).deepens else self._by_simulations()

    def _ready(self) -> None:
        """Compilation is done: the clock starts."""
        self.tell({"kind": "race_started", "runner": self.runner.key})

    def _point(self, seconds: float, nodes: int, depth: int | None) -> None:
        self.tell({"kind": "race_point", "runner": self.runner.key, "point": [round(seconds, 4), nodes, depth]})

    def _by_engine(self) -> dict[str, Any]:
        engine = Engine(self.game, **{"table": TABLE, **self.runner.options})
        engine.think(self.state, history=self.past, nodes=1)
        engine.clear()
        self._ready()
        analysis = engine.think(
            self.state,
            history=self.past,
            seconds=self.seconds,
            on_progress=lambda found: self._point(found.seconds, found.nodes, found.depth),
        )
        return _told(analysis, analysis.depth, analysis.nodes, analysis.seconds)

    def _by_algorithm(self) -> dict[str, Any]:
        """Iterative deepening, as in the engine, so that the algorithms can be compared."""
        how: dict[str, Any] = {"algorithm": self.runner.key, "history": self.past}
        last = analyse(self.game, self.state, nodes=1, **how)
        self._ready()
        began = time.perf_counter()
        depth = reached = nodes = 0
        while (left := self.seconds - (time.perf_counter() - began)) > 0:
            depth += 1
            found = analyse(self.game, self.state, depth=depth, seconds=left, **how)
            nodes += found.nodes
            now = time.perf_counter() - began
            if now >= self.seconds:
                self._point(now, nodes, None)
                break
            self._point(now, nodes, depth)
            last, reached = found, found.depth
            if found.exact:
                break
        return _told(last, reached, nodes, time.perf_counter() - began)

    def _by_simulations(self) -> dict[str, Any]:
        """Twice as many simulations each time, in the tree that is already there."""
        algorithm = find(self.runner.key)
        searcher = algorithm.make(algorithm, self.game, None, dict(self.runner.options))
        for _ in range(2):  # the second time it continues with its tree, which is compiled too
            searcher.analyse(Question(self.game, self.state, self.past, nodes=len(self.game.legal(self.state)) + 1))
        searcher.clear()
        self._ready()
        began = time.perf_counter()
        nodes, more = 0, FIRST_SIMULATIONS
        while True:
            left = max(self.seconds - (time.perf_counter() - began), 0.001)
            found = searcher.analyse(Question(self.game, self.state, self.past, nodes=more, seconds=left))
            nodes, more = nodes + found.nodes, 2 * more
            now = time.perf_counter() - began
            self._point(now, nodes, found.depth)
            if found.exact or now >= self.seconds or found.nodes == 0:
                return _told(found, found.depth, nodes, now)

    def _by_proof(self) -> dict[str, Any]:
        prove(self.game, self.state, history=self.past, nodes=1, table=TABLE)
        self._ready()
        proof = prove(self.game, self.state, history=self.past, seconds=self.seconds, table=TABLE)
        self._point(proof.seconds, proof.nodes, None)
        said = {"proven": "a win", "disproven": "no win", "unknown": "not known yet"}[proof.verdict]
        is_known = proof.verdict != "unknown"
        names = list(proof.line_names)
        return {
            "depth": None,
            "nodes": proof.nodes,
            "seconds": proof.seconds,
            "move": names[0] if is_known and names else None,
            "verdict": said,
            "exact": is_known,
            "line": names if is_known else [],
        }


def _told(analysis: Analysis, depth: int, nodes: int, seconds: float) -> dict[str, Any]:
    names = list(analysis.line_names) if depth else []
    return {
        "depth": depth,
        "nodes": nodes,
        "seconds": seconds,
        "move": names[0] if names else None,
        "verdict": analysis.verdict if depth else "nothing yet",
        "exact": bool(depth) and analysis.exact,
        "line": names[:40],
    }


def race(job: dict[str, Any], tell: Tell) -> None:
    """Run all participants of a job in turn."""
    table = GameTable(job["game"], job["settings"], start=job["start"], moves=job["moves"])
    there = {runner.key: runner for runner in runners(table.game)}
    for key in job["runners"]:
        tell({"kind": "race_runner", "runner": key})
        try:
            result = Course(table, there[key], job["seconds"], tell).run()
        except Exception as error:
            tell({"kind": "race_failed", "runner": key, "error": in_words(error)[:500]})
        else:
            tell({"kind": "race_result", "runner": key, **result})
    tell({"kind": "race_over"})


def main() -> None:
    messages, answers = restrain()

    def tell(message: dict[str, Any]) -> None:
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    race(json.loads(messages.readline()), tell)
    os._exit(0)  # without waiting for threads


if __name__ == "__main__":
    main()
