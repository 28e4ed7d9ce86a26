"""On random trees by the thousand, the clever algorithm equals its simple oracle in value, move and line."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import oracles
from support.random_trees import trees
from zermelo import Analysis, analyse
from zermelo.trees import Node, Tree, node

RANGE = (-3, 3)
FACTOR = int(os.environ.get("ZERMELO_EXAMPLES", "1"))  # `make slow` looks at more
MANY = settings(max_examples=80 * FACTOR)


def both(game: Tree, algorithm: str, **limits: Any) -> Analysis:
    """The compiled analysis, which must equal the plain one in everything but speed."""
    compiled = analyse(game, algorithm=algorithm, compile=True, **limits)
    plain = analyse(game, algorithm=algorithm, compile=False, **limits)
    for field in ("value", "action", "line", "moves", "nodes", "depth", "exact"):
        assert getattr(compiled, field) == getattr(plain, field), field
    return compiled


def same_decision(clever: Analysis, simple: Analysis) -> None:
    assert (clever.value, clever.action, clever.line) == (simple.value, simple.action, simple.line)
    assert clever.nodes <= simple.nodes


@MANY
@given(trees())
def test_alpha_beta_equals_minimax(tree: Node) -> None:
    game = Tree(tree, utility_range=RANGE)
    simple = both(game, "minimax")
    assert simple.value == oracles.value(game, game.initial(), simple.player)
    same_decision(both(game, "alpha_beta"), simple)


@MANY
@given(trees(), st.integers(1, 4))
def test_alpha_beta_equals_minimax_to_a_depth(tree: Node, depth: int) -> None:
    game = Tree(tree, utility_range=RANGE)
    simple = both(game, "minimax", depth=depth)
    assert simple.value == oracles.value(game, game.initial(), simple.player, depth)
    same_decision(both(game, "alpha_beta", depth=depth), simple)


@MANY
@given(trees(dice=True))
def test_star1_and_star2_equal_expectiminimax(tree: Node) -> None:
    game = Tree(tree, utility_range=RANGE)
    simple = both(game, "expectiminimax")
    assert simple.value == pytest.approx(oracles.value(game, game.initial(), simple.player))
    same_decision(both(game, "star1"), simple)
    same_decision(both(game, "star2"), simple)


@settings(max_examples=60 * FACTOR)
@given(trees(dice=True), st.integers(1, 4))
def test_star1_and_star2_equal_expectiminimax_to_a_depth(tree: Node, depth: int) -> None:
    game = Tree(tree, utility_range=RANGE)
    simple = both(game, "expectiminimax", depth=depth)
    for algorithm in ("star1", "star2"):
        clever = both(game, algorithm, depth=depth)
        assert (clever.value, clever.action, clever.line) == (simple.value, simple.action, simple.line)


@settings(max_examples=60 * FACTOR)
@given(trees(dice=True, leaves=st.floats(-3, 3)))
def test_stars_are_right_for_any_numbers(tree: Node) -> None:
    game = Tree(tree, utility_range=RANGE)
    simple = both(game, "expectiminimax")
    for algorithm in ("star1", "star2"):
        clever = both(game, algorithm)
        assert (clever.value, clever.action, clever.line) == (simple.value, simple.action, simple.line)


@settings(max_examples=60 * FACTOR)
@given(trees(players=3, dice=True))
def test_maxn_equals_its_definition(tree: Node) -> None:
    game = Tree(tree, players=3)
    analysis = both(game, "maxn")
    assert analysis.value == pytest.approx(oracles.vector(game, game.initial()))


@settings(max_examples=60 * FACTOR)
@given(trees())
def test_maxn_equals_minimax_for_two_players(tree: Node) -> None:
    game = Tree(tree)
    simple, general = both(game, "minimax"), both(game, "maxn")
    assert isinstance(general.value, tuple)
    assert general.value[general.player] == simple.value
    assert (general.action, general.line, general.nodes) == (simple.action, simple.line, simple.nodes)


@settings(max_examples=60 * FACTOR)
@given(trees(leaves=st.sampled_from([-1, 1])))
def test_and_or_wins_where_minimax_does(tree: Node) -> None:
    game = Tree(tree, utility_range=(-1, 1))
    analysis = both_without_strategy(game)
    won = analyse(game, algorithm="minimax").value == 1
    assert analysis.value == (1 if won else 0)
    assert (analysis.strategy is not None) == won


def both_without_strategy(game: Tree) -> Analysis:
    compiled = analyse(game, algorithm="and_or", compile=True)
    plain = analyse(game, algorithm="and_or", compile=False)
    assert (compiled.value, compiled.line, compiled.nodes) == (plain.value, plain.line, plain.nodes)
    return compiled


@settings(max_examples=60 * FACTOR)
@given(trees())
def test_a_wide_beam_has_minimax_value_and_a_narrow_one_is_never_called_proven(tree: Node) -> None:
    game = Tree(tree, utility_range=RANGE)
    wide = both(game, "beam", beam=4)
    assert wide.value == analyse(game, algorithm="minimax").value
    assert wide.exact
    narrow = both(game, "beam", beam=1)
    assert not narrow.exact or narrow.nodes == analyse(game, algorithm="minimax").nodes


@settings(max_examples=60 * FACTOR)
@given(trees())
def test_iterative_deepening_ends_with_the_same_decision(tree: Node) -> None:
    game = Tree(tree)
    simple = analyse(game, algorithm="minimax")
    for algorithm in ("minimax", "alpha_beta"):
        deepened = both(game, algorithm, deepening=True)
        assert (deepened.value, deepened.action, deepened.exact) == (simple.value, simple.action, True)


@settings(max_examples=60 * FACTOR)
@given(trees())
def test_all_moves_are_exact_when_asked_for(tree: Node) -> None:
    game = Tree(tree)
    simple = analyse(game, algorithm="minimax")
    pruned = both(game, "alpha_beta", all_moves=True)
    assert [(m.action, m.value) for m in pruned.moves] == [(m.action, m.value) for m in simple.moves]
    assert (pruned.action, pruned.line) == (simple.action, simple.line)
    for bound, exact in zip(analyse(game, algorithm="alpha_beta").moves, simple.moves, strict=True):
        assert bound.value is not None
        assert exact.value is not None
        assert bound.value == exact.value if bound.exact else bound.value >= exact.value


@settings(max_examples=50 * FACTOR)
@given(trees(dice=True))
def test_what_a_star_prunes_cannot_matter(tree: Node) -> None:
    """Replace every leaf that was not seen by each extreme: the value and the move stay."""
    game = Tree(tree, utility_range=RANGE)
    for algorithm in ("star1", "star2"):
        watcher = Visited(game)
        analysis = analyse(game, algorithm=algorithm, observer=watcher, compile=False)
        unseen = [n for n in range(len(game.child_count)) if game.child_count[n] == 0 and n not in watcher.nodes]
        for extreme in RANGE:
            other = Tree(tree, utility_range=RANGE)
            for n in unseen:
                other.utilities[n] = extreme, -extreme
            again = analyse(other, algorithm="expectiminimax")
            assert again.value == pytest.approx(analysis.value, abs=1e-12)
            if again.value == analysis.value:  # if only rounding tells two moves apart, either is right
                assert again.action == analysis.action


class Visited:
    """Notes the numbers of the nodes that a search enters."""

    def __init__(self, game: Tree):
        self.game, self.path, self.nodes = game, [game.initial()], {0}

    def visit(self, ply: int, action: Any) -> None:
        del self.path[max(ply, 1) :]
        if ply > 0:
            self.path.append(self.game.result(self.path[-1], action))
        self.nodes.add(self.path[-1].node)


@settings(max_examples=50 * FACTOR)
@given(trees(dice=True, leaves=st.integers(0, 10)))
def test_a_range_is_max_s_whoever_moves_first(tree: Node) -> None:
    """With utilities in [0, 10] for MAX, MIN's lie in [-10, 0]: the stars prune rightly under a MIN root, too."""
    game = Tree(node(1, tree, tree), utility_range=(0, 10))
    simple = both(game, "expectiminimax")
    same_decision(both(game, "star1"), simple)
    same_decision(both(game, "star2"), simple)
