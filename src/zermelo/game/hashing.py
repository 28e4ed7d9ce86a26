"""64-bit numbers mixed from states: the same in both modes; of numbers and texts, in every run."""

from __future__ import annotations

import hashlib
from typing import Any

from zermelo.game.state import u64

SEED = 0x243F6A8885A308D3  # the first bits of pi


def mix(key: int, number: int) -> int:
    """A new key from a key and a number: the finaliser of SplitMix64 (Steele, Lea and Flood 2014)."""
    z = u64(u64(u64(key) ^ u64(number)) + 0x9E3779B97F4A7C15)
    z = u64((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9)
    z = u64((z ^ (z >> 27)) * 0x94D049BB133111EB)
    return z ^ (z >> 31)


def mixed(state: Any, key: int = SEED) -> int:
    """A key for any state: field by field for tuples of integers and texts, Python's own hash for anything else."""
    if isinstance(state, tuple):
        key = mix(key, len(state))
        for field in state:
            key = mixed(field, key)
        return key
    if isinstance(state, str):  # Python's own hash of a text differs from one run to the next
        return mix(key, int.from_bytes(hashlib.blake2b(state.encode(), digest_size=8).digest()))
    return mix(key, state if isinstance(state, int) else hash(state))
