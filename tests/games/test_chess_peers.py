"""Chess beside python-chess (Niklas Fiekas), move for move and name for name."""

from __future__ import annotations

import io

import pytest

from zermelo.games.chess import Chess, pgn
from zermelo.kernel.random import Random

chess = pytest.importorskip("chess")
chess_pgn = pytest.importorskip("chess.pgn")
chess_polyglot = pytest.importorskip("chess.polyglot")


def compare(positions: int, seed: int) -> None:
    """Random games, every other one of Chess960: the same moves, names, FENs, keys and ends in every position."""
    random = Random(seed)
    left, number = positions, 0
    while left > 0:
        number += 1
        start = random.below(960) if number % 2 else None
        game, rules = Chess(chess960=start), Chess(chess960=start, draws="never")
        board = chess.Board() if start is None else chess.Board.from_chess960_pos(start)
        s = rules.initial()
        for _ in range(200):
            legal = list(rules.actions(s))
            ours = {rules.long_name(s, a): rules.action_name(s, a) for a in legal}
            theirs = {board.uci(move): board.san(move) for move in board.legal_moves}
            where = board.fen()
            assert ours == theirs, where
            assert rules.fen(s) == where
            assert rules.fen(s, shredder=True) == board.fen(shredder=True) if start is not None else True
            assert rules.from_fen(where) == s
            assert rules.in_check(s) == board.is_check(), where
            assert game.is_dead(s) == board.is_insufficient_material(), where
            if not board.has_pseudo_legal_en_passant() or board.has_legal_en_passant():
                assert s.key == chess_polyglot.zobrist_hash(board), where
            left -= 1
            if not legal or left == 0:
                break
            a = legal[random.below(len(legal))]
            board.push_uci(rules.long_name(s, a))
            s = rules.result(s, a)


def test_random_positions() -> None:
    compare(300, seed=1)


@pytest.mark.slow
def test_many_random_positions() -> None:
    compare(20_000, seed=2)


def test_games_as_text() -> None:
    random = Random(3)
    for _ in range(5):
        rules, record = Chess(draws="never"), pgn.Record({"White": "A", "Black": "B"})
        s = rules.initial()
        for _ in range(60):
            legal = list(rules.actions(s))
            if not legal:
                break
            a = legal[random.below(len(legal))]
            record.moves.append(pgn.Move(a, "a comment" if a % 5 == 0 else "", (a % 7,) if a % 3 == 0 else ()))
            s = rules.result(s, a)
        theirs = chess_pgn.read_game(io.StringIO(pgn.write(record)))
        assert theirs.end().board().fen() == rules.fen(s)
        assert not theirs.errors
        again = pgn.read(str(theirs))[0]
        assert [(m.action, m.comment) for m in again.moves] == [(m.action, m.comment) for m in record.moves]


def test_draws_by_repetition() -> None:
    random = Random(4)
    seen = 0
    for _ in range(40):
        game, board = Chess(), chess.Board("7k/8/8/8/8/8/R7/K7 w - - 0 1")
        past = [game.from_fen(board.fen())]
        while True:
            rules = game.remembering(past)
            s = past[-1]
            over = board.is_repetition(3) or board.is_fifty_moves() or board.is_insufficient_material()
            assert rules.is_terminal(s) == (over or board.is_checkmate() or board.is_stalemate()), board.fen()
            if rules.is_terminal(s):
                seen += board.is_repetition(3)
                break
            legal = list(rules.actions(s))
            a = legal[random.below(len(legal))]
            if len(board.move_stack) > 1 and random.below(10) < 7:  # back to where the piece came from
                last = board.move_stack[-2]
                back = last.to_square + 64 * last.from_square
                a = back if back in legal else a
            board.push_uci(game.long_name(s, a))
            past.append(game.result(s, a))
    assert seen > 5
