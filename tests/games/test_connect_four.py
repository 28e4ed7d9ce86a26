"""Connect Four."""

from __future__ import annotations

import pytest
from walks import check_both_modes, check_names, compiled_perft, perft, positions_by_ply, states_of_random_play

from zermelo import IllegalAction, analyse
from zermelo.game.errors import GameError
from zermelo.games.connect_four import ConnectFour, ConnectFourState

BOARDS = [(7, 6, 4), (8, 7, 4), (4, 4, 3), (32, 1, 4), (1, 63, 4), (2, 31, 2), (3, 3, 1), (5, 4, 6), (21, 2, 5)]


def test_positions_of_the_first_plies() -> None:
    # OEIS A212693, the number of legal positions after n plies; Edelkamp and Kissmann (2008) for their sum.
    counts = [len(layer) for layer in positions_by_ply(ConnectFour(), 7)]
    assert counts == [1, 7, 49, 238, 1120, 4263, 16422, 54859]


def test_move_sequences() -> None:
    # Recomputed independently: powers of 7 until a column can be full, and from the seventh stone on games may be over.
    counts = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
    game = ConnectFour()
    assert [compiled_perft(game, n) for n in range(1, 9)] == counts
    assert [perft(game, game.initial(), n) for n in range(1, 6)] == counts[:5]


@pytest.mark.parametrize(("depth", "nodes"), [(8, 12_574), (10, 155_590), (12, 3_050_083)])
def test_alpha_beta_to_a_fixed_depth(depth: int, nodes: int) -> None:
    # Recomputed independently, and the same from OpenSpiel's alpha-beta: nothing evaluated, columns left to right.
    assert analyse(ConnectFour(), algorithm="alpha_beta", depth=depth).nodes == nodes


def test_alpha_beta_in_both_modes() -> None:
    compiled, plain = (analyse(ConnectFour(), algorithm="alpha_beta", depth=8, compile=c) for c in (True, False))
    assert (compiled.nodes, compiled.value, compiled.line) == (plain.nodes, plain.value, plain.line)


@pytest.mark.parametrize(
    ("board", "value"), [((4, 4, 4), 0), ((2, 2, 2), 1), ((4, 4, 3), 1), ((3, 3, 3), 0), ((1, 4, 4), 0)]
)
def test_values_of_small_boards(board: tuple[int, int, int], value: float) -> None:
    # Four in a row is drawn on 4 × 4: John Tromp, "John's Connect Four Playground". The others are small enough to see.
    result = analyse(ConnectFour(*board), algorithm="alpha_beta", compile=board == (4, 4, 4))
    assert (result.value, result.exact) == (value, True)


def test_a_win_that_is_near() -> None:
    game = ConnectFour()
    s = game.play("4", "4", "3", "3")  # two in the middle of the bottom row: 2 or 5 makes three with both ends open
    result = analyse(game, s, depth=3, algorithm="alpha_beta")
    assert (result.value, result.exact) == (1.0, True)
    assert game.action_name(s, result.action) in ("2", "5")


class Slow:
    """Connect Four by columns of letters: the rules as one would tell them."""

    def __init__(self, width: int, height: int, k: int):
        self.height, self.k = height, k
        self.columns: list[str] = [""] * width

    def drop(self, column: int, stone: str) -> None:
        self.columns[column] += stone

    def has_line(self, stone: str) -> bool:
        cells = {(c, r) for c, column in enumerate(self.columns) for r, cell in enumerate(column) if cell == stone}
        steps = ((0, 1), (1, 0), (1, 1), (1, -1))
        return any(
            all((c + i * across, r + i * up) in cells for i in range(self.k)) for c, r in cells for across, up in steps
        )

    def legal(self) -> list[int]:
        return [c for c, column in enumerate(self.columns) if len(column) < self.height]


@pytest.mark.parametrize("board", BOARDS)
def test_rules_against_slow_ones(board: tuple[int, int, int]) -> None:
    game = ConnectFour(*board)
    for seed in range(6):
        slow, s, ply = Slow(*board), game.initial(), seed
        while True:
            mover = "XO"[game.to_move(s)]
            won = slow.has_line("X"), slow.has_line("O")
            assert game.is_terminal(s) == (any(won) or not slow.legal())
            if game.is_terminal(s):
                assert list(game.actions(s)) == []
                assert game.utility(s, 0) == -game.utility(s, 1) == won[0] - won[1]
                break
            legal = list(game.actions(s))
            assert legal == slow.legal()
            ply = ply * 7919 + 13
            column = legal[ply // 64 % len(legal)]
            slow.drop(column, mover)
            s = game.result(s, column)
            assert s.mask & ~game.full == 0


@pytest.mark.parametrize("board", [(7, 6, 4), (8, 7, 5)])
def test_both_modes(board: tuple[int, int, int]) -> None:
    game = ConnectFour(*board)
    check_both_modes(game, states_of_random_play(game, 4))


def test_names_and_pictures() -> None:
    game = ConnectFour()
    check_names(game, states_of_random_play(game, 3))
    assert game.name == "ConnectFour(width=7, height=6, k=4)"
    s = game.play("4", "4", "5")
    assert s == ConnectFourState(1 << 22, 1 << 21 | 1 << 22 | 1 << 28)
    assert game.text(s).split("\n")[-3:] == [" . . . Y . . .", " . . . R R . .", " 1 2 3 4 5 6 7"]
    assert game.text(game.play("4", "4")).split("\n")[-3:-1] == [" . . . Y . . .", " . . . R . . ."]
    assert ConnectFour(12, 4).text(ConnectFour(12, 4).initial()).endswith(" 10 11 12")


def test_a_full_column_and_a_full_board() -> None:
    game = ConnectFour(1, 4)
    with pytest.raises(IllegalAction, match="over"):
        game.play("1", "1", "1", "1", "1")
    game = ConnectFour(2, 2, 3)
    with pytest.raises(IllegalAction, match=r"'1' is not a legal move.*legal here: 2"):
        game.play("1", "1", "1")
    full = game.play("1", "1", "2", "2")
    assert game.is_terminal(full)
    assert game.utility(full, 0) == 0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((0, 6, 4), "width must be a whole number from 1 to 32, not 0"),
        ((7, 0, 4), "height must be a whole number from 1 to 63, not 0"),
        ((7, 6, 0), "k, how many in a row win, must be"),
        ((9, 7, 4), r"width · \(height \+ 1\) may be at most 64, the bits of a word; 9 · \(7 \+ 1\) is 72"),
        ((7.0, 6, 4), "not 7.0"),
    ],
)
def test_bad_parameters(parameters: tuple[int, int, int], message: str) -> None:
    with pytest.raises(GameError, match=message):
        ConnectFour(*parameters)
