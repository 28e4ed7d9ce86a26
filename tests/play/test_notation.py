"""PGN, SGF and JSON: what is read is written again, with variations and comments."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo.game.errors import GameError, NotationError, ZermeloError
from zermelo.play.notation import JSON, PGN, SGF, read_games, usual_format, write_game
from zermelo.play.record import Record

IMMORTAL = """[Event "London"]
[White "Anderssen"]
[Black "Kieseritzky"]
[Result "1-0"]

1. e4 e5 2. f4 {the King's Gambit} (2. Nf3 Nc6 (2... Nf6 $5 {Petrov}) 3. Bb5) 2... exf4 $1 3. Bc4 1-0
"""
TREE = "(;GM[1]FF[4]SZ[9]KM[7.5]PB[Ada]PW[Alan];B[ee];W[ec]C[a reply](;B[gc];W[])(;B[cc]))"


def again(record: Record, form: Any) -> Record:
    (found,) = read_games(write_game(record, record.play(), form))
    return found


def same_tree(a: Record, b: Record) -> bool:
    return (a.moves, a.variations, a.notes, a.start) == (b.moves, b.variations, b.notes, b.start)


def test_pgn_keeps_variations_comments_marks_and_the_result() -> None:
    (record,) = read_games(IMMORTAL)
    assert record.moves == ("e4", "e5", "f4", "exf4", "Bc4")
    assert record.variations == ((2, ("Nf3", "Nc6", "Bb5")), (6, ("Nf6",)))
    assert record.notes["3"]["comment"] == "the King's Gambit"
    assert (record.ended, record.utilities) == ("resignation", (1.0, -1.0))
    text = write_game(record, record.play())
    for words in ('[White "Anderssen"]', "{the King's Gambit}", "(2. Nf3 Nc6 (2... Nf6 $5 {Petrov})", "1-0"):
        assert words in " ".join(text.split())
    assert same_tree(again(record, PGN), record)
    assert same_tree(again(record, JSON), record)


def test_pgn_from_a_position_and_after_an_unclaimed_draw() -> None:
    (record,) = read_games('[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *')
    assert (record.start, record.ended) == ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None)
    assert same_tree(again(record, PGN), record)
    (record,) = read_games("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *")
    assert record.parameters == {"draws": "never"}
    assert record.moves[-1] == "e4"


def test_sgf_keeps_variations_comments_and_the_board() -> None:
    (record,) = read_games(TREE)
    assert record.parameters == {"size": 9, "komi": 7.5, "rules": "tromp_taylor"}
    assert len(record.moves) == 4
    assert [each.after for each in record.variations] == [2]
    assert record.notes["2"]["comment"] == "a reply"
    assert same_tree(again(record, SGF), record)
    (handicap,) = read_games("(;SZ[9]AB[cc][gg];W[ee])")
    assert handicap.start is not None
    assert same_tree(again(handicap, SGF), handicap)


@pytest.mark.parametrize(
    ("ended", "charged", "pgn", "sgf"),
    [("agreement", None, "1/2-1/2", "0"), ("resignation", 0, "0-1", "W+R"), ("time", 1, "1-0", "B+T")],
)
def test_results_without_the_end_of_the_game(ended: str, charged: int | None, pgn: str, sgf: str) -> None:
    chess = Record("chess", ("e4",), ended=ended, charged=charged)
    assert f'[Result "{pgn}"]' in write_game(chess, chess.play())
    go = Record("go", ("E5",), {"size": 9}, ended=ended, charged=charged)
    assert f"RE[{sgf}]" in write_game(go, go.play())


def test_games_without_a_format_of_their_own_are_json() -> None:
    record = Record("nim", ("A1",))
    assert usual_format(record.load()) is JSON
    assert same_tree(again(record, None), record)
    with pytest.raises(NotationError, match="nim cannot be written as PGN"):
        write_game(record, record.play(), PGN)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "no game"),
        ("{}", "no game"),
        ("{", "no game"),
        ("1. e5", "not legal here"),
        ("(;SZ[9];B[ee];B[aa])", "out of turn"),
        ("(;SZ[9];B[ee];W[ee])", "not a legal move"),
        ("(;SZ[9];B[ee];AB[aa])", "changes the stones"),
        ('{"zermelo": "game", "game": "nim", "moves": [], "notes": {"0": 1}}', "notes"),
        ('{"zermelo": "game", "game": "nim", "moves": [], "tags": {"a": 1}}', "tags"),
    ],
)
def test_what_is_wrong_with_a_text(text: str, error: str) -> None:
    with pytest.raises(ZermeloError, match=error):
        read_games(text)


def test_notes_on_positions_that_are_not_there() -> None:
    with pytest.raises(GameError, match="a note is on position '7'"):
        Record("nim", (), notes={"7": {"comment": "?"}}).play()
