"""Games whose rules ask how often a position has occurred: the search answers as brute force over whole paths does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from zermelo import Game, IllegalAction, StateError, analyse, u8

MODES = pytest.mark.parametrize("compile", [pytest.param(True, id="compiled"), pytest.param(False, id="plain")])


class Ring(NamedTuple):
    at: u8
    mover: u8


class RingWalk(Game):
    """In turn, one or two steps round a ring; who brings a position up again loses at once."""

    utility_range = (-1, 1)
    uses_history = True
    max_actions = 2

    def __init__(self, cells: int = 5):
        self.cells = cells

    def initial(self) -> Ring:
        return Ring(0, 0)

    def to_move(self, s: Ring) -> int:
        return s.mover

    def actions(self, s: Ring) -> Iterator[int]:
        for a in range(1, 3):
            yield a

    def result(self, s: Ring, a: int) -> Ring:
        return Ring((s.at + a) % self.cells, 1 - s.mover)

    def is_terminal(self, s: Ring) -> bool:
        return self.occurrences(self.key(s)) > 1

    def utility(self, s: Ring, p: int) -> float:
        return 1.0 if s.mover == p else -1.0  # the other has repeated


class NoRepeats(RingWalk):
    """The same, but a repetition is forbidden, and who cannot move loses."""

    def actions(self, s: Ring) -> Iterator[int]:
        for a in range(1, 3):
            if self.occurrences(self.key(self.result(s, a))) == 0:
                yield a

    def is_terminal(self, s: Ring) -> bool:
        one = self.occurrences(self.key(self.result(s, 1)))
        return one > 0 and self.occurrences(self.key(self.result(s, 2))) > 0

    def utility(self, s: Ring, p: int) -> float:
        return -1.0 if s.mover == p else 1.0


def brute_force(game: Game, path: list[Any], player: int) -> float:
    """Minimax over whole paths, the rules asked with all that came before."""
    rules, s = game.remembering(path), path[-1]
    if rules.is_terminal(s):
        return rules.utility(s, player)
    values = [brute_force(game, [*path, rules.result(s, a)], player) for a in list(rules.actions(s))]
    return max(values) if rules.to_move(s) == player else min(values)


@MODES
@pytest.mark.parametrize("kind", [RingWalk, NoRepeats])
def test_every_algorithm_and_option_agrees_with_brute_force(kind: type[RingWalk], compile: bool) -> None:
    for cells in [5] if compile else range(3, 8):  # each size is a program of its own
        game = kind(cells)
        right = brute_force(game, [game.initial()], 0)
        for algorithm in ("minimax", "alpha_beta", "star1", "star2", "beam", "expectiminimax"):
            for options in ({}, {"all_moves": True}, {"deepening": True}):
                found = analyse(game, algorithm=algorithm, compile=compile, **options)  # type: ignore[arg-type]
                assert (found.value, found.exact) == (right, True), (cells, algorithm, options)
        won = analyse(game, algorithm="and_or", compile=compile)
        assert won.value == (1 if right == 1 else 0)
        assert won.strategy is None


@MODES
def test_what_came_before_the_root_counts(compile: bool) -> None:
    game = NoRepeats(5)
    path = [game.initial()]
    for a in (1, 1, 2):
        path.append(game.result(path[-1], a))
        rules = game.remembering(path)
        if rules.is_terminal(path[-1]):
            break
        found = analyse(game, path[-1], history=path[:-1], compile=compile)
        assert found.value == brute_force(game, path, found.player)
    start = RingWalk().initial()
    with pytest.raises(StateError, match="is over in this state"):
        analyse(RingWalk(), start, history=[start], compile=compile)


def test_play_keeps_the_past_in_mind() -> None:
    game = NoRepeats(2)
    with pytest.raises(IllegalAction):
        game.play(2, 2, 2)
