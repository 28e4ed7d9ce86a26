"""Make the weights of the chess evaluation from those set by hand: python scripts/train_chess.py FOLDER [FILE]

Generation after generation, the engine plays itself, the weights are fitted to what its searches and results say of
quiet positions, and they are kept if they win a match against the last ones. Everything is kept in the folder; started
again, it resumes there. All processors play. See docs/chess_evaluation.md for how long the steps take.
"""

from __future__ import annotations

import sys
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


def main(folder: Path, file: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    game = Chess()
    start = folder / "by_hand.npz"
    if not start.exists():
        Learned(game.name, game.feature_names(), weights_by_hand(), 1.0, learned_slope(FILE), 0.0, 0).save(start)
    settings = LoopSettings(positions=POSITIONS, keep=GENERATIONS, model="sum", play=PLAY, train=TRAIN)
    improve("chess", folder / "run", settings, generations=GENERATIONS, start=start, workers=0, on_progress=tell)
    learned = Learned.load(folder / "run" / "best.npz", game)
    learned.save(file, unit=UNIT)
    print(f"\n{file.stat().st_size:,} bytes; a pawn more is worth {learned.chance(0.1):.1%}")
    for name, before, after in zip(learned.feature_names, weights_by_hand(), learned.weights, strict=True):
        print(f"{name:<60}{1000 * before:8.1f}{1000 * after:8.1f}")


def tell(status: Status) -> None:
    print(f"\r{status.doing:<100}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else FILE)
