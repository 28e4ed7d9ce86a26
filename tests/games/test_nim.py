"""Nim."""

from __future__ import annotations

import itertools
from functools import cache

import pytest
from walks import check_both_modes, check_names, states_of_random_play

from zermelo import IllegalAction, analyse
from zermelo.game.errors import GameError
from zermelo.games.nim import Nim, NimState


@pytest.mark.parametrize("misere", [False, True])
def test_every_small_position_against_bouton(misere: bool) -> None:
    # Bouton, "Nim, a game with a complete mathematical theory", Annals of Mathematics 3 (1901).
    game = Nim((4, 4, 4), misere)

    @cache
    def wins(piles: tuple[int, ...]) -> bool:
        """Does the player to move win? By the definition, on piles in order of size."""
        if not any(piles):
            return misere
        after = (
            tuple(sorted((*piles[:i], left, *piles[i + 1 :]))) for i, pile in enumerate(piles) for left in range(pile)
        )
        return any(not wins(rest) for rest in after)

    for piles in itertools.product(range(5), repeat=3):
        s = NimState((*piles, 0, 0, 0, 0, 0), 0)
        expected = wins(tuple(sorted(piles)))
        if game.is_terminal(s):
            assert (game.utility(s, 0) == 1) == expected
        else:
            assert game.mover_wins(s) == expected
            assert game.evaluate(s, 0) == -game.evaluate(s, 1) == (0.5 if expected else -0.5)


@pytest.mark.parametrize(
    ("piles", "misere", "value"),
    [
        ((3, 4, 5), False, 1),  # nim-sum 2
        ((1, 2, 3), False, -1),  # nim-sum 0
        ((2, 2), False, -1),
        ((1,), False, 1),
        ((1,), True, -1),
        ((1, 1), True, 1),
        ((1, 1, 1), True, -1),
        ((3, 4, 5), True, 1),
        ((1, 2, 3), True, -1),
        ((0, 4), True, 1),
    ],
)
def test_values(piles: tuple[int, ...], misere: bool, value: float) -> None:
    game = Nim(misere=misere)
    for compile in (True, False):
        result = analyse(game, Nim(piles).initial(), algorithm="alpha_beta", compile=compile)
        assert (result.value, result.exact) == (value, True)


def test_the_only_winning_move() -> None:
    # From 3, 4, 5 the first player takes two of the three: 1 xor 4 xor 5 = 0. The textbook example of normal Nim.
    for misere in (False, True):
        result = analyse(Nim((3, 4, 5), misere), algorithm="minimax")
        assert [move.name for move in result.moves if move.value == 1] == ["A2"]


def test_counted_trees() -> None:
    game = Nim((3, 4, 5))

    @cache
    def nodes(piles: tuple[int, ...]) -> int:
        return 1 + sum(nodes((*piles[:i], k, *piles[i + 1 :])) for i, pile in enumerate(piles) for k in range(pile))

    assert analyse(game, algorithm="minimax").nodes == nodes((3, 4, 5)) == 1_038_768
    compiled, plain = (analyse(game, algorithm="alpha_beta", compile=c) for c in (True, False))
    assert (compiled.nodes, compiled.line) == (plain.nodes, plain.line)


def test_greedy_with_a_perfect_evaluation_is_perfect() -> None:
    game = Nim()
    s = game.initial()
    while not game.is_terminal(s):
        s = game.result(s, analyse(game, s, algorithm="greedy", compile=False).action)
        if game.is_terminal(s):
            break
        assert game.nim_sum(s) == 0
        s = game.result(s, list(game.actions(s))[-1])
    assert game.utility(s, 0) == 1


@pytest.mark.parametrize("game", [Nim(), Nim((255, 1, 2, 3, 4, 5, 6, 255), misere=True)])
def test_both_modes(game: Nim) -> None:
    check_both_modes(game, states_of_random_play(game, 3))


def test_names_and_pictures() -> None:
    game = Nim()
    check_names(game, states_of_random_play(game, 5))
    assert game.name == "Nim(piles=(3, 4, 5), misere=False)"
    assert game.text(game.play("b4", "C2")) == "A 3 ooo\nB 0\nC 3 ooo"
    assert game.max_actions == len(list(game.actions(game.initial()))) == 12
    with pytest.raises(IllegalAction, match="'A4' is not a legal move"):
        game.play("A4")
    assert Nim([2, 1]).piles == (2, 1)


@pytest.mark.parametrize(
    ("piles", "message"),
    [
        ((), "1 to 8 piles, not 0"),
        ((1,) * 9, "1 to 8 piles, not 9"),
        ((0, 0), "at least one pile"),
        ((3, 256), "pile 2 must be a whole number from 0 to 255, not 256"),
        ((-1,), "pile 1 must be"),
        ((1.5,), "pile 1 must be"),
    ],
)
def test_bad_parameters(piles: tuple[int, ...], message: str) -> None:
    with pytest.raises(GameError, match=message):
        Nim(piles)
