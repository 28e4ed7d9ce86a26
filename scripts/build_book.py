"""Build the opening book of a game by self-play: python scripts/build_book.py othello [--positions 2000] [--nodes N]

Each line starts at the initial position and follows moves that are nearly best, the better ones more often, to the
first position that has not been searched. The engine searches it, and the values of the positions before it are updated
from their best replies. So the book rests on the engine's own play alone. Symmetric positions are searched once.

The book is written next to the rules: book.bin in Polyglot's format for chess, book.npz for other games. The work is
kept in a file (--work), so it can be stopped and resumed.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from pathlib import Path
from typing import Any

from zermelo import Engine, games
from zermelo.games.chess import Chess
from zermelo.kernel.files import write_whole
from zermelo.lookup.polyglot import ENTRY, word_of
from zermelo.lookup.weighted import save_weighted

PLIES, LINES = 20, 4
"""How long a line may be, and the moves that are searched in each position."""
EARLY = (8, 4, 4, 2, 2)
"""How many times more nodes the first positions get: every game depends on them."""
MARGINS = {"chess": 0.05, "othello": 0.5}
"""How much worse than the best a move of the book may be, in pawns and discs."""
EXPLORED = 6.0
"""How many times as wide the margin is for moves that are explored."""

Known = dict[int, dict[int, list[Any]]]
"""Of each position, by its key, the searched moves: by the key after the move, the move and its value to the mover."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=MARGINS)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=300_000, help="for each position; the first ones get more")
    parser.add_argument("--work", type=Path, help="where the work is kept; default GAME_book.json")
    parser.add_argument("--out", type=Path, help="the book; default next to the rules")
    parser.add_argument("--keep", action="store_true", help="keep what a book of chess has of positions not searched")
    given = parser.parse_args()
    work = given.work or Path(f"{given.game}_book.json")
    Builder(given.game, given.nodes, work, given.out, given.keep).build(given.positions)


class Builder:
    """A book that grows."""

    def __init__(self, name: str, nodes: int, work: Path, out: Path | None, keep: bool = False):
        self.game: Any = games.load(name)
        self.engine = Engine(self.game, table=64)
        self.nodes, self.work, self.out = nodes, work, out or self.game.own_book()
        self.margin = MARGINS[name]
        self.known: Known = {}
        if work.exists():
            read = json.loads(work.read_text())
            self.known = {int(k): {int(after): move for after, move in moves.items()} for k, moves in read.items()}
        self.chance = random.Random(len(self.known))
        self.kept = list(ENTRY.iter_unpack(self.out.read_bytes())) if keep and self.out.exists() else []

    def build(self, positions: int) -> None:
        started = time.perf_counter()
        while len(self.known) < positions:
            before = len(self.known)
            self.expand()
            if len(self.known) > before and len(self.known) % 50 == 0:
                self.save()
                print(f"{len(self.known)} positions, {time.perf_counter() - started:.0f} s", flush=True)
        self.save()
        print(f"{len(self.known)} positions, {len(self.entries())} moves: {self.out}")

    def expand(self) -> None:
        """Follow a line to a position that has not been searched, search it, and update the positions before it."""
        game = self.game
        states, keys, moves = [game.initial()], [], []
        while len(moves) < PLIES:
            key = game.book_key(states[-1])
            keys.append(key)
            if key not in self.known:
                self.search(states, key)
                break
            after = self.picked(self.known[key])
            s = next(s for a in game.legal(states[-1]) if game.book_key(s := game.result(states[-1], a)) == after)
            moves.append(after)
            states.append(s)
            if game.remembering(states).is_terminal(s):
                break
        for number in range(min(len(moves), len(keys) - 1) - 1, -1, -1):
            same = game.to_move(states[number]) == game.to_move(states[number + 1])
            best = max(value for _, value in self.known[keys[number + 1]].values())
            self.known[keys[number]][moves[number]][1] = best if same else -best

    def search(self, states: list[Any], key: int) -> None:
        """The best moves of the last of these positions; of symmetric moves only one is tried."""
        game, s = self.game, states[-1]
        distinct = {game.book_key(game.result(s, a)): a for a in game.legal(s)}
        nodes = self.nodes * (EARLY[len(states) - 1] if len(states) <= len(EARLY) else 1)
        found = self.engine.think(s, nodes=nodes, lines=LINES, moves=distinct.values(), history=states[:-1])
        values = {move.action: move.value for move in found.moves if isinstance(move.value, float)}
        self.known[key] = {after: [a, values[a]] for after, a in distinct.items() if a in values}

    def near(self, moves: dict[int, list[Any]], margin: float) -> list[tuple[int, float]]:
        """The moves that are nearly best, each with a weight from 1 down to 1/e² at the margin."""
        amount = self.game.unit().amount
        best = max(amount(value) for _, value in moves.values())
        losses = ((after, best - amount(value)) for after, (_, value) in moves.items())
        return [(after, math.exp(-2 * loss / margin)) for after, loss in losses if loss <= margin]

    def picked(self, moves: dict[int, list[Any]]) -> int:
        """One of the moves to explore, the better ones more often."""
        found, weights = zip(*self.near(moves, EXPLORED * self.margin), strict=True)
        return int(self.chance.choices(found, weights)[0])

    def entries(self) -> list[tuple[int, int, int]]:
        """The moves of the book: the keys before and after each, and its weight."""
        return [
            (key, after, round(1000 * weight))
            for key, moves in self.known.items()
            for after, weight in self.near(moves, self.margin)
        ]

    def save(self) -> None:
        write_whole(self.work, json.dumps(self.known).encode())
        if not isinstance(self.game, Chess):
            save_weighted(self.out, self.game, self.entries())
            return
        rows = [(key, word_of(self.known[key][after][0]), weight, 0) for key, after, weight in self.entries()]
        rows += [row for row in self.kept if row[0] not in self.known]
        rows.sort(key=lambda row: (row[0], -row[2]))
        write_whole(self.out, b"".join(ENTRY.pack(*row) for row in rows))


if __name__ == "__main__":
    main()
