"""The opening book that comes with checkers, made from its own games."""

from __future__ import annotations

import pytest

from zermelo import games
from zermelo.arena.openings import openings_file, openings_from
from zermelo.arena.roster import player_of
from zermelo.games.checkers import pdn
from zermelo.kernel.random import Random
from zermelo.lookup import open_book
from zermelo.lookup.book import Book

CHECKERS = games.load("checkers")


def test_the_book_of_checkers_knows_the_three_move_openings() -> None:
    book = open_book("own", CHECKERS)
    assert isinstance(book, Book)
    found = 0
    openings = openings_from(openings_file("three_move", CHECKERS), CHECKERS)
    for moves in openings:
        s = CHECKERS.play(*moves)
        a = book.choose(s, Random(1), best=True)
        found += a is not None
        assert a is None or a in CHECKERS.legal(s)
    assert found > 120
    path = CHECKERS.own_book()
    assert path is not None
    assert len(pdn.read(path.read_text())) == book.games


def test_a_player_uses_it_by_name() -> None:
    assert player_of("random:book=own", CHECKERS).book.games > 200  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="there is no file of games 'nowhere'"):
        player_of("random:book=nowhere", CHECKERS)
    with pytest.raises(ValueError, match="Tic-tac-toe has no opening book of its own"):
        player_of("random:book=own", games.load("tic_tac_toe"))
