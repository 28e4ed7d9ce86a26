"""Parts in compiled code: each kind of part is a Numba type of its own, whose methods resolve at compile time.

Only this module, its neighbours `native_*`, `numba_internals`, `cache` and `program` import Numba, and nothing imports
them until something is to be compiled.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from llvmlite import ir as llvm
from numba import njit, typeof, types
from numba.core import typing
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr
from numba.extending import NativeValue, lower_getattr_generic, models, register_model, unbox
from numba.np import arrayobj, numpy_support

from zermelo.game.methods import METHODS
from zermelo.game.protocol import Game
from zermelo.game.state import u64
from zermelo.kernel.native_code import compiled_function
from zermelo.kernel.native_states import INNER
from zermelo.kernel.parts import Blueprint

# The type of a part.

live: dict[str, Blueprint] = {}
"""The blueprints of this process by the name of their type. A type read back from a cache needs none."""


class PartType(types.Type):
    """The Numba type of one kind of part. It pickles as its name, so that loading a cache imports no game."""

    def __init__(self, name: str):
        super().__init__(name=name)

    def __reduce__(self) -> Any:
        return PartType, (self.name,)


def part_type(plan: Blueprint) -> PartType:
    live.setdefault(plan.name, plan)  # a class that is loaded again has the same name and equal code
    return PartType(plan.name)


register_model(PartType)(models.OpaqueModel)


@unbox(PartType)
def _(typ: PartType, address: Any, c: Any) -> NativeValue:
    number = c.pyapi.long_as_longlong(address)
    return NativeValue(c.builder.inttoptr(number, c.context.get_value_type(typ)))


@infer_getattr
class _PartAttributes(AttributeTemplate):
    key = PartType

    def generic_resolve(self, typ: PartType, name: str) -> types.Type | None:
        plan = live[typ.name]
        if name in plan.tables:
            return _table_type(plan, name)
        if name in plan.parts:
            return part_type(plan.parts[name])
        if name in plan.constants:
            return typeof(plan.constants[name])
        if name in plan.methods:
            return PartMethod(typ, name)
        return None


@lower_getattr_generic(PartType)
def _(context: Any, builder: Any, typ: PartType, value: Any, name: str) -> Any:
    plan = live[typ.name]
    if name in plan.constants:
        constant = plan.constants[name]
        return context.get_constant_generic(builder, typeof(constant), constant)
    if name in plan.parts:
        word = llvm.IntType(64)
        words = builder.bitcast(value, word.as_pointer())
        address = builder.load(builder.gep(words, [word(plan.offsets[name])]))
        return builder.inttoptr(address, context.get_value_type(PartType(plan.parts[name].name)))
    return _table(context, builder, plan, value, name)


def _table_type(plan: Blueprint, name: str) -> types.Array:
    dtype, dimensions, contiguous, writable = plan.tables[name]
    layout = "C" if contiguous else "A"
    return types.Array(numpy_support.from_dtype(np.dtype(dtype)), dimensions, layout, readonly=not writable)


def _table(context: Any, builder: Any, plan: Blueprint, block: Any, name: str) -> Any:
    """An array over the table's memory, which Python owns: no reference is counted, so none can leak."""
    array_type = _table_type(plan, name)
    word = llvm.IntType(64)
    words = builder.bitcast(block, word.as_pointer())
    offset = plan.offsets[name]
    load = lambda i: builder.load(builder.gep(words, [word(offset + i)]))  # noqa: E731
    shape = [load(1 + i) for i in range(array_type.ndim)]
    itemsize = word(context.get_abi_sizeof(context.get_data_type(array_type.dtype)))
    strides: list[Any] = []
    if plan.tables[name].contiguous:
        step = itemsize
        for extent in reversed(shape):
            strides.insert(0, step)
            step = builder.mul(step, extent)
    else:
        strides = [load(1 + array_type.ndim + i) for i in range(array_type.ndim)]
    array = context.make_array(array_type)(context, builder)
    data = builder.inttoptr(load(0), context.get_data_type(array_type.dtype).as_pointer())
    arrayobj.populate_array(array, data=data, shape=shape, strides=strides, itemsize=itemsize, meminfo=None)
    return array._getvalue()


# Methods.

_NUMBERS = {int: types.int64, float: types.float64, bool: types.boolean, u64: types.uint64}


def _declared(kind: Any) -> types.Type | None:
    """The Numba type of what the protocol's table says that a method returns or yields; None if that is open."""
    if isinstance(kind, tuple):
        return types.Tuple([_NUMBERS[item] for item in kind])
    return _NUMBERS.get(kind)


RETURNS = {name: _declared(method.returns) for name, method in METHODS.items() if method.compiled}
YIELDS = {name: _declared(method.yields) for name, method in METHODS.items() if method.compiled}
"""What the protocol's methods return and yield, whatever the author's arithmetic makes of it."""

_compiling: set[tuple[PartType, str]] = set()


class PartMethod(types.BoundFunction):
    """The type of `game.actions` and the like: calling it compiles the author's function for the types at hand."""

    def __init__(self, part: PartType, name: str):
        self.part, self.method = part, name
        plan = live[part.name]
        self.function = compiled_function(plan.methods[name])
        self.protocol = issubclass(plan.cls, Game)
        super().__init__(type("Method", (AbstractTemplate,), {"key": f"{part.name}.{name}"}), part)

    def get_call_type(self, context: Any, arguments: Any, keywords: Any) -> Any:
        if (self.part, self.method) in _compiling:
            raise TypingError(f"the method {self.method} calls itself: write the recursion as a function outside")
        _compiling.add((self.part, self.method))
        try:
            given = tuple(types.unliteral(a) for a in (self.part, *arguments))
            python_signature, folded = self.function._compiler.fold_argument_types(given, keywords)
            _, returned = _compiled_method(self.function, self.method, self.protocol, folded)
        finally:
            _compiling.discard((self.part, self.method))
        signature = typing.signature(returned, *folded)
        return signature.replace(pysig=python_signature).as_method()

    def get_impl_key(self, signature: Any) -> Any:
        dispatcher, _ = _compiled_method(self.function, self.method, self.protocol, signature.args)
        return dispatcher.get_overload(signature.args)


register_model(PartMethod)(models.OpaqueModel)


def _compiled_method(function: Any, name: str, protocol: bool, arguments: Any) -> tuple[Any, types.Type]:
    """The dispatcher that answers the method's calls, compiled for these arguments, and the type it returns.

    Methods of the `protocol` return what its table declares; those of other parts, what their code returns.
    """
    returned = RETURNS.get(name) if protocol else None
    function.compile(arguments if returned is None else typing.signature(returned, *arguments))
    returned = function.overloads[arguments].signature.return_type
    if isinstance(returned, types.Generator):
        wanted = YIELDS.get(name) if protocol else None
        if wanted is not None and returned.yield_type != wanted:
            function = _WIDENED[wanted, len(arguments)](function)
            function.compile(arguments)
            returned = function.overloads[arguments].signature.return_type
    return function, returned


@functools.cache
def _yielding_actions(function: Any) -> Any:
    @njit(**INNER)
    def actions(part, s):  # type: ignore[no-untyped-def]
        for a in function(part, s):
            yield types.int64(a)

    return actions


@functools.cache
def _yielding_outcomes(function: Any) -> Any:
    @njit(**INNER)
    def outcomes(part, s):  # type: ignore[no-untyped-def]
        for outcome, probability in function(part, s):
            yield types.int64(outcome), types.float64(probability)

    return outcomes


@functools.cache
def _yielding_features(function: Any) -> Any:
    @njit(**INNER)
    def features(part, s, p):  # type: ignore[no-untyped-def]
        for number, amount in function(part, s, p):
            yield types.int64(number), types.float64(amount)

    return features


_PAIR = types.Tuple((types.int64, types.float64))
_WIDENED = {(types.int64, 2): _yielding_actions, (_PAIR, 2): _yielding_outcomes, (_PAIR, 3): _yielding_features}
"""What wraps a generator that yields something narrower than declared, by the declared type and the arguments."""
