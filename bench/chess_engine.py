"""Chess beside Stockfish, and on test positions, in one run on one core.

    python bench/chess_engine.py [--truth FOLDER] [--stockfish PROGRAM] [--seconds S] [--nodes N]

Times are those of the processor, of Stockfish's process too, so that what else the machine does matters little. The
positions (the 300 of "Win at Chess", and Bratko and Kopec's 24) are looked for in the folder given. Results go to
bench/results/chess.md.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import time
from pathlib import Path

from about import RESULTS, about, markdown_table

import zermelo
from zermelo.games.chess import Chess
from zermelo.search.engine import Engine

HERE = Path(__file__).parent
SUITES = {"Win at Chess": "wacnew.epd", "Bratko-Kopec": "bratko-kopec.epd"}
PERFT_DEPTH, PERFT = 6, 119_060_324
MIDDLE_GAMES = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "r1bq1r1k/1pp1n1pp/1p1p4/4p2Q/4Pp2/1BNP4/PPP2PPP/3R1RK1 w - - 2 14",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 11",
)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--truth", type=Path, default=HERE.parents[1] / "shared" / "truth" / "chess")
    options.add_argument("--stockfish", default=shutil.which("stockfish") or "/usr/games/stockfish")
    options.add_argument("--seconds", type=float, default=1.0, help="for each position; 0 for none")
    options.add_argument("--nodes", type=int, default=1_000_000, help="for each position; 0 for none")
    given = options.parse_args()
    where = about("python bench/chess_engine.py")
    lines = ["# Chess, measured", "", f"{where['date']}, {where['machine']}; one core, seconds of processor time.", ""]
    lines += [speeds(given.stockfish), "", positions(given.truth, given.seconds, given.nodes)]
    print("\n".join(lines))
    (RESULTS / "chess.md").write_text("\n".join(lines) + "\n")


def speeds(stockfish: str) -> str:
    """Move sequences and nodes a second, here and there."""
    counted = Chess(draws="never")
    zermelo.perft(counted, 2)
    began = time.process_time()
    assert zermelo.perft(counted, PERFT_DEPTH) == PERFT
    perft = time.process_time() - began
    game = zermelo.games.load("chess")
    began = time.process_time()
    engine = Engine(game, table=64)
    engine.think(depth=1)
    compiled = time.process_time() - began
    nodes = seconds = 0.0
    for fen in MIDDLE_GAMES:
        engine.clear()
        began = time.process_time()
        nodes += engine.think(game.from_fen(fen), nodes=1_000_000).nodes
        seconds += time.process_time() - began
    rows = [
        (f"sequences of {PERFT_DEPTH} moves", f"{perft:.2f} s", "", ""),
        ("nodes a second", f"{nodes / seconds / 1e6:.2f} M", "", ""),
        ("until the engine is ready", f"{compiled:.1f} s", "", ""),
    ]
    if Path(stockfish).exists():
        spent, _ = run(stockfish, f"position startpos\ngo perft {PERFT_DEPTH}\n")
        rows[0] = (*rows[0][:2], f"{spent:.2f} s", f"{spent / perft:.2f}")
        spent, told = run(stockfish, "bench\n")
        searched = int(next(line.split(":")[1] for line in told.splitlines() if line.startswith("Nodes searched")))
        rate = searched / spent
        rows[1] = (*rows[1][:2], f"{rate / 1e6:.2f} M", f"{nodes / seconds / rate:.2f}")
    return markdown_table(("", "zermelo", "Stockfish", "times as fast"), rows)


def run(program: str, commands: str) -> tuple[float, str]:
    """What a program says to these commands, and the seconds of processor time that it takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program], input=commands + "quit\n", capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout + done.stderr


def positions(folder: Path, seconds: float, nodes: int) -> str:
    """How many of the test positions are solved, within some seconds of the clock and within some nodes."""
    game = zermelo.games.load("chess")
    engine = Engine(game, table=64)
    rows = []
    for name, file in SUITES.items():
        if not (folder / file).exists():
            continue
        lines = [line for line in (folder / file).read_text().splitlines() if line.strip()]
        shown = [name, str(len(lines))]
        for limits in ({"seconds": seconds}, {"nodes": nodes}):
            if not any(limits.values()):
                shown.append("")
                continue
            solved = 0
            for line in lines:
                state, wanted = game.from_epd(line)
                engine.clear()
                found = engine.think(state, **limits).action
                solved += found not in wanted.get("am", ()) and found in wanted.get("bm", (found,))
            shown.append(str(solved))
        rows.append(tuple(shown))
    return markdown_table(("positions", "in all", f"solved in {seconds:g} s", f"in {nodes:,} nodes"), rows)


if __name__ == "__main__":
    main()
