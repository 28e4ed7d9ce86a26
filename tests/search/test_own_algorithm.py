"""A search of one's own: the same decorator, compiled, observed and compared like the built-in ones."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo import Search, Unsuitable, algorithm, algorithms, analyse, games
from zermelo.search.search import BETA, INF
from zermelo.trees import Tree, chance


@algorithm(prunes=True)
def negamax(
    game: Any, s: Any, player: int, search: Search, ply: int = 0, alpha: float = -INF, beta: float = INF
) -> float:
    """Alpha-beta in its negamax form, for games that alternate strictly; `search` is told the player's own values."""
    search.visit(game, s, ply)
    sign = 1.0 if game.side(game.to_move(s)) == game.side(player) else -1.0
    if game.is_terminal(s):
        return sign * search.leave(game, ply, game.utility(s, player))
    if search.cutoff(ply):
        return sign * search.leave(game, ply, search.estimate(ply, game.evaluate(s, player)))
    best = -INF
    for a in game.actions(s):
        search.play(ply, a)
        value = -negamax(game, game.result(s, a), player, search, ply + 1, -beta, -alpha)
        if value > best:
            best = value
            search.prefer(ply)
        if best >= beta:
            search.cut(ply, BETA, best, beta)
            break
        alpha = max(alpha, best)
    return sign * search.leave(game, ply, sign * best)


@algorithm()
def twice(game: Any, s: Any, player: int, search: Search, ply: int = 0) -> float:
    """Minimax that searches everything twice."""
    search.visit(game, s, ply)
    if game.is_terminal(s):
        return search.leave(game, ply, game.utility(s, player))
    sign = 1.0 if game.side(game.to_move(s)) == game.side(player) else -1.0
    best = -INF
    for a in game.actions(s):
        search.play(ply, a)
        value = 0.0
        for _ in range(2):
            value = sign * twice(game, game.result(s, a), player, search, ply + 1)
        if value > best:
            best = value
            search.prefer(ply)
    return search.leave(game, ply, sign * best)


@pytest.mark.parametrize("compile", [True, False])
def test_it_is_run_like_the_others(compile: bool) -> None:
    game = games.load("connect_four")
    own = analyse(game, algorithm=negamax, depth=8 if compile else 6, compile=compile)
    built_in = analyse(game, algorithm="alpha_beta", depth=8 if compile else 6, compile=compile)
    assert (own.value, own.line, own.nodes, own.depth) == (
        built_in.value,
        built_in.line,
        built_in.nodes,
        built_in.depth,
    )
    assert analyse(game, algorithm="negamax", depth=4, compile=compile).algorithm == "negamax"


def test_it_is_registered_and_refused_where_it_does_not_suit() -> None:
    assert "negamax" in [a.name for a in algorithms()]
    with pytest.raises(Unsuitable, match="negamax does not suit"):
        analyse(Tree(chance((0.5, 1), (0.5, 2))), algorithm=negamax)


@pytest.mark.parametrize("compile", [True, False])
def test_the_roots_moves_are_right(compile: bool) -> None:
    tree = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    own, built_in = (analyse(tree, algorithm=a, compile=compile) for a in (negamax, "alpha_beta"))
    assert own.moves == built_in.moves
    assert analyse(tree, algorithm=twice, compile=compile).moves == analyse(tree, algorithm="minimax").moves
