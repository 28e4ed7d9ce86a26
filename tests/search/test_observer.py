"""An observer is told of every visit, bound, cut and value, the same in both modes; and may stop the search."""

from __future__ import annotations

from typing import Any

import pytest

import zermelo
from zermelo import Observer, Reason, analyse, games
from zermelo.trees import Tree, chance, node

MODES = pytest.mark.parametrize("compile", [pytest.param(True, id="compiled"), pytest.param(False, id="plain")])


class Recorder(Observer):
    def __init__(self) -> None:
        self.events: list[Any] = []

    def visit(self, ply: int, action: Any) -> None:
        self.events.append(("visit", ply, action))

    def bound(self, ply: int, low: float, high: float) -> None:
        self.events.append(("bound", ply, low, high))

    def cut(self, ply: int, reason: Reason, value: float, limit: float) -> None:
        self.events.append(("cut", ply, reason.name, value, limit))

    def estimate(self, ply: int, value: float) -> None:
        self.events.append(("estimate", ply, value))

    def value(self, ply: int, value: Any) -> None:
        self.events.append(("value", ply, value))


@MODES
def test_every_step_of_alpha_beta(compile: bool) -> None:
    recorder = Recorder()
    inf = float("inf")
    analyse(Tree([[3, 12], [2, 4]]), algorithm="alpha_beta", observer=recorder, compile=compile)
    assert recorder.events == [
        ("visit", 0, None),
        ("bound", 0, -inf, inf),
        ("visit", 1, 0),
        ("bound", 1, -inf, inf),
        ("visit", 2, 0),
        ("bound", 2, -inf, inf),
        ("value", 2, 3),
        ("bound", 1, -inf, 3),
        ("visit", 2, 1),
        ("bound", 2, -inf, 3),
        ("value", 2, 12),
        ("bound", 1, -inf, 3),
        ("value", 1, 3),
        ("bound", 0, 3, inf),
        ("visit", 1, 1),
        ("bound", 1, 3, inf),
        ("visit", 2, 0),
        ("bound", 2, 3, inf),
        ("value", 2, 2),
        ("cut", 1, "ALPHA", 2, 3),
        ("value", 1, 2),
        ("bound", 0, 3, inf),
        ("value", 0, 3),
    ]


CHANCY = Tree(
    node(0, chance((0.5, node(1, 2, 2)), (0.5, node(1, 1, 2))), chance((0.5, node(1, 0, 2)), (0.5, node(1, -1, 0)))),
    utility_range=(-2, 2),
)
THREE = Tree([[(1, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]], players=3)


@pytest.mark.parametrize(
    ("game", "algorithm", "limits"),
    [
        (Tree([[3, 12], [2, 4]]), "minimax", {}),
        (CHANCY, "expectiminimax", {}),
        (CHANCY, "star1", {}),
        (CHANCY, "star2", {}),
        (THREE, "maxn", {}),
        (Tree([[1, 1], [-1, 1]], utility_range=(-1, 1)), "and_or", {}),
        (games.load("connect_four"), "alpha_beta", {"depth": 3}),
        (games.load("connect_four"), "beam", {"depth": 3, "beam": 2}),
        (games.load("connect_four"), "greedy", {}),
        (games.load("connect_four"), "alpha_beta", {"nodes": 100}),
    ],
)
def test_both_modes_tell_the_same(game: zermelo.Game, algorithm: str, limits: dict[str, Any]) -> None:
    plain, compiled = Recorder(), Recorder()
    analyse(game, algorithm=algorithm, observer=plain, compile=False, **limits)
    analyse(game, algorithm=algorithm, observer=compiled, compile=True, **limits)
    assert plain.events == compiled.events
    assert plain.events


def test_vectors_are_told_whole() -> None:
    recorder = Recorder()
    analyse(THREE, observer=recorder)
    assert ("value", 2, (1.0, 2.0, 6.0)) in recorder.events


@MODES
def test_an_observer_that_fails_ends_the_search(compile: bool) -> None:
    class Broken(Observer):
        def cut(self, ply: int, reason: Reason, value: float, limit: float) -> None:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        analyse(games.load("connect_four"), depth=9, observer=Broken(), compile=compile)


@MODES
def test_an_observer_needs_only_the_methods_it_wants(compile: bool) -> None:
    class Visits:
        count = 0

        def visit(self, ply: int, action: Any) -> None:
            self.count += 1

    watcher = Visits()
    analysis = analyse(games.load("connect_four"), algorithm="alpha_beta", depth=4, observer=watcher, compile=compile)
    assert watcher.count == analysis.nodes


def test_reasons_are_sentences() -> None:
    for reason in Reason:
        assert reason.sentence(2, 3).endswith(".")
    assert Reason.ALPHA.sentence(2, 3) == (
        "MIN can hold this node to 2, and MAX already has 3 elsewhere: nothing below can matter."
    )
