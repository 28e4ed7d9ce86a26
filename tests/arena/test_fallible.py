"""Players with mistakes: what they overlook, what they never overlook, and that a seed repeats a game."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from zermelo import games
from zermelo.arena.levels import READERS, full_strength, levels
from zermelo.arena.player import Choice, Turn
from zermelo.arena.players import SearchPlayer, StrategyPlayer
from zermelo.arena.roster import player_of, words_of_level
from zermelo.game.protocol import Game
from zermelo.kernel.random import Random
from zermelo.play.play import Play

TIC_TAC_TOE = games.load("tic_tac_toe")


def moves(words: str, game: Game, *before: str, count: int = 20) -> Counter[str]:
    """The moves that a player makes in a position, with different seeds."""
    player = player_of(words, game)
    player.begin(game)
    play = Play(game)
    play.follow(before)
    found: Counter[str] = Counter()
    for seed in range(count):
        choice: Any = player.choose(Turn.of(play, Random(seed)))
        assert isinstance(choice, Choice)
        found[game.action_name(play.state, choice.action)] += 1
    return found


def test_a_threat_is_overlooked_only_by_a_careless_player() -> None:
    """X threatens 1-2-3; only 3 stops it."""
    careful = moves("engine:depth=2,mistakes=0.3,compile=False", TIC_TAC_TOE, "1", "5", "2")
    careless = moves("engine:depth=2,mistakes=1,compile=False", TIC_TAC_TOE, "1", "5", "2")
    assert careful == {"3": 20}
    assert 5 < careless["3"] < 20


def test_a_win_at_once_is_always_seen() -> None:
    assert moves("engine:depth=2,mistakes=1,compile=False", TIC_TAC_TOE, "1", "5", "2", "9", count=8) == {"3": 8}


def test_a_seed_repeats_a_choice_and_choices_vary() -> None:
    words = "engine:depth=1,mistakes=0.8,compile=False"
    found = moves(words, TIC_TAC_TOE, count=8)
    assert found == moves(words, TIC_TAC_TOE, count=8)
    assert len(found) > 2


@pytest.mark.parametrize("words", ["mcts:simulations=60,mistakes=0.4,compile=False", "minimax:mistakes=0.4"])
def test_other_algorithms_make_mistakes_too(words: str) -> None:
    found = moves(words, TIC_TAC_TOE, "1", "5", "2", count=15)
    assert 0 < found["3"] < 15


@pytest.mark.parametrize("words", ["engine:mistakes=2", "engine:mistakes=True", "alpha_beta:mistakes=-1"])
def test_a_wrong_share_of_mistakes(words: str) -> None:
    with pytest.raises(ValueError, match="mistakes is how much it underrates replies, 0 to 1, not"):
        player_of(words, TIC_TAC_TOE)


def test_no_level_moves_at_random_but_the_first() -> None:
    for name in ("chess", "othello", "hex"):
        game = games.load(name)
        for level in levels(game)[1:]:
            assert "random" not in level.player, (name, level)


def test_higher_levels_use_the_book_of_the_game() -> None:
    othello = games.load("othello")
    for level in levels(othello):
        assert ("book=own" in words_of_level(level.name, othello)) == (level.name in READERS)
    assert "book" not in words_of_level("full", TIC_TAC_TOE)
    assert full_strength(othello, 1) == "engine:seconds=1,book=own"
    assert full_strength(othello, 0.5, book=False) == "engine:seconds=0.5"


def test_a_trained_strategy_is_full_strength() -> None:
    holdem = games.load("limit_holdem")
    assert full_strength(holdem, 1) == "equilibrium"
    assert levels(holdem)[-1].player == "equilibrium"
    assert isinstance(player_of("level:full", holdem), StrategyPlayer)


def test_small_hidden_games_are_played_by_their_equilibrium() -> None:
    for name, algorithm in (("kuhn_poker", "equilibrium"), ("liars_dice", "mcts")):
        game = games.load(name)
        player = player_of(full_strength(game, 1), game)
        assert isinstance(player, SearchPlayer)
        assert player.algorithm.name == algorithm
