"""A digest of everything that compiled code depends on, so that the disk cache can never serve stale code.

Numba freezes what a function reaches (helpers, constants, other modules' values) into the machine code, but looks
only at the function's own file to see whether its cache is fresh. Here the digest walks all that is reached, by
bytecode rather than by source: comments cost no recompilation, and code typed into a notebook has a digest too.
"""

from __future__ import annotations

import dis
import enum
import functools
import hashlib
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.state import Width, field_layouts, is_fixed_width, is_named_tuple
from zermelo.kernel.loops import loop_of

PACKAGE = Path(__file__).parent.parent
NEVER_COMPILED = ("app", "arena", "blackboard", "pictures", "protocols")
"""Layers that only call what is compiled, so that editing them makes nothing stale."""


@functools.cache
def package_fingerprint() -> str:
    """A digest of the sources of all layers of which something is compiled, and of the Python that runs."""
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE)
        if name.parts[0] not in NEVER_COMPILED:
            digest.update(name.as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def is_own(function: Any) -> bool:
    """Is this part of zermelo, whose sources `package_fingerprint` covers as a whole?"""
    return str(getattr(function, "__module__", "")).split(".")[0] == "zermelo"


class Fingerprint:
    """The digest of some functions, with the values that it was taken from.

    `digest` is None where something was reached that has no reliable digest (an open file, say): such code is
    compiled anew in every process rather than cached. `names` are the attribute names that the functions mention.
    """

    def __init__(self, functions: list[Any]):
        self.names: set[str] = set()
        self.reliable = True
        self._seen: dict[int, Any] = {}  # by id, and kept alive, so that an id cannot be reused
        self._bindings: list[tuple[dict[str, Any], str, Any]] = []
        self._cells: list[tuple[types.CellType, Any]] = []
        self._modules: set[int] = set()
        hasher = hashlib.sha256()
        for function in functions:
            for token in self._tokens(function):
                hasher.update(repr(token).encode() + b"\n")
        self.digest = hasher.hexdigest() if self.reliable else None

    def is_fresh(self) -> bool:
        """Is every global and every closure's variable that was reached still the same object?"""
        for scope, name, value in self._bindings:
            if scope.get(name, _MISSING) is not value:
                return False
        return all(cell.cell_contents is value for cell, value in self._cells)

    def _tokens(self, value: Any) -> Iterator[Any]:
        """What the digest is made of: a stream of reprs that differs wherever the value does."""
        if value is None or isinstance(value, bool | int | float | complex | str | bytes):
            yield type(value).__name__, value
        elif isinstance(value, Width):
            yield "width", value.name
        elif isinstance(value, np.ndarray | np.generic):
            yield "array", value.dtype.str, value.shape, hashlib.sha256(np.ascontiguousarray(value).tobytes()).digest()
        elif id(value) in self._seen:
            yield "again", list(self._seen).index(id(value))
        else:
            self._seen[id(value)] = value
            yield from self._compound_tokens(value)

    def _compound_tokens(self, value: Any) -> Iterator[Any]:
        if isinstance(value, tuple | list | frozenset | set):
            items = sorted(value, key=repr) if isinstance(value, frozenset | set) else value
            yield type(value).__name__, len(value)
            for item in items:
                yield from self._tokens(item)
        elif isinstance(value, types.FunctionType):
            yield from self._function_tokens(value)
        elif isinstance(value, types.CodeType):
            yield from self._code_tokens(value)
        elif isinstance(value, types.ModuleType | types.BuiltinFunctionType | np.ufunc):
            yield type(value).__name__, value.__name__
        elif hasattr(value, "py_func"):  # a function that is already compiled by Numba
            yield from self._tokens(value.py_func)
        elif isinstance(value, type):
            yield from self._class_tokens(value)
        else:
            self.reliable = False
            yield "unknown", type(value).__name__

    def _class_tokens(self, cls: type) -> Iterator[Any]:
        """A class by its name, which is enough for those that compiled code cannot look into."""
        yield "class", cls.__module__, cls.__qualname__
        if is_named_tuple(cls):
            yield "fields", getattr(cls, "_fields", ())
            if is_fixed_width(cls):
                yield from self._tokens(field_layouts(cls))
        elif issubclass(cls, enum.Enum):
            for name, member in cls.__members__.items():
                yield "member", name
                yield from self._tokens(member.value)
        elif not issubclass(cls, BaseException) and cls.__module__.split(".")[0] not in (
            "builtins",
            "numpy",
            "zermelo",
        ):
            self.reliable = False

    def _function_tokens(self, function: types.FunctionType) -> Iterator[Any]:
        yield "function", function.__module__, function.__qualname__
        if is_own(function):
            self._note_names(function.__code__)
            return
        loop = loop_of(function)
        if loop is not None:
            yield "vector loop"
            if loop is not function:
                yield from self._tokens(loop)
        yield from self._tokens(function.__code__)
        yield from self._tokens(function.__defaults__)
        for cell in function.__closure__ or ():
            self._cells.append((cell, cell.cell_contents))
            yield from self._tokens(cell.cell_contents)
        for code in nested_codes(function.__code__):
            for name, attributes in global_names(code):
                scope = function.__globals__
                value = scope.get(name, _MISSING)
                self._bindings.append((scope, name, value))
                if value is _MISSING:
                    continue
                yield "global", name
                yield from self._tokens(value)
                if isinstance(value, types.ModuleType):
                    yield from self._module_tokens(value, attributes)

    def _module_tokens(self, module: types.ModuleType, attributes: set[str]) -> Iterator[Any]:
        for name in sorted(attributes & set(vars(module))):
            value = vars(module)[name]
            self._bindings.append((vars(module), name, value))
            yield "attribute", name
            yield from self._tokens(value)
            if isinstance(value, types.ModuleType) and id(value) not in self._modules:
                self._modules.add(id(value))
                yield from self._module_tokens(value, attributes)

    def _code_tokens(self, code: types.CodeType) -> Iterator[Any]:
        self._note_names(code)
        yield "code", code.co_name, code.co_code, code.co_names, code.co_varnames, code.co_freevars
        for constant in code.co_consts:
            yield from self._tokens(constant)

    def _note_names(self, code: types.CodeType) -> None:
        for inner in nested_codes(code):
            self.names.update(inner.co_names)


_MISSING = object()


def nested_codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object and those of the functions and comprehensions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from nested_codes(constant)


def global_names(code: types.CodeType) -> list[tuple[str, set[str]]]:
    """The global names that a code object loads, each with all attribute names that the code mentions."""
    names = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return [(name, set(code.co_names)) for name in sorted(names)]
