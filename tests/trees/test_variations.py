"""The variations that teachers set, each against the published numbers, against the definition, or against every order.

Published numbers: exercises of courses that use Russell and Norvig, Artificial Intelligence: A Modern Approach, 4th
edition, chapter 5, and that chapter's figures.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from support.random_trees import trees
from zermelo import CHANCE, GameError, IllegalAction, Observer, Unsuitable, analyse
from zermelo.search.search import Search, StrictCuts
from zermelo.trees import MAX, MIN, Node, Tree, chance, leaf, node
from zermelo.trees.ordering import by_value, fewest_leaves, most_leaves
from zermelo.trees.variations import (
    choices,
    cut_off,
    dark_magic,
    decide,
    erring,
    following,
    rescaled,
    single_agent,
    with_movers,
)

FACTOR = int(os.environ.get("ZERMELO_EXAMPLES", "1"))  # `make slow` looks at more
FIGURE_5_2 = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
MAGIC = [[[2, 6], [1, 3]], [[7, 0], [2, 1]]]


def real(tree: Node) -> tuple[float, Any]:
    """The value to MAX, and the move, by the real search."""
    analysis = analyse(Tree(tree), algorithm="expectiminimax", compile=True)
    assert isinstance(analysis.value, float)
    return (-analysis.value if analysis.player == MIN else analysis.value), analysis.action


# The decision itself.


def test_figure_5_2() -> None:
    assert decide(FIGURE_5_2) == (3, (0,), (3, 2, 2))
    assert decide(FIGURE_5_2, first=MIN) == (6, (1,), (12, 6, 14))


@settings(max_examples=50 * FACTOR)
@given(trees(dice=True))
def test_it_decides_as_the_real_search_does(tree: Node) -> None:
    value, action = real(tree)
    decision = decide(tree)
    assert value == pytest.approx(float(decision.value))
    if decision.best and len(decision.best) == 1:
        assert action == decision.best[0]


def test_a_game_says_who_moves() -> None:
    game = Tree([[1, [2, 3]], 4], first=MIN)
    assert with_movers(game) == with_movers([[1, [2, 3]], 4], first=MIN)
    assert [at.mover for at in (with_movers(game), *with_movers(game).children)] == [MIN, MAX, None]


# Dark magic.


def test_dark_magic() -> None:
    """Plain 3; for 2: right, with magic, 5; for 5: none, 3."""
    assert decide(MAGIC).value == 3
    cheap = dark_magic(MAGIC, 2)
    assert decide(cheap) == (5, (1,), (4, 5))
    assert cheap.children[1].labels == ("leave it to MIN", "pay 2")
    assert decide(cheap.children[1]).best == (1,)
    assert analyse(Tree(cheap), algorithm="alpha_beta").line_names == ("1", "pay 2", "0", "0")
    dear = dark_magic(MAGIC, 5)
    assert decide(dear) == (3, (0,), (3, 2))
    assert decide(dear.children[0]).best == (0,)


def test_magic_as_often_as_one_pays_or_once() -> None:
    tree = [[[[9, 0]], 0]]  # MAX, MIN, MAX, MIN: MIN would end it with 0 twice
    assert decide(tree).value == 0
    assert decide(dark_magic(tree, 2)).value == 5
    assert decide(dark_magic(tree, 2, uses=2)).value == 5
    assert decide(dark_magic(tree, 2, uses=1)).value == 0
    assert decide(dark_magic(tree, 2, uses=0)).value == 0
    assert decide(dark_magic([[0.3, 0.1]], 0.1)).value == Fraction(1, 5)


@settings(max_examples=50 * FACTOR)
@given(trees(dice=True, size=12), st.integers(0, 7))
def test_magic_never_hurts_and_is_never_worth_more_than_it_saves(tree: Node, cost: int) -> None:
    plain, free = decide(tree).value, decide(single_agent(tree)).value
    once, often = decide(dark_magic(tree, cost, uses=1)).value, decide(dark_magic(tree, cost)).value
    assert plain <= once <= often <= free
    if cost == 0:
        assert often == free
    if cost > 6:  # the leaves are from −3 to 3
        assert often == plain
    assert real(dark_magic(tree, cost))[0] == pytest.approx(float(often))


def test_magic_keeps_the_sum_and_refuses_unknown_leaves() -> None:
    bought = dark_magic([[(3, -3), (2, -2)]], 1).children[0].children[1]
    assert [at.utility for at in bought.children] == [(2, -2), (1, -1)]
    with pytest.raises(GameError, match="the leaf x is unknown, and a cost cannot be taken off it"):
        dark_magic([["x"]], 1)


# Orders.


class Leaves(Observer):
    """Counts the leaves that a search enters."""

    def __init__(self, game: Tree):
        self.game, self.path, self.count = game, [game.initial()], 0

    def visit(self, ply: int, action: Any) -> None:
        del self.path[max(ply, 1) :]
        if ply > 0:
            self.path.append(self.game.result(self.path[-1], action))
        self.count += self.game.is_terminal(self.path[-1])


def leaves_seen(tree: Node, kind: type[Search] = Search) -> int:
    """How many leaves the real alpha-beta sees, from left to right."""
    game = Tree(tree)
    watcher = Leaves(game)
    analyse(game, algorithm="alpha_beta", bookkeeping=kind, observer=watcher, compile=True)
    return watcher.count


def orders(tree: Node) -> Iterator[Node]:
    """The tree in every order of all of its nodes' children."""
    if tree.is_leaf:
        yield tree
        return
    for below in itertools.product(*(list(orders(child)) for child in tree.children)):
        for children in itertools.permutations(below):
            yield replace(tree, children=children)


def number_of_orders(tree: Node) -> int:
    number = 1
    for i, child in enumerate(tree.children):
        number *= (i + 1) * number_of_orders(child)
    return number


def test_figure_5_2_in_the_best_and_the_worst_order() -> None:
    assert leaves_seen(fewest_leaves(FIGURE_5_2)) == 5
    assert leaves_seen(most_leaves(FIGURE_5_2)) == 9
    assert leaves_seen(by_value(FIGURE_5_2)) == 5
    labelled = node(MAX, node(MIN, 1, 2, labels=("a", "b")), node(MIN, 3), labels=("left", "right"))
    assert by_value(labelled).labels == ("right", "left")
    assert by_value(labelled, best_first=False).children[0].labels == ("b", "a")


@pytest.mark.parametrize(("kind", "cut_ties"), [(Search, True), (StrictCuts, False)])
@settings(max_examples=25 * FACTOR)
@given(tree=trees(size=7))
def test_no_order_sees_fewer_leaves_or_more(kind: type[Search], cut_ties: bool, tree: Node) -> None:
    assume(1 < number_of_orders(tree) <= 300)
    counts = [leaves_seen(order, kind) for order in orders(tree)]
    assert leaves_seen(fewest_leaves(tree, cut_ties), kind) == min(counts)
    assert leaves_seen(most_leaves(tree, cut_ties), kind) == max(counts)


@given(trees())
def test_an_order_keeps_the_value(tree: Node) -> None:
    for reordered in (by_value(tree), by_value(tree, best_first=False), fewest_leaves(tree), most_leaves(tree)):
        assert decide(reordered).value == decide(tree).value


@pytest.mark.parametrize(("branching", "depth"), [(2, 2), (2, 4), (3, 2), (3, 3), (2, 5)])
def test_best_first_needs_what_knuth_and_moore_say(branching: int, depth: int) -> None:
    """On a uniform tree b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves, and no order needs fewer."""
    numbers = iter(range(7, 10**6, 7))

    def uniform(left: int) -> Any:
        return next(numbers) * 7919 % 1009 if left == 0 else [uniform(left - 1) for _ in range(branching)]

    tree = uniform(depth)
    least = branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1
    assert leaves_seen(by_value(tree)) == leaves_seen(fewest_leaves(tree)) == least


def test_best_first_is_not_always_best() -> None:
    """A refutation by one leaf is cheaper than a better one by three."""
    tree = node(MAX, node(MIN, 5), node(MIN, node(MAX, 1, 0, 0), node(MAX, 4)))
    assert leaves_seen(by_value(tree)) == 4
    assert leaves_seen(fewest_leaves(tree)) == 2


def test_what_cannot_be_ordered() -> None:
    with pytest.raises(Unsuitable, match="alpha-beta has no chance nodes"):
        fewest_leaves([chance((1, 3))])
    with pytest.raises(Unsuitable, match="a node has 13 moves, and all orders are searched for at most 12"):
        most_leaves(list(range(13)))


# Rescaling.


def test_rescaling_keeps_the_move_without_chance_and_may_change_it_with() -> None:
    """1, 2, 2, 4 → 1, 20, 20, 400 keeps the move of MAX of MIN; with chance .9/.1 the move changes."""
    scale = {1: 1, 2: 20, 3: 30, 4: 400}.__getitem__
    assert decide([[1, 2], [2, 4]]).best == decide(rescaled([[1, 2], [2, 4]], scale)).best == (1,)
    bets = node(MAX, chance((0.9, 2), (0.1, 3)), chance((0.9, 1), (0.1, 4)))
    assert decide(bets) == (Fraction(21, 10), (0,), (Fraction(21, 10), Fraction(13, 10)))
    assert decide(rescaled(bets, scale)) == (Fraction(409, 10), (1,), (21, Fraction(409, 10)))


@given(trees(), st.lists(st.integers(1, 9), min_size=7, max_size=7))
def test_an_increasing_scale_keeps_every_best_move_without_chance(tree: Node, steps: list[int]) -> None:
    scale = dict(zip(range(-3, 4), itertools.accumulate(steps), strict=True))
    changed = decide(rescaled(tree, scale.__getitem__))
    assert changed.best == decide(tree).best
    assert changed.value == scale[int(decide(tree).value)]


@given(trees(dice=True), st.integers(1, 5), st.integers(-9, 9))
def test_a_positive_linear_scale_keeps_every_best_move(tree: Node, factor: int, offset: int) -> None:
    plain, changed = decide(tree), decide(rescaled(tree, lambda u: factor * u + offset))
    assert changed.best == plain.best
    assert changed.value == factor * plain.value + offset


def test_a_scale_keeps_the_sum() -> None:
    assert rescaled([(3, -3)], lambda u: u * u).children[0].utility == (9, -9)
    with pytest.raises(GameError, match="the leaf x is unknown"):
        rescaled(["x"], lambda u: u)


# A MIN that errs.

GREEDY_FOR_ERRORS = [[10, 10], [9, 100]]
"""The first move is safe; the second loses 1 against a perfect MIN, and wins 90 against one that errs."""


def test_a_min_who_errs_now_and_then() -> None:
    assert decide(GREEDY_FOR_ERRORS).best == (0,)
    some = decide(erring(GREEDY_FOR_ERRORS, Fraction(1, 10)))
    assert some == (Fraction(1355, 100), (1,), (10, Fraction(1355, 100)))
    tie = erring(GREEDY_FOR_ERRORS, Fraction(2, 91))  # 9 + 91/2 · e = 10
    assert decide(tie).best == (0, 1)
    always = erring([[10, 8, 3], [2, 15, 7], [6, 5, 4]], 1)
    assert decide(always) == (8, (1,), (7, 8, 5))  # expectimax, as published
    assert erring(GREEDY_FOR_ERRORS, 0) == with_movers(GREEDY_FOR_ERRORS)
    with pytest.raises(ValueError, match="a probability is between 0 and 1, and this is 2"):
        erring(GREEDY_FOR_ERRORS, 2)


@settings(max_examples=60 * FACTOR)
@given(trees(dice=True, size=12), st.fractions(0, 1, max_denominator=8))
def test_errors_of_min_never_cost_max(tree: Node, probability: Fraction) -> None:
    value = decide(erring(tree, probability)).value
    assert decide(tree).value <= value
    assert real(erring(tree, probability))[0] == pytest.approx(float(value))


@given(trees(), st.randoms(use_true_random=False))
def test_minimax_gets_at_least_its_value_against_every_min(tree: Node, random: Any) -> None:
    """The textbook's exercise: a MIN who errs can only help MAX; and who knows its errors can do better still."""
    errors = {path: random.randrange(len(at.children)) for path, at in every(tree) if at.mover == MIN and at.children}
    got = decide(following(tree, {**choices(tree, MAX), **errors})).value
    assert decide(tree).value <= got <= decide(following(tree, errors)).value
    assert decide(following(tree, {**choices(tree, MAX), **choices(tree, MIN)})).value == decide(tree).value


def every(tree: Node, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Node]]:
    yield path, tree
    for i, child in enumerate(tree.children):
        yield from every(child, (*path, i))


def test_only_legal_moves_can_be_followed() -> None:
    assert following([[1, 2], [3, 4]], {(0,): 1}).children[0].children == (leaf(2),)
    for tree, moves in (([1, 2], {(): 2}), (chance((1, 3)), {(): 0})):
        with pytest.raises(IllegalAction, match="there is no move"):
            following(tree, moves)


# Greedy, and alone.


def test_greedy_against_minimax() -> None:
    tree = node(MAX, node(MIN, 3, 12, 8, estimate=[4]), node(MIN, 2, 4, 6, estimate=[9]), 5)
    assert decide(cut_off(tree, 1)) == (9, (1,), (4, 9, 5))
    assert decide(tree) == (5, (2,), (3, 2, 5))
    assert analyse(Tree(tree), algorithm="greedy").action == 1


@given(trees(dice=True), st.integers(1, 4))
def test_a_tree_cut_off_is_what_a_search_to_that_depth_sees(tree: Node, depth: int) -> None:
    assume(tree.mover != CHANCE)
    game = Tree(tree)
    sign = -1 if tree.mover == MIN else 1
    limited = analyse(game, algorithm="expectiminimax", depth=depth, compile=True)
    assert limited.value == pytest.approx(float(sign * decide(cut_off(tree, depth)).value))
    greedy = analyse(game, algorithm="greedy", compile=True)
    assert greedy.action == decide(cut_off(tree, 1)).best[0]


def test_the_single_agent_beside_the_adversary() -> None:
    assert decide(single_agent(FIGURE_5_2)) == (14, (2,), (12, 6, 14))
    assert real(single_agent(FIGURE_5_2)) == (14, 2)
    coin = node(MAX, chance((0.5, node(MIN, 1, 3)), (0.5, 4)))
    assert decide(single_agent(coin)).value == Fraction(7, 2)
