"""The process of one tab: its desks play, analyse and race. It can be killed at any time.

It reads messages (see `messages.py`), which the server has checked, and writes answers, one line of JSON each. A user's
game, an endless search or a crash cannot affect the server or another tab.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
import threading
import time
from collections.abc import Iterable
from typing import Any, TextIO

from zermelo.app.web.desk import Desk, Say
from zermelo.app.web.faults import in_words
from zermelo.app.web.restraint import restrain

DESKS = (
    "play_desk:PlayDesk",
    "start_desk:StartDesk",
    "tree_desk:TreeDesk",
    "passes_desk:PassesDesk",
    "kuhn_desk:KuhnDesk",
    "matrix_desk:MatrixDesk",
    "sets_desk:SetsDesk",
    "averaging_desk:AveragingDesk",
    "race_desk:RaceDesk",
    "arena_desk:ArenaDesk",
)
"""Module and class of each desk. The first one is always opened, the others on demand."""

SWITCH = 0.0005
"""The interpreter's switch interval in seconds, short so that messages are answered during a search in plain Python."""

CALM = 1.0
"""Seconds after the start before the compiler is loaded: the pictures of the start page come first."""


class Host:
    """All desks of a tab. A message goes to the desk that answers it."""

    def __init__(self, say: Say):
        self.say = say
        self.desks: list[Desk] = []
        self._open()

    def _open(self) -> Desk:
        """Open the next desk."""
        module, _, kind = DESKS[len(self.desks)].partition(":")
        desk: Desk = getattr(importlib.import_module(f"zermelo.app.web.{module}"), kind)(self.say)
        self.desks.append(desk)
        return desk

    def _desk_for(self, name: str) -> Desk:
        for desk in self.desks:
            if hasattr(desk, f"do_{name}"):
                return desk
        while not hasattr(desk := self._open(), f"do_{name}"):
            pass
        return desk

    def handle(self, message: dict[str, Any]) -> None:
        """Handle a message, and report errors to the page."""
        name = message.pop("do")
        try:
            if name == "leave":
                for desk in self.desks:
                    with desk.guard:
                        desk.leave()
                return
            desk = self._desk_for(name)
            with desk.guard:
                getattr(desk, f"do_{name}")(**message)
        except Exception as error:
            self.say({"kind": "error", "error": in_words(error)})


def serve(messages: Iterable[str], answers: TextIO) -> None:
    """Answer messages until the input ends."""
    lock = threading.Lock()

    def say(answer: dict[str, Any]) -> None:
        line = json.dumps(answer, allow_nan=False) + "\n"  # browsers cannot read NaN
        with lock, contextlib.suppress(BrokenPipeError):
            answers.write(line)
            answers.flush()

    host = Host(say)
    for line in messages:
        host.handle(json.loads(line))
        say({"kind": "heard"})  # so that the page notices a game that is stuck


def _load_compiler() -> None:
    """Import what takes longest, which is needed soon: most hosts are started before their tab is opened."""
    time.sleep(CALM)
    importlib.import_module("zermelo.kernel.program")


def main() -> None:
    streams = restrain()
    sys.setswitchinterval(SWITCH)
    threading.Thread(target=_load_compiler, daemon=True).start()
    serve(*streams)
    os._exit(0)


if __name__ == "__main__":
    main()
