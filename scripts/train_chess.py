"""Make the weights of the chess evaluation from those set by hand: python scripts/train_chess.py FOLDER [FILE]

Generation after generation, the engine plays itself, the weights are fitted to what its searches and results say of
quiet positions, and they are kept if they win a match against the last ones. Everything is kept in the folder; started
again, it resumes there. See docs/chess_evaluation.md for how long the steps take. A run of a few minutes that shows
that all steps work, but not how good they are:

    python scripts/train_chess.py /tmp/small /tmp/small.npz --positions 2000 --generations 1 --nodes 50 --pairs 20
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from zermelo.game.unit import learned_slope
from zermelo.games.chess import Chess
from zermelo.games.chess.weights import FILE, UNIT, weights_by_hand
from zermelo.generations import LoopSettings, improve
from zermelo.generations.status import Status
from zermelo.learn.learned import Learned
from zermelo.learn.positions import PlaySettings
from zermelo.learn.training.train import TrainSettings

GENERATIONS, POSITIONS = 2, 10_000_000
PLAY = PlaySettings(nodes=200, seed=1959, opening=(4, 12), balance=0.4, random_moves=0.02, decided=0.82)
TRAIN = TrainSettings(epochs=8, batch=512, rate=0.003, results=0.3)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("file", type=Path, nargs="?", default=FILE)
    options.add_argument("--positions", type=int, default=POSITIONS, help="of each generation")
    options.add_argument("--generations", type=int, default=GENERATIONS)
    options.add_argument("--nodes", type=int, default=PLAY.nodes, help="per move")
    options.add_argument("--pairs", type=int, default=LoopSettings.most_pairs, help="the most pairs of games of a test")
    options.add_argument("--workers", type=int, default=0, help="processes that play; 0: as many as processors")
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    game = Chess(evaluation="features")
    start = given.folder / "by_hand.npz"
    if not start.exists():
        Learned(game.name, game.feature_names(), weights_by_hand(), 1.0, learned_slope(FILE), 0.0, 0).save(start)
    settings = LoopSettings(
        positions=given.positions, keep=given.generations, model="sum", play=replace(PLAY, nodes=given.nodes),
        train=TRAIN, most_pairs=given.pairs,
    )  # fmt: skip
    improve(
        "chess", given.folder / "run", settings, generations=given.generations, start=start, workers=given.workers,
        parameters={"evaluation": "features"}, on_progress=tell,
    )  # fmt: skip
    best = given.folder / "run" / "best.npz"
    if not best.exists():
        print("\nno generation was better than the weights set by hand: nothing is written")
        return
    learned = Learned.load(best, game)
    learned.save(given.file, unit=UNIT)
    print(f"\n{given.file.stat().st_size:,} bytes; a pawn more is worth {learned.chance(0.1):.1%}")
    for name, before, after in zip(learned.feature_names, weights_by_hand(), learned.weights, strict=True):
        print(f"{name:<60}{1000 * before:8.1f}{1000 * after:8.1f}")


def tell(status: Status) -> None:
    print(f"\r{status.doing:<100}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
