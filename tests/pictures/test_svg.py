"""Pictures of positions: well-formed, complete, escaped, read by screen readers, and independent of fonts."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo import Game, games, show
from zermelo.game.board import CHESSMEN, COLOURS, SHAPES, STYLES, Board, Piece, letter, squares
from zermelo.game.board_text import text_of
from zermelo.game.protocol import CHANCE
from zermelo.games.hex import Hex
from zermelo.kernel.random import Random
from zermelo.pictures import draw, squares_of
from zermelo.pictures.svg import describe, render

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text></svg><script>alert(1)</script>&\"'"


def parsed(picture: str) -> ElementTree.Element:
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    assert root.attrib["aria-label"]
    assert root.findtext(f"{SVG}title")
    assert root.findtext(f"{SVG}desc")
    return root


def drawn_squares(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {node.attrib["data-square"]: node for node in root.iter(f"{SVG}g") if "data-square" in node.attrib}


def played(game: Game, plies: int, seed: int = 1) -> Any:
    s, random = game.initial(), Random(seed)
    for _ in range(plies):
        if game.is_terminal(s):
            break
        if game.to_move(s) == CHANCE:
            s = game.draw(s, random)
        else:
            legal = game.legal(s)
            s = game.result(s, legal[random.below(len(legal))])
    return s


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("plies", [0, 1, 5, 30])
def test_every_registered_game_has_pictures(name: str, plies: int) -> None:
    game = games.load(name)
    s = played(game, plies)
    board = game.picture(s)
    assert board is not None, "every registered game says what there is to see"
    for flipped in (False, True):
        root = parsed(draw(game, s, flipped=flipped))
        shown = drawn_squares(root)
        assert set(shown) == board.places
        for square, piece in board.pieces.items():
            assert shown[square].attrib["aria-label"] == f"{square}: {piece.name}"
            assert f"{piece.name} on {square}" in (root.findtext(f"{SVG}desc") or "")


@pytest.mark.parametrize("name", games.names())
def test_every_path_of_a_move_is_on_the_picture(name: str) -> None:
    game = games.load(name)
    for plies in (0, 1, 4, 9):
        s = played(game, plies)
        if game.is_terminal(s) or game.to_move(s) == CHANCE:
            continue
        there = set(drawn_squares(parsed(draw(game, s))))
        ways: dict[tuple[str, ...], list[str]] = {}
        for a in game.legal(s):
            for path in game.paths(s, a):
                assert set(path) <= there
                ways.setdefault(tuple(path), []).append(game.action_name(s, a))
        for path, moves in ways.items():  # one way, one move; chess asks what a pawn becomes
            assert len(moves) == 1 or name == "chess", (path, moves)


@pytest.mark.parametrize("style", [style for style in STYLES if style != "backgammon"])
@pytest.mark.parametrize("flipped", [False, True])
def test_every_style_every_shape_and_every_colour(style: str, flipped: bool) -> None:
    kinds = [(shape, colour) for shape in SHAPES for colour in COLOURS]
    names = [name for row in squares(len(COLOURS), len(SHAPES)) for name in row]
    pieces = {n: Piece(f"{c} {s}", s, c, "7") for n, (s, c) in zip(names, kinds, strict=True)}
    root = parsed(
        render(Board(squares(len(COLOURS), len(SHAPES)), pieces, style, marked=("a1",)), "all", ("b2",), flipped)
    )
    marked = {name for name, node in drawn_squares(root).items() if "zb-marked" in node.attrib["class"].split()}
    assert marked == {"a1", "b2"}
    styled = root.findtext(f"{SVG}style") or ""
    used = {kind for node in root.iter() for kind in node.attrib.get("class", "").split()}
    assert all(kind == "zermelo-board" or kind.startswith("zb-") for kind in used), "no class of the page's"
    coloured = {kind for kind in used if kind.startswith(("zb-fill-", "zb-stroke-"))}
    assert coloured <= set(re.findall(r"\.(zb-[a-z-]+)", styled))
    assert not any("style" in node.attrib for node in root.iter()), "no inline styles"


def test_flipping_turns_the_board_and_keeps_the_colours() -> None:
    board = Board(squares(3, 4), style="checkered", columns=("a", "b", "c"), rows=("4", "3", "2", "1"))
    straight, turned = (drawn_squares(parsed(render(board, "x", (), flipped))) for flipped in (False, True))
    assert list(straight) == list(turned)[::-1]
    for name, node in straight.items():
        assert node.attrib["class"] == turned[name].attrib["class"]
    labels = [
        n.text for n in parsed(render(board, "x", (), True)).iter(f"{SVG}text") if n.attrib["class"] == "zb-label"
    ]
    assert labels == ["c", "b", "a", "1", "2", "3", "4"]


def corners_of(node: ElementTree.Element) -> set[tuple[int, int]]:
    """The corners of a hexagonal cell, in tenths of a pixel."""
    polygon = node.find(f"{SVG}polygon")
    assert polygon is not None
    points = (point.split(",") for point in polygon.attrib["points"].split())
    return {(round(10 * float(x)), round(10 * float(y))) for x, y in points}


@pytest.mark.parametrize("flipped", [False, True])
def test_hexagons_that_touch_are_the_neighbours(flipped: bool) -> None:
    game = Hex(5)
    cells = drawn_squares(parsed(draw(game, game.initial(), flipped=flipped)))
    names = [game.action_name(game.initial(), a) for a in range(game.cells)]
    for a, name in enumerate(names):
        corners = corners_of(cells[name])
        assert len(corners) == 6
        touching = {other for other in names if len(corners & corners_of(cells[other])) == 2}
        assert touching == {names[b] for b in range(game.cells) if game.near[a, 0] >> b & 1}


def test_edges_of_a_board_of_hexagons() -> None:
    board = Board(squares(3, 2), style="hexagons", edges=("red", "blue", "green", "grey"))
    for flipped, order in ((False, "red blue green grey"), (True, "green grey red blue")):
        root = parsed(render(board, "x", (), flipped))
        lines = [node.attrib for node in root.iter(f"{SVG}polyline")]
        assert [line["class"] for line in lines] == [f"zb-edge zb-stroke-{colour}" for colour in order.split()]
        ends = [(line["points"].split()[0], line["points"].split()[-1]) for line in lines]
        assert [end for _, end in ends] == [start for start, _ in (*ends[1:], ends[0])]  # once around the board
    assert "polyline" not in render(Board(squares(3, 2), style="hexagons"), "x")


def test_chess_depends_on_no_font() -> None:
    chess = games.load("chess")
    root = parsed(draw(chess, chess.initial()))
    assert all(node.attrib["class"] == "zb-label" for node in root.iter(f"{SVG}text"))
    assert root.attrib["aria-label"].startswith("Chess")
    assert drawn_squares(root)["e1"].attrib["aria-label"] == "e1: white king"
    assert drawn_squares(root)["a1"].attrib["class"] == "zb-square zb-dark"
    for kind in CHESSMEN:
        assert sum(f" {kind}" in node.attrib["aria-label"] for node in drawn_squares(root).values()) >= 2


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=20))
def test_whatever_somebody_writes_is_escaped(words: str) -> None:
    for hostile in (HOSTILE, words):
        piece = Piece(f"p{hostile}", "text", "red", hostile)
        board = Board(
            ((f"q{hostile}",),), {f"q{hostile}": piece}, cards=(hostile,), lines=(hostile,), columns=(hostile,)
        )
        root = parsed(render(board, f"t{hostile}"))
        assert not list(root.iter(f"{SVG}script"))
        assert drawn_squares(root)[f"q{hostile}"].attrib["aria-label"] == f"q{hostile}: p{hostile}"


def test_dice_and_cards_are_told_in_words() -> None:
    board = Board(dice=(3, 0, 12), cards=("K♠", "?", "10♥"), heaps=(("A", 60),), lines=("a line",))
    assert describe(board) == "A: 60; dice 3 rolling 12; cards K♠ face down 10♥; a line"
    root = parsed(render(board, "x"))
    assert sum(node.attrib["class"] == "zb-pip" for node in root.iter(f"{SVG}circle")) == 3
    assert "♠" not in "".join(node.text or "" for node in root.iter(f"{SVG}text"))  # drawn, not written
    wide = float(root.attrib["width"])
    assert wide < 700, "a large heap stands in several rows"
    assert describe(Board()) == "an empty board"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Piece("x", "star"), "a piece's shape is one of disc, crowned"),
        (lambda: Piece("x", "disc", "pink"), "a piece's colour is one of white, black"),
        (lambda: Board(style="marble"), "a board's style is one of lines"),
        (lambda: Board((("a", "b"), ("c",))), "all rows of a board have as many squares"),
        (lambda: Board((("a", "a"),)), "two squares of a board have the same name"),
        (lambda: Board((("a",),), {"b": Piece("x")}), "there is no square 'b' on the board"),
        (lambda: Board(style="hexagons", edges=("red",)), "edges are four of white, black"),
        (lambda: Board(style="hexagons", edges=("pink",) * 4), "edges are four of white, black"),
        (lambda: Board(edges=("red",) * 4), "edges are four of white, black"),
    ],
)
def test_mistakes_are_told(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        make()


def test_a_game_without_a_picture_is_shown_as_text() -> None:
    class Plain(Game):
        def initial(self) -> str:
            return HOSTILE

    root = parsed(draw(Plain(), HOSTILE))
    assert [node.text for node in root.iter(f"{SVG}text")] == [HOSTILE]


def test_columns_are_lettered() -> None:
    assert [letter(n) for n in (0, 25, 26, 27, 52, 701, 702)] == ["a", "z", "aa", "ab", "ba", "zz", "aaa"]


def test_a_move_is_pointed_out_where_it_goes() -> None:
    four = games.load("connect_four")
    s = four.play("4", "4")
    assert squares_of(four, s, four.action_named(s, "4")) == ("d3",)  # where the disc lands, not where one may click
    chess = games.load("chess")
    assert squares_of(chess, chess.initial(), chess.action_named(chess.initial(), "e4")) == ("e2", "e4")
    pig = games.load("pig")
    assert squares_of(pig, pig.initial(), pig.action_named(pig.initial(), "roll")) == ()


def test_show(tmp_path: Any) -> None:
    chess = games.load("chess")
    picture = show(chess, chess.play("e4"), marked=("e2", "e4"), flipped=True)
    assert str(picture) == chess.text(chess.play("e4"))
    picture.save(tmp_path / "e4.svg")
    assert (tmp_path / "e4.svg").read_text() == picture._repr_svg_()
    assert show(chess)._repr_svg_() == draw(chess, chess.initial())


def test_dice_under_cups_and_chips() -> None:
    board = Board(cups=(("Player 1", (3,)), ("Player 2", (0,))), chips=(("pot", 4), ("Player 1", 96.5)))
    assert describe(board) == "Player 1: 3; Player 2: hidden; pot: 4 chips; Player 1: 96.5 chips"
    drawn = render(board, "dice")
    parsed(drawn)
    assert (drawn.count('class="zb-pip"'), drawn.count('class="zb-chip"')) == (3, 2)
    assert text_of(board) == "Player 1 [3]\nPlayer 2 [?]\npot 4, Player 1 96.5"


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "liars_dice"])
def test_a_picture_of_what_a_player_sees_hides_the_rest(name: str) -> None:
    game = games.load(name)
    deals = [game.result(game.initial(), a) for a, _ in game.outcomes(game.initial())]
    for s in deals:
        same = {draw(game, game.seen_by(t, 0)) for t in deals if t.first == s.first}
        assert len(same) == 1
        assert draw(game, s) not in same
