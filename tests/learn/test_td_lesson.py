"""What one finished game teaches: the targets of TD(λ), computed here by the forward view."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from zermelo import CHANCE, Game, u8
from zermelo.kernel.random import Random
from zermelo.learn.td.lesson import LEARN, Lesson, look_back
from zermelo.learn.td.messages import receive, send
from zermelo.networks import Network, with_network

LENGTH = 6
RATE = 1e-3  # so small that the predictions hardly change within a game


class Corridor(NamedTuple):
    left: u8
    mover: u8


class Walk(Game):
    """Both players walk in turns, and player 0 wins at the end. Each place is a feature."""

    utility_range = (-1, 1)

    def initial(self) -> Corridor:
        return Corridor(LENGTH, 0)

    def to_move(self, s: Corridor) -> int:
        return s.mover

    def actions(self, s: Corridor) -> Iterator[int]:
        yield 1

    def result(self, s: Corridor, a: int) -> Corridor:
        return Corridor(s.left - 1, 1 - s.mover)

    def is_terminal(self, s: Corridor) -> bool:
        return s.left == 0

    def utility(self, s: Corridor, p: int) -> float:
        return 1.0 if p == 0 else -1.0

    def feature_names(self) -> tuple[str, ...]:
        return tuple(f"{left} left" for left in range(LENGTH + 1))

    def features(self, s: Corridor, p: int) -> Iterator[tuple[int, float]]:
        yield s.left, 1.0


def changes(trace: float, random_moves: set[int], ends_by_random_move: bool = False) -> tuple[Any, Any]:
    """Predictions for player 0 before a game's lesson, and how far it moves each, per unit of the rate.

    random_moves   the places of states that a random move has led to
    """
    network = Network(LENGTH + 1, ())
    network.first[0, :, 0] = np.linspace(-1.5, 1.0, LENGTH + 1)
    game = with_network(Walk(), network)
    before = np.array(network.first[0, :, 0])
    lesson, states = Lesson(network), [Corridor(left, (LENGTH - left) % 2) for left in range(LENGTH - 1, 0, -1)]
    for place, s in enumerate(states):
        assert lesson.record(game, s, place, place in random_moves)
    predicted = [(game.evaluate(s, 0) + 1) / 2 for s in states]
    look_back(game, lesson, Corridor(0, LENGTH % 2), len(states), ends_by_random_move, RATE, trace)
    moved = (np.array(network.first[0, :, 0]) - before) / RATE
    signs = [1 if s.mover == 0 else -1 for s in states]  # the network sees a state as the player to move does
    return np.array(predicted), np.array([sign * moved[s.left] for sign, s in zip(signs, states, strict=True)])


def forward_view(predicted: Any, place: int, end: int, last: float, trace: float) -> float:
    """The λ-return of a state (Sutton and Barto 2018, 12.1): (1 − λ) Σ λⁿ⁻¹ · V(n states later), and the end."""
    steps = end - place
    total = trace ** (steps - 1) * last
    for n in range(1, steps):
        total += (1 - trace) * trace ** (n - 1) * predicted[place + n]
    return float(total)


@pytest.mark.parametrize("trace", [0.0, 0.3, 0.7, 1.0])
def test_targets_are_those_of_the_forward_view(trace: float) -> None:
    predicted, moved = changes(trace, set())
    count = len(predicted)
    targets = np.array([forward_view(predicted, place, count, 1.0, trace) for place in range(count)])
    assert moved == pytest.approx(targets - predicted, abs=3e-3)
    assert np.ptp(targets) > 0.2 or trace == 1.0


@pytest.mark.parametrize("trace", [0.0, 0.6])
def test_a_state_before_a_random_move_is_not_corrected(trace: float) -> None:
    """It is where the returns of the states before it end."""
    predicted, moved = changes(trace, {3})
    assert moved[2] == 0
    for place in (3, 4):
        target = forward_view(predicted, place, 5, 1.0, trace)
        assert moved[place] == pytest.approx(target - predicted[place], abs=3e-3)
    for place in (0, 1):
        target = forward_view(predicted, place, 3, predicted[2], trace) if place < 1 else predicted[2]
        assert moved[place] == pytest.approx(target - predicted[place], abs=3e-3)


def test_a_random_last_move_teaches_nothing_about_the_last_state() -> None:
    _, moved = changes(0.5, set(), ends_by_random_move=True)
    assert moved[-1] == 0
    assert moved[0] != 0


class Toss(NamedTuple):
    tossing: u8
    result: u8


class Coin(Game):
    """Choose one of two coins; player 0 wins by heads, in any case."""

    utility_range = (-1, 1)
    chance = True

    def initial(self) -> Toss:
        return Toss(0, 0)

    def to_move(self, s: Toss) -> int:
        return CHANCE if s.tossing else 0

    def viewer(self, s: Toss) -> int:
        return 0

    def actions(self, s: Toss) -> Iterator[int]:
        yield 1
        yield 2

    def outcomes(self, s: Toss) -> Iterator[tuple[int, float]]:
        yield 1, 1.0

    def result(self, s: Toss, a: int) -> Toss:
        return Toss(s.tossing, a) if s.tossing else Toss(a, 0)

    def is_terminal(self, s: Toss) -> bool:
        return s.result > 0

    def utility(self, s: Toss, p: int) -> float:
        return 1.0 if p == 0 else -1.0

    def feature_names(self) -> tuple[str, ...]:
        return "nothing", "coin 1", "coin 2"

    def features(self, s: Toss, p: int) -> Iterator[tuple[int, float]]:
        yield s.tossing, 1.0


def test_a_game_that_chance_ends_teaches_also_after_a_random_move() -> None:
    """The toss is no random move of a player: what follows it is evidence."""
    network = Network(3, ())
    game = with_network(Coin(), network)
    lesson, random = Lesson(network), Random()
    played = LEARN.run_plain(game, game.initial(), lesson, random, 40, 10, 0.1, 0.0, 1.0)
    assert played == 40
    assert all(network.first[0, coin, 0] > 0.1 for coin in (1, 2))


def test_messages_of_workers_are_complete_or_none() -> None:
    stream = io.BytesIO()
    send(stream, {"number": 3}, np.arange(5, dtype=np.float32))
    whole = stream.getvalue()
    message, weights = receive(io.BytesIO(whole)) or ({}, None)
    assert message == {"number": 3}
    assert list(weights) == [0, 1, 2, 3, 4]
    for cut in (0, 5, len(whole) - 4, len(whole) - 1):
        assert receive(io.BytesIO(whole[:cut])) is None
