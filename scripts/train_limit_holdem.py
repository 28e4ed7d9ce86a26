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
from zermelo.equilibria.bucketed import Trainer
from zermelo.games.poker.buckets import Dealer, Limits
from zermelo.games.poker.limit import STRATEGY
from zermelo.games.poker.strength import all_boards
from zermelo.kernel.stopping import StopToken

CHECKPOINT_SECONDS = 120.0


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the limit hold'em player.")
    parser.add_argument("--minutes", type=float, default=50.0, help="how long to train")
    parser.add_argument("--checkpoint", type=Path, default=Path("limit_holdem_checkpoint.npz"))
    parser.add_argument("--save", type=Path, default=STRATEGY, help="the file of the strategy")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    stop = StopToken()
    signal.signal(signal.SIGINT, lambda *_: stop.stop())
    signal.signal(signal.SIGTERM, lambda *_: stop.stop())
    print("counting the strength of all hands on all boards …", flush=True)
    boards = all_boards()
    limits = Limits.of(boards)
    print(f"buckets: {', '.join(map(str, limits.counts()))}", flush=True)
    trainer = Trainer(games.load("limit_holdem"), Dealer(boards, limits), limits, seed=given.seed, stop=stop)
    if given.checkpoint.exists():
        trainer.resume(given.checkpoint)
        print(f"continuing after {trainer.iterations:,} iterations", flush=True)
    saved = time.perf_counter()

    def tell(trainer: Trainer) -> None:
        nonlocal saved
        if time.perf_counter() - saved > CHECKPOINT_SECONDS and not stop.is_set:
            print(f"{trainer.iterations:,} iterations, {trainer.seconds:.0f} s", flush=True)
            trainer.save(given.checkpoint)

    trainer.strategy().save(given.save)
    print(f"written: {given.save}, {given.save.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
