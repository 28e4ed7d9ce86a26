"""Go in SGF: reading, writing, positions, errors with their places, and texts that are no SGF."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo import IllegalAction
from zermelo.game.errors import NotationError
from zermelo.games.go import Go
from zermelo.games.go.sgf import Node, read, text_of, value_of, write
from zermelo.games.go.sgf_game import replay, tree_of

FILE = r"""A letter before the game.
(;FF[4]GM[1]SZ[9]KM[5.5]RU[Chinese]PB[Ada \[1\] \\ o]PW[Alan]XX[kept][twice:as\:is]
C[Two lines
and a soft \
break];B[ee];W[cc]
(;B[gg]C[main];W[])
(;B[gc](;W[cg])(;W[ac]N[deep])))
(;SZ[5])
"""


def test_a_file_with_variations() -> None:
    first, second = read(FILE)
    assert first.text("PB") == "Ada [1] \\ o"
    assert first.properties["XX"] == ["kept", r"twice:as\:is"]
    assert first.text("C") == "Two lines\nand a soft break"
    assert [node.properties.get("B") or node.properties.get("W") for node in first.main_line()][1:] == [
        ["ee"],
        ["cc"],
        ["gg"],
        [""],
    ]
    branch = first.children[0].children[0].children
    assert [child.properties for child in branch] == [{"B": ["gg"], "C": ["main"]}, {"B": ["gc"]}]
    assert branch[1].children[1].properties == {"W": ["ac"], "N": ["deep"]}
    assert (branch[1].line, branch[1].column) == (7, 2)
    assert second.properties == {"SZ": ["5"]}


def test_reading_what_was_written() -> None:
    roots = read(FILE)
    assert read(write(roots)) == roots
    assert max(len(line) for line in write(roots).splitlines()) < 220
    changed = read(FILE)
    changed[0].children[0].children[0].children[1].properties["B"] = ["aa"]
    assert read(write(changed)) != roots


def test_escapes() -> None:
    for text in ("", "a]b", "\\", "a\\]b:c", "two\nlines", "[open"):
        assert text_of(value_of(text)) == text
        assert read(write([Node({"C": [value_of(text)]})]))[0].text("C") == text
    assert value_of("a:b", composed=True) == "a\\:b"
    assert text_of("x\\\r\ny") == "xy"


def test_long_games_do_not_recurse() -> None:
    text = "(" + ";B[aa];W[bb]" * 20_000 + ")"
    root = read(text)[0]
    assert sum(1 for _ in root.main_line()) == 40_000
    assert read(write([root])) == [root]
    nested = "(;" * 5_000 + ")" * 5_000
    assert read(write(read(nested))) == read(nested)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no game tree"),
        ("no game", "there is no game tree"),
        ("(;B[aa]", "line 1, column 8: the text ends, but 1 of the ( are not closed"),
        ("(;B[aa)", r"line 1, column 4: this [ is not closed"),
        ("(;B[aa]\n;W)", r"line 2, column 3: the property W has no value"),
        ("(;B W[aa])", "line 1, column 5: the property B has no value"),
        ("(;[aa])", "line 1, column 3: a value follows the name"),
        ("(;B[aa](B[bb]))", "line 1, column 9: the property B belongs to a node"),
        ("(;B[aa]())", "line 1, column 9: a variation has at least one node"),
        ("(;B[aa]((;W[bb])))", "line 1, column 9: a variation begins with a node"),
        ("(;B[aa]))", "line 1, column 9: this ) closes nothing"),
        ("(;B[aa]\n 7)", "line 2, column 2: '7' is not expected here"),
        ("(;b[aa])", "line 1, column 3: 'b' is not the name of a property"),
        ("(;)\n;", "line 2, column 1: a node belongs into a tree"),
    ],
)
def test_errors_with_their_place(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        read(text)
    assert message in str(caught.value)


def test_replay() -> None:
    played = replay(read(FILE)[0])
    game = played.game
    assert (game.size, game.komi, game.rules) == (9, 5.5, "chinese")
    assert [game.action_name(played.states[0], a) for a in played.moves if a is not None] == ["E5", "C7", "G3", "pass"]
    assert played.states[-1].stones == game.play("E5", "C7", "G3", "pass").stones
    assert replay(read(FILE)[0], komi=7.5, rules="aga").game.komi == 7.5


def test_setup_stones_handicap_and_the_player_to_move() -> None:
    root = read("(;SZ[9]HA[2]AB[cc][gg]AW[aa:bc]AE[ab]PL[W];W[ee];W[ii];AE[ee]AB[ff];B[tt])")[0]
    played = replay(root)
    first = played.game.picture(played.states[0])
    black = {name for name, piece in first.pieces.items() if piece.name == "black"}
    assert black == {"C7", "G3"}
    assert set(first.pieces) - black == {"A9", "B9", "B8", "A7", "B7"}
    assert played.states[0].mover == 1
    assert played.moves[-1] == played.game.points  # tt passes
    assert None in played.moves  # White moves twice, then stones are changed
    last = played.game.picture(played.states[-1]).pieces
    assert "E5" not in last
    assert last["F4"].name == "black"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;GM[2])", "line 1, column 2: GM[2] is not Go"),
        ("(;SZ[9:13])", "SZ[9:13] is not the size"),
        ("(;SZ[52])", "size must be a whole number"),
        ("(;KM[many])", "KM[many] is not a number"),
        ("(;SZ[9];B[jj])", "line 1, column 8: B[jj] is not a point of this board, which are aa to ii"),
        ("(;SZ[9];B[aa]\n;W[aa])", "line 2, column 1: W[aa] is not a legal move: there is a stone on it"),
        ("(;SZ[9]AB[aa:])", None),
        ("(;SZ[9]AB[a])", "AB[a] is not a point"),
    ],
)
def test_errors_in_games(text: str, message: str | None) -> None:
    if message is None:
        assert replay(read(text)[0]).states
        return
    with pytest.raises(NotationError) as caught:
        replay(read(text)[0])
    assert message in str(caught.value)


def test_a_game_is_written_and_replayed() -> None:
    game = Go(9, 0.5, "chinese", handicap=2)
    moves = ["E5", "D5", "pass", "F5", "pass", "pass"]
    root = tree_of(game, moves, PB="Ada [dan]", GN="a : game")
    assert root.properties["RE"] == ["B+0.5"]  # four stones against one, komi, and two points for the handicap
    again = read(write([root]))[0]
    assert again == root
    assert again.text("PB") == "Ada [dan]"
    played = replay(again)
    assert [played.game.action_name(s, a) for s, a in zip(played.states, played.moves, strict=False)] == moves
    assert played.states[0].stones == game.initial().stones
    with pytest.raises(IllegalAction):
        tree_of(game, ["E5", "E5"])
    with pytest.raises(IllegalAction):
        tree_of(game, [9])  # beyond the last column


ALPHABET = "();[]\\BWACabt:19 \n"


@given(st.text(ALPHABET, max_size=60) | st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    for given_text in (text, f"(;{text})", f"(;SZ[9]{text};B[aa])"):
        try:
            roots = read(given_text)
        except NotationError:
            continue
        assert read(write(roots)) == roots
        for root in roots:
            with contextlib.suppress(NotationError):
                replay(root)


@given(st.lists(st.text(max_size=20), min_size=1, max_size=3))
def test_any_value_survives(texts: list[str]) -> None:
    root = Node({"XY": [value_of(text) for text in texts]})
    assert [text_of(value) for value in read(write([root]))[0].properties["XY"]] == texts
