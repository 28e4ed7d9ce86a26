"""How deep the engine looks within a million nodes, with the transposition table and without: for docs/race.md."""

from __future__ import annotations

from zermelo import games
from zermelo.search.engine import Engine
from zermelo.search.race import openings

NODES = 1_000_000
POSITIONS, SEED = 10, 0


def depths(name: str, table: int) -> list[int]:
    """The depths that were finished from each of some positions after random openings."""
    game = games.load(name)
    engine = Engine(game, table=table, table_from=1)
    found = []
    for past, state in openings(game, POSITIONS, SEED):
        engine.clear()
        found.append(engine.think(state, nodes=NODES, history=past).depth)
    return found


def main() -> None:
    for name in ("connect_four", "othello", "breakthrough"):
        for table in (0, 64):
            found = depths(name, table)
            mean = sum(found) / len(found)
            print(f"{name:<14} {'with' if table else 'without'} table: depth {mean:.1f} on average, {found}")


if __name__ == "__main__":
    main()
