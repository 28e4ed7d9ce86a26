"""Names of chess openings, and the chances of a win, a draw and a loss."""

from __future__ import annotations

import itertools

import pytest

from zermelo import Random
from zermelo.arena.player import Turn
from zermelo.arena.roster import player_of
from zermelo.games.chess import Chess
from zermelo.games.chess.chances import chances
from zermelo.games.chess.openings import openings
from zermelo.games.connect_four import ConnectFour
from zermelo.lookup import open_book
from zermelo.play.play import Play
from zermelo.play.portable import to_pgn
from zermelo.play.record import Record

CHESS = Chess(draws="never")


def states(*moves: str) -> list[object]:
    play = Play(CHESS)
    play.follow(moves)
    return list(play.states)


def test_every_key_belongs_to_the_moves_beside_it() -> None:
    known = openings()
    assert len(known) > 250
    for key, opening in itertools.islice(known.items(), 0, None, 3):  # a third is enough to find a wrong column
        assert CHESS.play(*opening.moves.split()).key == key, opening


def test_the_last_position_with_a_name_names_the_opening() -> None:
    assert CHESS.opening(states("e4", "e5", "Nf3", "Nc6", "Bb5", "Nf6")) == "C65 Ruy Lopez: Berlin Defence"
    assert CHESS.opening(states("e4", "e5", "Nf3", "Nc6", "Bb5", "Nf6", "h3", "h6")) == "C65 Ruy Lopez: Berlin Defence"
    assert CHESS.opening(states("Nf3", "d5", "d4")) == "D02 Queen's Pawn Game: Zukertort Variation"  # another order
    assert CHESS.opening(states()) == ""
    assert Chess(chess960=0).opening([Chess(chess960=0).initial()]) == ""


def test_pgn_has_the_opening_unless_it_has_one_already() -> None:
    play = Play(CHESS)
    play.follow(["d4", "d5", "c4", "c6"])
    text = to_pgn(Record.of(play, "chess"), play)
    assert '[ECO "D10"]' in text
    assert '[Opening "Slav Defence"]' in text
    play.tags["Opening"] = "mine"
    assert "ECO" not in to_pgn(Record.of(play, "chess"), play)


def test_the_own_book_is_small_and_its_lines_are_legal() -> None:
    book, random = open_book("own", CHESS), Random(1)
    path = CHESS.own_book()
    assert path is not None
    assert path.stat().st_size < 200_000
    for _ in range(20):
        s, plies = CHESS.initial(), 0
        while (a := book.choose(s, random)) is not None:
            assert a in CHESS.legal(s)
            s, plies = CHESS.result(s, a), plies + 1
        assert plies >= 2
    with pytest.raises(ValueError, match="Connect Four has no opening book of its own"):
        open_book("own", ConnectFour())


def test_a_player_says_that_a_move_is_from_the_book() -> None:
    player = player_of("random:book=own", Chess())
    play = Play(Chess())
    choice = player.choose(Turn.of(play, Random(1)))
    assert choice.source == "book"
    assert choice.action in play.legal()


@pytest.mark.parametrize("pieces", [3, 16, 32])
def test_chances(pieces: int) -> None:
    """They add up, are symmetric, and grow with the advantage."""
    found = [chances(pawns, pieces) for pawns in (-20, -3, -1, 0, 1, 3, 20)]
    for one, other in zip(found, found[::-1], strict=True):
        assert sum(one) == pytest.approx(1)
        assert sum(one.per_mille()) == 1000
        assert min(one) >= 0
        assert one.win == pytest.approx(other.loss)
    assert [each.win for each in found] == sorted(each.win for each in found)
    assert found[-1].win > 0.95
