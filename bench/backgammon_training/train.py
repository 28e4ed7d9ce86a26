"""Train backgammon's network with look-ahead targets: python bench/backgammon_training/train.py START.npz RESULT.npz

START.npz is a network that has learned by self-play (`zermelo learn backgammon --td`). In every round, the present
network plays against itself on a GPU and labels all positions by a look-ahead over all 21 rolls; then each phase's
network is fitted to the labels of the last rounds. Needs CuPy, JAX and a GPU. `--check` needs g++ instead: it compares
the kernels, compiled for the CPU, with the game. The shipped network took 21 rounds: 380 million positions, 17 minutes
on one H200.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from lockstep import Kernels, Lockstep

from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.features import COUNT, PHASES
from zermelo.games.backgammon.state import MOVING, ROLLING
from zermelo.networks import Network, with_network

TABLES = ("first", "first_bias", "last", "last_bias")
BLOCK = 8_000_000
"""Rows of one block of the buffer: a matrix of fewer than 2^31 numbers."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("start", type=Path)
    parser.add_argument("result", type=Path, nargs="?")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--generate", type=float, default=25, help="seconds of self-play per round")
    parser.add_argument("--fit", type=float, default=20, help="seconds of fitting per round")
    parser.add_argument("--blocks", type=int, nargs=3, default=(9, 2, 2), help="size of the buffers, in 8 million rows")
    parser.add_argument("--trace", type=float, default=0.85)
    parser.add_argument("--exploration", type=float, default=0.12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="compare the kernels with the game and stop")
    given = parser.parse_args()
    game = Backgammon(tables=False)
    network = Network.load(given.start, game).copy()
    if given.check:
        check(with_network(game, network))
        return
    play = Lockstep(Kernels(cpu=False), game, games=49_152, most=8_000_000, block=16_384, seed=given.seed)
    play.take(network)
    play.play(80, given.trace, given.exploration)  # until the games are in different phases
    buffers = [Buffer(play, blocks) for blocks in given.blocks]
    positions = 0
    for number in range(given.rounds):
        positions += generate(play, buffers, given.generate, given.trace, given.exploration)
        rate = 1e-3 * 0.3 ** (number / max(given.rounds - 1, 1))
        for phase, buffer in enumerate(buffers):
            error = fit(network, phase, buffer, rate, given.fit * (0.6, 0.22, 0.18)[phase], number)
            print(f"round {number}, {PHASES[phase]}: {buffer.rows:,} rows, error of equity {error:.4f}", flush=True)
        play.take(network)
        network.save(given.result, game, method="look-ahead targets", look_ahead_positions=positions, trace=given.trace)


class Buffer:
    """The last positions of one phase with their labels, in blocks on the GPU; old ones are overwritten."""

    def __init__(self, play: Lockstep, blocks: int):
        empty = play.arrays.empty
        self.inputs = [empty((BLOCK, play.inputs.shape[1]), play.kernels.half) for _ in range(blocks)]
        self.labels = [empty((BLOCK, 5), np.float32) for _ in range(blocks)]
        self.next = self.rows = 0

    def add(self, inputs: Any, labels: Any) -> None:
        while len(inputs) > 0:
            block, at = divmod(self.next, BLOCK)
            fits = min(len(inputs), BLOCK - at)
            self.inputs[block][at : at + fits], self.labels[block][at : at + fits] = inputs[:fits], labels[:fits]
            inputs, labels = inputs[fits:], labels[fits:]
            self.rows = max(self.rows, self.next + fits)
            self.next = (self.next + fits) % (BLOCK * len(self.inputs))


def generate(play: Lockstep, buffers: list[Buffer], seconds: float, trace: float, exploration: float) -> int:
    """Play for some seconds and put the labelled positions into the buffers; returns how many there are."""
    began, positions = time.monotonic(), 0
    while time.monotonic() - began < seconds:
        words, labels = play.play(40, trace, exploration)
        for low in range(0, len(words), play.most):
            inputs, phases = play.features(words[low : low + play.most])
            for phase, buffer in enumerate(buffers):
                at = play.arrays.flatnonzero(phases == phase)
                buffer.add(inputs[at], labels[low : low + play.most][at])
        positions += len(words)
    return positions


def fit(network: Network, phase: int, buffer: Buffer, rate: float, seconds: float, seed: int) -> float:
    """Fit one phase by Adam in mini-batches, with a cosine rate; its weights become the average over the last steps."""
    import cupy
    import jax
    from jax import numpy as jnp

    cupy.cuda.Device().synchronize()
    size, steps = 8192, 200
    chunk = partial(jax.jit, static_argnums=(0, 1))(_chunk)
    weights = {name: jnp.asarray(getattr(network, name)[phase]) for name in TABLES}
    zeros = jax.tree.map(jnp.zeros_like, weights)
    state = (weights, zeros, zeros, weights, jax.random.PRNGKey(seed))
    blocks = [
        (jnp.from_dlpack(x), jnp.from_dlpack(y), min(BLOCK, buffer.rows - i * BLOCK))
        for i, (x, y) in enumerate(zip(buffer.inputs, buffer.labels, strict=True))
        if buffer.rows > i * BLOCK
    ]
    jax.block_until_ready(chunk(size, steps, state, *blocks[0], 0, 0.0, 1.0)[0])  # compiles
    began = time.monotonic()
    jax.block_until_ready(chunk(size, steps, state, *blocks[0], 0, 0.0, 1.0)[0])
    total = max(int(seconds / (time.monotonic() - began)), 2) * steps
    random, error = np.random.default_rng(seed), 0.0
    share = np.array([rows for _, _, rows in blocks]) / buffer.rows
    for done in range(0, total, steps):
        state, error = chunk(size, steps, state, *blocks[random.choice(len(blocks), p=share)], done, rate, float(total))
    for name in TABLES:
        getattr(network, name)[phase] = np.asarray(state[3][name])
    return float(error)


def _chunk(
    size: int, steps: int, state: Any, inputs: Any, labels: Any, rows: Any, done: Any, rate: Any, total: Any
) -> Any:
    """Some steps of Adam (Kingma and Ba 2015) on random rows; also the root mean square error of the equity."""
    import jax
    from jax import numpy as jnp

    worth = jnp.array([2.0, 1, 1, -1, -1])

    def loss(weights: Any, x: Any, y: Any) -> Any:
        sums = jnp.clip(x[:, :COUNT] @ weights["first"] + weights["first_bias"], -4, 4)
        hidden = 0.5 + 0.25 * sums * (1 - 0.125 * jnp.abs(sums))
        z = hidden @ weights["last"].T + weights["last_bias"]
        entropy = jnp.mean(jnp.sum(jnp.maximum(z, 0) - z * y + jnp.log1p(jnp.exp(-jnp.abs(z))), -1))
        square = jnp.mean(((jax.nn.sigmoid(z) - y) @ worth) ** 2)
        return entropy + 0.5 * square, square

    def step(state: Any, i: Any) -> Any:
        weights, mean, square, average, key = state
        key, own = jax.random.split(key)
        at = jax.random.randint(own, (size,), 0, rows)
        slope, error = jax.grad(loss, has_aux=True)(weights, inputs[at].astype(jnp.float32), labels[at])
        t = done + i + 1
        now = rate * (0.01 + 0.99 * 0.5 * (1 + jnp.cos(jnp.pi * jnp.minimum(t / total, 1))))
        mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, slope)
        square = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, square, slope)
        weights = jax.tree.map(
            lambda w, m, v: w - now * m / (1 - 0.9**t) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8), weights, mean, square
        )
        average = jax.tree.map(lambda a, w: 0.999 * a + 0.001 * w, average, weights)
        return (weights, mean, square, average, key), error

    state, errors = jax.lax.scan(step, state, jnp.arange(steps))
    return state, jnp.sqrt(jnp.mean(errors))


def check(game: Backgammon) -> None:
    """Compare moves, features and equities of the kernels with those of the game, on positions of played games."""
    play = Lockstep(Kernels(cpu=True), game, games=20, most=200_000, block=20, seed=1)
    play.take(game.network)
    words, _ = play.play(40, 0.85, 0.3)
    words = np.ascontiguousarray(words[:: len(words) // 100])
    inputs, phases = play.features(words)
    inputs = inputs.copy()
    _, equities = play.outputs(words)
    for i, word in enumerate(words.tolist()):
        s = game.initial()
        kind = type(s.low[0])
        low, high = (kind(word[0]), kind(word[2])), (kind(word[1]), kind(word[3]))
        s = s._replace(low=low, high=high, mover=0, phase=ROLLING)
        dense = np.zeros(COUNT)
        for number, amount in game.features(s, 0):
            dense[number] = amount
        assert np.allclose(inputs[i, :COUNT], dense, atol=1e-6), game.to_text(s)
        assert phases[i] == game.phase(s)
        assert abs(equities[i] - game.evaluate(s, 0)) < 1e-4
        starts, found = play.results(words[i : i + 1])
        rolls = [(one, other) for one in range(1, 7) for other in range(1, one + 1)]
        for roll, (one, other) in enumerate(rolls):
            moving = s._replace(dice=8 * one + other, phase=MOVING)
            after = [game.result(moving, a) for a in game.actions(moving)]
            ours = sorted((int(t.low[1]), int(t.high[1]), int(t.low[0]), int(t.high[0])) for t in after)
            assert ours == sorted(map(tuple, found[starts[roll] : starts[roll + 1]].tolist())), game.to_text(moving)
    print(f"{len(words)} positions: moves, features and equities agree")


if __name__ == "__main__":
    main()
