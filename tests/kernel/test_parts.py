"""Parts: what compiled code may call and read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from zermelo import CompileError, Game, analyse, u8
from zermelo.kernel.parts import Part, blueprint
from zermelo.kernel.routine import Routine


class Moves(Part):
    """A list of moves for a routine to follow."""

    def __init__(self, moves: list[int]):
        self.list = np.array(moves, np.int64)


class Step(NamedTuple):
    n: u8


SCALE = 3


def helper(n: int) -> int:
    return SCALE * n


class Small(Game):
    """Two moves by one player; the parameters decide what they are worth."""

    players = 1
    utility_range = (-100, 100)

    def __init__(self, bonus: float = 0.0, table: tuple[float, ...] = (0, 1, 2)):
        self.bonus = bonus
        self.table = np.array(table, np.float64)
        self.names = {"for people": "only"}

    def initial(self) -> Step:
        return Step(0)

    def to_move(self, s: Step) -> int:
        return 0

    def actions(self, s: Step) -> Iterator[int]:
        yield from (1, 2)

    def result(self, s: Step, a: int) -> Step:
        return Step(s.n + a)

    def is_terminal(self, s: Step) -> bool:
        return s.n > 0

    def utility(self, s: Step, p: int) -> float:
        return self.bonus + self.table[s.n] + helper(s.n)

    def action_name(self, s: Step, a: int) -> str:
        return self.names["for people"] + str(a)


class Loop(Small):
    def actions(self, s: Step) -> Iterator[int]:
        for a in (1, 2):
            yield a


def test_constants_are_in_the_type_and_tables_are_not() -> None:
    one, other = blueprint(Loop(1.0)), blueprint(Loop(2.0))
    assert one.name != other.name
    assert one is blueprint(Loop(1.0, table=(5, 6, 7)))
    assert blueprint(Loop(1)).name != one.name  # 1 is not 1.0
    assert "names" not in one.constants


def test_tables_and_constants_reach_compiled_code() -> None:
    assert analyse(Loop(0.5), algorithm="minimax", compile=True).value == 8.5
    assert analyse(Loop(0.5, (0, 10, 2)), algorithm="minimax", compile=True).value == 13.5


def best_utility(game: Any, s: Any) -> float:
    value = -1000.0
    for a in game.actions(s):
        value = max(value, game.utility(game.result(s, a), 0))
    return value


BEST = Routine(best_utility)


def best(game: Game) -> float:
    """What the best move of a small game is worth, compiled; sooner than a search is."""
    return float(BEST.compiled(game)(game.initial()))


def test_a_table_may_change_between_searches() -> None:
    game = Loop()
    assert best(game) == 8
    game.table[2] = 50
    assert best(game) == 56
    game.table = np.array([0, 0, 7.0, 0])
    assert best(game) == 13
    game.table = np.arange(12.0)[::3]  # not contiguous
    assert best(game) == 12


def test_tables_of_any_byte_order_and_of_no_numbers() -> None:
    game = Loop()
    game.table = np.array([0, 1, 2]).astype(">f8")
    assert best(game) == 8
    game.table = np.array([0, 1, 2], ">i4")
    assert best(game) == 8
    game.words = np.array(["for", "people"])  # type: ignore[attr-defined]
    assert best(game) == 8


class Base(Loop):
    weight = 1

    def utility(self, s: Step, p: int) -> float:
        return self.weight * s.n


class Derived(Base):
    pass


def test_what_changes_in_a_running_program_is_seen() -> None:
    game = Derived()
    assert best(game) == 2
    Base.weight = 3
    assert best(game) == 6
    Derived.weight = 5  # an attribute that the class did not have
    assert best(game) == 10
    game.weight = 7
    assert best(game) == 14
    Derived.utility = lambda self, s, p: -s.n  # type: ignore[method-assign, assignment]
    assert best(game) == -1


class Signed(Loop):
    def utility(self, s: Step, p: int) -> float:
        return math.copysign(1.0, self.bonus)


def test_minus_zero_is_another_constant() -> None:
    assert [best(Signed(z)) for z in (0.0, -0.0, 0.0)] == [1, -1, 1]


def test_an_unknown_construct_names_the_method_and_the_line() -> None:
    with pytest.raises(CompileError, match=r"in Small\.actions, line \d+, `yield from \(1, 2\)`"):
        analyse(Small(), algorithm="minimax", compile=True)
    assert analyse(Small(), algorithm="minimax", compile=False).value == 8


def add_up(game: Any, s: Any, moves: Any, total: int = 0, factor: float = 1.0) -> float:
    for i in range(len(moves.list)):
        total += moves.list[i]
    return total * factor


def test_a_routine_starts_with_its_defaults() -> None:
    routine = Routine(add_up)
    game = Loop()
    assert routine.run_plain(game, game.initial(), Moves([1, 2, 3])) == 6
    assert routine.compiled(game, Moves([1, 2, 3]))(game.initial()) == 6
