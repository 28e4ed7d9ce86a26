"""Analysis of the game on the page: one position until it is interrupted, or a review of all positions."""

from __future__ import annotations

import functools
import threading
import time
from typing import Any

from zermelo.app.web.analyst import copied, deepen
from zermelo.app.web.computer import Computer
from zermelo.app.web.desk import Say
from zermelo.app.web.findings import Finding, Findings
from zermelo.app.web.table import GameTable
from zermelo.app.web.thinker import require_wanted
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.stopping import StopToken
from zermelo.networks.judgement import in_words
from zermelo.search import appraisal
from zermelo.search.analysis import Analysis
from zermelo.search.engine import Engine
from zermelo.search.review import Known, Reviewer, seen_by

TOLD = 0.1
"""Seconds between two messages about a running analysis."""
REVIEWED = 0.7
"""Seconds that a review spends on each position, on average."""


class Study:
    """Finds out about positions, and tells the page what is new."""

    def __init__(self, say: Say, guard: threading.RLock):
        self.say, self.guard = say, guard
        self._latest: tuple[GameTable, Computer] | None = None
        self._news = threading.Event()
        threading.Thread(target=self._tell_on, daemon=True).start()

    def tell(self, table: GameTable, computer: Computer) -> None:
        """There is something new about this game."""
        self._latest = table, computer
        self._news.set()

    def _tell_on(self) -> None:
        """Tell the page what is new: soon, and not too often."""
        while True:
            self._news.wait()
            self._news.clear()
            with self.guard:
                if self._latest is not None:
                    self._tell(*self._latest)
            time.sleep(TOLD)

    def _tell(self, table: GameTable, computer: Computer) -> None:
        found = table.findings.get(table.shown)
        if found is not None:
            opening = table.game.opening(table.states[: table.shown + 1])
            notes = ((opening,) if opening else ()) + _notes(table.game, table.states[table.shown])
            self.say({**computer.judge.told(found, table.shown), "notes": notes})
        if not table.game.hidden:
            self.say(computer.judge.graph(table.states, table.moves, dict(table.findings), table.play.is_over))

    def review(self, table: GameTable, computer: Computer, token: StopToken) -> None:
        """Grade every move, backwards from the end, with the compiled program: plain Python would find little."""
        with self.guard:
            require_wanted(token)
            states, names = list(table.states), list(table.moves)
            self._tell_review(token, 0, len(states))
        if appraisal.suits(table.game):  # with an engine of its own
            reviewer = Reviewer(table.game)
        else:
            computer.wait(float("inf"), token)
            reviewer = Reviewer(table.game, engine=computer.readiness.engine)

        def keep(ply: int, known: Known, after: Known | None) -> None:
            with self.guard:
                require_wanted(token)
                found = _findings(table.game, states, names, ply, known, after)
                if found is not None and not table.known(ply).done:
                    table.findings[ply] = found
                    self.tell(table, computer)
                self._tell_review(token, len(states) - 1 - ply, len(states))

        found = reviewer.review(states, names, REVIEWED, token, on_known=keep)
        self._tell_review(token, len(states), len(states), found.to_json()["players"])

    def _tell_review(self, token: StopToken, done: int, of: int, players: Any = None) -> None:
        with self.guard:
            require_wanted(token)
            self.say({"kind": "review", "done": done, "of": of, "players": players})

    def analyse(
        self,
        table: GameTable,
        computer: Computer,
        ply: int,
        token: StopToken,
    ) -> None:
        """Find out more about a position until the job is interrupted."""
        with self.guard:
            require_wanted(token)
            readiness = computer.readiness
            readiness.begin()
            states, known = table.states[: ply + 1], copied(table.known(ply))
            engine, is_compiled = readiness.engine, readiness.state == "compiled"
            simulations = computer.simulations(is_compiled)

        def ask(engine: Engine, state: Any, **limits: Any) -> Analysis:
            require_wanted(token)
            analysis = engine.start(state, seconds=float("inf"), stop=token, **limits).result()
            require_wanted(token)
            return analysis

        for findings in deepen(table.game, engine, states, known, ask, is_compiled, token, simulations):
            with self.guard:
                require_wanted(token)
                table.findings[ply] = copied(findings)
                self.tell(table, computer)


@functools.lru_cache(maxsize=8)
def _notes(game: Game, s: Any) -> tuple[str, ...]:
    """What the game itself says about a position, and what its network says."""
    return (*game.notes(s), *in_words(game, s))


def _findings(
    game: Game, states: list[Any], names: list[str | None], ply: int, known: Known, after: Known | None
) -> Findings | None:
    """What a review knows about the best move of a position and about the one that was played."""
    s = states[ply]
    if game.remembering(states[: ply + 1]).is_terminal(s) or game.to_move(s) == CHANCE or not known.best:
        return None
    worth, played = known.worth, names[ply] if ply < len(names) else None
    moves = {known.best: Finding(worth.value, worth.distance, worth.proven, 1, known.line)}
    if after is not None and played is not None and played != known.best:
        there = seen_by(game, game.to_move(s), after.worth)
        moves[played] = Finding(there.value, there.distance, there.proven, 1, (played, *after.line))
    return Findings(game.to_move(s), moves, 1)
