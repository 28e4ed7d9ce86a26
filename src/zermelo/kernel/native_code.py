"""Plain functions as compiled ones, with everything that they call compiled along."""

from __future__ import annotations

import builtins
import types as python
from typing import Any

from numba import njit

from zermelo.game.state import is_fixed_width, is_named_tuple
from zermelo.kernel.fingerprint import nested_codes
from zermelo.kernel.loops import loop_of
from zermelo.kernel.native_arithmetic import Pipeline
from zermelo.kernel.native_states import INNER, constructor

VECTOR_LOOP: dict[str, Any] = {"fastmath": {"reassoc", "contract", "nsz", "nnan"}, "error_model": "numpy"}
"""How Numba compiles what `vector_loop` marks: its own arithmetic, with sums in any order."""


class _Compiled:
    """A plain function's dispatcher, with the globals that it was compiled with."""

    def __init__(self, function: Any, dispatcher: Any):
        self.function, self.dispatcher = function, dispatcher
        self.bindings: list[tuple[dict[str, Any], str, Any]] = []

    def is_fresh(self, seen: set[int]) -> bool:
        """Is every global still the same, and of those that are functions every global too, and so on?"""
        if id(self) in seen:
            return True
        seen.add(id(self))
        for scope, name, value in self.bindings:
            if scope.get(name) is not value:
                return False
            callee = _functions.get(id(value))
            if callee is not None and not callee.is_fresh(seen):
                return False
        return True


_functions: dict[int, _Compiled] = {}


def compiled_function(function: Any) -> Any:
    """The Numba dispatcher of a plain function, all that it calls compiled along with it."""
    known = _functions.get(id(function))
    if known is not None and known.is_fresh(set()):
        return known.dispatcher
    original, loop = function, loop_of(function)
    if loop is not None:
        function = loop
    scope: dict[str, Any] = {"__builtins__": builtins, "__name__": function.__module__}
    closure = tuple(python.CellType(_translated(cell.cell_contents)) for cell in function.__closure__ or ())
    copy = python.FunctionType(function.__code__, scope, function.__name__, function.__defaults__, closure)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
    copy.__annotations__ = function.__annotations__
    usual: dict[str, Any] = {"pipeline_class": Pipeline}
    options = usual if loop is None else VECTOR_LOOP
    made = _Compiled(original, njit(nogil=True, **INNER, **options)(copy))
    _functions[id(original)] = made  # known before its globals are: it may call itself
    mentioned = {name for code in nested_codes(function.__code__) for name in code.co_names}
    for name in mentioned & set(function.__globals__):
        value = function.__globals__[name]
        made.bindings.append((function.__globals__, name, value))
        if isinstance(value, python.ModuleType) and not _known_to_numba(value):
            made.bindings += [(vars(value), n, vars(value)[n]) for n in mentioned & set(vars(value))]
        scope[name] = _translated(value, mentioned)
    return made.dispatcher


NATIVE_FUNCTIONS: set[Any] = set()
"""Plain functions that have a native implementation of their own (see `native_functions`)."""


def _translated(value: Any, mentioned: set[str] = frozenset()) -> Any:  # type: ignore[assignment]
    """What stands in compiled code for a global of a plain function."""
    if isinstance(value, python.FunctionType) and value not in NATIVE_FUNCTIONS:
        return compiled_function(value)
    if is_named_tuple(value) and is_fixed_width(value):
        return constructor(value)
    if isinstance(value, python.ModuleType) and not _known_to_numba(value):
        shadow = python.ModuleType(value.__name__)
        for name in mentioned & set(vars(value)):
            setattr(shadow, name, _translated(vars(value)[name], mentioned))
        return shadow
    return value


def _known_to_numba(module: python.ModuleType) -> bool:
    return module.__name__.split(".")[0] in ("numpy", "math", "operator", "numba", "builtins", "cmath", "random")
