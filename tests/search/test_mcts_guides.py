"""What a game can add to Monte Carlo tree search: priors, playouts, and moves that count later."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from support import oracles
from support.mcts_games import Cells, Wide, mcts, same
from support.random_trees import trees
from zermelo import Game, replaced
from zermelo.search.mcts.tree import COUNT, FIRST, NODES, TRIED
from zermelo.search.question import Question
from zermelo.search.registry import find
from zermelo.trees import Node, Tree

RANGE = (-3, 3)
FACTOR = int(os.environ.get("ZERMELO_EXAMPLES", "1"))
SOME = settings(max_examples=20 * FACTOR, deadline=None)


class Guided(Wide):
    """Only the cells of the first row matter, and the game says so."""

    all_moves_as_first = True

    def is_terminal(self, s: Cells) -> bool:
        return s.taken[0] == 255

    def prior(self, s: Cells, a: int) -> float:
        return 3.0 if a < 8 else 0.0

    def rollout(self, s: Cells, random: Any) -> int:
        for a in range(random.below(8), 48):
            if (s.taken[a // 8] >> (a % 8)) & 1 == 0:
                return a
        return self.nth_action(s, 0)


class PlayedOut(Guided):
    """Plays itself out: the rest of the first row in turn."""

    def playout(self, s: Cells, random: Any, played: Any) -> Cells:
        mover = s.mover
        for a in range(8):
            if (s.taken[0] >> a) & 1 == 0:
                played.note(mover, a)
                mover = 1 - mover
        return Cells(replaced(s.taken, 0, 255), mover)


class Biased(Wide):
    def prior(self, s: Cells, a: int) -> float:
        return 3.0 if a < 8 else 0.0


def test_priors_say_what_to_try_first() -> None:
    game = Biased()
    searcher = find("mcts").make(find("mcts"), game, False, {})
    found = searcher.analyse(Question(game, game.initial(), nodes=200))
    assert {move.action: move.prior for move in found.moves} == {a: 1 / 8 if a < 8 else 0 for a in range(48)}
    assert "of visits (prior 12%)" in str(found)
    tree = searcher._last.tree
    firsts = [
        tree.action[tree.node[node, FIRST]] for node in range(1, tree.counts[NODES]) if tree.node[node, TRIED] > 0
    ]
    assert firsts
    assert max(firsts) < 8
    assert all(move.prior is None for move in mcts(game, nodes=50, priors=False).moves)


def test_playouts_are_asked_for_the_end() -> None:
    """After an odd number of cells the opponent takes the last one, so a move elsewhere wins every playout."""
    found = mcts(PlayedOut(), nodes=200, priors=False, rave=False)
    assert {move.value for move in found.moves if (move.visits or 0) == 1} <= {-1.0, 1.0}
    assert found.moves[0].value is not None


def test_later_moves_count_for_their_player() -> None:
    """With one simulation of a root move each, the moves that were played later by the same player have counts."""
    game = PlayedOut()
    searcher = find("mcts").make(find("mcts"), game, False, {"priors": False})
    searcher.analyse(Question(game, game.initial(), nodes=1))
    tree = searcher._last.tree
    counts = {
        tree.action[n]: tree.later[n]
        for n in range(int(tree.node[0, FIRST]), int(tree.node[0, FIRST] + tree.node[0, COUNT]))
    }
    first = tree.action[tree.node[0, FIRST]]
    own = [a for a in range(8) if a != first][1::2]  # the opponent begins the playout
    assert {a for a, count in counts.items() if count} == {first, *own}


@pytest.mark.slow
@pytest.mark.parametrize("game", [Guided(), PlayedOut(), zermelo.games.load("hex", size=5)])
@pytest.mark.parametrize("options", [{}, {"rave": False}, {"priors": False}])
def test_guides_are_the_same_in_both_modes(game: Game, options: dict[str, Any]) -> None:
    same(*(mcts(game, nodes=150, seed=5, compile=compile, **options) for compile in (False, True)))


@SOME
@given(trees(), st.integers(0, 3))
def test_proven_values_with_guides_are_minimax_values(tree: Node, seed: int) -> None:
    class Misled(Tree):
        all_moves_as_first = True

        def prior(self, s: Any, a: Any) -> float:
            return float(hash(a) % 3)

    game = Misled(tree, utility_range=RANGE)
    found = mcts(game, nodes=20_000, seed=seed, compile=False)
    assert found.exact
    assert found.value == oracles.value(game, game.initial(), found.player)


@pytest.mark.slow
def test_rave_finds_the_bridge_in_hex() -> None:
    """With the same number of simulations, RAVE looks at a third of the root's moves."""
    game = zermelo.games.load("hex", size=7)
    shares = [mcts(game, nodes=20_000, seed=1, rave=rave).moves[0].share or 0 for rave in (True, False)]
    assert shares[0] > 2 * shares[1]
