"""Chess: positions, moves and games as text, both ways, and what is said of text that is wrong."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo import IllegalAction, NotationError, StateError, ZermeloError
from zermelo.games.chess import Chess, ChessState, fen, pgn

GAME, GAME_960 = Chess(), Chess(chess960=0)
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


# FEN.


def test_a_position_is_read_and_written() -> None:
    for text in (fen.START, KIWIPETE, "8/8/8/8/k2pP3/8/8/4K3 b - e3 0 7", "4k3/8/8/8/8/8/8/4K2R w K - 99 65535"):
        assert GAME.fen(GAME.from_fen(text)) == text
    assert GAME.from_fen("4k3/8/8/8/8/8/8/4K2R w K -") == GAME.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert GAME.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 0").number == 1  # as some programs write it
    assert GAME.from_fen("  8/8/8/8/k2pP3/8/8/4K3   b - e3 ").en_passant == 20


def test_an_en_passant_square_that_nobody_can_use_is_left_out() -> None:
    s = GAME.from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
    assert s == GAME.play("e4")
    assert GAME.fen(s).split()[3] == "-"


def test_castling_rights_of_chess960() -> None:
    inner = "4k3/8/8/8/8/8/8/R1R1K2R w C - 0 1"  # not the outermost rook: X-FEN names its file
    s = GAME_960.from_fen(inner)
    assert s.castling == 1 << 2
    assert GAME_960.fen(s) == inner
    both = GAME_960.from_fen("r3k1r1/8/8/8/8/8/8/R3K1R1 w KQkq - 0 1")
    assert GAME_960.fen(both).split()[2] == "KQkq"
    assert GAME_960.fen(both, shredder=True).split()[2] == "GAga"
    assert GAME_960.from_fen(GAME_960.fen(both, shredder=True)) == both
    assert GAME.from_fen(fen.START.replace("KQkq", "HAha")) == GAME.initial()


def test_the_960_starting_positions() -> None:
    starts = [fen.start_960(n) for n in range(960)]
    assert len(set(starts)) == 960
    assert starts[518] == fen.START
    assert starts[0].startswith("bbqnnrkr/")  # Reinhard Scharnagl's table
    assert starts[959].startswith("rkrnnqbb/")
    for number in (0, 518, 700, 959):
        assert fen.number_960(Chess(chess960=number).initial()) == number
    assert fen.number_960(GAME.play("e4")) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has 0"),
        ("8/8 w - -", "field 1 .the board.: must have 8 rows"),
        ("9/8/8/8/8/8/8/8 w - -", "row 8 has '9'"),
        ("7/8/8/8/8/8/8/8 w - -", "row 8, '7', has 7 squares"),
        ("8/8/8/8/8/8/8/7kk w - -", "row 1, '7kk', has 9 squares"),
        ("8/8/8/4k3/8/8/8/8 w - -", "White has no king"),
        ("8/8/8/4k3/8/8/4K3/4K3 w - -", "White has 2 kings"),
        ("P3k3/8/8/8/8/8/8/4K3 w - -", "pawn on a8"),
        ("4k3/8/8/8/8/8/8/4K2p w - -", "pawn on h1"),
        ("4k3/8/8/8/4R3/8/8/4K3 w - -", "Black is in check, but White is to move"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - -", "Black has 9 pawns"),
        ("4k3/pppppppp/8/8/8/8/8/QQ2K3 w - -", None),
        ("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - -", "White has 1 promoted pieces beside 8 pawns"),
        ("4k3/8/8/8/8/8/8/4K3 x - -", "field 2 .the side to move.: must be w or b, not 'x'"),
        ("4k3/8/8/8/8/8/8/4K3 w K -", "field 3 .castling rights.: 'K', but White has no rook there"),
        ("4k3/8/8/8/8/8/4K3/7R w K -", "White's king is on e2"),
        ("4k3/8/8/8/8/8/8/4K2R w X -", "'X' is not one of KQkq"),
        ("4k3/8/8/8/8/8/8/4K2R w KK -", "h1 a second time"),
        ("4k3/8/8/8/8/8/8/3K3R w K -", "White castles with the king from e1"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9", "field 4 .the en passant square.: must be a square or -, not 'e9'"),
        ("4k3/8/8/8/8/8/8/4K3 w - e3", "e3 is not on row 6"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6", "no pawn on e5"),
        ("4k3/4p3/8/4p3/8/8/8/4K3 w - e6", "e7 must be empty"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "field 5 .the clock."),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "field 6 .the move number."),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 99999", "65,535"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", "has 7"),
    ],
)
def test_what_is_wrong_with_a_fen(text: str, reason: str | None) -> None:
    if reason is None:
        GAME.from_fen(text)
    else:
        with pytest.raises(StateError, match=reason):
            GAME.from_fen(text)


# Moves.


def names_of(s: ChessState, game: Chess = GAME) -> set[str]:
    return {game.action_name(s, a) for a in game.legal(s)}


def test_short_names_say_just_enough() -> None:
    assert {"Nbd2", "Nfd2"} <= names_of(GAME.from_fen("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"))
    assert {"R1a3", "R5a3"} <= names_of(GAME.from_fen("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1"))
    queens = names_of(GAME.from_fen("8/k7/8/8/4Q2Q/8/8/1K5Q w - - 0 1"))
    assert {name for name in queens if name.endswith("e1")} == {"Qh4e1", "Qee1", "Q1e1"}
    pinned = names_of(GAME.from_fen("4k3/8/8/8/4r3/8/4N3/N3K3 w - - 0 1"))  # the knight on e2 cannot move
    assert "Nc2" in pinned
    promoting = names_of(GAME.from_fen("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1"))
    assert {"exd8=Q+", "exd8=N", "e8=Q+", "e8=B"} <= promoting
    assert "exd6" in names_of(GAME.from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"))


@pytest.mark.parametrize(
    ("text", "spellings", "meant"),
    [
        (fen.START, ["Nf3", "Ng1f3", "Ngf3", "N1f3", "g1f3", "g1-f3", "Nf3!", "Nf3!?", " Nf3 "], "g1f3"),
        (fen.START, ["e4", "e2e4", "e2-e4", "e4+"], "e2e4"),
        (KIWIPETE, ["O-O", "0-0", "o-o", "OO", "e1g1", "e1h1"], "e1g1"),
        (KIWIPETE, ["O-O-O", "0-0-0", "e1c1", "e1a1"], "e1c1"),
        (KIWIPETE, ["dxe6", "d5xe6", "d5e6", "d5:e6"], "d5e6"),
        ("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", ["e8=Q", "e8Q", "e8(Q)", "e7e8q", "e7-e8=Q", "e8=q+"], "e7e8q"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", ["exd6", "exd6 e.p.", "e5d6"], "e5d6"),
        ("4k3/8/7b/8/8/8/8/4K1N1 b - - 0 1", ["Bd2", "Bd2+", "h6d2"], "h6d2"),
    ],
)
def test_spellings(text: str, spellings: list[str], meant: str) -> None:
    s = GAME.from_fen(text)
    for spelling in spellings:
        assert GAME.long_name(s, GAME.action_named(s, spelling)) == meant, spelling


def test_castling_in_chess960_is_written_as_the_king_taking_its_rook() -> None:
    s = GAME_960.from_fen(KIWIPETE)
    assert GAME_960.long_name(s, GAME_960.action_named(s, "O-O")) == "e1h1"
    with pytest.raises(IllegalAction):
        GAME_960.action_named(s, "e1g1")


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        (fen.START, "Nd2", "no knight of White can move to d2"),
        (fen.START, "Nbf3", "no knight of White can move from b to f3"),
        (fen.START, "e5", "no pawn of White can move to e5"),
        (fen.START, "O-O", "cannot castle kingside"),
        (fen.START, "hello", "is not a move"),
        (fen.START, "", "is not a move"),
        (fen.START, "x" * 1000, "is not a move"),
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2", "can mean Nbd2, Nfd2: say which"),
        ("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8", "such as e8=Q"),
        ("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=K", "not promoted to a king"),
        (fen.START, "e4=Q", "only a pawn that reaches the last row"),
        ("4k3/8/8/8/8/8/3q4/R3K3 w - - 0 1", "Ra2", "being in check"),
    ],
)
def test_what_is_wrong_with_a_move(text: str, name: str, reason: str) -> None:
    with pytest.raises(IllegalAction, match=reason):
        GAME.action_named(GAME.from_fen(text), name)


# EPD.


def test_operations() -> None:
    text = '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";'  # Bratko and Kopec 1982
    s, operations = GAME.from_epd(text)
    assert GAME.action_name(s, operations["bm"][0]) == "Qd1+"
    assert operations["id"] == ("BK.01",)
    assert GAME.epd(s, operations) == text
    s, operations = GAME.from_epd(
        r'4k3/8/8/8/8/8/8/4K2R w K - hmvc 12; fmvn 40; ce -35; c0 "a \"b\"; \\"; pv O-O Kd7; x 1.5'
    )
    assert (s.clock, s.number) == (12, 40)
    assert operations["ce"] == (-35,)
    assert operations["c0"] == (r'a "b"; \\'.replace(r"\\", "\\"),)
    assert operations["x"] == (1.5,)
    assert [GAME.long_name(s, operations["pv"][0]), len(operations["pv"])] == ["e1g1", 2]
    assert GAME.from_epd(GAME.epd(s, operations)) == (s, operations)
    assert GAME.from_epd("4k3/8/8/8/8/8/8/4K2R w K -") == (GAME.from_fen("4k3/8/8/8/8/8/8/4K2R w K -"), {})


@pytest.mark.parametrize(
    ("operations", "reason"),
    [
        ("bm Qxx;", "column 31, bm: 'Qxx' is not a move"),
        ("bm Rh9", "is not a move"),
        ('id "open', "column 34: a string begins"),
        ("12;", "column 31: an operation begins with a word"),
        ("id 1; id 2;", "column 37: id is there a second time"),
        ("hmvc x;", "hmvc has one whole number"),
        ("hmvc ²;", "hmvc has one whole number"),
    ],
)
def test_what_is_wrong_with_operations(operations: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        GAME.from_epd("4k3/8/8/8/8/8/8/4K2R w K -    " + operations)


# PGN.

ANNOTATED = """\
[Event "Testing \\"quotes\\" and \\\\"]
[White "Adams"]
[Black "Bell"]
[Result "1-0"]

{Before the game.} 1. e4 e5 2. Nf3 {Comment} Nc6 (2... Nf6 3. Nxe5 (3. d4 $1 exd4)
3... d6 $5) (2... d6) 3. Bb5!? a6 ; to the end of the line
4. Ba4 Nf6 5. 0-0 1-0

% an escaped line
[Event "Second"]
[FEN "8/8/8/8/k2pP3/8/8/4K3 b - e3 0 7"]

7... dxe3 8. Kd1 1/2-1/2

1. d4 *
[Event "Third, without moves"]
[Result "0-1"]
"""


def test_games_are_read() -> None:
    first, second, third, last = pgn.read(ANNOTATED)
    assert first.tags["Event"] == 'Testing "quotes" and \\'
    assert (first.comment, first.result) == ("Before the game.", "1-0")
    states = first.states()
    assert GAME.fen(states[-1]).split()[0] == "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1"
    assert first.moves[2].comment == "Comment"
    assert first.moves[4].glyphs == (5,)
    assert first.moves[5].comment == "to the end of the line"
    alternatives = first.moves[3].variations
    assert [len(line) for line in alternatives] == [3, 1]
    assert GAME.action_name(states[3], alternatives[0][0].action) == "Nf6"
    assert alternatives[0][1].variations[0][0].glyphs == (1,)
    assert GAME.fen(second.states()[-1]) == "8/8/8/8/k7/4p3/8/3K4 b - - 1 8"
    assert (second.result, third.result, last.result) == ("1/2-1/2", "*", "0-1")
    assert (len(third.moves), last.moves) == (1, [])
    assert pgn.read("") == pgn.read("\n% nothing\n") == []


def test_names_of_tags() -> None:
    record = pgn.read('[Time-Control "40/7200:3600"]\n[A+B#C=D:E_1 "x"]\n\n1. e4 *')[0]
    assert record.tags == {"Time-Control": "40/7200:3600", "A+B#C=D:E_1": "x"}
    assert pgn.read(pgn.write(record))[0].tags.items() >= record.tags.items()


def test_a_backslash_before_anything_else_is_itself() -> None:
    assert pgn.read(r'[Source "C:\games\\old \"x\""] *')[0].tags["Source"] == r'C:\games\old "x"'
    assert GAME.from_epd(r'4k3/8/8/8/8/8/8/4K2R w K - id "C:\games";')[1]["id"] == (r"C:\games",)


def test_games_that_do_not_end_as_they_should() -> None:
    unfinished, last = pgn.read('[Result "1-0"]\n\n1. e4 e5\n\n[Result "0-1"]\n\n1. d4 d5\n')
    assert (unfinished.result, last.result) == ("1-0", "0-1")  # what their tags say
    assert len(pgn.read("1. e4 1-0 {What a game!}\n; by both\n")) == 1
    old = pgn.read("1. e4 d5 2. e5 f5 3. exf6 e.p. *")[0]
    assert old.moves == pgn.read("1. e4 d5 2. e5 f5 3. exf6e.p. *")[0].moves == pgn.read(pgn.write(old))[0].moves


def test_games_are_written_as_they_were_read() -> None:
    records = pgn.read(ANNOTATED)
    text = pgn.write(*records)
    assert max(map(len, text.splitlines())) <= 80
    for record, again in zip(records, pgn.read(text), strict=True):
        assert (again.moves, again.result, again.comment) == (record.moves, record.result, record.comment)
        assert again.tags.items() >= {**record.tags, "Result": record.result}.items()
    assert pgn.write(*pgn.read(text)) == text
    assert "3. Nxe5 (3. d4 $1 exd4) 3... d6 $5) (2... d6)" in " ".join(text.split())


def test_a_game_of_chess960() -> None:
    text = '[Variant "Chess960"]\n[FEN "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1"]\n\n1. O-O O-O-O *\n'
    record = pgn.read(text)[0]
    assert record.game.fen(record.states()[-1]).split()[0] == "2krr3/pppppppp/8/8/8/8/PPPPPPPP/R4RK1"
    assert pgn.read(pgn.write(record))[0].moves == record.moves


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1. e4 e5 2. Ke3 *", "line 1, column 13: 'Ke3' is not legal here: no king of White can move to e3"),
        ("1. e4\n  {open", "line 2, column 3: a comment begins with { and does not end"),
        ("1. e4 (1. d4", r"a variation begins with \( and does not end"),
        ("1. e4 (1. d4 *", r"before the result"),
        ('1. e4 (1. d4 [Event "x"]', r"before the next game"),
        ("1. e4 )", r"column 7: \) without"),
        ("1. e4 ()", "a variation without moves"),
        ("(1. e4) *", "replaces a move"),
        ("$1 *", "belongs to a move"),
        ("1. e4 $999", "up to 255"),
        ("[Event x]", "is no tag"),
        ('[Event "x"]\n[Event "y"]', "line 2, column 1: the tag Event is there a second time"),
        ('[FEN "8/8"]\n\n1. e4', "the tag FEN of this game"),
        ("1. e4 e5 }", "} without a {"),
        ("1. e4 ~", "neither a move"),
        ("1. e4 " * 3, "is not legal"),
        ("1. e4 " + "(1. d4 " * 200, "nested more than 100 deep"),
    ],
)
def test_what_is_wrong_with_a_game(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        pgn.read(text)


@pytest.mark.parametrize(
    "record",
    [
        pgn.Record(result="won"),
        pgn.Record(comment="a } brace"),
        pgn.Record(tags={"two words": "x"}),
    ],
)
def test_what_cannot_be_written(record: pgn.Record) -> None:
    with pytest.raises(NotationError):
        pgn.write(record)


# Whatever the text, an error says what is wrong with it, and nothing else happens.

PIECES = "KQRBNPkqrbnp12345678/ -wbe36\t0xé²"


@given(st.text(alphabet=PIECES, max_size=80))
def test_any_text_as_fen(text: str) -> None:
    try:
        s = GAME_960.from_fen(text)
    except StateError:
        pass
    else:
        assert GAME_960.from_fen(GAME_960.fen(s)) == s


def changed(text: str, alphabet: str) -> st.SearchStrategy[str]:
    """The text with a few characters replaced, left out or put in."""

    def apply(edits: list[tuple[int, str, bool]]) -> str:
        made = text
        for place, new, instead in edits:
            at = place % (len(made) + 1)
            made = made[:at] + new + made[at + instead :]
        return made

    edit = st.tuples(st.integers(0, 10_000), st.text(alphabet, max_size=2), st.booleans())
    return st.lists(edit, min_size=1, max_size=4).map(apply)


@given(changed(KIWIPETE, PIECES))
def test_damaged_fens(text: str) -> None:
    try:
        s = GAME_960.from_fen(text)
    except StateError:
        pass
    else:
        assert GAME_960.from_fen(GAME_960.fen(s)) == s
        assert all(GAME_960.action_named(s, GAME_960.action_name(s, a)) == a for a in GAME_960.actions(s))


@given(changed(ANNOTATED, 'NBRQKOabcdefgh12345678x+#=-0(){}[];$"\\%.!?* \n½é'))
def test_damaged_games(text: str) -> None:
    try:
        records = pgn.read(text)
        written = pgn.write(*records)
    except ZermeloError:
        pass
    else:
        assert [r.moves for r in pgn.read(written)] == [r.moves for r in records]


@given(st.text(max_size=60))
def test_any_text_as_a_game(text: str) -> None:
    with contextlib.suppress(NotationError):
        pgn.read(text)


@given(st.text(alphabet="NBRQKOo0abcdefgh12345678x+#=-!?:() ep.é", max_size=12))
def test_any_text_as_a_move(text: str) -> None:
    s = GAME.from_fen(KIWIPETE)
    try:
        a = GAME.action_named(s, text)
    except IllegalAction:
        pass
    else:
        assert a in GAME.legal(s)


@given(changed('4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id "x \\" y"; ce -3; pv Rh2 Kd7;', 'abmOKR12;"\\ .-é'))
def test_damaged_operations(text: str) -> None:
    try:
        s, operations = GAME_960.from_epd(text)
    except (NotationError, StateError):
        pass
    else:
        assert GAME_960.from_epd(GAME_960.epd(s, operations))[0].key == s.key
