"""Phantom tic-tac-toe."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from walks import check_both_modes, check_names, states_of_random_play

from zermelo import IllegalAction, Random, Unsuitable, analyse
from zermelo.games.phantom_tic_tac_toe import PhantomTicTacToe, PhantomTicTacToeState

GAME = PhantomTicTacToe()


def test_an_occupied_cell_is_told_and_tried_no_more() -> None:
    s = GAME.play("5", "5")
    assert GAME.to_move(s) == 1
    assert [GAME.action_name(s, a) for a in GAME.legal(s)] == list("12346789")
    after = GAME.play("1", state=s)
    assert GAME.to_move(after) == 0
    # X has seen nothing of O's two tries.
    assert GAME.information(after, 0) == GAME.information(GAME.play("5", "9"), 0)
    assert GAME.information(after, 1) != GAME.information(GAME.play("5", "1"), 1)
    with pytest.raises(IllegalAction, match="'5' is not a legal move"):
        GAME.play("5", "5", "5")


def test_the_order_of_tries_is_remembered() -> None:
    one, other = GAME.play("1", "4", "2", "5"), GAME.play("2", "4", "1", "5")
    assert one.stones == other.stones
    assert GAME.information(one, 0) != GAME.information(other, 0)
    assert GAME.information(one, 1) == GAME.information(other, 1)


def test_ends() -> None:
    won = GAME.play("1", "4", "2", "5", "3")
    assert GAME.is_terminal(won)
    assert list(GAME.actions(won)) == []
    assert [GAME.utility(won, p) for p in (0, 1)] == [1, -1]
    lost = GAME.play("1", "4", "2", "5", "9", "6")
    assert [GAME.utility(lost, p) for p in (0, 1)] == [-1, 1]
    drawn = GAME.play(*"152374689")
    assert drawn.stones[0] | drawn.stones[1] == 0b111_111_111
    assert [GAME.utility(drawn, p) for p in (0, 1)] == [0, 0]
    # Both are told how it ended.
    assert {GAME.information(s, p)[2] for s, p in ((won, 1), (lost, 0), (drawn, 0))} == {0, 1, 2}


def exact(s: PhantomTicTacToeState, p: int) -> dict[Any, float]:
    """The states that p cannot tell from s, with their probabilities if p played as it did and the other at random."""
    wanted = GAME.information(s, p)
    own: list[int] = []
    tries = s.tries[p]
    while tries:
        own.insert(0, (tries & 15) - 1)
        tries >>= 5
    weights: dict[Any, float] = {}

    def walk(t: PhantomTicTacToeState, made: int, probability: float) -> None:
        if GAME.information(t, p) == wanted:
            weights[t] = weights.get(t, 0.0) + probability
        if GAME.is_terminal(t):
            return
        if GAME.to_move(t) == p:
            if made < len(own):
                walk(GAME.result(t, own[made]), made + 1, probability)
            return
        legal = list(GAME.actions(t))
        for a in legal:
            walk(GAME.result(t, a), made, probability / len(legal))

    walk(GAME.initial(), 0, 1.0)
    total = sum(weights.values())
    return {t: weight / total for t, weight in weights.items()}


def test_waiting_for_the_opponent() -> None:
    # O has not tried yet, or has met X's stone, which one try in nine does.
    s = GAME.play("5")
    assert exact(s, 0) == {s: pytest.approx(0.9), GAME.play("5", "5"): pytest.approx(0.1)}


@pytest.mark.parametrize(
    ("moves", "p"),
    [("5", 0), ("5 5", 1), ("5 1", 0), ("5 1 1", 0), ("5 1 1 2", 0), ("5 1 2 5", 1), ("1 4 2 5 3", 1)],
)
def test_resampling_is_exact(moves: str, p: int) -> None:
    s = GAME.play(*moves.split())
    odds = exact(s, p)
    draws = 4_000
    random = Random(11)
    counts = Counter(GAME.resample(s, p, random) for _ in range(draws))
    assert set(counts) <= set(odds)
    expected = [draws * probability for probability in odds.values()]
    squares = sum((counts[t] - e) ** 2 / e for t, e in zip(odds, expected, strict=True))
    freedom = len(odds) - 1
    assert squares <= freedom + 5 * (2 * freedom) ** 0.5  # five standard deviations of chi-squared


def test_a_resampled_state_cannot_be_told_apart() -> None:
    random = Random(3)
    for s in states_of_random_play(GAME, 25):
        for p in (0, 1):
            t = GAME.resample(s, p, random)
            assert GAME.information(t, p) == GAME.information(s, p)
            assert GAME.to_move(t) == GAME.to_move(s)
            assert GAME.is_terminal(t) == GAME.is_terminal(s)
            if GAME.to_move(s) == p:
                assert GAME.legal(t) == GAME.legal(s)


def test_searches_of_open_games_decline() -> None:
    with pytest.raises(Unsuitable, match="hidden"):
        analyse(GAME, algorithm="alpha_beta")


def test_both_modes() -> None:
    check_both_modes(GAME, states_of_random_play(GAME, 15))


def test_names_and_pictures() -> None:
    check_names(GAME, states_of_random_play(GAME, 3))
    assert GAME.text(GAME.play("5", "5", "1")).split("\n") == [
        " O | 2 | 3",
        "---+---+---",
        " 4 | X | 6",
        "---+---+---",
        " 7 | 8 | 9",
        "X tried 5",
        "O tried 5! 1",
    ]
    assert GAME.text(GAME.initial()).endswith("X tried nothing\nO tried nothing")
