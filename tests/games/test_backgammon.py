"""Backgammon: moves, ends and the doubling cube."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from walks import check_names, states_of_random_play

from zermelo import CHANCE, Random
from zermelo.game.errors import GameError, IllegalAction
from zermelo.game.hashing import SEED, mix
from zermelo.games.backgammon import Backgammon, BackgammonState
from zermelo.games.backgammon.checkers import BAR, OFF, count_at, pips
from zermelo.games.backgammon.state import ANSWERING, CENTRE, CUBE, MOVING, OPENING, OVER, ROLLING
from zermelo.kernel.routine import Routine

START = {24: 2, 13: 5, 8: 3, 6: 5}
GAME = Backgammon()
MONEY = Backgammon(cube=True)


def words(counts: dict[int, int]) -> tuple[int, int]:
    """One side's checkers by their places, as two words; those that are not mentioned are borne off."""
    every = {**counts, OFF: 15 - sum(counts.values())}
    whole = sum(number << 4 * place for place, number in every.items())
    return whole & (1 << 64) - 1, whole >> 64


def position(
    own: dict[int, int], other: dict[int, int], dice: str = "", game: Backgammon = GAME, **changes: Any
) -> BackgammonState:
    """A position in which player 0 is to move, each side's checkers by its own numbers."""
    (a, b), (c, d) = words(own), words(other)
    s = game.initial()._replace(low=(a, c), high=(b, d), phase=ROLLING)
    if dice:
        s = s._replace(phase=MOVING, dice=8 * int(max(dice)) + int(min(dice)))
    return game.checked(s._replace(**changes))


def named(s: BackgammonState, game: Backgammon = GAME) -> set[str]:
    return {game.action_name(s, a) for a in game.legal(s)}


# Moves.


def count_results(game: Any, s: Any, plies: int) -> int:
    """How many results all rolls have after so many plies."""
    count = 0
    for dice in range(9, 64):
        if dice & 7 and dice & 7 <= dice >> 3 < 7:
            rolled = s._replace(dice=dice, phase=MOVING)
            for a in game.actions(rolled):
                count += 1 if plies == 1 else count_results(game, game.result(rolled, a), plies - 1)
    return count


@pytest.mark.slow
def test_the_number_of_results_from_the_start() -> None:
    assert count_results(GAME, GAME.initial(), 1) == 447
    program = Routine(count_results)
    assert [program.compiled(GAME, plies)(GAME.initial()) for plies in (1, 2)] == [447, 202_782]


@pytest.mark.parametrize(("dice", "count"), [("11", 42), ("65", 7)])
def test_the_number_of_moves_of_a_roll(dice: str, count: int) -> None:
    assert len(GAME.legal(position(START, START, dice))) == count


@pytest.mark.parametrize(
    ("own", "other", "dice", "moves"),
    [
        ({13: 1, 1: 14}, {20: 2}, "53", {"13/8"}),  # either die, not both: the larger one
        ({13: 1, 1: 14}, {20: 2, 17: 2}, "53", {"13/10"}),  # only the smaller one
        ({25: 2, 6: 13}, START, "61", {"bar/24"}),  # one of two enters
        ({25: 1, 6: 13}, START, "61", {"bar/18"}),
        ({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2), "61", {"no move"}),  # a closed board
        ({25: 1, 6: 2}, {4: 1, 6: 1}, "41", {"bar/20", "bar/24 6/2", "bar/21* 6/5", "bar/21*/20"}),
        ({25: 3, 6: 12}, {}, "33", {"bar/22(3) 6/3", "bar/22(2) bar/19"}),
        ({6: 1, 3: 2}, {1: 2}, "64", {"6/off 3/off", "6/2 3/off"}),  # larger dice take the rearmost checker
        ({5: 2, 3: 2}, {1: 2}, "64", {"5/1 5/off"}),
        ({8: 1, 6: 2}, {1: 2}, "62", {"8/2 6/4", "8/off"}),  # all checkers must be home to bear off
        ({2: 1}, {1: 2}, "66", {"2/off"}),
        ({24: 1, 13: 1}, {1: 13}, "52", {"24/17", "24/19 13/11", "24/22 13/8", "13/6"}),
        ({13: 4}, {1: 2}, "22", {"13/5", "13/11 13/7", "13/9(2)", "13/11(2) 13/9", "13/11(4)"}),
        ({24: 1, 8: 2, 1: 12}, {21: 1, 5: 2}, "44", {"8/4*(2)"}),
    ],
)
def test_moves(own: dict[int, int], other: dict[int, int], dice: str, moves: set[str]) -> None:
    assert named(position(own, other, dice)) == moves


Side = tuple[int, ...]


def may_step(own: Side, other: Side, place: int, die: int) -> bool:
    """May a checker move from a place by a die? The rules as one would tell them."""
    target = place - die
    if own[place] == 0 or (own[BAR] and place != BAR):
        return False
    if target > 0:
        return other[25 - target] < 2
    return not any(own[7:]) and (target == 0 or not any(own[place + 1 :]))


def stepped(own: Side, other: Side, place: int, die: int) -> tuple[Side, Side]:
    mine, theirs, target = list(own), list(other), max(place - die, 0)
    mine[place] -= 1
    mine[target] += 1
    if target and theirs[25 - target]:
        theirs[25 - target], theirs[BAR] = 0, theirs[BAR] + 1
    return tuple(mine), tuple(theirs)


def all_results(own: Side, other: Side, dice: tuple[int, ...]) -> set[tuple[Side, Side]]:
    """The results of all sequences of steps that use as many dice as possible; of one die, the larger."""
    found: dict[int, set[tuple[Side, Side]]] = {}

    def go(own: Side, other: Side, left: tuple[int, ...]) -> None:
        used = sum(dice) if not left else len(dice) - len(left) + (sum(dice) - sum(left)) / 100
        found.setdefault(int(100 * used), set()).add((own, other))
        for die in set(left):
            rest = list(left)
            rest.remove(die)
            for place in range(1, 26):
                if may_step(own, other, place, die):
                    go(*stepped(own, other, place, die), tuple(rest))

    go(own, other, dice)
    return found[max(found)]


def sides(s: BackgammonState, first: int) -> tuple[Side, Side]:
    counts = [tuple(count_at(s.low[p], s.high[p], place) for place in range(26)) for p in range(2)]
    return counts[first], counts[1 - first]


def check_against_all_results(states: list[BackgammonState]) -> None:
    for s in states:
        if s.phase == MOVING:
            larger, smaller = s.dice >> 3, s.dice & 7
            dice = (larger,) * 4 if larger == smaller else (larger, smaller)
            results = [sides(GAME.result(s, a), s.mover) for a in GAME.legal(s)]
            assert len(set(results)) == len(results), "every result once"
            assert set(results) == all_results(*sides(s, s.mover), dice), (GAME.to_text(s), larger, smaller)


def random_position(random: Random) -> BackgammonState:
    """Checkers anywhere, up to half of them borne off."""
    while True:
        own: Counter[int] = Counter(random.below(25) + 1 for _ in range(15 - random.below(8)))
        other: Counter[int] = Counter()
        free = [place for place in range(1, 26) if place == BAR or not own[25 - place]]
        for _ in range(15 - random.below(8)):
            other[free[random.below(len(free))]] += 1
        if random.below(2):  # all home, to bear off
            own = Counter({place % 6 + 1: 0 for place in own}) + Counter(
                (place - 1) % 6 + 1 for place in own.elements()
            )
            other = Counter({place: n for place, n in other.items() if place == BAR or not own[25 - place]})
        if other:
            return position(dict(own), dict(other), f"{random.below(6) + 1}{random.below(6) + 1}")


def test_moves_are_those_of_a_search_through_all_sequences() -> None:
    check_against_all_results([s for s in states_of_random_play(GAME, 2) if s.dice >> 3 != s.dice & 7])
    random = Random(5)
    check_against_all_results([random_position(random) for _ in range(120)])


@pytest.mark.slow
def test_moves_are_those_of_a_search_through_all_sequences_in_many_positions() -> None:
    random = Random(7)
    check_against_all_results([random_position(random) for _ in range(10_000)])


def rules_digest(game: Any, s: Any) -> int:
    """A number mixed from what the rules say about a state; the network's values may differ in the last bits."""
    key = mix(mix(SEED, game.to_move(s)), game.key(s))
    if game.is_terminal(s):
        return mix(key, int(game.utility(s, 0)))
    if game.to_move(s) == CHANCE:
        for outcome, probability in game.outcomes(s):
            key = mix(mix(key, int(probability * 1048576.0)), game.key(game.result(s, outcome)))
    else:
        for a in game.actions(s):
            key = mix(mix(key, a), game.key(game.result(s, a)))
    return key


@pytest.mark.parametrize("game", [GAME, Backgammon(cube=True, jacoby=True, beavers=True), Backgammon(True, 3)])
def test_both_modes_and_names(game: Backgammon) -> None:
    states = states_of_random_play(game, 2, seed=3)
    program = Routine(rules_digest).compiled(game)
    for s in states[::3]:
        assert program(s) == rules_digest(game, s), s
    check_names(game, [s for s in states[::5] if s.phase != OVER])


# Notation.


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("8/5 6/5", "8/5 6/5"),
        ("6/5 8/5", "8/5 6/5"),
        ("8/5  6/5 ", "8/5 6/5"),
        ("24/23 24/21", "24/23 24/21"),
        ("24/21/20", "24/20"),
        ("24/20", "24/20"),
        ("24/23/20", "24/20"),
        ("24-20", "24/20"),
        ("24/23, 13/10", "24/23 13/10"),
    ],
)
def test_moves_are_read_in_any_order(text: str, name: str) -> None:
    s = position(START, START, "31")
    found = GAME.action_named(s, text)
    assert GAME.action_name(s, found) == GAME.action_name(s, GAME.action_named(s, name))


def test_hits_need_no_mark_unless_they_decide() -> None:
    s = position({25: 1, 6: 14}, {4: 1, 6: 9}, "41")
    assert GAME.action_name(s, GAME.action_named(s, "bar/21 6/5")) == "bar/21* 6/5"
    for text, name in (("25/20", "bar/20"), ("bar/21/20", "bar/21*/20"), ("bar/21*/20", "bar/21*/20")):
        assert GAME.action_name(s, GAME.action_named(s, text)) == name
    s = position({25: 2, 6: 13}, {20: 15}, "55")
    assert GAME.action_name(s, GAME.action_named(s, "6/1(2) bar/20(2)")) == "bar/20(2) 6/1(2)"
    assert GAME.action_name(s, GAME.action_named(s, "bar/20 bar/20 6/1 6/1")) == "bar/20(2) 6/1(2)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("24/20 13/12", "not a legal move"),
        ("24/x", "not a legal move"),
        ("", "not a legal move"),
        ("8/4 6/5", "not a legal move"),
        ("24/21(5)", "not a legal move"),
        ("٢/1", "not a legal move"),
    ],
)
def test_moves_that_are_not_legal(text: str, message: str) -> None:
    with pytest.raises(IllegalAction, match=message):
        GAME.action_named(position(START, START, "31"), text)


def test_rolls_are_read() -> None:
    s = position(START, START)
    assert {GAME.action_named(s, text) for text in ("6-3", "63", "36", "3 6", "6,3")} == {63}
    first = GAME.initial()
    assert GAME.result(first, GAME.action_named(first, "3-6")).mover == 1
    for text, message in (("7-1", "not a roll"), ("6", "not a roll"), ("0-0", "not a roll"), ("six", "not a roll")):
        with pytest.raises(IllegalAction, match=message):
            GAME.action_named(s, text)
    with pytest.raises(IllegalAction, match="equal numbers are rolled again"):
        GAME.action_named(first, "44")


# Dice and ends.


def test_the_dice() -> None:
    opening = dict(GAME.outcomes(GAME.initial()))
    assert len(opening) == 30
    assert sum(opening.values()) == pytest.approx(1)
    later = dict(GAME.outcomes(position(START, START)))
    assert len(later) == 21
    assert later[66] == pytest.approx(1 / 36)
    assert later[65] == pytest.approx(1 / 18)
    assert sum(later.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        ({1: 14}, 1),  # one checker is off
        ({1: 15}, 2),
        ({18: 1, 1: 14}, 2),
        ({19: 1, 1: 14}, 3),  # on the winner's home board
        ({25: 1, 1: 14}, 3),  # on the bar
        ({25: 1, 1: 13}, 1),
    ],
)
def test_single_gammon_and_backgammon(loser: dict[int, int], points: int) -> None:
    for doubles, owner in ((0, CENTRE), (2, 0)):
        s = position({1: 1}, loser, "21", MONEY, cube=doubles, owner=owner)
        end = MONEY.result(s, MONEY.action_named(s, "1/off"))
        assert MONEY.is_terminal(end)
        assert MONEY.utility(end, 0) == -MONEY.utility(end, 1) == points << doubles


def count_ends(game: Any, s: Any, games: int, random: Any, worth: Any) -> int:
    """Play random games, and count how many points they were worth."""
    plies = 0
    for _ in range(games):
        at = s
        while not game.is_terminal(at):
            plies += 1
            if game.to_move(at) == CHANCE:
                at = game.draw(at, random)
            else:
                at = game.result(at, game.nth_action(at, random.below(game.count_actions(at))))
        worth[int(abs(game.utility(at, 0)))] += 1
    return plies


@pytest.mark.slow
def test_how_random_games_end() -> None:
    worth = np.zeros(4, np.int64)
    games = 5_000
    plies = Routine(count_ends).compiled(GAME, games, Random(1), worth)(GAME.initial())
    assert worth.sum() == games
    assert [round(100 * number / games, 1) for number in worth[1:]] == pytest.approx([37.9, 36.4, 25.8], abs=2.1)
    assert plies / games > 100


# The doubling cube.


def played(game: Backgammon, s: BackgammonState, *moves: str) -> BackgammonState:
    for move in moves:
        s = game.result(s, game.action_named(s, move))
    return s


def test_double_take_redouble_drop() -> None:
    s = played(MONEY, MONEY.initial(), "31", "8/5 6/5")
    assert (s.phase, s.mover) == (CUBE, 1)
    assert named(s, MONEY) == {"roll", "double"}
    s = played(MONEY, s, "double")
    assert (s.phase, s.mover) == (ANSWERING, 0)
    assert named(s, MONEY) == {"take", "drop"}
    dropped = played(MONEY, s, "drop")
    assert MONEY.is_terminal(dropped)
    assert MONEY.utility(dropped, 1) == 1
    s = played(MONEY, s, "take")
    assert (s.phase, s.mover, s.cube, s.owner) == (ROLLING, 1, 1, 0)
    s = played(MONEY, s, "31", "8/5 6/5")
    assert s.phase == CUBE, "the owner may redouble"
    s = played(MONEY, s, "double", "take", "31", "6/2")
    assert (s.phase, s.cube, s.owner) == (CUBE, 2, 1)
    s = played(MONEY, s, "double", "drop")
    assert MONEY.utility(s, 1) == 4


def test_only_the_owner_may_double() -> None:
    s = played(MONEY, MONEY.initial(), "31", "8/5 6/5", "double", "take", "31", "8/5 6/5", "roll", "31", "6/2")
    assert (s.phase, s.mover, s.owner) == (ROLLING, 1, 0)


def test_the_cube_ends_at_64() -> None:
    s = position(START, START, game=MONEY, cube=6, owner=0)
    assert not MONEY.may_double(s)
    beavers = Backgammon(cube=True, beavers=True)
    s = position(START, START, game=beavers, cube=5, owner=1, phase=ANSWERING)
    assert named(s, beavers) == {"take", "drop"}, "a beaver would turn the cube to 128"


def test_without_a_cube_nobody_doubles() -> None:
    assert played(GAME, GAME.initial(), "31", "8/5 6/5").phase == ROLLING


def test_a_beaver_keeps_the_cube() -> None:
    game = Backgammon(cube=True, beavers=True)
    s = played(game, game.initial(), "31", "8/5 6/5", "double")
    assert named(s, game) == {"take", "drop", "beaver"}
    s = played(game, s, "beaver")
    assert (s.cube, s.owner, s.mover, s.phase) == (2, 0, 1, ROLLING)


@pytest.mark.parametrize(("owner", "doubles", "points"), [(CENTRE, 0, 1), (0, 1, 6), (1, 1, 6)])
def test_jacoby(owner: int, doubles: int, points: int) -> None:
    game = Backgammon(cube=True, jacoby=True)
    s = position({1: 1}, {25: 1, 1: 14}, "21", game, owner=owner, cube=doubles)
    assert game.utility(played(game, s, "1/off"), 0) == points


# Matches.


def win(game: Backgammon, score: tuple[int, int], loser: dict[int, int], **changes: Any) -> BackgammonState:
    """The state after player 0 has borne off the last checker."""
    return played(game, position({1: 1}, loser, "21", game, score=score, **changes), "1/off")


def test_a_match_goes_on_with_a_new_game() -> None:
    game = Backgammon(cube=True, points=5)
    s = win(game, (1, 2), {1: 14})
    assert (s.phase, s.score, s.cube, s.owner, s.crawford) == (OPENING, (2, 2), 0, CENTRE, 0)
    assert sides(s, 0) == sides(game.initial(), 0)


def test_crawford() -> None:
    game = Backgammon(cube=True, points=5)
    s = win(game, (3, 2), {1: 14})
    assert (s.score, s.crawford) == ((4, 2), 1)
    assert played(game, s, "31", "8/5 6/5").phase == ROLLING, "nobody can double in the Crawford game"
    s = win(game, (2, 4), {1: 14}, crawford=1)
    assert (s.score, s.crawford) == ((3, 4), 0), "doubling is allowed after it"
    assert played(game, s, "13", "8/5 6/5").phase == CUBE
    s = win(game, (3, 4), {1: 14})
    assert (s.score, s.crawford) == ((4, 4), 0), "there is only one Crawford game in a match"


def test_the_end_of_a_match() -> None:
    game = Backgammon(cube=True, points=5)
    s = win(game, (1, 4), {1: 15}, cube=1, owner=0)
    assert game.is_terminal(s)
    assert s.score == (5, 4)
    assert (game.utility(s, 0), game.utility(s, 1)) == (1, -1)
    s = played(game, position(START, START, game=game, score=(4, 3), phase=ANSWERING, mover=0), "drop")
    assert (s.score, s.crawford) == ((4, 4), 0)


def test_a_dead_cube_is_not_turned() -> None:
    game = Backgammon(cube=True, points=5)
    for score, doubles, may in (((3, 0), 1, False), ((2, 0), 1, True), ((4, 0), 0, False), ((0, 4), 0, True)):
        s = position(START, START, game=game, score=score, cube=doubles, owner=0 if doubles else CENTRE)
        assert game.may_double(s) is may, (score, doubles)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"jacoby": True}, "rules of money games with a cube"),
        ({"cube": True, "points": 5, "beavers": True}, "rules of money games"),
        ({"points": 65}, "points"),
        ({"points": -1}, "points"),
        ({"cube": 1}, "cube must be True or False, not 1"),
    ],
)
def test_parameters_that_make_no_sense(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        Backgammon(**parameters)


# For people.


def test_the_board_in_characters() -> None:
    game = Backgammon(cube=True, points=7)
    s = position({25: 2, 6: 12}, {6: 7, 4: 2}, "42", game, score=(3, 5), cube=1, owner=1)
    text = game.text(s)
    assert " 13 14 15 16 17 18 bar  19 20 21 22 23 24 off" in text
    assert "12" in text
    assert "dice [4] [2]" in text
    assert "doubling cube 2" in text
    assert "White 122 pips (1 off), Black 50 pips (6 off)" in text
    assert "match to 7: 3–5; White to play 4-2" in text
    assert pips(s.low[0], s.high[0]) == 122
