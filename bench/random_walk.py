"""TD(λ) on Sutton's random walk: the figures of Sutton (1988), for docs/td_learning.md.

python bench/random_walk.py       half a minute: writes the pictures and prints the table

A walk starts in the middle of five states, steps to the left or to the right with equal probability, and ends beyond
the last state: with 1 on the right, with 0 on the left. What is learned is the chance of ending on the right.
"""

from __future__ import annotations

from typing import Any

import matplotlib

matplotlib.use("Agg")

import numpy as np
from about import markdown_table
from growth_pictures import BLUE, DOCS, GREEN, GREY, ORANGE, RED, STYLE
from matplotlib import pyplot as plt

STATES = 5
TRUTH = np.arange(1, STATES + 1) / (STATES + 1)
SETS, WALKS = 100, 10
"""As in Sutton (1988): errors are means over 100 training sets of 10 walks each."""

LAMBDAS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
RATES = np.arange(0.0, 0.625, 0.025)
DRAWN = ((0.0, BLUE), (0.3, GREEN), (0.8, ORANGE), (1.0, RED))


def random_walk(random: np.random.Generator) -> tuple[list[int], float]:
    """The states that one walk visits, and how it ends."""
    visited, state = [], STATES // 2
    while 0 <= state < STATES:
        visited.append(state)
        state += 1 if random.random() < 0.5 else -1
    return visited, float(state == STATES)


def change(values: Any, walk: tuple[list[int], float], trace_decay: float) -> Any:
    """The sum of all corrections that TD(λ) makes for one walk, per unit of learning rate."""
    visited, result = walk
    total, trace = np.zeros(STATES), np.zeros(STATES)
    for i, state in enumerate(visited):
        following = values[visited[i + 1]] if i + 1 < len(visited) else result
        trace *= trace_decay
        trace[state] += 1
        total += (following - values[state]) * trace
    return total


def error(values: Any) -> float:
    """The root of the mean square error of all predictions."""
    return float(np.sqrt(np.mean((values - TRUTH) ** 2)))


def after_one_presentation(training: list[Any], trace_decay: float, rate: float) -> float:
    """Each walk is seen once, and the predictions change after it (Sutton's figures 4 and 5)."""
    values = np.full(STATES, 0.5)
    for walk in training:
        values = values + rate * change(values, walk, trace_decay)
        if np.abs(values).max() > 1e3:
            return np.inf
    return error(values)


def when_converged(training: list[Any], trace_decay: float, rate: float = 0.01) -> float:
    """The set is presented again and again, and the predictions change after each time (figure 3)."""
    values = np.full(STATES, 0.5)
    while True:
        step = rate * sum(change(values, walk, trace_decay) for walk in training)
        values = values + step
        if np.abs(step).max() < 1e-4:
            return error(values)


def spread(errors: list[float]) -> tuple[float, float]:
    """The mean, and its standard error."""
    return float(np.mean(errors)), float(np.std(errors) / np.sqrt(len(errors)))


def draw(by_rate: dict[float, list[float]], rows: list[Any]) -> None:
    plt.rcParams.update(STYLE)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
    for decay, colour in DRAWN:
        left.plot(RATES, by_rate[decay], color=colour, marker="o", markersize=3, label=f"λ = {decay:g}")
    left.set(xlabel="learning rate α", ylabel="RMS error", ylim=(0.05, 0.7), title="ten walks, each seen once")
    left.legend(frameon=False)
    decays = [row[0] for row in rows]
    for place, name, colour in ((1, "each walk seen once, best α", BLUE), (3, "seen until converged", GREY)):
        means, errors = [row[place] for row in rows], [row[place + 1] for row in rows]
        right.errorbar(decays, means, errors, color=colour, marker="o", markersize=4, capsize=2, label=name)
    right.set(xlabel="λ", ylabel="RMS error", ylim=(0.05, 0.28), title="by λ")
    right.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(DOCS / "pictures" / "td_random_walk.svg", metadata={"Date": None})


def main() -> None:
    random = np.random.default_rng(1988)
    sets = [[random_walk(random) for _ in range(WALKS)] for _ in range(SETS)]
    curves = {decay: [[after_one_presentation(each, decay, rate) for each in sets] for rate in RATES]
              for decay in {*LAMBDAS, *(decay for decay, _ in DRAWN)}}  # fmt: skip
    by_rate = {decay: [float(np.mean(errors)) for errors in curve] for decay, curve in curves.items()}
    rows = []
    for decay in LAMBDAS:
        best = int(np.argmin(by_rate[decay]))
        once = spread(curves[decay][best])
        rows.append((decay, *once, *spread([when_converged(each, decay) for each in sets]), RATES[best]))
    draw(by_rate, rows)
    table = [(f"{d:g}", f"{r:.3f}", f"{a:.3f} ± {b:.3f}", f"{c:.3f} ± {e:.3f}") for d, a, b, c, e, r in rows]
    print(markdown_table(("λ", "best α", "error, each walk seen once", "error, seen until converged"), table))


if __name__ == "__main__":
    main()
