"""Screen a change of the chess search in a minute: what its moves cost, and how far off its values are.

    python bench/chess_choices.py FILE --make 900
    python bench/chess_choices.py FILE LABEL [--this "singular=1"] [--nodes 10000]

The first form plays games between weak settings of Stockfish with some random moves, and keeps positions with the
values of their four best moves (50,000 nodes for all of them). The second chooses a move in each position, asks
Stockfish about moves that it has not judged yet (15,000 nodes), and keeps cost and error under the label. It then
compares them, position by position, with the first label that was measured at so many nodes. To measure another
checkout, put its `src` on PYTHONPATH.

Costs are in per cent of a win, errors in squares of that; less is better. In a match (`tune.py`) of the same length
chance matters more, but it measures what counts: use it to confirm what this finds.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
from pathlib import Path
from typing import Any

import chess
import chess.engine
from chess_moves import STEEPNESS, chance

from zermelo.games.chess import Chess
from zermelo.search.engine import Engine

OPENINGS = Path(__file__).parent / "chess_openings.txt"
WEAK_NODES, BEST_NODES, OTHER_NODES = 800, 50_000, 15_000
BEST_MOVES, MATE, DECIDED, LAST_PLY = 4, 3000, 450, 110
RANDOM_SHARE = 0.15
PAWN = 0.137 / STEEPNESS
"""The value of a hundredth of a pawn in the engine's evaluation, for the same chance of winning."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("file", type=Path)
    options.add_argument("label", nargs="?")
    options.add_argument("--make", type=int, default=0)
    options.add_argument("--nodes", type=int, default=10_000)
    options.add_argument("--this", default="")
    options.add_argument("--stockfish", default=shutil.which("stockfish") or "/usr/games/stockfish")
    given = options.parse_args()
    if not given.make and given.label is None:
        options.error("give --make POSITIONS, or the LABEL of what is measured")
    with chess.engine.SimpleEngine.popen_uci(given.stockfish) as judge:
        judge.configure({"Hash": 16})
        if given.make:
            make(judge, given.file, given.make)
        else:
            measure(judge, given)


def make(judge: chess.engine.SimpleEngine, file: Path, wanted: int) -> None:
    """Add so many judged positions to the file."""
    chances = random.Random(7)
    text = OPENINGS.read_text().splitlines()
    lines = [line.split() for line in text if line.strip() and not line.startswith("#")]
    while wanted > 0:
        board = chess.Board()
        for name in chances.choice(lines):
            board.push_san(name)
        following = board.ply() + chances.randrange(2, 14)
        while wanted > 0 and board.ply() < LAST_PLY and not board.is_game_over(claim_draw=True):
            found = judge.analyse(board, chess.engine.Limit(nodes=WEAK_NODES))
            if abs(value_of(found, board)) > DECIDED:
                break
            if board.ply() >= following and board.legal_moves.count() >= BEST_MOVES:
                following = board.ply() + chances.randrange(9, 17)
                limit = chess.engine.Limit(nodes=BEST_NODES)
                best = judge.analyse(board, limit, multipv=BEST_MOVES, game=object())
                values = {entry["pv"][0].uci(): value_of(entry, board) for entry in best if "pv" in entry}
                with file.open("a") as kept:
                    kept.write(json.dumps([board.fen(), values]) + "\n")
                wanted -= 1
            by_chance = chances.random() < RANDOM_SHARE
            board.push(chances.choice(list(board.legal_moves)) if by_chance else found["pv"][0])


def measure(judge: chess.engine.SimpleEngine, given: argparse.Namespace) -> None:
    """Choose a move in each position; print the mean cost and error, and the differences from the first label."""
    game = Chess()
    settings = {name: int(value) for name, value in (word.split("=") for word in given.this.split())}
    engine = Engine(game, table=16, endgames=False, **settings)
    others_file, results_file = given.file.with_suffix(".others.json"), given.file.with_suffix(".results.json")
    others: dict[str, int] = json.loads(others_file.read_text()) if others_file.exists() else {}
    costs, errors = [], []
    for line in given.file.read_text().splitlines():
        fen, values = json.loads(line)
        board = chess.Board(fen)
        state = game.from_fen(fen)
        engine.clear()
        found = engine.think(state, nodes=given.nodes)
        move = game.long_name(state, found.action)
        if move not in values and f"{fen} {move}" not in others:
            limit, only = chess.engine.Limit(nodes=OTHER_NODES), [chess.Move.from_uci(move)]
            others[f"{fen} {move}"] = value_of(judge.analyse(board, limit, root_moves=only, game=object()), board)
        best = chance(max(values.values()))
        costs.append(100 * max(best - chance(values[move] if move in values else others[f"{fen} {move}"]), 0.0))
        errors.append((100 * (chance(found.value / PAWN) - best)) ** 2)
    results: dict[str, Any] = json.loads(results_file.read_text()) if results_file.exists() else {}
    here = results.setdefault(str(given.nodes), {})
    here[given.label] = [costs, errors]
    others_file.write_text(json.dumps(others))
    results_file.write_text(json.dumps(results))
    print(f"{given.label}: cost {statistics.mean(costs):.3f}, squared error {statistics.mean(errors):.3f}")
    first = next(iter(here))
    if first != given.label:
        for name, mine, theirs in zip(("cost", "squared error"), (costs, errors), here[first], strict=True):
            apart = [x - y for x, y in zip(mine, theirs, strict=True)]
            error = statistics.stdev(apart) / len(apart) ** 0.5
            print(f"  {name} {statistics.mean(apart):+.3f} ± {error:.3f} beside {first}, one standard error")


def value_of(found: Any, board: chess.Board) -> int:
    """The value of a position in hundredths of a pawn, for the player to move."""
    return int(found["score"].pov(board.turn).score(mate_score=MATE))


if __name__ == "__main__":
    main()
