"""Make the weights that checkers is shipped with: python scripts/train_checkers.py FOLDER [FILE]. It takes minutes.

    python scripts/train_checkers.py /tmp/try /tmp/try/weights.npz --games 500 --rounds 2 --match 20

The games are kept in the folder, round by round: started again, it goes on from there. What is learned is to say of a
quiet position what a search of four plies and quiescence says of it, as Samuel's program did (1959). Each round uses
the weights of the one before, so what is learned reaches further than four plies. Weights fitted to the results of
20,000 games at depth 2 lost to those set by hand, by 94 Elo.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

import zermelo
from zermelo.arena.players import SearchPlayer
from zermelo.games.checkers import Checkers
from zermelo.games.checkers.weights import FILE, UNIT, weights_by_hand
from zermelo.learn.learned import Learned
from zermelo.learn.linear import Progress, learn

NODES = 5_000
"""For each move of the match against the weights set by hand."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("file", type=Path, nargs="?", default=FILE)
    options.add_argument("--games", type=int, default=15_000, help="for each round")
    options.add_argument("--rounds", type=int, default=10)
    options.add_argument("--match", type=int, default=200, help="games against the weights set by hand")
    given = options.parse_args()
    folder, file = given.folder, given.file
    game = Checkers(weights=weights_by_hand())
    learned = learn(
        game,
        games=given.games,
        rounds=given.rounds,
        keep=6,
        seed=1959,
        depth=3,
        opening=40,
        exploration=0.15,
        share=0.3,
        penalty=10.0,
        prior=True,
        quiet=True,
        decided=0.45,
        target="search",
        folder=folder,
        on_progress=tell,
    )
    learned.save(file, unit=UNIT)
    seen = int(np.count_nonzero(learned.weights))
    print(f"\n{learned.report}\n{seen:,} of {len(learned.weights):,} weights are not 0; {file.stat().st_size:,} bytes")
    measure(game, Learned.load(file, game), given.match, folder / "match.jsonl")


def measure(game: Checkers, learned: Learned, games: int, file: Path) -> None:
    """Play the learned weights against those set by hand, by the engine with as many nodes for both."""
    limits, options = {"nodes": NODES}, {"table": 8}
    players = [SearchPlayer(each, "engine", limits, options) for each in (learned.apply(game), game)]
    print(zermelo.match(game, *players, games=games, file=file, openings=6).score)


def tell(progress: Progress) -> None:
    line = f"round {progress.round}: {progress.doing}, {progress.games:,} games, {progress.positions:,} positions"
    print(f"\r{line}, {progress.seconds:.0f} s{'':20}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
