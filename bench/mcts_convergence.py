"""Does more thought help Monte Carlo tree search? Connect Four's first move, and random trees beside minimax.

Connect Four is won by the middle column alone (Allis 1988): for how many seeds of 6 is it the answer? On random trees
(branching 4, depth 5, leaves 0 to 10) the answer is right if no other move has a better minimax value. Proofs are off
there: this is how plain UCT converges (Kocsis and Szepesvári 2006). Limits are simulations, so other load does not
matter. Writes results/mcts_convergence.md.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

from about import RESULTS, about, markdown_table

import zermelo
from zermelo.trees import Tree

SEEDS = 6


def first_moves(simulations: int, **options: bool) -> str:
    game = zermelo.games.load("connect_four")
    found = [
        zermelo.analyse(game, algorithm="mcts", nodes=simulations, seed=seed, memory=256, **options).moves[0]
        for seed in range(SEEDS)
    ]
    right = [move for move in found if move.name == "4"]
    share = sum(move.share or 0.0 for move in right) / max(len(right), 1)
    return f"{len(right)} of {SEEDS}" + (f", {share:.0%} of visits" if right else "")


def random_tree(rng: random.Random, depth: int) -> Any:
    """A tree as nested lists."""
    return rng.randint(0, 10) if depth == 0 else [random_tree(rng, depth - 1) for _ in range(4)]


def right_moves(simulations: int, trees: int) -> str:
    right = 0
    for seed in range(trees):
        game = Tree(random_tree(random.Random(seed), 5), utility_range=(0, 10))
        truth = zermelo.analyse(game, algorithm="minimax", compile=False)
        best = {move.action for move in truth.moves if move.value == truth.value}
        plain = {"proofs": False, "rollout_plies": 100, "compile": False}
        answer = zermelo.analyse(game, algorithm="mcts", nodes=simulations, seed=seed, **plain)
        right += answer.action in best
    return f"{right / trees:.0%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=int, default=60)
    options = parser.parse_args()
    rows = [(f"{n:,}", first_moves(n, uniform=True), first_moves(n)) for n in (10_000, 100_000, 1_000_000)]
    connect_four = markdown_table(("simulations", "uniform rollouts", "Connect Four's rollout"), rows)
    print(connect_four, flush=True)
    rates = [(f"{n:,}", right_moves(n, options.trees)) for n in (30, 100, 300, 1_000, 3_000)]
    trees = markdown_table(("simulations", "minimax move"), rates)
    print(trees)
    facts = about("python bench/mcts_convergence.py")
    (RESULTS / "mcts_convergence.md").write_text(
        f"# Does more thought help?\n\n`{facts['command']}`, {facts['date']}, {facts['machine']}\n\n"
        f"## Connect Four: seeds with the winning first move\n\n{connect_four}\n\n"
        f"## Random trees: how often the answer is a minimax move\n\n{trees}\n"
    )


if __name__ == "__main__":
    main()
