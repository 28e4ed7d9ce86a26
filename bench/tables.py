"""Endgame tables: agreement with a search to mate, probes per second, sizes. See results/tables.md.

python bench/tables.py positions 20000 9    random 2- to 4-man positions against a search to mate of 9 plies
python bench/tables.py probes               probes per second, with a cold and with a warm cache
python bench/tables.py sizes chess          positions, results, bytes and times of the tables that are built
"""

from __future__ import annotations

import random
import sys
import time
from typing import Any

from search_to_mate import MateSearch

from zermelo import games
from zermelo.kernel.routine import Routine
from zermelo.lookup.building import ClassBuilder, piece_count
from zermelo.lookup.packing import BLOCK
from zermelo.lookup.probing import Prober, Tables
from zermelo.lookup.retrograde import is_in_use


def drawn(game: Any, names: tuple[str, ...], draw: random.Random) -> Any:
    """A random position of a random class."""
    every = game.class_names()
    while True:
        c = every.index(draw.choice(names))
        i = draw.randrange(game.class_size(c))
        s = game.state_at(c, i)
        if is_in_use(game, s, c, i) and not game.is_terminal(s):
            return s


def positions(count: int, deepest: int) -> None:
    """Compare random positions with a search to mate that knows nothing of tables, to so many plies."""
    tables = Tables(games.load("chess"))
    game, draw = tables.game, random.Random(17)
    search = MateSearch(game)
    began, mates, lost, known, wrong = time.process_time(), 0, 0, 0, 0
    for number in range(1, count + 1):
        s = drawn(game, tables.names, draw)
        verdict, found = tables[s], search(s, deepest)
        near = verdict.distance is not None and verdict.distance <= deepest
        expected = (verdict.value, verdict.distance) if near else None
        mates += found is not None and found[0] > 0
        lost += found is not None and found[0] < 0
        known += verdict.value != 0
        wrong += found != expected
        if number % 1000 == 0 or number == count:
            about = f"{number:,} positions of {len(tables.names)} classes, {deepest} plies"
            print(f"{about}, {time.process_time() - began:.0f} s: {mates:,} wins and {lost:,} losses found, ", end="")
            print(f"{known:,} won or lost in all; {wrong} differ from the tables", flush=True)


def look_up(game: Any, s: Any, prober: Prober, classes: Any, indices: Any) -> int:
    """The sum of the codes of some positions."""
    total = 0
    for k in range(len(classes)):
        total += prober.code_of(game, game.state_at(classes[k], indices[k]))
    return total


LOOK_UP = Routine(look_up)


def probes(count: int = 200_000) -> None:
    """Random positions (nearly every probe unpacks a block), then the same few thousand again and again."""
    import numpy as np

    for name in ("chess", "checkers"):
        tables = Tables(games.load(name))
        game, draw = tables.game, random.Random(1)
        some = [drawn(game, tables.names, draw) for _ in range(20_000)]
        classes = np.array([game.class_of(s) for s in some])
        indices = np.array([game.index_of(s) for s in some])
        began = time.process_time()
        Tables(games.load(name))
        opened = time.process_time() - began
        program = LOOK_UP.compiled(game, tables.prober, classes, indices)
        began = time.process_time()
        program(game.initial())
        cold = len(some) / (time.process_time() - began)
        few = np.repeat(np.arange(8), 125)  # eight blocks, as a search stays near one position
        places = np.minimum(indices[few] // BLOCK * BLOCK + np.tile(np.arange(125) * 8, 8), indices[few])
        near = LOOK_UP.compiled(game, tables.prober, classes[few], places)
        near(game.initial())
        began = time.process_time()
        for _ in range(50):
            near(game.initial())
        warm = 50_000 / (time.process_time() - began)
        print(f"{name}: {len(tables.names)} files opened in {opened:.2f} s; ", end="")
        print(f"{cold:,.0f} probes/s cold, {warm:,.0f} warm")


def sizes(name: str) -> None:
    """What is built, by the number of pieces."""
    tables = Tables(games.load(name))
    builder = ClassBuilder(tables.game, tables.folder)
    rows: dict[int, list[Any]] = {}
    for c, _ in tables.files:
        solved = builder.finished(c)
        assert solved is not None
        rows.setdefault(piece_count(solved.name), []).append(solved)
    headings = "classes | positions | won | lost | drawn | MB | bytes a position | seconds | positions/s | longest win"
    print(f"| pieces | {headings} |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for pieces, some in sorted(rows.items()):
        keys = ("positions", "won", "lost", "drawn", "bytes", "seconds")
        total = {key: sum(getattr(each, key) for each in some) for key in keys}
        longest = max(some, key=lambda each: each.longest)
        print(
            f"| {pieces} | {len(some)} | {total['positions']:,} | {total['won']:,} | {total['lost']:,} "
            f"| {total['drawn']:,} "
            f"| {total['bytes'] / 1e6:.2f} | {total['bytes'] / total['positions']:.2f} | {total['seconds']:.0f} "
            f"| {total['positions'] / max(total['seconds'], 0.1):,.0f} | {longest.name} {longest.longest} plies |"
        )


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what == "positions":
        positions(int(sys.argv[2]), int(sys.argv[3]))
    elif what == "probes":
        probes()
    elif what == "sizes":
        sizes(sys.argv[2])
    else:
        sys.exit(__doc__)
