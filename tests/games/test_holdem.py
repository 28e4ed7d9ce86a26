"""Texas hold'em: rules on hands that can be checked by hand, chips in many random hands, and what is hidden."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from zermelo import games
from zermelo.game.errors import GameError, IllegalAction
from zermelo.game.protocol import CHANCE
from zermelo.games.poker.holdem import Holdem
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine

HANDS = ("As", "Kd", "Qh", "Jh")
ACES, KINGS = ("As", "Ad"), ("Ks", "Kd")
LOW = ("2c", "3c", "7h", "8h", "9s")
"""A board that helps neither aces nor kings."""


@pytest.fixture
def limit() -> Any:
    return games.load("limit_holdem")


@pytest.fixture
def no_limit() -> Any:
    return games.load("no_limit_holdem")


def names(game: Any, s: Any) -> list[str]:
    return [game.action_name(s, a) for a in game.legal(s)]


# Limit.


@pytest.mark.parametrize(
    ("moves", "first"),
    [
        (("fold",), -1),  # the small blind
        (("raise", "fold"), 2),  # the big blind
        (("call", "raise", "fold"), -2),
        (("raise", "raise", "raise", "call", *LOW[:3], "bet", "fold"), -8),  # four bets of 2 before the flop
        (("call", "check", *LOW[:3], "check", "check", LOW[3], "check", "check", LOW[4], "check", "check"), 2),
        (
            ("call", "check", *LOW[:3], "bet", "call", LOW[3], "bet", "raise", "call", LOW[4], "check", "bet", "call"),
            16,
        ),
    ],
)
def test_limit_pays_what_the_loser_put_in(limit: Any, moves: tuple[str, ...], first: float) -> None:
    end = limit.play(*ACES, *KINGS, *moves)
    assert limit.is_terminal(end)
    assert (limit.utility(end, 0), limit.utility(end, 1)) == (first, -first)


def test_at_most_48_chips_are_lost_at_limit(limit: Any) -> None:
    street = ("bet", "raise", "raise", "raise", "call")
    end = limit.play(*ACES, *KINGS, "r", "r", "r", "c", *LOW[:3], *street, LOW[3], *street, LOW[4], *street)
    assert limit.utility(end, 0) == 48 == limit.utility_range[1]


def test_the_button_acts_first_before_the_flop_and_last_after_it(limit: Any) -> None:
    assert limit.to_move(limit.play(*HANDS)) == 0
    flop = limit.play(*HANDS, "call", "check", *LOW[:3])
    assert limit.to_move(flop) == 1
    assert limit.to_move(limit.play("check", state=flop)) == 0
    assert limit.to_move(limit.play(*HANDS, "call", "check")) == CHANCE


def test_four_bets_on_a_street_and_no_fold_without_a_bet(limit: Any) -> None:
    assert names(limit, limit.play(*HANDS)) == ["fold", "call", "raise to 4"]
    assert names(limit, limit.play(*HANDS, "call")) == ["check", "raise to 4"]
    assert names(limit, limit.play(*HANDS, "raise", "raise", "raise")) == ["fold", "call"]
    turn = limit.play(*HANDS, "call", "check", *LOW[:3], "check", "check", LOW[3])
    assert names(limit, turn) == ["check", "bet 4"]
    assert names(limit, limit.play("bet", "raise", "raise", "raise", state=turn)) == ["fold", "call"]


def test_equal_hands_share(limit: Any) -> None:
    quiet = ("check", "check")
    end = limit.play("As", "2d", "Ah", "2h", "raise", "call", "Kc", "Kd", "Qc", *quiet, "Js", *quiet, "9s", *quiet)
    assert limit.utility(end, 0) == limit.utility(end, 1) == 0
    assert "Big blind: one pair" in limit.text(end)


# No-limit.


def test_bets_are_fractions_of_the_pot_and_at_least_the_last_raise(no_limit: Any) -> None:
    assert names(no_limit, no_limit.play(*HANDS)) == [
        "fold",
        "call",
        "raise to 4",
        "raise to 6",
        "raise to 10",
        "all-in",
    ]
    flop = no_limit.play(*HANDS, "call", "check", *LOW[:3])  # the pot is 4
    assert names(no_limit, flop) == ["check", "bet 2", "bet 4", "bet 8", "all-in"]
    small = games.load("no_limit_holdem", bets="0.1 1")
    assert names(small, small.play(*HANDS, "raise to 6")) == ["fold", "call", "raise to 10", "raise to 18", "all-in"]


def test_a_bet_that_is_not_called_goes_back(no_limit: Any) -> None:
    assert no_limit.utility(no_limit.play(*HANDS, "6", "all-in", "fold"), 1) == 6
    assert no_limit.utility(no_limit.play(*HANDS, "all-in", "fold"), 0) == 2


def test_after_an_all_in_and_a_call_the_board_is_dealt_to_the_end(no_limit: Any) -> None:
    called = no_limit.play(*ACES, *KINGS, "all-in", "call")
    for card in LOW:
        assert no_limit.to_move(called) == CHANCE
        called = no_limit.play(card, state=called)
    assert no_limit.is_terminal(called)
    assert no_limit.utility(called, 0) == 200
    assert names(no_limit, no_limit.play(*HANDS, "all-in")) == ["fold", "call"]


def test_a_stack_of_one_big_blind_is_all_in_when_it_is_called() -> None:
    game = games.load("no_limit_holdem", stack=2)
    called = game.play(*HANDS, "call")
    assert game.to_move(called) == CHANCE
    assert names(game, game.play(*HANDS)) == ["fold", "call"]


def test_one_bet_size_may_be_a_number() -> None:
    game = games.load("no_limit_holdem", bets=1)
    assert names(game, game.play(*HANDS)) == ["fold", "call", "raise to 6", "all-in"]


def test_many_raises_end_with_all_in() -> None:
    game = games.load("no_limit_holdem", bets="0.01", stack=1_000_000)
    s = game.play(*HANDS)
    for _ in range(14):
        bets = [a for a in game.legal(s) if a > 3]
        s = game.play(bets[0] if bets else 3, state=s)
    assert names(game, s) == ["fold", "call"]


@pytest.mark.parametrize(
    "parameters",
    [{"bets": "1 0.5"}, {"bets": "half"}, {"bets": "-1"}, {"bets": " ".join(map(str, range(1, 14)))}, {"stack": 1},
     {"small_blind": 3}],
)  # fmt: skip
def test_wrong_parameters_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(GameError, match="must be"):
        games.load("no_limit_holdem", **parameters)


# Chips.


def play_hands(game: Any, s: Any, random: Random, hands: int, counts: Any, room: Any) -> int:
    """Random hands with the chips counted by a second cashier; returns the hands in which the two disagree."""
    wrong = 0
    for _ in range(hands):
        at = s
        pot, left = game.small_blind + game.big_blind, 2 * game.stack - game.small_blind - game.big_blind
        while not game.is_terminal(at):
            if game.to_move(at) < 0:
                at = game.draw(at, random)
                continue
            mover, before = game.to_move(at), game.paid(at, game.to_move(at))
            at = game.result(at, room[random.below(game.list_actions(at, room))])
            more = game.paid(at, mover) - before
            pot += more
            left -= more
            wrong += 1 if more < 0 or game.paid(at, mover) > game.stack else 0
        one, other = game.paid(at, 0), game.paid(at, 1)
        back = max(one, other) - min(one, other)  # not called
        first, second = game.utility(at, 0), game.utility(at, 1)
        wrong += 1 if first + second != 0.0 or one + other != pot or pot + left != 2 * game.stack else 0
        wrong += 1 if abs(first) != 0.0 and 2 * abs(first) != pot - back else 0
        wrong += 1 if at.folded == 0 and back != 0 else 0
        counts[0] += 1 if at.folded != 0 else 0
        counts[1] += 1 if first == 0.0 else 0
        counts[2] += 1 if at.folded == 0 and one == game.stack else 0
    return wrong


PLAY_HANDS = Routine(play_hands)


@pytest.mark.parametrize("name", ["limit_holdem", "no_limit_holdem"])
def test_chips_are_conserved_in_100_000_hands(name: str) -> None:
    game, counts, room = games.load(name), np.zeros(3, np.int64), np.zeros(52, np.int64)
    assert PLAY_HANDS.compiled(game, Random(1), 100_000, counts, room)(game.initial()) == 0
    folded, split, all_in = counts.tolist()
    assert 10_000 < folded < 99_000
    assert split > 100
    assert (all_in > 1000) == (name == "no_limit_holdem")


# What is hidden, and what people type and see.


@pytest.mark.parametrize("name", ["limit_holdem", "no_limit_holdem"])
def test_nothing_of_the_other_hand_shows(name: str) -> None:
    game = games.load(name)
    moves = ("call", "check", *LOW[:3], "bet 2")
    one, other = (game.play(*HANDS[:2], *hidden, *moves) for hidden in (("Qh", "Jh"), ("5d", "Ac")))
    assert game.information(one, 0) == game.information(other, 0)
    assert game.information(one, 1) != game.information(other, 1)
    assert game.seen_by(one, 0) == game.seen_by(other, 0)
    assert game.text(game.seen_by(one, 0)).count("??") == 2
    assert game.to_move(game.seen_by(one, 0)) == game.to_move(one)
    folded = game.play("fold", state=one)
    assert "Q♥" not in game.text(game.seen_by(folded, 0))


def test_the_order_of_cards_does_not_matter_within_a_hand_and_a_flop(limit: Any) -> None:
    one = limit.play("As", "Kd", "Qh", "Jh", "call", "check", "2c", "3c", "4c")
    other = limit.play("Kd", "As", "Jh", "Qh", "call", "check", "4c", "2c", "3c")
    assert one == other


def test_the_cards_are_shown_at_a_showdown(limit: Any) -> None:
    quiet = ("check", "check")
    end = limit.play(*HANDS, "call", "check", *LOW[:3], *quiet, LOW[3], *quiet, LOW[4], *quiet)
    assert "??" not in limit.text(limit.seen_by(end, 0))
    assert limit.ending(end) == "showdown"


def test_cards_and_moves_are_read_in_the_usual_ways(limit: Any, no_limit: Any) -> None:
    assert limit.play("As", "K♦", "10h", "9h", "c", "k") == limit.play("As", "Kd", "Th", "9h", "call", "check")
    assert no_limit.play(*HANDS, "raise to 6") == no_limit.play(*HANDS, "6") == no_limit.play(*HANDS, "Raise 6")
    with pytest.raises(IllegalAction, match="A♠ is dealt already"):
        limit.play("As", "As")
    with pytest.raises(IllegalAction, match="is no card"):
        limit.play("Ax")
    with pytest.raises(IllegalAction, match="legal here: fold, call, raise to 4"):
        no_limit.play(*HANDS, "raise")  # to what?


def test_chance_deals_every_card_that_is_left(limit: Any) -> None:
    s = limit.play(*HANDS, "call", "check", "2c")
    outcomes = list(limit.outcomes(s))
    assert len(outcomes) == 47
    assert sum(p for _, p in outcomes) == pytest.approx(1.0)
    assert isinstance(limit, Holdem)
