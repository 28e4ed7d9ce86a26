"""Tic-tac-toe and the m,n,k-games."""

from __future__ import annotations

import itertools

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

from zermelo import IllegalAction, analyse
from zermelo.game.errors import GameError
from zermelo.games.tic_tac_toe import TicTacToe, TicTacToeState

BOARDS = [
    (3, 3, 3),
    (1, 1, 1),
    (1, 5, 2),
    (5, 1, 2),
    (2, 2, 3),
    (3, 4, 3),
    (4, 3, 2),
    (8, 8, 5),
    (1, 64, 4),
    (64, 1, 4),
]


def test_whole_tree() -> None:
    # Nodes, games and how they end, after Henry Bottomley, "How many Tic-Tac-Toe games are possible?" (2001).
    game = TicTacToe()
    result = analyse(game, algorithm="minimax")
    assert (result.value, result.exact, result.nodes) == (0.0, True, 549_946)
    ends = {worth: compiled_count_ends(game, worth) for worth in (1, -1, 0)}
    assert ends == {1: 131_184, -1: 77_904, 0: 46_080}
    assert sum(ends.values()) == 255_168


def test_move_sequences() -> None:
    game = TicTacToe()
    counts = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]  # 9!/(9-n)! until games end at the fifth move
    assert [compiled_perft(game, n) for n in range(1, 10)] == counts
    assert [perft(game, game.initial(), n) for n in range(1, 6)] == counts[:5]


def test_positions() -> None:
    # Recomputed independently; 765 positions are left of them if the board may be turned and reflected (Schaefer 2002).
    layers = list(positions_by_ply(TicTacToe(), 9))
    assert [len(layer) for layer in layers] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    states = set().union(*layers)
    assert len(states) == 5_478
    assert len({canonical(s) for s in states}) == 765


def canonical(s: TicTacToeState) -> tuple[int, int]:
    """The least of the eight boards that turning and reflecting makes of this one."""
    cells = [(row, column) for row in range(3) for column in range(3)]
    turns = [lambda r, c: (r, c), lambda r, c: (c, 2 - r), lambda r, c: (2 - r, 2 - c), lambda r, c: (2 - c, r)]
    maps = [[turn(*(cell[::-1] if flip else cell)) for cell in cells] for turn in turns for flip in (0, 1)]
    boards = []
    for places in maps:
        x, o = (sum(1 << 3 * r + c for i, (r, c) in enumerate(places) if board >> i & 1) for board in s)
        boards.append((x, o))
    return min(boards)


@pytest.mark.parametrize("compile", [True, False])
def test_alpha_beta_in_natural_order(compile: bool) -> None:
    # Recomputed independently: window (-inf, inf), the root counted, cutting at >=.
    result = analyse(TicTacToe(), algorithm="alpha_beta", compile=compile)
    assert (result.value, result.exact, result.nodes) == (0.0, True, 18_297)


@pytest.mark.parametrize(
    ("board", "value"),
    [((1, 1, 1), 1), ((2, 2, 2), 1), ((2, 2, 3), 0), ((1, 9, 3), 0), ((2, 5, 3), 0), ((3, 4, 3), 1), ((3, 3, 4), 0)],
)
def test_values_of_other_boards(board: tuple[int, int, int], value: float) -> None:
    # k = 2 wins for the first player; three in a row is won from 3 × 4 up, and drawn on 3 × 3 and on two rows:
    # Uiterwijk and van den Herik, "The advantage of the initiative" (2000).
    is_large = board == (3, 4, 3)  # the others need no compiler, but time on a busy machine
    result = analyse(TicTacToe(*board), algorithm="alpha_beta", compile=is_large, seconds=120, deepening=False)
    assert (result.value, result.exact) == (value, True)


def test_open_lines() -> None:
    # The textbook's example of an evaluation: 8 - 8 on the empty board; X in the centre, O on an edge: 6 - 4.
    game = TicTacToe()
    assert game.line_count == 8
    assert game.open_lines(game.initial(), 0) == 0
    s = game.play("5", "2")
    assert game.lines_within(game.board & ~s.o) == 6
    assert game.lines_within(game.board & ~s.x) == 4
    assert (game.open_lines(s, 0), game.open_lines(s, 1)) == (2, -2)
    assert game.evaluate(s, 0) == pytest.approx(2 / 9)


@pytest.mark.parametrize("board", BOARDS)
def test_estimates_are_never_as_good_as_a_win(board: tuple[int, int, int]) -> None:
    game = TicTacToe(*board)
    for s in states_of_random_play(game, 3):
        assert -1 < game.evaluate(s, 0) == -game.evaluate(s, 1) < 1


@pytest.mark.parametrize("board", BOARDS)
def test_lines_against_a_slow_search(board: tuple[int, int, int]) -> None:
    m, n, k = board
    game = TicTacToe(m, n, k)
    lines = {
        frozenset((row + i * down, column + i * right) for i in range(k))
        for row, column in itertools.product(range(m), range(n))
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        if row + down * (k - 1) < m and 0 <= column + right * (k - 1) < n
    }
    assert game.line_count == len(lines)
    for s in states_of_random_play(game, 5):
        won = []
        for stones in s:
            cells = {(i // n, i % n) for i in range(m * n) if stones >> i & 1}
            won.append(any(line <= cells for line in lines))
        assert [game.has_line(stones) for stones in s] == won
        assert game.is_terminal(s) == (any(won) or (s.x | s.o) == game.board)


@pytest.mark.parametrize("board", [(3, 3, 3), (8, 8, 5), (8, 8, 1)])
def test_both_modes(board: tuple[int, int, int]) -> None:
    game = TicTacToe(*board)
    check_both_modes(game, states_of_random_play(game, 4))


def test_names_and_pictures() -> None:
    game = TicTacToe()
    check_names(game, states_of_random_play(game, 3))
    assert game.name == "TicTacToe(m=3, n=3, k=3)"
    assert [game.player_name(p) for p in (-1, 0, 1)] == ["chance", "X", "O"]
    assert game.text(game.play("5", "1")).split("\n") == [
        " O | 2 | 3",
        "---+---+---",
        " 4 | X | 6",
        "---+---+---",
        " 7 | 8 | 9",
    ]
    assert "64" in TicTacToe(8, 8, 5).text(TicTacToe(8, 8, 5).initial())


def test_a_finished_game_has_no_moves() -> None:
    game = TicTacToe()
    won = game.play("1", "4", "2", "5", "3")
    assert list(game.actions(won)) == []
    assert [game.utility(won, p) for p in (0, 1)] == [1, -1]
    drawn = game.play(*"152374689")
    assert drawn.x | drawn.o == game.board
    assert [game.utility(drawn, p) for p in (0, 1)] == [0, 0]
    with pytest.raises(IllegalAction, match="'5' is not a legal move"):
        game.play("5", "5")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((0, 3, 3), "m, the number of rows, must be a whole number from 1 to 64, not 0"),
        ((3, 65, 3), "n, the number of columns, must be"),
        ((3, 3, 0), "k, how many in a row win, must be"),
        ((9, 8, 5), "at most 64 cells, one for each bit of a word; 9 × 8 are 72"),
        ((3, 3, 2.0), "not 2.0"),
        ((True, 3, 3), "not True"),
    ],
)
def test_bad_parameters(parameters: tuple[int, int, int], message: str) -> None:
    with pytest.raises(GameError, match=message):
        TicTacToe(*parameters)
    with pytest.raises(ValueError, match=message):
        TicTacToe(*parameters)
