"""States as rows of 64-bit words, and back: how compiled code keeps positions in arrays, the same in both modes.

Each number of the state takes one word, in the order of the fields; negative numbers as their two's complement.
"""

from __future__ import annotations

from typing import Any

from zermelo.game.state import Width, field_layouts, is_named_tuple, u64


def count_words(state: Any) -> int:
    """How many words a state of this class (or of this layout) takes."""
    if isinstance(state, Width):
        return 1
    return sum(count_words(part) for part in (field_layouts(state) if is_named_tuple(state) else state))


def write_state(s: Any, row: Any) -> None:
    """Write a state into an array of uint64."""
    _write(s, row, 0)


def read_state(row: Any, like: Any) -> Any:
    """The state in such an array; `like` is any state of the same class."""
    return _read(type(like), row, 0)[0]


def _write(value: Any, row: Any, place: int) -> int:
    if not isinstance(value, tuple):
        row[place] = u64(value)
        return place + 1
    for item in value:
        place = _write(item, row, place)
    return place


def _read(layout: Any, row: Any, place: int) -> tuple[Any, int]:
    if isinstance(layout, Width):
        return layout(row[place]), place + 1
    items = []
    for part in field_layouts(layout) if is_named_tuple(layout) else layout:
        item, place = _read(part, row, place)
        items.append(item)
    return (layout(*items) if is_named_tuple(layout) else tuple(items)), place
