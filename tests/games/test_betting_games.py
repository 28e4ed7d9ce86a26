"""Leduc poker, liar's dice and Goofspiel: rules on examples that can be checked by hand."""

from __future__ import annotations

import pytest

from zermelo import games
from zermelo.game.errors import GameError, IllegalAction
from zermelo.games.leduc_poker import CALL, FOLD, RAISE

JACK, QUEEN, KING = 1, 3, 5
"""One card of each rank in Leduc poker; the other one has the next number."""


@pytest.mark.parametrize(
    ("moves", "first"),
    [
        ((8 * KING + JACK, RAISE, FOLD), 1),  # the ante
        ((8 * JACK + KING, RAISE, RAISE, FOLD), -3),  # the ante and the first raise
        ((8 * KING + JACK, CALL, CALL, QUEEN, CALL, CALL), 1),
        ((8 * KING + JACK, CALL, CALL, JACK + 1, CALL, CALL), -1),  # a pair of Jacks
        ((8 * KING + JACK, RAISE, RAISE, CALL, QUEEN, RAISE, RAISE, CALL), 13),
        ((8 * KING + JACK, RAISE, CALL, QUEEN, CALL, RAISE, FOLD), -3),
        ((8 * KING + KING + 1, RAISE, CALL, QUEEN, RAISE, CALL), 0),
    ],
)
def test_leduc_pays_what_the_loser_put_in(moves: tuple[int, ...], first: float) -> None:
    game = games.load("leduc_poker")
    end = game.play(*moves)
    assert game.is_terminal(end)
    assert (game.utility(end, 0), game.utility(end, 1)) == (first, -first)


def test_leduc_allows_two_raises_in_a_round_and_no_fold_without_one() -> None:
    game = games.load("leduc_poker")
    assert list(game.actions(game.play(8 * KING + JACK))) == [CALL, RAISE]
    assert list(game.actions(game.play(8 * KING + JACK, RAISE))) == [FOLD, CALL, RAISE]
    assert list(game.actions(game.play(8 * KING + JACK, RAISE, RAISE))) == [FOLD, CALL]
    names = [game.action_name(game.play(8 * KING + JACK, RAISE), a) for a in (FOLD, CALL, RAISE)]
    assert names == ["fold", "call", "raise"]


@pytest.mark.parametrize(
    ("dice", "bid", "true"),
    [
        ((3, 5), "1x3", True),
        ((3, 5), "1x4", False),
        ((6, 2), "2x2", True),
        ((6, 6), "2x1", True),
        ((4, 4), "2x5", False),
    ],
)
def test_liars_dice_counts_sixes_as_any(dice: tuple[int, int], bid: str, true: bool) -> None:
    game = games.load("liars_dice")
    end = game.play(32 * dice[0] + dice[1], bid, "liar")  # the first player bids, the second doubts
    assert game.utility(end, 0) == (1 if true else -1)


def test_liars_dice_bids_go_up() -> None:
    game = games.load("liars_dice")
    state = game.play(32 * 1 + 2, "2x4")
    assert [game.action_name(state, a) for a in game.actions(state)] == ["liar", "2x5", "2x6"]


def test_goofspiel_prizes_go_to_the_higher_card() -> None:
    game = games.load("goofspiel", cards=3, points=True)
    end = game.play(3, "1", "3", 2, "2", "2", 1, "3", "1")  # 3 to the second, a tie, 1 to the first
    assert game.utility(end, 0) == -2
    assert "leads by 2" in game.text(end)
    assert "prize 3: 1 against 3" in game.text(end)
    assert game.text(game.initial()) == "no prize yet\nthe score is even"


def test_goofspiel_hides_the_bid_of_this_round_only() -> None:
    game = games.load("goofspiel", cards=3)
    one, other = (game.play(3, "1", "2", 2, bid) for bid in ("2", "3"))
    assert game.information(one, 1) == game.information(other, 1)
    assert game.information(one, 0) != game.information(other, 0)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("liars_dice", {"sides": 1}),
        ("goofspiel", {"order": "odd"}),
        ("goofspiel", {"cards": 9}),
        ("leduc_poker", {"suits": 1}),
    ],
)
def test_wrong_parameters_are_refused(name: str, parameters: dict[str, object]) -> None:
    with pytest.raises(GameError, match="must be"):
        games.load(name, **parameters)


def test_leduc_cards_can_be_typed_in_plain_letters() -> None:
    game = games.load("leduc_poker")
    for name in ("J♠Q♥", "JsQh", "js qh"):
        assert game.play(name, "check", "check", "Kh") == game.play(8 * JACK + QUEEN + 1, CALL, CALL, KING + 1)
    with pytest.raises(IllegalAction, match="legal here: J♠J♥, J♠Q♠"):
        game.play("JsJs")
