"""PGN: null moves are read and written, and games of other variants are refused at once."""

from __future__ import annotations

import pytest

from zermelo import NotationError
from zermelo.games.chess import pgn
from zermelo.play.notation import read_games

NULL_MOVES = "1. e4 e5 (1... Z0 2. d4 -- 3. d5) 2. Nf3 *"


def test_null_moves_are_read_and_written() -> None:
    (record,) = pgn.read(NULL_MOVES)
    assert [move.action == pgn.NULL for move in record.moves[1].variations[0]] == [True, False, True, False]
    text = pgn.write(record)
    assert "(1... Z0 2. d4 Z0 3. d5)" in text
    assert pgn.read(text)[0].moves == record.moves


def test_null_moves_end_a_variation_and_cannot_be_played() -> None:
    (record,) = read_games(NULL_MOVES)
    assert record.moves == ("e4", "e5", "Nf3")
    with pytest.raises(NotationError, match="null move"):
        read_games("1. e4 Z0 2. d4 *")
    with pytest.raises(NotationError, match="line 1, column 17: a null move is not possible in check"):
        pgn.read("1. e4 f6 2. Qh5 Z0 *")


@pytest.mark.parametrize("variant", ["Atomic", "Crazyhouse", "Three-check", "King of the Hill"])
def test_other_variants_are_refused_before_the_first_move(variant: str) -> None:
    with pytest.raises(NotationError, match=f"this is a game of '{variant}'; only standard chess and Chess960"):
        pgn.read(f'[Variant "{variant}"]\n\n1. e4 e5 *')


@pytest.mark.parametrize("variant", ["Standard", "From Position", "chess", "Chess960", "Fischerandom"])
def test_chess_under_other_names_is_read(variant: str) -> None:
    assert len(pgn.read(f'[Variant "{variant}"]\n\n1. e4 e5 *')[0].moves) == 2
