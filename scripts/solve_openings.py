"""Solve the beginning of a game, and keep it in a file that the engine can be told of.

    python scripts/solve_openings.py connect_four --plies 1 --out src/zermelo/games/connect_four_solved.npz
    python scripts/solve_openings.py connect_four --strategy --out src/zermelo/games/connect_four_solved.npz

The first solves every position of the first plies. The second keeps how the game is won by whoever can force it: one
winning move in each position that the opponent can bring about, until the engine finds a win by itself at once.
Positions that are mirror images of each other count once. The work can be stopped at any time and is taken up where
it was left: what has been solved is written after each position.
"""

from __future__ import annotations

import argparse
import io
import time
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np

from zermelo import games
from zermelo.kernel.files import write_whole
from zermelo.search.engine import Engine

EASY = 2_000_000
"""A position is easy where the engine, knowing nothing, finds a win in so many nodes: half a second."""
NAMES = ("keys", "values", "distances")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("game")
    options.add_argument("--plies", type=int, default=1, help="solve all positions of so many plies")
    options.add_argument("--strategy", action="store_true", help="solve what the winner needs to know instead")
    options.add_argument("--easy", type=int, default=EASY, help="nodes in which the engine finds a win by itself")
    options.add_argument("--table", type=float, default=256, help="MiB")
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    game = games.load(given.game)
    game.solved_positions = lambda: ()  # those that it comes with are what is to be solved
    solver = Solver(game, given.table, given.out)
    if given.strategy:
        solve_strategy(solver, given.easy)
    else:
        solve_plies(solver, given.plies)


class Solver:
    """Solves positions by an engine that keeps its table, and writes each of them down."""

    def __init__(self, game: Any, table: float, path: Path):
        self.game, self.path = game, path
        self.engine = Engine(game, table=table)
        self.known: dict[int, tuple[float, int]] = {}  # by key: the value, and the distance, or -1 for a draw
        if path.exists():
            with np.load(path) as file:
                rows = zip(*(file[name].tolist() for name in NAMES), strict=True)
                self.known = {key: (value, distance) for key, value, distance in rows}
        self.engine.know([(k, v, d if d >= 0 else None) for k, (v, d) in self.known.items()])
        self.began = time.perf_counter()

    def recalled(self, s: Any) -> tuple[float, int] | None:
        return self.known.get(self.game.canonical_key(s))

    def solve(self, s: Any) -> tuple[float, int]:
        """The position's value and distance; with a win, the position after the winning move is known as well."""
        known = self.recalled(s)
        if known is not None:
            return known
        found = self.engine.solve(s)
        assert found.exact
        self.note(s, found.value, found.distance)
        if found.distance is not None and found.value > 0:
            self.note(self.game.result(s, found.action), -found.value, found.distance - 1)
        self.save()
        print(
            f"{len(self.known)} known: {found.verdict}, {found.nodes:,} nodes, {found.seconds:.1f} s; "
            f"{time.perf_counter() - self.began:.0f} s in all",
            flush=True,
        )
        return self.known[self.game.canonical_key(s)]

    def note(self, s: Any, value: float, distance: int | None) -> None:
        if not self.game.is_terminal(s):
            key = self.game.canonical_key(s)
            self.known[key] = (value, -1 if distance is None else distance)
            self.engine.know([(key, value, distance)])

    def save(self, finished: bool = False) -> None:
        keys = np.array(sorted(self.known), np.uint64)
        values = np.array([self.known[int(k)][0] for k in keys], np.float64)
        distances = np.array([self.known[int(k)][1] for k in keys], np.int16)
        buffer = io.BytesIO()
        np.savez_compressed(buffer, keys=keys, values=values, distances=distances, finished=finished)
        write_whole(self.path, buffer.getvalue())


def solve_plies(solver: Solver, plies: int) -> None:
    """All positions of the first plies; the later ones first, since they make the earlier ones easy."""
    game = solver.game
    layers: list[dict[int, Any]] = [{game.canonical_key(game.initial()): game.initial()}]
    for _ in range(plies):
        afters = [game.result(s, a) for s in layers[-1].values() for a in game.legal(s)]
        layers.append({game.canonical_key(s): s for s in afters if not game.is_terminal(s)})
    for layer in reversed(layers):
        for s in layer.values():
            solver.solve(s)


def solve_strategy(solver: Solver, easy: int) -> None:
    """How the winner wins: a shortest win in each position that it may have to move in, as far as they are not easy.

    Since no win is shorter, the engine keeps to these moves however long it thinks, and so to what it knows.
    """
    game = solver.game
    value, distance = solver.solve(game.initial())
    if distance < 0:
        raise SystemExit(f"nobody can force a win of {game.name}")
    winner = game.to_move(game.initial()) if value > 0 else 1 - game.to_move(game.initial())
    judge = Engine(game)
    waiting = deque([game.initial()])
    seen = set()
    while waiting:
        s = waiting.popleft()
        key = game.canonical_key(s)
        if key in seen or game.is_terminal(s):
            continue
        seen.add(key)
        afters = [game.result(s, a) for a in game.legal(s)]
        if game.to_move(s) != winner:
            waiting += afters
        elif key in solver.known or not is_easy(judge, s, easy):
            value, distance = solver.solve(s)
            waiting += [after for after in afters if solver.recalled(after) == (-value, distance - 1)]
    solver.save(finished=True)


def is_easy(judge: Engine, s: Any, nodes: int) -> bool:
    """Does an engine that knows nothing find a win in so many nodes?"""
    judge.clear()
    wins = []

    def look(progress: Any) -> None:
        if progress.distance is not None and progress.value > 0:
            wins.append(progress)
            judge.stop()

    judge.think(s, nodes=nodes, on_progress=look)
    return bool(wins)


if __name__ == "__main__":
    main()
