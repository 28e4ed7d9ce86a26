"""Games written down node by node, and the three in which averaging over clairvoyance goes wrong."""

from __future__ import annotations

import pytest

from zermelo import Random, games
from zermelo.game.errors import GameError
from zermelo.games.extensive_form import ExtensiveForm, Spot, choice, end, lottery
from zermelo.kernel.routine import why_not_compiled

PENNIES = ExtensiveForm(
    choice(
        0,
        "first",
        heads=choice(1, "second", heads=end(1), tails=end(-1)),
        tails=choice(1, "second", heads=end(-1), tails=end(1)),
    )
)


def test_a_player_cannot_tell_nodes_with_the_same_name_apart() -> None:
    heads, tails = PENNIES.play("heads"), PENNIES.play("tails")
    assert PENNIES.information(heads, 1) == PENNIES.information(tails, 1)
    assert PENNIES.information(heads, 0) != PENNIES.information(tails, 0)
    drawn = {PENNIES.resample(heads, 1, Random(seed)) for seed in range(20)}
    assert drawn == {heads, tails}
    assert {PENNIES.resample(heads, 0, Random(seed)) for seed in range(20)} == {heads}
    assert PENNIES.seen_by(heads, 1) == PENNIES.seen_by(tails, 1)
    assert PENNIES.text(PENNIES.seen_by(tails, 1)) == "second"
    assert (PENNIES.zero_sum, PENNIES.chance, PENNIES.utility_range) == (True, False, (-1.0, 1.0))


def test_games_are_compiled_and_answer_in_plain_numbers() -> None:
    """Results travel as JSON: a number of NumPy would stop them."""
    tails = PENNIES.play("tails")
    assert why_not_compiled(PENNIES) is None
    assert type(PENNIES.to_move(tails)) is type(PENNIES.information(tails, 1)) is type(tails.node) is int
    assert type(PENNIES.is_terminal(tails)) is bool
    assert PENNIES.information_name(tails, 0) == "waiting first 1"


def test_chance_is_drawn_by_its_odds() -> None:
    game = ExtensiveForm(lottery(rare=(0.1, choice(0, "x", go=end(1))), usual=(0.9, choice(0, "x", go=end(2)))), 1)
    random = Random(1)
    rare = sum(game.resample(game.play("usual"), 0, random) == game.play("rare") for _ in range(2000))
    assert 140 < rare < 260


@pytest.mark.parametrize(
    ("root", "players", "message"),
    [
        (choice(0, "x", a=end(1, 2, 3)), 2, "utilities"),
        (lottery(a=(0.5, end(1)), b=(0.4, end(1))), 2, "do not add up to 1"),
        (choice(2, "x", a=end(1)), 2, "player 2 moves at 'x'"),
        (choice(0, "x"), 2, "no moves at 'x'"),
        (lottery(a=(0.5, choice(0, "x", l=end(1))), b=(0.5, choice(0, "x", r=end(1)))), 2, "offer different moves"),
    ],
)
def test_a_tree_that_makes_no_sense_is_refused(root: object, players: int, message: str) -> None:
    with pytest.raises(GameError, match=message):
        ExtensiveForm(root, players)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["roads", "strategy_fusion", "non_locality"])
def test_the_small_games_are_registered(name: str) -> None:
    game = games.load(name)
    assert isinstance(game, ExtensiveForm)
    assert game.initial() == Spot(0)
    assert games.words_for(game) == (name, {})
