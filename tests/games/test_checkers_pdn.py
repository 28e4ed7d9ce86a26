"""Checkers in PDN: reading, writing, ways to write captures, errors with their places, plays and books."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo.game.errors import NotationError
from zermelo.games.checkers import Checkers, pdn
from zermelo.games.chess import Chess
from zermelo.lookup.book import Book
from zermelo.play.notation import PDN, read_games, usual_format, write_game

DYKE = """[Event "Double Corner Dyke"]
[Black "Jordan"]
[White "Tescheleit"]
[Event "a second time"]
[Result "1/2-1/2"]
[GameType "21,B,8,8,N1,0"]

1. 9-14 22-17 2. 11-15 25-22 3. 15-19 {Forms the Dyke} 23x16
(3... 24x15 4. 10x19 {after} 23x16) 4. 12x19! 24x15* 5. 10x19 17x10 $4 *
"""
JUMPS = "B:W15,23,32:B11,1"


def test_tags_comments_variations_and_marks() -> None:
    (game,) = pdn.read(DYKE)
    assert game.tags["Event"] == "Double Corner Dyke"
    assert game.result == "1/2-1/2", "a star ends every game; the result is in the tag"
    assert len(game.moves) == 10
    assert game.moves[4].comment == "Forms the Dyke"
    assert [len(line) for line in game.moves[5].variations] == [3]
    assert (game.moves[6].glyphs, game.moves[9].glyphs) == ((1,), (4,))
    assert pdn.read(pdn.write(game)) == [game.__class__({**pdn.PDN.roster, **game.tags}, "", game.moves, game.result)]
    assert max(len(line) for line in pdn.write(game).splitlines()) <= 80


def test_a_file_of_games_and_results() -> None:
    found = pdn.read('[Result "2-0"]\n1. 9-14 2-0\n\n[Result "0-1"]\n1. 9-13 0-1\n\n1. 11-15 1-1\n')
    assert [game.result for game in found] == ["1-0", "0-1", "1/2-1/2"]


@pytest.mark.parametrize("text", ["11x27", "11x18x27", "11x18 18x27", "11:18 18x27", "11x18 {on} 18x27"])
def test_ways_to_write_a_capture(text: str) -> None:
    (game,) = pdn.read(f'[FEN "{JUMPS}"]\n1. {text} 32x23 *')
    assert [Checkers().fen(s) for s in game.states()] == [
        "B:W15,23,32:B1,11",
        "W:W32:B1,27",
        "B:W23:B1",
    ]
    assert "1. 11x27 32x23" in pdn.write(game)


def test_a_game_that_begins_with_white() -> None:
    (game,) = pdn.read('[FEN "W:W22:B1"]\n1. 22-18 1-5 2. 18-15 *')
    assert "1... 22-18 2. 1-5 18-15 *" in pdn.write(game)
    assert pdn.read(pdn.write(game))[0].moves == game.moves


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1. 9-14 22-17 2. 11-16 17x11 *", "line 1, column 24: '17x11' is not a legal move"),
        ("1. 9-14 23-18 2. 11-15 *", "column 18: '11-15' is not a legal move; the player to move must capture"),
        (f'[FEN "{JUMPS}"]\n1. 11x18 *', "line 2, column 10: the capture 11x18 is not finished"),
        (f'[FEN "{JUMPS}"]\n1. 11x18 32-28 *', "the piece must jump on, not 32-28"),
        ('[FEN "B:W1:B2"]\n1. 2-6 *', "the tag FEN of this game"),
        ('[GameType "20"]\n1. 32-28 *', "type 20; only English draughts"),
        ("1. 9-14 (9-13 *", "a variation begins with"),
        ("1. 9-14 {open", "a comment begins with"),
        ("1. 9-14 ) *", "without a ( before it"),
        ("1. 9-14 Nf3 *", "'Nf3 *' is neither a move"),
        ("[Event 3]\n1. 9-14 *", "is no tag"),
    ],
)
def test_damaged_files(text: str, why: str) -> None:
    with pytest.raises(NotationError, match="PDN") as error:
        pdn.read(text)
    assert why in str(error.value)


def test_plays_and_back() -> None:
    (record,) = read_games(DYKE)
    play = record.play()
    assert (record.game, record.ended, record.utilities) == ("checkers", "agreement", (0.0, -0.0))
    assert play.tags["Black"] == "Jordan"
    text = write_game(record, play)
    (again,) = read_games(text)
    assert again.moves == record.moves
    assert again.notes == record.notes
    assert again.variations == record.variations
    assert usual_format(Checkers()) is PDN


def test_text_without_tags_is_recognised() -> None:
    assert [read_games(text)[0].game for text in ("1. 9-14 22-17 *", "9-14 22-17", "; first\n1. 11-15 *")] == [
        "checkers"
    ] * 3
    assert [read_games(text)[0].game for text in ("1. e4 e5 1-0", "1-0", "*")] == ["chess"] * 3


def test_a_win_of_black() -> None:
    (record,) = read_games("1. 9-14 22-17 1-0")
    assert record.utilities == (1.0, -1.0)
    assert record.ended == "resignation"
    assert write_game(record, record.play()).rstrip().endswith("1-0")


def test_going_on_after_an_unclaimed_draw() -> None:
    shuffle = "1-5 32-28 5-1 28-32 "
    (record,) = read_games(f'[FEN "B:WK32:BK1"]\n{shuffle * 4} *')
    assert record.parameters == {"repetitions": 0, "moves": 0}
    assert len(record.moves) == 16


def test_a_book_of_pdn(tmp_path: Path) -> None:
    path = tmp_path / "games.pdn"
    path.write_text("1. 9-14 22-17 1-0\n\n1. 9-14 22-18 0-1\n\n1. 11-15 1/2-1/2\n\n1. 12-16 *\n")
    book = Book.from_file(path, Checkers())
    assert [(move.name, move.games, move.score) for move in book.moves(Checkers().initial())] == [
        ("9-14", 2, 0.5),
        ("11-15", 1, 0.5),
    ]
    with pytest.raises(ValueError, match="games of checkers, and this is Chess"):
        Book.from_file(path, Chess())
