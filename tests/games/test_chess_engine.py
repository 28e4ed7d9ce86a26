"""The engine on chess: mates, known endgames, repetitions, and tactics at a fixed number of nodes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from zermelo import games
from zermelo.games.chess import Chess, ChessState
from zermelo.games.chess.endgames import pawn_wins
from zermelo.search.engine import Engine

TRUTH = Path(__file__).parents[3] / "shared" / "truth" / "chess"


@pytest.fixture(scope="module")
def game() -> Chess:
    return games.load("chess")  # type: ignore[return-value]


@pytest.fixture(scope="module")
def engine(game: Chess) -> Engine:
    return Engine(game, table=16)


def played(game: Chess, engine: Engine, fen: str, nodes: int, most: int) -> tuple[list[ChessState], Chess]:
    """The positions of a game that the engine plays against itself, and the game that remembers them."""
    engine.clear()
    states = [game.from_fen(fen)]
    while not (rules := game.remembering(states)).is_terminal(states[-1]) and len(states) <= most:
        found = engine.think(states[-1], nodes=nodes, history=states[:-1])
        states.append(game.result(states[-1], found.action))
    return states, rules  # type: ignore[return-value]


# Mates: distances in plies.


@pytest.mark.parametrize(
    ("fen", "move", "plies"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8#", 1),
        ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", "Qg6", 3),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "Ra6+", 5),
        ("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", "Qd1+", 5),
    ],
)
def test_a_mate_is_found_and_counted(game: Chess, engine: Engine, fen: str, move: str, plies: int) -> None:
    s = game.from_fen(fen)
    found = engine.think(s, nodes=2_000_000)  # the search ends when it has found the shortest mate
    in_moves = "1 move" if plies == 1 else f"{plies // 2 + 1} moves"
    assert (game.action_name(s, found.action), found.verdict) == (
        move,
        f"{game.player_name(s.mover)} wins in {in_moves}",
    )
    assert found.nodes < 2_000_000  # there is nothing left to find out


# Known endgames.


def test_the_pawn_wins_as_often_as_is_published() -> None:
    """Files a to d: 62,480 wins with the pawn's player to move, 48,802 with the other."""
    bits = np.unpackbits(pawn_wins().view(np.uint8)).reshape(2, -1)
    assert bits.sum(axis=1).tolist() == [62_480, 48_802]


@pytest.mark.parametrize(
    ("fen", "wins"),
    [
        ("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", False),  # the opposition is Black's
        ("8/8/8/4k3/8/4K3/4P3/8 b - - 0 1", True),
        ("8/4p3/4k3/8/4K3/8/8/8 b - - 0 1", False),  # the same with the colours exchanged
        ("8/4p3/4k3/8/4K3/8/8/8 w - - 0 1", True),
        ("k7/8/K7/P7/8/8/8/8 w - - 0 1", False),  # a rook's pawn
        ("8/8/8/8/8/k6p/8/6K1 b - - 0 1", False),
        ("1k6/8/1K6/1P6/8/8/8/8 w - - 0 1", True),
    ],
)
def test_king_and_pawn_against_king(game: Chess, engine: Engine, fen: str, wins: bool) -> None:
    s = game.from_fen(fen)
    assert game.is_pawn_win(s) == wins
    assert game.bounds(s) == ((-1.0, 1.0) if wins else (0.0, 0.0))
    found = engine.think(s, nodes=20_000)
    assert (found.value != 0) == wins


@pytest.mark.parametrize(
    ("fen", "winner"),
    [
        ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", 0),
        ("8/8/8/3k4/8/8/8/KR6 w - - 0 1", 0),
        ("kr6/8/8/8/3K4/8/8/8 b - - 0 1", 1),
        ("8/8/8/3k4/8/8/8/KBB5 w - - 0 1", 0),
        ("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", 0),
        ("7k/8/8/8/8/8/8/KNB5 w - - 0 1", 0),
        ("8/8/8/4k3/8/4K3/4P3/8 b - - 0 1", 0),
    ],
)
def test_won_endgames_are_won(game: Chess, engine: Engine, fen: str, winner: int) -> None:
    """Against its own best defence, without a third repetition, and within the fifty moves."""
    states, rules = played(game, engine, fen, nodes=10_000, most=140)
    assert rules.is_terminal(states[-1]), f"not over: {game.fen(states[-1])}"
    assert game.utility(states[-1], winner) == 1, f"drawn: {game.fen(states[-1])}"


# Repetition, and fifty moves.


def test_a_perpetual_check_is_taken_by_the_player_who_would_lose(game: Chess, engine: Engine) -> None:
    s = game.from_fen("6k1/6p1/8/7Q/8/8/r1q5/7K w - - 0 1")
    found = engine.think(s, nodes=50_000)
    assert game.action_name(s, found.action) == "Qe8+"
    assert found.value == 0
    states, rules = played(game, engine, game.fen(s), nodes=5_000, most=30)
    assert rules.is_terminal(states[-1])
    assert rules.times_seen(states[-1]) == 3


def test_a_position_that_comes_back_counts_as_drawn(game: Chess, engine: Engine) -> None:
    s = game.initial()
    states = [s]
    for name in ("Nf3", "Nf6", "Ng1", "Ng8"):
        states.append(game.play(name, state=states[-1]))
    again = game.remembering(states)
    assert again.recurs(states[-1])
    assert not again.is_terminal(states[-1])
    assert not game.remembering(states[:-1]).recurs(states[-2])


def test_a_won_game_is_not_repeated_away(game: Chess, engine: Engine) -> None:
    states = [game.from_fen("8/8/8/8/4k3/8/1Q6/K7 w - - 0 1")]
    for name in ("Qb1+", "Kd5", "Qb2", "Ke4", "Qb1+", "Kd5"):
        states.append(game.play(name, state=states[-1]))
    found = engine.think(states[-1], nodes=2_000, history=states[:-1])
    after = game.result(states[-1], found.action)
    assert not game.remembering([*states, after]).recurs(after)


def test_progress_is_made_before_fifty_moves_are_over(game: Chess, engine: Engine) -> None:
    s = game.from_fen("8/8/8/3k4/8/6P1/8/KR6 w - - 99 90")
    found = engine.think(s, nodes=20_000)
    assert game.action_name(s, found.action) == "g4"
    drawn = game.from_fen("8/8/8/3k4/8/8/8/KR6 w - - 99 90")
    assert engine.think(drawn, nodes=20_000).value == 0


def test_tables_tell_how_old_a_position_is(game: Chess) -> None:
    keys = [game.canonical_key(game.from_fen(f"8/8/8/3k4/8/8/8/KR6 w - - {clock} 90")) for clock in range(100)]
    assert len(set(keys[:40])) == 1
    assert len(set(keys[40:])) == 8
    assert keys[0] not in keys[40:]


# What the search asks.


def test_what_a_capture_gains(game: Chess) -> None:
    s = game.from_fen("4k3/1P1p4/2p5/3n4/8/3Q4/8/4K3 w - - 0 1")
    gains = {name: round(game.gain(s, game.action_named(s, name)), 6) for name in ("Qxd5", "b8=Q+", "b8=N")}
    assert gains == {"Qxd5": -0.6, "b8=Q+": 0.8, "b8=N": -1.0}
    order = sorted(("Qxd5", "b8=Q+", "b8=N", "Kd2"), key=lambda name: -game.promise(s, game.action_named(s, name)))
    assert order == ["b8=Q+", "Kd2", "Qxd5", "b8=N"]


def test_when_a_player_may_pass(game: Chess) -> None:
    assert game.may_pass(game.initial())
    assert not game.may_pass(game.from_fen("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"))


# Tactics: "Win at Chess" (Reinfeld 1945), by number.

TACTICS = {
    3: ("5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - -", "Rg3"),
    4: ("r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - -", "Qxh7+"),
    5: ("5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - -", "Qc4+"),
    6: ("7k/p7/1R5K/6r1/6p1/6P1/8/8 w - -", "Rb7"),
    7: ("rnbqkb1r/pppp1ppp/8/4P3/6n1/7P/PPPNPPP1/R1BQKBNR b KQkq -", "Ne3"),
    8: ("r4q1k/p2bR1rp/2p2Q1N/5p2/5p2/2P5/PP3PPP/R5K1 w - -", "Rf7"),
    10: ("2br2k1/2q3rn/p2NppQ1/2p1P3/Pp5R/4P3/1P3PPP/3R2K1 w - -", "Rxh7"),
}


@pytest.mark.parametrize("number", TACTICS)
def test_win_at_chess(game: Chess, engine: Engine, number: int) -> None:
    fen, move = TACTICS[number]
    s = game.from_fen(fen)
    engine.clear()
    assert game.action_name(s, engine.think(s, nodes=100_000).action) == move


@pytest.mark.slow
@pytest.mark.skipif(not TRUTH.exists(), reason="the positions are not here")
def test_most_of_win_at_chess(game: Chess, engine: Engine) -> None:
    lines = [line for line in (TRUTH / "wacnew.epd").read_text().splitlines() if line.strip()]
    solved = 0
    for line in lines:
        s, wanted = game.from_epd(line)
        engine.clear()
        solved += engine.think(s, nodes=100_000).action in wanted["bm"]
    assert len(lines) == 300
    assert solved >= 240
