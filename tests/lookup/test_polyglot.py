"""Books of chess openings: Polyglot's files, and games in PGN."""

from __future__ import annotations

import struct
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from zermelo import NotationError, Random, games
from zermelo.arena.player import Turn
from zermelo.arena.roster import player_of
from zermelo.games.chess import Chess, ChessState
from zermelo.lookup import open_book
from zermelo.lookup.book import Book
from zermelo.lookup.polyglot import PolyglotBook

CHESS = Chess()
CASTLING = CHESS.from_fen("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1")
PROMOTING = CHESS.from_fen("8/P6k/8/8/8/8/7K/8 w - - 0 1")
NAMES = "nbrq"


def entry(s: ChessState, move: str, weight: int, learned: int = 0) -> bytes:
    """An entry as the format's description has it, from a move such as a7a8q; castling is e1h1."""
    origin, target = ("abcdefgh".index(move[i]) + 8 * (int(move[i + 1]) - 1) for i in (0, 2))
    promoted = NAMES.index(move[4]) + 1 if len(move) > 4 else 0
    return struct.pack(">QHHI", s.key, target | origin << 6 | promoted << 12, weight, learned)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    s = CHESS.initial()
    entries = [
        entry(s, "e2e4", 60),
        entry(s, "d2d4", 30),
        entry(s, "c2c4", 10),
        entry(s, "a2a3", 0),
        entry(s, "e2e5", 99),  # not legal: the key of some other position
        entry(CASTLING, "e1h1", 2),
        entry(CASTLING, "e1a1", 1),
        entry(PROMOTING, "a7a8q", 7),
        entry(PROMOTING, "a7a8n", 1),
    ]
    key = 0
    for _ in range(1000):  # other positions, on all sides of these
        key = (key + 0x9E3779B97F4A7C15) % (1 << 64)
        entries.append(struct.pack(">QHHI", key, 1, 1, 0))
    found = tmp_path / "book.bin"
    found.write_bytes(b"".join(sorted(entries, key=lambda each: each[:8])))
    return found


def test_what_is_in_a_book(path: Path) -> None:
    book = PolyglotBook(path, CHESS)
    assert len(book) == 1009
    assert [(move.name, move.weight) for move in book.moves(CHESS.initial())] == [("e4", 60), ("d4", 30), ("c4", 10)]
    assert [move.name for move in book.moves(CHESS.initial(), 0)] == ["e4", "d4", "c4", "a3"]
    assert [move.name for move in book.moves(CHESS.initial(), 20)] == ["e4", "d4"]
    assert [move.name for move in book.moves(CASTLING)] == ["O-O", "O-O-O"]
    assert [move.name for move in book.moves(PROMOTING)] == ["a8=Q", "a8=N"]
    assert book.moves(CHESS.play("e4")) == []


def test_it_is_read_as_python_chess_reads_it(path: Path) -> None:
    chess = pytest.importorskip("chess")
    polyglot = pytest.importorskip("chess.polyglot")
    book = PolyglotBook(path, CHESS)
    with polyglot.open_reader(path) as reader:
        for s in (CHESS.initial(), CASTLING, PROMOTING):
            theirs = {
                each.move.uci(): each.weight for each in reader.find_all(chess.Board(CHESS.fen(s)), minimum_weight=1)
            }
            assert {CHESS.long_name(s, move.action): move.weight for move in book.moves(s)} == theirs


def test_choosing_by_weight(path: Path) -> None:
    book, s = PolyglotBook(path, CHESS), CHESS.initial()
    found = Counter(CHESS.action_name(s, book.choose(s, Random(seed))) for seed in range(500))
    assert set(found) == {"e4", "d4", "c4"}
    assert 250 < found["e4"] < 350
    assert 110 < found["d4"] < 190
    assert {CHESS.action_name(s, book.choose(s, Random(seed), best=True)) for seed in range(20)} == {"e4"}
    assert book.choose(CHESS.play("e4"), Random(0)) is None
    assert book.choose(CHESS.play("e4"), Random(0), best=True) is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it has 0 bytes"),
        (b"x" * 17, "it has 17 bytes, and a book has entries of 16 bytes each"),
        (b"\xff" * 16 + b"\x00" * 16, "its entries 0 and 1 are not sorted"),
    ],
)
def test_files_that_are_no_books(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "wrong.bin"
    path.write_bytes(content)
    with pytest.raises(NotationError, match=message):
        PolyglotBook(path, CHESS)


def test_books_that_cannot_be_opened(path: Path, tmp_path: Path) -> None:
    with pytest.raises(NotationError, match=r"there is no file 'nowhere\.bin'"):
        PolyglotBook("nowhere.bin", CHESS)
    with pytest.raises(NotationError, match="is a book of chess openings, and this is Tic-tac-toe"):
        open_book(path, games.load("tic_tac_toe"))
    wrong = tmp_path / "wrong.pgn"
    wrong.write_text('[Result "1-0"]\n\n1. e5 1-0\n')
    with pytest.raises(NotationError, match=r"wrong.pgn: PGN, line 3, column 4: 'e5' is not legal here"):
        open_book(wrong, CHESS)
    with pytest.raises(ValueError, match="has games of chess, and this is Tic-tac-toe"):
        open_book(wrong, games.load("tic_tac_toe"))


GAMES = """
[Result "1-0"]

1. e4 e5 2. Nf3 1-0

[Result "1/2-1/2"]

1. e4 c5 1/2-1/2

[Result "0-1"]

1. d4 d5 0-1

[Result "*"]

1. a3 *
"""


def test_a_book_of_pgn(tmp_path: Path) -> None:
    path = tmp_path / "games.PGN"
    path.write_text(GAMES)
    book: Any = open_book(path, CHESS)
    assert isinstance(book, Book)
    assert book.games == 3
    known = [(move.name, move.games, move.points) for move in book.moves(CHESS.initial())]
    assert known == [("e4", 2, 1.5), ("d4", 1, 0.0)]
    assert [(move.name, move.points) for move in book.moves(CHESS.play("e4"))] == [("c5", 0.5), ("e5", 0.0)]
    assert CHESS.action_name(CHESS.initial(), book.choose(CHESS.initial(), Random(0), best=True)) == "e4"


def test_players_with_books(path: Path) -> None:
    s = CHESS.initial()
    turn = Turn(CHESS, (s,), (), 0, Random(1))
    for options, names in (
        ("book_best=true", {"e4"}),
        ("book_count=20", {"e4", "d4"}),
        ("random=0", {"e4", "d4", "c4"}),
    ):
        player = player_of(f"random:book={path},{options}", CHESS)
        assert {CHESS.action_name(s, player.choose(turn).action) for _ in range(60)} == names
