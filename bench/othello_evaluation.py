"""How well Othello's static evaluation predicts a search of 12 plies, for this version and for another one.

    python bench/othello_evaluation.py [--version /path/to/other/checkout] [--positions 400]

Positions are from games of this version with some random moves, with 14 to 48 empty squares. The values of the searches
are this version's, without ProbCut if --exact is given (which takes minutes). Both evaluations are compared with them.
It also prints the nodes per second of both versions, measured in turn.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from zermelo import Engine, games

STATIC = """
import sys, time
from zermelo import Engine, games
game = games.load("othello")
engine = Engine(game, table=64)
engine.think(game.initial(), depth=4)
states = [game.from_text(line) for line in sys.stdin]
print(*(game.evaluate(s, game.to_move(s)) for s in states))
nodes, began = 0, time.process_time()
for s in states[:40]:
    engine.clear()
    nodes += engine.think(s, nodes=100_000).nodes
print(nodes / (time.process_time() - began))
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--version", type=Path, help="the folder of another version")
    options.add_argument("--positions", type=int, default=400)
    options.add_argument("--depth", type=int, default=12)
    options.add_argument("--exact", action="store_true", help="search without ProbCut")
    options.add_argument("--seed", type=int, default=2)
    given = options.parse_args()
    game: Any = games.load("othello")
    states = positions(game, given.positions, given.seed)
    engine, began = Engine(game, table=64, probcut=not given.exact), time.perf_counter()
    deep = []
    for s in states:
        engine.clear()
        deep.append(engine.think(s, depth=given.depth).value)
    print(f"{len(states)} positions to depth {given.depth}: {time.perf_counter() - began:.0f} s")
    texts = "\n".join(game.to_text(s) for s in states)
    for folder in (Path(__file__).parents[1], given.version):
        if folder is not None:
            python = folder / ".venv" / "bin" / "python"
            command = [str(python if python.exists() else sys.executable), "-c", STATIC]
            done = subprocess.run(command, input=texts, capture_output=True, text=True, check=True, cwd=folder)
            values, speed = done.stdout.splitlines()
            print(f"{folder.name}: {compared(np.array(values.split(), float), np.array(deep))}", end=", ")
            print(f"{float(speed) / 1e6:.2f} M nodes/s")


def positions(game: Any, count: int, seed: int) -> list[Any]:
    """Positions of games with some random moves, each of another game, in which the players have a choice."""
    random, engine = np.random.default_rng(seed), Engine(game, table=8)
    found: list[Any] = []
    while len(found) < count:
        s = game.initial()
        for ply in range(int(random.integers(12, 47))):
            if game.is_terminal(s):
                break
            moves = list(game.actions(s))
            explores = ply < 6 or random.random() < 0.1
            s = game.result(s, int(random.choice(moves)) if explores else engine.think(s, nodes=500).action)
        if not game.is_terminal(s) and game.plies_left(s) >= 14 and len(list(game.actions(s))) > 1:
            found.append(s)
    return found


def compared(static: Any, deep: Any) -> str:
    """Correlation, the slope through the origin from static to deep values, and the error."""
    slope = float(static @ deep / (static @ static))
    error = float(np.sqrt(np.mean((static - deep) ** 2)))
    return f"correlation {np.corrcoef(static, deep)[0, 1]:.3f}, slope {slope:.2f}, error {error:.2f} discs"


if __name__ == "__main__":
    main()
