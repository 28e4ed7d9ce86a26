"""Averaging over clairvoyance: the right deals, their exact average, errors, limits, and where it goes wrong."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest

from zermelo import Random, analyse, games
from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.efg import parse_efg
from zermelo.search.clairvoyance import all_deals, knowledge_in, with_open_cards
from zermelo.search.registry import choose, find

ABSENT_MINDED = """EFG 2 R "The absent-minded driver" { "driver" "nobody" }
p "" 1 1 "exit?" { "leave" "stay" } 0 t "" 1 "" { 0 0 } p "" 1 1 "exit?" { "leave" "stay" } 0
t "" 2 "" { 4 -4 } t "" 3 "" { 1 -1 }
"""
FUSION = games.load("strategy_fusion")
KUHN = games.load("kuhn_poker")
JACK_QUEEN, QUEEN_KING = 4 * 1 + 2, 4 * 2 + 3


def pimc(game: Game, *moves: Any, **options: Any) -> Any:
    return analyse(game, game.play(*moves), algorithm="pimc", compile=False, **options)


def by_hand(game: Game, s: Any, player: int) -> float:
    """Plain minimax with open cards, to check against."""
    if game.is_terminal(s):
        return game.utility(s, player)
    if game.to_move(s) == CHANCE:
        return sum(p * by_hand(game, game.result(s, a), player) for a, p in game.outcomes(s))
    values = [by_hand(game, game.result(s, a), player) for a in game.actions(s)]
    return max(values) if game.to_move(s) == player else min(values)


@pytest.mark.parametrize(
    ("name", "moves", "wrong", "right"),
    [
        ("roads", ("day1",), "B", "A"),
        ("strategy_fusion", ("red",), "guess", "take"),
        ("non_locality", ("low", "go"), "high", "low"),
    ],
)
def test_it_fails_where_the_equilibrium_does_not(name: str, moves: tuple[str, ...], wrong: str, right: str) -> None:
    game = games.load(name)
    assert pimc(game, *moves).line_names == (wrong,)
    found = analyse(game, game.play(*moves))
    assert (found.algorithm, found.line_names) == ("equilibrium", (right,))
    assert "small enough to solve" in found.reason


@pytest.mark.parametrize("deal", [JACK_QUEEN, QUEEN_KING])
@pytest.mark.parametrize("moves", [(), ("check",), ("bet",), ("check", "bet")], ids=str)
def test_the_average_over_all_deals_is_exact(deal: int, moves: tuple[str, ...]) -> None:
    state = KUHN.play(deal, *moves)
    player = KUHN.to_move(state)
    found = pimc(KUHN, deal, *moves)
    deals = all_deals(KUHN, state, player)
    assert deals is not None
    for move in found.moves:
        expected = sum(p * by_hand(KUHN, KUHN.result(s, move.action), player) for s, p in deals)
        assert move.value == pytest.approx(expected)
        assert move.error is None
    assert "all 2 possible deals" in found.remarks[0]


def test_chance_inside_a_deal_is_averaged() -> None:
    leduc = games.load("leduc_poker")
    state = leduc.play(8 * 1 + 4, "check", "raise")
    found = analyse(leduc, state, algorithm="pimc", compile=False)
    deals = all_deals(leduc, state, 0)
    assert deals is not None
    assert found.deals == len(deals) == 10  # both Jacks look the same
    for move in found.moves:
        expected = sum(p * by_hand(leduc, leduc.result(s, move.action), 0) for s, p in deals)
        assert move.value == pytest.approx(expected)


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "matrix", "goofspiel", "non_locality"])
def test_listed_deals_have_the_probabilities_of_resample(name: str) -> None:
    """The two ways to find the deals agree: by a walk over the game, and by the game's own `resample`."""
    how = {"suits": True} if name == "leduc_poker" else {}  # `resample` keeps the suit of the player's own card
    game, random = games.load(name, **how), Random(7)
    knowledge = knowledge_in(game)
    assert knowledge is not None
    assert knowledge.recalls
    sets = [(known, alike) for known, alike in knowledge.states.items() if len(alike) > 1]
    for (player, _), alike in [sets[0], sets[len(sets) // 2], sets[-1]]:
        total, draws = sum(alike.values()), 1500
        for true in (min(alike), max(alike)):  # whatever is hidden, the same states are drawn
            drawn = Counter(game.resample(true, player, random) for _ in range(draws))
            assert set(drawn) <= set(alike)
            for state, weight in alike.items():
                p = weight / total
                assert abs(drawn[state] - draws * p) < 6 * math.sqrt(draws * p * (1 - p)) + 1


def test_sampled_deals_have_an_error_that_covers_the_exact_average() -> None:
    exact = {move.name: move.value for move in pimc(KUHN, QUEEN_KING).moves}
    found = pimc(KUHN, QUEEN_KING, deals=400, enumerate=False, seed=3)
    assert found.deals == 400
    for move in found.moves:
        assert move.error is not None
        assert abs(move.value - exact[move.name]) <= 4 * move.error
    assert found.moves[0].error == pytest.approx(1 / 20, rel=0.1)  # the values are -1 and 1
    assert "standard error" in found.remarks[0]


def test_the_same_seed_gives_the_same_answer() -> None:
    first, again, other = (pimc(KUHN, QUEEN_KING, deals=60, enumerate=False, seed=seed) for seed in (5, 5, 6))
    assert [str(move) for move in first.moves] == [str(move) for move in again.moves]
    assert [move.value for move in first.moves] != [move.value for move in other.moves]


def test_limits_of_nodes_and_deals_end_it() -> None:
    few = pimc(KUHN, QUEEN_KING, nodes=30, enumerate=False)
    assert few.nodes < 60
    assert few.deals is not None
    assert few.deals >= 1
    assert pimc(KUHN, QUEEN_KING, deals=1).deals == 1
    stopped = pimc(KUHN, QUEEN_KING, seconds=1e-6)
    assert stopped.action in KUHN.legal(KUHN.play(QUEEN_KING))


@pytest.mark.parametrize("under", ["expectiminimax", "mcts", "maxn"])
def test_another_algorithm_can_solve_the_deals(under: str) -> None:
    game = games.load("roads")
    found = pimc(game, "day2", under=under, deals=20)
    assert found.line_names == ("B",)
    assert under in found.remarks[0]


def test_at_a_chance_node_it_says_what_the_game_is_worth_with_open_cards() -> None:
    found = analyse(KUHN, algorithm="pimc", deals=200, compile=False)
    expected = by_hand(with_open_cards(KUHN), KUHN.initial(), 0)
    assert found.action is None
    assert abs(found.value - expected) <= 4 * found.error


def test_only_games_with_something_hidden_and_known_options_are_taken() -> None:
    with pytest.raises(Unsuitable, match="everything is open"):
        analyse("tic_tac_toe", algorithm="pimc")
    with pytest.raises(ValueError, match="deals must be a whole number"):
        pimc(KUHN, QUEEN_KING, deals=0)
    with pytest.raises(Unsuitable, match="star2"):
        pimc(KUHN, QUEEN_KING, under="dice")


def test_the_choice_of_the_algorithm_says_why() -> None:
    chosen, why = choose(games.load("liars_dice"))
    assert (chosen.name, "too large to solve on the spot" in why) == ("mcts", True)
    chosen, why = choose(KUHN)
    assert chosen.name == "equilibrium"
    for limit, name in (("depth", "pimc"), ("nodes", "mcts")):
        chosen, why = choose(KUHN, limits=[limit])
        assert (chosen.name, "an equilibrium takes no such limit" in why) == (name, True)
    chosen, why = choose(parse_efg(ABSENT_MINDED))
    assert (chosen.name, "imperfect recall" in why) == ("mcts", True)


def test_a_general_sum_game_says_what_is_not_guaranteed() -> None:
    dilemma = games.load("matrix", payoffs="2,2 0,3; 3,0 1,1", rows="keep tell", columns="keep tell")
    found = analyse(dilemma)
    assert found.line_names == ("tell",)
    assert any("nothing is guaranteed" in remark for remark in found.remarks)


def test_a_mixed_strategy_is_drawn_with_a_seed() -> None:
    game = games.load("matrix")
    searcher = find("equilibrium").make(find("equilibrium"), game, False, {})
    from zermelo.search.question import Question

    drawn = Counter(searcher.analyse(Question(game, game.initial(), seed=seed)).action for seed in range(60))
    assert set(drawn) == {1, 2, 3}
    assert sum(move.probability or 0.0 for move in analyse(game).moves) == pytest.approx(1.0)
