"""The pictures and tables of docs/algorithms/mcts.md: regret on bandits, convergence to minimax, and a trap.

python bench/mcts_pictures.py       about two minutes: writes the pictures and prints the tables
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import matplotlib

matplotlib.use("Agg")

import numpy as np
from about import markdown_table
from growth_pictures import BLUE, DOCS, GREEN, GREY, ORANGE, RED, STYLE
from matplotlib import pyplot as plt

from zermelo import CHANCE, Game, analyse, u8
from zermelo.search.mcts.watched import Simulation
from zermelo.trees import Tree, leaf, node, random_tree

ARMS = (0.3, 0.4, 0.45, 0.5, 0.6)
PULLS, RUNS = 5_000, 40


class Pull(NamedTuple):
    arm: u8
    won: u8


class Bandit(Game):
    """One player, one move: an arm, which pays 1 with its probability."""

    players = 1
    chance = True
    utility_range = (0, 1)

    def initial(self) -> Pull:
        return Pull(255, 255)

    def to_move(self, s: Pull) -> int:
        return 0 if s.arm == 255 else CHANCE

    def actions(self, s: Pull) -> Iterator[int]:
        yield from range(len(ARMS))

    def result(self, s: Pull, a: int) -> Pull:
        return Pull(a, 255) if s.arm == 255 else Pull(s.arm, a)

    def outcomes(self, s: Pull) -> Iterator[tuple[int, float]]:
        yield 1, ARMS[s.arm]
        yield 0, 1 - ARMS[s.arm]

    def is_terminal(self, s: Pull) -> bool:
        return s.won != 255

    def utility(self, s: Pull, p: int) -> float:
        return float(s.won)


# Regret on bandits.


class Pulls:
    """Which arm each simulation pulled."""

    def __init__(self) -> None:
        self.arms: list[int] = []

    def simulation(self, simulation: Simulation) -> None:
        self.arms.append(int(simulation.choices[0].action))


def by_mcts(seed: int) -> list[int]:
    """UCB1, as the search uses it at the root."""
    seen = Pulls()
    analyse(Bandit(), algorithm="mcts", nodes=PULLS, seed=seed, proofs=False, observer=seen)
    return seen.arms


def by_rule(seed: int, explores: Callable[[int], float]) -> list[int]:
    """Epsilon-greedy: a random arm with this probability, otherwise the best so far."""
    source = random.Random(seed)
    wins, counts, arms = [0] * len(ARMS), [0] * len(ARMS), []
    for pull in range(PULLS):
        if pull < len(ARMS):
            arm = pull
        elif source.random() < explores(pull):
            arm = source.randrange(len(ARMS))
        else:
            arm = max(range(len(ARMS)), key=lambda a: wins[a] / counts[a])
        counts[arm] += 1
        wins[arm] += source.random() < ARMS[arm]
        arms.append(arm)
    return arms


POLICIES: dict[str, tuple[Callable[[int], list[int]], str]] = {
    "uniform": (lambda seed: by_rule(seed, lambda pull: 1.0), GREY),
    "epsilon-greedy, ε = 0.1": (lambda seed: by_rule(seed, lambda pull: 0.1), ORANGE),
    "UCB1 (mcts)": (by_mcts, BLUE),
}


def regrets() -> dict[str, np.ndarray]:
    """The mean regret after each pull: what the best arm would have paid more."""
    lost = max(ARMS) - np.array(ARMS)
    return {
        name: np.mean([np.cumsum(lost[policy(seed)]) for seed in range(RUNS)], axis=0)
        for name, (policy, _) in POLICIES.items()
    }


def draw_regret(found: dict[str, np.ndarray]) -> Any:
    """Regret on a linear and on a logarithmic scale of pulls: a straight line on the right is logarithmic."""
    figure, panels = plt.subplots(1, 2, figsize=(10, 4))
    pulls = np.arange(1, PULLS + 1)
    for axes in panels:
        for name, (_, colour) in POLICIES.items():
            axes.plot(pulls, found[name], color=colour, label=name)
        axes.set_xlabel("pulls")
    panels[0].set_ylabel(f"regret, mean of {RUNS} runs")
    panels[0].legend()
    panels[1].set_xscale("log")
    panels[1].set_ylim(0, 2.2 * found["UCB1 (mcts)"][-1])
    panels[1].set_xlabel("pulls, logarithmic")
    figure.tight_layout()
    return figure


# Convergence to minimax.

SIZES = [30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000]
TREES = 60
EXPLORATIONS = (1.4, 4.0)


def convergence(exploration: float) -> list[tuple[int, float, float]]:
    """For each number of simulations: the share of trees with the wrong move, and the mean error of the value."""
    games = [
        Tree(random_tree(seed, branching=3, depth=5, bounds=(-100, 100)), utility_range=(-100, 100))
        for seed in range(TREES)
    ]
    truth = [analyse(game, algorithm="minimax", all_moves=True) for game in games]
    rows = []
    for size in SIZES:
        wrong, errors = 0, []
        for game, right in zip(games, truth, strict=True):
            options = {"proofs": False, "rollout_plies": 99, "exploration": exploration}
            found = analyse(game, algorithm="mcts", nodes=size, **options)  # type: ignore[arg-type]
            best = {move.action for move in right.moves if move.value == right.value}
            wrong += found.action not in best
            errors.append(abs(float(found.value) - float(right.value)) / 200)  # type: ignore[arg-type]
        rows.append((size, wrong / TREES, float(np.mean(errors))))
    return rows


def slope(rows: list[tuple[int, float, float]]) -> float:
    """The power of n by which the error of the value falls, from the second half of the sizes."""
    late = rows[len(rows) // 2 :]
    return float(np.polyfit([math.log(n) for n, _, _ in late], [math.log(e) for _, _, e in late], 1)[0])


def draw_convergence(found: dict[float, list[tuple[int, float, float]]]) -> Any:
    """Wrong moves and errors of the value against the number of simulations, on logarithmic scales."""
    figure, panels = plt.subplots(1, 2, figsize=(10, 4))
    for (exploration, rows), colour, marker in zip(found.items(), (RED, BLUE), "so", strict=True):
        sizes = [n for n, _, _ in rows]
        panels[0].plot(sizes, [100 * wrong for _, wrong, _ in rows], f"{marker}-", color=colour)
        panels[1].plot(sizes, [error for _, _, error in rows], f"{marker}-", color=colour, label=f"c = {exploration:g}")
    panels[1].plot(SIZES, [2 * math.log(n) / n for n in SIZES], "--", color=GREEN, linewidth=1, label="2 ln n / n")
    panels[0].set_title("trees with a wrong move, per cent")
    panels[1].set_title("error of the value, share of the range")
    panels[0].set_ylim(bottom=0)
    panels[1].set_yscale("log")
    panels[1].set_ylim(top=0.5)
    for axes in panels:
        axes.set_xscale("log")
        axes.set_xlabel("simulations n")
    panels[1].legend()
    figure.tight_layout()
    return figure


# A trap.


def trap(width: int) -> Tree:
    """A safe move, and one that looks won in almost every random game but loses by force in three plies."""
    lost = node(1, leaf(-1), *[leaf(1)] * (width - 1))
    forced = node(0, *[lost] * width)
    trapped = node(1, forced, *[leaf(1)] * (width - 1))
    return Tree(node(0, leaf(0), trapped, labels=("safe", "trap")), utility_range=(-1, 1))


def traps() -> list[tuple[str, ...]]:
    """For each width, what it takes to avoid the trap."""
    rows = []
    for width in (5, 10, 20, 40):
        tree = trap(width)
        row = [str(width), str(analyse(tree, algorithm="alpha_beta", compile=False).nodes)]
        rows.append((*row, *[f"{escaped(tree, proofs):,}" for proofs in (False, True)]))
    return rows


def escaped(tree: Tree, proofs: bool) -> int:
    """The least power of two of simulations from which on all of 10 seeds choose the safe move."""
    least = 1 << 20
    for power in range(20, 3, -1):
        for seed in range(10):
            options = {"seed": seed, "proofs": proofs, "rollout_plies": 9}
            if analyse(tree, algorithm="mcts", nodes=1 << power, **options).line_names[0] != "safe":
                return least
        least = 1 << power
    return least


def main() -> None:
    """Write the pictures, and print the tables."""
    with plt.rc_context(STYLE):
        regret = regrets()
        found = {exploration: convergence(exploration) for exploration in EXPLORATIONS}
        for name, figure in (("regret", draw_regret(regret)), ("convergence", draw_convergence(found))):
            figure.savefig(DOCS / "pictures" / f"mcts_{name}.svg", bbox_inches="tight", metadata={"Date": None})
            plt.close(figure)
    at = [100, 1_000, PULLS]
    lost = [(name, *[f"{curve[n - 1]:.0f}" for n in at]) for name, curve in regret.items()]
    print(markdown_table(("regret after", *[f"{n:,} pulls" for n in at]), lost))
    for exploration, rows in found.items():
        shown = [(f"{n:,}", f"{wrong:.0%}", f"{error:.4f}") for n, wrong, error in rows]
        print(markdown_table(("simulations", f"wrong move, c = {exploration:g}", "error of the value"), shown))
        print(f"The error falls as n^{slope(rows):.2f}.")
    print(markdown_table(("moves per node", "alpha-beta, nodes", "UCT, simulations", "with proofs"), traps()))


if __name__ == "__main__":
    main()
