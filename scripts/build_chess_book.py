"""Build the opening book of chess by self-play: python scripts/build_chess_book.py [--positions 2000] [--nodes 50000]

Each game starts at the initial position and follows moves that are nearly best, the better ones more often, to the
first position that has not been searched. The engine searches it, and the values of the positions before it are updated
from their best replies. So the book rests on the engine's own play alone. It is written in Polyglot's format to
src/zermelo/games/chess/book.bin. The work is kept in a file (--work), so it can be stopped and resumed.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from pathlib import Path
from typing import Any

from zermelo import Engine
from zermelo.games.chess import Chess
from zermelo.kernel.files import write_whole
from zermelo.lookup.polyglot import ENTRY, word_of

BOOK = Path(__file__).parents[1] / "src" / "zermelo" / "games" / "chess" / "book.bin"
PLIES, LINES = 20, 4
EXPLORED, EXPLORED_SPREAD = 0.06, 0.02
"""How much worse than the best a move may be to be followed, and the loss that makes it e times rarer."""
PLAYED, PLAYED_SPREAD = 0.02, 0.01
"""The same for moves that the book plays. A pawn is 0.1."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=50_000, help="for each position")
    parser.add_argument("--work", type=Path, default=Path("chess_book.json"), help="where the work is kept")
    given = parser.parse_args()
    game = Chess()
    engine = Engine(game, table=64)
    known: dict[int, dict[int, float]] = {}  # by key: the value of each searched move to the player to move
    if given.work.exists():
        known = {
            int(k): {int(a): v for a, v in moves.items()} for k, moves in json.loads(given.work.read_text()).items()
        }
    chance = random.Random(len(known))
    while len(known) < given.positions:
        expand(game, engine, known, chance, given.nodes)
        if len(known) % 50 == 0:
            write_whole(given.work, json.dumps(known).encode())
            print(f"{len(known)} positions, {write(game, known)} entries", flush=True)
    write_whole(given.work, json.dumps(known).encode())
    print(f"{write(game, known)} entries")


def expand(game: Chess, engine: Engine, known: dict[int, dict[int, float]], chance: random.Random, nodes: int) -> None:
    """Play one game to a position that has not been searched, search it, and update the positions before it."""
    states, moves = [game.initial()], []
    while states[-1].key in known and len(moves) < PLIES:
        found = known[states[-1].key]
        a = picked(found, EXPLORED, EXPLORED_SPREAD, chance)
        moves.append(a)
        states.append(game.result(states[-1], a))
        if game.remembering(states).is_terminal(states[-1]):
            return
    if states[-1].key not in known:
        analysis = engine.think(states[-1], nodes=nodes, lines=LINES, history=states[:-1])
        known[states[-1].key] = {move.action: move.value for move in analysis.moves if isinstance(move.value, float)}
    for s, a, after in zip(states[-2::-1], moves[::-1], states[:0:-1], strict=True):
        known[s.key][a] = -max(known[after.key].values())


def picked(found: dict[int, float], margin: float, spread: float, chance: random.Random) -> int:
    """One of the moves within the margin of the best, the better ones more often."""
    best = max(found.values())
    near = [a for a, value in found.items() if value >= best - margin]
    return chance.choices(near, [math.exp((found[a] - best) / spread) for a in near])[0]


def write(game: Chess, known: dict[int, dict[int, float]]) -> int:
    """Write the moves that the book plays; returns how many there are."""
    entries: list[tuple[int, int, int, int]] = []
    for key, found in known.items():
        best = max(found.values())
        near: list[tuple[int, Any]] = [(a, value) for a, value in found.items() if value >= best - PLAYED]
        entries += [(key, word_of(a), round(1000 * math.exp((v - best) / PLAYED_SPREAD)), 0) for a, v in near]
    entries.sort(key=lambda entry: (entry[0], -entry[2]))
    write_whole(BOOK, b"".join(ENTRY.pack(*entry) for entry in entries))
    return len(entries)


if __name__ == "__main__":
    main()
