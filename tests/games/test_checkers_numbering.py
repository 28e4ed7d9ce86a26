"""Numbers of positions: Chinook's counts, both directions in both modes, symmetry, and king against king solved."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from zermelo.games.checkers import Checkers, CheckersState
from zermelo.games.checkers.numbering import Material, Numbering, classes, count_positions, material_of
from zermelo.kernel.routine import Routine

CHINOOK = (120, 6_972, 261_224, 7_092_774, 148_688_232, 2_503_611_964, 34_779_531_480, 406_309_208_481)
"""Boards with 1, 2 … 8 pieces (Schaeffer and others, *Checkers is solved*, 2007; those of one colour included)."""

GAME, NUMBERING = Checkers(repetitions=0, moves=0), Numbering()


def wrong_numbers(
    game: Any, s: Any, numbering: Numbering, a: int, b: int, c: int, d: int, first: int, count: int, step: int
) -> int:
    """How many of these numbers are not those of their positions."""
    wrong = 0
    for i in range(count):
        index = first + i * step
        if numbering.index_of(numbering.state_at(a, b, c, d, index)) != index:
            wrong += 1
    return wrong


CHECK = Routine(wrong_numbers)


def test_counts() -> None:
    assert [count_positions(n) for n in range(1, 9)] == list(CHINOOK)
    assert str(Material(1, 2, 0, 1)) == "KKMvK"
    assert Material(0, 1, 0, 1).positions == 32 * 31


@pytest.mark.parametrize("pieces", [1, 2, 3, 4])
def test_every_number_has_its_position(pieces: int) -> None:
    """All of them up to three pieces, in compiled code; then a sample."""
    for material in classes(pieces):
        step = 1 if pieces <= 3 else 97
        check = CHECK.compiled(GAME, NUMBERING, *material, 0, -(-material.positions // step), step)
        assert check(GAME.initial()) == 0, material


def test_positions_of_a_class_differ_and_belong_to_it() -> None:
    for material in (Material(1, 0, 1, 0), Material(1, 1, 0, 0), Material(2, 0, 0, 0), Material(0, 0, 1, 1)):
        found = [NUMBERING.state_at(*material, index) for index in range(material.positions)]
        assert len(set(found)) == material.positions
        assert {material_of(s) for s in found} == {material}
        assert [NUMBERING.index_of(s) for s in found] == list(range(material.positions))
        for s in found[:: 1 + len(found) // 50]:
            GAME.checked(s)


def test_many_pieces_in_both_modes() -> None:
    dice = random.Random(5)
    for _ in range(60):
        material = dice.choice(classes(dice.randint(5, 10)))
        index = dice.randrange(material.positions)
        s = NUMBERING.state_at(*material, index)
        assert GAME.checked(s) == s
        assert material_of(s) == material
        assert NUMBERING.index_of(s) == index
    material = Material(3, 1, 2, 2)
    check = CHECK.compiled(GAME, NUMBERING, *material, 12_345, 2_000, material.positions // 2_001)
    assert check(GAME.initial()) == 0


def test_the_turned_board_shares_the_number() -> None:
    dice = random.Random(6)
    for _ in range(100):
        material = dice.choice(classes(dice.randint(2, 8)))
        s = NUMBERING.state_at(*material, dice.randrange(material.positions))
        words = (NUMBERING.turned(word) for word in (s.white, s.black, s.kings))
        turned = CheckersState(*words, 1, 0)
        GAME.checked(turned)
        assert material_of(turned) == material
        assert NUMBERING.index_of(turned) == NUMBERING.index_of(s)


def test_moves_lead_to_the_classes_named() -> None:
    dice = random.Random(7)
    for _ in range(400):
        material = dice.choice(classes(dice.randint(2, 7)))
        s = NUMBERING.state_at(*material, dice.randrange(material.positions))
        reached = {material_of(GAME.result(s, a)) for a in GAME.actions(s)}
        assert reached <= set(material.after()), material


def test_classes_are_in_an_order_to_build_them() -> None:
    for pieces in (2, 3, 4):
        order = classes(pieces)
        for place, material in enumerate(order):
            later = set(order[place + 1 :]) - {Material(*material[2:], *material[:2])}
            assert not later & set(material.after()), material


def test_king_against_king() -> None:
    """230 wins, 108 losses and 654 draws for the player to move: retrograde analysis of 992 positions."""
    king = Material(0, 1, 0, 1)
    states = [NUMBERING.state_at(*king, index) for index in range(king.positions)]
    values: dict[int, int] = {}
    while True:
        known = len(values)
        for index, s in enumerate(states):
            if index not in values:
                after = [GAME.result(s, a) for a in GAME.actions(s)]
                worth = [-1 if material_of(each) != king else values.get(NUMBERING.index_of(each), 0) for each in after]
                if any(value < 0 for value in worth):
                    values[index] = 1
                elif all(value > 0 for value in worth):
                    values[index] = -1
        if len(values) == known:
            break
    assert Counter(values.get(index, 0) for index in range(king.positions)) == {1: 230, -1: 108, 0: 654}


# Classes for tables: both players to move.


def test_classes_for_tables() -> None:
    names = GAME.class_names()
    assert names[:3] == ("KvK", "KvM", "MvM")
    assert len(set(names)) == len(names)
    boards = {n: sum(GAME.class_size(c) for c, name in enumerate(names) if len(name) == n + 1) for n in (2, 3, 4)}
    alone = {2: 3_484, 3: 65_192, 4: 883_458}  # boards with pieces of one colour, which have no class
    assert {n: boards[n] + alone[n] for n in boards} == dict(zip((2, 3, 4), CHINOOK[1:4], strict=True))
    for c in range(len(names)):
        assert all(after < c for after in GAME.classes_after(c)), names[c]
    assert GAME.class_of(Checkers().initial()) == -1
    assert GAME.class_of(GAME.from_fen("W:W:B1")) == -1
    assert {names[c] for c in GAME.classes_after(names.index("KMvK"))} == {"KvK", "KvM", "KKvK"}


def test_moves_stay_in_their_class_or_lead_to_those_before() -> None:
    """And within a class every move can be taken back."""
    dice = random.Random(8)
    for _ in range(300):
        c = dice.randrange(60)
        i = dice.randrange(GAME.class_size(c))
        s = GAME.state_at(c, i)
        assert (GAME.class_of(s), GAME.index_of(s)) == (c, i)
        for a in GAME.actions(s):
            after = GAME.result(s, a)
            reached = GAME.class_of(after)
            assert reached in (-1, c, *GAME.classes_after(c)), GAME.fen(s)
            if reached == c:
                assert s in [GAME.retract(after, back) for back in GAME.retractions(after)], GAME.fen(s)


def test_draw_rules_and_tables() -> None:
    game = Checkers()
    assert game.timeless().moves == game.timeless().repetitions == 0
    assert game.in_time(game.from_fen("B:WK32:BK1 70"), 10)
    assert not game.in_time(game.from_fen("B:WK32:BK1 70"), 11)
    assert game.timeless().in_time(game.from_fen("B:WK32:BK1 70"), 1000)
