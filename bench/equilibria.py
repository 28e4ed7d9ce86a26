"""Iterations per second of CFR+ next to OpenSpiel's C++, and the speed of poker hands next to eval7.

    python bench/equilibria.py

Both run in turn in the same process, on one core; the ratio is what counts. OpenSpiel and eval7 are optional.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from zermelo import games
from zermelo.equilibria.solver import Solver
from zermelo.games.poker.cards import CARDS, bit_of
from zermelo.games.poker.hands import CLASSES, Hands, count_classes
from zermelo.kernel.no_game import NoGame
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine

SECONDS, ROUNDS = 1.0, 5
GAMES = (
    ("kuhn_poker", {}, "kuhn_poker"),
    ("leduc_poker", {"suits": True}, "leduc_poker"),
    ("leduc_poker", {}, "leduc_poker"),
)


def rate(work: Callable[[int], None], first: int) -> float:
    """Repetitions per second of some work, in about a second."""
    count, took = first, 0.0
    while took < SECONDS / 4:
        began = time.perf_counter()
        work(count)
        took = time.perf_counter() - began
        speed = count / took
        count = max(int(speed * SECONDS), count + 1)
    return speed


def openspiel(name: str) -> Callable[[int], None] | None:
    """Iterations of OpenSpiel's solver; None if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(name))

    def work(iterations: int) -> None:
        for _ in range(iterations):
            solver.evaluate_and_update_policy()

    return work


def iterations() -> None:
    print("CFR+ iterations per second: median of", ROUNDS, "rounds in turn")
    for name, parameters, other in GAMES:
        solver, peer = Solver(games.load(name, **parameters)), openspiel(other)
        solver.iterate(1)
        own, theirs = [], []
        for _ in range(ROUNDS):
            own.append(rate(lambda n, solver=solver: solver.iterate(n) and None, 100))
            if peer is not None:
                theirs.append(rate(peer, 10))
        line = f"{name} {parameters or ''}: {np.median(own):,.0f}"
        if theirs:
            ratio = np.median(np.array(own) / np.array(theirs))
            line += f", OpenSpiel {np.median(theirs):,.0f}, ratio {ratio:.0f}"
        print(line)


def hands() -> None:
    game, counts = NoGame("Counting hands"), np.zeros(len(CLASSES), np.int64)
    bits = np.array([bit_of(card) for card in range(CARDS)], np.uint64)
    program = Routine(count_classes).compiled(game, Hands(), bits, 12, CARDS, counts)
    program(game.initial())
    began = time.perf_counter()
    total = program(game.initial())
    own = total / (time.perf_counter() - began)
    print(f"hands of seven cards: {own / 1e6:.1f} M/s")
    try:
        import eval7
    except ImportError:
        return
    random = Random(1)
    deck = [eval7.Card(f"{rank}{suit}") for rank in "23456789TJQKA" for suit in "cdhs"]
    dealt = [[deck[(random.below(40) + i) % 52] for i in range(7)] for _ in range(10_000)]
    began = time.perf_counter()
    for cards in dealt:
        eval7.evaluate(cards)
    theirs = len(dealt) / (time.perf_counter() - began)
    print(f"eval7: {theirs / 1e6:.2f} M/s, ratio {own / theirs:.0f}")


if __name__ == "__main__":
    iterations()
    hands()
