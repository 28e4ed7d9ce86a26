"""Train the limit hold'em player that comes with the library: an equilibrium over buckets, by Monte Carlo CFR.

    python scripts/train_limit_holdem.py --minutes 50

It prints its progress, writes a checkpoint every two minutes, and continues from it when it is started again. Ctrl-C
stops it. At the end the strategy is written beside the game: src/zermelo/games/poker/limit_holdem.npz. One core and
700 MB are enough. The first minute goes into the strength of all hands on all boards.
"""

from __future__ import annotations

import argparse
import signal
import time
from pathlib import Path

from zermelo import games
from zermelo.app.solve_buckets import train
from zermelo.equilibria.bucket_strategy import BucketStrategy
from zermelo.games.poker.limit import STRATEGY
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import Stopped

PRINTED = 30.0
"""Seconds between two lines of progress."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the limit hold'em player.")
    parser.add_argument("--minutes", type=float, default=50.0, help="how long to train")
    parser.add_argument("--checkpoint", type=Path, default=Path("limit_holdem_checkpoint.npz"))
    parser.add_argument("--save", type=Path, default=STRATEGY, help="the file of the strategy")
    given = parser.parse_args()
    stop, game = StopToken(), games.load("limit_holdem")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.stop())
    printed = 0.0

    def tell(text: str) -> None:
        nonlocal printed
        if time.perf_counter() - printed > PRINTED:
            print(text, flush=True)
            printed = time.perf_counter()

    file = str(given.checkpoint)
    load = file if given.checkpoint.exists() else None
    try:
        done = train(game, stop, tell, None, 60 * given.minutes, save=file, load=load)
    except Stopped:
        parser.exit(130, "stopped before the training began\n")
    BucketStrategy.load(file, game).save(given.save)  # without what is needed to continue
    print(f"{done:,} iterations; written: {given.save}, {given.save.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
