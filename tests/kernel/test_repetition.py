"""`occurrences` in constant time: as a list of keys would answer, whatever way the history grows and shrinks."""

from __future__ import annotations

from typing import Any

import numpy as np

from support.history_games import NoRepeats
from zermelo import Random
from zermelo.game.repetition import slots_for
from zermelo.kernel.history import forget, remember
from zermelo.kernel.routine import Routine


def wander(game: Any, s: Any, random: Any, keys: Any, counts: Any) -> int:
    """Enter and leave states at random, at times many at once; note the length and how often some key occurred."""
    start = game.history_length[0]
    for step in range(len(counts)):
        length = game.history_length[0] - start
        choice = random.below(8)
        if choice == 0:
            game.history_length[0] = start + random.below(length + 1)  # as a search that was stopped does
        elif choice < 3 and length > 0:
            forget(game)
        elif length < len(keys):
            s = game.result(s, random.below(3))
            keys[length] = game.history_key(s)
            remember(game, s)
        counts[step, 0] = game.history_length[0] - start
        s = game.result(s, random.below(3))
        counts[step, 1] = game.occurrences(game.history_key(s))
        expected = 0
        for i in range(game.history_length[0] - start):
            if keys[i] == game.history_key(s):
                expected += 1
        counts[step, 2] = expected
    game.history_length[0] = start
    return 0


def test_occurrences_are_those_of_a_list_in_both_modes() -> None:
    routine, game = Routine(wander), NoRepeats(7).remembering((), 60)
    for seed in range(20):
        found = []
        for run in (lambda *them: routine.compiled(them[0], *them[2:])(them[1]), routine.run_plain):
            keys, counts = np.zeros(60, np.uint64), np.zeros((400, 3), np.int64)
            run(game, game.initial(), Random(seed), keys, counts)
            assert (counts[:, 1] == counts[:, 2]).all()
            found.append(counts.tolist())
        assert found[0] == found[1]
        assert max(count for _, count, _ in found[0]) > 1


def test_half_of_the_slots_stay_free() -> None:
    for keys in (0, 1, 2, 3, 31, 32, 33, 2050):
        slots = slots_for(keys)
        assert slots >= max(2 * keys, 1)
        assert slots & slots - 1 == 0
