"""Python to machine code: types, cache, bits, random numbers, clocks and stop flags. Numba is loaded on first use."""
