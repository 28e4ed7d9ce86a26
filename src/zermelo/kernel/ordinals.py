"""Numbers in order: every float as an integer, so that the next greater value is one more, exactly.

The bits of a float, read as an integer, grow as the float grows (IEEE 754 was made so); a negative float is the
negative of its opposite's ordinal.
"""

from __future__ import annotations

import struct
from typing import Any

SIGN = 1 << 63


def ordinal(value: float) -> int:
    """The integer that stands for a float."""
    bits: int = struct.unpack("<Q", struct.pack("<d", value))[0]
    return bits if bits < SIGN else SIGN - bits


def float_of(number: int) -> float:
    """The float that an integer stands for; the inverse of `ordinal`."""
    bits = number if number >= 0 else SIGN - number
    value: float = struct.unpack("<d", struct.pack("<Q", bits))[0]
    return value


def single_ordinal(value: float) -> int:
    """The same in 32 bits: the integer that stands for the float of single precision nearest to a value."""
    try:
        bits: int = struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:
        bits = 0x7F800000 if value > 0 else 0xFF800000
    return bits if bits < 1 << 31 else (1 << 31) - bits


def single_float_of(number: int) -> float:
    """The inverse of `single_ordinal`."""
    bits = number if number >= 0 else (1 << 31) - number
    value: float = struct.unpack("<f", struct.pack("<I", bits))[0]
    return value


def signed(word: int) -> int:
    """The 64 bits of a word, read as a signed number."""
    return word if word < SIGN else word - (1 << 64)


def number_of(action: Any) -> int:
    """A number for a move: itself where moves are numbers."""
    return action if isinstance(action, int) else hash(action)
