"""Perft: the number of move sequences of a given length. Published counts test rules, and time them."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import Game
from zermelo.games.resolve import game_of
from zermelo.kernel.calls import read_flag
from zermelo.kernel.history import forget, remember
from zermelo.kernel.parts import Part
from zermelo.kernel.routine import Routine, why_not_compiled
from zermelo.kernel.worker import Stopped, run, run_plain


class Counting(Part):
    """The stop flag of the count."""

    def __init__(self) -> None:
        self.stop = np.zeros(1, np.int64)


def count_sequences(game: Any, s: Any, counting: Counting, depth: int) -> int:
    """The number of sequences of `depth` moves from here. The last move is counted, but not made."""
    if depth == 0:
        return 1
    if read_flag(counting.stop, 0) != 0:
        raise Stopped
    remember(game, s)
    count = 0
    if depth == 1:
        count += game.count_actions(s)
    else:
        for a in game.actions(s):
            count += count_sequences(game, game.result(s, a), counting, depth - 1)
    forget(game)
    return count


_ROUTINE = Routine(count_sequences)


def perft(game: Game | str, depth: int, state: Any = None, *, compile: bool | None = None) -> int:
    """The number of sequences of `depth` moves from a state, by default the initial one.

    A sequence that ends early, because the game is over, is not counted.
    """
    game = game_of(game)
    if game.chance:
        raise Unsuitable(f"perft counts the moves of players, and in {game.title} chance moves too")
    if not isinstance(depth, int) or isinstance(depth, bool) or depth < 0:
        raise ValueError(f"depth must be a whole number of moves, 0 or more, not {depth!r}")
    s = game.initial() if state is None else game.checked(state)
    rules, counting = game.remembering((), room=depth + 1), Counting()
    if compile or (compile is None and why_not_compiled(game) is None):
        program = _ROUTINE.compiled(rules, counting, depth)
        return int(run(lambda: program(s), counting.stop))
    return int(run_plain(lambda: count_sequences(rules, s, counting, depth), counting.stop))
