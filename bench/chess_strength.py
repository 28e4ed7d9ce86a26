"""How strong it plays chess: python bench/chess_strength.py FOLDER [--elo 2000] [--games 200] [--workers 2]

A match against Stockfish, which limits itself to a rating (UCI_Elo), as long for a move on both sides, from openings
in chess_openings.txt, each with colours swapped. Without --elo it looks for the level at which it scores 50 %: it plays
in rounds, each at the level that fits the games so far best. Then it prints that level with its error. Every move of
every game is played again by python-chess, another program with the rules of chess. The games are kept in FOLDER, one
file per level, so that a stopped match can be resumed.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from pathlib import Path

import chess

import zermelo
from zermelo.play.files import read_games
from zermelo.play.record import Record

CHESS = zermelo.games.load("chess")
OPENINGS = Path(__file__).with_name("chess_openings.txt")
LEAST, MOST, STEP = 1350, 2850, 50
"""Stockfish's levels, and the steps between those that are tried."""
FIRST = 2400
"""The level of the first round."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, help="where the games are kept")
    parser.add_argument("--elo", type=int, help="Stockfish's rating, from 1350 to 2850; by default found by playing")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--round", type=int, default=60, help="games between two choices of the level")
    parser.add_argument("--seconds", type=float, default=0.1, help="for a move, both sides")
    parser.add_argument("--minutes", type=float, default=math.inf, help="no round starts after this time")
    parser.add_argument("--resign", type=float, default=0.1, help="the share of a win below which both sides give up")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--stockfish", default="stockfish", help="the program")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    scores = scores_in(given.folder)
    while total(scores) < given.games and time.monotonic() - began < 60 * given.minutes:
        level = given.elo or fitting_level(scores)
        play(given, level, min(given.round, given.games - total(scores)))
        scores = scores_in(given.folder)
        print(report(scores), flush=True)
    moves = sum(verified(record) for path in given.folder.glob("*.jsonl") for record in read_games(path))
    print(f"{moves:,} moves, all legal and the results right, says python-chess {chess.__version__}")


def play(given: argparse.Namespace, level: int, games: int) -> None:
    """Play a round at a level, with openings of its own; or the rest of one that was stopped."""
    rounds = len(list(given.folder.glob("*.jsonl")))
    stopped = [path for path in given.folder.glob(f"{level}_*.jsonl") if score_in(path)[0] < games]
    file = stopped[0] if stopped else given.folder / f"{level}_{rounds + 1}.jsonl"
    number = int(file.stem.partition("_")[2])
    lines = [line for line in OPENINGS.read_text().splitlines() if line.strip() and not line.startswith("#")]
    first = (number - 1) * given.round // 2 % len(lines)  # where the round before ended
    openings = file.with_suffix(".txt")
    openings.write_text("\n".join(lines[first:] + lines[:first]) + "\n")
    zermelo.match(
        "chess",
        f"engine:seconds={given.seconds},resign={given.resign}",
        f"uci:{given.stockfish}?UCI_Elo={level}&seconds={given.seconds}&resign={given.resign}",
        games=games,
        openings=os.path.relpath(openings),
        workers=given.workers,
        file=file,
        seed=number,
        on_game=lambda _, standings: print(
            f"\r{standings.games} {standings.score}", end="", file=sys.stderr, flush=True
        ),
    )


def scores_in(folder: Path) -> dict[int, tuple[int, float]]:
    """The games and the points at each level."""
    scores: dict[int, tuple[int, float]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        level = int(path.stem.partition("_")[0])
        games, points = scores.get(level, (0, 0.0))
        more, gained = score_in(path)
        scores[level] = games + more, points + gained
    return scores


def score_in(path: Path) -> tuple[int, float]:
    """The games in a file, and the points of the engine, which is the first player named."""
    games, points = 0, 0.0
    for record in read_games(path):
        if record.ended is not None:
            seat = 0 if str(record.players[0]).startswith("engine") else 1
            games, points = games + 1, points + record.points(CHESS, seat)
    return games, points


def total(scores: dict[int, tuple[int, float]]) -> int:
    return sum(games for games, _ in scores.values())


def rating(scores: dict[int, tuple[int, float]]) -> tuple[float, float]:
    """The rating that fits the results best by Elo's formula, and two standard errors."""
    best = float(FIRST)
    information = 0.0
    for _ in range(100):  # Newton's method
        excess = information = 1e-9
        for level, (games, points) in scores.items():
            expected = 1 / (1 + 10 ** ((level - best) / 400))
            excess += points - games * expected
            information += games * expected * (1 - expected) * math.log(10) / 400
        best = max(LEAST - 300.0, min(best + excess / information, MOST + 300.0))
    return best, 2 / math.sqrt(information * math.log(10) / 400)


def fitting_level(scores: dict[int, tuple[int, float]]) -> int:
    """The level nearest to the rating so far."""
    found = rating(scores)[0] if scores else FIRST
    return max(LEAST, min(round(found / STEP) * STEP, MOST))


def report(scores: dict[int, tuple[int, float]]) -> str:
    """The score at each level, and the level of 50 %."""
    found, error = rating(scores)
    rows = [f"UCI_Elo {level}: {points:g} of {games}" for level, (games, points) in sorted(scores.items())]
    return f"\n{'; '.join(rows)}\n50 % at UCI_Elo {found:.0f} ± {error:.0f} ({total(scores)} games)"


def verified(record: Record) -> int:
    """Play a game again, and compare how it ended; returns how many moves it had."""
    board = chess.Board()
    for name in record.moves:
        board.push_san(str(name))
    outcome = board.outcome(claim_draw=True)
    if record.ended == "rules":
        assert outcome is not None, f"game {record.number} is not over"
        won = {None: 0.0, chess.WHITE: 1.0, chess.BLACK: -1.0}[outcome.winner]
        assert record.utilities == (won, -won), f"game {record.number}: {record.utilities}, and not {won}"
    return len(record.moves)


if __name__ == "__main__":
    main()
