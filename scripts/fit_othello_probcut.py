"""Fit Othello's ProbCut predictions to its own searches: python scripts/fit_othello_probcut.py [--positions N].

It searches positions of self-play with some random moves to each depth up to 10, and adds the predictions to the file
of weights.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from zermelo import Engine
from zermelo.games.othello import Othello
from zermelo.games.othello.weights import CUT_STAGES, DEEPEST_CUT, FILE, cut_stage
from zermelo.learn.probcut import fit_probcut, values_by_depth


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--positions", type=int, default=400)
    options.add_argument("--depth", type=int, default=10)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    game, began = Othello(), time.perf_counter()
    states = positions(game, given.positions, given.depth, given.seed)
    values = values_by_depth(game, states, given.depth)
    stages = np.array([cut_stage(game.plies_left(s)) for s in states])
    values[np.abs(values) > 40] = np.nan  # so far beyond any window that nothing depends on them
    predictions = fit_probcut(values, stages, CUT_STAGES, DEEPEST_CUT)
    with np.load(FILE) as file:
        arrays = dict(file)
    np.savez_compressed(FILE, **{**arrays, "cuts": predictions.astype(np.float32)})
    np.set_printoptions(precision=2, suppress=True)
    print(predictions[:, 3 : given.depth + 1])
    print(f"{len(states)} positions, {time.perf_counter() - began:.0f} s")


def positions(game: Othello, count: int, depth: int, seed: int) -> list[object]:
    """Positions of self-play with some random moves, each of another game."""
    random = np.random.default_rng(seed)
    engine = Engine(game, table=8)
    found: list[object] = []
    while len(found) < count:
        s = game.initial()
        for ply in range(int(random.integers(8, 60 - depth))):
            if game.is_terminal(s):
                break
            moves = list(game.actions(s))
            explores = ply < 6 or random.random() < 0.05
            s = game.result(s, int(random.choice(moves)) if explores else engine.think(s, nodes=1000).action)
        if not game.is_terminal(s) and game.plies_left(s) > depth:
            found.append(s)
    return found


if __name__ == "__main__":
    main()
