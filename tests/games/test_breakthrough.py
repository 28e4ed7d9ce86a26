"""Breakthrough."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from walks import check_both_modes, check_names, compiled_perft, perft, states_of_random_play

from zermelo import Game, IllegalAction, analyse, check
from zermelo.game.errors import GameError
from zermelo.game.hashing import SEED, mix
from zermelo.games.breakthrough import Breakthrough, BreakthroughState
from zermelo.kernel.routine import Routine

BOARDS = [
    (8, 8, 2),
    (5, 5, 1),
    (3, 6, 2),
    (2, 32, 3),
    (26, 2, 1),
    (4, 4, 2),
    (6, 5, 2),
    (3, 3, 1),
    (2, 2, 1),
    (9, 7, 2),
]


class Slow:
    """Breakthrough on a dictionary of squares (column, row): the rules as one would tell them."""

    def __init__(self, width: int, height: int, rows: int):
        self.width, self.height = width, height
        self.start = {(c, r): "W" for c in range(width) for r in range(rows)}
        self.start |= {(c, r): "B" for c in range(width) for r in range(height - rows, height)}

    def legal(self, board: dict[tuple[int, int], str], mover: str) -> set[tuple[int, int, int, int]]:
        if self.winner(board):
            return set()
        up = 1 if mover == "W" else -1
        found = set()
        for (c, r), piece in board.items():
            for across in (-1, 0, 1):
                to = (c + across, r + up)
                if piece == mover and to[0] in range(self.width) and to[1] in range(self.height):
                    there = board.get(to)
                    if there is None or (across != 0 and there != mover):
                        found.add((c, r, *to))
        return found

    def after(self, board: dict[tuple[int, int], str], move: tuple[int, ...]) -> dict[tuple[int, int], str]:
        c, r, to_c, to_r = move
        return {square: piece for square, piece in board.items() if square != (c, r)} | {(to_c, to_r): board[c, r]}

    def winner(self, board: dict[tuple[int, int], str]) -> str:
        for far, piece, other in ((self.height - 1, "W", "B"), (0, "B", "W")):
            if other not in board.values() or any(board.get((c, far)) == piece for c in range(self.width)):
                return piece
        return ""

    def sequences(self, board: dict[tuple[int, int], str], mover: str, depth: int) -> int:
        moves = self.legal(board, mover)
        if depth <= 1:
            return len(moves) if depth else 1
        other = "B" if mover == "W" else "W"
        return sum(self.sequences(self.after(board, move), other, depth - 1) for move in moves)

    def value(self, board: dict[tuple[int, int], str], mover: str) -> int:
        """What the position is worth to the mover, by minimax with a memory."""

        @functools.cache
        def worth(pieces: frozenset[Any], mover: str) -> int:
            board = dict(pieces)
            if self.winner(board):
                return 1 if self.winner(board) == mover else -1
            other = "B" if mover == "W" else "W"
            replies = (frozenset(self.after(board, move).items()) for move in self.legal(board, mover))
            return 1 if any(worth(reply, other) == -1 for reply in replies) else -1

        return worth(frozenset(board.items()), mover)

    def read(self, s: BreakthroughState) -> dict[tuple[int, int], str]:
        squares = {(i % self.width, i // self.width): i for i in range(self.width * self.height)}
        return {
            square: "W" if s.white >> i & 1 else "B" for square, i in squares.items() if (s.white | s.black) >> i & 1
        }

    def move(self, a: int) -> tuple[int, int, int, int]:
        origin, target = divmod(a, 64)
        return origin % self.width, origin // self.width, target % self.width, target // self.width


@pytest.mark.parametrize("board", BOARDS)
def test_rules_against_slow_ones(board: tuple[int, int, int]) -> None:
    game, slow = Breakthrough(*board), Slow(*board)
    assert slow.read(game.initial()) == slow.start
    for s in states_of_random_play(game, 4):
        pieces, mover = slow.read(s), "WB"[s.mover]
        assert s.white & s.black == 0
        winner = slow.winner(pieces)
        assert game.is_terminal(s) == bool(winner)
        moves = list(game.actions(s))
        assert len(set(moves)) == len(moves) <= 3 * board[0] * board[2] == game.max_actions
        assert {slow.move(a) for a in moves} == slow.legal(pieces, mover)
        assert bool(moves) != bool(winner)  # nobody is ever without a move
        if winner:
            assert game.utility(s, 0) == -game.utility(s, 1) == (1 if winner == "W" else -1)
        for a in moves:
            after = game.result(s, a)
            assert slow.read(after) == slow.after(pieces, slow.move(a))
            assert after.mover == 1 - s.mover


def wins_at_once(game: Breakthrough, s: BreakthroughState) -> bool:
    return any(game.is_terminal(game.result(s, a)) for a in game.actions(s))


def random_positions(game: Breakthrough, count: int, seed: int = 1) -> list[BreakthroughState]:
    """Positions with few pieces anywhere but on the far rows: the ends that random play seldom comes to."""
    random = np.random.default_rng(seed)
    found: list[BreakthroughState] = []
    squares = range(game.width * game.height)
    while len(found) < count:
        density = random.uniform(0, 0.4)
        cells = random.choice(3, len(squares), p=(1 - 2 * density, density, density))
        white, black = (sum(1 << i for i in squares if cells[i] == colour) for colour in (1, 2))
        s = BreakthroughState(white, black, int(random.integers(2)))
        if not game.is_terminal(s):
            found.append(s)
    return found


@pytest.mark.parametrize("board", BOARDS)
def test_what_the_engine_can_use(board: tuple[int, int, int]) -> None:
    game = Breakthrough(*board)
    positions = random_positions(game, 300) if board != (26, 2, 1) else []  # there, every position is over or won
    for s in states_of_random_play(game, 4) + positions:
        moves = list(game.actions(s))
        safe = [a for a in moves if not wins_at_once(game, game.result(s, a))]
        assert list(game.safe_actions(s)) == safe
        noisy = list(game.noisy_actions(s))
        assert noisy == [a for a in moves if a in noisy]
        low, high = game.bounds(s)
        if game.is_terminal(s):
            assert (low, high) == (game.utility(s, s.mover),) * 2
            continue
        if wins_at_once(game, s):
            best = max(moves, key=lambda a: game.promise(s, a))
            captures_the_last = game.pieces(s, 1 - s.mover).bit_count() == 1
            assert game.is_terminal(game.result(s, best)) or captures_the_last
        passed = BreakthroughState(s.white, s.black, 1 - s.mover)
        if wins_at_once(game, passed):
            assert not game.may_stand(s)
        for a in set(moves) - set(noisy):  # no capture, and no piece comes to one step from the far row
            after = game.result(s, a)
            assert (after.white | after.black).bit_count() == (s.white | s.black).bit_count()
            assert game.runners(after, s.mover).bit_count() <= game.runners(s, s.mover).bit_count()


def forced(game: Breakthrough, s: BreakthroughState, plies: int) -> int:
    """1 where the mover can force a win within so many plies, -1 where the other can, and 0 otherwise."""
    if game.is_terminal(s):
        return -1
    if plies == 0:
        return 0
    return max(-forced(game, game.result(s, a), plies - 1) for a in game.actions(s))


@pytest.mark.parametrize("board", [(4, 5, 1), (3, 6, 2), (3, 3, 1), (2, 4, 1)])
def test_bounds_are_right(board: tuple[int, int, int]) -> None:
    game = Breakthrough(*board)
    seen = set()
    for s in random_positions(game, 300) + states_of_random_play(game, 10):
        bounds = game.bounds(s)
        seen.add(bounds)
        low, high = bounds
        if low == high:
            assert forced(game, s, 3) == low, s
    assert {(1.0, 1.0), (-1.0, -1.0)} <= seen


def test_mirror_images_have_one_canonical_key() -> None:
    for board in BOARDS:
        game = Breakthrough(*board)
        seen: dict[int, set[BreakthroughState]] = {}
        for s in states_of_random_play(game, 3):
            mirror = BreakthroughState(game.mirrored(s.white), game.mirrored(s.black), s.mover)
            rows = [line.split()[1:] for line in game.text(s).split("\n")]
            assert [line.split()[1:] for line in game.text(mirror).split("\n")][:-1] == [r[::-1] for r in rows][:-1]
            assert game.canonical_key(s) == game.canonical_key(mirror)
            assert all(game.evaluate(s, p) == game.evaluate(mirror, p) for p in (0, 1))
            seen.setdefault(game.canonical_key(s), set()).update((s, mirror))
        assert all(len(states) <= 2 for states in seen.values())
        assert all(len({s.mover for s in states}) == 1 for states in seen.values())


def test_move_sequences() -> None:
    # Recomputed by the slow rules above, which know nothing of the fast ones.
    counts = [22, 484, 11_132, 256_036, 6_182_818]
    game, slow = Breakthrough(), Slow(8, 8, 2)
    assert [compiled_perft(game, n) for n in range(1, 6)] == counts
    assert [perft(game, game.initial(), n) for n in range(1, 4)] == counts[:3]
    assert [slow.sequences(slow.start, "W", n) for n in range(1, 4)] == counts[:3]
    small, slow = Breakthrough(3, 5, 1), Slow(3, 5, 1)
    assert [compiled_perft(small, n) for n in (4, 6)] == [slow.sequences(slow.start, "W", n) for n in (4, 6)]


@pytest.mark.parametrize(("board", "value"), [((3, 5, 1), 1), ((5, 4, 1), 1), ((4, 4, 2), -1)])
def test_values_of_small_boards(board: tuple[int, int, int], value: float) -> None:
    result = analyse(Breakthrough(*board), algorithm="alpha_beta", compile=True)  # recomputed, by this search alone
    assert (result.value, result.exact) == (value, True)


@pytest.mark.parametrize(("board", "value"), [((2, 4, 1), -1), ((2, 5, 2), -1), ((3, 4, 1), 1), ((3, 4, 2), -1)])
def test_values_of_the_smallest_boards_by_slow_rules(board: tuple[int, int, int], value: float) -> None:
    plain = analyse(Breakthrough(*board), algorithm="alpha_beta", compile=False)
    slow = Slow(*board)
    assert slow.value(slow.start, "W") == plain.value == value
    assert plain.exact


def test_alpha_beta_in_both_modes() -> None:
    game = Breakthrough(3, 5, 1)
    plain, compiled = (analyse(game, algorithm="alpha_beta", depth=7, compile=c) for c in (False, True))
    assert (plain.value, plain.nodes, plain.line) == (compiled.value, compiled.nodes, compiled.line)


def engine_digest(game: Any, s: Any) -> int:
    """A number mixed from what the optional methods say about a state."""
    key = mix(SEED, game.canonical_key(s))
    for a in game.safe_actions(s):
        key = mix(key, a)
    for a in game.noisy_actions(s):
        key = mix(key, a)
    low, high = game.bounds(s)
    key = mix(mix(key, int(low)), int(high))
    if game.may_stand(s):
        key = mix(key, 1)
    for p in range(2):
        for number, amount in game.features(s, p):
            key = mix(mix(key, number), int(amount))
    return key


_engine_digest = Routine(engine_digest)


@pytest.mark.parametrize("board", [(8, 8, 2), (3, 6, 2)])
def test_both_modes(board: tuple[int, int, int]) -> None:
    game = Breakthrough(*board)
    states = states_of_random_play(game, 3)
    check_both_modes(game, states)
    program = _engine_digest.compiled(game)
    for s in states + random_positions(game, 100):
        assert program(s) == engine_digest(game, s), s


@pytest.mark.parametrize("board", BOARDS)
def test_the_evaluation(board: tuple[int, int, int]) -> None:
    game = Breakthrough(*board)
    assert len(game.feature_names()) == len(set(game.feature_names())) == len(game.weights)
    for s in states_of_random_play(game, 3):
        white, black = game.evaluate(s, 0), game.evaluate(s, 1)
        assert white == pytest.approx(-black)
        assert abs(white) <= 0.99
        for p in (0, 1):
            assert game.weighted_features(s, p) == pytest.approx(Game.weighted_features(game, s, p))
        amounts = [dict(game.features(s, p)) for p in (0, 1)]
        assert amounts[0] == {number: -amount for number, amount in amounts[1].items()}
        assert set(amounts[0]) <= set(range(len(game.weights)))


def test_what_the_features_count() -> None:
    game = Breakthrough(4, 6, 1)
    s = position(game, ". . B .", ". . . .", "W . . .", ". . B .", ". W . .", ". . W W")
    named = dict(zip(game.feature_names(), (amount for _, amount in game.features(s, 0)), strict=True))
    assert named == {
        "pieces": 2,
        "to move": 1,
        "moves": 2 + 3 + 2 + 2 - 3 - 3,  # of a4, b2, c1 and d1 less those of c6 and c3
        "protected pieces": 1,
        "hanging pieces of the player to move": 0,
        "hanging pieces of the other player": -1,
        "one step from the far row, not attacked": 0,
        "two steps from the far row, not attacked and with a safe step ahead": 1,
        "on the home row, column 1 from the edge": 1,
        "on the home row, column 2 from the edge": 0,
        "on row 3": 0,
        "on row 4": 0,
        "on row 5": 0,
    }


def position(game: Breakthrough, *rows: str, mover: int = 0) -> BreakthroughState:
    cells = "".join(row.replace(" ", "") for row in reversed(rows))
    white, black = (sum(1 << i for i, cell in enumerate(cells) if cell == piece) for piece in "WB")
    return BreakthroughState(white, black, mover)


def test_other_weights() -> None:
    game = Breakthrough(4, 4, 1)
    count = len(game.weights)
    only_pieces = Breakthrough(4, 4, 1, weights=[0.1] + [0.0] * (count - 1))
    s = position(game, "B B . .", ". . . .", ". . . .", "W W W W")
    assert only_pieces.evaluate(s, 0) == pytest.approx(0.2)
    assert Breakthrough(4, 4, 1, weights=np.full(count, 5.0)).evaluate(s, 1) == -0.99
    assert only_pieces.name == "Breakthrough(width=4, height=4, rows=1)"
    for weights, message in [
        ([1.0], rf"weights must be {count} numbers, one for each feature; these have the shape \(1,\)"),
        (np.ones((count, 1)), "these have the shape"),
        ("heavy", rf"weights must be {count} numbers, one for each feature, not 'heavy'"),
        ([0.0, float("nan")] + [0.0] * (count - 2), "weights must be finite; that of 'to move' is not"),
    ]:
        with pytest.raises(GameError, match=message):
            Breakthrough(4, 4, 1, weights=weights)  # type: ignore[arg-type]


def test_names_and_pictures() -> None:
    game = Breakthrough()
    check_names(game, states_of_random_play(game, 2))
    assert game.name == "Breakthrough(width=8, height=8, rows=2)"
    assert (game.player_name(0), game.player_name(1), game.player_name(-1)) == ("White", "Black", "chance")
    s = game.play("b2-c3", "e7-d6", "c3-c4", "D6D5")
    assert game.play("c4xd5", state=s) == game.play("c4-d5", state=s) == game.play(" C4d5", state=s)
    assert game.action_name(s, game.action_named(s, "c4-d5")) == "c4xd5"
    assert game.text(s).split("\n") == [
        "8 B B B B B B B B",
        "7 B B B B . B B B",
        "6 . . . . . . . .",
        "5 . . . B . . . .",
        "4 . . W . . . . .",
        "3 . . . . . . . .",
        "2 W . W W W W W W",
        "1 W W W W W W W W",
        "  a b c d e f g h",
    ]
    for name in ("c4-c6", "c4", "d5-c4", "", "pass"):
        with pytest.raises(IllegalAction, match=r"is not a legal move.*legal here"):
            game.play(name, state=s)
    wide = Breakthrough(26, 2, 1)
    assert {"x1xw2", "x1xy2"} < {wide.action_name(wide.initial(), a) for a in wide.legal(wide.initial())}
    check_names(wide, [wide.initial()])
    assert Breakthrough(2, 12, 1).text(Breakthrough(2, 12, 1).initial()).split("\n")[2:4] == ["10 . .", " 9 . ."]


def test_ends() -> None:
    game = Breakthrough(3, 4, 1)
    arrived = position(game, "B W B", ". . .", ". . .", ". . W", mover=1)
    captured = position(game, ". . .", ". B .", ". . .", ". . .", mover=0)
    assert [game.is_terminal(s) for s in (arrived, captured)] == [True, True]
    assert [game.utility(s, 0) for s in (arrived, captured)] == [1, -1]
    assert [list(game.actions(s)) for s in (arrived, captured)] == [[], []]
    last = position(game, ". . .", "B . .", ". W .", ". . .")
    assert game.is_terminal(game.play("b2xa3", state=last))
    assert not game.may_stand(last)  # it would be captured


def test_it_passes_the_check() -> None:
    report = check(Breakthrough(3, 5, 1), plays=40, compile=False)  # small enough to solve what `bounds` claims
    assert report.findings == (), str(report)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((1, 8), "width must be a whole number from 2 to 26, not 1"),
        ((27, 2, 1), "width must be a whole number from 2 to 26, not 27"),
        ((8, 1, 1), "height must be a whole number from 2 to 32, not 1"),
        ((8, 8, 0), "rows, how many each army fills, must be a whole number from 1 to 16, not 0"),
        ((9, 8), r"width · height may be at most 64, the bits of a word; 9 · 8 is 72"),
        ((8, 5, 3), "two armies of 3 rows need a height of at least 6, not 5"),
        ((8.0, 8), r"not 8\.0"),
    ],
)
def test_bad_parameters(parameters: Any, message: str) -> None:
    with pytest.raises(GameError, match=message):
        Breakthrough(*parameters)
