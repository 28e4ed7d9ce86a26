"""Checkers on one core: move sequences, nodes and numbered positions a second, by processor time.

    python bench/checkers.py [--nodes N]

Results go to bench/results/checkers.md.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from about import RESULTS, about, markdown_table

import zermelo
from zermelo.games.checkers import Checkers
from zermelo.kernel.routine import Routine
from zermelo.search.engine import Engine

DEPTH, PERFT = 10, 18_391_564
POSITIONS = (
    "B:W21-32:B1-12",
    "W:W18,19,21,22,23,26,27,30,31,32:B1,2,3,4,6,7,8,9,12,14",
    "B:W13,19,22,27,28,30,32:B1,3,8,9,11,12,20",
    "W:W11,19,K7:BK22,5,12",
)


def numbered(game: Any, s: Any, c: int, count: int) -> int:
    """Positions from their numbers and back; the sum is right if no number was changed."""
    total = 0
    for i in range(count):
        total += game.index_of(game.state_at(c, i))
    return total


NUMBERED = Routine(numbered)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--nodes", type=int, default=2_000_000, help="for each position")
    given = options.parse_args()
    where = about("python bench/checkers.py")
    rows = [perft(), *(search(text, given.nodes) for text in POSITIONS), numbers()]
    lines = ["# Checkers, measured", "", f"{where['date']}, {where['machine']}; one core, processor time.", ""]
    lines.append(markdown_table(("what", "count", "seconds", "million/s"), rows))
    print("\n".join(lines))
    (RESULTS / "checkers.md").write_text("\n".join(lines) + "\n")


def row(what: str, count: int, seconds: float) -> tuple[str, str, str, str]:
    return what, f"{count:,}", f"{seconds:.2f}", f"{count / seconds / 1e6:.2f}"


def perft() -> tuple[str, str, str, str]:
    game = Checkers(repetitions=0, moves=0)
    zermelo.perft(game, 2)
    began = time.process_time()
    assert zermelo.perft(game, DEPTH) == PERFT
    return row(f"perft {DEPTH}", PERFT, time.process_time() - began)


def search(text: str, nodes: int) -> tuple[str, str, str, str]:
    game = Checkers()
    engine = Engine(game, table=64)
    engine.think(game.initial(), depth=2)
    began = time.process_time()
    found = engine.think(game.from_fen(text), nodes=nodes)
    return row(f"nodes to depth {found.depth}: {text}", found.nodes, time.process_time() - began)


def numbers() -> tuple[str, str, str, str]:
    game = Checkers()
    c = game.class_names().index("KMvKM")
    count = game.class_size(c)
    program = NUMBERED.compiled(game, c, count)
    began = time.process_time()
    assert program(game.initial()) == count * (count - 1) // 2
    return row("KMvKM: number to position and back", count, time.process_time() - began)


if __name__ == "__main__":
    main()
