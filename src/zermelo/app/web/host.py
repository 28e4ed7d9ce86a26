"""The process behind one open tab: its desks play, analyse, race; and it can be killed at any time.

It reads messages (see `messages.py`), which the server has checked, and writes answers, one line of JSON each. A game
that somebody wrote, a search that does not end, a crash: none of it touches the server or another tab.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
import threading
from collections.abc import Iterable
from typing import Any, TextIO

from zermelo.app.web.desk import Desk, Say
from zermelo.app.web.faults import in_words
from zermelo.app.web.restraint import restrain

DESKS = ("play_desk:PlayDesk", "tree_desk:TreeDesk", "race_desk:RaceDesk", "arena_desk:ArenaDesk")
"""Module and class of each desk, the one that most tabs want first; the others are opened when they are asked for."""

SWITCH = 0.0005
"""After how many seconds a thread that searches in plain Python lets the one in that answers messages."""


class Host:
    """All desks of a tab; a message goes to the one that answers it."""

    def __init__(self, say: Say):
        self.say = say
        self.desks: list[Desk] = []
        self._open()

    def _open(self) -> Desk:
        """The next desk, which has not been open yet."""
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
        """One message; whatever goes wrong is told."""
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
    """Answer messages until no more come."""
    lock = threading.Lock()

    def say(answer: dict[str, Any]) -> None:
        line = json.dumps(answer, allow_nan=False) + "\n"  # a browser reads no other JSON
        with lock, contextlib.suppress(BrokenPipeError):
            answers.write(line)
            answers.flush()

    host = Host(say)
    for line in messages:
        host.handle(json.loads(line))
        say({"kind": "heard"})  # so that the page knows when somebody's game is stuck


def main() -> None:
    streams = restrain()
    sys.setswitchinterval(SWITCH)
    serve(*streams)
    os._exit(0)


if __name__ == "__main__":
    main()
