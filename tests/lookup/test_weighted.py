"""Books of weighted moves, and the one of Othello."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from zermelo import games
from zermelo.game.errors import NotationError
from zermelo.games.othello import Othello
from zermelo.kernel.random import Random
from zermelo.lookup import open_book
from zermelo.lookup.weighted import WeightedBook, save_weighted
from zermelo.play.play import Play

OTHELLO, TIC_TAC_TOE = games.load("othello"), games.load("tic_tac_toe")


def test_the_book_of_othello_knows_the_four_openings_as_one() -> None:
    book = open_book("own", OTHELLO)
    assert isinstance(book, WeightedBook)
    weights = set()
    for first in ("f5", "e6", "d3", "c4"):
        weights.add(tuple(move.weight for move in book.moves(OTHELLO.play(first))))
    assert len(weights) == 1
    assert len(book.moves(OTHELLO.initial())) == 4


def test_the_lines_of_the_book_of_othello_are_legal_and_long() -> None:
    book, random, path = open_book("own", OTHELLO), Random(1), OTHELLO.own_book()
    assert path is not None
    assert path.stat().st_size < 200_000
    plies = []
    for _ in range(20):
        play = Play(OTHELLO)
        while (a := book.choose(play.state, random)) is not None:
            play.move(a)
        plies.append(len(play.main_line) - 1)
    assert sum(plies) / len(plies) > 8
    assert Othello(size=6).own_book() is None


def test_symmetric_positions_share_a_key() -> None:
    images = [OTHELLO.play(*moves.split()) for moves in ("f5 d6 c3", "e6 f4 c3", "d3 c5 f6", "c4 e3 f6")]
    assert len({OTHELLO.book_key(s) for s in images}) == 1
    assert OTHELLO.book_key(OTHELLO.play("f5", "f6")) != OTHELLO.book_key(OTHELLO.play("f5", "d6"))


def test_a_book_is_written_and_read(tmp_path: Path) -> None:
    s = TIC_TAC_TOE.initial()
    after = {name: TIC_TAC_TOE.play(name) for name in ("1", "5")}
    path = tmp_path / "book.npz"
    key = TIC_TAC_TOE.book_key
    save_weighted(path, TIC_TAC_TOE, [(key(s), key(after["1"]), 10), (key(s), key(after["5"]), 30)])
    book = open_book(path, TIC_TAC_TOE)
    assert isinstance(book, WeightedBook)
    assert [(move.name, move.weight) for move in book.moves(s)] == [("5", 30), ("1", 10)]
    assert book.choose(s, Random(1), best=True) == book.moves(s)[0].action
    assert book.choose(s, Random(1), 31) is None
    assert book.choose(after["1"], Random(1)) is None
    with pytest.raises(NotationError, match=r"is a book of TicTacToe.*, and this is Othello"):
        open_book(path, OTHELLO)


def test_files_that_are_no_books(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match="there is no file"):
        open_book(tmp_path / "none.npz", OTHELLO)
    (tmp_path / "bad.npz").write_bytes(b"nothing")
    with pytest.raises(NotationError, match="is not an opening book"):
        open_book(tmp_path / "bad.npz", OTHELLO)
    np.savez(tmp_path / "other.npz", before=np.zeros(3, np.uint64))
    with pytest.raises(NotationError, match="it needs the arrays before, after, weight"):
        open_book(tmp_path / "other.npz", OTHELLO)
