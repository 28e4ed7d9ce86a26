"""The process behind one open tab: its desks play, analyse, race; and it can be killed at any time.

It reads messages (see `messages.py`), which the server has checked, and writes answers, one line of JSON each. A game
that somebody wrote, a search that does not end, a crash: none of it touches the server or another tab.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import traceback
from collections.abc import Iterable
from typing import Any, TextIO

from zermelo.app.web.arena_desk import ArenaDesk
from zermelo.app.web.desk import Desk, Say
from zermelo.app.web.play_desk import PlayDesk
from zermelo.app.web.race_desk import RaceDesk
from zermelo.app.web.restraint import restrain
from zermelo.game.errors import ZermeloError


class Host:
    """All desks of a tab; a message goes to the one that answers it."""

    def __init__(self, say: Say):
        self.say = say
        self.desks: tuple[Desk, ...] = (PlayDesk(say), RaceDesk(say), ArenaDesk(say))

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
        line = json.dumps(answer, allow_nan=False) + "\n"  # a browser reads no other JSON
        with lock, contextlib.suppress(BrokenPipeError):
            answers.write(line)
            answers.flush()

    host = Host(say)
    for line in messages:
        host.handle(json.loads(line))


def main() -> None:
    serve(*restrain())
    os._exit(0)


if __name__ == "__main__":
    main()
