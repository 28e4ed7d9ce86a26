"""What compiled code can do beyond arithmetic: read a flag that another thread sets, and tell an observer."""

from __future__ import annotations

from typing import Any


def read_flag(flags: Any, index: int) -> int:
    """The flag as it is now, though another thread may set it (compiled: a load that is never optimised away)."""
    return int(flags[index])


def tell(listener: Any, kind: int, ply: int, action: Any, x: float, y: float) -> None:
    """Call a listener: a Python function, or in compiled code the address of a C function."""
    listener(kind, ply, action, x, y)
