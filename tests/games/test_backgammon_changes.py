"""The inputs of backgammon's network: the fast way, from the last position's, finds what counting one by one finds."""

from __future__ import annotations

from typing import Any

import numpy as np

from support import backgammon_inputs
from zermelo.game.protocol import CHANCE
from zermelo.games.backgammon import Backgammon, features
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.networks import Siblings

GAME = Backgammon(tables=False)


def positions(games: int) -> list[Any]:
    """Positions of games that are played at random, siblings next to each other."""
    random, found = Random(4), []
    for _ in range(games):
        s = GAME.initial()
        while not GAME.is_terminal(s):
            if GAME.to_move(s) == CHANCE:
                rolls = [outcome for outcome, _ in GAME.outcomes(s)]
                s = GAME.result(s, rolls[random.below(len(rolls))])
                continue
            afters = [GAME.result(s, a) for a in GAME.legal(s)]
            found += [after for after in afters[:3] if not GAME.is_terminal(after)]
            s = afters[random.below(len(afters))]
    return found


def dense(count: int, numbers: Any, amounts: Any) -> Any:
    assert len(set(numbers[:count])) == count
    found = np.zeros(features.COUNT, np.float32)
    found[numbers[:count]] = amounts[:count]
    return found


def listed(game: Any, s: Any, p: int, last: Any, numbers: Any, amounts: Any, changed: Any, changes: Any) -> int:
    """All inputs in two arrays, what differs from the last position in two others; returns both counts in one."""
    return int(1000 * game.list_features(s, p, numbers, amounts) + game.list_changes(s, p, last, changed, changes))


LIST = Routine(listed)


def test_inputs_are_those_counted_one_by_one() -> None:
    """In both modes: all inputs, and those that may differ from the last position of the same phase."""
    escapes = features.escape_table() / 36
    room = 2 * features.COUNT
    seen = set()
    for run in (LIST.run_plain, lambda game, s, *rest: LIST.compiled(game, *rest)(s)):
        last = np.zeros((3, 2, 16), np.uint64)
        kept = np.zeros((3, 2, features.COUNT), np.float32)
        (numbers, changed), (amounts, changes) = np.zeros((2, room), np.int64), np.zeros((2, room), np.float32)
        for i, s in enumerate(positions(2)):
            p, phase = i % 2, GAME.phase(s)
            wanted = dense(backgammon_inputs.list_features(s, p, escapes, numbers, amounts), numbers, amounts)
            counts = run(GAME, s, p, last[phase, p], numbers, amounts, changed, changes)
            np.testing.assert_allclose(dense(counts // 1000, numbers, amounts), wanted, atol=1e-6)
            assert np.all(amounts[: counts // 1000] != 0)
            kept[phase, p, changed[: counts % 1000]] = changes[: counts % 1000]
            np.testing.assert_allclose(kept[phase, p], wanted, atol=1e-6)
            seen.add(phase)
    assert seen == {0, 1, 2}


def test_siblings_have_the_networks_values() -> None:
    network, siblings, out = GAME.network, Siblings(GAME.network), np.zeros(5)
    for i, s in enumerate(positions(1)):
        if i % 8 == 0:
            siblings.forget()
        siblings.look(GAME, s)
        network.look(GAME, s, out)
        np.testing.assert_allclose(siblings.out, out, atol=1e-5)
