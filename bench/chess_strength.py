"""How strong it plays chess: python bench/chess_strength.py GAMES [--elo 2000] [--games 200] [--workers 2]

A match against Stockfish, which limits itself to a rating (UCI_Elo), as long for a move on both sides, from openings
in chess_openings.txt, each with colours swapped. Every move of every game is then played again by python-chess, another
program with the rules of chess. The games are kept in the file GAMES: a match that was ended goes on where it was.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import chess

import zermelo
from zermelo.play.files import read_games
from zermelo.play.record import Record

OPENINGS = Path(__file__).with_name("chess_openings.txt")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path, help="where the games are kept")
    parser.add_argument("--elo", type=int, default=2000, help="Stockfish's rating, from 1350 to 2850")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.1, help="for a move, both sides")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    standings = zermelo.match(
        "chess",
        f"engine:seconds={given.seconds}",
        f"uci:stockfish?UCI_Elo={given.elo}&seconds={given.seconds}",
        games=given.games,
        openings=os.path.relpath(OPENINGS),
        workers=given.workers,
        file=given.file,
        on_game=lambda _, standings: print(
            f"\r{standings.games} {standings.score}", end="", file=sys.stderr, flush=True
        ),
    )
    print(f"\n{standings}")
    moves = sum(verified(record) for record in read_games(given.file))
    print(f"{moves:,} moves, all legal and the results right, says python-chess {chess.__version__}")


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
