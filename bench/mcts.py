"""Monte Carlo tree search: simulations per second beside OpenSpiel's C++ MCTS, in one process and in turns.

Both search from the start of the game with UCT and uniform random rollouts; only "own playouts" uses what the game
offers. OpenSpiel makes as many simulations per search as it manages in 0.6 s. zermelo makes the same number, but at
least 8,000, because every call has a fixed cost; so in slow games, such as Othello and chess, its tree is larger. Time
is processor time of this process, so that other programs disturb little; the median of the rounds is reported. With
--threads it measures how the simulations per second grow with the number of threads instead, each of which grows a
tree of its own. Without --quick it writes its results.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from about import RESULTS, about, markdown_table

import zermelo
from zermelo.search.question import Question
from zermelo.search.registry import find

UNIFORM = {"priors": False, "rave": False, "rollout_plies": 1_000, "uniform": True, "proofs": False}
OWN: dict[str, Any] = {}

CASES: tuple[tuple[str, str, dict[str, Any], dict[str, Any], str, float], ...] = (
    # row, game, its parameters, options, OpenSpiel's game, the bar
    ("tic-tac-toe", "tic_tac_toe", {}, UNIFORM, "tic_tac_toe", 0.0),
    ("Connect Four", "connect_four", {}, UNIFORM, "connect_four", 12.0),
    ("Othello", "othello", {}, UNIFORM, "othello", 100.0),
    ("chess", "chess", {}, UNIFORM, "chess", 30.0),
    ("Hex 7×7", "hex", {"size": 7, "swap": False}, UNIFORM, "hex(board_size=7)", 8.0),
    ("Hex 11×11", "hex", {"size": 11, "swap": False}, UNIFORM, "hex(board_size=11)", 8.0),
    ("Go 9×9", "go", {"size": 9, "limit": 162}, UNIFORM, "go(board_size=9,komi=7.5)", 8.0),
    ("Go 9×9, own playouts", "go", {"size": 9, "limit": 162}, OWN, "go(board_size=9,komi=7.5)", 8.0),
)


def zermelo_search(game: zermelo.Game, options: dict[str, Any], simulations: int) -> Callable[[], int]:
    """A function that makes so many simulations in a new tree."""
    algorithm = find("mcts")

    def search() -> int:
        searcher = algorithm.make(algorithm, game, True, {**options, "memory": 256})
        return searcher.analyse(Question(game, game.initial(), nodes=simulations)).nodes

    return search


def spiel_search(name: str, simulations: int) -> Callable[[], int]:
    import pyspiel

    game = pyspiel.load_game(name)

    def search() -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1024, False, 1, False)
        bot.mcts_search(game.new_initial_state())
        return simulations

    return search


def speed(search: Callable[[], int]) -> float:
    """Simulations per second of processor time, over searches for at least a third of a second."""
    began, made = time.process_time(), 0
    while (taken := time.process_time() - began) < 0.3:
        made += search()
    return made / taken


def compare(rounds: int, quick: bool, only: str) -> list[dict[str, Any]]:
    rows = []
    for row, name, parameters, options, other, bar in CASES:
        if only and only not in row:
            continue
        simulations = max(int(speed(spiel_search(other, 200)) * (0.2 if quick else 0.6)), 100)
        peer = spiel_search(other, simulations)
        game = zermelo.games.load(name, **parameters)
        own = zermelo_search(game, options, max(simulations, 8_000))  # a call has a fixed cost
        own()  # compiles
        measured = [(speed(own), speed(peer)) for _ in range(rounds)]
        ours, theirs = (statistics.median(column) for column in zip(*measured, strict=True))
        ratio = statistics.median(a / b for a, b in measured)
        rows.append({"game": row, "zermelo": ours, "OpenSpiel": theirs, "ratio": ratio, "bar": bar})
        print(f"{row:24} {ours:12,.0f} {theirs:12,.0f} {ratio:8.1f}  (bar {bar:g})", flush=True)
    return rows


def scaling(seconds: float, most: int) -> list[dict[str, Any]]:
    """Simulations per second of wall time with 1, 2, 4, … threads, each with its own tree."""
    rows = []
    counts = [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= most]
    for row, name, parameters, options, *_ in CASES:
        game = zermelo.games.load(name, **parameters)
        algorithm = find("mcts")
        found: dict[int, list[float]] = {n: [] for n in counts}
        for number in range(4):
            for n in counts:
                searcher = algorithm.make(algorithm, game, True, {**options, "memory": 1024, "threads": n})
                limits = {"nodes": 100} if number == 0 else {"seconds": seconds}
                answer = searcher.analyse(Question(game, game.initial(), **limits))
                if number:
                    found[n].append(answer.nodes / answer.seconds)
        speeds = {n: statistics.median(each) for n, each in found.items()}
        rows.append({"game": row, "speeds": speeds})
        shown = "  ".join(f"{n}: {x:,.0f} ({x / speeds[1]:.2f})" for n, x in speeds.items())
        print(f"{row:24} {shown}", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer rounds; write nothing")
    parser.add_argument("--only", default="", help="only the rows with this text")
    parser.add_argument("--threads", type=int, default=0, help="measure up to so many threads instead")
    options = parser.parse_args()
    if options.threads:
        rows = scaling(0.3 if options.quick else 2.0, options.threads)
        name, head = "mcts_threads", ("game", "threads: simulations/s (ratio to 1 thread)")
        shown = [
            (r["game"], ", ".join(f"{n}: {x:,.0f} ({x / r['speeds'][1]:.2f})" for n, x in r["speeds"].items()))
            for r in rows
        ]
        command = f"python bench/mcts.py --threads {options.threads}"
    else:
        rows = compare(2 if options.quick else 5, options.quick, options.only)
        name, head = "mcts", ("game", "zermelo, simulations/s", "OpenSpiel, simulations/s", "ratio", "bar")
        shown = [
            (r["game"], f"{r['zermelo']:,.0f}", f"{r['OpenSpiel']:,.0f}", f"{r['ratio']:.1f}", f"{r['bar']:g}")
            for r in rows
        ]
        command = "python bench/mcts.py"
    if not options.quick and not options.only:
        facts = about(command, *(() if options.threads else ("open_spiel",)))
        (RESULTS / f"{name}.json").write_text(json.dumps({"about": facts, "rows": rows}, indent=1) + "\n")
        text = f"# Monte Carlo tree search\n\n`{command}`, {facts['date']}, {facts['machine']}\n\n"
        (RESULTS / f"{name}.md").write_text(text + markdown_table(head, shown) + "\n")


if __name__ == "__main__":
    main()
