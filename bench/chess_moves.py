"""How good its moves are, by how many positions it looks at, beside Stockfish: python bench/chess_moves.py GAMES

    python bench/chess_moves.py GAMES [--positions 300] [--nodes 4000 64000] [--stockfish PROGRAM]

Positions are taken from a file of games, such as chess_strength.py leaves. What every legal move there is worth is
asked of Stockfish, which looks at 40,000 positions after each; that takes a second or two a position, and is kept in a
file beside the games. Then each player chooses moves, and what they cost is counted. Stockfish plays with its network
and with the evaluation written by hand that it had before (Stockfish 15.1 is one of the last to have both): the same
search with two evaluations. Results go to bench/results/chess_moves.md.
"""

from __future__ import annotations

import argparse
import functools
import json
import math
import random
import shutil
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import chess.engine
from about import RESULTS, about, markdown_table

from zermelo.games.chess import Chess
from zermelo.play.files import read_games
from zermelo.search.engine import Engine

JUDGE_NODES = 40_000
NODES = (1_000, 4_000, 16_000, 64_000, 256_000)
MOST = 1_500
"""In hundredths of a pawn: a position is worth no more than that, and a mate just that."""
A_GAME = 4
"""How many positions are taken of a game."""
DECIDED = 500
"""Positions that are worth more than that to somebody are left out."""
STEEPNESS = 180.0
"""So many hundredths of a pawn make odds of one to one odds of e to one."""

Values = dict[str, int]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("games", type=Path)
    options.add_argument("--positions", type=int, default=300)
    options.add_argument("--nodes", type=int, nargs="+", default=NODES)
    options.add_argument("--stockfish", default=shutil.which("stockfish") or "/usr/games/stockfish")
    given = options.parse_args()
    judged = dict(values_of(given.games, given.positions, given.stockfish))
    rows: list[tuple[str, ...]] = []
    for name, choose in players(given.stockfish):
        for nodes in given.nodes:
            worst = [cost(values, choose(fen, nodes)) for fen, values in judged.items()]
            pawns = statistics.mean(pawn for pawn, _ in worst)
            chances = [chance for _, chance in worst]
            error = statistics.stdev(chances) / math.sqrt(len(chances))
            row = (name, f"{nodes:,}", f"{pawns:.1f}", f"{100 * statistics.mean(chances):.2f} ± {100 * error:.2f}")
            rows.append(row)
            print(*row, sep="  ", flush=True)
    where = about("python bench/chess_moves.py")
    headings = ("player", "nodes a move", "hundredths of a pawn lost", "per cent of a win lost, ± standard error")
    text = f"# What moves cost at chess\n\n{where['date']}, {len(judged)} positions; see `bench/chess_moves.py`.\n\n"
    (RESULTS / "chess_moves.md").write_text(text + markdown_table(headings, rows) + "\n")


def players(stockfish: str) -> Iterator[tuple[str, Callable[[str, int], str]]]:
    """Names, and what chooses a move in a position with so many nodes."""
    for evaluation, name in (("features", "zermelo, features"), ("network", "zermelo, features and network")):
        game = Chess(evaluation=evaluation)
        yield name, functools.partial(choose, game, Engine(game, table=64))
    for name, network in (("Stockfish, evaluation by hand", False), ("Stockfish, network", True)):
        with chess.engine.SimpleEngine.popen_uci(stockfish) as program:
            program.configure({"Hash": 64, "Use NNUE": network})
            yield name, functools.partial(play, program)


def choose(game: Chess, engine: Engine, fen: str, nodes: int) -> str:
    engine.clear()
    state = game.from_fen(fen)
    return game.long_name(state, engine.think(state, nodes=nodes).action)


def play(program: chess.engine.SimpleEngine, fen: str, nodes: int) -> str:
    move = program.play(chess.Board(fen), chess.engine.Limit(nodes=nodes), game=object()).move
    assert move is not None
    return move.uci()


def values_of(games: Path, count: int, stockfish: str) -> Iterator[tuple[str, Values]]:
    """Positions, and what each of their moves is worth to who makes it; what was asked before is read again."""
    kept = games.with_suffix(".judged.jsonl")
    known = dict(map(json.loads, kept.read_text().splitlines())) if kept.exists() else {}
    with chess.engine.SimpleEngine.popen_uci(stockfish) as judge:
        judge.configure({"Hash": 64})
        for fen in positions(games):
            if count == 0:
                return
            if fen not in known:
                known[fen] = judged(judge, chess.Board(fen))
                with kept.open("a") as file:
                    file.write(json.dumps([fen, known[fen]]) + "\n")
            if abs(max(known[fen].values())) <= DECIDED:
                count -= 1
                yield fen, known[fen]


def positions(games: Path) -> Iterator[str]:
    """Positions with a choice, a few of each game, in random order."""
    chance = random.Random(11)
    found = []
    for record in read_games(games):
        board = chess.Board()
        those = []
        for number, name in enumerate(record.moves):
            if number >= 8 and len(board.piece_map()) >= 10 and board.legal_moves.count() > 3:
                those.append(board.fen())
            board.push_san(str(name))
        found += chance.sample(those, min(A_GAME, len(those)))
    chance.shuffle(found)
    yield from found


def judged(judge: chess.engine.SimpleEngine, board: chess.Board) -> Values:
    """What each move is worth, in hundredths of a pawn."""
    values = {}
    for move in list(board.legal_moves):
        board.push(move)
        outcome = board.outcome(claim_draw=True)
        if outcome is not None:
            value = 0 if outcome.winner is None else MOST
        else:
            score = judge.analyse(board, chess.engine.Limit(nodes=JUDGE_NODES))["score"].relative
            value = -score.score(mate_score=MOST)
        values[move.uci()] = min(max(value, -MOST), MOST)
        board.pop()
    return values


def cost(values: Values, move: str) -> tuple[float, float]:
    """What a move gives away beside the best one: in hundredths of a pawn, and as a chance of winning."""
    best = max(values.values())
    return best - values[move], chance(best) - chance(values[move])


def chance(value: float) -> float:
    return 1 / (1 + math.exp(-value / STEEPNESS))


if __name__ == "__main__":
    main()
