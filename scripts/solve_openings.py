"""Solve every position of a game's first plies, and keep them in a file that the engine can be told of.

    python scripts/solve_openings.py connect_four --plies 2 --out src/zermelo/games/connect_four_solved.npz

Positions that are mirror images of each other count once. The work can be stopped at any time and is taken up where
it was left: what has been solved is written after each position.
"""

from __future__ import annotations

import argparse
import io
import time
from pathlib import Path
from typing import Any

import numpy as np

from zermelo import games
from zermelo.kernel.files import write_whole
from zermelo.search.engine import Engine


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("game")
    options.add_argument("--plies", type=int, default=2)
    options.add_argument("--table", type=float, default=256, help="MiB")
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    game = games.load(given.game)
    known: dict[int, tuple[float, int]] = {}
    if given.out.exists():
        with np.load(given.out) as file:
            known = {int(k): (float(v), int(d)) for k, v, d in zip(*(file[n] for n in NAMES), strict=True)}
    layers: list[dict[int, Any]] = [{game.canonical_key(game.initial()): game.initial()}]
    for _ in range(given.plies):
        layers.append(
            {
                game.canonical_key(after): after
                for s in layers[-1].values()
                for after in (game.result(s, a) for a in game.legal(s))
            }
        )
    engine = Engine(game, table=given.table)
    engine.know([(k, v, d if d >= 0 else None) for k, (v, d) in known.items()])
    total = sum(len(layer) for layer in layers)
    began = time.perf_counter()
    for ply in reversed(range(len(layers))):  # the later ones first: they make the earlier ones easy
        for key, s in layers[ply].items():
            if key in known or game.is_terminal(s):
                continue
            found = engine.solve(s)
            assert found.exact
            known[key] = (found.value, -1 if found.distance is None else found.distance)
            engine.know([(key, found.value, found.distance)])
            save(given.out, known)
            print(
                f"{len(known)} of {total}: ply {ply}, {found.verdict}, {found.nodes:,} nodes, {found.seconds:.1f} s; "
                f"{time.perf_counter() - began:.0f} s in all",
                flush=True,
            )


NAMES = ("keys", "values", "distances")


def save(path: Path, known: dict[int, tuple[float, int]]) -> None:
    keys = np.array(sorted(known), np.uint64)
    values = np.array([known[int(k)][0] for k in keys], np.float64)
    distances = np.array([known[int(k)][1] for k in keys], np.int16)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, keys=keys, values=values, distances=distances)
    write_whole(path, buffer.getvalue())


if __name__ == "__main__":
    main()
