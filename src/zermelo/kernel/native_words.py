"""Native implementations of sets in several words: straight-line code, one instruction for each word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir as llvm
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from zermelo.kernel import words
from zermelo.kernel.native_functions import native

WORD = llvm.IntType(64)


def _items(builder: Any, value: Any, count: int) -> list[Any]:
    return [builder.extract_value(value, i) for i in range(count)]


def _sets(combine: Callable[[Any, Any, Any], Any]) -> Any:
    """An intrinsic from two sets to a third, word by word."""

    @intrinsic
    def operation(context: Any, a: Any, b: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pairs = zip(*(_items(builder, each, a.count) for each in arguments), strict=True)
            return cgutils.pack_array(builder, [combine(builder, x, y) for x, y in pairs])

        return a(a, a), lower

    return operation


def _test(combine: Callable[[Any, Any, Any], Any]) -> Any:
    """An intrinsic that says whether any word of two sets, combined, has bits."""

    @intrinsic
    def operation(context: Any, a: Any, b: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            found = WORD(0)
            for x, y in zip(*(_items(builder, each, a.count) for each in arguments), strict=True):
                found = builder.or_(found, combine(builder, x, y))
            return builder.icmp_unsigned("!=", found, WORD(0))

        return types.boolean(a, a), lower

    return operation


_union = _sets(lambda builder, x, y: builder.or_(x, y))
_intersection = _sets(lambda builder, x, y: builder.and_(x, y))
_difference = _sets(lambda builder, x, y: builder.and_(x, builder.not_(y)))
_have_common = _test(lambda builder, x, y: builder.and_(x, y))
_differ = _test(lambda builder, x, y: builder.xor(x, y))


@native(words.union)
def _(a: Any, b: Any) -> Any:
    return lambda a, b: _union(a, b)


@native(words.intersection)
def _(a: Any, b: Any) -> Any:
    return lambda a, b: _intersection(a, b)


@native(words.difference)
def _(a: Any, b: Any) -> Any:
    return lambda a, b: _difference(a, b)


@native(words.have_common)
def _(a: Any, b: Any) -> Any:
    return lambda a, b: _have_common(a, b)


@native(words.is_empty)
def _(a: Any) -> Any:
    return lambda a: not _have_common(a, a)


@native(words.are_equal)
def _(a: Any, b: Any) -> Any:
    return lambda a, b: not _differ(a, b)


@intrinsic
def _word_of(context: Any, a: Any, index: Any) -> Any:
    """A word by its number, chosen without a branch."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        found, *others = _items(builder, arguments[0], a.count)
        for i, word in enumerate(others, 1):
            found = builder.select(builder.icmp_unsigned("==", arguments[1], WORD(i)), word, found)
        return found

    return types.uint64(a, types.int64), lower


@native(words.word_of)
def _(a: Any, index: Any) -> Any:
    return lambda a, index: _word_of(a, types.int64(index))


@native(words.contains)
def _(a: Any, item: Any) -> Any:
    return lambda a, item: (_word_of(a, types.int64(item) >> 6) >> types.uint64(item & 63)) & types.uint64(1) != 0


@intrinsic
def _count_items(context: Any, a: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        total = WORD(0)
        for word in _items(builder, arguments[0], a.count):
            total = builder.add(total, builder.ctpop(word))
        return total

    return types.int64(a), lower


@native(words.count_items)
def _(a: Any) -> Any:
    return lambda a: _count_items(a)


@intrinsic
def _lowest_item(context: Any, a: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        found = WORD(64 * a.count)
        for i, word in reversed(list(enumerate(_items(builder, arguments[0], a.count)))):
            lowest = builder.add(WORD(64 * i), builder.cttz(word, cgutils.false_bit))
            found = builder.select(builder.icmp_unsigned("!=", word, WORD(0)), lowest, found)
        return found

    return types.int64(a), lower


@native(words.lowest_item)
def _(a: Any) -> Any:
    return lambda a: _lowest_item(a)


@intrinsic
def _words_at(context: Any, table: Any, row: Any, like: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        first = builder.mul(arguments[1], WORD(like.count))
        cells = [builder.gep(array.data, [builder.add(first, WORD(i))]) for i in range(like.count)]
        return cgutils.pack_array(builder, [builder.load(cell) for cell in cells])

    return like(table, types.int64, like), lower


@native(words.words_at)
def _(table: Any, row: Any, like: Any) -> Any:
    return lambda table, row, like: _words_at(table, types.int64(row), like)


def _around(builder: Any, a: list[Any], stride: Any) -> list[Any]:
    """Each word with its bits shifted by 1 and by `stride` both ways; bits cross from word to word."""
    found = []
    for i, word in enumerate(a):
        near = WORD(0)
        for step in (WORD(1), stride):
            rest = builder.sub(WORD(64), step)
            near = builder.or_(near, builder.or_(builder.shl(word, step), builder.lshr(word, step)))
            if i > 0:
                near = builder.or_(near, builder.lshr(a[i - 1], rest))
            if i + 1 < len(a):
                near = builder.or_(near, builder.shl(a[i + 1], rest))
        found.append(near)
    return found


@intrinsic
def _neighbours(context: Any, a: Any, stride: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return cgutils.pack_array(builder, _around(builder, _items(builder, arguments[0], a.count), arguments[1]))

    return a(a, types.int64), lower


@intrinsic
def _spread(context: Any, a: Any, within: Any, stride: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        points, room = (_items(builder, each, a.count) for each in arguments[:2])
        near = _around(builder, points, arguments[2])
        grown = [builder.or_(x, builder.and_(y, z)) for x, y, z in zip(points, near, room, strict=True)]
        return cgutils.pack_array(builder, grown)

    return a(a, a, types.int64), lower


@native(words.neighbours)
def _(a: Any, stride: Any) -> Any:
    return lambda a, stride: _neighbours(a, types.int64(stride))


@native(words.spread)
def _(a: Any, within: Any, stride: Any) -> Any:
    return lambda a, within, stride: _spread(a, within, types.int64(stride))


@native(words.flooded)
def _(seeds: Any, within: Any, stride: Any) -> Any:
    def flooded(seeds: Any, within: Any, stride: Any) -> Any:
        found = seeds
        grown = _spread(seeds, within, types.int64(stride))
        while _differ(grown, found):
            found = grown
            grown = _spread(found, within, types.int64(stride))
        return found

    return flooded
