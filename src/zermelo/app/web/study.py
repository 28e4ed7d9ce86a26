"""Analysis of the game on the page: one position until it is interrupted, or a review of all positions."""

from __future__ import annotations

import threading
import time
from typing import Any

from zermelo.app.web.analyst import compare, copied, deepen
from zermelo.app.web.computer import Computer
from zermelo.app.web.desk import Say
from zermelo.app.web.table import GameTable
from zermelo.app.web.thinker import require_wanted
from zermelo.kernel.stopping import StopToken
from zermelo.search.analysis import Analysis
from zermelo.search.engine import Engine

TOLD = 0.1
"""Seconds between two messages about a running analysis."""
REVIEWED = 0.7
"""Seconds that a review spends on each position."""


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
            self.say(computer.judge.told(found, table.shown))
        if not table.game.hidden:
            self.say(computer.judge.graph(table.states, table.moves, dict(table.findings), table.is_over))

    def review(self, table: GameTable, computer: Computer, token: StopToken) -> None:
        """Analyse every position for a while, with the compiled program: plain Python would find little."""
        with self.guard:
            require_wanted(token)
            plies = [ply for ply in range(table.plies + 1) if table.legal_at(ply)]
            self._tell_review(token, 0, len(plies))
        computer.wait(float("inf"), token)
        for count, ply in enumerate(plies):
            with self.guard:
                self._tell_review(token, count, len(plies))
                is_known = table.known(ply).seconds >= REVIEWED
            if not is_known:
                self.analyse(table, computer, ply, token, until=time.monotonic() + REVIEWED, reviewing=True)
        self._tell_review(token, len(plies), len(plies))

    def _tell_review(self, token: StopToken, done: int, of: int) -> None:
        with self.guard:
            require_wanted(token)
            self.say({"kind": "review", "done": done, "of": of})

    def analyse(
        self,
        table: GameTable,
        computer: Computer,
        ply: int,
        token: StopToken,
        until: float = float("inf"),
        reviewing: bool = False,
    ) -> None:
        """Find out more about a position until the job is interrupted or time is up.

        A review has little time. If values are estimates, it only searches the best move and the one that was played.
        """
        with self.guard:
            require_wanted(token)
            readiness = computer.readiness
            readiness.begin()
            states, known = table.states[: ply + 1], copied(table.known(ply))
            played = table.moves[ply] if ply < table.plies else None
            engine, is_compiled = readiness.engine, readiness.state == "compiled"

        def ask(engine: Engine, state: Any, **limits: Any) -> Analysis:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            require_wanted(token)
            analysis = engine.start(state, seconds=left, stop=token, **limits).result()
            require_wanted(token)
            if time.monotonic() >= until:
                raise TimeoutError
            return analysis

        if reviewing and engine is not None and engine.memories[0].has_evaluation:
            found = compare(engine, states, played, ask)
        else:
            found = deepen(table.game, engine, states, known, ask, is_compiled, token)
        try:
            for findings in found:
                with self.guard:
                    require_wanted(token)
                    table.findings[ply] = copied(findings)
                    self.tell(table, computer)
                if time.monotonic() >= until:
                    break
        except TimeoutError:
            pass
