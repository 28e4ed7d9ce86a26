"""Static evaluations per second: python bench/backgammon_speed.py [--gnubg] [--rounds 5]

Zermelo and, with --gnubg, gnubg-nn and the program gnubg take turns in one run on one core. Zermelo evaluates the
results of all moves for the rolls of its own games, as it does when it plays. gnubg-nn gets the same positions one by
one, each once, so that its cache does not help. gnubg runs its own command `calibrate`. The last figure is self-play
with learning.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import time
from typing import Any

import numpy as np
from backgammon_players import GnubgNN, rolled

from zermelo.games.backgammon import Backgammon
from zermelo.kernel.parts import Part
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.learn.td.lesson import LEARN, Lesson
from zermelo.networks import with_network
from zermelo.networks.siblings import Siblings


class Room(Part):
    """The work arrays, and the positions that were evaluated: four words each, the side about to roll first."""

    def __init__(self, game: Backgammon, positions: int):
        self.siblings = Siblings(game.network)
        self.moves = np.zeros(game.max_actions, np.int64)
        self.words = np.zeros((positions, 4), np.uint64)


def evaluate_games(game: Any, s: Any, room: Room, random: Random, positions: int, again: int) -> int:
    """Play greedily and count the evaluations, until there are so many; then evaluate all siblings so often again."""
    start, done = s, 0
    while done < positions:
        if game.is_terminal(s):
            s = start
        s = rolled(game, s, random)
        p = s.mover
        room.siblings.forget()
        count = game.list_actions(s, room.moves)
        best, chosen = -1e9, room.moves[0]
        for i in range(count):
            after = game.result(s, room.moves[i])
            if game.is_terminal(after):
                chosen = room.moves[i]
                break
            q = after.mover
            if done < positions:
                room.words[done, 0], room.words[done, 1] = after.low[q], after.high[q]
                room.words[done, 2], room.words[done, 3] = after.low[1 - q], after.high[1 - q]
            done += 1
            value = room.siblings.value(game, after, p)
            if value > best:
                best, chosen = value, room.moves[i]
        for _ in range(again):
            for i in range(count):
                after = game.result(s, room.moves[i])
                if not game.is_terminal(after):
                    room.siblings.look(game, after)
        s = game.result(s, chosen)
    return done


EVALUATE = Routine(evaluate_games)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gnubg", action="store_true", help="measure gnubg-nn and gnubg as well")
    parser.add_argument("--program", default="/usr/games/gnubg", help="the program gnubg")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    game = Backgammon(tables=False)
    rates: dict[str, list[float]] = {}
    for number in range(given.rounds + 1):
        room = Room(game, 400_000)
        once, twice = (seconds_of(game, room, number, again) for again in (0, 1))
        rates.setdefault("zermelo, moves and rules included", []).append(400_000 / once)
        rates.setdefault("zermelo, evaluations alone", []).append(400_000 / (twice - once))
        if given.gnubg:
            rates.setdefault("gnubg-nn", []).append(gnubg_nn_rate(room.words[:: len(room.words) // 40_000]))
            rates.setdefault("gnubg calibrate", []).append(gnubg_rate(given.program))
        rates.setdefault("self-play with learning, games/s", []).append(learning_rate(game, 300))
        if number == 0:
            rates.clear()  # the first round compiles
    for name, found in rates.items():
        print(f"{name}: best {max(found):,.0f}, median {np.median(found):,.0f} per second of processor time")


def seconds_of(game: Backgammon, room: Room, seed: int, again: int) -> float:
    """Processor time to evaluate 400,000 positions of games, and all of them again if asked."""
    began = time.process_time()
    EVALUATE.compiled(game, room, Random(seed), 400_000, again)(game.initial())
    return time.process_time() - began


def gnubg_nn_rate(words: Any) -> float:
    """Evaluations per second of positions that differ."""
    gnubg = GnubgNN()
    boards = []
    for own_low, own_high, low, high in words.tolist():
        own, other = own_low | own_high << 64, low | high << 64
        boards.append([[word >> 4 * place & 15 for place in range(1, 26)] for word in (other, own)])
    began = time.process_time()
    for board in boards:
        gnubg.engine.probabilities(board, 0)
    return len(boards) / (time.process_time() - began)


def gnubg_rate(program: str) -> float:
    """Static evaluations per second that gnubg's own command reports."""
    ran = subprocess.run(
        [program, "-t", "-q"], input="calibrate 10\n", capture_output=True, text=True, timeout=300, check=False
    )
    found = re.findall(r"([\d.,]+)\s+static evaluations/second", ran.stdout)
    return float(found[-1].replace(",", "")) if found else float("nan")


def learning_rate(game: Backgammon, games: int) -> float:
    """Games per second of self-play with learning."""
    own = with_network(game, game.network.copy())
    lesson = Lesson(own.network)
    LEARN.compiled(own, lesson, Random(1), 1, 5000, 1e-6, 0.0, 0.0)(own.initial())
    began = time.process_time()
    LEARN.compiled(own, lesson, Random(2), games, 5000, 1e-6, 0.0, 0.0)(own.initial())
    return games / (time.process_time() - began)


if __name__ == "__main__":
    main()
