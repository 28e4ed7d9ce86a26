"""Count how all kinds of hold'em hands do against each other on all boards, and write the shipped file.

    python scripts/count_preflop.py

It takes about a minute on one core.
"""

from __future__ import annotations

import io
import time

import numpy as np

from zermelo.games.poker.cards import CARDS
from zermelo.games.poker.preflop import COUNT_BOARDS, FILE, Tally
from zermelo.kernel.files import write_whole
from zermelo.kernel.no_game import NoGame


def main() -> None:
    tally, game = Tally(), NoGame("Counting boards")
    began, looked = time.perf_counter(), 0
    for first in range(CARDS):
        looked += COUNT_BOARDS.compiled(game, tally, first)(game.initial())
        print(f"lowest card {first}: {looked:,} boards, {time.perf_counter() - began:.0f} s", flush=True)
    data = io.BytesIO()
    np.savez_compressed(data, wins=tally.wins.astype(np.int64), ties=tally.ties.astype(np.int64))
    write_whole(FILE, data.getvalue())
    print(f"{FILE}: {len(data.getvalue()):,} bytes")


if __name__ == "__main__":
    main()
