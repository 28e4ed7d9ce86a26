"""Compression of tables: Huffman codes for values and for runs, in blocks that are unpacked one by one.

A block is a sequence of symbols. A symbol is a value, or says that the last value is repeated 1, 2, 4, … times more.
Frequent symbols have short codes (Huffman 1952), none longer than LONGEST bits, so that one look into a table of
2^LONGEST entries decodes a symbol. Indices without a position take the value before them, which makes runs longer.
"""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from zermelo.game.state import u64
from zermelo.kernel.routine import Routine

SHIFT = 10
BLOCK = 1 << SHIFT
"""Positions in a block: a search unpacks one for nearly every position that is new to it, so blocks are small."""
RUNS = SHIFT
"""Run symbols: the last value 1, 2, 4, … 512 times more."""
LONGEST = 14
"""Bits of the longest code."""
PALETTE = 12
"""Bits of the number of a value: a table has at most 4096 different values."""
PADDING = 8
"""Bytes after the last block, so that the decoder can read beyond a code."""
PRIME, START = 16777619, 2166136261
"""Of the checksum of a block (Fowler, Noll and Vo 1991)."""


def checksum(data: Any, first: int, last: int) -> int:
    """The checksum of some bytes, in 32 bits."""
    total = u64(START)
    for i in range(first, last):
        total = ((total ^ u64(data[i])) * PRIME) & 0xFFFFFFFF
    return int(total)


def list_symbols(game: Any, s: Any, values: Any, first: int, places: Any, kinds: int, symbols: Any, gap: int) -> int:
    """Write the symbols of the block that begins at an index; returns how many there are.

    places    for each value its symbol, below `kinds`; a value v is at v + 32768
    gap       the value of an index without a position
    """
    last = min(first + BLOCK, len(values))
    count, i = 0, first
    before = -1
    while i < last:
        value = int(values[i])
        symbol = before if value == gap and before >= 0 else int(places[value + 32768])
        run = 1
        while i + run < last and (values[i + run] == value or values[i + run] == gap):
            run += 1
        i += run
        if symbol != before:
            symbols[count] = symbol
            count += 1
            run -= 1
            before = symbol
        step = 0
        while run > 0:
            if run & 1:
                symbols[count] = kinds + step
                count += 1
            run >>= 1
            step += 1
    return count


def pack(
    game: Any, s: Any, values: Any, places: Any, kinds: int, symbols: Any, counts: Any, codes: Any, lengths: Any,
    ends: Any, checks: Any, data: Any, gap: int,
) -> int:  # fmt: skip
    """Pack all blocks into `data` and return how many bytes they take. With no codes, only count the symbols."""
    end = 0
    for block in range((len(values) + BLOCK - 1) >> SHIFT):
        count = list_symbols(game, s, values, block << SHIFT, places, kinds, symbols, gap)
        if len(codes) == 0:
            for k in range(count):
                counts[symbols[k]] += 1
            continue
        start, held, bits = end, u64(0), 0
        for k in range(count):
            symbol = int(symbols[k])
            held = held << int(lengths[symbol]) | u64(codes[symbol])
            bits += int(lengths[symbol])
            while bits >= 8:
                bits -= 8
                data[end] = int(held >> bits) & 255
                end += 1
            held &= (u64(1) << bits) - 1
        if bits > 0:
            data[end] = int(held << 8 - bits) & 255
            end += 1
        ends[block] = end
        checks[block] = checksum(data, start, end)
    return end


def unpack(data: Any, start: int, look: Any, base: int, palette: Any, kinds: int, out: Any, at: int, count: int) -> int:
    """Unpack `count` values of a block into out[at:]; returns how many there were, which may be too few.

    data, start   the bytes, and where the block begins
    look, base    for the next LONGEST bits, at base: 16 · symbol + length of its code
    palette       the values of the symbols below `kinds`, at base >> LONGEST << PALETTE
    """
    place, done, value = start << 3, 0, 0
    colours = base >> LONGEST << PALETTE
    while done < count:
        byte, rest = place >> 3, place & 7
        bits = int(data[byte]) << 16 | int(data[byte + 1]) << 8 | int(data[byte + 2])
        entry = int(look[base + (bits >> 24 - LONGEST - rest & (1 << LONGEST) - 1)])
        length, symbol = entry & 15, entry >> 4
        if length == 0:
            return done
        place += length
        if symbol < kinds:
            value = int(palette[colours + symbol])
            out[at + done] = value
            done += 1
        else:
            stop = min(done + (1 << symbol - kinds), count)
            for i in range(done, stop):
                out[at + i] = value
            done = stop
    return done


def unpack_all(
    game: Any, s: Any, data: Any, starts: Any, look: Any, palette: Any, kinds: int, out: Any, checks: Any
) -> int:
    """Unpack all blocks; returns the first that is damaged, or -1."""
    for block in range(len(starts) - 1):
        first = block << SHIFT
        count = min(BLOCK, len(out) - first)
        if checksum(data, starts[block], starts[block + 1]) != checks[block]:
            return block
        if unpack(data, starts[block], look, 0, palette, kinds, out, first, count) < count:
            return block
    return -1


PACK, UNPACK_ALL = Routine(pack), Routine(unpack_all)


def code_lengths(counts: Any) -> np.ndarray[Any, Any]:
    """The lengths of the codes for symbols with these frequencies (Huffman 1952); 0 for a symbol that does not occur.

    If a code is longer than LONGEST bits, rare symbols are taken to be more frequent.
    """
    counts = np.array(counts, np.int64)
    lengths = np.zeros(len(counts), np.int64)
    used = np.flatnonzero(counts)
    if len(used) == 1:
        lengths[used] = 1
    least = 1
    while len(used) > 1 and (lengths.max() == 0 or lengths.max() > LONGEST):
        heap = [(max(int(counts[symbol]), least), number, [int(symbol)]) for number, symbol in enumerate(used)]
        heapq.heapify(heap)
        lengths[:] = 0
        number = len(heap)
        while len(heap) > 1:
            (one, _, few), (two, _, more) = heapq.heappop(heap), heapq.heappop(heap)
            lengths[few + more] += 1
            heapq.heappush(heap, (one + two, number, few + more))
            number += 1
        least = max(2 * least, int(counts.sum()) >> LONGEST + 4)
    return lengths


def canonical_codes(lengths: Any) -> np.ndarray[Any, Any]:
    """The code of each symbol: those of equal length are consecutive numbers, shorter ones come first."""
    codes = np.zeros(len(lengths), np.int64)
    code, length = 0, 0
    for symbol in sorted(np.flatnonzero(lengths), key=lambda symbol: (lengths[symbol], symbol)):
        code <<= int(lengths[symbol]) - length
        length = int(lengths[symbol])
        codes[symbol] = code
        code += 1
    return codes


def lookup_table(lengths: Any) -> np.ndarray[Any, Any]:
    """For all LONGEST bits that may come next: 16 · symbol + length of its code; 0 if no code begins so."""
    found = np.zeros(1 << LONGEST, np.int32)
    for symbol, (code, length) in enumerate(zip(canonical_codes(lengths), lengths, strict=True)):
        if length > 0:
            first = int(code) << LONGEST - int(length)
            found[first : first + (1 << LONGEST - int(length))] = 16 * symbol + int(length)
    return found
