"""The board editor without a browser: pieces, turn and castling rights become the text of a position."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo.app.web.editing import edited, editor_of
from zermelo.games import load, names
from zermelo.games.resolve import reads_positions

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def after(what: str, *changes: dict[str, Any]) -> dict[str, Any]:
    game = load(what)
    said = edited(game, "", fresh="start")
    for change in changes:
        said = edited(game, said["text"], **change)
    return said


def test_a_position_of_chess_is_put_together() -> None:
    assert after("chess")["text"] == START
    said = after("chess", {"fresh": "empty"})
    assert said["text"] == "8/8/8/8/8/8/8/8 w - - 0 1"
    assert "king" in said["error"]
    kings = ({"square": "e1", "sign": "K"}, {"square": "e8", "sign": "k"}, {"square": "h1", "sign": "R"})
    said = after("chess", {"fresh": "empty"}, *kings, {"turn": 1})
    assert said["text"] == "4k3/8/8/8/8/8/8/4K2R b - - 0 1"
    assert "error" not in said
    assert "white rook" in said["svg"]
    said = after("chess", {"fresh": "empty"}, *kings, {"castling": "K"})
    assert said["text"].split()[2] == "K"
    assert "error" not in said
    assert "error" in after("chess", {"fresh": "empty"}, *kings, {"castling": "Q"})  # there is no rook on a1
    assert after("chess", {"square": "e2", "sign": "."})["text"].startswith("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/")


def test_stones_of_go_and_discs_of_othello() -> None:
    said = after("go", {"square": "A9", "sign": "X"}, {"turn": 1})
    assert said["text"].startswith("X......../")
    assert said["text"].split()[1] == "O"
    assert "error" not in said
    said = after("othello", {"square": "a1", "sign": "O"})
    assert said["text"].startswith("O")
    assert "error" not in said


@pytest.mark.parametrize("what", [name for name in names() if reads_positions(load(name))])
def test_every_text_is_answered(what: str) -> None:
    for text in ("", "x", "8/8", "9" * 100, "/" * 50, "K" * 500, START, "♔ b"):
        said = edited(load(what), text)
        assert said["text"] == text
        assert ("error" in said) == (not (what == "chess" and text == START))
        assert said["svg"] if editor_of(load(what)) else True


def test_what_is_no_square_is_refused() -> None:
    with pytest.raises(ValueError, match="no square 'z9'"):
        after("chess", {"square": "z9", "sign": "K"})


def test_a_position_in_which_the_game_is_over_is_refused() -> None:
    said = edited(load("chess"), "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert said["error"] == "the game is over in this position"
