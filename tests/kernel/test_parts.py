"""Parts: what compiled code may call and read."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from zermelo import CompileError, Game, analyse, u8
from zermelo.kernel.parts import Part, blueprint, bound
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


class Counter(Part):
    """A settled part with a table that compiled code writes to."""

    settled = True

    def __init__(self, table: Any):
        self.table = table


def add_one(game: Any, s: Any, counter: Any) -> int:
    total = 0
    for i in range(len(counter.table)):
        counter.table[i] += 1
        total += counter.table[i]
    return total


ADD_ONE = Routine(add_one)


def test_an_array_replaced_on_a_settled_part_is_seen() -> None:
    game, counter = Loop(), Counter(np.array([1, 2], np.int64))
    assert ADD_ONE.compiled(game, counter)(game.initial()) == 5
    counter.table = np.array([10, 20, 30], np.int64)
    assert ADD_ONE.compiled(game, counter)(game.initial()) == 63
    assert list(counter.table) == [11, 21, 31]
    counter.table = np.array([0.5])  # an array of another type
    assert ADD_ONE.compiled(game, counter)(game.initial()) == 1.5
    del counter.table
    counter.table = np.array([7], np.int64)
    assert ADD_ONE.compiled(game, counter)(game.initial()) == 8


def test_a_settled_part_is_looked_at_once() -> None:
    counter = Counter(np.array([1, 2], np.int64))
    first = bound(counter)
    assert bound(counter) is first
    counter.table = counter.table.copy()
    assert bound(counter) is not first
    assert bound(counter).plan is first.plan  # which needs no compiling


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda part: pickle.loads(pickle.dumps(part))])
def test_the_copy_of_a_settled_part_has_its_own_arrays(copied: Any) -> None:
    game, counter = Loop(), Counter(np.array([1, 2], np.int64))
    ADD_ONE.compiled(game, counter)(game.initial())
    other = copied(counter)
    other.table = np.array([5], np.int64)
    assert ADD_ONE.compiled(game, other)(game.initial()) == 6
    assert ADD_ONE.compiled(game, counter)(game.initial()) == 7
    third = copied(counter)
    assert bound(third).address != bound(counter).address


@pytest.mark.parametrize("view", [lambda a: a[::2], lambda a: a[::-1], lambda a: a.reshape(3, 2).T[1]])
def test_compiled_code_writes_to_a_table_that_is_not_contiguous(view: Any) -> None:
    game, plain, compiled = Loop(), np.arange(6), np.arange(6)
    expected = ADD_ONE.run_plain(game, game.initial(), Counter(view(plain)))
    assert ADD_ONE.compiled(game, Counter(view(compiled)))(game.initial()) == expected
    assert list(compiled) == list(plain) != list(range(6))


def test_writing_to_a_read_only_table_or_one_of_foreign_byte_order_is_an_error() -> None:
    game = Loop()
    fixed = np.arange(3)
    fixed.flags.writeable = False
    for table in (fixed, np.array([1, 2], ">i8")):
        with pytest.raises(CompileError, match=r"make a writable copy"):
            ADD_ONE.compiled(game, Counter(table))


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


def scaled_sum(game: Any, s: Any, numbers: Any, factor: float, room: Any) -> float:
    total = 0.0
    for i in range(len(numbers)):
        total += numbers[i] * factor
    room[1, 0] = total
    return total


@pytest.mark.parametrize("kind", [np.int8, np.uint64, np.float32, np.float64])
def test_arguments_may_be_arrays(kind: Any) -> None:
    game, routine = Loop(), Routine(scaled_sum)
    for numbers in (np.array([1, 2, 3], kind), np.arange(12).astype(kind)[::4]):
        plain, compiled = np.zeros((2, 2)), np.zeros((2, 2))
        expected = routine.run_plain(game, game.initial(), numbers, 0.5, plain)
        assert routine.compiled(game, numbers, 0.5, compiled)(game.initial()) == expected
        assert compiled.tolist() == plain.tolist() == [[0, 0], [expected, 0]]


def twice(game: Any, s: Any, number: Any) -> Any:
    return number * 2


def test_arguments_may_be_numbers_of_numpy() -> None:
    game, routine = Loop(), Routine(twice)
    assert routine.compiled(game, np.float32(0.25))(game.initial()) == 0.5
    assert routine.compiled(game, np.int16(3))(game.initial()) == 6


@pytest.mark.parametrize("argument", ["text", [1, 2], None, (1, 2), np.array(["text"])])
def test_an_argument_of_another_kind_is_an_error(argument: Any) -> None:
    with pytest.raises(TypeError, match="twice takes numbers, arrays of numbers and parts as arguments, not a"):
        Routine(twice).compiled(Loop(), argument)
