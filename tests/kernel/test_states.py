"""Fixed-width states: the border at which plain and compiled code agree."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo import Game, Random, analyse, bits, count_bits, i8, i16, lowest_bit, replaced, u8, u16, u64
from zermelo.game.hashing import mixed
from zermelo.game.state import field_layouts, is_fixed_width, normalise
from zermelo.kernel.parts import Part
from zermelo.kernel.routine import Routine, why_not_compiled


class Inner(NamedTuple):
    a: i8
    b: tuple[u8, u8]


class Nested(NamedTuple):
    word: u64
    inner: Inner
    small: i16


class Loose(NamedTuple):
    word: u64
    name: str


def test_a_width_wraps() -> None:
    assert (u8(257), i8(255), i8(128), u64(-1), u64(1 << 64)) == (1, -1, -128, 2**64 - 1, 0)
    assert u64.bounds == (0, 2**64 - 1)  # type: ignore[attr-defined]
    assert i8.bounds == (-128, 127)  # type: ignore[attr-defined]


def test_states_are_normalised_to_their_widths() -> None:
    state = Nested(-1, Inner(200, (256, 255)), 1 << 15)  # type: ignore[arg-type]
    assert normalise(state) == Nested(2**64 - 1, Inner(-56, (0, 255)), -(1 << 15))
    assert normalise("any other value") == "any other value"


def test_only_fixed_widths_compile() -> None:
    assert is_fixed_width(Nested)
    assert not is_fixed_width(Loose)
    with pytest.raises(TypeError, match=r"field Loose\.name is annotated str, which has no fixed width"):
        field_layouts(Loose)


class Words(NamedTuple):
    word: u64
    step: u8


class Arithmetic(Game):
    """One player; the rules are whatever arithmetic a test wants to see done the same in both modes."""

    players = 1
    max_actions = 64

    def initial(self) -> Words:
        return Words(0x8000_0000_0000_0001, 0)

    def to_move(self, s: Words) -> int:
        return 0

    def actions(self, s: Words) -> Any:
        for a in range(8):
            yield a

    def result(self, s: Words, a: int) -> Words:
        word = s.word
        if a == 0:
            word = (word | 1) >> 3  # in Numba alone: signed, and the shift drags the sign along
        elif a == 1:
            word = ~word
        elif a == 2:
            word = word * 0x9E3779B97F4A7C15
        elif a == 3:
            word = word << 7
        elif a == 4:
            word = word & -word
        elif a == 5:
            total = 0  # in Numba alone: joined with a u64, a float
            for i in bits(word):
                total |= word >> i
            word = total
        elif a == 6:
            word = u64(word + 3) >> 1  # what may leave 64 bits before it is shifted back is wrapped by hand
        else:
            word ^= 1 << 63
        return Words(word, s.step + 1)

    def is_terminal(self, s: Words) -> bool:
        return s.step >= 3

    def utility(self, s: Words, p: int) -> float:
        return float(s.word >> 1) + count_bits(s.word) + lowest_bit(s.word) + float(s.word % 1000)


def test_unsigned_words_are_the_same_in_both_modes() -> None:
    game = Arithmetic()
    plain = analyse(game, algorithm="minimax", compile=False)
    compiled = analyse(game, algorithm="minimax", compile=True)
    assert (plain.value, plain.line, plain.moves) == (compiled.value, compiled.line, compiled.moves)


class Narrow(NamedTuple):
    a: u8
    b: u16
    c: i8


class NarrowArithmetic(Game):
    """Numbers narrower than a word are ordinary integers: a difference may be negative."""

    players = 1

    def initial(self) -> Narrow:
        return Narrow(3, 250, -100)

    def to_move(self, s: Narrow) -> int:
        return 0

    def actions(self, s: Narrow) -> Any:
        for a in range(9):
            yield a

    def result(self, s: Narrow, a: int) -> Narrow:
        return Narrow(s.a + 1, s.b - s.a, a)

    def is_terminal(self, s: Narrow) -> bool:
        return s.c >= 0

    def utility(self, s: Narrow, p: int) -> float:
        x = s.a
        x -= s.b
        if s.c == 0:
            return s.a - s.b
        if s.c == 1:
            return -s.a
        if s.c == 2:
            return ~s.b
        if s.c == 3:
            return s.a * s.b * 1000
        if s.c == 4:
            return (s.a - s.b) // 7
        if s.c == 5:
            return (s.a - s.b) % 7
        if s.c == 6:
            return x
        if s.c == 7:
            return (s.a << 40) + float(s.a == s.b) + int(s.a < s.b)
        return (s.a - s.b) >> 2


def test_narrow_fields_are_ordinary_integers_in_both_modes() -> None:
    game = NarrowArithmetic()
    plain = analyse(game, algorithm="minimax", compile=False)
    compiled = analyse(game, algorithm="minimax", compile=True)
    assert [m.value for m in compiled.moves] == [m.value for m in plain.moves]
    assert [m.value for m in plain.moves][:3] == [-243, -4, -248]


class Moves(Part):
    """Moves for a routine to follow."""

    def __init__(self, moves: list[int]):
        self.list = np.array(moves, np.int64)


def follow(game: Any, s: Any, moves: Any, random: Any) -> Any:
    for i in range(len(moves.list)):
        s = game.result(s, moves.list[i])
    return s.word, game.key(s), random.bits(), random.uniform(), random.below(1000)


def test_keys_and_random_numbers_are_the_same_in_both_modes() -> None:
    game, routine = Arithmetic(), Routine(follow)
    for seed in range(20):
        moves = Moves([(seed * 7 + i) % 8 for i in range(5)])
        plain = routine.run_plain(game, game.initial(), moves, Random(seed))
        compiled = routine.compiled(game, moves, Random(seed))(game.initial())
        assert tuple(plain) == tuple(compiled)


@given(st.integers(0, 2**64 - 1))
def test_bits(word: int) -> None:
    assert [i for i in range(64) if word >> i & 1] == list(bits(word))
    assert count_bits(word) == len(list(bits(word)))
    assert lowest_bit(word) == next(bits(word), 64)


def test_replaced() -> None:
    assert replaced((1, 2, 3), 1, 9) == (1, 9, 3)


def test_keys_differ() -> None:
    keys = {mixed((a, b, (c, -c))) for a in range(20) for b in range(20) for c in range(20)}
    assert len(keys) == 8000
    assert mixed((1, 2)) != mixed((2, 1))
    assert len({mixed(((1, 2), (3,))), mixed(((1,), (2, 3))), mixed((1, 2, 3)), mixed((1, 2, 3, ()))}) == 4


def test_random_numbers_are_uniform() -> None:
    random = Random(1)
    rolls = [random.below(6) for _ in range(60_000)]
    assert all(abs(rolls.count(side) - 10_000) < 500 for side in range(6))
    assert abs(sum(random.uniform() for _ in range(10_000)) / 10_000 - 0.5) < 0.02
    assert Random(5).bits() == Random(5).bits() != Random(6).bits()


def test_splitmix64() -> None:
    """The first outputs for seed 1234567, as published with the reference implementation of SplitMix64."""
    random = Random(1234567)
    assert [random.bits() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


class Text(Game):
    def initial(self) -> str:
        return ""


def test_why_a_game_is_not_compiled() -> None:
    assert why_not_compiled(Arithmetic()) is None
    assert why_not_compiled(Text()) == "its states are of type str, not a NamedTuple of fixed-width integers"
