"""Routines: functions over a game that run as plain Python or compiled, from the same source.

A routine's first two parameters are the game and a state; the others are numbers, arrays or parts. Compiled code reads
and writes the caller's arrays. Parameters with defaults belong to the recursion and start at their defaults.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.game.errors import CompileError
from zermelo.game.protocol import Game
from zermelo.game.state import field_layouts, is_named_tuple
from zermelo.game.tables import as_table
from zermelo.kernel.fingerprint import Fingerprint
from zermelo.kernel.parts import Argument, Blueprint, Part, bound, is_table


class Routine:
    """A function over games, ready to run in either mode."""

    def __init__(self, function: Callable[..., Any]):
        self.function = function
        self.name = function.__name__
        parameters = list(inspect.signature(function).parameters.values())
        self.start = [p.default for p in parameters if p.default is not inspect.Parameter.empty]
        self._programs: dict[Any, Callable[..., Any]] = {}
        self._fingerprint: Fingerprint | None = None
        self._lock = threading.Lock()

    def run_plain(self, game: Game, state: Any, *arguments: Any) -> Any:
        """Run as ordinary Python."""
        return self.function(game, state, *[as_table(argument) for argument in arguments])

    def compiled(self, game: Game, *arguments: Any) -> Callable[[Any], Any]:
        """The compiled program with this game and these arguments in place: call it with a state.

        The program keeps the arrays that the parts have now. After one is replaced, ask for the program again.
        """
        values = (game, *[self._checked(value) for value in arguments])
        parts = [bound(part) if isinstance(part, Game | Part) else None for part in values]
        fingerprint = self._fresh_fingerprint()
        key = (fingerprint, *[type(v) if p is None else p.plan.name for v, p in zip(values, parts, strict=True)])
        entry = self._programs.get(key)
        if entry is None:
            with self._lock:
                entry = self._programs.get(key)
                if entry is None:
                    plans = [None if p is None else p.plan for p in parts]
                    entry = self._programs[key] = self._compile(game, values[1:], plans, fingerprint)
        address, *rest = [v if p is None else p.address for v, p in zip(values, parts, strict=True)]

        def program(state: Any, parts: Any = parts) -> Any:  # holds on to the parts' memory
            return entry(address, tuple(state), *rest, *self.start)

        return program

    def _checked(self, value: Any) -> Any:
        """An argument in the form that compiled code takes."""
        if isinstance(value, int | float | Part | Game):
            return value
        if isinstance(value, np.ndarray) and is_table(value):
            return Argument(value)
        if isinstance(value, np.integer | np.bool_):
            return int(value)
        if isinstance(value, np.floating):
            return float(value)
        shown = f"an array of type {value.dtype}" if isinstance(value, np.ndarray) else f"a {type(value).__name__}"
        raise TypeError(f"{self.name} takes numbers, arrays of numbers and parts as arguments, not {shown}")

    def _fresh_fingerprint(self) -> Fingerprint:
        if self._fingerprint is None or not self._fingerprint.is_fresh():
            self._fingerprint = Fingerprint([self.function])
        return self._fingerprint

    def _compile(
        self, game: Game, arguments: tuple[Any, ...], plans: list[Blueprint | None], fingerprint: Fingerprint
    ) -> Callable[..., Any]:
        require_fixed_width(game)
        from zermelo.kernel import program

        return program.build(self, game, arguments, plans, fingerprint)


def why_not_compiled(game: Game) -> str | None:
    """Why this game runs only as plain Python, in one sentence; None if its states can be compiled."""
    return why_not_fixed_width(type(game.initial()))


def why_not_fixed_width(state: Any) -> str | None:
    """Why states of this class cannot be compiled; None if they can."""
    if not is_named_tuple(state):
        return f"its states are of type {state.__name__}, not a NamedTuple of fixed-width integers"
    try:
        field_layouts(state)
    except TypeError as error:
        return str(error)
    return None


def require_fixed_width(game: Game) -> None:
    """Raise CompileError if the game's states cannot be compiled."""
    reason = why_not_compiled(game)
    if reason is not None:
        raise CompileError(f"{game.name} cannot be compiled: {reason}")
