"""What a value is made of, as values that never change: to see whether somebody's method has changed it."""

from __future__ import annotations

import copy
import enum
from typing import Any

import numpy as np

_ATOMS = (int, float, complex, str, bytes, type(None), enum.Enum, np.generic, type)


def is_value(x: Any) -> bool:
    """Is this made of nothing that could be changed?"""
    return isinstance(x, _ATOMS) or (isinstance(x, tuple | frozenset) and all(is_value(item) for item in x))


def preserved(x: Any) -> Any:
    """The value, or a copy that will stay as it is where the value itself may change."""
    try:
        return x if is_value(x) else copy.deepcopy(x)
    except Exception:
        return x


def snapshot(x: Any, around: tuple[int, ...] = ()) -> Any:
    """The contents of x: equal for equal contents, whether or not the classes define equality."""
    if isinstance(x, _ATOMS):
        return x
    if id(x) in around:
        return "again", len(around) - around.index(id(x))
    inside = (*around, id(x))
    if isinstance(x, np.ndarray) and x.dtype != object:
        return "array", x.dtype.str, x.shape, x.tobytes()
    if isinstance(x, np.ndarray):
        x = x.tolist()
    if isinstance(x, tuple | list):
        return type(x), tuple(snapshot(item, inside) for item in x)
    if isinstance(x, dict):
        return type(x), tuple((snapshot(k, inside), snapshot(v, inside)) for k, v in x.items())
    if isinstance(x, set | frozenset):
        return type(x), frozenset(snapshot(item, inside) for item in x)
    if isinstance(x, bytearray):
        return bytearray, bytes(x)
    fields = dict(getattr(x, "__dict__", {}))
    for cls in type(x).__mro__:
        slots = vars(cls).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(x, name):
                fields[name] = getattr(x, name)
    if fields:
        return type(x), snapshot(fields, inside)
    return type(x), repr(x) if getattr(type(x), "__repr__", None) is not object.__repr__ else None
