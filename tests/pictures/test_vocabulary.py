"""What a board can show beyond squares and pieces: backgammon, checkers, cards and scores, drawn and written."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from typing import Any

import pytest

from zermelo import Play, games
from zermelo.game.board import Board, Piece, Track
from zermelo.game.board_text import points_of, text_of
from zermelo.pictures.svg import describe, render

SVG = "{http://www.w3.org/2000/svg}"
WHITE, BLACK = Piece("white", colour="white"), Piece("black")


def elements(board: Board, kind: str, flipped: bool = False) -> list[ElementTree.Element]:
    """The elements of a class."""
    root = ElementTree.fromstring(render(board, "x", (), flipped))
    return [node for node in root.iter() if kind in node.attrib.get("class", "").split()]


# Backgammon.

UPPER = ("13", "14", "15", "16", "17", "18", "bar of black", "19", "20", "21", "22", "23", "24", "off of black")
LOWER = ("12", "11", "10", "9", "8", "7", "bar of white", "6", "5", "4", "3", "2", "1", "off of white")
MEN = {
    "24": (WHITE, 2),
    "13": (WHITE, 5),
    "6": (WHITE, 7),
    "1": (BLACK, 2),
    "12": (BLACK, 5),
    "bar of black": (BLACK, 1),
    "off of white": (WHITE, 1),
}
BACKGAMMON = Board((UPPER, LOWER), style="backgammon", stacks=MEN, dice=(3, 5), cube=(4, 0), facing=True)


def test_a_board_of_backgammon_is_drawn() -> None:
    assert len(elements(BACKGAMMON, "zb-point")) == 24
    squares = {node.attrib["data-square"]: node for node in elements(BACKGAMMON, "zb-square")}
    assert set(squares) == {*UPPER, *LOWER} == BACKGAMMON.places
    assert squares["6"].attrib["aria-label"] == "6: 7 white"
    men = [node for node in squares["6"].iter(f"{SVG}g") if node.attrib.get("class") == "zb-piece"]
    assert len(men) == 5  # the rest is a number
    assert [node.text for node in squares["6"].iter(f"{SVG}text")] == ["7"]
    assert len(elements(BACKGAMMON, "zb-pip")) == 8
    assert [node.text for node in elements(BACKGAMMON, "zb-cube")] == ["4"]


def test_backgammon_is_seen_from_both_sides() -> None:
    def where(flipped: bool) -> dict[str, tuple[float, float]]:
        cells = {node.attrib["data-square"]: node[0].attrib for node in elements(BACKGAMMON, "zb-square", flipped)}
        return {name: (float(cell["x"]), float(cell["y"])) for name, cell in cells.items()}

    own, other = where(False), where(True)
    assert own["1"][0] > own["6"][0] > own["bar of white"][0] > own["7"][0]
    assert own["1"][1] > own["24"][1]
    assert other["1"][0] < other["6"][0] < other["bar of white"][0] < other["7"][0]
    assert other["1"][1] < other["24"][1]
    heights = [float(elements(BACKGAMMON, "zb-cube", flipped)[0].attrib["y"]) for flipped in (False, True)]
    assert heights[0] > heights[1]  # the cube stays with its owner


def test_backgammon_in_words_and_characters() -> None:
    assert describe(BACKGAMMON) == (
        "2 white on 24; 5 white on 13; 7 white on 6; 2 black on 1; 5 black on 12; 1 black on bar of black; "
        "1 white on off of white; dice 3 5; doubling cube 4, owned by player 1"
    )
    assert text_of(BACKGAMMON).splitlines() == [
        " 13 14 15 16 17 18 bar  19 20 21 22 23 24 off",
        "  O  ·  ·  ·  ·  ·  X    ·  ·  ·  ·  ·  O",
        "  O                 |                   O",
        "  O                 |",
        "  O                 |",
        "  O                 |",
        "                    |",
        "  X                 |    7",
        "  X                 |    O",
        "  X                 |    O",
        "  X                 |    O              X",
        "  X  ·  ·  ·  ·  ·  |    O  ·  ·  ·  ·  X 1O",
        " 12 11 10  9  8  7 bar   6  5  4  3  2  1 off",
        "O white, X black",
        "dice [3] [5]",
        "doubling cube 4, owned by player 1",
    ]


def test_a_backgammon_board_from_the_other_side_has_the_numbers_of_the_player_to_move() -> None:
    board = replace(BACKGAMMON, labels={str(n): str(25 - n) for n in range(1, 25)})
    shown = points_of(board, flipped=True)
    assert shown[0] == " off  24 23 22 21 20 19 bar  18 17 16 15 14 13"
    assert shown[1] == " 1O    X  ·  ·  ·  ·  O  |    ·  ·  ·  ·  ·  X"
    labels = [node.text for node in elements(board, "zb-label")]
    assert labels[:3] == ["12", "11", "10"]
    squares = {node.attrib["data-square"]: node for node in elements(board, "zb-square")}
    assert squares["6"].attrib["aria-label"] == "19: 7 white"


# Checkers.


def checkers() -> Board:
    numbers = iter(range(1, 33))
    rows = tuple(tuple(str(next(numbers)) if (x + y) % 2 else "" for x in range(8)) for y in range(8))
    king = Piece("white king", "crowned", "white")
    return Board(rows, {"1": BLACK, "32": WHITE, "18": king}, "checkered", numbered=True, facing=True)


def test_numbered_dark_squares() -> None:
    board = checkers()
    assert board.places == {str(n) for n in range(1, 33)}
    for flipped in (False, True):
        squares = elements(board, "zb-square", flipped)
        assert len(squares) == 32
        assert all("zb-dark" in node.attrib["class"] for node in squares)
        assert len(elements(board, "zb-light", flipped)) == 32
        names = [node.attrib["data-square"] for node in squares]
        assert [node.text for node in elements(board, "zb-number", flipped)] == names
    assert len(elements(board, "zb-crown")) == 1
    lines = text_of(board).splitlines()
    assert lines[0].split() == ["b", "2", "3", "4"]
    assert lines[4].split() == ["17", "W", "19", "20"]
    assert lines[7].split() == ["29", "30", "31", "w"]


# Cards and scores.


def test_cards_in_hands() -> None:
    board = Board(cards=("?",), hands=(("North", ("A♠", "10♥")), ("South", ("?", "?"))))
    assert board.places == {"A♠", "10♥"}  # what can be pointed at
    assert [node.attrib["data-square"] for node in elements(board, "zb-square")] == ["A♠", "10♥"]
    assert len(elements(board, "zb-back")) == 3
    assert describe(board) == "cards face down; North A♠ 10♥; South face down face down"
    assert text_of(board) == "[??]\nNorth [A♠] [10♥]\nSouth [??] [??]"


def test_score_tracks() -> None:
    board = Board(tracks=(Track("Player 1", 40, 100, 10, "red"), Track("Player 2", 120, 100)), dice=(4,))
    widths = [float(node.attrib["width"]) for node in elements(board, "zb-fill-red") + elements(board, "zb-fill-blue")]
    assert widths == [150, 120, 300, 300]  # at stake, safe; never longer than the track
    assert text_of(board).splitlines() == [
        "Player 1 [########++..........] 40 + 10 of 100",
        "Player 2 [####################] 120 of 100",
        "dice [4]",
    ]
    assert describe(board).endswith("Player 1: 40 of 100, 10 more at stake; Player 2: 120 of 100")


def test_pig_shows_its_die_and_its_scores() -> None:
    play = Play(games.load("pig"), seed=1)
    assert play.board(None, play.here).dice == ()
    play.move_named("roll")
    assert play.board(None, play.here).dice == (0,)  # it rolls
    play.draw()
    fell = play.here.action
    board = play.board(None, play.here)
    assert board.dice == (fell,)
    assert [track.name for track in board.tracks] == ["Player 1", "Player 2"]


def test_kuhn_poker_shows_the_cards_that_a_player_may_see() -> None:
    play = Play(games.load("kuhn_poker"), seed=1)
    play.draw()
    first, second = play.board(0, play.here).hands
    assert first == ("Player 1", ("?JQK"[play.state.first] + "♠",))
    assert second == ("Player 2", ("?",))
    assert "?" not in "".join(card for _, cards in play.board(None, play.here).hands for card in cards)


@pytest.mark.parametrize(
    ("name", "moves", "expected"),
    [
        ("tic_tac_toe", "1 4 2 5 3", {"1", "2", "3"}),
        ("connect_four", "4 4 5 5 6 6 7", {"d1", "e1", "f1", "g1"}),
        ("connect_four", "4 4 5 5 6 6", set()),
        ("chess", "f3 e5 g4 Qh4", {"e1"}),
    ],
)
def test_what_matters_is_highlighted(name: str, moves: str, expected: set[str]) -> None:
    game: Any = games.load(name)
    board = game.picture(game.play(*moves.split()))
    assert set(board.highlights) == expected
    assert ("check on e1" in describe(board)) == (name == "chess")


def test_a_chain_of_hex_is_highlighted() -> None:
    game: Any = games.load("hex", size=3, swap=False)
    board = game.picture(game.play("b1", "a1", "b2", "c3", "a3"))
    assert set(board.highlights) == {"b1", "b2", "a3"}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Board((("1", "2"),), style="backgammon"), "two rows of 14"),
        (lambda: Track("x", 1, 0), "a positive number"),
        (lambda: Track("x", 1, 2, colour="pink"), "a track's colour is one of"),
        (lambda: Board((("a",),), highlights={"a": "hot"}), "a highlight is one of check, winning"),
        (lambda: Board((("a", ""),), {"": WHITE}), "there is no square ''"),
    ],
)
def test_mistakes_are_told(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
