"""Findings on states as values: their hashes, their keys, the widths of their fields, and how they print."""

from __future__ import annotations

import contextlib
import inspect
import numbers
from typing import Any

from zermelo.conformance.inspection import Broken, Draw, Inspection
from zermelo.conformance.report import shown
from zermelo.game.state import Width, field_layouts, is_fixed_width, is_named_tuple, u64
from zermelo.kernel.random import Random


class StateRules:
    """Findings on states, whatever the game."""

    def __init__(self, inspection: Inspection):
        self.inspection, self.game = inspection, inspection.game
        self.keys: dict[Any, int | None] = {}  # each state that was met, with its key
        self._by_key: dict[int, Any] = {}  # each key with a state and what can be told of it

    def visit(self, s: Any) -> bool:
        """Examine a state; returns whether there may be more to find in it than when it was met before."""
        inspection = self.inspection
        if not inspection.is_hashable(s):
            inspection.note("state-unhashable", f"the state, a {type(s).__name__}, cannot be hashed", s)
            return True
        new = s not in self.keys
        key = None
        with contextlib.suppress(Broken):
            key = self._key(s)
        known = self.keys.setdefault(s, key)
        if known != key:
            inspection.note("key-differs", f"`key` gives {shown(key)}, and gave {shown(known)} for an equal state", s)
        if new:
            with contextlib.suppress(Broken):
                self._check_text(s)
        return new or self.game.uses_history  # where the past counts, a state that was met may have other moves

    def _key(self, s: Any) -> int:
        key = self.inspection.call("key", s)
        if not isinstance(key, numbers.Integral):
            self.inspection.note("wrong-type", f"`key` gives {shown(key)}; it gives a whole number", s, about="key")
            raise Broken
        if not 0 <= int(key) < 1 << 64:
            said = f"`key` gives {shown(key)}, which is not a number of 64 bits without a sign"
            self.inspection.note("key-width", said, s)
        return int(key)

    def check_collision(self, s: Any, told: Any) -> None:
        """Has another state the same key? Mirror images may, on purpose; not so if other things can be told of it."""
        key = self.keys.get(s) if self.inspection.is_hashable(s) else None
        if key is None or self.game.uses_history:
            return
        other, told_of_other = self._by_key.setdefault(key, (s, told))
        if other != s and told != told_of_other:
            said = f"`key` gives {key} here, and also for {shown(other)}, after which play is different"
            self.inspection.note("key-collision", said, s)

    def _check_text(self, s: Any) -> None:
        if not self.game.offers("text"):
            return  # by default it is drawn from the picture, which is checked
        text = self.inspection.call("text", s)
        if not isinstance(text, str):
            self.inspection.note("wrong-type", f"`text` gives {shown(text)}; it gives a string", s, about="text")

    # Fields.

    def check_initial(self, s: Any) -> None:
        """Does every field of the initial state fit its width?"""
        if self.inspection.fixed_width:
            self._check_fields("initial", self.inspection.call_raw(inspect.unwrap(type(self.game).initial)), s, None)

    def check_after(self, s: Any, a: Any) -> None:
        """Does every field of the state after a move fit its width?"""
        if self.inspection.fixed_width:
            method = "draw" if isinstance(a, Draw) else "result"
            written = inspect.unwrap(getattr(type(self.game), method))
            raw = self.inspection.call_raw(written, s, Random(a.seed) if isinstance(a, Draw) else a)
            self._check_fields(method, raw, s, a)

    def _check_fields(self, method: str, raw: Any, s: Any, a: Any) -> None:
        cls: type = type(raw)
        if is_fixed_width(cls):
            for field, layout in zip(raw._fields, field_layouts(cls), strict=True):
                self._check_field(method, field, layout, getattr(raw, field), s, a)

    def _check_field(self, method: str, field: str, layout: Any, number: Any, s: Any, a: Any) -> None:
        if not isinstance(layout, Width):
            parts = field_layouts(layout) if is_named_tuple(layout) else layout
            for i, part in enumerate(parts):
                self._check_field(method, f"{field}[{i}]", part, number[i], s, a)
        elif layout(number) != number and not (layout is u64 and isinstance(number, numbers.Integral)):
            # Whole words of 64 bits are spared: boards wrap around on purpose.
            move = "" if a is None else f" for {self.inspection.move_name(s, a)}"
            said = f"`{method}`{move} puts {shown(number)} into {field}, a {layout}, which keeps {layout(number)} of it"
            self.inspection.note("field-width", said, s, about=field)
