"""Weights of the moves of Go before any was tried, and whether the search finds what matters."""

from __future__ import annotations

import pytest

from zermelo import Random, analyse
from zermelo.games.go import Go
from zermelo.games.go.names import point_named
from zermelo.kernel.played import Played


def weight(game: Go, rows: str, move: str) -> float:
    s = game.from_text(rows)
    return game.prior(s, point_named(game, move))


@pytest.mark.parametrize(
    ("rows", "better", "worse"),
    [
        ("OX.../...../...../...../.....", "A4", "E3"),  # capture
        ("...../..O../.OXO./...../.....", "C2", "B2"),  # escape
        ("...../...../...../O..../.O...", "C3", "A1"),  # self-atari
        ("...../.XX../X.X../.XX../.....", "E3", "B3"),  # an own eye
        ("......./......./......./......./......./......./.......", "D4", "A1"),  # the edge
        ("......./......./....O../......./......./......./....... X - 0 1 0 0 E5", "E4", "B2"),  # near the last move
    ],
)
def test_order_of_weights(rows: str, better: str, worse: str) -> None:
    game = Go(len(rows.split()[0].split("/")))
    assert weight(game, rows, better) > weight(game, rows, worse)


def test_eyes_are_never_tried_and_a_pass_is_if_it_wins() -> None:
    game = Go(5, komi=0.5)
    assert weight(game, "...../.XX../X.X../.XX../.....", "B3") == 0
    board = "XXXXX/.X.XX/XXXXX/OOOOO/....."
    others = max(weight(game, f"{board} X - 1 0 0 0", move) for move in ("A1", "C1"))
    assert weight(game, f"{board} X - 1 0 0 0", "pass") > others  # Black leads, and White has passed
    assert weight(game, f"{board} X", "pass") < others
    assert weight(game, f"{board} O - 1 0 0 0", "pass") < others


def test_playouts_do_not_disturb_weights() -> None:
    game = Go(5)
    s = game.play("C3", "C4", "B4", "D3")
    weights = [game.prior(s, a) for a in game.legal(s)]
    game.playout(s, Random(1), Played())
    assert [game.prior(s, a) for a in game.legal(s)] == weights
    other = game.play("C3", "C4", "B4", "D3", "D4")
    assert [game.prior(other, a) for a in game.legal(other)] != weights


@pytest.mark.slow
def test_the_search_passes_if_nothing_is_left_to_gain() -> None:
    game = Go(5, komi=-5.5, rules="chinese")
    s = game.from_text("OOOOO/O.O.O/OOOOO/XXXXX/..... X - 1 9 0 0 -")
    assert analyse(game, s, algorithm="mcts", nodes=3000).moves[0].name == "pass"
