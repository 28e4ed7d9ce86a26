"""The process behind one open tab: its desks play, analyse, race; and it can be killed at any time.

It reads messages (see `messages.py`), which the server has checked, and writes answers, one line of JSON each. A game
that somebody wrote, a search that does not end, a crash: none of it touches the server or another tab.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import traceback
from collections.abc import Iterable
from typing import Any, TextIO

from zermelo.app.web.desk import Desk, Say
from zermelo.app.web.play_desk import PlayDesk
from zermelo.arena.worker import watch_parent
from zermelo.game.errors import ZermeloError

SWITCH = 0.0005
"""After how many seconds a thread that searches in plain Python lets the one in that answers messages."""


class Host:
    """All desks of a tab; a message goes to the one that answers it."""

    def __init__(self, say: Say):
        self.say = say
        self.desks: tuple[Desk, ...] = (PlayDesk(say),)

    def handle(self, message: dict[str, Any]) -> None:
        """One message; whatever goes wrong is told."""
        name = message.pop("do")
        try:
            if name == "leave":
                for desk in self.desks:
                    with desk.guard:
                        desk.leave()
                return
            desk = next(desk for desk in self.desks if hasattr(desk, f"do_{name}"))
            with desk.guard:
                getattr(desk, f"do_{name}")(**message)
        except (ZermeloError, ValueError, TypeError, LookupError) as error:
            self.say({"kind": "error", "error": str(error)})
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{os.path.basename(last.filename)}, line {last.lineno}"
            self.say({"kind": "error", "error": f"{type(error).__name__}: {error} ({where})"})


def serve(messages: Iterable[str], answers: TextIO) -> None:
    """Answer messages until no more come."""
    lock = threading.Lock()

    def say(answer: dict[str, Any]) -> None:
        line = json.dumps(answer) + "\n"
        with lock, contextlib.suppress(BrokenPipeError):
            answers.write(line)
            answers.flush()

    host = Host(say)
    for line in messages:
        host.handle(json.loads(line))


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what somebody's game prints must not mix with the answers
    watch_parent()
    sys.setswitchinterval(SWITCH)
    serve(sys.stdin, answers)
    os._exit(0)


if __name__ == "__main__":
    main()
