"""Random numbers inside an algorithm: the same in both modes, and as the seed says."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo import Random, Search, algorithm, analyse, games
from zermelo.arena.roster import player_of
from zermelo.search.registry import find

PLAYOUTS = 4


@algorithm(randomised=True, sides=None, zero_sum=False, deepens=False)
def playouts(game: Any, s: Any, player: int, search: Search, random: Random, ply: int = 0) -> float:
    """The move with the best mean over a few random games."""
    search.visit(game, s, ply)
    if game.is_terminal(s):
        return search.leave(game, ply, game.utility(s, player))
    count = 0
    for _ in game.actions(s):
        count += 1
    chosen = random.below(count) if ply > 0 else -1
    best = -1e300
    for place, a in enumerate(game.actions(s)):
        if ply == 0:
            search.play(ply, a)
            total = 0.0
            for _ in range(PLAYOUTS):
                total += playouts(game, game.result(s, a), player, search, random, ply + 1)
            search.note_root_value(place, 0, total / PLAYOUTS)
            if total / PLAYOUTS > best:
                best = total / PLAYOUTS
                search.prefer(ply)
        elif place == chosen:
            search.play(ply, a)
            best = playouts(game, game.result(s, a), player, search, random, ply + 1)
    return search.leave(game, ply, search.estimate(ply, best))


def test_both_modes_draw_the_same_numbers() -> None:
    game = games.load("connect_four")
    for seed in (0, 1, 2):
        compiled, plain = (analyse(game, algorithm=playouts, seed=seed, compile=mode) for mode in (True, False))
        assert (compiled.compiled, plain.compiled) == (True, False)
        for field in ("value", "action", "line", "moves", "nodes", "exact"):
            assert getattr(compiled, field) == getattr(plain, field), field
        assert not compiled.exact


def test_the_seed_decides() -> None:
    game = games.load("connect_four")

    def values(**options: int) -> list[Any]:
        return [move.value for move in analyse(game, algorithm=playouts, compile=False, **options).moves]

    assert values(seed=0) == values(seed=0) == values()
    assert values(seed=7) != values(seed=0)


def test_a_randomised_algorithm_takes_a_seed_and_no_other_does() -> None:
    assert find(playouts).randomised
    assert find(playouts).options == {"seed": 0}
    with pytest.raises(ValueError, match="seed must be a whole number of at least 0, not -1"):
        analyse(games.load("tic_tac_toe"), algorithm=playouts, seed=-1)
    with pytest.raises(TypeError, match="minimax has no option 'seed'"):
        analyse(games.load("tic_tac_toe"), algorithm="minimax", seed=1)
    assert player_of("playouts:seed=3,compile=false", games.load("tic_tac_toe")).name == "playouts:seed=3,compile=false"
