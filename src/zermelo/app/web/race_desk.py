"""The desk for races: a process searches one position with several algorithms in turn."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import Any

from zermelo.app.web.desk import Say
from zermelo.app.web.racing import runners
from zermelo.app.web.table import GameTable


class RaceDesk:
    """The position, and the running race."""

    def __init__(self, say: Say):
        self.say = say
        self.guard = threading.RLock()
        self.table: GameTable | None = None
        self.asked: dict[str, Any] = {}
        self.process: subprocess.Popen[str] | None = None

    def do_race_look(
        self,
        game: str,
        settings: list[str] | None = None,
        moves: list[str] | None = None,
        start: str | None = None,
    ) -> None:
        table = GameTable(game, settings or (), start=start, moves=moves or ())
        self._stop()
        self.table = table
        self.asked = {"game": game, "settings": settings or [], "moves": moves or [], "start": start}
        there = [{"key": r.key, "title": r.title, "usual": r.is_usual} for r in runners(table.game)]
        self.say({**table.view(), "kind": "race_view", "runners": there})

    def do_race(self, runners: list[str], seconds: float) -> None:
        if self.table is None:
            raise ValueError("no position is chosen yet")
        if self.table.is_over:
            raise ValueError("the game is over in this position: there is no move to find")
        unknown = [key for key in runners if key not in _keys(self.table)]
        if unknown or not runners:
            raise ValueError(f"there is no algorithm {unknown[0]!r}" if unknown else "choose at least one algorithm")
        self._stop()
        job = {**self.asked, "runners": list(dict.fromkeys(runners)), "seconds": seconds}
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "zermelo.app.web.racing"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        self.say({"kind": "race_begun", "runners": job["runners"], "seconds": seconds})
        threading.Thread(target=self._follow, args=(self.process,), daemon=True).start()

    def do_race_stop(self) -> None:
        if self._stop():
            self.say({"kind": "race_over", "stopped": True})

    def leave(self) -> None:
        self._stop()

    def _stop(self) -> bool:
        """Stop the race; returns whether there was one."""
        process, self.process = self.process, None
        if process is None:
            return False
        process.kill()
        process.wait()
        return True

    def _follow(self, process: subprocess.Popen[str]) -> None:
        """Pass the messages of the race to the page."""
        assert process.stdin is not None
        assert process.stdout is not None
        with process.stdin, process.stdout:
            is_over = False
            for line in process.stdout:
                message = json.loads(line)
                is_over = message["kind"] == "race_over"
                with self.guard:
                    if self.process is process:
                        self.say(message)
        process.wait()
        with self.guard:
            if self.process is process:
                self.process = None
                if not is_over:
                    self.say({"kind": "error", "error": "the race stopped because its process died"})
                    self.say({"kind": "race_over", "stopped": True})


def _keys(table: GameTable) -> set[str]:
    return {runner.key for runner in runners(table.game)}
