"""Saved games: written, read, and played again; and what is wrong with a file is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.arena_games import Lottery, Partners
from zermelo import CHANCE, GameError, IllegalAction, games, read_games
from zermelo.arena.openings import random_moves
from zermelo.play.chance import drawn, outcome_between
from zermelo.play.record import Record
from zermelo.play.seats import seat_of, seats_of


@pytest.mark.parametrize("name", games.names())
def test_every_game_is_written_read_and_played_again(name: str) -> None:
    game = games.load(name)
    moves, states = random_moves(game, 200, 7)
    record = Record(name, moves, players=("a", "b"), seed=7, ended="rules")
    again = Record.from_json(json.loads(record.line()))
    assert again == record
    assert again.states() == states


def test_parameters_come_back_as_they_were() -> None:
    record = Record("nim", (), {"piles": (1, 2, 3)})
    again = Record.from_json(json.loads(record.line()))
    assert again.parameters == {"piles": (1, 2, 3)}
    assert again.load().name == games.load("nim", piles=(1, 2, 3)).name


def test_chance_that_cannot_be_listed_is_drawn_again_by_the_seed() -> None:
    game = Lottery()
    s = game.initial()
    after = drawn(game, s, 5, 0)
    assert outcome_between(game, s, after) is None
    assert Record("lottery", (None,), seed=5).states(game) == [s, after]
    assert len({drawn(game, s, seed, 0) for seed in range(20)}) > 10


def test_what_a_later_version_adds_is_kept() -> None:
    data = {"zermelo": "game", "game": "nim", "moves": [], "comments": ["well played"]}
    assert Record.from_json(data).to_json() == data


def test_files_of_games(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    first, second = Record("tic_tac_toe", ("1",)), Record("tic_tac_toe", ("2", "1"))
    path.write_text(f'{{"zermelo": "tournament"}}\n{first.line()}\n{second.line()}\n{first.line()[:20]}')
    assert list(read_games(path)) == [first, second]  # the last line was never finished


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]\n", "line 1 is not a JSON object"),
        ("{}\nnonsense\n", "line 2 is not JSON"),
        ('{"zermelo": "game", "moves": []}\n', "'game' is a name"),
        ('{"zermelo": "game", "game": "nim", "moves": [3]}\n', "'moves' is a list of names"),
        ('{"zermelo": "game", "game": "nim", "moves": [], "seed": "x"}\n', "'seed' is a whole number"),
        ('{"zermelo": "game", "game": "nim", "moves": [], "utilities": [NaN]}\n', "'utilities' is a list of numbers"),
        ('{"zermelo": "game", "game": "nim", "moves": [], "parameters": 3}\n', "'parameters' is an object"),
        (
            '{}\n{"zermelo": "game", "game": "nim", "moves": [], "number": "x"}\n',
            "line 2: .*'number' is a whole number",
        ),
        ('{"zermelo": "game", "game": "nim", "moves": [], "pair": [1]}\n', "'pair' is a whole number"),
        ('{"zermelo": "game", "game": "nim", "moves": [], "ended": 5}\n', "'ended' is a word"),
        ('{"zermelo": "game", "game": "nim", "moves": [], "charged": "a"}\n', "'charged' is a seat"),
        ('{"zermelo": "game", "game": "nim", "moves": [], "players": ["a"], "charged": 1}\n', "'charged' is a seat"),
        ('{"zermelo": "game", "game": "nim", "moves": [], "players": ["a"], "movers": [1]}\n', "'movers' is a list of"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(text)
    with pytest.raises(GameError, match=message):
        list(read_games(path))


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (("1", "1"), "'1' is not a legal move"),
        (("1", None), "move 2: only chance may be null"),
        (("1", "4", "2", "5", "3", "6"), "move 6: '6' follows the end of the game of Tic-tac-toe"),
    ],
)
def test_a_game_that_cannot_have_been_played(moves: tuple[Any, ...], message: str) -> None:
    with pytest.raises(IllegalAction, match=message):
        Record("tic_tac_toe", moves).states()


def test_who_did_better() -> None:
    game = games.load("tic_tac_toe")
    assert Record("", (), utilities=(1.0, -1.0)).points(game, 0) == 1
    assert Record("", (), utilities=(1.0, -1.0)).points(game, 1) == 0
    assert Record("", (), utilities=(0.0, 0.0)).points(game, 1) == 0.5
    faulty = Record("", (), charged=0, ended="time")
    assert (faulty.points(game, 0), faulty.points(game, 1)) == (0, 1)
    assert (faulty.worth(game, 0), faulty.worth(game, 1)) == (-1, 1)
    three = games.load("coalition")
    assert Record("", (), utilities=(0.0, 0.5, 0.5)).points(three, 1) == 0.75


def test_partners_sit_together() -> None:
    game = Partners()
    assert seats_of(game) == [[0, 2], [1, 3]]
    assert [seat_of(game, p) for p in range(4)] == [0, 1, 0, 1]
    assert game.to_move(game.initial()) != CHANCE
