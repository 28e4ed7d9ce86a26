"""The engine's speed beside another checkout: both take turns at the same searches, so that a busy machine slows both.

    python bench/engine_beside.py OTHER_CHECKOUT [--rounds N]

Prints seconds of processor time, the best of all rounds, and whether both visited the same number of nodes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zermelo import Engine, games
from zermelo.games.connect_four import ConnectFour

HERE = Path(__file__).parent
DEPTHS = {"chess": 9, "connect_four": 16, "othello": 12, "breakthrough": 7}


class Unprepared(ConnectFour):
    """Connect Four without the positions that are shipped solved."""


def searches() -> dict[str, Callable[[], int]]:
    """Each search by its name: a function that runs it and returns the nodes."""
    found: dict[str, Callable[[], int]] = {}

    def add(name: str, engine: Engine, call: Callable[[], Any]) -> None:
        def job() -> int:
            engine.clear()
            return int(call().nodes)

        found[name] = job

    for name, depth in DEPTHS.items():
        engine = Engine(games.load(name), table=16)
        add(f"{name}, depth {depth}", engine, lambda engine=engine, depth=depth: engine.think(depth=depth))
        once = Engine(games.load(name), table=16)
        add(f"{name}, 1 node", once, lambda once=once: [once.think(nodes=1) for _ in range(100)][-1])
    for moves in ("444443335", "44444222"):
        game = Unprepared()
        engine, s = Engine(game), game.play(*moves)
        add(f"connect_four, solve {moves}", engine, lambda engine=engine, s=s: engine.solve(s))
    return found


def serve() -> None:
    """Run the searches named on standard input."""
    known = searches()
    for line in sys.stdin:
        job = known[line.strip()]
        began = time.process_time()
        nodes = job()
        print(json.dumps([nodes, time.process_time() - began]), flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("other", type=Path)
    options.add_argument("--rounds", type=int, default=7)
    given = options.parse_args()
    sides = []
    for root in (given.other, HERE.parent):
        paths = {**os.environ, "PYTHONPATH": str(root.resolve() / "src")}
        command = [sys.executable, __file__, "--serve"]
        sides.append(subprocess.Popen(command, env=paths, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    print("| search | other, s | this one, s | ratio | nodes |\n|---|---|---|---|---|")
    for name in searches():
        best, nodes = [float("inf")] * 2, [0, 0]
        for turn in range(given.rounds + 1):
            for i, side in enumerate(sides):
                assert side.stdin is not None
                assert side.stdout is not None
                side.stdin.write(name + "\n")
                side.stdin.flush()
                nodes[i], seconds = json.loads(side.stdout.readline())
                best[i] = min(best[i], seconds if turn else float("inf"))  # the first turn compiles
        same = f"{nodes[1]:,}" if nodes[0] == nodes[1] else f"{nodes[0]:,} and {nodes[1]:,}"
        print(f"| {name} | {best[0]:.4f} | {best[1]:.4f} | {best[1] / best[0]:.2f} | {same} |", flush=True)
    for side in sides:
        side.communicate()


if __name__ == "__main__":
    serve() if "--serve" in sys.argv else main()
