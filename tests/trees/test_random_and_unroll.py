"""Random trees, and games unrolled into trees."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from support.stress_games import Whist
from zermelo import CHANCE, GameError, analyse, games
from zermelo.trees import Node, Tree, TreeError, parse, random_tree, to_indented, to_json, unroll
from zermelo.trees.source import measure


def nodes(at: Node) -> list[Node]:
    return [at, *(below for child in at.children for below in nodes(child))]


def leaves(at: Node) -> list[Node]:
    return [n for n in nodes(at) if n.is_leaf]


def test_same_seed_same_tree() -> None:
    options: dict[str, Any] = {"branching": (1, 4), "depth": (1, 5), "chance": 0.3, "correlation": 0.5}
    assert random_tree(7, **options) == random_tree(7, **options)
    assert random_tree(7, **options) != random_tree(8, **options)
    # Pinned, so that an exercise by its seed stays the same exercise.
    assert [n.utility[0] for n in leaves(random_tree(1))] == PINNED


PINNED = [18, 17, 16, 10, 1, 18, 7, 8, 7]


def test_shape() -> None:
    tree = random_tree(3, branching=4, depth=3)
    assert measure(tree) == (1 + 4 + 16 + 64, 3)
    assert [tree.mover, tree.children[0].mover, tree.children[0].children[0].mover] == [0, 1, 0]
    varied = random_tree(4, branching=(2, 5), depth=(2, 6))
    widths = {len(n.children) for n in nodes(varied) if n.children}
    assert widths == {2, 3, 4, 5}
    assert measure(varied)[1] == 6


def test_values() -> None:
    counts = Counter(n.utility[0] for n in leaves(random_tree(5, branching=10, depth=4, bounds=(-2, 2))))
    assert set(counts) == {-2, -1, 0, 1, 2}
    assert all(1800 < count < 2200 for count in counts.values())
    correlated = Counter(
        n.utility[0] for seed in range(2000) for n in leaves(random_tree(seed, correlation=0.6, bounds=(-2, 2)))[:1]
    )
    assert all(320 < count < 480 for count in correlated.values())


@pytest.mark.parametrize("correlation", [0.0, 0.5, 1.0])
def test_correlation(correlation: float) -> None:
    """Two leaves that share k of their m moves are correlated by correlation · k/m."""
    pairs = [
        [
            n.utility[0]
            for n in leaves(random_tree(seed, branching=2, depth=2, correlation=correlation, bounds=(0, 1000)))
        ]
        for seed in range(4000)
    ]
    assert _correlation([(p[0], p[1]) for p in pairs]) == pytest.approx(correlation / 2, abs=0.06)
    assert _correlation([(p[0], p[2]) for p in pairs]) == pytest.approx(0, abs=0.06)


def _correlation(pairs: list[tuple[Any, Any]]) -> float:
    means = [sum(p[i] for p in pairs) / len(pairs) for i in (0, 1)]
    shared = sum((a - means[0]) * (b - means[1]) for a, b in pairs)
    spread = [sum((p[i] - means[i]) ** 2 for p in pairs) for i in (0, 1)]
    return float(shared / (spread[0] * spread[1]) ** 0.5)


def test_chance_and_players() -> None:
    tree = random_tree(2, branching=3, depth=5, chance=0.4)
    rolls = [n for n in nodes(tree) if n.mover == CHANCE]
    assert 30 < len(rolls) < 70
    assert all(sum(n.odds) == 1 for n in rolls)
    assert parse(to_json(tree)).root == tree
    three = random_tree(2, players=3, depth=3)
    assert {len(n.utility) for n in leaves(three)} == {3}
    assert analyse(Tree(three, players=3), compile=False).algorithm == "maxn"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"branching": 0}, "branching is a whole number or two"),
        ({"branching": (3, 2)}, "the smaller first"),
        ({"depth": 201}, "depth is a whole number"),
        ({"correlation": 2}, "shares, from 0 to 1"),
        ({"players": 0}, "a tree has 1 to 26 players"),
        ({"branching": 1000, "depth": 3}, "more than 1,000,000 nodes"),
    ],
)
def test_what_cannot_be_grown(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TreeError, match=message):
        random_tree(**options)


# Unrolled games.


def test_tic_tac_toe_merged() -> None:
    """Of 9 first moves 3 differ, and of 72 pairs of moves 12."""
    game = games.load("tic_tac_toe")
    assert [len(level) for level in levels(unroll(game, depth=2))] == [1, 9, 72]
    merged = unroll(game, depth=2, merge=True)
    assert [len(level) for level in levels(merged)] == [1, 3, 12]
    assert merged.labels == ("1", "2", "5")
    assert [child.labels for child in merged.children][2] == ("1", "2")
    assert merged.children[2].name == game.text(game.play("5"))


def levels(root: Node) -> list[list[Node]]:
    found = [[root]]
    while below := [child for at in found[-1] for child in at.children]:
        found.append(below)
    return found


def test_tic_tac_toe_has_765_positions_up_to_symmetry() -> None:
    game: Any = games.load("tic_tac_toe")
    seen, waiting = set(), [game.initial()]
    while waiting:
        s = waiting.pop()
        if game.canonical(s) not in seen:
            seen.add(game.canonical(s))
            waiting += [game.result(s, a) for a in game.moves_at(s)]
    assert len(seen) == 765


def test_symmetries_of_an_oblong_board() -> None:
    game: Any = games.load("tic_tac_toe", m=2, n=3, k=3)
    assert len({game.canonical(game.play(a)) for a in range(6)}) == 2


def test_cut_off_positions_are_leaves_worth_their_estimate() -> None:
    game = games.load("tic_tac_toe")
    tree = unroll(game, depth=1)
    centre = tree.children[4]
    expected = game.evaluate(game.play("5"), 0)
    assert (centre.utility, centre.estimate, centre.is_leaf) == ((expected,), (expected,), True)
    assert tree.estimate == (0,)
    game_over = unroll(game, game.play("1", "4", "2", "5", "3"))
    assert (game_over.utility, game_over.estimate) == ((1,), ())


def test_an_unrolled_game_is_worth_what_the_game_is() -> None:
    game = games.load("tic_tac_toe")
    state = game.play("1", "2", "5")
    for depth in (0, 1, 2, 3, None):
        tree = Tree(unroll(game, state, depth))
        if depth != 0:
            expected = analyse(game, state, depth=depth, algorithm="minimax", compile=False)
            found = analyse(tree, algorithm="minimax", compile=False)
            assert found.value == expected.value
            assert tree.action_name(tree.initial(), found.action) == game.action_name(state, expected.action)


def test_games_of_chance_and_of_three_players() -> None:
    pig = games.load("pig", target=6)
    tree = unroll(pig, depth=2)
    rolls = [n for n in nodes(tree) if n.mover == CHANCE]
    assert rolls[0].odds == (Fraction(1, 6),) * 6
    assert parse(to_indented(tree)).root == tree
    three = games.load("coalition")
    found = unroll(three, depth=3)
    assert {len(n.utility) for n in leaves(found)} == {3}
    value = analyse(Tree(found, players=3), compile=False).value
    assert value == pytest.approx(analyse(three, depth=3, compile=False).value)


def test_where_the_rules_ask_which_positions_came_before() -> None:
    """In Chess(draws="claimed") a third occurrence ends the game, whether the others lie in the history or the tree."""
    chess = games.load("chess")
    states = [chess.initial()]
    for move in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"]:
        states.append(chess.result(states[-1], chess.action_named(states[-1], move)))
    known = unroll(chess, states[-1], depth=1, history=states[:-1])
    unknown = unroll(chess, states[-1], depth=1)
    back = known.labels.index("Ng8")
    assert not known.children[back].estimate
    assert known.children[back].utility == (0,)
    assert unknown.children[back].estimate
    deep = unroll(chess, states[-2], depth=2, history=states[:-2])
    for move in ("Ng1", "Ng8"):
        deep = deep.children[deep.labels.index(move)]
    assert (deep.utility, deep.estimate) == ((0,), ())


def test_what_cannot_be_unrolled() -> None:
    game = games.load("tic_tac_toe")
    with pytest.raises(
        TreeError, match=r"more than 50 nodes to depth 2; give a smaller depth, merge=True, or a greater"
    ):
        unroll(game, nodes=50)
    with pytest.raises(GameError, match=r"Nim.* merge=True needs a method canonical\(s\)"):
        unroll(games.load("nim"), depth=1, merge=True)
    with pytest.raises(TreeError, match="a depth is a whole number from 0 to 200, not -1"):
        unroll(game, depth=-1)
    with pytest.raises(GameError, match="has no `outcomes` to list them"):
        unroll(Whist(), depth=1)
