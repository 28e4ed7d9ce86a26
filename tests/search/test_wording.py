"""Values in words: one perspective and one unit for each game."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo import Unit, analyse, games
from zermelo.search.wording import Worth, brief, chance, first_share, legend, share, tone, words

CHESS, OTHELLO, FOUR = (games.load(name) for name in ("chess", "othello", "connect_four"))
RED, YELLOW = FOUR.player_name(0), FOUR.player_name(1)


@pytest.mark.parametrize(
    ("game", "worth", "said", "short"),
    [
        (CHESS, Worth(0.035, 0), "+0.35 pawns (54 %)", "+0.35"),
        (CHESS, Worth(0.035, 1), "-0.35 pawns (46 %)", "-0.35"),
        (CHESS, Worth(-1.0, 1, 6, True), "White wins in 3 moves", "White 3"),
        (CHESS, Worth(1.0, 0, 1, True), "White wins in 1 move", "White 1"),
        (CHESS, Worth(0.0, 1, None, True), "draw", "draw"),
        (OTHELLO, Worth(4.0, 1, None, True), "-4 discs", "-4"),
        (OTHELLO, Worth(2.3, 0), "+2.3 discs (68 %)", "+2.3"),
        (FOUR, Worth(1.0, 1, 7, True), f"{YELLOW} wins in 7 plies", f"{YELLOW} 7"),
        (FOUR, Worth(-1.0, 1, 1, True), f"{RED} wins in 1 ply", f"{RED} 1"),
        (FOUR, Worth(0.0, 0), "open", "open"),
        (FOUR, Worth(0.16, 1, sampled=True), "42 %", "42 %"),
        (FOUR, Worth(0.16, 0, sampled=True, error=0.04), "58 % ± 2 %", "58 %"),
        (FOUR, Worth(-1.0, 1, None, True, is_bound=True), f"{RED} wins", RED),
        (FOUR, Worth(0.0, 1, None, True, is_bound=True), "draw or worse", "draw"),
        (CHESS, Worth(0.035, 1, is_bound=True), "≥ -0.35 pawns (46 %)", "-0.35"),
        (games.load("go", size=5, margin=True), Worth(3.5, 1, sampled=True), "-3.5 points", "-3.5"),
        (games.load("nim"), Worth(0.25, 1), "-0.25", "-0.25"),
        (games.load("coalition"), Worth((0.5, 0.25, 0.25), 1), "(0.5, 0.25, 0.25)", "(0.5, 0.25, 0.25)"),
    ],
)
def test_every_game_has_its_unit(game: Any, worth: Worth, said: str, short: str) -> None:
    assert words(game, worth) == said
    assert brief(game, worth) == short


@pytest.mark.parametrize("game", [CHESS, OTHELLO])
@pytest.mark.parametrize("value", [-0.9, 0.0, 0.3])
def test_both_players_read_the_same_words(game: Any, value: float) -> None:
    mine, other = Worth(value, 0), Worth(-value, 1)
    assert words(game, mine) == words(game, other)
    assert first_share(game, mine) == pytest.approx(first_share(game, other))
    assert chance(game, mine) == pytest.approx(1 - (chance(game, other) or 0))


def test_the_best_of_losing_moves_is_not_good() -> None:
    assert tone(FOUR, Worth(-1.0, 0, 12, True)) == "bad"
    assert tone(FOUR, Worth(1.0, 1, 12, True)) == "good"
    assert tone(FOUR, Worth(0.0, 1, None, True)) == "even"
    assert tone(CHESS, Worth(-0.3, 1)) == "bad"
    assert tone(FOUR, Worth(0.0, 1)) == ""
    assert share(FOUR, Worth(0.0, 1)) is None


def test_the_legend_names_the_player_and_the_unit() -> None:
    assert legend(CHESS).startswith("Values are in pawns for White: more is better for White. Percentages are White’s")
    assert "discs" in legend(OTHELLO)
    assert legend(FOUR).startswith("A proven value names the winner and the plies to the win.")


def test_an_analysis_says_the_same_for_both_players() -> None:
    game = games.load("tic_tac_toe")
    won = analyse(game, game.play("1", "4", "2", "5"), compile=False)
    threatened = analyse(game, game.play("1", "4", "2", "5", "9", "3"), compile=False)
    assert won.verdict == f"{game.player_name(0)} wins in 1 ply" or won.verdict == f"{game.player_name(0)} wins"
    assert won.verdict in str(won)
    assert threatened.player == 0


def test_a_game_of_your_own_declares_its_unit() -> None:
    class Coins(type(games.load("nim"))):  # type: ignore[misc]
        def unit(self) -> Unit:
            return Unit("coins", 100, digits=0, slope=2.0)

    assert words(Coins(), Worth(0.25, 1)) == "-25 coins (38 %)"
    assert Coins().offers("unit")
    assert not games.load("nim").offers("unit")
