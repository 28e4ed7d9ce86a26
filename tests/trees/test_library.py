"""Every tree of the library has the answer that it says it has, by the real algorithms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zermelo import Observer, UnknownName, analyse, games
from zermelo.trees import MIN, Tree, named, names
from zermelo.trees.library import LIBRARY, Check


class Leaves(Observer):
    """Notes which leaves are seen, by their number from left to right, from 1."""

    def __init__(self, game: Tree):
        self.game, self.path = game, [game.initial()]
        self.numbers = {s: i for i, s in enumerate(_leaves(game, game.initial()), 1)}
        self.seen: set[int] = set()

    def visit(self, ply: int, action: Any) -> None:
        del self.path[max(ply, 1) :]
        if ply > 0:
            self.path.append(self.game.result(self.path[-1], action))
        if self.game.is_terminal(self.path[-1]):
            self.seen.add(self.numbers[self.path[-1]])

    @property
    def unseen(self) -> tuple[int, ...]:
        return tuple(sorted(set(self.numbers.values()) - self.seen))


def _leaves(game: Tree, s: Any) -> list[Any]:
    if game.is_terminal(s):
        return [s]
    return [leaf for a in game.moves_at(s) for leaf in _leaves(game, game.result(s, a))]


CHECKS = [
    pytest.param(name, c, id=f"{name}-{c.algorithm}-{i}") for name in names() for i, c in enumerate(named(name).checks)
]


@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "plain"])
@pytest.mark.parametrize(("name", "check"), CHECKS)
def test_answers(name: str, check: Check, compile: bool) -> None:
    game = named(name).to_game(**check.given)
    watcher = Leaves(game)
    analysis = analyse(game, algorithm=check.algorithm, compile=compile, observer=watcher)
    sign = -1 if game.to_move(game.initial()) == MIN and game.zero_sum else 1  # an analysis is the mover's
    value = analysis.value if isinstance(analysis.value, tuple) else sign * analysis.value
    assert value == pytest.approx(check.value)
    if check.action is not None:
        assert analysis.action == check.action
    if check.pruned is not None:
        assert watcher.unseen == check.pruned
    if check.moves is not None:
        assert [sign * move.value for move in analysis.moves] == pytest.approx(list(check.moves))


@pytest.mark.parametrize("name", names())
def test_every_tree_says_what_it_is(name: str) -> None:
    tree = named(name)
    assert tree.title
    assert tree.question.rstrip().endswith("?")
    assert tree.answer.endswith(".")
    assert tree.source
    assert tree.checks, "an answer that nobody checks"


def test_the_open_lines_are_those_of_tic_tac_toe() -> None:
    game: Any = games.load("tic_tac_toe")
    tree = named("open-lines").tree.root
    assert [child.estimate[0] for child in tree.children] == [game.open_lines(game.play(a), 0) for a in (0, 1, 4)]
    below = [[leaf.utility[0] for leaf in child.children] for child in tree.children]
    replies = {0: (1, 2, 4, 5, 8), 1: (0, 3, 4, 6, 7), 4: (0, 1)}
    assert below == [[game.open_lines(game.play(a, b), 0) for b in replies[a]] for a in (0, 1, 4)]


def test_unknown_names() -> None:
    assert named("Fig 5.2") is named("fig-5.2") is LIBRARY["fig-5.2"]
    with pytest.raises(UnknownName, match="did you mean 'tie-trap'"):
        named("tie-trip")
    with pytest.raises(UnknownName, match=r"there is no tree ''; there are fig-5\.2, "):
        named("")


def test_which_leaves_are_unknown() -> None:
    assert {name: named(name).tree.unknowns for name in names() if named(name).tree.unknowns} == {
        "fig-5.2-x": ("x",),
        "two-unknowns": ("x", "y"),
        "beta-cut": ("x",),
        "trip": ("x", "y"),
        "six-sided": ("u", "v", "w"),
    }


def test_the_documentation_lists_every_tree() -> None:
    page = (Path(__file__).parents[2] / "docs" / "trees.md").read_text(encoding="utf-8")
    for name in names():
        assert f"| `{name}` | {named(name).title} |" in page
