"""The regressions of ProbCut."""

from __future__ import annotations

import numpy as np
import pytest

from zermelo import Engine, games
from zermelo.learn.probcut import ERROR, OFFSET, SHALLOW, SLOPE, fit_probcut, shallow_depths, values_by_depth


def test_shallow_depths_have_the_same_parity_and_leave_something_to_save() -> None:
    assert [shallow_depths(depth) for depth in range(8)] == [(), (), (), (1,), (2,), (1, 3), (2, 4), (3, 5)]
    for depth in range(3, 40):
        found = shallow_depths(depth)
        assert list(found) == sorted(set(found))
        assert all(0 < shallow < depth - 1 and (depth - shallow) % 2 == 0 for shallow in found)


def test_a_known_line_is_found_again() -> None:
    random = np.random.default_rng(3)
    values = np.full((400, 5), np.nan)
    values[:, 2] = random.normal(0, 10, 400)
    values[:, 4] = 0.9 * values[:, 2] - 1 + random.normal(0, 2, 400)
    values[:10, 4] = np.nan  # not searched so deeply
    stages = np.repeat([0, 1], 200)
    found = fit_probcut(values, stages, 3, 8)
    for stage in range(2):
        assert found[stage, 4, 0, SHALLOW] == 2
        assert found[stage, 4, 0, [SLOPE, OFFSET, ERROR]] == pytest.approx([0.9, -1, 2], abs=0.35)
    assert found[2, 4, 0, SHALLOW] == 2  # a stage without positions has the line of all
    assert found[0, 6, 0, SHALLOW] == 2  # deeper than searched: the same line, trusted less
    assert found[0, 6, 0, ERROR] == pytest.approx(1.1 * found[0, 4, 0, ERROR])
    assert (found[:, :3, :, SHALLOW] == 0).all()
    assert (found[:, 3, :, SHALLOW] == 0).all()  # depth 1 was not searched


def test_values_by_depth_are_those_of_plain_searches() -> None:
    game = games.load("tic_tac_toe")
    states = [game.initial(), game.play("5")]
    values = values_by_depth(game, states, 3)
    assert np.isnan(values[:, 0]).all()
    engine = Engine(game, table=0, forced=False, singular=False)
    for s, row in zip(states, values, strict=True):
        assert row[1:].tolist() == [engine.search(s, depth=depth).value for depth in (1, 2, 3)]
