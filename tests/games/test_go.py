"""Go: rules, scoring, names and pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from walks import check_both_modes, check_names

from zermelo import Game, IllegalAction, Random, analyse
from zermelo.game.errors import GameError, StateError
from zermelo.games import load
from zermelo.games.go import RULE_SETS, Go, territory
from zermelo.games.go.board import GoBoard, without_liberties
from zermelo.games.go.handicap import handicap_points, star_points
from zermelo.kernel.history import remember
from zermelo.kernel.routine import Routine
from zermelo.kernel.words import is_empty, union, words_at
from zermelo.pictures import draw
from zermelo.search.perft import perft

# Truth: the number of legal positions (Tromp and Farnebäck 2007), and the values of small boards.


def count_legal(game: Any, s: Any, p: int = 0) -> int:
    """The ways to colour the points from p on so that all stones have liberties."""
    if p == game.points:
        empty = game.empty_points(s.own, s.other)
        dead = union(
            without_liberties(s.own, empty, s.own, game.stride), without_liberties(s.other, empty, s.other, game.stride)
        )
        return 1 if is_empty(dead) else 0
    count = count_legal(game, s, p + 1)
    if p % game.stride != game.size:
        place = words_at(game.place, p, s.own)
        count += count_legal(game, s._replace(own=union(s.own, place)), p + 1)
        count += count_legal(game, s._replace(other=union(s.other, place)), p + 1)
    return count


@pytest.mark.parametrize(("size", "legal"), [(2, 57), (3, 12_675), (4, 24_318_165)])
def test_number_of_legal_positions(size: int, legal: int) -> None:
    game = Go(size)
    assert Routine(count_legal).compiled(game)(game.initial()) == legal
    if size == 2:
        assert count_legal(game, game.initial()) == legal


def test_one_point_has_one_legal_position() -> None:
    assert count_legal(GoBoard(1), Go(2).initial()) == 1  # the rules of Go itself begin at 2 × 2


def test_two_by_two_is_worth_one_point() -> None:
    for komi, value in ((0.5, 1), (1.5, -1)):
        found = analyse(Go(2, komi), algorithm="alpha_beta", deepening=True)
        assert (found.value, found.exact) == (value, True)
    found = analyse(Go(2, 0, margin=True, limit=16), algorithm="alpha_beta")
    assert (found.value, found.exact) == (1, True)


def test_sequences_of_moves() -> None:
    # counted by the slow rules below; with superko, so that they depend on the way
    assert [perft(Go(2), depth) for depth in range(1, 8)] == [5, 21, 68, 156, 316, 604, 1088]


def test_three_by_three_is_worth_the_whole_board() -> None:
    game = Go(3, 8.5, limit=30)  # Black needs all nine points, and gets them from the middle
    found = analyse(game, game.play("B2"), history=[game.initial()], algorithm="alpha_beta", deepening=True)
    assert (found.player, found.value, found.exact) == (1, -1, True)


# The rules, against slow ones.


class Slow:
    """Go on a dictionary of points, with groups found one by one: positional superko, suicide as told."""

    def __init__(self, size: int, suicide: bool):
        self.size, self.suicide = size, suicide
        self.stones: dict[tuple[int, int], int] = {}
        self.seen = {frozenset(self.stones.items())}

    def near(self, point: tuple[int, int]) -> list[tuple[int, int]]:
        r, c = point
        around = [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
        return [(i, j) for i, j in around if 0 <= i < self.size and 0 <= j < self.size]

    def group(self, stones: dict[tuple[int, int], int], point: tuple[int, int]) -> tuple[set[tuple[int, int]], bool]:
        """The group of a stone, and whether it has a liberty."""
        found, queue, alive = {point}, [point], False
        while queue:
            for other in self.near(queue.pop()):
                if other not in stones:
                    alive = True
                elif stones[other] == stones[point] and other not in found:
                    found.add(other)
                    queue.append(other)
        return found, alive

    def after(self, point: tuple[int, int], colour: int) -> dict[tuple[int, int], int] | None:
        """The stones after a move; None if it is illegal."""
        if point in self.stones:
            return None
        stones = {**self.stones, point: colour}
        for other in self.near(point):
            if stones.get(other) == 1 - colour:
                group, alive = self.group(stones, other)
                stones = stones if alive else {p: c for p, c in stones.items() if p not in group}
        group, alive = self.group(stones, point)
        if not alive:
            if not self.suicide:
                return None
            stones = {p: c for p, c in stones.items() if p not in group}
        return None if frozenset(stones.items()) in self.seen else stones

    def area(self, colour: int) -> int:
        count = sum(c == colour for c in self.stones.values())
        empty = {(r, c) for r in range(self.size) for c in range(self.size)} - set(self.stones)
        while empty:
            region = {empty.pop()}
            queue, reached = list(region), set()
            while queue:
                for other in self.near(queue.pop()):
                    if other in self.stones:
                        reached.add(self.stones[other])
                    elif other not in region:
                        region.add(other)
                        queue.append(other)
            empty -= region
            count += len(region) if reached == {colour} else 0
        return count


@pytest.mark.parametrize("rules", ["tromp_taylor", "chinese"])
@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 8, 13])
def test_rules_against_slow_ones(size: int, rules: str) -> None:
    game = load("go", size=size, rules=rules, komi=0, margin=True)
    assert isinstance(game, Go)
    random, room = Random(size), np.zeros(200, np.int64)
    for _ in range(40 if size < 4 else 5 if size < 7 else 1):
        rules_here, s = game.remembering((), game.limit + 1), game.initial()
        board = Slow(size, RULE_SETS[rules].suicide)
        remember(rules_here, s)
        while not game.is_terminal(s):
            after = {}
            for r, c in ((r, c) for r in range(size) for c in range(size)):
                stones = board.after((r, c), s.mover)
                if stones is not None:
                    after[game.number(r, c)] = stones
            legal = [*sorted(after), game.points]
            assert list(rules_here.actions(s)) == legal
            assert room[: rules_here.list_actions(s, room)].tolist() == legal
            a = legal[random.below(len(legal))]
            s = game.checked(game.result(s, a))
            remember(rules_here, s)
            board.stones = after.get(a, board.stones)
            board.seen.add(frozenset(board.stones.items()))
            shown = {name: piece.name for name, piece in game.picture(s).pieces.items()}
            assert shown == {
                game.action_name(s, game.number(*p)): ("black", "white")[c] for p, c in board.stones.items()
            }
            assert game.lead(s) == board.area(0) - board.area(1)


def play_randomly(game: Any, s: Any, random: Any, room: Any) -> int:
    """The key of the end of a random game, mixed with what was legal on the way."""
    digest = game.key(s)
    start = game.history_length[0]
    while not game.is_terminal(s):
        remember(game, s)
        count = game.list_actions(s, room)
        s = game.result(s, room[random.below(count)])
        digest = digest * 31 + game.key(s) + count
    game.history_length[0] = start
    return digest


@pytest.mark.slow
@pytest.mark.parametrize(("size", "rules"), [(3, "tromp_taylor"), (9, "aga"), (13, "simple_ko"), (19, "chinese")])
def test_both_modes_play_the_same_games(size: int, rules: str) -> None:
    game = Go(size, rules=rules, limit=400).remembering((), 401)
    routine, room = Routine(play_randomly), np.zeros(400, np.int64)
    for seed in range(1 if size == 19 else 3):
        compiled = routine.compiled(game, Random(seed), room)(game.initial())
        plain = routine.run_plain(game, game.initial(), Random(seed), room)
        assert compiled % (1 << 64) == plain % (1 << 64)


def states_of_a_game(game: Go, seed: int) -> list[Any]:
    random, states = Random(seed), [game.initial()]
    while not game.is_terminal(states[-1]):
        legal = list(game.remembering(states).actions(states[-1]))
        states.append(game.result(states[-1], legal[random.below(len(legal))]))
    return states


@pytest.mark.parametrize("size", [2, 9])
def test_every_method_in_both_modes(size: int) -> None:
    game = Go(size)
    states = states_of_a_game(game, 1)[-40:]
    check_both_modes(game, states)
    check_names(game, states[-10:])


# Capture, ko, superko, suicide, seki.


def board(game: Game, s: Any) -> list[str]:
    """The rows from the top."""
    return str(game.to_text(s)).split()[0].split("/")


def test_capture() -> None:
    game = Go(5)
    s = game.play(*["C3", "C4", "A1", "B3", "A2", "D3", "A3", "C2"])
    assert board(game, s) == [".....", "..O..", "XO.O.", "X.O..", "X...."]
    assert (s.black_lost, s.white_lost) == (1, 0)
    corner = game.play(*["A1", "A2", "B1", "B2", "E5", "C1"])
    assert board(game, corner)[3:] == ["OO...", "..O.."]
    assert corner.black_lost == 2


@pytest.mark.parametrize("rules", RULE_SETS)
def test_ko(rules: str) -> None:
    game = Go(5, rules=rules)
    start = game.from_text("...../.XO../XO.O./.XO../..... X")
    assert board(game, game.play("C3", state=start))[2] == "X.XO."
    with pytest.raises(IllegalAction, match=r"B3 is not a legal move .*: ko"):
        game.play("C3", "B3", state=start)
    s = game.play("C3", "E1", "E5", "B3", state=start)  # after an exchange elsewhere the ko is retaken
    assert board(game, s)[2] == "XO.O."
    with pytest.raises(IllegalAction, match=r"C3 is not a legal move .*: ko"):
        game.play("C3", "E1", "E5", "B3", "C3", state=start)


def test_snapback() -> None:
    game = Go(5)
    start = game.from_text("...../...../.XXX./XOOOX/XO..X X")
    s = game.play("C1", "D1", "C1", state=start)  # the second stone is no ko: it captures five
    assert board(game, s)[2:] == [".XXX.", "X...X", "X.X.X"]
    assert (s.black_lost, s.white_lost) == (1, 5)


SEND_TWO_RETURN_ONE = ["B1", "A2", "B2", "B3", "C2", "C3", "A3", "B3"]
"""The stones are those of three moves before, but the other player is to move."""
LONG_CYCLE = ["C1", "B1", "B2", "B3", "C3", "A2", "A3", "C2", "A1", "B3", "C1", "A2", "C3", "B1"]
"""The stones and the player to move are those of eight moves before."""


@pytest.mark.parametrize(
    ("cycle", "rules", "forbidden"),
    [
        (SEND_TWO_RETURN_ONE, "simple_ko", False),
        (SEND_TWO_RETURN_ONE, "aga", False),
        (SEND_TWO_RETURN_ONE, "chinese", True),
        (SEND_TWO_RETURN_ONE, "tromp_taylor", True),
        (LONG_CYCLE, "simple_ko", False),
        (LONG_CYCLE, "aga", True),
        (LONG_CYCLE, "new_zealand", True),
        (LONG_CYCLE, "chinese", True),
    ],
)
def test_superko(cycle: list[str], rules: str, forbidden: bool) -> None:
    game = Go(3, rules=rules)
    states = [game.play(*cycle[:number]) for number in range(len(cycle))]
    again = game.result(states[-1], game.action_named(states[-1], cycle[-1]))
    assert again.stones in [s.stones for s in states]
    if forbidden:
        with pytest.raises(IllegalAction, match="superko: it repeats an earlier position"):
            game.play(*cycle)
    else:
        assert game.play(*cycle) == again


def test_suicide() -> None:
    one, two = "...../...../...../O..../.O... X", "...../...../O..../XO.../.O... X"
    for rules in ("chinese", "aga", "simple_ko"):
        game = Go(5, rules=rules)
        for start in (one, two):
            with pytest.raises(IllegalAction, match=r"A1 is not a legal move of .*: suicide"):
                game.play("A1", state=game.from_text(start))
    game = Go(5)
    with pytest.raises(IllegalAction, match=r"A1 is not a legal move of .*: superko"):
        game.play("A1", state=game.from_text(one))  # a single stone that removes itself changes nothing
    s = game.play("A1", state=game.from_text(two))
    assert board(game, s) == [".....", ".....", "O....", ".O...", ".O..."]
    assert (s.black_lost, s.white_lost, s.mover) == (2, 0, 1)
    with_turns = Go(5, rules="new_zealand")  # the same stones with the other player to move are another situation
    assert with_turns.play("A1", state=with_turns.from_text(one)).mover == 1


SEKI = "OOOOOOO/O.OOO.O/OOOOOOO/OOOOOOO/OOOOOOO/XXXXXXX/X.OOO.X"


def test_seki() -> None:
    game = Go(7, komi=0)
    s = game.from_text(SEKI)
    score = territory(game, s)
    assert (score.black, score.white, score.result) == (9, 38, "W+29")
    assert "B1" not in score.owners
    assert score.owners["B6"] == "white"
    assert game.play("B1", "F1", state=s).black_lost == 10  # whoever plays first loses the fight
    assert game.play("pass", "B1", "F1", state=s).white_lost == 4


# The end, and the score.


def test_two_passes_end_the_game_and_the_area_is_counted() -> None:
    game = Go(5, komi=3.5)
    s = game.play("C3", "pass", "pass")
    assert game.is_terminal(s)
    assert game.legal(s) == []
    assert (game.utility(s, 0), game.utility(s, 1)) == (1, -1)
    assert Go(5, komi=3.5, margin=True).utility(s, 0) == 21.5
    assert Go(5, komi=25).utility(s, 0) == 0
    with pytest.raises(IllegalAction, match="is over"):
        game.play("C3", "pass", "pass", "A1")
    assert not game.is_terminal(game.play("pass", "C3", "pass"))


def test_the_move_limit_ends_the_game() -> None:
    game = Go(3, limit=3)
    assert game.is_terminal(game.play("A1", "B1", "C1"))
    assert [Go(size).limit for size in (2, 9, 19)] == [64, 162, 722]


def test_dead_stones_are_removed_before_counting() -> None:
    game = Go(5, komi=0.5)
    s = game.play("C3", "A1", "pass", "pass")
    assert territory(game, s).result == "W+0.5"  # every empty point reaches both colours
    score = territory(game, s, dead=["a1"])
    assert (score.black, score.white, score.result) == (25, 0.5, "B+24.5")
    with pytest.raises(ValueError, match="there is no stone on B2"):
        territory(game, s, dead=["B2"])


def test_handicap() -> None:
    game = Go(19, handicap=4)
    s = game.initial()
    assert game.to_move(s) == 1
    assert set(game.picture(s).pieces) == {"D4", "Q16", "D16", "Q4"}
    assert set(Go(9, handicap=5).picture(Go(9, handicap=5).initial()).pieces) == {"C3", "G7", "C7", "G3", "E5"}
    assert (Go(9, 0.5, "chinese", 3).compensation, Go(9, 0.5, "aga", 3).compensation) == (3.5, 2.5)
    assert Go(9, 0.5, "tromp_taylor", 3).compensation == 0.5
    assert handicap_points(9, 8)[:2] == ((2, 2), (6, 6))
    assert len(handicap_points(13, 8)) == 8
    assert [len(star_points(size)) for size in (2, 5, 7, 8, 9, 13, 19)] == [0, 1, 4, 4, 5, 9, 9]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"size": 1}, "size must be a whole number from 2 to 19"),
        ({"size": 20}, "size must be a whole number from 2 to 19"),
        ({"komi": 0.25}, "komi must be a whole or a half number, not 0.25"),
        ({"komi": float("nan")}, "komi must be a whole or a half number"),
        ({"rules": "japanese"}, "rules must be one of tromp_taylor, chinese"),
        ({"handicap": 1}, "handicap must be 0 or 2 to 9 on a board of 9 × 9, not 1"),
        ({"size": 8, "handicap": 5}, "handicap must be 0 or 2 to 4 on a board of 8 × 8"),
        ({"size": 5, "handicap": 2}, "handicap must be 0 on a board of 5 × 5"),
        ({"limit": 0}, "limit must be a whole number from 1"),
    ],
)
def test_wrong_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        load("go", **parameters)


# Names, texts, pictures.


def test_names_of_moves() -> None:
    game = Go(19)
    s = game.initial()
    assert game.action_name(s, game.action_named(s, " t19 ")) == "T19"
    assert game.action_name(s, game.action_named(s, "PASS")) == "pass"
    assert len({game.action_name(s, a) for a in game.legal(s)}) == 362
    assert not any("I" in game.action_name(s, a) for a in game.legal(s))
    for wrong in ("I5", "A0", "A20", "U1", "", "A", "5", "A 1", "A1²", "AA1", "A01"):
        with pytest.raises(IllegalAction, match="moves are A1 to T19, without I, and pass"):
            game.action_named(s, wrong)
    with pytest.raises(IllegalAction, match=r"D4 is not a legal move .*: there is a stone on it"):
        game.play("D4", "D4")


def test_positions_as_text() -> None:
    for game in (Go(2), Go(9, rules="simple_ko"), Go(19)):
        for s in states_of_a_game(game, 3)[:: 3 if game.size < 19 else 60]:
            assert game.from_text(game.to_text(s)) == s
    small = Go(2)
    assert small.from_text("X./.O") == small.play("A2", "B1")._replace(moves=0, last=small.points)
    for text, message in (
        ("", "begins with 2 rows of 2 points"),
        ("X./.", "begins with 2 rows"),
        ("X./.?", r"point B1 is '\?'"),
        ("X./.. Z", "the player to move is X"),
        ("X./.. X C9", "the ko point is a point or -"),
        ("X./.. X - 0 0 0 x", "must be four numbers"),
        ("X./.. X - 3 0 0 0", "out of range"),
    ):
        with pytest.raises(StateError, match=message):
            small.from_text(text)


def test_wrong_states() -> None:
    game = Go(3)
    s = game.play("B2")
    for wrong, message in (
        (s._replace(own=s.other), "both players have a stone on B2"),
        (s._replace(other=(1 << 3,)), "stones beyond the board"),
        (s._replace(stones=0), "is not the key of its stones"),
        (s._replace(mover=2), "out of range"),
        (Go(9).initial(), "a state of .* is a GoState1"),
    ):
        with pytest.raises(StateError, match=message):
            game.checked(wrong)


def test_text() -> None:
    game = Go(5, komi=0.5)
    s = game.play("C3", "A1", "pass")
    assert game.text(s).splitlines() == [
        "   A B C D E",
        " 5 . . . . . 5",
        " 4 . . . . . 4",
        " 3 . . X . . 3",
        " 2 . . . . . 2",
        " 1 O . . . . 1",
        "   A B C D E",
        "black (X) passed; white (O) to move",
    ]
    assert game.text(game.play("C3", "pass", "pass")).endswith("the game is over: black (X) wins by 24.5 points")


def test_picture() -> None:
    game = Go(9, komi=0)
    s = game.play("E5", "C3")
    drawn = draw(game, s, marked=["C3"])
    assert drawn.count('class="zb-star"') == 5
    assert 'aria-label="E5: black"' in drawn
    assert 'class="zb-owner' not in drawn
    end = game.picture(game.play("E5", "pass", "pass"))
    assert len(end.owners) == 80
    assert set(end.owners.values()) == {"black"}
    assert "A1: owned by black" in draw(game, game.play("E5", "pass", "pass"))
    assert list(game.paths(s, game.action_named(s, "D4"))) == [("D4",)]
    assert list(game.paths(s, game.points)) == []


def test_what_seats_show() -> None:
    game = Go(5, komi=3.5)
    s = game.play("A2", "A1", "B1")
    assert [game.standing(s, p) for p in (0, 1)] == ["1 captured", "0 captured, komi 3.5"]
    end = game.play("pass", "pass", state=s)
    assert [game.standing(end, p) for p in (0, 1)] == ["25 points", "3.5 points"]
