"""Positions as records of a NumPy structured type: the state's fields in their own widths, then what is known of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo.game.errors import CompileError
from zermelo.game.protocol import Game
from zermelo.game.state import Width, field_layouts, is_named_tuple
from zermelo.kernel.flat import count_words, read_state
from zermelo.kernel.routine import require_fixed_width
from zermelo.learn.positions.playing import POSITIONS, Tape

KNOWN: list[tuple[str, str]] = [("score", "<f4"), ("result", "<f4"), ("ply", "<u2"), ("flags", "u1")]
"""What is known of a position. `score` is the value of a search and `result` the utility of the end of the game, both
to the player to move; for the flags see `playing`."""


def record_type(game: Game) -> np.dtype[Any]:
    """The type of a position of this game; raises CompileError if its states have no fixed width."""
    require_fixed_width(game)
    state: Any = type(game.initial())
    taken = {name for name, _ in KNOWN}
    names = [f"state_{name}" if name in taken else name for name in state._fields]
    fields = [(name, *_field(layout)) for name, layout in zip(names, field_layouts(state), strict=True)]
    return np.dtype([*fields, *KNOWN])


def _field(layout: Any) -> tuple[Any, ...]:
    """The type of a field, and its shape if it is a tuple of equal widths."""
    if isinstance(layout, Width):
        return (f"<{'i' if layout.signed else 'u'}{layout.bits // 8}",)
    parts = field_layouts(layout) if is_named_tuple(layout) else layout
    if not parts:
        raise CompileError("a state with an empty tuple cannot be written to a file")
    if all(isinstance(part, Width) and part is parts[0] for part in parts):
        return (*_field(parts[0]), (len(parts),))
    return (np.dtype([(f"item{i}", *_field(part)) for i, part in enumerate(parts)]),)


def _columns(records: Any, count: int) -> Iterator[Any]:
    """The columns of the numbers of the states, in their order: views of the records."""
    for name in records.dtype.names[:count]:
        column = records[name]
        if column.dtype.names is not None:
            yield from _columns(column, len(column.dtype.names))
        elif column.ndim > 1:
            for i in range(column.shape[1]):
                yield column[:, i]
        else:
            yield column


def from_tape(tape: Tape, kind: np.dtype[Any]) -> Any:
    """The positions on a tape as records."""
    count = int(tape.counts[POSITIONS])
    records = np.zeros(count, kind)
    signed = tape.words[:count].view(np.int64)
    for i, column in enumerate(_columns(records, len(kind.names or ()) - len(KNOWN))):
        column[...] = signed[:, i].astype(column.dtype)
    for name, known in zip(("score", "result", "ply", "flags"), _known(tape), strict=True):
        records[name] = known[:count]
    return records


def _known(tape: Tape) -> tuple[Any, ...]:
    return tape.scores, tape.results, tape.plies, tape.flags


def words(records: Any, start: int = 0, end: int | None = None) -> Any:
    """The states as rows of 64-bit words, as `zermelo.kernel.flat` reads them."""
    some = records[start:end]
    columns = list(_columns(some, len(records.dtype.names) - len(KNOWN)))
    rows = np.empty((len(some), len(columns)), np.int64)
    for i, column in enumerate(columns):
        rows[:, i] = column.astype(np.int64)
    return rows.view(np.uint64)


def states(records: Any, game: Game) -> Iterator[Any]:
    """The states, one after the other, as plain Python has them."""
    like = game.initial()
    assert words(records[:0]).shape[1] == count_words(type(like))
    for row in words(records):
        yield read_state(row.tolist(), like)
