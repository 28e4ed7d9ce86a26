"""Go against OpenSpiel's: the legal moves at every ply of random games, and who wins them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from zermelo import Random
from zermelo.games.go import Go
from zermelo.kernel.history import remember
from zermelo.kernel.routine import Routine

pyspiel = pytest.importorskip("pyspiel", reason="there is no OpenSpiel here: pip install open_spiel")

GAMES = {3: 700, 5: 500, 9: 600, 13: 150, 19: 50}
"""How many games on boards of each size: 2,000."""


def list_all(game: Any, s: Any, moves: Any, legal: Any) -> float:
    """Note the legal moves before each of these moves, and return how far Black leads in the end."""
    room = np.zeros(400, np.int64)
    for ply in range(len(moves)):
        for i in range(game.list_actions(s, room)):
            legal[ply, room[i]] = 1
        s = game.result(s, moves[ply])
        remember(game, s)
    return game.lead(s)


def play(rules: Any, size: int, random: Random) -> tuple[list[int], list[list[int]], Any]:
    """A random game by OpenSpiel: its moves and the legal ones, numbered as here, and its last state.

    OpenSpiel calls a game that repeats a position a draw, so the game is followed up to there.
    """
    state, moves, legal = rules.new_initial_state(), [], []
    while not state.is_terminal():
        actions = state.legal_actions()
        a = actions[random.below(len(actions))]
        numbers = [size * (size + 1) if b == size * size else b // size * (size + 1) + b % size for b in actions]
        moves.append(numbers[actions.index(a)])
        legal.append(numbers)
        state.apply_action(a)
    return moves, legal, state


@pytest.mark.parametrize("size", GAMES)
def test_random_games(size: int) -> None:
    limit = 2 * size * size
    game = Go(size, komi=7.5, rules="simple_ko", limit=limit)
    rules = pyspiel.load_game("go", {"board_size": size, "komi": 7.5, "max_game_length": limit})
    routine, random, draws = Routine(list_all), Random(size), 0
    for number in range(GAMES[size]):
        moves, expected, last = play(rules, size, random)
        legal = np.zeros((len(moves), game.points + 1), np.int64)
        lead = routine.compiled(game, np.array(moves), legal)(game.initial())
        for ply, numbers in enumerate(expected):
            found = np.flatnonzero(legal[ply]).tolist()
            assert found == sorted(numbers), f"game {number}, ply {ply} of {moves}"
        draws += last.returns()[0] == 0
        if last.returns()[0] != 0:
            assert last.returns() == [1, -1] if lead > 0 else [-1, 1]
    assert draws < GAMES[size]
