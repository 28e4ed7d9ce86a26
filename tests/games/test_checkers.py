"""Checkers: published counts, captures against a brute-force oracle, draws, names and positions as text."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from zermelo import GameError, IllegalAction, StateError, games
from zermelo.arena.openings import openings_file, openings_from
from zermelo.games.checkers import Checkers, CheckersState, names
from zermelo.games.checkers.board import bit_of, square_of
from zermelo.search.perft import perft

COUNTS = (1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128)
"""Move sequences from the initial position, by length; published up to 11."""
WITHOUT_COPIES = 388617999
"""Of length 12, with captures by two routes that leave the same position counted once."""

GAME = Checkers()


def state(text: str) -> CheckersState:
    return GAME.from_fen(text)


def moves(text: str) -> set[str]:
    s = state(text)
    return {GAME.action_name(s, a) for a in GAME.legal(s)}


def test_perft() -> None:
    assert [perft(GAME, depth) for depth in range(10)] == list(COUNTS[:10])
    assert [perft(GAME, depth, compile=False) for depth in range(5)] == list(COUNTS[:5])


@pytest.mark.slow
def test_deep_perft() -> None:
    assert perft(GAME, 11) == COUNTS[11]
    assert perft(Checkers(repetitions=0, moves=0), 12) == WITHOUT_COPIES


# An oracle that knows squares by row and column, and nothing of bits.


def place(square: int) -> tuple[int, int]:
    row, column = divmod(square - 1, 4)
    return row, 2 * column + 1 - row % 2


SQUARES = {place(square): square for square in range(1, 33)}


def oracle(s: CheckersState) -> set[tuple[int, int, frozenset[int]]]:
    """The legal moves: where they begin and end, and what they capture."""
    pieces = {n: "bw"[bool(s.white >> bit_of(n) & 1)] for n in range(1, 33) if (s.black | s.white) >> bit_of(n) & 1}
    mine = "bw"[s.mover]
    steps, jumps = set(), set()
    for square in [n for n, colour in pieces.items() if colour == mine]:
        rows = (1, -1) if s.kings >> bit_of(square) & 1 else (1,) if mine == "b" else (-1,)
        ways = [(r, c) for r in rows for c in (1, -1)]
        row, column = place(square)
        for r, c in ways:
            to = SQUARES.get((row + r, column + c))
            if to is not None and to not in pieces:
                steps.add((square, to, frozenset[int]()))
        waiting: list[tuple[int, frozenset[int]]] = [(square, frozenset())]
        while waiting:
            at, taken = waiting.pop()
            row, column = place(at)
            further = False
            for r, c in ways:
                over, to = SQUARES.get((row + r, column + c)), SQUARES.get((row + 2 * r, column + 2 * c))
                if over is None or to is None or over in taken or pieces.get(over, mine) == mine:
                    continue
                if to == square or to not in pieces:
                    further = True
                    waiting.append((to, taken | {over}))
            if taken and not further:
                jumps.add((square, at, taken))
    return jumps or steps


def as_sets(s: CheckersState) -> list[tuple[int, int, frozenset[int]]]:
    found = []
    for a in GAME.actions(s):
        taken = frozenset(square_of(bit) for bit in range(35) if a >> 12 >> bit & 1)
        found.append((*names.ends(a), taken))
    return found


def random_state(dice: random.Random, pieces: int) -> CheckersState:
    words = [0, 0, 0]
    for square in dice.sample(range(1, 33), pieces):
        p = dice.randrange(2)
        words[p] |= 1 << bit_of(square)
        if dice.random() < 0.6 or (square > 28 if p == 0 else square < 5):
            words[2] |= 1 << bit_of(square)
    return CheckersState(words[0], words[1], words[2], dice.randrange(2), 0)


def test_moves_against_an_oracle() -> None:
    dice = random.Random(1)
    for _ in range(1500):
        s = random_state(dice, dice.randint(2, 16))
        found = as_sets(s)
        assert len(found) == len(set(found)), GAME.fen(s)
        assert set(found) == oracle(s), GAME.fen(s)
        assert GAME.count_actions(s) == len(found)


def test_names_are_read_back() -> None:
    dice = random.Random(2)
    for _ in range(400):
        s = random_state(dice, dice.randint(4, 14))
        legal = list(GAME.actions(s))
        shown = [GAME.action_name(s, a) for a in legal]
        assert len(set(shown)) == len(shown)
        for a, name in zip(legal, shown, strict=True):
            assert GAME.action_named(s, name) == a
            assert GAME.action_named(s, names.long_name(GAME, s, a)) == a
            for route in names.routes(GAME, s, a):
                assert GAME.action_named(s, "x".join(map(str, route))) == a
            for path in GAME.paths(s, a):
                assert [int(square) for square in path][:: len(path) - 1] == list(names.ends(a))


# The rules, one by one.


def test_captures_are_mandatory_and_go_on() -> None:
    assert moves("B:W15,23:B11,1") == {"11x27"}
    assert moves("B:W15,16:B11,12,1") == {"11x18", "11x20", "12x19"}, "any capture is allowed"
    with pytest.raises(IllegalAction, match="must capture"):
        GAME.action_named(state("B:W15:B11,1"), "1-5")


def test_men_do_not_capture_backwards_and_kings_do() -> None:
    assert moves("B:W11:B15") == {"15-18", "15-19"}
    assert moves("B:W11:BK15") == {"15x8"}


def test_crowning_ends_the_move() -> None:
    """The man on 22 lands on 31 and could jump on over 27 as a king."""
    s = state("B:W26,27:B22")
    assert moves("B:W26,27:B22") == {"22x31"}
    after = GAME.result(s, GAME.action_named(s, "22x31"))
    assert GAME.fen(after) == "W:W27:BK31"
    assert moves("B:W26,27:BK22") == {"22x24"}


def test_a_king_may_return_to_its_square() -> None:
    """Around four men: both directions are one move, whose result is one position."""
    s = state("B:W6,7,14,15:BK2")
    assert as_sets(s) == [(2, 2, frozenset({6, 7, 14, 15}))]
    a = next(iter(GAME.actions(s)))
    assert GAME.action_named(s, "2x9x18x11x2") == GAME.action_named(s, "2x11x18x9x2") == a
    assert GAME.action_name(s, a) == "2x2"
    assert GAME.fen(GAME.result(s, a)) == "W:W:BK2"


def test_two_captures_with_the_same_ends() -> None:
    """From 6 to 22 over 10 and 18, or over 9 and 17: short names would be ambiguous."""
    assert moves("B:W9,10,17,18:B6") == {"6x13x22", "6x15x22"}
    s = state("B:W9,10,17,18:B6")
    with pytest.raises(IllegalAction, match="ambiguous: 6x13x22 or 6x15x22"):
        GAME.action_named(s, "6x22")
    assert all(len(path) == 3 for a in GAME.legal(s) for path in GAME.paths(s, a))


@pytest.mark.parametrize(("text", "why"), [("W:W:B1", "capturing all pieces"), ("B:W14,9:B5", "blocking all pieces")])
def test_the_player_without_moves_loses(text: str, why: str) -> None:
    s = state(text)
    assert GAME.is_terminal(s)
    assert (GAME.utility(s, s.mover), GAME.utility(s, 1 - s.mover)) == (-1, 1)
    assert GAME.ending(s) == why


def walk(game: Checkers, start: str, *played: str) -> tuple[Any, CheckersState]:
    states = [game.from_fen(start)]
    for name in played:
        rules = game.remembering(states)
        states.append(game.result(states[-1], rules.action_named(states[-1], name)))
    return game.remembering(states), states[-1]


SHUFFLE = ("1-5", "32-28", "5-1", "28-32")


def test_draw_by_repetition() -> None:
    start = "B:WK32:BK1"
    rules, s = walk(GAME, start, *SHUFFLE, *SHUFFLE)
    assert rules.is_terminal(s)
    assert rules.utility(s, 0) == 0
    assert rules.ending(s) == "repetition"
    rules, s = walk(GAME, start, *SHUFFLE)
    assert not rules.is_terminal(s)
    assert rules.recurs(s)
    rules, s = walk(Checkers(repetitions=2), start, *SHUFFLE)
    assert rules.is_terminal(s)
    rules, s = walk(Checkers(repetitions=0), start, *SHUFFLE * 5)
    assert not rules.is_terminal(s)


def test_draw_without_progress() -> None:
    assert not GAME.is_terminal(state("B:WK32:BK1 79"))
    drawn = state("B:WK32:BK1 80")
    assert GAME.is_terminal(drawn)
    assert list(GAME.actions(drawn)) == []
    assert GAME.ending(drawn) == "40 moves without progress"
    assert not Checkers(moves=0).is_terminal(state("B:WK32:BK1 800"))
    assert Checkers(moves=10).is_terminal(state("B:WK32:BK1 20"))
    s = state("B:WK32:B1 7")
    assert GAME.result(s, GAME.action_named(s, "1-5")).clock == 0, "a man has moved"
    s = state("B:WK32:BK1 7")
    assert GAME.result(s, GAME.action_named(s, "1-5")).clock == 8


def test_positions_as_text() -> None:
    assert GAME.fen(GAME.initial()) == "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
    assert state("B:W21-32:B1-12.") == state('"B:B1-12:W21-32"') == GAME.initial()
    s = state("w:bk1,5:w30,K32 12")
    assert (s.mover, s.clock) == (1, 12)
    dice = random.Random(3)
    for _ in range(200):
        s = random_state(dice, dice.randint(1, 12))
        assert state(GAME.fen(s)) == s


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "write one as"),
        ("B:W18", "write one as"),
        ("X:W18:B1", "write one as"),
        ("B:W18:W1", "write one as"),
        ("B:W33:B1", "not on the board"),
        ("B:W18,x:B1", "not a piece"),
        ("B:W18:B18", "two pieces are on square 18"),
        ("B:W1:B5", "the man on square 1 would be a king"),
        ("B:W5:B32", "the man on square 32 would be a king"),
        ("B:W20-32:B1", "at most 12"),
        ("B:W:B", "no pieces"),
        ("B:WK32:BK1 70000", "at most 65535"),
    ],
)
def test_wrong_positions(text: str, why: str) -> None:
    with pytest.raises(StateError, match=why):
        state(text)


def test_wrong_states_and_parameters() -> None:
    with pytest.raises(StateError, match="beyond the board"):
        GAME.checked(CheckersState(1 << 8, 1, 0, 0, 0))
    with pytest.raises(StateError, match="king without an owner"):
        GAME.checked(CheckersState(1, 2, 4, 0, 0))
    with pytest.raises(GameError, match="repetitions"):
        Checkers(repetitions=-1)
    with pytest.raises(GameError, match="moves"):
        Checkers(moves=-1)
    with pytest.raises(IllegalAction, match="11-15, 22x15"):
        GAME.action_named(GAME.initial(), "e2e4")


def test_board() -> None:
    board = GAME.picture(state("B:W32,K30:BK1,5"))
    assert board.numbered
    assert {name: piece.name for name, piece in board.pieces.items()} == {
        "32": "white man",
        "30": "white king",
        "1": "black king",
        "5": "black man",
    }
    assert GAME.text(state("B:W32,K30:BK1,5")).splitlines()[0] == "    w    31     W    29"
    assert board.squares[0] == ("", "32", "", "31", "", "30", "", "29"), "Black sits below"
    assert board.squares[7] == ("4", "", "3", "", "2", "", "1", "")
    rows = [[name for name in row if name] for row in board.squares]
    assert all(int(above[0]) - 4 == int(below[0]) for above, below in pairwise(rows))


def test_evaluation_is_the_same_for_both_colours() -> None:
    """The board turned around with the colours exchanged is worth the same."""
    dice = random.Random(4)
    for _ in range(300):
        s = random_state(dice, dice.randint(2, 20))
        turned = CheckersState(*(_turned(word) for word in (s.white, s.black, s.kings)), 1 - s.mover, 0)
        assert GAME.evaluate(s, s.mover) == GAME.evaluate(turned, 1 - s.mover)
        assert GAME.evaluate(s, 0) == -GAME.evaluate(s, 1)


def _turned(word: int) -> int:
    return sum(1 << 34 - bit for bit in range(35) if word >> bit & 1)


def test_registered() -> None:
    assert games.load("checkers").title == "Checkers"


def test_three_move_openings() -> None:
    """The ballots lead to different positions."""
    openings = openings_from(openings_file("three_move", GAME), GAME)
    assert len(openings) == 156
    reached = set()
    for opening in openings:
        s = GAME.initial()
        for name in opening:
            s = GAME.result(s, GAME.action_named(s, name))
        reached.add(s)
    assert len(reached) == 156
    assert ("9-14", "23-19", "10-15") not in openings, "barred"
    with pytest.raises(ValueError, match="there is no file of openings 'four_move'"):
        openings_from(openings_file("four_move", GAME), GAME)


def test_games_without_a_file_have_no_lists_of_openings() -> None:
    """As a class that is written in a notebook."""
    made = type("Own", (Checkers,), {"__module__": "nowhere"})()
    assert openings_file("three_move", made) == Path("three_move")
    assert openings_file("games.txt", made) == Path("games.txt")
