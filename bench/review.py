"""Does a review find the first losing move? Random games of Connect Four, compared with the solver's verdicts.

    python bench/review.py --games 100 --seconds 1 --most 4 --processes 2 --write

A move is losing if its player was not lost before and is lost after it. The review walks backwards and has
`--seconds` for each position on average. Then the solver proves the value of every position with `--most` seconds each.
Results go to bench/results/review.md.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import time
from pathlib import Path
from typing import Any

from about import about

from zermelo import Engine, Play, Random, games
from zermelo.search.registry import find
from zermelo.search.review import Reviewer
from zermelo.search.wording import result_of

FILE = Path(__file__).parent / "results" / "review.md"
TABLE = 256
"""MiB for the table of each process, which the review and the solver share."""
_made: dict[str, Any] = {}


def tools() -> tuple[Any, Reviewer, Engine]:
    """The game, the reviewer and the solver of this process."""
    if not _made:
        game = games.load("connect_four")
        engine = find("engine")
        reviewer = Reviewer(game, searcher=engine.make(engine, game, True, {"table": TABLE}))
        assert reviewer.engine is not None
        _made["all"] = game, reviewer, reviewer.engine
    return _made["all"]  # type: ignore[no-any-return]


def random_game(game: Any, seed: int) -> Play:
    play, random = Play(game), Random(seed)
    while not play.is_over:
        legal = play.legal()
        play.move(legal[random.below(len(legal))])
    return play


def solved(game: Any, engine: Engine, states: list[Any], seconds: float) -> list[float | None]:
    """The proven value of each position for its mover; None if the time was not enough."""
    values: list[float | None] = []
    for s in states[:-1]:
        answer = engine.solve(s, seconds=seconds)
        values.append(float(answer.value) if answer.exact else None)  # type: ignore[arg-type]
    values.append(float(game.utility(states[-1], game.to_move(states[-1]))))
    return values


def one(job: tuple[int, float, float]) -> dict[str, Any]:
    """Review one game, and solve it."""
    seed, seconds, most = job
    game, reviewer, engine = tools()
    play = random_game(game, seed)
    began = time.perf_counter()
    found = reviewer.review(play.states, play.moves, seconds)
    took = time.perf_counter() - began
    values = solved(game, engine, play.states, most)
    losing = [ply for ply, value in enumerate(values[:-1]) if value is not None and value > -1 and values[ply + 1] == 1]
    lost = [move for move in found.moves if result_of(game, move.after) == 0 and move.grade]
    return {
        "seed": seed,
        "plies": len(play.moves),
        "losing": losing,
        "unknown": [ply for ply, value in enumerate(values) if value is None],
        "marked": [move.ply for move in lost],
        "certain": [move.ply for move in lost if move.before.proven],
        "open": [move.ply for move in found.moves if not move.before.proven],
        "seconds": took,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=1.0, help="of the review, for each position on average")
    parser.add_argument("--most", type=float, default=4.0, help="of the solver, for each position")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--rows", type=Path, help="a file for the results of single games, one JSON object each")
    options = parser.parse_args()
    tools()[2].solve(games.load("connect_four").play(*"444444332"))  # compiled once, before the processes start
    jobs = [(seed, options.seconds, options.most) for seed in range(options.games)]
    rows = []
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for row in pool.imap_unordered(one, jobs):
            rows.append(row)
            print(row, flush=True)
            if options.rows is not None:
                with options.rows.open("a") as file:
                    file.write(json.dumps(row) + "\n")
    text = report(sorted(rows, key=lambda row: row["seed"]), options)
    print(text)
    if options.write:
        FILE.write_text(text, encoding="utf-8")


def report(rows: list[dict[str, Any]], options: argparse.Namespace) -> str:
    measured = about("bench/review.py", "numba")
    versions = ", ".join(f"{name} {version}" for name, version in measured["versions"].items())
    return "\n".join(
        [
            "# Review of random games of Connect Four",
            "",
            f"`python bench/review.py --games {options.games} --seconds {options.seconds:g} --most {options.most:g} "
            f"--processes {options.processes} --write`",
            "",
            f"{measured['date']}, {measured['machine']}, {versions}",
            "",
            *figures(rows),
        ]
    )


def figures(rows: list[dict[str, Any]]) -> list[str]:
    """What was found, and a row for each game."""
    first = sum(not row["losing"] or row["losing"][0] in row["marked"] for row in rows)
    unsolved = sorted(max(row["unknown"], default=-1) + 2 for row in rows)
    wrong = [
        (row["seed"], ply)
        for row in rows
        for ply in row["certain"]
        if ply not in row["losing"] and ply not in row["unknown"] and ply + 1 not in row["unknown"]
    ]
    return [
        f"- games: {len(rows)}, of {statistics.mean(row['plies'] for row in rows):.0f} plies on average",
        f"- the review marks the first losing move that the solver proves in {first} of them, and all losing moves in "
        f"{sum(set(row['losing']) <= set(row['marked']) for row in rows)}",
        f"- moves that the review calls losing, both values proven, and the solver does not: {len(wrong)}",
        f"- the solver proves every position from move {statistics.median(unsolved):.0f} on in half of the games, and "
        f"from move {unsolved[-1]} on in all; earlier ones take it minutes",
        f"- seconds for a review: {statistics.median(row['seconds'] for row in rows):.0f} (median), "
        f"{max(row['seconds'] for row in rows):.0f} at most",
        "",
        "Moves are counted from 1. In brackets: the position before was not solved in time, so the move may only have",
        "prolonged a lost game.",
        "",
        "| seed | moves | losing moves, solver | losing moves, review |",
        "|---|---|---|---|",
        *(
            f"| {row['seed']} | {row['plies']} | {_listed(row['losing'], row['losing'])} | "
            f"{_listed(row['marked'], row['certain'])} |"
            for row in rows
        ),
        "",
    ]


def _listed(plies: list[int], certain: list[int]) -> str:
    return " ".join(str(ply + 1) if ply in certain else f"({ply + 1})" for ply in plies)


if __name__ == "__main__":
    main()
