"""The trees of the textbook's chapter and of courses built on it, with their published values, prunings and counts.

Trees are numbered lists: the leaves from left to right. Sources: Russell and Norvig, Artificial Intelligence: A Modern
Approach, 4th edition, chapter 5 (Figures 5.2, 5.4, 5.5 and the section on stochastic games); exercises of courses that
use it. Each is run in both modes.
"""

from __future__ import annotations

from typing import Any

import pytest

from zermelo import Observer, analyse
from zermelo.search.search import FailHard, Search, StrictCuts, StrictFailHard
from zermelo.trees import Tree, chance, node

MAX, MIN = 0, 1
MODES = [pytest.param(True, id="compiled"), pytest.param(False, id="plain")]
pytestmark = pytest.mark.parametrize("compile", MODES)


class Leaves(Observer):
    """Notes which leaves are seen, by their number from left to right."""

    def __init__(self, game: Tree):
        self.game, self.path, self.seen = game, [game.initial()], []
        self.number = {s: i for i, s in enumerate(_leaves(game, game.initial()))}

    def visit(self, ply: int, action: Any) -> None:
        del self.path[max(ply, 1) :]
        if ply > 0:
            self.path.append(self.game.result(self.path[-1], action))
        if self.game.is_terminal(self.path[-1]):
            self.seen.append(self.number[self.path[-1]])


def _leaves(game: Tree, s: Any) -> list[Any]:
    if game.is_terminal(s):
        return [s]
    return [leaf for a in game.moves_at(s) for leaf in _leaves(game, game.result(s, a))]


def seen(game: Tree, algorithm: str, compile: bool) -> tuple[Any, list[int]]:
    """The analysis, and the numbers (from 1) of the leaves that were looked at."""
    watcher = Leaves(game)
    analysis = analyse(game, algorithm=algorithm, compile=compile, observer=watcher)
    return analysis, [i + 1 for i in watcher.seen]


FIGURE_5_2 = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]


def test_figure_5_2(compile: bool) -> None:
    analysis = analyse(Tree(FIGURE_5_2), algorithm="minimax", compile=compile)
    assert (analysis.value, analysis.action, analysis.line) == (3, 0, (0, 0))
    assert analysis.exact
    pruned, leaves = seen(Tree(FIGURE_5_2), "alpha_beta", compile)
    assert (pruned.value, pruned.action) == (3, 0)
    assert leaves == [1, 2, 3, 4, 7, 8, 9]  # never the 4 and the 6


def test_figure_5_2_in_the_best_order(compile: bool) -> None:
    analysis, leaves = seen(Tree([[3, 12, 8], [2, 4, 6], [2, 5, 14]]), "alpha_beta", compile)
    assert analysis.value == 3
    assert len(leaves) == 5


@pytest.mark.parametrize(("x", "value", "move", "count"), [(2, 3, 0, 7), (3, 3, 0, 7), (3.5, 3.5, 1, 9), (5, 4, 1, 9)])
def test_figure_5_2_with_an_unknown_leaf(compile: bool, x: float, value: float, move: int, count: int) -> None:
    analysis, leaves = seen(Tree([[3, 12, 8], [x, 4, 6], [14, 5, 2]]), "alpha_beta", compile)
    assert (analysis.value, analysis.action, len(leaves)) == (value, move, count)


@pytest.mark.parametrize(
    ("tree", "value", "move", "unseen"),
    [
        ([[3, 12, 8], [5, 4, 6], [14, 1, 11]], 4, 1, {9}),
        ([[10, 8, 3], [2, 15, 7], [6, 5, 4]], 4, 2, {5, 6}),
        ([[[3, 9], [10, 6]], [[4, 7], [0, 5]]], 9, 0, {4, 7, 8}),
        ([[200, 100], [20, 7, 1000]], 100, 0, {4, 5}),
    ],
)
def test_trees_with_their_prunings(compile: bool, tree: Any, value: float, move: int, unseen: set[int]) -> None:
    game = Tree(tree)
    count = len(_leaves(game, game.initial()))
    analysis, leaves = seen(game, "alpha_beta", compile)
    assert (analysis.value, analysis.action) == (value, move)
    assert set(range(1, count + 1)) - set(leaves) == unseen
    assert analyse(game, algorithm="minimax", compile=compile).value == value


def test_as_expectimax(compile: bool) -> None:
    thirds = [chance(*((1 / 3, leaf) for leaf in group)) for group in ([10, 8, 3], [2, 15, 7], [6, 5, 4])]
    analysis, leaves = seen(Tree(node(MAX, *thirds)), "expectiminimax", compile)
    assert analysis.action == 1
    assert [move.value for move in analysis.moves] == pytest.approx([7, 8, 5])
    assert len(leaves) == 9


def test_the_tie_trap(compile: bool) -> None:
    """MIN[10] and MIN[10, 0] under MAX: the second looks like 10 when its 0 is pruned. Only the first is right."""
    analysis, leaves = seen(Tree([[10], [10, 0]]), "alpha_beta", compile)
    assert (analysis.value, analysis.action) == (10, 0)
    assert leaves == [1, 2]
    assert [str(move) for move in analysis.moves] == ["0  10", "1  ≤ 10"]
    exact = analyse(Tree([[10], [10, 0]]), algorithm="alpha_beta", all_moves=True, compile=compile)
    assert [str(move) for move in exact.moves] == ["0  10", "1  0"]


def test_a_beta_cut_the_other_way_up(compile: bool) -> None:
    _, leaves = seen(Tree([[20], [25, 1000]], first=MIN), "alpha_beta", compile)
    assert leaves == [1, 2]


def test_chance_weights(compile: bool) -> None:
    analysis = analyse(Tree(chance((1 / 2, 8), (1 / 3, 24), (1 / 6, -12))), algorithm="expectiminimax", compile=compile)
    assert analysis.value == pytest.approx(10)
    assert analysis.action is None


def coins(*halves: Any) -> Tree:
    return Tree(node(MAX, *(chance((0.5, node(MIN, *a)), (0.5, node(MIN, *b))) for a, b in halves)))


def test_a_coin_between_max_and_min(compile: bool) -> None:
    analysis = analyse(coins(([2, 4], [7, 4]), ([6, 0], [5, -2])), algorithm="expectiminimax", compile=compile)
    assert [move.value for move in analysis.moves] == [3, -1]
    assert (analysis.value, analysis.action) == (3, 0)


@pytest.mark.parametrize("algorithm", ["star1", "star2"])
def test_pruning_with_utilities_in_minus_2_to_2(compile: bool, algorithm: str) -> None:
    """The textbook's argument for pruning at chance nodes: leaves 6, 7 and 8 need not be seen."""
    game = coins(([2, 2], [1, 2]), ([0, 2], [-1, 0]))
    game._range = (-2, 2)
    analysis, leaves = seen(game, algorithm, compile)
    assert (analysis.value, analysis.action) == (1.5, 0)
    assert sorted(set(leaves)) == [1, 2, 3, 4, 5]
    assert [m.value for m in analyse(game, algorithm="expectiminimax", compile=compile).moves] == [1.5, -0.5]


@pytest.mark.parametrize("algorithm", ["star1", "star2"])
def test_pruning_with_utilities_in_0_to_10(compile: bool, algorithm: str) -> None:
    halves = [((0.7, [9, 10]), (0.3, [9, 7])), ((0.7, [2, 10]), (0.3, [5, 8]))]
    game = Tree(
        node(MAX, *(chance(*((p, node(MIN, *leaves)) for p, leaves in half)) for half in halves)),
        utility_range=(0, 10),
    )
    analysis, leaves = seen(game, algorithm, compile)
    assert analysis.value == pytest.approx(8.4)
    assert set(leaves) == {1, 2, 3, 4, 5}


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [([10], -20 / 3, 10), ([10, 10], -10 / 3, 10), ([10, 10, -10], -10 / 3, 20 / 3)],
)
def test_the_range_of_a_six_sided_chance_node(compile: bool, values: list[float], low: float, high: float) -> None:
    class Ranges(Observer):
        def __init__(self) -> None:
            self.ranges: list[tuple[float, float]] = []

        def bound(self, ply: int, low: float, high: float) -> None:
            if ply == 0:
                self.ranges.append((low, high))

    watcher = Ranges()
    die = [*values, *[0] * (6 - len(values))]
    analyse(
        Tree(chance(*((1 / 6, v) for v in die)), utility_range=(-10, 10)),
        algorithm="star1",
        compile=compile,
        observer=watcher,
    )
    windows = watcher.ranges[1:]  # the first is the window that the node is given
    assert windows[len(values)] == pytest.approx((low, high), abs=1e-9)


def test_the_trip(compile: bool) -> None:
    """MIN root: the first move whatever y is iff x < 800 (a tie at 800)."""

    def average(*leaves: float) -> Any:
        return chance(*((1 / len(leaves), leaf) for leaf in leaves))

    def trip(x: float, y: float) -> Any:
        tree = node(
            MIN,
            node(MAX, average(200, x), average(300, 500)),
            node(MAX, average(300, 500), average(600, 900, y)),
        )
        return analyse(Tree(tree), algorithm="expectiminimax", compile=compile)

    for y in (0, 600, 1200, 5000):
        assert trip(799, y).action == 0
    assert trip(801, 0).action == 1
    tie = trip(800, 0)
    assert tie.action == 0
    assert tie.moves[0].value == pytest.approx(tie.moves[1].value)
    for y in (0, 1200):
        assert trip(1601, y).action == 1
    assert trip(1599, 1200).action == 0


def test_one_player_only(compile: bool) -> None:
    tree = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]], players=1)
    assert analyse(tree, algorithm="minimax", compile=compile).value == 14
    assert analyse(tree, compile=compile).line == (2, 0)


def test_three_players(compile: bool) -> None:
    """Figure 5.4: A, B and C in turn; (1, 2, 6), with a tie for A at the root."""
    tree = [[[(1, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]], [[(5, 1, 1), (1, 5, 2)], [(7, 7, 1), (5, 4, 5)]]]
    analysis = analyse(Tree(tree, players=3), compile=compile)
    assert analysis.algorithm == "maxn"
    assert analysis.value == (1, 2, 6)
    assert [move.value[0] for move in analysis.moves] == [1, 1]  # type: ignore[index]


def test_rescaling_keeps_the_move_without_chance_and_may_change_it_with(compile: bool) -> None:
    for a, b, c, d in ((1, 2, 2, 4), (1, 20, 20, 400)):
        assert analyse(Tree([[a, b], [c, d]]), algorithm="minimax", compile=compile).action == 1

    def bet(a: float, b: float, c: float, d: float) -> Any:
        tree = node(MAX, chance((0.9, a), (0.1, b)), chance((0.9, c), (0.1, d)))
        return analyse(Tree(tree), algorithm="expectiminimax", compile=compile)

    small, large = bet(2, 3, 1, 4), bet(20, 30, 1, 400)
    assert [m.value for m in small.moves] == pytest.approx([2.1, 1.3])
    assert [m.value for m in large.moves] == pytest.approx([21, 40.9])
    assert (small.action, large.action) == (0, 1)


def test_dark_magic_plain(compile: bool) -> None:
    """Without buying the opponent's move the tree is worth 3 (with it: see the transformation of trees)."""
    tree = [[[2, 6], [1, 3]], [[7, 0], [2, 1]]]
    assert analyse(Tree(tree), algorithm="minimax", compile=compile).value == 3


def test_cutting_only_past_the_limit_and_failing_hard(compile: bool) -> None:
    """A tie is cut at ≥ and searched on at >; a pruned node is worth what is known of it, or the limit it reached."""
    game = Tree([[3, 12], [3, 1], [2, 9]])
    counts, bounds = {}, {}
    for kind in (Search, StrictCuts, FailHard, StrictFailHard):
        watcher = Leaves(game)
        analysis = analyse(game, algorithm="alpha_beta", bookkeeping=kind, compile=compile, observer=watcher)
        assert (analysis.value, analysis.line) == (3, (0, 0))
        counts[kind] = len(watcher.seen)
        bounds[kind] = [move.value for move in analysis.moves]
    assert counts == {Search: 4, StrictCuts: 5, FailHard: 4, StrictFailHard: 5}
    assert bounds == {
        Search: [3, 3, 2],
        StrictCuts: [3, 1, 2],
        FailHard: [3, 3, 3],
        StrictFailHard: [3, 3, 3],
    }
