"""What the desks of a tab have in common: one for each page, each answering some of the messages."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Protocol

Say = Callable[[dict[str, Any]], None]
"""Tells the page something: an object with a "kind", which becomes a line of JSON; from whatever thread."""


class Desk(Protocol):
    """Answers the messages NAME for which it has a method do_NAME, which is called with their fields.

    `guard` is held meanwhile, so that answers come quickly: whatever takes long goes on a thread of the desk's own.
    """

    guard: threading.RLock

    def leave(self) -> None:
        """The page looks at another desk now: stop whatever is being computed for this one."""
