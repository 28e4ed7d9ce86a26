"""Make the weights that Othello is shipped with: python scripts/train_othello.py [FILE]. It takes some four minutes.

The settings are the ones that played best, not those with the least log loss. Three things mattered: learning by how
many discs a game was won, so that every game says more; a great penalty, because a search finds whatever position is
overrated by a pattern that was seen too rarely; and openings that go on deep into the game with a few random moves, so
that positions after mistakes are seen as well.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from zermelo import count_bits
from zermelo.games import othello
from zermelo.games.othello_patterns import weights_by_hand
from zermelo.learn.learned import Learned
from zermelo.learn.linear import Progress, learn
from zermelo.learn.match import match

FILE = Path(othello.__file__).with_name("othello_weights.npz")
UNIT = 1 / 64
"""Weights are rounded to so many discs: finer than the noise, and a third of the size."""


class Othello(othello.Othello):
    """Othello with an end in sight, for perfect play there."""

    def plies_left(self, s: othello.OthelloState) -> int:
        return self.squares - count_bits(s.own | s.other)


def main(file: Path) -> None:
    game = Othello(weights=weights_by_hand(8))
    learned = learn(
        game,
        games=200_000,
        rounds=5,
        keep=3,
        seed=1995,
        depth=2,
        opening=54,
        exploration=0.2,
        ending=9,
        share=0.2,
        penalty=600.0,
        target="utility",
        on_progress=tell,
    )
    learned.save(file, unit=UNIT)
    print(f"\n{learned.report}\n{file.stat().st_size:,} bytes")
    measure(game, Learned.load(file, game))


def measure(game: Othello, learned: Learned) -> None:
    """Play the learned weights against those set by hand."""
    seen = int(np.count_nonzero(learned.weights))
    print(f"{seen:,} of {len(learned.weights):,} weights are not 0; a disc more is worth {learned.chance(1.0):.1%}")
    for depth in (1, 2, 3, 4):
        print(f"at depth {depth}: {match(learned.apply(game), game, games=200, depth=depth, opening=10)}", flush=True)


def tell(progress: Progress) -> None:
    line = f"round {progress.round}: {progress.doing}, {progress.games:,} games, {progress.seconds:.0f} s"
    print(f"\r{line:60}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FILE)
