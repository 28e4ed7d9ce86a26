"""What the engine costs: Connect Four and Othello against published figures and a peer, in one run on one core.

    python bench/engine.py [--truth FOLDER] [--long]

The positions are Pascal Pons's for Connect Four and the French federation's endgames for Othello (FFO 40 to 44), which
are looked for in the folder given. bitbully (AGPL) is run beside where it is installed; nothing here imports from it.
With --long the empty board of Connect Four is solved from nothing. Results go to bench/results/engine.md.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zermelo import Engine, games
from zermelo.games.connect_four import ConnectFour
from zermelo.search.engine.switches import CUTS, FIRST_CUTS

HERE = Path(__file__).parent
ROUNDS = 7


class Unprepared(ConnectFour):
    """Connect Four without the positions that are shipped solved: they are for the game itself alone."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--truth", type=Path, default=HERE.parents[1] / "shared" / "truth")
    options.add_argument("--long", action="store_true")
    given = options.parse_args()
    lines = ["# The engine, measured", "", "`python bench/engine.py --long`, one core; seconds of processor time.", ""]
    lines += connect_four(given.truth / "connect_four")
    lines += replacement()
    lines += othello(given.truth / "othello")
    lines += speed()
    if given.long:
        lines += empty_board()
    print("\n".join(lines))
    results = HERE / "results" / "engine.md"
    results.write_text("\n".join(lines) + "\n")


def timed(job: Callable[[], Any]) -> tuple[float, Any]:
    began = time.process_time()
    result = job()
    return time.process_time() - began, result


def connect_four(folder: Path) -> list[str]:
    """1,000 positions at a time, score-exact, beside bitbully: the best of several rounds, taken in turn."""
    if not folder.exists():
        return ["Connect Four: the positions are not here.", ""]
    try:
        from bitbully import BitBully, Board
    except ImportError:
        BitBully = Board = None
    game = Unprepared()
    engine = Engine(game)
    table = ["## Connect Four: `solve_many` beside bitbully's `mtdf` without its book", ""]
    table += ["| positions | zermelo, ms each | bitbully, ms each | ratio |", "|---|---|---|---|"]
    for name in ("Test_L3_R1", "Test_L2_R1"):
        rows = [line.split() for line in (folder / name).read_text().splitlines()]
        states = [game.play(*moves) for moves, _ in rows]
        engine.solve_many(states[:10])
        own, peer = [], []
        for _ in range(ROUNDS):
            seconds, solved = timed(lambda states=states: engine.solve_many(states))
            own.append(seconds)
            for (moves, score), found in zip(rows, solved, strict=True):
                plies = len(moves) + (found.distance or 0)
                assert int(score) == (0 if found.distance is None else int(found.value) * (22 - (plies + 1) // 2))
            if BitBully is not None:
                boards = [Board([int(c) - 1 for c in moves]) for moves, _ in rows]
                solver = BitBully()
                solver.reset_book()
                seconds, scores = timed(lambda boards=boards, solver=solver: [solver.mtdf(b) for b in boards])
                assert scores == [int(score) for _, score in rows]
                peer.append(seconds)
        other = f"{min(peer):.4f} | {min(own) / min(peer):.2f}" if peer else "not installed | "
        table.append(f"| {name} | {min(own):.4f} | {other} |")
    return [*table, ""]


def replacement() -> list[str]:
    """Three ways to make room, with tables far too small for the search."""
    game = Unprepared()
    s = game.play(*"444443335")
    table = ["## Which entry makes room: nodes to solve 444443335, by the size of the table", ""]
    table += ["| MiB | least work | least depth | always the first |", "|---|---|---|---|"]
    for size in (0.25, 1, 4, 16):
        nodes = [Engine(game, table=size, replacement=rule).solve(s).nodes for rule in ("work", "depth", "always")]
        table.append(f"| {size} | " + " | ".join(f"{n:,}" for n in nodes) + " |")
    return [*table, ""]


def othello(folder: Path) -> list[str]:
    """FFO 40 to 44, solved exactly."""
    file = folder / "fforum-40-59.obf"
    if not file.exists():
        return ["Othello: the positions are not here.", ""]
    game: Any = games.load("othello")
    engine = Engine(game, table=256)
    table = ["## Othello: FFO 40 to 44", "", "| position | empty | score | nodes | seconds |", "|---|---|---|---|---|"]
    engine.solve(game.play("d3", "c5"), nodes=3_000_000)  # compiled
    nodes = total = 0
    for number, line in enumerate(file.read_text().splitlines()[:5], 40):
        board, *scores = (part.strip() for part in line.split(";") if part.strip())
        s = game.from_text(board)
        engine.clear()
        seconds, found = timed(lambda s=s: engine.solve(s))
        assert found.exact
        assert found.value == max(int(score.split(":")[1]) for score in scores)
        nodes, total = nodes + found.nodes, total + seconds
        table.append(f"| {number} | {game.plies_left(s)} | {found.value:+g} | {found.nodes:,} | {seconds:.2f} |")
    return [*table, f"| together | | | {nodes:,} | {total:.2f} |", ""]


def speed() -> list[str]:
    """Nodes a second in play, and how often the first move tried was the one that cut."""
    table = ["## Nodes a second, thinking for 3 s from the start", "", "| game | M nodes/s | depth | first cuts |"]
    table.append("|---|---|---|---|")
    for game in (Unprepared(), games.load("othello"), games.load("breakthrough"), games.load("tic_tac_toe", m=5, n=5)):
        engine = Engine(game)
        engine.think(depth=2)
        seconds, found = timed(lambda engine=engine: engine.think(seconds=3))
        counts = engine.memories[0].counts
        cuts = counts[FIRST_CUTS] / max(counts[CUTS], 1)
        table.append(f"| {game.name} | {found.nodes / seconds / 1e6:.1f} | {found.depth} | {cuts:.0%} |")
    return [*table, ""]


def empty_board() -> list[str]:
    """The whole of Connect Four from nothing."""
    engine = Engine(Unprepared(), table=256)
    engine.solve_many([Unprepared().play(*"44444433333")])  # compiled
    seconds, found = timed(engine.solve)
    assert (found.value, found.distance) == (1.0, 41)
    return [f"Connect Four's empty board, 256 MiB: {found.verdict}, {found.nodes:,} nodes, {seconds:.0f} s.", ""]


if __name__ == "__main__":
    main()
