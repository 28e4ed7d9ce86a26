"""Random games of Go that fill no eyes, and dead stones."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo import Random
from zermelo.games.go import Go, territory
from zermelo.games.go.names import point_name
from zermelo.games.go.playouts import dead_stones, ownership
from zermelo.kernel.played import Played
from zermelo.kernel.routine import Routine
from zermelo.kernel.words import contains, count_items


def ends(game: Any, s: Any, random: Any, played: Any, playouts: int) -> int:
    """A digest of the ends of some playouts."""
    digest = game.key(s)
    for _ in range(playouts):
        end = game.playout(s, random, played)
        digest = digest * 31 + game.key(end) + int(played.moves[played.count[0] - 1])
    return digest


@pytest.mark.parametrize("size", [2, 5, 9, 13])
def test_both_modes_play_the_same_games(size: int) -> None:
    game, routine = Go(size, limit=3 * size * size), Routine(ends)
    compiled = routine.compiled(game, Random(4), Played(900), 3)(game.initial())
    plain = routine.run_plain(game, game.initial(), Random(4), Played(900), 3)
    assert compiled % (1 << 64) == plain % (1 << 64)


def test_playouts_end_in_states_of_the_game() -> None:
    game = Go(7)
    for seed in range(20):
        end = game.checked(game.playout(game.initial(), Random(seed), Played()))
        assert game.is_terminal(end)
        empty = game.empty_points(end.own, end.other)
        if end.passes >= 2:  # all that is left are eyes, ko and suicides
            assert count_items(empty) < 20


TWO_EYES = "XXXXX/.X.XX/XXXXX/OOOOO/..... X"


def test_eyes_are_not_filled() -> None:
    game = Go(5)
    s = game.from_text(TWO_EYES)
    for seed in range(30):
        black, _ = game.colours(game.playout(s, Random(seed), Played()))
        assert count_items(black) >= 13
        assert not contains(black, game.number(3, 0))
        assert not contains(black, game.number(3, 2))


@pytest.mark.parametrize(
    ("rows", "is_eye"),
    [
        ("...../.XXX./.X.X./.XXX./.....", True),
        ("...../.OXX./.X.X./.XXX./.....", True),
        ("...../.OXO./.X.X./.XXX./.....", False),
        ("...../..X../.X.../..X../.....", False),
        ("...../..O../.X.X./..X../.....", False),
    ],
)
def test_what_is_an_eye(rows: str, is_eye: bool) -> None:
    game = Go(5)
    s = game.from_text(rows)
    assert game.is_eye(s.own, s.other, game.number(2, 2)) == is_eye


def test_an_eye_at_the_edge_needs_all_its_diagonals() -> None:
    game = Go(5)
    for rows, is_eye in (("...../...../...../XX.../.X...", True), ("...../...../...../XO.../.X...", False)):
        s = game.from_text(rows)
        assert game.is_eye(s.own, s.other, 0) == is_eye


def test_dead_stones() -> None:
    game = Go(7, komi=0, rules="chinese")
    s = game.from_text("..XO.../..XO.../.OXO..X/..XO.../..XO.../..XO.../..XO...")
    dead = [point_name(game, p) for p in dead_stones(game, s)]
    assert dead == ["B5", "G5"]
    assert territory(game, s).result == "0"  # eight stones each, and no empty point reaches only one colour
    assert territory(game, s, dead).result == "W+7"
    owners = ownership(game, s)
    assert owners[game.number(0, 0)] > 0.2
    assert owners[game.number(0, 6)] < -0.2
