"""Names that people read: of games, players and parameters. They match the pictures, and no Python shows through."""

from __future__ import annotations

import re
from typing import Any

import pytest

from zermelo import games
from zermelo.app.web.titles import RULES, title_of
from zermelo.games.resolve import parse_value, value_text

PYTHON = re.compile(r"None|True|False|[_()\[\]{}=]|\B'|'\B|player 0", re.IGNORECASE)
"""An apostrophe within a word is English."""


@pytest.mark.parametrize("name", games.names())
def test_titles_and_players(name: str) -> None:
    game = games.load(name)
    assert game.title == title_of(name)  # of the game, and where it is not loaded
    players = [game.player_name(p) for p in range(game.players)]
    assert len(set(players)) == game.players
    for words in (game.title, *players):
        assert not PYTHON.search(words)
        assert words[0].isupper()
    assert name in RULES


@pytest.mark.parametrize(
    ("name", "parameters", "expected"),
    [
        ("connect_four", {"width": 5}, "Connect Four (width 5)"),
        ("tic_tac_toe", {"m": 4, "n": 4}, "Tic-tac-toe (m 4, n 4)"),
        ("kuhn_poker", {}, "Kuhn poker"),
        ("chess", {"draws": "never"}, "Chess (draws never)"),
    ],
)
def test_unusual_parameters_are_part_of_the_title(name: str, parameters: dict[str, Any], expected: str) -> None:
    assert games.load(name, **parameters).title == expected


@pytest.mark.parametrize(
    ("name", "words"),
    [("connect_four", ("Red", "Yellow")), ("tic_tac_toe", ("X", "O")), ("othello", ("Black", "White"))],
)
def test_players_are_called_as_their_pieces(name: str, words: tuple[str, str]) -> None:
    game: Any = games.load(name)
    first, second = (game.player_name(p) for p in (0, 1))
    assert (first, second) == words
    s = game.initial()
    a = game.legal(s)[0]
    board = game.picture(game.result(s, a))
    names = {piece.name.casefold() for piece in board.pieces.values()}
    assert first.casefold() in names


@pytest.mark.parametrize("value", [3, 0.5, True, False, "claimed", "7", (3, 4), (5,), -1])
def test_values_are_read_as_they_are_written(value: Any) -> None:
    assert parse_value(value_text(value)) == value
    assert type(parse_value(value_text(value))) is type(value)


def test_values_are_written_for_people() -> None:
    assert [value_text(value) for value in (None, True, "claimed", (3, 4, 5))] == ["", "true", "claimed", "3, 4, 5"]
