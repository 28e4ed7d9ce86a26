"""Parts inside parts, hooks at every node, and tables of narrow numbers: the same in both modes, cold and warm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from test_cache import run

from zermelo import CompileError, Engine, Game, analyse, u8, u64
from zermelo.kernel.parts import Part, blueprint, bound
from zermelo.kernel.routine import Routine

CELLS = 6


class Layer(Part):
    """A layer of a network: integer weights, and a method whose name the protocol types for games only."""

    settled = True

    def __init__(self, weights: Any, kind: Any = np.int16):
        self.weights = np.array(weights, kind)

    def evaluate(self, features: int, out: int) -> int:
        total = 0
        for i in range(CELLS):
            if features >> i & 1:
                total += self.weights[out, i]
        return total


class Network(Part):
    """Two inputs, one layer inside."""

    def __init__(self, weights: Any, scale: float = 0.001):
        self.layer = Layer(weights)
        self.scale = scale

    def value(self, own: int, other: int) -> float:
        return (self.layer.evaluate(own, 0) - self.layer.evaluate(other, 1)) * self.scale


class Cells(NamedTuple):
    first: u64
    second: u64
    mover: u8


class Taking(Game):
    """Two players take cells in turn, and the network says what they are worth."""

    utility_range = (-100, 100)
    max_actions = CELLS

    def __init__(self, network: Any):
        self.network = network

    def initial(self) -> Cells:
        return Cells(0, 0, 0)

    def to_move(self, s: Cells) -> int:
        return s.mover

    def actions(self, s: Cells) -> Iterator[int]:
        for a in range(CELLS):
            if not (s.first | s.second) >> a & 1:
                yield a

    def result(self, s: Cells, a: int) -> Cells:
        if s.mover == 0:
            return Cells(s.first | 1 << a, s.second, 1)
        return Cells(s.first, s.second | 1 << a, 0)

    def is_terminal(self, s: Cells) -> bool:
        return (s.first | s.second) == (1 << CELLS) - 1

    def utility(self, s: Cells, p: int) -> float:
        value = self.network.value(s.first, s.second)
        return value if p == 0 else -value

    def evaluate(self, s: Cells, p: int) -> float:
        return self.utility(s, p)


WEIGHTS = [[30_000, 20_000, 10, 7, 5, 1], [30_000, 1, 2, 3, 20_000, 5]]
OTHER = [[1, 2, 3, 4, 5, 32_000], [6, 5, 4, 3, 2, 31_000]]


def both(game: Game, **limits: Any) -> float:
    """The value of the game, the same in both modes."""
    plain = analyse(game, algorithm="alpha_beta", compile=False, **limits)
    compiled = analyse(game, algorithm="alpha_beta", compile=True, **limits)
    assert (plain.value, plain.line, plain.nodes) == (compiled.value, compiled.line, compiled.nodes)
    assert isinstance(compiled.value, float)
    return compiled.value


@pytest.mark.slow
def test_a_network_inside_a_game_is_compiled_through() -> None:
    game = Taking(Network(WEIGHTS))
    for depth in (2, CELLS):
        first = both(game, depth=depth)
    assert analyse(game, algorithm="engine", compile=True).value == pytest.approx(first)
    plan = blueprint(game)
    assert plan.cacheable
    game.network.layer.weights[:] = OTHER  # weights changed in place,
    second = both(game)
    game.network.layer.weights = np.array(WEIGHTS, np.int16)  # an array replaced,
    assert both(game) == first
    game.network.layer = Layer(OTHER)  # a layer replaced,
    assert both(game) == second
    game.network = Network(WEIGHTS)  # or the whole network
    assert both(game) == first != second
    assert blueprint(game) is plan  # nothing of it needed compiling


def test_the_engine_sees_changed_weights() -> None:
    game = Taking(Network(WEIGHTS))
    for weights in (WEIGHTS, OTHER, WEIGHTS):
        game.network.layer.weights = np.array(weights, np.int16)
        values = {analyse(game, algorithm="engine", compile=compile).value for compile in (True, False)}
        assert values == {both(game)}


def test_inner_types_and_constants_belong_to_the_type_of_the_outer_part() -> None:
    game = Taking(Network(WEIGHTS))
    names = {blueprint(game).name}
    game.network.layer = Layer(WEIGHTS, np.int32)
    names.add(blueprint(game).name)
    game.network.scale = 0.5
    names.add(blueprint(game).name)
    game.network = None
    names.add(blueprint(game).name)
    assert len(names) == 4


class Shared(Taking):
    network: Any = Network(WEIGHTS)

    def __init__(self) -> None:
        pass


def test_a_part_may_be_an_attribute_of_the_class() -> None:
    game = Shared()
    first = both(game)
    Shared.network.layer = Layer(OTHER, np.int32)
    assert both(game) != first


class Outer(Part):
    settled = True

    def __init__(self, game: Any, layer: Any):
        self.game, self.layer = game, layer
        self.counts = np.zeros(1, np.int64)

    def ask(self, s: Any) -> float:
        self.counts[0] += 1
        return self.game.evaluate(s, 0) + self.layer.evaluate(3, 1)  # type: ignore[no-any-return]


def ask(game: Any, s: Any, outer: Any) -> float:
    return outer.ask(s) + outer.layer.weights[0, 0]  # type: ignore[no-any-return]


def test_a_settled_part_follows_the_parts_inside_it() -> None:
    routine, s = Routine(ask), Cells(1, 2, 0)
    outer = Outer(Taking(Network(WEIGHTS)), Layer(WEIGHTS))
    for change in (
        lambda: None,
        lambda: setattr(outer.layer, "weights", np.array(OTHER, np.int16)),
        lambda: setattr(outer, "layer", Layer(WEIGHTS, np.float32)),
        lambda: setattr(outer.game.network, "layer", Layer(OTHER)),
        lambda: outer.game.network.layer.weights.fill(9),
    ):
        change()
        plain = routine.run_plain(outer.game, s, outer)
        assert routine.compiled(outer.game, outer)(s) == plain
    assert outer.counts[0] == 10


def test_the_block_of_a_settled_part_is_made_once() -> None:
    class Holder(Part):
        settled = True

        def __init__(self) -> None:
            self.layer = Layer(WEIGHTS)

    holder = Holder()
    first = bound(holder)
    assert bound(holder) is first
    holder.layer.weights = np.array(OTHER, np.int16)
    assert bound(holder) is not first


def test_a_part_that_contains_itself_is_an_error() -> None:
    network: Any = Network(WEIGHTS)
    network.layer.network = network
    with pytest.raises(CompileError, match="a Network contains itself"):
        blueprint(Taking(network))


# Hooks.


class Following(Taking):
    """The same game with accumulators, which are updated at every node."""

    def __init__(self, network: Any):
        super().__init__(network)
        self.entered = np.zeros((0, 2), np.uint64)
        self.sums = np.zeros((0, 2), np.int64)
        self.counts = np.zeros(3, np.int64)  # nodes entered, nodes left, evaluations from an accumulator

    def reserve(self, nodes: int) -> None:
        self.entered = np.zeros((nodes, 2), np.uint64)
        self.sums = np.zeros((nodes, 2), np.int64)

    def enter(self, s: Cells) -> None:
        at = self.history_length[0]
        self.entered[at, 0], self.entered[at, 1] = s.first, s.second
        self.sums[at, 0] = self.network.layer.evaluate(s.first, 0)
        self.sums[at, 1] = self.network.layer.evaluate(s.second, 1)
        self.counts[0] += 1

    def leave(self) -> None:
        self.entered[self.history_length[0], 0] = 0
        self.entered[self.history_length[0], 1] = 0
        self.counts[1] += 1

    def evaluate(self, s: Cells, p: int) -> float:
        at = self.history_length[0] - 1
        if at >= 0 and self.entered[at, 0] == s.first and self.entered[at, 1] == s.second:
            self.counts[2] += 1
            value = (self.sums[at, 0] - self.sums[at, 1]) * self.network.scale
        else:
            value = self.network.value(s.first, s.second)
        return value if p == 0 else -value

    def promise(self, s: Cells, a: int) -> float:
        return -a


@pytest.mark.parametrize("compile", [True, False])
@pytest.mark.parametrize("algorithm", ["alpha_beta", "minimax", "engine"])
def test_hooks_are_called_at_every_node(algorithm: str, compile: bool) -> None:
    game, reference = Following(Network(WEIGHTS)), Taking(Network(WEIGHTS))
    found = analyse(game, algorithm=algorithm, depth=3, compile=compile)
    assert found.value == analyse(reference, algorithm="minimax", depth=3).value
    entered, left, used = game.counts
    assert left == found.nodes
    assert 0 < entered - left <= 2  # copies that list the moves of the root have entered it
    assert 0 < used <= entered
    assert len(game.entered) == 0  # the search had accumulators of its own


def test_hooks_follow_after_a_search_was_stopped() -> None:
    game = Following(Network(WEIGHTS))
    engine = Engine(game, table=1)
    for nodes in (5, 17, 40):
        engine.think(nodes=nodes)
    game.counts[:] = 0
    engine.clear()
    found = engine.think(depth=3)
    assert found.value == analyse(Taking(Network(WEIGHTS)), algorithm="minimax", depth=3).value
    assert game.counts[2] > 0


def test_threads_have_accumulators_of_their_own() -> None:
    game = Following(Network(WEIGHTS))
    found = Engine(game, table=1, threads=2).think()
    assert found.value == analyse(Taking(Network(WEIGHTS)), algorithm="minimax").value


def test_a_copy_that_remembers_has_entered_the_past() -> None:
    game = Following(Network(WEIGHTS))
    states = [game.initial(), game.play(0), game.play(0, 1)]
    own = game.remembering(states, 2)
    assert (own.history_length[0], len(own.entered)) == (3, 5)
    assert own.entered[2].tolist() == [1, 2]
    assert Taking(Network(WEIGHTS)).remembering(states).history_length == (0,)


# Narrow numbers.


class Narrow(Part):
    tables = np.array([200, 100], np.uint8)

    def __init__(self, kind: Any):
        self.numbers = np.array([[100, 27], [3, 5]], kind)


def arithmetic(game: Any, s: Any, narrow: Any, more: Any) -> float:
    x, y = narrow.numbers[0, 0], narrow.numbers[0][1]
    total = 0.0
    for row in range(2):
        total += narrow.numbers[row, 1] / narrow.numbers[row, 0]
    whole = x * x + y * 3 - x * y * x
    return total + whole + narrow.tables[0] + narrow.tables[0] + more[0] * more[0]


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.float32, np.int64])
def test_elements_of_narrow_tables_are_ordinary_numbers_in_both_modes(kind: Any) -> None:
    routine, game, narrow = Routine(arithmetic), Taking(None), Narrow(kind)
    more = np.array([100], kind)
    expected = 27 / 100 + 5 / 3 + (10_000 + 81 - 270_000) + 400 + 10_000
    plain = routine.run_plain(game, game.initial(), narrow, more)
    assert plain == pytest.approx(expected, rel=1e-12)
    assert routine.compiled(game, narrow, more)(game.initial()) == plain
    assert type(narrow.tables[0]) is int
    assert type(more[0]) is not int or kind is int  # the caller's own array is left alone


def test_a_part_writes_into_the_callers_array() -> None:
    weights = np.array(WEIGHTS, np.int16)
    layer = Layer(weights)
    layer.weights = weights
    layer.weights[0, 0] = 5
    assert weights[0, 0] == 5


# The cache.

GAME = """
import json, sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from zermelo import analyse
from zermelo.kernel import cache
from test_nested_parts import OTHER, WEIGHTS, Following, Network, Taking

values = []
for kind in (Taking, Following):
    game = kind(Network(WEIGHTS))
    for weights in (WEIGHTS, OTHER):
        game.network.layer.weights = np.array(weights, np.int16)
        values += [analyse(game, algorithm=name, compile=True).value for name in ("alpha_beta", "engine")]
print(json.dumps({"values": values, **cache.counts}))
"""


@pytest.mark.slow
def test_cold_and_warm(tmp_path: Path) -> None:
    (tmp_path / "nested.py").write_text(GAME)
    values = [both(Taking(Network(weights))) for weights in (WEIGHTS, OTHER) for _ in range(2)] * 2
    here = str(Path(__file__).parent)
    assert run(tmp_path, here, script="nested.py") == {"values": values, "loaded": 0, "compiled": 4}
    assert run(tmp_path, here, script="nested.py") == {"values": values, "loaded": 4, "compiled": 0}
