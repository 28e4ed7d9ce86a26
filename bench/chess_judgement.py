"""How well values of chess positions agree with deep searches:
python bench/chess_judgement.py JUDGED [EVALUATION ...] [--make FOLDER] [--count 4000] [--nodes 20000]

JUDGED is a file of positions and what Stockfish's network says of them after so many nodes. --make makes it first, or
goes on with it: from positions of `zermelo learn chess --generate`, or games of bench/chess_strength.py. Only quiet
positions count, because a search evaluates no others.

Each EVALUATION is "default", "sum", a file of weights, one of a network, or both with + between them. Printed are the
mean squared error of the expected score, from -1 to 1, after the best scaling of the values, and their correlation, for
all positions and by the number of pieces. Nothing is searched.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import numpy as np

from zermelo.games.chess import Chess
from zermelo.learn.positions import FIRST, QUIET, WON, load, states, with_evaluation
from zermelo.learn.positions.files import files_in
from zermelo.play.files import read_games

HALF = 220
"""The centipawns of Stockfish that count as an expected score of tanh(1)."""
LARGEST = 400
"""Positions that are further from even than this, in centipawns, do not count."""
GAMES_APART = 50
"""From self-play, positions of one game in so many."""
PIECES = ((2, 32), (2, 8), (9, 14), (15, 20), (21, 26), (27, 32))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("judged", type=Path)
    parser.add_argument("evaluations", nargs="*", default=["sum", "default"])
    parser.add_argument("--make", type=Path, help="a folder with positions or games")
    parser.add_argument("--count", type=int, default=4_000, help="positions to judge")
    parser.add_argument("--nodes", type=int, default=20_000, help="of each of Stockfish's searches")
    parser.add_argument("--stockfish", default="stockfish", help="the program")
    given = parser.parse_args()
    if given.make is not None:
        judge(given)
    lines = [json.loads(line) for line in given.judged.read_text().splitlines()]
    boards = [chess.Board(line["fen"]) for line in lines]
    pieces = np.array([len(board.piece_map()) for board in boards])
    expected = np.tanh(np.array([line["centipawns"] for line in lines]) / HALF)
    for name in given.evaluations:
        values = np.array([value_of(evaluated_by(name), line["fen"]) for line in lines])
        print(f"{name}: {len(lines):,} positions")
        for low, high in PIECES:
            here = (pieces >= low) & (pieces <= high)
            if here.sum() > 2:
                error, scale = fitted(values[here], expected[here])
                together = np.corrcoef(np.tanh(scale * values[here]), expected[here])[0, 1]
                print(f"  {low:2} to {high:2} pieces: {here.sum():5,}  error {error:.4f}  correlation {together:.3f}")


def evaluated_by(name: str) -> Chess:
    """Chess with this evaluation."""
    if name == "default":
        return Chess()
    game = Chess(evaluation="features")
    for file in () if name == "sum" else name.split("+"):
        game = with_evaluation(game, file)
    return game


def value_of(game: Chess, fen: str) -> float:
    """The value to the player to move, without a search."""
    s = game.from_fen(fen)
    return game.evaluate(s, s.mover)


def fitted(values: np.ndarray, expected: np.ndarray) -> tuple[float, float]:
    """The least mean squared error of tanh(scale * value), and that scale."""
    scales = np.linspace(0.1, 16, 160)
    errors = [float(((np.tanh(scale * values) - expected) ** 2).mean()) for scale in scales]
    best = int(np.argmin(errors))
    return errors[best], float(scales[best])


def judge(given: argparse.Namespace) -> None:
    """Add positions to the file until there are enough."""
    known = len(given.judged.read_text().splitlines()) if given.judged.exists() else 0
    source = self_play(given) if any(files_in(given.make)) else played(given)
    engine = chess.engine.SimpleEngine.popen_uci(given.stockfish)
    engine.configure({"Hash": 16})
    with given.judged.open("a") as file:
        for number, board in enumerate(source):
            if known >= given.count:
                break
            found = engine.analyse(board, chess.engine.Limit(nodes=given.nodes), game=number)
            centipawns, line = found["score"].relative.score(mate_score=3_000), found.get("pv")
            noisy = not line or board.is_check() or board.is_capture(line[0]) or line[0].promotion
            if noisy or abs(centipawns) > LARGEST:
                continue
            known += 1
            file.write(json.dumps({"fen": board.fen(), "centipawns": centipawns}) + "\n")
    engine.quit()


def self_play(given: argparse.Namespace) -> Iterator[chess.Board]:
    """Quiet positions of some games of self-play, in random order."""
    game = Chess(evaluation="features")
    records = load(given.make, game)
    flags, number = records["flags"], np.cumsum(records["flags"] & FIRST != 0)
    chosen = np.flatnonzero(((flags & (QUIET | WON)) == QUIET) & (number % GAMES_APART == 1))
    for s in states(records[np.random.default_rng(5).permutation(chosen)], game):
        yield chess.Board(game.fen(s))


def played(given: argparse.Namespace) -> Iterator[chess.Board]:
    """All positions of games after their openings."""
    for path in sorted(given.make.glob("*.jsonl")):
        for record in read_games(path):
            board = chess.Board()
            for number, name in enumerate(record.moves):
                if number >= record.opening:
                    yield board.copy(stack=False)
                board.push_san(str(name))


if __name__ == "__main__":
    main()
