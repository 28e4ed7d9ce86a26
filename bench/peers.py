"""zermelo beside OpenSpiel and easyAI on the same work, in one process, and what its own calls cost.

Run it with no arguments: it prints a table, writes results/peers.json and results/peers.md, and exits with 1 where a
bar is missed. With --quick it takes fewer rounds and writes nothing. What each row is: see README.md beside this file.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyspiel
from about import RESULTS, about, markdown_table
from easyAI import Negamax
from easyAI.games.ConnectFour import ConnectFour as EasyConnectFour
from easyAI.games.TicTacToe import TicTacToe as EasyTicTacToe
from noughts_and_crosses import NoughtsAndCrosses
from open_spiel.python import games as _registers_python_games  # noqa: F401
from open_spiel.python.algorithms import minimax as spiel_minimax

import zermelo

HERE = Path(__file__).parent
COMMAND = "python bench/peers.py"

CONNECT_FOUR_NODES = {8: 12_574, 12: 3_050_083}
TIC_TAC_TOE_NODES = 18_297
"""Plain alpha-beta, moves in natural order, the root counted: every library must do exactly this much."""

ROUND_SECONDS = 0.5
"""A contestant that is done sooner repeats its search for so long in each round."""


# The same search in three libraries. Each function runs it once and returns how many nodes it visited, or None
# where counting would slow the library down; `verify` counts those in a run that is not timed.


def zermelo_search(game: zermelo.Game, depth: int) -> Callable[[], int]:
    return lambda: zermelo.analyse(game, algorithm="alpha_beta", depth=depth, compile=True).nodes


def spiel_search(game: str, depth: int) -> Callable[[], None]:
    loaded = pyspiel.load_game(game)

    def search() -> None:
        value, _ = spiel_minimax.alpha_beta_search(loaded, value_function=lambda state: 0, maximum_depth=depth)
        assert value == 0

    return search


class Flat(float):
    """A score that easyAI does not make worth more for being reached sooner, as it otherwise would.

    With its bonus a win in three differs from a win in five, which prunes differently: not the same work.
    """

    def __mul__(self, factor: float) -> float:
        return float(self)


def easy_search(game: type, depth: int) -> Callable[[], None]:
    search_from = Negamax(depth, scoring=lambda state: Flat(-1 if state.lose() else 0))

    def search() -> None:
        search_from(game([None, None]))
        assert search_from.alpha == 0

    return search


def spiel_nodes(search: Callable[[], None]) -> int:
    """How many nodes OpenSpiel's search visits, counted by standing in for the function that it recurses on."""
    original, count = spiel_minimax._alpha_beta, 0

    def counting(*arguments: Any, **named: Any) -> Any:
        nonlocal count
        count += 1
        return original(*arguments, **named)

    spiel_minimax._alpha_beta = counting
    try:
        search()
    finally:
        spiel_minimax._alpha_beta = original
    return count


def easy_nodes(game: type, depth: int) -> int:
    """How many nodes easyAI's search visits: the root, and one for each move made."""
    count = 1

    class Counting(game):  # type: ignore[misc, valid-type]
        def make_move(self, move: Any) -> None:
            nonlocal count
            count += 1
            super().make_move(move)

    easy_search(Counting, depth)()
    return count


# Measuring.


def interleaved(contestants: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Seconds a run for each contestant: the mean within a round, the best of the rounds, turn and turn about."""
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, run in contestants.items():
            runs, began = 0, time.perf_counter()
            while True:
                run()
                runs += 1
                elapsed = time.perf_counter() - began
                if elapsed >= ROUND_SECONDS:
                    break
            best[name] = min(best[name], elapsed / runs)
    return best


@dataclass(frozen=True)
class Row:
    """One line of the table: zermelo's figure and what it is held against."""

    what: str
    against: str
    zermelo: str
    other: str
    ratio: float | None
    measured: float
    bar: str
    passed: bool | None  # None where there is no bar


def races(rounds: int, say: Callable[[str], None]) -> list[Row]:
    """The same search in each library: nodes a second, and how many times faster."""
    connect_four = zermelo.games.load("connect_four")
    noughts = NoughtsAndCrosses()
    spiel_12 = spiel_search("connect_four", 12)
    spiel_8 = spiel_search("connect_four", 8)
    spiel_python = spiel_search("python_tic_tac_toe", 9)
    spiel_native = spiel_search("tic_tac_toe", 9)

    say("counting the nodes of each search")
    expect("zermelo, Connect Four to depth 12", zermelo_search(connect_four, 12)(), CONNECT_FOUR_NODES[12])
    expect("zermelo, Connect Four to depth 8", zermelo_search(connect_four, 8)(), CONNECT_FOUR_NODES[8])
    expect("zermelo, tic-tac-toe", zermelo_search(noughts, 9)(), TIC_TAC_TOE_NODES)
    expect("OpenSpiel, Connect Four to depth 12", spiel_nodes(spiel_12), CONNECT_FOUR_NODES[12])
    expect("OpenSpiel, Connect Four to depth 8", spiel_nodes(spiel_8), CONNECT_FOUR_NODES[8])
    expect("OpenSpiel, python_tic_tac_toe", spiel_nodes(spiel_python), TIC_TAC_TOE_NODES)
    expect("OpenSpiel, tic_tac_toe", spiel_nodes(spiel_native), TIC_TAC_TOE_NODES)
    expect("easyAI, Connect Four to depth 8", easy_nodes(EasyConnectFour, 8), CONNECT_FOUR_NODES[8])
    expect("easyAI, tic-tac-toe", easy_nodes(EasyTicTacToe, 9), TIC_TAC_TOE_NODES)

    rows = []
    say("Connect Four to depth 12")
    seconds = interleaved({"zermelo": zermelo_search(connect_four, 12), "OpenSpiel": spiel_12}, rounds)
    rows.append(race("Connect Four, alpha-beta to depth 12", CONNECT_FOUR_NODES[12], seconds, "OpenSpiel", 80))

    say("Connect Four to depth 8")
    seconds = interleaved(
        {
            "zermelo": zermelo_search(connect_four, 8),
            "OpenSpiel": spiel_8,
            "easyAI": easy_search(EasyConnectFour, 8),
        },
        rounds,
    )
    for peer in ("OpenSpiel", "easyAI"):
        rows.append(race("Connect Four, alpha-beta to depth 8", CONNECT_FOUR_NODES[8], seconds, peer))

    say("tic-tac-toe")
    seconds = interleaved(
        {
            "zermelo": zermelo_search(noughts, 9),
            "OpenSpiel, python_tic_tac_toe": spiel_python,
            "OpenSpiel, tic_tac_toe (rules in C++)": spiel_native,
            "easyAI": easy_search(EasyTicTacToe, 9),
        },
        rounds,
    )
    what = "tic-tac-toe, a user's class, alpha-beta to the end"
    rows.append(race(what, TIC_TAC_TOE_NODES, seconds, "OpenSpiel, python_tic_tac_toe", 300))
    rows.append(race(what, TIC_TAC_TOE_NODES, seconds, "OpenSpiel, tic_tac_toe (rules in C++)"))
    rows.append(race(what, TIC_TAC_TOE_NODES, seconds, "easyAI"))
    return rows


def expect(what: str, nodes: int, expected: int) -> None:
    if nodes != expected:
        sys.exit(f"{what}: {nodes:,} nodes, but the same work is {expected:,}: there is nothing to compare")


def race(what: str, nodes: int, seconds: dict[str, float], peer: str, bar: float | None = None) -> Row:
    ratio = seconds[peer] / seconds["zermelo"]
    return Row(
        what=f"{what} ({nodes:,} nodes)",
        against=peer,
        zermelo=rate(nodes / seconds["zermelo"]),
        other=rate(nodes / seconds[peer]),
        ratio=ratio,
        measured=ratio,
        bar="" if bar is None else f"at least {bar:g}×",
        passed=None if bar is None else ratio >= bar,
    )


def rate(nodes_a_second: float) -> str:
    shown = f"{nodes_a_second / 1e6:.3g} M" if nodes_a_second >= 1e6 else f"{nodes_a_second / 1e3:.3g} k"
    return f"{shown} nodes/s"


def limit(what: str, measured: float, bar: float, unit: str = "s", scale: float = 1.0, passed: bool = True) -> Row:
    return Row(
        what=what,
        against="",
        zermelo=f"{measured * scale:.3g} {unit}",
        other="",
        ratio=None,
        measured=measured,
        bar=f"under {bar * scale:g} {unit}",
        passed=passed and measured < bar,
    )


def call_costs(calls: int, say: Callable[[str], None]) -> list[Row]:
    """From the call of `analyse` on a warm game to the moment its worker thread enters the search: the median."""
    say("the cost of a call")
    module = importlib.import_module("zermelo.search.driver")
    original, started = module.run, [0.0]

    def timed(job: Callable[[], Any], *rest: Any) -> Any:
        def stamped() -> Any:
            if started[0] == 0.0:
                started[0] = time.perf_counter()
            return job()

        return original(stamped, *rest)

    connect_four = zermelo.games.load("connect_four")
    noughts = NoughtsAndCrosses()
    kinds = {
        "tic-tac-toe, depth=4": lambda: zermelo.analyse(noughts, depth=4),
        "Connect Four, depth=4": lambda: zermelo.analyse(connect_four, depth=4),
        "Connect Four, depth=4, algorithm named": lambda: zermelo.analyse(
            connect_four, depth=4, algorithm="alpha_beta"
        ),
    }
    samples: dict[str, list[float]] = {name: [] for name in kinds}
    module.run = timed  # type: ignore[attr-defined]
    try:
        for number in range(calls + 100):
            for name, call in kinds.items():
                started[0] = 0.0
                began = time.perf_counter()
                call()
                if number >= 100:  # the first ones warm up
                    samples[name].append(started[0] - began)
    finally:
        module.run = original  # type: ignore[attr-defined]
    return [
        limit(f"a warm call, before the search starts: {name}", statistics.median(times), 50e-6, "µs", 1e6)
        for name, times in samples.items()
    ]


def process_costs(repeats: int, say: Callable[[str], None]) -> list[Row]:
    """Whole processes, from start to end: a small game cold and warm, and the import alone."""
    say("whole processes")
    script = str(HERE / "noughts_and_crosses.py")
    cold, warm, imports = [], [], []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(process_seconds(cache, script))
            warm.append(min(process_seconds(cache, script) for _ in range(2)))
            imports.append(process_seconds(cache, "-c", "import zermelo"))
            loaded = subprocess.run(
                [sys.executable, "-c", "import sys, zermelo; print('numba' in sys.modules)"],
                capture_output=True,
                text=True,
                check=True,
            ).stdout.strip()
    return [
        limit("a small game, cold: process start to answer, nothing cached", min(cold), 4.0),
        limit("a small game, warm: process start to answer, compiled before", min(warm), 1.0),
        limit(
            "`import zermelo`: the whole process, without loading Numba", min(imports), 0.3, passed=loaded == "False"
        ),
    ]


def process_seconds(cache: str, *arguments: str) -> float:
    environment = {**os.environ, "ZERMELO_CACHE": cache}
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


# Reporting.


HEADINGS = ("what", "against", "zermelo", "the other", "ratio", "bar", "")


def cells(row: Row) -> tuple[str, ...]:
    verdict = {True: "PASS", False: "FAIL", None: ""}[row.passed]
    ratio = "" if row.ratio is None else f"{row.ratio:,.0f}×"
    return row.what, row.against, row.zermelo, row.other, ratio, row.bar, verdict


def table(rows: list[Row]) -> str:
    return markdown_table(HEADINGS, [cells(row) for row in rows])


def report(found: dict[str, Any], rows: list[Row]) -> str:
    used = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    return f"""# zermelo beside its peers

Written by `{COMMAND}` on {found["date"]}; what each row is: [README](../README.md).

- machine: {found["machine"]}
- versions: {used}
- every contestant of a row visits exactly the same number of nodes (counted, not assumed), in one process, turn and
  turn about; whole calls are timed, and the best of several rounds is what counts
- OpenSpiel's alpha-beta in C++ is not among what its Python package exposes, so it has no row

{table(rows)}
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds, and no files written")
    quick = parser.parse_args().quick
    say = lambda text: print(f"… {text}", file=sys.stderr, flush=True)  # noqa: E731
    rows = races(1 if quick else 5, say)
    rows += call_costs(500 if quick else 2000, say)
    rows += process_costs(1 if quick else 3, say)
    print(table(rows))
    if not quick:
        found = about(COMMAND, "open_spiel", "easyAI", "numba", "numpy")
        data = {**found, "rows": [asdict(row) for row in rows]}
        (RESULTS / "peers.json").write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n")
        (RESULTS / "peers.md").write_text(report(found, rows))
    missed = [row.what for row in rows if row.passed is False]
    print(f"missed: {'; '.join(missed)}" if missed else "every bar is met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
