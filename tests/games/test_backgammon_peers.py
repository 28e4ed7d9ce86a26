"""Backgammon beside OpenSpiel's: the same results of every roll in random games."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo import Random
from zermelo.games.backgammon import Backgammon, BackgammonState
from zermelo.games.backgammon.state import MOVING

pyspiel = pytest.importorskip("pyspiel", reason="there is no OpenSpiel here: pip install open_spiel")

GAME = Backgammon()
Checkers = tuple[int, int]
"""Both players' checkers, four bits for each place."""


def _shift(number: int) -> tuple[int, int, int]:
    """The player of a number that OpenSpiel shows, the bits of its place, and the checkers that a 1 means (0: more)."""
    if number >= 192:
        return (number - 192) // 3, 4 * (25, 0, 26)[(number - 192) % 3], 0
    p, point, kind = number // 96, number % 96 // 4, number % 4
    return p, 4 * (point + 1 if p else 24 - point), (kind + 1) % 4


PLACES = (1 << 4 * 26) - 1
SHIFTS = [_shift(number) for number in range(198)]


def checkers(state: Any) -> Checkers:
    """The position from what OpenSpiel shows to the first player: four numbers for each point, then bar and off.

    One, two or three checkers are a 1 in the first, second or third of the numbers, n > 3 checkers n - 3 in the fourth.
    """
    found = [0, 0]
    for number, value in enumerate(state.observation_tensor(0)[:198]):
        if value:
            p, shift, count = SHIFTS[number]
            found[p] += (count or 3 * (number < 192) + int(value)) << shift
    return found[0] & PLACES, found[1] & PLACES


def ours(s: BackgammonState) -> Checkers:
    return int(s.low[0]) | int(s.high[0]) << 64, int(s.low[1]) | int(s.high[1]) << 64


def ends_of_turn(state: Any, mover: int) -> dict[Checkers, Any]:
    """All states in which the turn can end; with doubles, OpenSpiel plays two dice at a time."""
    found, halves = {}, {}
    for a in state.legal_actions():
        after = state.child(a)
        if not after.is_terminal() and after.current_player() == mover:
            halves[tuple(after.observation_tensor(0))] = after
        else:
            found[checkers(after)] = after
    for half in halves.values():
        for a in half.legal_actions():
            after = half.child(a)
            found[checkers(after)] = after
    return found


def compare(games: int, seed: int) -> int:
    """The positions of so many random games; in each, the results of the roll are the same."""
    random, positions = Random(seed), 0
    rules = pyspiel.load_game("backgammon")
    for _ in range(games):
        state = rules.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[random.below(len(outcomes))][0])
                continue
            mover, dice = state.current_player(), sorted(map(int, state.observation_tensor(0)[198:]))
            first, second = checkers(state)
            low, high = (first % (1 << 64), second % (1 << 64)), (first >> 64, second >> 64)
            s = GAME.initial()._replace(low=low, high=high, phase=MOVING, mover=mover, dice=8 * dice[1] + dice[0])
            s = GAME.checked(s)
            results = [ours(GAME.result(s, a)) for a in GAME.legal(s)]
            theirs = ends_of_turn(state, mover)
            assert len(set(results)) == len(results)
            assert set(results) == set(theirs), (GAME.to_text(s), dice)
            positions += 1
            state = theirs[results[random.below(len(results))]]
    return positions


def test_the_results_of_every_roll() -> None:
    assert compare(8, 1) > 500


@pytest.mark.slow
def test_the_results_of_every_roll_in_5000_games() -> None:
    assert compare(5000, 2) > 250_000
