"""One random generator that is identical in both modes."""

from __future__ import annotations

import numpy as np

from zermelo.game.state import i64, u64
from zermelo.kernel.parts import Part


class Random(Part):
    """SplitMix64 (Steele, Lea and Flood 2014): 64 bits of state, the same numbers in plain and compiled code."""

    def __init__(self, seed: int = 0):
        self.state = np.array([u64(seed)], np.uint64)

    def bits(self) -> int:
        """64 random bits."""
        z = u64(u64(self.state[0]) + 0x9E3779B97F4A7C15)
        self.state[0] = z
        z = u64((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9)
        z = u64((z ^ (z >> 27)) * 0x94D049BB133111EB)
        return u64(z ^ (z >> 31))

    def uniform(self) -> float:
        """A number in [0, 1)."""
        return (self.bits() >> 11) * 2.0**-53

    def below(self, n: int) -> int:
        """A whole number in [0, n), each equally likely: what would favour the small ones is thrown away."""
        while True:
            x = self.bits() >> 1
            r = x % n
            if x - r <= 0x7FFFFFFFFFFFFFFF - (n - 1):
                return i64(r)

    def pick(self, n: int) -> int:
        """A whole number in [0, n), n below 2^31: faster than `below`, and biased by less than n / 2^32."""
        return i64(u64((self.bits() >> 32) * u64(n)) >> 32)
