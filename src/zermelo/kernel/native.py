"""The bridge to Numba: each kind of part is a Numba type of its own, whose methods resolve at compile time.

This module, and only this one and its neighbours `native_functions` and `cache`, imports Numba; nothing imports it
until something is to be compiled.
"""

from __future__ import annotations

import builtins
import functools
import operator
import types as python
from typing import Any

import numpy as np
from llvmlite import ir as llvm
from numba import njit, typeof, types
from numba.core import ir, typing
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import TypingError
from numba.core.typed_passes import NopythonTypeInference
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global
from numba.extending import (
    NativeValue,
    lower_builtin,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np import arrayobj, numpy_support

from zermelo.game.methods import METHODS
from zermelo.game.protocol import Game
from zermelo.game.state import Width, field_layouts, is_fixed_width, is_named_tuple, u64
from zermelo.kernel.fingerprint import nested_codes
from zermelo.kernel.parts import Blueprint

NUMBA_WIDTHS = {
    f"{sign}{bits}": getattr(types, f"{word}{bits}")
    for sign, word in (("u", "uint"), ("i", "int"))
    for bits in (8, 16, 32, 64)
}

INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Of functions that nobody calls but compiled code: to make them callable from elsewhere would take time."""


@typeof_impl.register(Width)
def _(width: Width, context: Any) -> types.Type:
    return types.NumberClass(NUMBA_WIDTHS[width.name])


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


# Functions.


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
    scope: dict[str, Any] = {"__builtins__": builtins, "__name__": function.__module__}
    closure = tuple(python.CellType(_translated(cell.cell_contents)) for cell in function.__closure__ or ())
    copy = python.FunctionType(function.__code__, scope, function.__name__, function.__defaults__, closure)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
    copy.__annotations__ = function.__annotations__
    made = _Compiled(function, njit(pipeline_class=_Pipeline, nogil=True, **INNER)(copy))
    _functions[id(function)] = made  # known before its globals are: it may call itself
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


# Arithmetic as the author of a game means it. Numba makes a signed number of `u64 + 1`, on which `>>` drags the sign
# along, and a huge one of `u8(1) - u8(2)`. In the functions compiled here, an operation of a u64 and any integer is a
# u64, since the author means a word; everything narrower counts as an ordinary number, a float32 as a float.


def _meant(name: str, kinds: list[types.Type]) -> types.Type | None:
    """The type in which an operation of these types is done; None where Numba's own choice is right."""
    if types.float32 in kinds and all(isinstance(kind, types.Integer | types.Float) for kind in kinds):
        return types.float64
    if name.endswith("truediv") or not all(isinstance(kind, types.Integer) for kind in kinds):
        return None
    if types.uint64 in (kinds[:1] if name.endswith("shift") else kinds):
        return types.uint64 if len(kinds) == 2 else None
    return types.int64 if any(kind.bitwidth < 64 for kind in kinds) else None


def _stand_in(name: str) -> Any:
    """A function that stands for an operator in the author's code, and does it in the type that is meant."""
    original = getattr(operator, name)

    def stand_in(*operands: Any) -> Any:
        return original(*operands)

    stand_in.__name__ = stand_in.__qualname__ = f"meant_{name}"
    globals()[stand_in.__name__] = stand_in  # where Numba looks for it

    @infer_global(stand_in)
    class _Meant(AbstractTemplate):
        key = stand_in

        def generic(self, args: Any, kws: Any) -> Any:
            meant = _meant(name, [types.unliteral(kind) for kind in args])
            if meant is not None:
                return typing.signature(meant, *[meant] * len(args))
            return self.context.resolve_function_type(original, args, kws)

    @lower_builtin(stand_in, types.VarArg(types.Any))
    def _(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        implementation = context.get_function(original, sig)
        context.add_linking_libs(getattr(implementation, "libs", ()))
        return implementation(builder, args)

    return stand_in


def _stand_ins(names: str) -> dict[Any, Any]:
    return {getattr(operator, name): _stand_in(name) for name in names.split()}


_BINARY = _stand_ins("add sub mul and_ or_ xor lshift rshift floordiv mod truediv")
_IN_PLACE = _stand_ins("iadd isub imul iand ior ixor ilshift irshift ifloordiv imod itruediv")
_UNARY = _stand_ins("neg invert pos")


@register_pass(mutates_CFG=False, analysis_only=False)
class _GameArithmetic(FunctionPass):
    """Before types are inferred: the operators that the author means, and `_replace` with its fields in its name."""

    _name = "zermelo_game_arithmetic"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        replaces: dict[str, ir.Expr] = {}
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts(ir.Assign):
                expression = statement.value
                if not isinstance(expression, ir.Expr):
                    continue
                if expression.op == "binop":
                    expression.fn = _BINARY.get(expression.fn, expression.fn)
                elif expression.op == "inplace_binop":
                    expression.fn = _IN_PLACE.get(expression.fn, expression.fn)
                    expression.immutable_fn = _BINARY.get(expression.immutable_fn, expression.immutable_fn)
                elif expression.op == "unary":
                    expression.fn = _UNARY.get(expression.fn, expression.fn)
                elif expression.op == "getattr" and expression.attr == "_replace":
                    replaces[statement.target.name] = expression
                elif expression.op == "call" and expression.func.name in replaces and expression.kws:
                    fields = [name for name, _ in expression.kws]
                    replaces[expression.func.name].attr = REPLACE + ",".join(fields)
                    expression.args, expression.kws = [value for _, value in expression.kws], ()
        return True


class _Pipeline(CompilerBase):
    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_GameArithmetic, _first_typing_neighbour(passes))
        passes.finalize()
        return [passes]


def _first_typing_neighbour(passes: Any) -> Any:
    """The pass that runs just before type inference."""
    order = [p for p, _ in passes.passes]
    return order[order.index(NopythonTypeInference) - 1]
