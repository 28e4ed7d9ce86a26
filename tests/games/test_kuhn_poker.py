"""Kuhn poker."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from walks import check_both_modes, check_names, states_of_random_play

from zermelo import CHANCE, GameError, Random, Unsuitable, analyse
from zermelo.equilibria.solver import Solver
from zermelo.games.kuhn_poker import BET, PASS, KuhnPoker, KuhnPokerState

GAME = KuhnPoker()
JACK, QUEEN, KING = 1, 2, 3
NOTHING, PASSED, BET_FIRST, PASSED_BET = 0b1, 0b10, 0b11, 0b101

Policy = Callable[[int, Any], Fraction]
"""The probability of BET, given the player and what it knows."""


def expected(s: KuhnPokerState, policy: Policy) -> Fraction:
    """What the first player wins on average from here."""
    if GAME.is_terminal(s):
        return Fraction(GAME.utility(s, 0))
    p = GAME.to_move(s)
    if p == CHANCE:
        return sum((expected(GAME.result(s, deal), policy) for deal, _ in GAME.outcomes(s)), Fraction(0)) / 6
    bet = policy(p, GAME.information(s, p))
    return (1 - bet) * expected(GAME.result(s, PASS), policy) + bet * expected(GAME.result(s, BET), policy)


def best_response(player: int, policy: Policy) -> Fraction:
    """The most that the player can win against the other's policy: all of its 64 pure strategies are tried."""
    moves = (NOTHING, PASSED_BET) if player == 0 else (PASSED, BET_FIRST)
    known = [(card, history) for card in (JACK, QUEEN, KING) for history in moves]
    sign = 1 if player == 0 else -1

    def against(choices: dict[Any, int]) -> Policy:
        return lambda p, information: Fraction(choices[information]) if p == player else policy(p, information)

    pure = (dict(zip(known, choice, strict=True)) for choice in itertools.product((PASS, BET), repeat=6))
    return max(sign * expected(GAME.initial(), against(choices)) for choices in pure)


def kuhn(alpha: Fraction) -> Policy:
    """Kuhn's equilibria: the first player bluffs with the Jack as often as alpha says, up to a third of the time."""
    betting = {
        (0, (JACK, NOTHING)): alpha,
        (0, (KING, NOTHING)): 3 * alpha,
        (0, (QUEEN, PASSED_BET)): alpha + Fraction(1, 3),
        (0, (KING, PASSED_BET)): Fraction(1),
        (1, (JACK, PASSED)): Fraction(1, 3),
        (1, (KING, PASSED)): Fraction(1),
        (1, (QUEEN, BET_FIRST)): Fraction(1, 3),
        (1, (KING, BET_FIRST)): Fraction(1),
    }
    return lambda p, information: betting.get((p, information), Fraction(0))


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 6), Fraction(1, 3)])
def test_equilibria(alpha: Fraction) -> None:
    # Kuhn, "A simplified two-person poker", Contributions to the Theory of Games 1 (1950): -1/18 to the first player.
    policy = kuhn(alpha)
    assert expected(GAME.initial(), policy) == Fraction(-1, 18)
    assert best_response(0, policy) == Fraction(-1, 18)
    assert best_response(1, policy) == Fraction(1, 18)


def test_uniform_policy() -> None:
    # NashConv 11/12, as OpenSpiel's exploitability gives it; the first player's average is 1/8.
    uniform: Policy = lambda p, information: Fraction(1, 2)  # noqa: E731
    assert expected(GAME.initial(), uniform) == Fraction(1, 8)
    assert best_response(0, uniform) + best_response(1, uniform) == Fraction(11, 12)


def all_states() -> list[KuhnPokerState]:
    found, waiting = [], [GAME.initial()]
    while waiting:
        s = waiting.pop()
        found.append(s)
        waiting.extend(GAME.result(s, a) for a in GAME.moves_at(s))
    return found


def test_size() -> None:
    # 12 information sets, 30 ends, 55 histories with the empty one (the deal is a single chance move here).
    states = all_states()
    assert len(states) == len(set(states)) == 55
    assert sum(GAME.is_terminal(s) for s in states) == 30
    deciding = [s for s in states if not GAME.is_terminal(s) and GAME.to_move(s) != CHANCE]
    assert len({(GAME.to_move(s), GAME.information(s, GAME.to_move(s))) for s in deciding}) == 12


def test_what_the_ends_are_worth() -> None:
    deal = 4 * KING + JACK
    for moves, won in (
        (("check", "check"), 1),
        (("bet", "fold"), 1),
        (("bet", "call"), 2),
        (("check", "bet", "fold"), -1),
        (("check", "bet", "call"), 2),
    ):
        s = GAME.play(deal, *moves)
        assert (GAME.utility(s, 0), GAME.utility(s, 1)) == (won, -won)
        assert list(GAME.actions(s)) == []
    assert GAME.utility(GAME.play(4 * JACK + QUEEN, "bet", "call"), 0) == -2


def test_resampling_deals_the_unseen_card_anew() -> None:
    random = Random(5)
    for s in all_states():
        for p in (0, 1):
            seen = Counter(GAME.resample(s, p, random) for _ in range(200))
            assert {GAME.information(t, p) for t in seen} == {GAME.information(s, p)}
            assert len(seen) == (1 if s.first == 0 else 2)
            assert all(count >= 50 for count in seen.values())
            assert all(t.first != t.second or t.first == 0 for t in seen)


def test_searches_of_open_games_decline() -> None:
    with pytest.raises(Unsuitable, match="hidden"):
        analyse(GAME, algorithm="expectiminimax")


def test_both_modes() -> None:
    check_both_modes(GAME, all_states())


def test_names_and_pictures() -> None:
    check_names(GAME, all_states())
    assert GAME.name == "KuhnPoker(players=2)"
    assert GAME.action_name(GAME.initial(), 4 * KING + JACK) == "KJ"
    assert GAME.text(GAME.initial()) == "Player 1 [??]\nPlayer 2 [??]\npot 2\nno moves yet"
    assert (
        GAME.text(GAME.play(4 * KING + JACK, "check", "bet", "call"))
        == "Player 1 [K♠]\nPlayer 2 [J♠]\npot 4\ncheck, bet, call"
    )
    assert [GAME.player_name(p) for p in (-1, 0, 1)] == ["chance", "Player 1", "Player 2"]


THREE = KuhnPoker(players=3)


def test_three_players_as_others_count_them() -> None:
    """OpenSpiel's kuhn_poker(players=3): uniform play, and NashConv after four iterations of CFR.

    Later the iterations differ: some regrets are 0 there and about 1e-17 here, so that regret matching plays one move
    here and all moves there. If regrets below 1e-12 count as 0 in both, 40 iterations agree to 14 digits.
    """
    solver = Solver(THREE, "cfr", compile=False)
    uniform = solver.look()
    assert uniform.values == pytest.approx((0.234375, -0.046875, -0.1875), abs=1e-12)
    gains = [best - value for best, value in zip(uniform.best_responses, uniform.values, strict=True)]
    assert gains == pytest.approx([0.546875, 0.69270833, 0.82291667], abs=1e-8)
    assert (len(solver.form.first), solver.form.states) == (48, 601)
    for expected_conv in (2.0625, 1.359375, 0.9887566137566133, 0.7509184486003924):
        solver.iterate(1)
        assert solver.look().nash_conv == pytest.approx(expected_conv, rel=1e-12)
    solver.iterate(96)
    assert solver.look().nash_conv < 0.05  # OpenSpiel 0.037
    assert "nothing is guaranteed" in solver.guarantee()


def test_three_players_at_the_showdown() -> None:
    ace = 4
    deal = 64 * KING + 8 * JACK + ace
    for moves, won in (
        (("check", "check", "check"), (-1, -1, 2)),
        (("bet", "fold", "fold"), (2, -1, -1)),
        (("bet", "call", "fold"), (3, -2, -1)),
        (("check", "bet", "call", "call"), (-2, -2, 4)),
        (("check", "check", "bet", "call", "fold"), (-2, -1, 3)),
    ):
        s = THREE.play(deal, *moves)
        assert THREE.is_terminal(s)
        assert tuple(THREE.utility(s, p) for p in range(3)) == won


def test_three_players_in_both_modes() -> None:
    states = states_of_random_play(THREE, 150)
    check_both_modes(THREE, states)
    check_names(THREE, states)
    for s in states[:40]:
        for p in range(3):
            seen = [THREE.resample(s, p, Random(i)) for i in range(30)]
            assert {THREE.information(t, p) for t in seen} == {THREE.information(s, p)}
            assert len(set(seen)) == (1 if s.first == 0 else 6)


def test_the_number_of_players() -> None:
    with pytest.raises(GameError, match="players must be a whole number from 2 to 3, not 4"):
        KuhnPoker(players=4)
