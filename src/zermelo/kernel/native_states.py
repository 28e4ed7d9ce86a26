"""States in compiled code: their Numba types, constructors that wrap each field into its width, and `_replace`."""

from __future__ import annotations

import functools
from typing import Any

from numba import njit, types
from numba.core import typing
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr
from numba.extending import models, register_model, typeof_impl

from zermelo.game.state import Width, field_layouts, is_fixed_width, is_named_tuple

NUMBA_WIDTHS = {
    f"{sign}{bits}": getattr(types, f"{word}{bits}")
    for sign, word in (("u", "uint"), ("i", "int"))
    for bits in (8, 16, 32, 64)
}

INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of functions that only compiled code calls: wrappers for other callers would take time to compile."""


@typeof_impl.register(Width)
def _(width: Width, context: Any) -> types.Type:
    return types.NumberClass(NUMBA_WIDTHS[width.name])


_constructors: dict[type, Any] = {}


def constructor(state: type) -> Any:
    """A compiled function that makes such a state, every field wrapped into its width."""
    if state not in _constructors:
        fields = state._fields  # type: ignore[attr-defined]
        names: dict[str, Any] = {"State": state}
        wrapped = (_cast_source(layout, name, names) for layout, name in zip(field_layouts(state), fields, strict=True))
        source = f"def make({', '.join(fields)}):\n    return State({', '.join(wrapped)})"
        exec(source, names)  # built from the field names and widths alone
        _constructors[state] = njit(**INNER)(names["make"])
    return _constructors[state]


def _cast_source(layout: Any, expression: str, names: dict[str, Any]) -> str:
    if isinstance(layout, Width):
        names[layout.name] = NUMBA_WIDTHS[layout.name]
        return f"{layout.name}({expression})"
    if is_named_tuple(layout):
        names[layout.__name__] = constructor(layout)
        count = len(field_layouts(layout))
        return f"{layout.__name__}({', '.join(f'{expression}[{i}]' for i in range(count))})"
    return "(" + "".join(f"{_cast_source(part, f'{expression}[{i}]', names)}, " for i, part in enumerate(layout)) + ")"


class StateReplace(types.BoundFunction):
    """The type of `s._replace` for certain fields: a new state with these changed, each wrapped into its width."""

    def __init__(self, state: types.Type, fields: tuple[str, ...]):
        self.replacer = _replacer(state.instance_class, fields)
        super().__init__(type("Replace", (AbstractTemplate,), {"key": f"{state.name}.{fields}"}), state)

    def get_call_type(self, context: Any, arguments: Any, keywords: Any) -> Any:
        given = tuple(types.unliteral(kind) for kind in (self.this, *arguments))
        self.replacer.compile(given)
        returned = self.replacer.overloads[given].signature.return_type
        return typing.signature(returned, *given[1:], recvr=self.this)

    def get_impl_key(self, signature: Any) -> Any:
        return self.replacer.get_overload(signature.args)


register_model(StateReplace)(models.OpaqueModel)


@functools.cache
def _replacer(state: Any, names: tuple[str, ...]) -> Any:
    fields = ", ".join(name if name in names else f"s.{name}" for name in state._fields)
    scope: dict[str, Any] = {"State": constructor(state)}
    exec(f"def replace({', '.join(('s', *names))}):\n    return State({fields})", scope)  # from the field names alone
    return njit(**INNER)(scope["replace"])


REPLACE = "_replace:"
"""How a call of `_replace` is written once its keywords are known: the fields follow, the arguments in their order."""


class _StateAttributes(AttributeTemplate):
    def generic_resolve(self, typ: types.Type, name: str) -> types.Type | None:
        if not name.startswith(REPLACE) or not is_fixed_width(typ.instance_class):
            return None
        fields = tuple(name.removeprefix(REPLACE).split(","))
        known = typ.instance_class._fields
        if not set(fields) <= set(known):
            raise TypingError(f"_replace takes the fields of {typ.instance_class.__name__}: {', '.join(known)}")
        return StateReplace(typ, fields)


for _kind in (types.NamedTuple, types.NamedUniTuple):
    infer_getattr(type("_StateAttributes", (_StateAttributes,), {"key": _kind}))


def state_type(state: type) -> types.Type:
    """The Numba type of a state as plain tuples: what crosses from Python into compiled code.

    Not the NamedTuple's own type, which would tie the cache to the module that defines it.
    """
    return _plain_type(tuple(field_layouts(state)))


def _plain_type(layout: Any) -> types.Type:
    if isinstance(layout, Width):
        return NUMBA_WIDTHS[layout.name]
    parts = field_layouts(layout) if is_named_tuple(layout) else layout
    return types.Tuple([_plain_type(part) for part in parts])
