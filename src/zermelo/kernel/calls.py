"""What compiled code can do beyond arithmetic: read a flag that another thread sets, and tell an observer."""

from __future__ import annotations

import math
import time
from typing import Any


class StopFlag:
    """The stop flag of a search in plain Python: it also sets itself when time is up.

    Another thread could not set it in time: it would have to wait for its turn to run Python.
    """

    def __init__(self) -> None:
        self.deadline = math.inf
        self._set = 0

    def __getitem__(self, index: int) -> int:
        return self._set or int(time.perf_counter() > self.deadline)

    def __setitem__(self, index: int, value: int) -> None:
        self._set = value


def read_flag(flags: Any, index: int) -> int:
    """The flag as it is now, though another thread may set it (compiled: a load that is never optimised away)."""
    return int(flags[index])


def tell(listener: Any, kind: int, ply: int, action: Any, x: float, y: float) -> None:
    """Call a listener: a Python function, or in compiled code the address of a C function."""
    listener(kind, ply, action, x, y)


def prefetch(array: Any, index: int) -> None:
    """Say that an item will be read soon (compiled: its line of memory is fetched meanwhile)."""
