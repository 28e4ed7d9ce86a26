"""Native implementations of the kernel's plain functions, for compiled code."""

from __future__ import annotations

from typing import Any

from llvmlite import ir as llvm
from numba import types
from numba.core import cgutils
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import intrinsic, overload

from zermelo.game import hashing
from zermelo.game.repetition import index_key
from zermelo.kernel import bits, calls, flat, history, ordinals, vectors
from zermelo.kernel.native import PartType, live
from zermelo.kernel.native_code import NATIVE_FUNCTIONS, compiled_function
from zermelo.kernel.native_states import constructor


def native(function: Any) -> Any:
    """Register the native implementation of a plain function."""
    NATIVE_FUNCTIONS.add(function)
    return overload(function, strict=False)


@intrinsic
def _population_count(context: Any, word: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), lower


@intrinsic
def _trailing_zeros(context: Any, word: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.false_bit)  # a word of 0 counts as 64

    return types.uint64(types.uint64), lower


@intrinsic
def _leading_zeros(context: Any, word: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], cgutils.false_bit)  # a word of 0 counts as 64

    return types.uint64(types.uint64), lower


@native(bits.count_bits)
def _(word: Any) -> Any:
    return lambda word: types.int64(_population_count(types.uint64(word)))


@native(bits.lowest_bit)
def _(word: Any) -> Any:
    return lambda word: types.int64(_trailing_zeros(types.uint64(word)))


@native(bits.highest_bit)
def _(word: Any) -> Any:
    return lambda word: 63 - types.int64(_leading_zeros(types.uint64(word)))


@overload(float, strict=False)
def _(number: Any) -> Any:
    """`float(a == b)`, which Numba does not have."""
    return (lambda number: 1.0 if number else 0.0) if isinstance(number, types.Boolean) else None


@native(bits.replaced)
def _(items: Any, index: Any, item: Any) -> Any:
    cast = items.dtype
    return lambda items, index, item: tuple_setitem(items, index, cast(item))


@intrinsic
def _add_row(context: Any, words: Any, table: Any, place: Any) -> Any:
    """One vector addition: LLVM would not find it by itself, because the sums end in four variables."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = llvm.VectorType(llvm.IntType(64), 4)
        array = context.make_array(signature.args[1])(context, builder, arguments[1])
        row = builder.bitcast(builder.gep(array.data, [arguments[2]]), vector.as_pointer())
        total = llvm.Constant(vector, llvm.Undefined)
        for i in range(4):
            total = builder.insert_element(total, builder.extract_value(arguments[0], i), llvm.IntType(32)(i))
        total = builder.add(total, builder.load(row, align=8))
        found = [builder.extract_element(total, llvm.IntType(32)(i)) for i in range(4)]
        return context.make_tuple(builder, signature.return_type, found)

    four = types.UniTuple(types.uint64, 4)
    return four(four, table, types.int64), lower


@native(bits.add_row)
def _(words: Any, table: Any, place: Any) -> Any:
    return lambda words, table, place: _add_row(words, table, types.int64(place))


@native(hashing.mixed)
def _(state: Any) -> Any:
    """Field by field, as the plain one does it."""
    lines = ["def mixed(state):", f"    key = u64({hashing.SEED})"]
    lines += [f"    key = mix(key, {leaf})" for leaf in _leaves(state, "state")]
    scope: dict[str, Any] = {"mix": compiled_function(hashing.mix), "u64": types.uint64}
    exec("\n".join([*lines, "    return key"]), scope)  # built from the shape of the type alone
    return scope["mixed"]


def _leaves(typ: Any, expression: str) -> list[str]:
    """What is mixed into the key of a value of this type, in order: the length of a tuple, then its items."""
    if isinstance(typ, types.BaseTuple):
        return [str(len(typ))] + [leaf for i, item in enumerate(typ) for leaf in _leaves(item, f"{expression}[{i}]")]
    return [expression]


@native(flat.write_state)
def _(s: Any, row: Any) -> Any:
    lines = [f"    row[{i}] = u64({leaf})" for i, leaf in enumerate(_numbers(s, "s"))]
    scope: dict[str, Any] = {"u64": types.uint64}
    exec("\n".join(["def write_state(s, row):", *lines]), scope)  # built from the shape of the type alone
    return scope["write_state"]


@native(flat.read_state)
def _(row: Any, like: Any) -> Any:
    made, _ = _tuple_source(like, 0)
    fields = ", ".join(f"made[{i}]" for i in range(len(like)))
    scope: dict[str, Any] = {"State": constructor(like.instance_class)}
    exec(f"def read_state(row, like):\n    made = {made}\n    return State({fields})", scope)  # likewise
    return scope["read_state"]


def _numbers(typ: Any, expression: str) -> list[str]:
    """The numbers in a value of this type, in order."""
    if isinstance(typ, types.BaseTuple):
        return [number for i, item in enumerate(typ) for number in _numbers(item, f"{expression}[{i}]")]
    return [expression]


def _tuple_source(typ: Any, place: int) -> tuple[str, int]:
    """Source of a tuple of this shape, filled from `row` from this place on; and the place after it."""
    if not isinstance(typ, types.BaseTuple):
        return f"row[{place}]", place + 1
    source = ""
    for item in typ:
        inner, place = _tuple_source(item, place)
        source += f"{inner}, "
    return f"({source})", place


@native(vectors.constant_vector)
def _(game: PartType, number: Any) -> Any:
    players = live[game.name].constants["players"]
    scope: dict[str, Any] = {"float": types.float64}
    exec(f"def vector(game, number):\n    x = float(number)\n    return ({'x, ' * players})", scope)
    return scope["vector"]


@intrinsic
def _call_address(context: Any, address: Any, kind: Any, ply: Any, action: Any, x: Any, y: Any) -> Any:
    """Call the C function at an address: how compiled code tells a Python observer something."""
    signature = types.void(types.int64, types.int64, types.int64, types.int64, types.float64, types.float64)

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        integer, real = llvm.IntType(64), llvm.DoubleType()
        function = llvm.FunctionType(llvm.VoidType(), [integer, integer, integer, real, real]).as_pointer()
        builder.call(builder.inttoptr(arguments[0], function), arguments[1:])
        return context.get_dummy_value()

    return signature, lower


@native(calls.tell)
def _(listener: Any, kind: Any, ply: Any, action: Any, x: Any, y: Any) -> Any:
    return lambda listener, kind, ply, action, x, y: _call_address(
        listener, types.int64(kind), types.int64(ply), types.int64(action), types.float64(x), types.float64(y)
    )


@intrinsic
def _volatile_load(context: Any, flags: Any, index: Any) -> Any:
    """Read an item of an int64 array from memory, however often the loop around it runs."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.gep(array.data, [arguments[1]])
        load = builder.load(pointer)
        load.volatile = True
        return load

    return types.int64(flags, types.int64), lower


@native(calls.read_flag)
def _(flags: Any, index: Any) -> Any:
    return lambda flags, index: _volatile_load(flags, types.int64(index))


@intrinsic
def _prefetch(context: Any, items: Any, index: Any) -> Any:
    """LLVM's prefetch: for reading, to stay in the caches, of data."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.bitcast(builder.gep(array.data, [arguments[1]]), llvm.IntType(8).as_pointer())
        number = llvm.IntType(32)
        kind = llvm.FunctionType(llvm.VoidType(), [pointer.type, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(function, [pointer, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(items, types.int64), lower


@native(calls.prefetch)
def _(array: Any, index: Any) -> Any:
    return lambda array, index: _prefetch(array, types.int64(index))


def _note_key(game: Any, s: Any) -> None:
    """The part of `remember` that only games with a history need."""


@overload(_note_key, strict=False)
def _(game: PartType, s: Any) -> Any:
    if not live[game.name].constants["uses_history"]:
        return lambda game, s: None

    def note_key(game: Any, s: Any) -> None:
        game.history[game.history_length[0]] = game.history_key(s)

    index = compiled_function(index_key)

    def note_and_index_key(game: Any, s: Any) -> None:
        key = game.history_key(s)
        game.history[game.history_length[0]] = key
        index(game, key)

    return note_and_index_key if live[game.name].constants["indexes_history"] else note_key


def _keeps_path(game: PartType) -> bool:
    constants = live[game.name].constants
    return bool(constants["uses_history"] or constants["has_hooks"])


@native(history.remember)
def _(game: PartType, s: Any) -> Any:
    if not _keeps_path(game):
        return lambda game, s: None

    def remember(game: Any, s: Any) -> None:
        _note_key(game, s)
        game.enter(s)
        game.history_length[0] += 1

    return remember


@native(history.forget)
def _(game: PartType) -> Any:
    if not _keeps_path(game):
        return lambda game: None

    def forget(game: Any) -> None:
        game.history_length[0] -= 1
        game.leave()

    return forget


@native(history.rewind)
def _(game: PartType, length: Any) -> Any:
    if not _keeps_path(game):
        return lambda game, length: None

    def rewind(game: Any, length: int) -> None:
        game.history_length[0] = length

    return rewind


def _to_ordinal(value_type: Any, bits: int) -> Any:
    """An intrinsic from a float of so many bits to its ordinal: branch-free, since a search does little else."""

    @intrinsic
    def to_ordinal(context: Any, value: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word = llvm.IntType(bits)
            number = builder.bitcast(arguments[0], word)
            below = builder.neg(builder.and_(number, word((1 << bits - 1) - 1)))
            found = builder.select(builder.icmp_signed(">=", number, word(0)), number, below)
            return found if bits == 64 else builder.sext(found, llvm.IntType(64))

        return types.int64(value_type), lower

    return to_ordinal


def _from_ordinal(value_type: Any, bits: int) -> Any:
    """The inverse intrinsic."""

    @intrinsic
    def from_ordinal(context: Any, number: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word = llvm.IntType(bits)
            number = arguments[0] if bits == 64 else builder.trunc(arguments[0], word)
            below = builder.or_(builder.neg(number), word(1 << bits - 1))
            found = builder.select(builder.icmp_signed(">=", number, word(0)), number, below)
            return builder.bitcast(found, context.get_value_type(value_type))

        return value_type(types.int64), lower

    return from_ordinal


_double_to_ordinal, _double_from_ordinal = _to_ordinal(types.float64, 64), _from_ordinal(types.float64, 64)
_single_to_ordinal, _single_from_ordinal = _to_ordinal(types.float32, 32), _from_ordinal(types.float32, 32)


@native(ordinals.ordinal)
def _(value: Any) -> Any:
    return lambda value: _double_to_ordinal(types.float64(value))


@native(ordinals.float_of)
def _(number: Any) -> Any:
    return lambda number: _double_from_ordinal(types.int64(number))


@native(ordinals.single_ordinal)
def _(value: Any) -> Any:
    return lambda value: _single_to_ordinal(types.float32(value))


@native(ordinals.single_float_of)
def _(number: Any) -> Any:
    return lambda number: types.float64(_single_from_ordinal(types.int64(number)))


@native(ordinals.signed)
def _(word: Any) -> Any:
    return lambda word: types.int64(word)


@native(ordinals.number_of)
def _(action: Any) -> Any:
    return lambda action: types.int64(action)
