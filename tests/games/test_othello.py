"""Othello."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from walks import check_both_modes, check_names, compiled_perft, perft, states_of_random_play

from zermelo import Game, IllegalAction, analyse
from zermelo.game.errors import GameError, StateError
from zermelo.games.othello import PASS, Othello, OthelloState
from zermelo.games.othello import weights as othello_weights
from zermelo.games.othello.patterns import COUNTS, images, shapes
from zermelo.games.othello.weights import FILE, FILE_UNIT, STAGES, stage_of, weights_by_hand
from zermelo.kernel.bits import bits, count_bits
from zermelo.kernel.routine import Routine

PERFT = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284]
TRUTH = Path(__file__).parents[3] / "shared" / "truth" / "othello"

SIZES = [4, 6, 8]


# The rules.


def leaves(game: Any, s: Any, depth: int) -> int:
    """How many sequences of so many moves there are, a game that is over before counted as one."""
    if depth == 0 or game.is_terminal(s):
        return 1
    count = 0
    for a in game.actions(s):
        count += leaves(game, game.result(s, a), depth - 1)
    return count


def test_move_sequences() -> None:
    # Aart Bik (2009), a pass counted as a ply; the first games end after nine plies, so perft of 10 needs `leaves`.
    game = Othello()
    assert [compiled_perft(game, n) for n in range(1, 9)] == PERFT[:8]
    assert [perft(game, game.initial(), n) for n in range(1, 6)] == PERFT[:5]
    program = Routine(leaves)
    assert [program.compiled(game, n)(game.initial()) for n in (9, 10)] == PERFT[8:]


@pytest.mark.skipif(not (TRUTH / "perft.csv").exists(), reason="the published tables are not here")
def test_the_published_table() -> None:
    with (TRUTH / "perft.csv").open() as file:
        rows = [int(row["pass_counts_as_ply"]) for row in csv.DictReader(file)]
    assert rows[: len(PERFT)] == PERFT


class Slow:
    """Othello by rows of letters: the rules as one would tell them."""

    def __init__(self, rows: list[list[str]]):
        self.rows, self.size = rows, len(rows)

    def turned(self, x: int, y: int, disc: str) -> list[tuple[int, int]]:
        if self.rows[y][x] != "-":
            return []
        found = []
        for across, down in ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)):
            passed = []
            i, j = x + across, y + down
            while 0 <= i < self.size and 0 <= j < self.size and self.rows[j][i] not in ("-", disc):
                passed.append((i, j))
                i, j = i + across, j + down
            if 0 <= i < self.size and 0 <= j < self.size and self.rows[j][i] == disc:
                found += passed
        return found

    def legal(self, disc: str) -> list[int]:
        return [8 * y + x for y in range(self.size) for x in range(self.size) if self.turned(x, y, disc)]

    def place(self, x: int, y: int, disc: str) -> None:
        for i, j in [*self.turned(x, y, disc), (x, y)]:
            self.rows[j][i] = disc

    def count(self, disc: str) -> int:
        return sum(row.count(disc) for row in self.rows)


def slow(game: Othello, s: OthelloState) -> Slow:
    black, white = (s.own, s.other) if s.mover == 0 else (s.other, s.own)
    cells = [
        ["X" if black >> i & 1 else "O" if white >> i & 1 else "-" for i in range(8 * y, 8 * y + game.size)]
        for y in range(game.size)
    ]
    return Slow(cells)


@pytest.mark.parametrize("size", SIZES)
def test_rules_against_slow_ones(size: int) -> None:
    game, passes = Othello(size), 0
    for seed in range(12 if size < 8 else 6):
        s, ply = game.initial(), seed
        board = slow(game, s)
        while True:
            mover, other = "XO"[s.mover], "OX"[s.mover]
            assert slow(game, s).rows == board.rows
            legal = board.legal(mover)
            over = not legal and not board.legal(other)
            assert game.is_terminal(s) == over
            if over:
                assert list(game.actions(s)) == []
                lead = board.count("X") - board.count("O")
                lead += board.count("-") * ((lead > 0) - (lead < 0))
                assert game.utility(s, 0) == -game.utility(s, 1) == lead
                break
            assert list(game.actions(s)) == (legal or [PASS])
            for a in legal:
                turned = sum(1 << 8 * y + x for x, y in board.turned(a % 8, a // 8, mover))
                assert game.turned(s.own, s.other, a) == turned
            ply = ply * 7919 + 13
            a = legal[ply // 64 % len(legal)] if legal else PASS
            passes += a == PASS
            if a != PASS:
                board.place(a % 8, a // 8, mover)
            s = game.result(s, a)
            assert s.mover == (mover == "X")
            assert (s.own | s.other) & ~game.board == 0
    assert passes


@pytest.mark.parametrize("size", SIZES)
def test_both_modes(size: int) -> None:
    game = Othello(size, np.random.default_rng(size).normal(size=Othello(size).weights.size))
    check_both_modes(game, states_of_random_play(game, 4))


def test_the_small_board_is_solved() -> None:
    # The second player wins 11 to 3; the two squares that stay empty are the winner's too.
    game = Othello(4)
    result = analyse(game, algorithm="alpha_beta", compile=True)
    assert (result.value, result.exact) == (-10, True)
    assert game.text(game.play(*result.line)).endswith("Black (X) 3, White (O) 11; the game is over")


def test_the_shortest_game() -> None:
    # Nine moves, after which white has no disc: the empty squares are black's too.
    game = Othello()
    s = game.play("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")
    assert game.is_terminal(s)
    assert (game.utility(s, 0), game.utility(s, 1)) == (64, -64)
    assert game.text(s).endswith("Black (X) 13, White (O) 0; the game is over")


# What search uses.


def value(game: Othello, s: OthelloState) -> float:
    """What the position is worth to the player to move, by trying everything."""
    if game.is_terminal(s):
        return game.utility(s, s.mover)
    return max(-value(game, game.result(s, a)) for a in game.actions(s))


@pytest.mark.parametrize(("size", "games"), [(4, 60), (6, 60), (8, 120)])
def test_the_last_squares_are_played_out(size: int, games: int) -> None:
    game, seen = Othello(size), {0: 0, 1: 0, 2: 0}
    for s in states_of_random_play(game, games):
        empty = game.squares - count_bits(s.own | s.other)
        for t in (s, OthelloState(s.other, s.own, 1 - s.mover)):  # the other to move, which play may never come to
            if empty <= 2:
                seen[empty] += 1
                assert game.bounds(t) == (value(game, t),) * 2, game.text(t)
    assert min(seen.values()) > 50


def test_positions_in_which_somebody_must_pass_at_the_end() -> None:
    game = Othello(4)
    for board, worth in (
        ("XXXX XXXX XXXX XX--", 16),  # nobody can move
        ("OOOO OOOO OOOO OO--", -16),
        ("XXXX OOOO XXOO XO-O", 8),
        ("XXXX OOOO XXXX OO--", 4),
        ("XOXO XOXO XOXO XOXO", 0),
        ("XXXX XXXX OOOO OO--", 0),
    ):
        s = game.from_text(board)
        assert game.bounds(s) == (value(game, s),) * 2
        if "-" not in board or game.is_terminal(s):
            assert game.bounds(s)[0] == game.utility(s, 0) == worth


def _value_within(game: Any, s: Any, lower: float, upper: float) -> float:
    """Alpha-beta without bounds."""
    if game.is_terminal(s):
        return float(game.utility(s, game.to_move(s)))
    best = -100.0
    for a in game.actions(s):
        best = max(best, -_value_within(game, game.result(s, a), -upper, -max(lower, best)))
        if best >= upper:
            break
    return best


def test_bounds_hold() -> None:
    game = Othello()
    solve = Routine(_value_within).compiled(game, -64.0, 64.0)
    tight = 0
    for s in states_of_random_play(game, 150):
        if count_bits(s.own | s.other) in (55, 56):
            low, high = game.bounds(s)
            assert low <= solve(s) <= high, game.text(s)
            tight += (low > -64) + (high < 64)
    assert tight > 50


def test_stable_discs_are_never_turned() -> None:
    game, found = Othello(6), 0
    for seed in range(30):
        kept = [0, 0]
        for s in states_of_random_play(game, 1, seed):
            for p, discs in ((s.mover, s.own), (1 - s.mover, s.other)):
                assert kept[p] & ~discs == 0
                kept[p] |= game.stable(discs, s.own | s.other)
        found += count_bits(kept[0] | kept[1])
        assert kept[0] | kept[1] == s.own | s.other or s.own | s.other != game.board
    assert found > 500


def test_stable_discs_by_hand() -> None:
    game = Othello()
    s = game.from_text("XXXO---- XX------ X------- -------- -------- -------- -------O -------O")
    names = [game.action_name(s, a) for a in bits(game.stable(s.own, s.own | s.other))]
    assert names == ["a1", "b1", "c1", "a2", "b2", "a3"]
    assert [game.action_name(s, a) for a in bits(game.stable(s.other, s.own | s.other))] == ["h7", "h8"]
    full = game.from_text("XOXOXOXO" * 8)
    assert game.stable(full.own, game.board) == full.own


def test_keys() -> None:
    game = Othello()
    states = states_of_random_play(game, 100)
    assert len({game.key(s) for s in states}) == len(states)
    for s in states:
        exchanged = OthelloState(s.own, s.other, 1 - s.mover)
        assert game.canonical_key(s) == game.canonical_key(exchanged)
        assert game.key(s) != game.key(exchanged)


def test_promise_prefers_few_replies_and_corners() -> None:
    game = Othello()
    s = game.from_text("-OX----- -------- -------- ---XO--- ---OX--- -------- -------- --------")
    best = max(game.actions(s), key=lambda a: game.promise(s, a))
    assert game.action_name(s, best) == "a1"
    passing = game.from_text("XO------ " + "-" * 56 + " O")
    assert list(game.actions(passing)) == [PASS]
    assert game.promise(passing, PASS) == 0


def obf(file: str, most: int) -> list[Any]:
    """Positions with the value for the player to move, of at most so many empty squares."""
    found = []
    for line in (TRUTH / file).read_text().splitlines():
        board, mover = line.partition(";")[0].split()
        best = max(int(score) for score in re.findall(r":([+-]\d+)", line))
        if board.count("-") <= most:
            found.append(pytest.param(board, mover, best, id=board))
    return found


ENDGAMES = obf("fforum-1-19.obf", 14) if TRUTH.exists() else []


@pytest.mark.skipif(not ENDGAMES, reason="the published positions are not here")
def test_published_endgames() -> None:
    game = Othello()
    program = Routine(_solved).compiled(game, -64.0, 64.0)
    for board, mover, worth in (parameter.values for parameter in ENDGAMES):
        assert program(game.from_text(f"{board} {mover}")) == worth, board


def _solved(game: Any, s: Any, lower: float, upper: float) -> float:
    """Alpha-beta with bounds, the most promising of the moves first."""
    low, high = game.bounds(s)
    if low == high or low >= upper:
        return float(low)
    if high <= lower or game.is_terminal(s):
        return float(high if high <= lower else game.utility(s, game.to_move(s)))
    best, tried = -100.0, 0
    count = 0
    for _ in game.actions(s):
        count += 1
    last, last_move = 1e9, -1
    while tried < count and best < upper:
        chosen, most = -1, -1e9
        for a in game.actions(s):
            worth = game.promise(s, a)
            later = worth < last or (worth == last and a > last_move)
            if later and worth > most:
                chosen, most = a, worth
        best = max(best, -_solved(game, game.result(s, chosen), -upper, -max(lower, best)))
        last, last_move, tried = most, chosen, tried + 1
    return best


# Evaluation.


def as_seen(game: Othello, s: OthelloState, p: int) -> dict[int, float]:
    found: dict[int, float] = {}
    for number, amount in game.features(s, p):
        found[number] = found.get(number, 0.0) + amount
    return {number: amount for number, amount in found.items() if amount != 0}


@pytest.mark.parametrize("size", SIZES)
def test_features_are_opposite_for_opponents_and_equal_for_mirror_images(size: int) -> None:
    game = Othello(size, np.random.default_rng(1).normal(size=Othello(size).weights.size))
    for s in states_of_random_play(game, 3):
        seen = as_seen(game, s, 0)
        assert as_seen(game, s, 1) == {number: -amount for number, amount in seen.items()}
        assert game.evaluate(s, 0) == -game.evaluate(s, 1)
        exchanged = OthelloState(s.own, s.other, 1 - s.mover)
        assert as_seen(game, exchanged, 1) == seen
        for image in mirrored(s, size):
            assert as_seen(game, image, 0) == seen


def mirrored(s: OthelloState, size: int) -> list[OthelloState]:
    every = tuple((x, y) for y in range(size) for x in range(size))
    found = []
    for image in images(every, size):
        moved = {8 * y + x: 8 * j + i for (x, y), (i, j) in zip(every, image, strict=True)}
        own, other = (sum(1 << moved[a] for a in bits(word)) for word in (s.own, s.other))
        found.append(OthelloState(own, other, s.mover))
    return found


@pytest.mark.parametrize("size", SIZES)
def test_patterns_against_reading_them_off(size: int) -> None:
    game = Othello(size)
    names, count = game.feature_names(), game.features_a_stage
    assert len(names) == len(game.weights) == STAGES * count
    assert len(set(names)) == len(names)
    for s in states_of_random_play(game, 1)[::5]:
        rows = slow(game, s).rows
        letters = {"-": "-", "XO"[s.mover]: "X", "OX"[s.mover]: "O"}
        below, share = stage_of(game.plies_left(s), size * size)
        expected: dict[str, float] = {}
        for name, squares in shapes(size).items():
            for image in {frozenset(i): i for i in images(squares, size)}.values():
                ways = [i for i in images(squares, size) if frozenset(i) == frozenset(image)]
                read = min(("".join(letters[rows[y][x]] for x, y in way) for way in ways), key=_base_3)
                for stage, amount in ((below, 1 - share), (below + 1, share)):
                    shown = names[stage * count].partition(":")[0] + f": {name} {read}"
                    expected[shown] = expected.get(shown, 0) + amount
        seen = {
            names[n]: amount for n, amount in as_seen(game, s, s.mover).items() if n % count >= sum(COUNTS.values())
        }
        assert seen == pytest.approx({name: amount for name, amount in expected.items() if amount})


def _base_3(squares: str) -> int:
    return sum("-XO".index(square) * 3**place for place, square in enumerate(squares))


def test_counts() -> None:
    game = Othello()
    s = game.from_text("XX------ -O------ -------- ---OX--- ---XO--- -------- ------X- --------")
    moves, replies, frontier, others_frontier, parity = game.counts(s.own, s.other)
    other = OthelloState(s.other, s.own, 1)
    assert (moves, replies) == (len(list(game.actions(s))), len(list(game.actions(other))))
    board = slow(game, s).rows
    for disc, count in (("X", frontier), ("O", others_frontier)):
        beside = {
            (x, y)
            for x, y in ((x, y) for x in range(8) for y in range(8) if board[y][x] == "-")
            if any(
                board[j][i] == disc
                for i in range(x - 1, x + 2)
                for j in range(y - 1, y + 2)
                if min(i, j) >= 0 and max(i, j) < 8
            )
        }
        assert len(beside) == count
    assert parity == 0  # 56 empty squares


def test_stages() -> None:
    assert stage_of(0, 64) == (0, 0.0)
    assert stage_of(6, 64) == (1, 0.5)
    assert stage_of(52, 64) == stage_of(60, 64) == (STAGES - 2, 1.0)
    assert stage_of(32, 36) == (STAGES - 2, 1.0)


def test_weighted_features_are_the_inherited_ones() -> None:
    """The tables round each weight to a 256th of a disc, so a sum of 51 is off by at most 51/512, usually far less."""
    assert Othello().rounding == 51 / 512
    game = Othello(weights=np.random.default_rng(2).normal(size=Othello().weights.size))
    for s in states_of_random_play(game, 1):
        total = Game.weighted_features(game, s, 0)
        assert game.weighted_features(s, 0) == pytest.approx(total, abs=game.rounding)
        assert game.evaluate(s, 0) == min(max(game.weighted_features(s, 0), -63.5), 63.5)


def test_the_shipped_weights_are_small_and_the_whole_numbers_of_their_file() -> None:
    assert FILE.stat().st_size < 2_000_000
    with np.load(FILE) as file:
        assert file["weights"].dtype == np.int16
        assert np.array_equal(file["weights"] / FILE_UNIT, Othello().weights)
    assert not Othello().weights.flags.writeable


def test_new_weights_need_no_predictions_for_probcut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "weights.npz"
    np.savez(file, weights=np.zeros(1, np.int16))  # as scripts/train_othello.py leaves it
    monkeypatch.setattr(othello_weights, "FILE", file)
    assert not othello_weights.cuts.__wrapped__(8).any()


def test_other_weights_take_effect_when_they_are_assigned() -> None:
    game = Othello(6)
    s = states_of_random_play(game, 1)[9]
    before = game.evaluate(s, 0)
    game.weights = 2 * weights_by_hand(6)
    assert before != 0
    assert game.evaluate(s, 0) == pytest.approx(2 * before, abs=0.1)
    assert Othello(6).evaluate(s, 0) == before


# For people.


def test_names_and_pictures() -> None:
    game = Othello()
    check_names(game, states_of_random_play(game, 2))
    assert game.name == "Othello(size=8)"
    assert (game.player_name(0), game.player_name(1), game.player_name(-1)) == ("Black", "White", "chance")
    s = game.initial()
    assert [game.action_name(s, a) for a in game.actions(s)] == ["d3", "c4", "f5", "e6"]
    assert game.text(game.play("F5")).split("\n") == [
        "  a b c d e f g h",
        "1 - - - - - - - -",
        "2 - - - - - - - -",
        "3 - - - - - - - -",
        "4 - - - O X * - -",
        "5 - - - X X X - -",
        "6 - - - * - * - -",
        "7 - - - - - - - -",
        "8 - - - - - - - -",
        "Black (X) 4, White (O) 1; White to move",
    ]


def test_a_pass_by_any_name() -> None:
    game = Othello()
    s = game.from_text("XO------" + "-" * 56 + " O")
    assert game.legal(s) == [PASS]
    assert game.action_name(s, PASS) == "pass"
    for name in ("pass", "PA", "--", " ps "):
        assert game.play(name, state=s) == OthelloState(s.other, s.own, 0)
    with pytest.raises(IllegalAction, match=r"'pass' is not a legal move of Othello.*legal here: d3, c4, f5, e6"):
        game.play("pass")


def test_positions_from_text() -> None:
    game = Othello()
    start = "---------------------------OX------XO---------------------------"
    assert game.from_text(f"{start} X") == game.from_text(start) == game.initial()
    assert game.to_text(game.initial()) == f"{start} X"
    assert game.from_text(start.lower().replace("-", ".") + " o") == OthelloState(
        1 << 27 | 1 << 36, 1 << 28 | 1 << 35, 1
    )
    assert Othello(4).from_text("---- -OX- -XO- ----") == Othello(4).initial()
    for text, message in (
        (start[1:], "the board has 64 squares, but this text 63"),
        (start[1:] + " X", "the board has 64 squares, but this text 63"),
        (start + "- X", "the board has 64 squares, but this text 65"),
        ("", "the board has 64 squares, but this text 0"),
        ("?" + start[1:], r"square a1 is '\?'; it must be X \(black\), O \(white\) or - \(empty\)"),
        (start[:-1] + "1", "square h8 is '1'"),
        (start + " W", r"the player to move is X \(black\) or O \(white\), not 'W'"),
    ):
        with pytest.raises(StateError, match=message):
            game.from_text(text)


def test_bad_states() -> None:
    game = Othello(6)
    for state, message in (
        (OthelloState(3, 1, 0), "both players have a disc on a1"),
        (OthelloState(1 << 6, 1, 0), "there are discs beyond the board"),
        (OthelloState(2, 1, 2), "the mover is 0 or 1"),
        (OthelloState(1 << 64, 1, 0), "does not fit its width"),
    ):
        with pytest.raises(StateError, match=message):
            game.checked(state)
    assert game.checked(game.initial()) == game.initial()


@pytest.mark.parametrize("size", [0, 5, 10, True, 8.0, "8"])
def test_bad_sizes(size: Any) -> None:
    with pytest.raises(GameError, match="size must be 4, 6 or 8, not"):
        Othello(size)


def test_bad_weights() -> None:
    right = Othello(4).weights
    assert (Othello(4, list(right)).weights == right).all()
    for weights, message in (
        (right[1:], rf"weights must be an array of {right.size} numbers for Othello \(size 4\), not of shape"),
        (right.reshape(2, -1), "not of shape"),
        ("heavy", "weights must be an array of numbers"),
        (right + np.inf, "weights must be finite"),
    ):
        with pytest.raises(GameError, match=message):
            Othello(4, weights)
