"""The interface of desks. Each page of the app has a desk, which answers its messages."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Protocol

Say = Callable[[dict[str, Any]], None]
"""Sends the page an object with a "kind", as a line of JSON. It may be called from any thread."""


class Desk(Protocol):
    """Answers a message NAME by its method do_NAME, which is called with the message's fields.

    `guard` is held during the call, so it must return quickly: slow work goes to the desk's own threads.
    """

    guard: threading.RLock

    def leave(self) -> None:
        """The page shows another desk now: stop all work for this one."""
