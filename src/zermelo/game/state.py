"""Fixed-width integers, and states made of them.

A state that is to be compiled is a NamedTuple whose fields are annotated with these widths, or with tuples of
them. In plain Python the fields are ordinary integers; `normalise` keeps each within its width, so that a board
that wraps around at 64 bits does so in both modes.
"""

from __future__ import annotations

import functools
import typing
from collections.abc import Callable
from typing import Any, TypeAlias


class Width:
    """A fixed-width integer type. Calling it wraps a number into the width: `u8(257) == 1`, `i8(255) == -1`."""

    def __init__(self, name: str, bits: int, signed: bool):
        self.name, self.bits, self.signed = name, bits, signed
        self._mask = (1 << bits) - 1
        self._sign = 1 << (bits - 1) if signed else 0

    def __call__(self, number: Any) -> int:
        return ((int(number) + self._sign) & self._mask) - self._sign

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest number that fits."""
        return -self._sign, self._mask - self._sign

    def source(self, expression: str) -> str:
        """Python source that wraps an expression into this width."""
        if self.signed:
            return f"((int({expression}) + {self._sign}) & {self._mask}) - {self._sign}"
        return f"int({expression}) & {self._mask}"

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> str:
        return self.name


if typing.TYPE_CHECKING:  # to a type checker a fixed-width field is an int
    u8: TypeAlias = int
    u16: TypeAlias = int
    u32: TypeAlias = int
    u64: TypeAlias = int
    i8: TypeAlias = int
    i16: TypeAlias = int
    i32: TypeAlias = int
    i64: TypeAlias = int
else:
    u8, u16, u32, u64 = (Width(f"u{bits}", bits, signed=False) for bits in (8, 16, 32, 64))
    i8, i16, i32, i64 = (Width(f"i{bits}", bits, signed=True) for bits in (8, 16, 32, 64))

Layout = Any
"""The shape of a state: a Width, a tuple of layouts, or a NamedTuple class whose fields have layouts."""


def is_named_tuple(cls: Any) -> bool:
    """Is this a class made by typing.NamedTuple or collections.namedtuple?"""
    return isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")


@functools.cache
def field_layouts(cls: type) -> tuple[Layout, ...]:
    """The layouts of a NamedTuple's fields; raises TypeError naming the field that has no fixed width."""
    if not is_named_tuple(cls):
        raise TypeError(f"{cls.__name__} is not a NamedTuple")
    try:
        hints = typing.get_type_hints(cls, localns=_WIDTHS)
    except NameError as error:
        raise TypeError(f"an annotation of {cls.__name__} cannot be read: {error}") from None
    return tuple(_layout(hints.get(name), f"{cls.__name__}.{name}") for name in cls._fields)  # type: ignore[attr-defined]


def _layout(annotation: Any, where: str) -> Layout:
    if isinstance(annotation, Width):
        return annotation
    if annotation is bool:
        return _WIDTHS["u8"]
    if typing.get_origin(annotation) is tuple and Ellipsis not in typing.get_args(annotation):
        return tuple(_layout(item, where) for item in typing.get_args(annotation))
    if is_named_tuple(annotation):
        field_layouts(annotation)
        return annotation
    shown = getattr(annotation, "__name__", annotation)
    raise TypeError(
        f"field {where} is annotated {shown}, which has no fixed width (use u8 … u64, i8 … i64, or tuples of them)"
    )


def is_fixed_width(cls: type) -> bool:
    """Can states of this class be compiled?"""
    try:
        field_layouts(cls)
    except TypeError:
        return False
    return True


@functools.cache
def normaliser(cls: type) -> Callable[[Any], Any] | None:
    """A function that wraps every field of such a state into its width, or None where states have no widths."""
    if not is_fixed_width(cls):
        return None
    names: dict[str, Any] = {}
    source = f"lambda s: {_source(cls, 's', names)}"
    made: Callable[[Any], Any] = eval(source, names)  # built from widths and field positions alone
    return made


def _source(layout: Layout, expression: str, names: dict[str, Any]) -> str:
    if isinstance(layout, Width):
        return layout.source(expression)
    parts = field_layouts(layout) if is_named_tuple(layout) else layout
    inner = "".join(f"{_source(part, f'{expression}[{i}]', names)}, " for i, part in enumerate(parts))
    if is_named_tuple(layout):
        name = f"State{len(names)}"
        names[name] = layout
        return f"{name}({inner})"
    return f"({inner})"


def normalise(state: Any) -> Any:
    """The state with every field wrapped into its width; a state without widths as it is."""
    kind: Any = type(state)
    wrap = normaliser(kind)
    return state if wrap is None else wrap(state)


_WIDTHS = {w.name: w for w in (u8, u16, u32, u64, i8, i16, i32, i64)}  # type: ignore[attr-defined]
