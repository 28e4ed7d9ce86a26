"""Hex."""

from __future__ import annotations

import functools
import itertools
import pickle
import random
from typing import Any

import numpy as np
import pytest
from walks import (
    check_both_modes,
    check_names,
    compiled_count_ends,
    compiled_perft,
    perft,
    positions_by_ply,
    states_of_random_play,
)

from zermelo import Engine, IllegalAction, Random, analyse, check, games
from zermelo.game.errors import GameError
from zermelo.games.hex import BLUE, RED, Hex, has_cell
from zermelo.kernel.parts import Part
from zermelo.kernel.routine import Routine

Cell = tuple[int, int]
SIZES = [2, 3, 5, 7, 8, 9, 11, 12, 13, 16, 17, 19]  # one to six words


class Slow:
    """Hex on sets of cells (row, column), one set for each player: the rules as the rule book states them."""

    def __init__(self, size: int, swap: bool):
        self.size, self.swap = size, swap

    def winner(self, red: frozenset[Cell], blue: frozenset[Cell]) -> int | None:
        winners = [p for p, stones in enumerate((red, blue)) if self.connects(stones, axis=p)]
        assert len(winners) <= 1
        return winners[0] if winners else None

    def connects(self, stones: frozenset[Cell], axis: int) -> bool:
        """Is there a chain from the first row (axis 0) or column (axis 1) to the last?"""
        reached: set[Cell] = set()
        waiting = [cell for cell in stones if cell[axis] == 0]
        while waiting:
            row, column = cell = waiting.pop()
            if cell in reached:
                continue
            reached.add(cell)
            around = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
            waiting += [(row + r, column + c) for r, c in around if (row + r, column + c) in stones]
        return any(cell[axis] == self.size - 1 for cell in reached)

    def moves(self, red: frozenset[Cell], blue: frozenset[Cell], turn: int) -> list[Cell | str]:
        if self.winner(red, blue) is not None:
            return []
        cells = itertools.product(range(self.size), repeat=2)
        found: list[Cell | str] = [cell for cell in cells if cell not in red | blue]
        return [*found, "swap"] if self.swap and turn == 1 else found

    def after(self, red: frozenset[Cell], blue: frozenset[Cell], turn: int, move: Any) -> tuple[Any, Any, int]:
        if move == "swap":
            ((row, column),) = red
            return frozenset(), frozenset({(column, row)}), 2
        return (red, blue | {move}, turn + 1) if turn % 2 else (red | {move}, blue, turn + 1)

    def sequences(self, depth: int) -> int:
        @functools.cache
        def count(red: frozenset[Cell], blue: frozenset[Cell], turn: int, depth: int) -> int:
            if depth == 0:
                return 1
            moves = self.moves(red, blue, turn)
            return sum(count(*self.after(red, blue, turn, move), depth - 1) for move in moves)

        return count(frozenset(), frozenset(), 0, depth)

    def games_won_by(self, p: int) -> int:
        @functools.cache
        def count(red: frozenset[Cell], blue: frozenset[Cell], turn: int) -> int:
            moves = self.moves(red, blue, turn)
            return sum(count(*self.after(red, blue, turn, m)) for m in moves) or int(self.winner(red, blue) == p)

        return count(frozenset(), frozenset(), 0)

    def winning_openings(self) -> set[Cell]:
        @functools.cache
        def mover_wins(red: frozenset[Cell], blue: frozenset[Cell], turn: int) -> bool:
            moves = self.moves(red, blue, turn)
            return any(not mover_wins(*self.after(red, blue, turn, move)) for move in moves)

        cells = itertools.product(range(self.size), repeat=2)
        return {cell for cell in cells if not mover_wins(frozenset({cell}), frozenset(), 1)}


def read(game: Hex, s: Any) -> tuple[frozenset[Cell], frozenset[Cell], int]:
    red, blue = (
        frozenset(divmod(cell, game.size) for cell in range(game.cells) if has_cell(stones, cell))
        for stones in (s.red, s.blue)
    )
    return red, blue, s.turn


def read_move(game: Hex, a: int) -> Cell | str:
    return "swap" if a == game.cells else divmod(a, game.size)


# The rules.


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("swap", [True, False])
def test_rules_against_slow_ones(size: int, swap: bool) -> None:
    game, slow = Hex(size, swap), Slow(size, swap)
    for s in states_of_random_play(game, 3 if size < 12 else 1)[:: 1 if size < 9 else 5]:
        board = read(game, s)
        winner = slow.winner(*board[:2])
        assert game.is_terminal(s) == (winner is not None)
        assert game.to_move(s) == s.turn % 2
        moves = list(game.actions(s))
        assert [read_move(game, a) for a in moves] == slow.moves(*board)
        assert game.count_actions(s) == len(moves) <= game.max_actions
        assert game.plies_left(s) >= len(moves)
        for length in {0, 1, len(moves) // 2, game.max_actions}:
            room = np.full(length + 1, -7)
            assert game.list_actions(s, room[:-1]) == len(moves)
            assert list(room) == [*moves[:length], *[-7] * (length - len(moves)), -7]
        if winner is not None:
            assert game.utility(s, winner) == 1 == -game.utility(s, 1 - winner)
        for a in moves[-3:]:
            assert read(game, game.result(s, a)) == slow.after(*board, read_move(game, a))


@pytest.mark.parametrize("size", SIZES)
def test_a_full_board_has_exactly_one_winner(size: int) -> None:
    # John Nash 1952, David Gale 1979. The stones are placed in random order, and the game is not stopped at a win.
    game, slow = Hex(size, swap=False), Slow(size, swap=False)
    for seed in range(20):
        order = list(range(game.cells))
        random.Random(seed).shuffle(order)
        stones = [(0,) * game.words, (0,) * game.words]
        linked = [(0,) * game.words, (0,) * game.words]
        for number, cell in enumerate(order):
            p = number % 2
            stones[p] = tuple(w | 1 << cell - 64 * i if cell // 64 == i else w for i, w in enumerate(stones[p]))
            linked[p] = game.linked_by(cell, p, stones[p], linked[p])
        won = [game.wins(linked[p], p) for p in (RED, BLUE)]
        cells = [frozenset(divmod(cell, size) for cell in order[p::2]) for p in (RED, BLUE)]
        assert won == [slow.connects(cells[p], axis=p) for p in (RED, BLUE)]
        assert sorted(won) == [False, True]


def test_the_shortest_winning_chains() -> None:
    # The winning chains of n and of n + 1 stones on an n × n board: David Bevan, OEIS A001792 and A096367 (2004).
    for size, short, longer in ((2, 3, 0), (3, 8, 2), (4, 20, 14)):
        game = Hex(size, swap=False)
        found: dict[int, list[set[int]]] = {size: [], size + 1: []}
        for count in found:
            for cells in itertools.combinations(range(game.cells), count):
                board = linked = (0,)
                for cell in cells:
                    board = (board[0] | 1 << cell,)
                    linked = game.linked_by(cell, RED, board, linked)
                if game.wins(linked, RED) and not any(chain < set(cells) for chain in found[size]):
                    found[count].append(set(cells))
        assert [len(chains) for chains in found.values()] == [short, longer]


@pytest.mark.parametrize("swap", [True, False])
def test_move_sequences(swap: bool) -> None:
    small, slow = Hex(2, swap), Slow(2, swap)
    assert [perft(small, small.initial(), n) for n in range(1, 6)] == [slow.sequences(n) for n in range(1, 6)]
    game, slow = Hex(3, swap), Slow(3, swap)
    assert [compiled_perft(game, n) for n in range(1, 11)] == [slow.sequences(n) for n in range(1, 11)]
    assert [compiled_count_ends(game, worth) for worth in (1, -1)] == [slow.games_won_by(p) for p in (RED, BLUE)]


def test_counts_of_three_by_three() -> None:
    # Recomputed by the slow rules above.
    game = Hex(3, swap=False)
    sequences = [9, 72, 504, 3024, 15120, 54720, 146880, 207360, 120960]
    assert [compiled_perft(game, n) for n in range(1, 10)] == sequences
    assert [len(layer) for layer in positions_by_ply(game, 9)] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 420, 84]
    assert [compiled_count_ends(game, worth) for worth in (1, -1)] == [165_600, 92_160]


def test_the_swap() -> None:
    game = Hex(4)
    s = game.play("b1")
    assert game.action_name(s, game.legal(s)[-1]) == "swap"
    swapped = game.play("swap", state=s)
    assert (read(game, swapped), game.to_move(swapped)) == ((frozenset(), {(1, 0)}, 2), RED)
    assert swapped.blue == swapped.blue_linked == (1 << 4,)  # a2, at the left
    assert game.play("b3", "swap").blue_linked == (0,)
    assert game.play("a3", "swap").blue_linked == (0,)
    for state in (swapped, game.play("b1", "b2"), game.initial()):
        assert "swap" not in [game.action_name(state, a) for a in game.legal(state)]
        with pytest.raises(IllegalAction, match="'swap' is not a legal move"):
            game.play("swap", state=state)
    with pytest.raises(IllegalAction, match="'swap' is not a legal move"):
        Hex(4, swap=False).play("b1", "swap")
    wide = Hex(19)
    assert wide.picture(wide.play("s1", "swap")).pieces.keys() == {"a19"}
    assert wide.play("s1", "swap").blue_linked == wide.play("s1", "swap").blue


def test_a_swapped_game_is_the_mirror_image() -> None:
    """Every position after the swap is worth to Blue what the unswapped one is worth to Red."""
    plain, game = Hex(3, swap=False), Hex(3)
    for a in range(9):
        mirrored = a % 3 * 3 + a // 3
        swapped = game.play("swap", state=game.result(game.initial(), a))
        assert swapped.blue == (1 << mirrored,)
        for reply in set(range(9)) - {mirrored}:
            other = plain.result(plain.result(plain.initial(), a), reply % 3 * 3 + reply // 3)
            after = game.result(swapped, reply)
            assert (after.blue, after.red) == tuple((transposed(w),) for (w,) in (other.red, other.blue))
            assert after.won == other.won


def transposed(word: int) -> int:
    return sum(1 << i % 3 * 3 + i // 3 for i in range(9) if word >> i & 1)


# Who wins.


@pytest.mark.parametrize("size", [2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_the_first_player_wins_and_with_the_swap_the_second(size: int) -> None:
    for swap, value in ((False, 1.0), (True, -1.0)):  # by strategy stealing (Nash 1949)
        found = Engine(Hex(size, swap), compile=size == 4).solve()
        assert (found.value, found.exact) == (value, True)


def test_winning_openings() -> None:
    # Published for 2 × 2: HexWiki, "Small boards". Those of 3 × 3 by the slow rules above.
    for size in (2, 3):
        game = Hex(size, swap=False)
        openings = game.legal(game.initial())
        won = {divmod(a, size) for a in openings if Engine(game, compile=False).solve(game.play(a)).value == -1}
        assert won == Slow(size, swap=False).winning_openings()
        if size == 2:
            assert won == {(0, 1), (1, 0)}


def test_there_is_no_evaluation() -> None:
    game = Hex(5)
    assert not any(game.offers(method) for method in ("evaluate", "promise", "features", "bounds"))
    assert {game.evaluate(s, p) for s in states_of_random_play(game, 2) for p in (0, 1)} == {0.0}


# Both modes.


@pytest.mark.slow
@pytest.mark.parametrize("size", [8, 11, 19])
def test_both_modes(size: int) -> None:
    game = Hex(size)
    check_both_modes(game, states_of_random_play(game, 2)[:: 1 if size < 19 else 5])


class Room(Part):
    def __init__(self, length: int):
        self.moves = np.zeros(length, np.int64)


def rollouts(game: Any, s: Any, room: Any, random: Any, count: int) -> int:
    """Random games by `list_actions`; returns a number that depends on all of them."""
    root = s
    total = 0
    for _ in range(count):
        s = root
        while not game.is_terminal(s):
            s = game.result(s, room.moves[random.below(game.list_actions(s, room.moves))])
        total = total * 3 + s.turn + int(game.utility(s, 0))
    return total


@pytest.mark.parametrize("size", [7, 13])
def test_rollouts_in_both_modes(size: int) -> None:
    game = Hex(size)
    plain = rollouts(game, game.initial(), Room(game.max_actions), Random(3), 8)
    compiled = Routine(rollouts).compiled(game, Room(game.max_actions), Random(3), 8)(game.initial())
    assert compiled == plain


def test_keys_are_distinct() -> None:
    for size in (3, 11):
        game = Hex(size)
        states = states_of_random_play(game, 20)
        assert len({game.key(s) for s in states}) == len(set(states))


@pytest.mark.parametrize(("size", "swap"), [(3, True), (8, False), (9, True)])
def test_it_passes_the_check(size: int, swap: bool) -> None:
    report = check(Hex(size, swap), plays=10, compile=False)
    assert report.findings == (), str(report)


@pytest.mark.parametrize("size", [2, 8, 9, 13, 14, 17, 18, 19])
def test_states_can_be_pickled(size: int) -> None:
    game = Hex(size)
    s = game.play("a1", "b2")
    copy = pickle.loads(pickle.dumps(s))
    assert copy == s
    assert type(copy) is type(s)
    assert len(s.red) == -(-size * size // 64)


# For people.


def test_names() -> None:
    for size, step in ((2, 1), (11, 20), (19, 200)):
        check_names(Hex(size), states_of_random_play(Hex(size), 2)[1::step])
    game = Hex()
    assert game.name == "Hex(size=11, swap=True)"
    assert [game.player_name(p) for p in (-1, 0, 1)] == ["chance", "Red", "Blue"]
    names = [game.action_name(game.initial(), a) for a in range(game.cells)]
    assert (names[0], names[10], names[11], names[120]) == ("a1", "k1", "a2", "k11")
    assert game.play(" K11", "SWAP") == game.play("k11", "swap")
    for name in ("l1", "a12", "a0", "", "1a"):
        with pytest.raises(IllegalAction, match=r"is not a legal move.*legal here: a1, b1"):
            game.play(name)


def test_text_is_a_rhombus() -> None:
    assert Hex(3, swap=False).text(Hex(3, swap=False).play("b2", "a3", "c1")).split("\n") == [
        "  a b c",
        "1 . . R",
        " 2 . R .",
        "  3 B . .",
    ]
    lines = Hex(11).text(Hex(11).initial()).split("\n")
    assert lines[0] == "   a b c d e f g h i j k"
    dots = " ".join("." * 11)
    assert lines[9:] == [f"{' ' * 8} 9 {dots}", f"{' ' * 9}10 {dots}", f"{' ' * 10}11 {dots}"]


def test_picture() -> None:
    game = Hex(4, swap=False)
    board = game.picture(game.play("a1", "d4"))
    assert board.squares[0] == ("a1", "b1", "c1", "d1")
    assert {name: piece.colour for name, piece in board.pieces.items()} == {"a1": "red", "d4": "blue"}
    assert (board.style, board.edges) == ("hexagons", ("red", "blue", "red", "blue"))
    s = game.initial()
    assert [list(game.paths(s, a)) for a in game.legal(s)] == [[(name,)] for row in board.squares for name in row]
    swapping = Hex(4)
    assert list(swapping.paths(swapping.play("a1"), swapping.cells)) == []  # a button beside the board


def test_it_is_registered() -> None:
    game = games.load("hex", size=5, swap=False)
    assert games.words_for(game) == ("hex", {"size": 5, "swap": False})
    assert games.load("hex").name == "Hex(size=11, swap=True)"
    assert analyse(game, depth=1, compile=False).value == 0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"size": 1}, "size must be a whole number from 2 to 19, not 1"),
        ({"size": 20}, "size must be a whole number from 2 to 19, not 20"),
        ({"size": 7.0}, r"size must be a whole number from 2 to 19, not 7\.0"),
        ({"size": "7"}, "size must be a whole number from 2 to 19, not '7'"),
        ({"size": True}, "size must be a whole number from 2 to 19, not True"),
        ({"swap": 1}, "swap must be True or False, not 1"),
        ({"swap": "no"}, "swap must be True or False, not 'no'"),
    ],
)
def test_bad_parameters(parameters: Any, message: str) -> None:
    with pytest.raises(GameError, match=message):
        games.load("hex", **parameters)


def test_an_unknown_parameter() -> None:
    with pytest.raises(TypeError, match="hex has no parameter 'komi'; it takes size, swap"):
        games.load("hex", komi=1)
