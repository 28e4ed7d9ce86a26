"""The desk for playing as its page sees it, without a browser."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from zermelo.app.web.host import Host
from zermelo.app.web.play_desk import PlayDesk

LONGEST = 120.0
"""How many seconds anything may take, on a machine that has other things to do."""


class Page:
    """Whoever talks to the desk: it sends messages, and waits for answers."""

    def __init__(self) -> None:
        self.answers: list[dict[str, Any]] = []
        self.host = Host(self.answers.append)
        self.desk = next(desk for desk in self.host.desks if isinstance(desk, PlayDesk))

    def say(self, do: str, **fields: Any) -> None:
        self.host.handle({"do": do, **fields})

    def last(self, kind: str) -> Any:
        return next((answer for answer in reversed(list(self.answers)) if answer["kind"] == kind), None)

    def wait(self, kind: str, such: Callable[[Any], bool] = lambda answer: True) -> Any:
        until = time.monotonic() + LONGEST
        while time.monotonic() < until:
            answer = self.last(kind)
            if answer is not None and such(answer):
                return answer
            time.sleep(0.01)
        raise AssertionError(f"no such {kind}; the last was {self.last(kind)}")
