"""Networks in both modes: outputs, phases, layers, siblings, and one step of learning."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.stones import MOST, Heap, RememberingStones, Stones
from zermelo.game.errors import Unsuitable
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.learn.td.lesson import LEARN, Lesson
from zermelo.networks import Network, Siblings, after_moves, outputs, with_network
from zermelo.networks.batch import LOOK_AFTER_MOVES
from zermelo.networks.layers import add_rows, dots

TOLERANCE = 1e-5
"""Both modes compute in single precision, in the same order; products may be rounded or not."""

SHAPES = [(), (8,), (16, 8)]


def predicted(game: Any, s: Any, p: int, out: Any) -> float:
    game.network.predict(game, s, p, out)
    return float(game.evaluate(s, p))


def compared(game: Any, s: Any, siblings: Siblings, out: Any) -> int:
    """Looks at all states below one, from the base; returns how many."""
    siblings.forget()
    count = 0
    for left in range(1, s.left + 1):
        siblings.predict(game, game.result(s, s.left - left), 0, out[count])
        count += 1
    return count


PREDICT, COMPARE = Routine(predicted), Routine(compared)


def shaken(game: Any, hidden: tuple[int, ...]) -> Any:
    """A game with a network of random weights, biases included."""
    network = Network.for_game(game, hidden)
    random = np.random.default_rng(7)
    for table in network.arrays():
        table[:] = random.normal(0, 0.7, table.shape)
    return with_network(game, network)


def by_numpy(game: Any, s: Any, p: int) -> float:
    """The output, computed independently."""
    network, phase = game.network, game.phase(s)
    x = np.zeros(network.inputs)
    for number, amount in game.features(s, s.mover):
        x[number] += amount
    sums = np.asarray(network.first[phase], float).T @ x + network.first_bias[phase]
    for weights, bias in ((network.second, network.second_bias), (network.last, network.last_bias)):
        if weights.shape[1]:
            clipped = np.clip(sums, -4, 4)
            sums = np.asarray(weights[phase], float) @ (0.5 + clipped / 4 * (1 - abs(clipped) / 8)) + bias[phase]
    chance = float(1 / (1 + np.exp(-sums[0])))
    return chance if s.mover == p else 1 - chance


@pytest.mark.parametrize("hidden", SHAPES)
def test_both_modes_give_the_networks_outputs(hidden: tuple[int, ...]) -> None:
    game = shaken(Stones(), hidden)
    plain, compiled = np.zeros(1), np.zeros(1)
    for left in (MOST, 9, 8, 1):
        for p in range(2):
            s = Heap(left, 1)
            value = PREDICT.run_plain(game, s, p, plain)
            assert PREDICT.compiled(game, p, compiled)(s) == pytest.approx(value, abs=TOLERANCE)
            assert plain[0] == pytest.approx(by_numpy(game, s, p), abs=TOLERANCE)
            assert compiled[0] == pytest.approx(plain[0], abs=TOLERANCE)
            assert value == pytest.approx(2 * plain[0] - 1, abs=1e-12)
            assert game.evaluate(s, p) == value


@pytest.mark.parametrize("rules", [Stones, RememberingStones])
@pytest.mark.parametrize("hidden", SHAPES)
def test_siblings_are_evaluated_from_their_differences(rules: Any, hidden: tuple[int, ...]) -> None:
    game = shaken(rules(), hidden)
    for run in (COMPARE.run_plain, lambda game, s, *rest: COMPARE.compiled(game, *rest)(s)):
        siblings, out = Siblings(game.network), np.zeros((MOST, 1))
        assert run(game, Heap(MOST, 0), siblings, out) == MOST
        wanted = [by_numpy(game, Heap(left, 1), 0) for left in range(1, MOST + 1)]
        np.testing.assert_allclose(out[:, 0], wanted, atol=TOLERANCE)


@pytest.mark.parametrize("game", [Stones(), RememberingStones()])
def test_all_moves_in_one_call(game: Any) -> None:
    """Also if the game says which features a move changes."""
    game = shaken(game, (8,))
    for left in (MOST, 10, 9, 2, 1):
        s = Heap(left, 1)
        moves, found, values = after_moves(game, s)
        assert moves == game.legal(s)
        for i, a in enumerate(moves):
            after = game.result(s, a)
            wanted = float(game.is_terminal(after)) or by_numpy(game, after, 1)
            assert found[i, 0] == pytest.approx(wanted, abs=TOLERANCE)
            assert values[i] == pytest.approx(2 * wanted - 1, abs=TOLERANCE)


def test_outputs_of_many_states() -> None:
    game = shaken(Stones(), (8,))
    states = [Heap(left, mover) for left in range(1, MOST + 1) for mover in range(2)]
    np.testing.assert_allclose(
        outputs(game, states)[:, 0], [by_numpy(game, s, s.mover) for s in states], atol=TOLERANCE
    )
    with pytest.raises(Unsuitable, match="Stones has no network"):
        outputs(Stones(), states)


class Changing(RememberingStones):
    """Counts how often its features are listed, in plain Python."""

    listings = 0

    def list_features(self, s: Heap, p: int, numbers: Any, amounts: Any) -> int:
        Changing.listings += 1
        return super().list_features(s, p, numbers, amounts)


def test_what_a_move_changes_is_asked_instead_of_all_features() -> None:
    game = shaken(Changing(), (8,))
    values, found = np.zeros(3), np.zeros((3, 1))
    LOOK_AFTER_MOVES.run_plain(game, Heap(20, 0), Siblings(game.network), np.array([1, 2, 3]), found, values)
    assert Changing.listings == 0
    np.testing.assert_allclose(found[:, 0], [by_numpy(game, Heap(left, 1), 0) for left in (19, 18, 17)], atol=TOLERANCE)


class Tabled(Stones):
    """Knows the outputs of small heaps."""

    def known(self, s: Heap, out: Any) -> int:
        if s.left > 4:
            return 0
        out[0] = 0.0 if s.left == 4 else 1.0
        return 1


def test_what_is_known_is_not_asked_of_the_network() -> None:
    game = shaken(Tabled(), (8,))
    values, found = np.zeros(3), np.zeros((3, 1))
    for run in (LOOK_AFTER_MOVES.run_plain, lambda game, s, *rest: LOOK_AFTER_MOVES.compiled(game, *rest)(s)):
        run(game, Heap(6, 0), Siblings(game.network), np.array([1, 2, 3]), found, values)
        np.testing.assert_allclose(found[:, 0], [by_numpy(game, Heap(5, 1), 0), 1.0, 0.0], atol=TOLERANCE)
    assert game.evaluate(Heap(4, 0), 0) == -1


def layers_run(game: Any, s: Any, weights: Any, rows: Any, factors: Any, count: int, sums: Any, totals: Any) -> int:
    add_rows(weights, 0, rows, factors, 0, count, 16, sums)
    dots(weights, sums.reshape(1, 16), 0, sums, 16, count, totals)
    return 0


LAYERS = Routine(layers_run)


@pytest.mark.parametrize("count", range(1, 10))
def test_rows_are_added_and_multiplied_however_many_there_are(count: int) -> None:
    random = np.random.default_rng(count)
    weights = random.normal(0, 1, (1, 10, 16)).astype(np.float32)
    rows, factors = random.permutation(10), random.normal(0, 1, 10).astype(np.float32)
    wanted = factors[:count] @ weights[0, rows[:count]]
    for run in (LAYERS.run_plain, lambda game, s, *rest: LAYERS.compiled(game, *rest)(s)):
        sums, totals = np.zeros(16, np.float32), np.full(10, 7.0)
        run(Stones(), Heap(1, 0), weights, rows, factors, count, sums, totals)
        np.testing.assert_allclose(sums, wanted, atol=TOLERANCE)
        np.testing.assert_allclose(totals[:count], weights[0, :count] @ wanted + wanted[:count], atol=1e-4)
        assert np.all(totals[count:] == 7)


@pytest.mark.parametrize("hidden", SHAPES)
def test_a_step_follows_the_gradient(hidden: tuple[int, ...]) -> None:
    """The change of every weight is the negative slope of the cross-entropy, found by finite differences."""
    game = shaken(Stones(), hidden)
    network, s = game.network, Heap(5, 0)
    lesson = Lesson(network)
    lesson.record(game, s, 0, False)
    lesson.step.targets[0] = 0.25

    def loss() -> float:
        chance = by_numpy(game, s, 0)
        return -0.25 * float(np.log(chance)) - 0.75 * float(np.log(1 - chance))

    before = [np.array(table, float) for table in network.arrays()]
    slopes = []
    for table in network.arrays():
        slope = np.zeros(table.shape)
        for place in np.argwhere(np.ones(table.shape, bool)):
            at, kept, sides = tuple(place), table[tuple(place)], []
            for change in (0.01, -0.01):
                table[at] = kept + change
                sides.append(loss())
            table[at] = kept
            slope[at] = (sides[0] - sides[1]) / 0.02
        slopes.append(slope)
    rate = 0.01
    lesson.step.correct(network, 1, lesson.numbers, lesson.amounts, 0, lesson.starts[1], rate)
    for old, table, slope in zip(before, network.arrays(), slopes, strict=True):
        asked = slope != 0
        np.testing.assert_allclose((np.array(table) - old)[asked], -rate * slope[asked], atol=2e-5)
    assert sum(np.count_nonzero(slope) for slope in slopes) >= 4


@pytest.mark.parametrize("hidden", SHAPES)
def test_self_play_learns_the_game_and_both_modes_agree(hidden: tuple[int, ...]) -> None:
    """A player to move with a multiple of four stones has lost."""
    learned = []
    for run in (LEARN.run_plain, lambda game, s, *rest: LEARN.compiled(game, *rest)(s)):
        game = with_network(Stones(), Network.for_game(Stones(), hidden, seed=1))
        assert run(game, game.initial(), Lesson(game.network), Random(5), 3, 100, 0.3, 0.5, 0.3) == 3
        learned.append(game.network)
    for plain, compiled in zip(learned[0].arrays(), learned[1].arrays(), strict=True):
        np.testing.assert_allclose(compiled, plain, atol=1e-4)
    game = with_network(Stones(), learned[1])
    LEARN.compiled(game, Lesson(game.network), Random(1), 4000, 100, 0.3, 0.0, 0.3)(game.initial())
    for left in range(1, MOST + 1):
        assert (game.evaluate(Heap(left, 0), 0) < 0) == (left % 4 == 0), left
