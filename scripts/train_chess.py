"""Make the weights that chess is shipped with: python scripts/train_chess.py FOLDER [FILE]. It takes some minutes.

The games are kept in the folder, round by round: started again, it goes on from there. What is learned is to say of a
quiet position what a search of three plies and quiescence says of it, as Samuel's program did (1959), and the weights
set by hand are believed until there is reason not to. To learn from the results of as many games foretold results
better, and played worse: what a knight on one square does to a result is far less than the noise of 4,000 games.
"""

from __future__ import annotations

import sys
from pathlib import Path

import zermelo
from zermelo.arena.players import SearchPlayer
from zermelo.games.chess import Chess
from zermelo.games.chess.weights import FILE, UNIT, weights_by_hand
from zermelo.learn.learned import Learned
from zermelo.learn.linear import Progress, learn

NODES, GAMES = 5_000, 300
"""Of the match against the weights set by hand."""


def main(folder: Path, file: Path) -> None:
    game = Chess(weights=weights_by_hand())
    learned = learn(
        game,
        games=1_500,
        rounds=1,
        seed=1959,
        depth=2,
        opening=40,
        exploration=0.15,
        share=0.15,
        penalty=100.0,
        prior=True,
        quiet=True,
        decided=0.6,
        target="search",
        folder=folder,
        on_progress=tell,
    )
    learned.save(file, unit=UNIT)
    print(f"\n{learned.report}\n{file.stat().st_size:,} bytes; a pawn more is worth {learned.chance(0.1):.1%}")
    for name, before, after in zip(learned.feature_names, game.weights, learned.weights, strict=True):
        print(f"{name:<45}{1000 * before:8.1f}{1000 * after:8.1f}")
    measure(game, Learned.load(file, game), folder / "match.jsonl")


def measure(game: Chess, learned: Learned, file: Path) -> None:
    """Play the learned weights against those set by hand, by the engine with as many nodes for both."""
    limits, options = {"nodes": NODES}, {"table": 8}
    players = [SearchPlayer(each, "engine", limits, options) for each in (learned.apply(game), game)]
    standings = zermelo.match(game, *players, games=GAMES, file=file, agreed=0.7, openings=8)
    print(standings.score)


def tell(progress: Progress) -> None:
    line = f"round {progress.round}: {progress.doing}, {progress.games:,} games, {progress.positions:,} positions"
    print(f"\r{line}, {progress.seconds:.0f} s{'':20}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else FILE)
