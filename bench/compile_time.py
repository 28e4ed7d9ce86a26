"""How long the engine takes to compile for each game, and to load from the cache; and how large the source is.

    python bench/compile_time.py                          this checkout
    python bench/compile_time.py --before OTHER/src       the same for another checkout, alternating, in one table

Each figure is the processor time of a process of its own, from the first call of the engine to its answer, the import
of Numba not counted: cold with an empty cache, cached with what the cold run left.
"""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"
GAMES = ("tic_tac_toe", "connect_four", "breakthrough", "othello", "chess", "nim")
ASK = """
import sys, time
import numba
import zermelo
engine = zermelo.Engine(zermelo.games.load(sys.argv[1]))
began = time.process_time()
engine.think(nodes=1000)
print(time.process_time() - began)
"""


def seconds(source: Path, game: str, cache: str) -> float:
    """The processor time from the engine's first call to its answer."""
    environment = {**os.environ, "PYTHONPATH": str(source), "ZERMELO_CACHE": cache}
    answer = subprocess.run(
        [sys.executable, "-c", ASK, game], env=environment, capture_output=True, text=True, check=True
    )
    return float(answer.stdout)


def compile_times(source: Path, game: str, rounds: int) -> tuple[float, float]:
    """The least of some rounds: cold, and from the cache."""
    cold, cached = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(seconds(source, game, cache))
            cached.append(seconds(source, game, cache))
    return min(cold), min(cached)


def size(source: Path) -> dict[str, str]:
    """The lines of Python, the longest files and the longest functions."""
    files = {path: path.read_text() for path in source.rglob("*.py")}
    lines = {path.relative_to(source / "zermelo").as_posix(): text.count("\n") for path, text in files.items()}
    functions = {}
    for path, text in files.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                name = f"{path.relative_to(source / 'zermelo').as_posix()}:{node.name}"
                functions[name] = (node.end_lineno or node.lineno) - node.lineno + 1

    def longest(counts: dict[str, int]) -> str:
        first = sorted(counts.items(), key=lambda item: -item[1])[:4]
        return ", ".join(f"`{name}` {count}" for name, count in first)

    return {
        "lines of Python in src/": f"{sum(lines.values()):,} in {len(lines)} files",
        "longest files": longest(lines),
        "longest functions": longest(functions),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, help="the src folder of another checkout")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    sources = [options.before, SOURCE] if options.before else [SOURCE]
    columns = ["before", "after"] if options.before else ["now"]
    print(f"| game | {' | '.join(f'cold, {c}' for c in columns)} | {' | '.join(f'cached, {c}' for c in columns)} |")
    print(f"|---|{'---|' * 2 * len(columns)}")
    for game in GAMES:
        times = [compile_times(source, game, options.rounds) for source in sources]
        cells = [f"{cold:.1f} s" for cold, _ in times] + [f"{cached:.2f} s" for _, cached in times]
        print(f"| {game} | {' | '.join(cells)} |", flush=True)
    print(f"\n| | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
    sizes = [size(source) for source in sources]
    for label in sizes[0]:
        print(f"| {label} | {' | '.join(found[label] for found in sizes)} |")


if __name__ == "__main__":
    main()
