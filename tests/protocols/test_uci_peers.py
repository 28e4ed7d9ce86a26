"""`zermelo uci` driven by python-chess (Niklas Fiekas), as bots and scripts drive it; and by the clock."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from zermelo.arena.tournament import match

chess = pytest.importorskip("chess")
chess_engine = pytest.importorskip("chess.engine")

COMMAND = [sys.executable, "-m", "zermelo", "uci"]


@pytest.fixture(scope="module")
def running() -> Iterator[Any]:
    with chess_engine.SimpleEngine.popen_uci(COMMAND, timeout=120) as made:
        yield made


@pytest.fixture
def engine(running: Any) -> Any:
    running.ping()  # it is alive, and has compiled
    running.configure({"Hash": 4})
    return running


def test_it_is_known(engine: Any) -> None:
    assert engine.id["name"].startswith("zermelo")
    assert {"Hash", "Threads", "MultiPV", "Ponder", "UCI_Chess960", "UCI_Elo", "OwnBook"} <= set(engine.options)


@pytest.mark.parametrize("start", [None, 0])
def test_a_whole_game(engine: Any, start: int | None) -> None:
    board = chess.Board() if start is None else chess.Board.from_chess960_pos(start)
    while not board.is_game_over(claim_draw=True) and board.ply() < 200:
        played = engine.play(board, chess_engine.Limit(nodes=150 if board.turn else 1500), game=start)
        board.push(played.move)
    assert board.ply() > 10
    assert board.is_game_over(claim_draw=True) or board.ply() == 200


def test_several_lines(engine: Any) -> None:
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1")
    found = engine.analyse(board, chess_engine.Limit(depth=4), multipv=3)
    assert [each["multipv"] for each in found] == [1, 2, 3]
    assert found[0]["pv"][0] == chess.Move.from_uci("f3f7")
    assert found[0]["score"].white() == chess_engine.Mate(1)
    assert len({each["pv"][0] for each in found}) == 3
    scores = [each["score"].white() for each in found]
    assert scores == sorted(scores, reverse=True)
    assert {"depth", "seldepth", "nodes", "nps", "hashfull", "time"} <= set(found[0])


def test_analysis_that_is_stopped(engine: Any) -> None:
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 3:
                break
        analysis.stop()
        assert analysis.wait().move in chess.Board().legal_moves


def test_pondering(engine: Any) -> None:
    board = chess.Board()
    limit = chess_engine.Limit(white_clock=5, black_clock=5)
    played = engine.play(board, limit, ponder=True)
    board.push(played.move)
    board.push(played.ponder or next(iter(board.legal_moves)))  # as it thought, so that its pondering hits
    played = engine.play(board, limit, ponder=True)
    board.push(played.move)
    wrong = next(move for move in board.legal_moves if move != played.ponder)
    board.push(wrong)  # and now it does not
    assert engine.play(board, limit).move in board.legal_moves


def test_some_of_the_moves(engine: Any) -> None:
    only = [chess.Move.from_uci("a2a4"), chess.Move.from_uci("h2h4")]
    assert engine.play(chess.Board(), chess_engine.Limit(depth=3), root_moves=only).move in only


def test_killed_in_a_search() -> None:
    made = chess_engine.SimpleEngine.popen_uci(COMMAND, timeout=120)
    analysis = made.analysis(chess.Board())
    for info in analysis:
        if info.get("depth", 0) >= 2:
            break
    made.transport.send_signal(signal.SIGKILL)
    with pytest.raises(chess_engine.EngineTerminatedError):
        analysis.wait()
    made.close()


def faults(count: int, workers: int) -> dict[str, int]:
    """How many of so many games of 1 second and 0.01 for each move were lost on time, or by other faults."""
    words = [f"uci:{' '.join(COMMAND)}?Hash={size}" for size in (4, 8)]
    standings = match("chess", *words, games=count, workers=workers, seconds=1.0, increment=0.01, openings=8)
    found: dict[str, int] = {}
    for tally in standings.tallies:
        for name, times in tally.faults.items():
            found[name] = found.get(name, 0) + times
    assert standings.games == count
    return found


@pytest.mark.timing
def test_quick_games_by_the_clock() -> None:
    assert faults(2, workers=0) == {}


@pytest.mark.slow
def test_a_thousand_quick_games_by_the_clock() -> None:
    assert faults(1000, workers=max((os.cpu_count() or 2) // 2, 1)) == {}
