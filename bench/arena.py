"""What the arena costs: games a second with one worker and with two, and what the referee adds to a move.

    python bench/arena.py [--rounds 5]

The same node-limited games, so the same work, are played by one worker and by two, turn and turn about; workers are
started and compiled before the clock runs. Results go to bench/results/arena.md.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from about import about, markdown_table

from zermelo import games
from zermelo.arena.players import RandomPlayer
from zermelo.arena.pool import Workers
from zermelo.arena.referee import Referee
from zermelo.arena.schedule import Conditions, Job, schedule
from zermelo.arena.standings import Standings
from zermelo.arena.tournament import Settings, Tournament

HERE = Path(__file__).parent
GAMES = 24
PLAYERS = ("alpha_beta:depth=12", "alpha_beta:depth=11")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()
    speeds: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(given.rounds):
        for workers in speeds:
            speeds[workers].append(games_a_second(workers))
            print(f"{workers} workers: {speeds[workers][-1]:.2f} games/s", flush=True)
    ratio = statistics.median(two / one for one, two in zip(*speeds.values(), strict=True))
    few, many = added(1000), added(10000)
    rows = [
        ("games/s with one worker, with two", f"{max(speeds[1]):.2f}, {max(speeds[2]):.2f}"),
        (f"ratio, median of {given.rounds} rounds (bar 1.7)", f"{ratio:.2f}"),
        ("a game", f"{1 / max(speeds[1]):.2f} s"),
        ("a move by the referee, players at random, with the watcher told", f"{1e6 * a_move():.0f} µs"),
        ("a game added to the standings, of 1,000 and of 10,000", f"{1e6 * few:.0f}, {1e6 * many:.0f} µs"),
    ]
    where = about("python bench/arena.py")
    told = f"`{where['command']}`, {where['date']}, {where['machine']}"
    text = f"# What the arena costs\n\n{told}\n\n{markdown_table(('what', 'figure'), rows)}"
    print(text)
    (HERE / "results" / "arena.md").write_text(text + "\n")
    raise SystemExit(ratio < 1.7)


def games_a_second(workers: int) -> float:
    pool = Workers(workers)
    settings = Settings("connect_four", PLAYERS, rounds=(GAMES + 2 * workers) // 2, openings=4)
    standings = Standings(games.load("connect_four"), PLAYERS)
    began = 0.0
    for record in pool.play(Tournament(settings).jobs()):
        standings.add(record)
        if standings.games == 2 * workers:  # everybody is ready
            began = time.perf_counter()
    passed = time.perf_counter() - began
    pool.close()
    return (standings.games - 2 * workers) / passed


def a_move() -> float:
    game = games.load("connect_four")
    players = [RandomPlayer(), RandomPlayer()]
    told: list[object] = []
    plies = 0
    began = time.perf_counter()
    for number in range(200):
        plies += len(
            Referee(Job("connect_four", ("a", "b"), number, 0, seed=number), game, players, told.append).play().moves
        )
    return (time.perf_counter() - began) / plies


def added(count: int) -> float:
    game = games.load("tic_tac_toe")
    jobs = schedule("", {}, game, ["a", "b"], count // 2, iter([((), 0)] * count), Conditions())
    players = {"a": RandomPlayer(), "b": RandomPlayer()}
    records = [Referee(job, game, [players[words] for words in job.players]).play() for job in jobs]
    standings = Standings(game, ("a", "b"))
    began = time.perf_counter()
    for record in records:
        standings.add(record)
    standings.to_json()
    return (time.perf_counter() - began) / count


if __name__ == "__main__":
    main()
