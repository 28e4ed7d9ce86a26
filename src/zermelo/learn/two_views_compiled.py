"""Training of networks with two views on the processor: compiled loops over the inputs that each position has.

A position of chess has some thirty inputs of 768, so a product with all weights would mostly multiply by nothing. Each
thread takes a part of a batch and adds up a gradient of its own; one core learns from about half a million positions
per second with 2 × 128 units.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from zermelo.kernel.loops import vector_loop
from zermelo.kernel.no_game import NoGame
from zermelo.kernel.routine import Routine

FIRST_DECAY, SECOND_DECAY, TINY = np.float32(0.9), np.float32(0.999), np.float32(1e-8)
"""Adam's constants (Kingma and Ba 2015)."""

ZERO, ONE, TWO = np.float32(0), np.float32(1), np.float32(2)
NAMES = ("first", "first_bias", "last", "last_bias")


@vector_loop()
def respond(
    numbers: Any, amounts: Any, i: int, phase: int, first: Any, first_bias: Any, last: Any, last_bias: Any, hidden: Any
) -> Any:
    """The output for a position in log-odds; the sums of both views are left in `hidden`."""
    inputs, units, places, weighted = first.shape[0], first.shape[1], numbers.shape[2], amounts.shape[0] > 0
    total = last_bias[phase]
    for view in range(2):
        for j in range(units):
            hidden[view, j] = first_bias[j]
        if weighted:
            for place in range(places):
                row = np.int64(numbers[i, view, place])
                if row < inputs:
                    share = np.float32(amounts[i, view, place])
                    for j in range(units):
                        hidden[view, j] += share * first[row, j]
        else:
            place = 0
            while place + 4 <= places:
                a, b = np.int64(numbers[i, view, place]), np.int64(numbers[i, view, place + 1])
                c, d = np.int64(numbers[i, view, place + 2]), np.int64(numbers[i, view, place + 3])
                if d >= inputs:
                    break
                for j in range(units):
                    hidden[view, j] += (first[a, j] + first[b, j]) + (first[c, j] + first[d, j])
                place += 4
            while place < places and np.int64(numbers[i, view, place]) < inputs:
                row = np.int64(numbers[i, view, place])
                for j in range(units):
                    hidden[view, j] += first[row, j]
                place += 1
        for j in range(units):
            x = min(max(hidden[view, j], ZERO), ONE)
            total += x * x * last[phase, view * units + j]
    return total


@vector_loop()
def chance_of(logit: Any) -> Any:
    """The chance that log-odds mean."""
    return ONE / (ONE + np.exp(-logit))


@vector_loop()
def push_back(
    numbers: Any, amounts: Any, i: int, phase: int, push: Any, last: Any, hidden: Any, to_first: Any,
    to_first_bias: Any, to_last: Any, to_last_bias: Any,
) -> None:  # fmt: skip
    """Add a position's share to the gradients; `push` is the slope of the loss by its output."""
    inputs, units, places, weighted = to_first.shape[0], hidden.shape[1], numbers.shape[2], amounts.shape[0] > 0
    to_last_bias[phase] += push
    for view in range(2):
        for j in range(units):
            x = min(max(hidden[view, j], ZERO), ONE)
            inside = ONE if ZERO < hidden[view, j] < ONE else ZERO
            to_last[phase, view * units + j] += push * x * x
            hidden[view, j] = inside * push * TWO * x * last[phase, view * units + j]
            to_first_bias[j] += hidden[view, j]
        for place in range(places):
            row = np.int64(numbers[i, view, place])
            if row < inputs:
                share = np.float32(amounts[i, view, place]) if weighted else ONE
                for j in range(units):
                    to_first[row, j] += share * hidden[view, j]


def learn(
    game: Any, s: Any, order: Any, numbers: Any, amounts: Any, phases: Any, sums: Any, targets: Any, first: Any,
    first_bias: Any, last: Any, last_bias: Any, to_first: Any, to_first_bias: Any, to_last: Any, to_last_bias: Any,
    hidden: Any, losses: Any, learning: int,
) -> int:  # fmt: skip
    """Add the squared errors of some positions to `losses`, and if `learning`, their gradients to the last tables."""
    for k in range(len(order)):
        i = order[k]
        phase = phases[i]
        chance = chance_of(sums[i] + respond(numbers, amounts, i, phase, first, first_bias, last, last_bias, hidden))
        error = chance - targets[i]
        losses[0] += error * error
        if learning != 0:
            push = 2.0 * error * chance * (1.0 - chance)
            push_back(
                numbers,
                amounts,
                i,
                phase,
                np.float32(push),
                last,
                hidden,
                to_first,
                to_first_bias,
                to_last,
                to_last_bias,
            )
    return len(order)


LEARN = Routine(learn)


class Compiled:
    """Weights, and Adam's steps on them by all cores."""

    def __init__(self, weights: dict[str, Any], columns: dict[str, Any], held_out: dict[str, Any], most: float):
        self.weights = {name: np.array(weights[name], np.float32) for name in NAMES}
        self.columns, self.held_out, self.most = columns, held_out, np.float32(most)
        self.means, self.squares = ({n: np.zeros_like(w) for n, w in self.weights.items()} for _ in range(2))
        self.threads = os.cpu_count() or 1
        self.device = f"{self.threads} threads"
        self.gradients = [{n: np.zeros_like(w) for n, w in self.weights.items()} for _ in range(self.threads)]
        self.steps = 0

    def _run(self, pool: ThreadPoolExecutor, order: Any, columns: dict[str, Any], learning: int) -> float:
        """The mean loss over these positions; their gradients are added up if wanted."""

        def part(number: int) -> float:
            losses = np.zeros(1)
            some = np.ascontiguousarray(np.array_split(order, self.threads)[number])
            hidden = np.zeros((2, self.weights["first"].shape[1]), np.float32)
            known = [columns[name] for name in ("numbers", "amounts", "phases", "sums", "targets")]
            own = [*self.weights.values(), *self.gradients[number].values()]
            program = LEARN.compiled(NO_GAME, some, *known, *own, hidden, losses, learning)
            program(NO_GAME.initial())
            return float(losses[0])

        return sum(pool.map(part, range(self.threads))) / max(len(order), 1)

    def epoch(self, random: Any, batch: int, rates: Any) -> float:
        """Learn from all positions in random order, in batches with these rates; the mean loss on the way."""
        order = random.permutation(len(self.columns["phases"]))
        total = 0.0
        with ThreadPoolExecutor(self.threads) as pool:
            for number, rate in enumerate(rates):
                total += self._run(pool, order[number * batch : (number + 1) * batch], self.columns, 1)
                self._step(float(rate), batch)
        return total / max(len(rates), 1)

    def _step(self, rate: float, batch: int) -> None:
        """One step of Adam, which also clears the gradients."""
        self.steps += 1
        scale = np.float32(
            rate * np.sqrt(1 - float(SECOND_DECAY) ** self.steps) / (1 - float(FIRST_DECAY) ** self.steps)
        )
        for name, weights in self.weights.items():
            gradient = self.gradients[0][name]
            for other in self.gradients[1:]:
                gradient += other[name]
                other[name][...] = 0
            gradient /= np.float32(batch)
            mean, square = self.means[name], self.squares[name]
            mean += (ONE - FIRST_DECAY) * (gradient - mean)
            square += (ONE - SECOND_DECAY) * (gradient * gradient - square)
            weights -= scale * mean / (np.sqrt(square) + TINY)
            gradient[...] = 0
        np.clip(self.weights["first"], -self.most, self.most, out=self.weights["first"])

    def error(self) -> float:
        """The mean loss on the held-out positions."""
        with ThreadPoolExecutor(self.threads) as pool:
            return self._run(pool, np.arange(len(self.held_out["phases"])), self.held_out, 0)

    def snapshot(self) -> dict[str, Any]:
        return {name: table.copy() for name, table in self.weights.items()}


NO_GAME = NoGame("Training")
