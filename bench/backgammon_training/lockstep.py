"""Backgammon against itself, many games in lockstep, by kernels on a GPU (CuPy) or, for checks, on the CPU.

For every position, all 21 rolls and all moves are evaluated. So the label of a position has no luck of the dice in it:
it is the mean over all rolls of the best reply, plus a share λ of what the same look-ahead corrects in the following
positions of the game: TD(λ) with expected backups. An exploring move cuts the trace.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.features import COUNT
from zermelo.games.backgammon.state import START

SOURCE = Path(__file__).with_name("kernels.cu")
ROW = 256
"""Inputs are padded to so many; input COUNT is always 1, for the bias."""


class Kernels:
    """The compiled kernels; arrays are CuPy's, or NumPy's on the CPU."""

    def __init__(self, cpu: bool):
        self.cpu = cpu
        if cpu:
            library = Path(tempfile.mkdtemp()) / "kernels.so"
            subprocess.run(["g++", "-O2", "-shared", "-fPIC", "-x", "c++", "-o", library, SOURCE], check=True)
            self.arrays: Any = np
            self.half: Any = np.float32
            self.module: Any = ctypes.CDLL(str(library))
        else:
            import cupy

            self.arrays, self.half = cupy, cupy.float16
            self.module = cupy.RawModule(code=SOURCE.read_text(), options=("-DGPU", "-std=c++17"))

    def launch(self, name: str, threads: int, *arguments: Any) -> None:
        """Run a kernel. Python's own numbers are passed as 64-bit integers and single precision."""
        if self.cpu:
            getattr(self.module, name)(*map(_as_ctypes, arguments))
            return
        given = [np.float32(a) if isinstance(a, float) else np.int64(a) if isinstance(a, int) else a for a in arguments]
        self.module.get_function(name)(((threads + 127) // 128,), (128,), tuple(given))


def _as_ctypes(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    kinds = {np.uint64: ctypes.c_uint64, float: ctypes.c_float, np.int32: ctypes.c_int, int: ctypes.c_longlong}
    return kinds[type(value)](value.item() if isinstance(value, np.generic) else value)


def start_words() -> tuple[np.uint64, np.uint64]:
    """One side's checkers at the start."""
    word = sum(number << 4 * place for place, number in START)
    return np.uint64(word & (1 << 64) - 1), np.uint64(word >> 64)


class Lockstep:
    """Games in progress and the weights that play them.

    games     how many games are played at the same time
    most      results of moves that are evaluated at the same time
    block     positions whose moves are listed at the same time
    """

    def __init__(self, kernels: Kernels, game: Backgammon, games: int, most: int, block: int, seed: int):
        self.kernels, self.most, self.block = kernels, most, block
        arrays = self.arrays = kernels.arrays
        self.start = start_words()
        self.positions = arrays.asarray(np.tile(np.array(self.start * 2, np.uint64), (games, 1)))
        self.escapes = arrays.asarray(game.escapes.astype(np.float32))
        self.values = arrays.zeros((games, 5), np.float32)
        self.seeds = arrays.asarray(np.random.default_rng(seed).integers(0, 1 << 63, games, dtype=np.uint64))
        self.inputs = arrays.empty((most, ROW), kernels.half)
        self.sums: Any = None

    def take(self, network: Any) -> None:
        """Play with these weights from now on: those of the three phases side by side."""
        units = self.units = network.units
        weights = np.zeros((ROW, 3 * units), np.float32)
        for phase in range(3):
            weights[:COUNT, phase * units : (phase + 1) * units] = network.first[phase]
            weights[COUNT, phase * units : (phase + 1) * units] = network.first_bias[phase]
        self.first = self.arrays.asarray(weights).astype(self.kernels.half)
        self.last, self.last_bias = self.arrays.asarray(network.last), self.arrays.asarray(network.last_bias)
        if self.sums is None:
            self.sums = self.arrays.empty((self.most, 3 * units), self.kernels.half)

    def features(self, positions: Any) -> tuple[Any, Any]:
        """The inputs and the phases of positions, at most `most`."""
        count = len(positions)
        inputs, phases = self.inputs[:count], self.arrays.empty(count, np.int8)
        inputs[...] = 0
        self.kernels.launch("k_features", count, positions, inputs, phases, self.escapes, count)
        return inputs, phases

    def outputs(self, positions: Any) -> tuple[Any, Any]:
        """The five outputs and the equity of each position, as the side about to roll sees it."""
        count = len(positions)
        inputs, phases = self.features(positions)
        sums = self.arrays.matmul(inputs, self.first, out=self.sums[:count])
        out, equities = self.arrays.empty((count, 5), np.float32), self.arrays.empty(count, np.float32)
        self.kernels.launch(
            "k_outputs", count, sums, phases, positions, self.last, self.last_bias, out, equities,
            np.int32(self.units), count,
        )  # fmt: skip
        return out, equities

    def results(self, positions: Any) -> tuple[Any, Any]:
        """Where the results of each position and roll begin, and the results of all moves."""
        count = 21 * len(positions)
        numbers = self.arrays.empty(count, np.int32)
        self.kernels.launch("k_count", count, positions, numbers, len(positions))
        starts = self.arrays.zeros(count + 1, np.int64)
        starts[1:] = self.arrays.cumsum(numbers, dtype=np.int64)
        found = self.arrays.empty((int(starts[-1]), 4), np.uint64)
        self.kernels.launch("k_write", count, positions, starts, found, len(positions))
        return starts, found

    def step(self, low: int, high: int, means: Any, cut: Any, exploration: float) -> None:
        """Look ahead in some of the games, then make one move in each."""
        positions, count = self.positions[low:high], high - low
        starts, found = self.results(positions)
        if len(found) > self.most:
            middle = (low + high) // 2
            self.step(low, middle, means, cut, exploration)
            self.step(middle, high, means, cut, exploration)
            return
        out, equities = self.outputs(found)
        best = self.arrays.empty(21 * count, np.int32)
        self.kernels.launch("k_best", 21 * count, equities, starts, best, count)
        self.kernels.launch(
            "k_next", count, positions, self.values[low:high], means[low:high], cut[low:high], self.seeds[low:high],
            found, out, equities, starts, best, float(exploration), *self.start, count,
        )  # fmt: skip

    def play(self, steps: int, trace: float, exploration: float) -> tuple[Any, Any]:
        """Make so many moves in every game; returns the positions and their labels."""
        arrays, games = self.arrays, len(self.positions)
        words, cut = arrays.empty((steps, games, 4), np.uint64), arrays.empty((steps, games), np.int8)
        values, labels = (arrays.empty((steps, games, 5), np.float32) for _ in range(2))
        for t in range(steps):
            words[t], values[t] = self.positions, self.values
            for low in range(0, games, self.block):
                self.step(low, min(low + self.block, games), labels[t], cut[t], exploration)
        surprise = arrays.zeros((games, 5), np.float32)
        signs = arrays.asarray(np.array([-trace] + [trace] * 4, np.float32))
        for t in reversed(range(steps)):
            surprise *= (cut[t] == 0)[:, None]
            labels[t] += signs * surprise[:, [0, 3, 4, 1, 2]]  # as the side sees it that rolled before
            surprise = labels[t] - values[t]
        return words.reshape(-1, 4), arrays.clip(labels, 0, 1).reshape(-1, 5)
