"""Hands of seven cards per second next to eval7, and the time to solve turn and river subgames.

    python bench/poker.py

Programs run in turn in the same process. Processor time counts, which other work on the machine disturbs less; the time
on the clock is beside it. eval7 is optional.
"""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np

from zermelo.equilibria.subgame.solver import Subgame
from zermelo.games.poker.cards import CARDS, bit_of, name_of
from zermelo.games.poker.hands import CLASSES, Hands, count_classes
from zermelo.kernel.no_game import NoGame
from zermelo.kernel.routine import Routine

ROUNDS = 5
UNTIL = 0.3
"""Per cent of the pot."""
SPOTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("river, three sizes", {"board": "Ks 9h 4d 2c 7s", "bets": (0.5, 1, 2)}),
    ("turn, two sizes, 48 rivers", {"board": "Ks 9h 4d 2c", "bets": (0.5, 1)}),
    ("turn, two sizes, 35 rivers", {"board": "Ks 9h 4s 2h", "bets": (0.5, 1)}),
    ("turn, three sizes, 35 rivers", {"board": "Ks 9h 4s 2h", "bets": (0.5, 1, 2)}),
)


def hands() -> None:
    """Own hands are all with a lowest card from the five on: 18,643,560 of them; eval7's are random."""
    game, counts = NoGame("Counting hands"), np.zeros(len(CLASSES), np.int64)
    bits = np.array([bit_of(card) for card in range(CARDS)], np.uint64)
    program = Routine(count_classes).compiled(game, Hands(), bits, 12, CARDS, counts)
    program(game.initial())
    peer = eval7_hands()
    own, theirs = [], []
    for _ in range(ROUNDS):
        began = time.thread_time()
        total = program(game.initial())
        own.append(total / (time.thread_time() - began))
        if peer is not None:
            evaluate, dealt = peer
            began = time.thread_time()
            for cards in dealt:
                evaluate(cards)
            theirs.append(len(dealt) / (time.thread_time() - began))
    print(f"hands of seven cards: {max(own) / 1e6:.1f} M/s at best, {np.median(own) / 1e6:.1f} M/s in the middle")
    if theirs:
        ratio = np.median(np.array(own) / np.array(theirs))
        print(f"eval7: {max(theirs) / 1e6:.2f} M/s at best, {np.median(theirs) / 1e6:.2f}; ratio {ratio:.0f}")


def eval7_hands() -> tuple[Any, list[Any]] | None:
    """eval7's evaluator and random hands for it; None if it is not installed."""
    try:
        import eval7
    except ImportError:
        return None
    deck = [eval7.Card(name_of(card)) for card in range(CARDS)]
    source = random.Random(1)
    return eval7.evaluate, [source.sample(deck, 7) for _ in range(100_000)]


def subgames() -> None:
    """All 1,326 hands for both players, pot 100, stacks 200."""
    for name, spot in SPOTS:
        seconds, busy = [], []
        for round in range(ROUNDS if spot["board"].count(" ") == 4 else 2):
            subgame = Subgame(first="any", second="any", pot=100, stack=200, **spot)
            if round == 0:
                subgame.look()  # compiles
                subgame = Subgame(first="any", second="any", pot=100, stack=200, **spot)
            began, cpu = time.perf_counter(), time.process_time()
            look = subgame.solve(until=UNTIL)
            seconds.append(time.perf_counter() - began)
            busy.append(time.process_time() - cpu)
        share = f"{look.exploitability:.2f} % of the pot"
        print(
            f"{name}: {len(subgame.nodes)} nodes, {subgame.bytes / 1e6:.0f} MB, {look.iterations} iterations, "
            f"{min(seconds):.2f} s on the clock, {min(busy):.2f} s of processor time, {share}"
        )


if __name__ == "__main__":
    hands()
    subgames()
