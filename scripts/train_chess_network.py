"""Train networks for chess: python scripts/train_chess_network.py POSITIONS FOLDER [--added yes] [--units 128,256] ...

POSITIONS is a folder that `zermelo learn chess --generate` has filled. One network is written to FOLDER for each choice
of units and of what it learns. The GPU does most of the work if there is one. With --weights, from `zermelo learn chess
--train`, networks are added to a sum with these weights, which are written to FOLDER too, rounded as chess needs them:
both files replace those in src/zermelo/games/chess.
"""

from __future__ import annotations

import argparse
import itertools
import json
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.games.chess import Chess
from zermelo.games.chess.weights import UNIT
from zermelo.learn.learned import Learned
from zermelo.learn.positions import FIRST, QUIET, WON, count_in, log_odds_ahead, record_type, sides, with_evaluation
from zermelo.learn.positions.files import files_in, read_header
from zermelo.learn.samples import Samples, samples
from zermelo.learn.two_views import Training, fitted_slope, train

AT_A_TIME = 500_000
"""Positions that one process prepares at a time."""
HELD_OUT = 50
"""One game in so many is held out."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("positions", nargs="+", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--units", default="128", help="units of each view; several, with commas between them")
    parser.add_argument("--added", default="no", help="add to the weighted sum? yes, no or yes,no")
    parser.add_argument("--results", default="0", help="share of the results in the targets")
    parser.add_argument(
        "--ahead", type=float, default=0.9, help="decay of the searches of later positions in the targets"
    )
    parser.add_argument("--weights", type=Path, help="weights of the sum (.npz) that networks are added to")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch", type=int, default=16_384)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--workers", type=int, default=1, help="processes that read positions")
    chosen = parser.parse_args()
    begun = time.perf_counter()
    files = [path for folder in chosen.positions for path in files_in(folder)]
    slope = slope_of(files[0])
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(chosen.workers) as pool:
        wanted = [
            (number, path, begin)
            for number, path in enumerate(files)
            for begin in range(0, count_in(path, Chess()), AT_A_TIME)
        ]
        how = Preparation(Path(folder), chosen.weights, chosen.ahead, slope)
        parts = [read(file) for file in pool.map(prepare, wanted, itertools.repeat(how))]
    data, held_out = (joined([part[i] for part in parts]) for i in range(2))
    print(f"{len(data):,} quiet positions and {len(held_out):,} held out, slope {slope:.3f}, read in "
          f"{time.perf_counter() - begun:.0f} s", flush=True)  # fmt: skip
    chosen.folder.mkdir(parents=True, exist_ok=True)
    if chosen.weights is not None:
        Learned.load(chosen.weights, summed(None)).save(chosen.folder / "weights.npz", unit=UNIT)
    choices = itertools.product(chosen.units.split(","), chosen.added.split(","), chosen.results.split(","))
    for units, added, results in choices:
        training = Training(
            units=int(units), added=added == "yes", results=float(results), epochs=chosen.epochs, batch=chosen.batch,
            rate=chosen.rate,
        )  # fmt: skip
        network = train(Chess(), data, held_out, slope, training, tell)
        file = chosen.folder / f"chess_{'added' if training.added else 'whole'}_{units}_{results}.npz"
        network.save(file, Chess())
        print(f"{file}: {file.stat().st_size:,} bytes, {json.dumps(network.record)}", flush=True)


@dataclass(frozen=True)
class Preparation:
    """How positions are prepared: the folder, the weights of the sum, the decay of look-ahead, log-odds per unit."""

    folder: Path
    weights: Path | None
    ahead: float
    slope: float


def summed(weights: Path | None) -> Chess:
    """Chess as the sum evaluates it, with the weights in a file."""
    return with_evaluation(Chess(evaluation="features"), weights)


def slope_of(path: Path) -> float:
    """The log-odds of winning per unit of utility, by the first positions of a file."""
    game = Chess(evaluation="features")
    records = np.array(np.memmap(path, record_type(game), "r", read_header(path)[1])[:AT_A_TIME])
    quiet = (records["flags"] & (QUIET | WON)) == QUIET
    return fitted_slope(samples(game, records[quiet]))


def prepare(task: tuple[int, Path, int], how: Preparation) -> Path:
    """Write the samples of a part of one file of positions: those to learn from, and those held out."""
    number, path, begin = task
    game, out = summed(how.weights), how.folder / f"{number}-{begin}.npz"
    records = np.array(np.memmap(path, record_type(game), "r", read_header(path)[1])[begin : begin + AT_A_TIME])
    results, flags = (records["result"] + 1) / 2, records["flags"]
    seen = log_odds_ahead(how.slope * records["score"], results, flags, sides(records, game), how.ahead)
    records["score"] = seen / how.slope
    game_number = np.cumsum(flags & FIRST != 0)
    quiet = (flags & (QUIET | WON)) == QUIET
    held = game_number % HELD_OUT == 1
    columns: dict[str, Any] = {}
    for i, which in enumerate((quiet & ~held, quiet & held)):
        columns |= {
            f"{name}{i}": column for name, column in vars(samples(game, records[which])).items() if name != "amounts"
        }
    np.savez(out, **columns)
    return out


def read(file: Path) -> tuple[Samples, Samples]:
    """The samples of one file."""
    with np.load(file) as found:
        names = ("numbers", "phases", "sums", "scores", "results")
        first, second = ({name: found[f"{name}{i}"] for name in names} for i in range(2))
    return Samples(amounts=None, **first), Samples(amounts=None, **second)


def joined(parts: list[Samples]) -> Samples:
    columns = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in vars(parts[0]) if name != "amounts"
    }
    return Samples(amounts=None, **columns)


def tell(epoch: int, loss: float, held_out: float, seconds: float) -> None:
    print(f"epoch {epoch}: {loss:.5f}, held out {held_out:.5f}, {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
