"""Targets that look ahead, against their definition."""

from __future__ import annotations

import numpy as np
import pytest

from zermelo.games.breakthrough import Breakthrough
from zermelo.learn.positions import FIRST, LAST, RANDOM, Generator, PlaySettings, look_ahead, sides, states


def by_definition(chances: list[float], end: float, movers: list[int], barred: list[bool], decay: float) -> list[float]:
    """λ-returns from the last position to the first."""
    found, after, seen_by = [0.0] * len(chances), end, movers[-1]
    for i in reversed(range(len(chances))):
        if movers[i] != seen_by:
            after = 1 - after
        share = 0.0 if barred[i] else decay
        after = found[i] = (1 - share) * chances[i] + share * after
        seen_by = movers[i]
    return found


@pytest.mark.parametrize("decay", [0.0, 0.5, 0.9, 1.0])
def test_games_of_several_lengths(decay: float) -> None:
    random = np.random.default_rng(4)
    lengths = [1, 2, 7, 30]
    chances, results, movers = (
        random.random(sum(lengths)),
        np.zeros(sum(lengths)),
        random.integers(0, 2, sum(lengths)),
    )
    flags, expected, place = np.zeros(sum(lengths), np.uint8), [], 0
    for length in lengths:
        game = slice(place, place + length)
        flags[place] |= FIRST
        flags[place + length - 1] |= LAST
        flags[game] |= np.where(random.random(length) < 0.1, RANDOM, 0).astype(np.uint8)
        end = float(random.integers(0, 3)) / 2
        results[game] = np.where(movers[game] == movers[place + length - 1], end, 1 - end)
        barred = (flags[game] & RANDOM != 0).tolist()
        expected += by_definition(chances[game].tolist(), end, movers[game].tolist(), barred, decay)
        place += length
    assert look_ahead(chances, results, flags, movers, decay) == pytest.approx(np.array(expected), abs=1e-6)


def test_no_positions() -> None:
    nothing = np.zeros(0)
    assert len(look_ahead(nothing, nothing, np.zeros(0, np.uint8), nothing, 0.5)) == 0


def test_sides_are_those_of_the_states() -> None:
    game = Breakthrough(width=4, height=5)
    records = Generator(game, PlaySettings(nodes=10, opening=(1, 4))).block(0, 300)
    assert sides(records, game).tolist() == [game.side(s.mover) for s in states(records, game)]
