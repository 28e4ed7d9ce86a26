"""Many states at once: one compiled call for the states after all moves, and arrays of outputs for lists of states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from zermelo.game.errors import Unsuitable
from zermelo.game.features import has_network
from zermelo.game.protocol import Game
from zermelo.kernel.routine import Routine, why_not_compiled
from zermelo.networks.siblings import Siblings


def look(game: Any, s: Any, siblings: Siblings) -> int:
    """Find the outputs for one state: they are in `siblings.out`."""
    siblings.look(game, s)
    return 0


def look_after_moves(game: Any, s: Any, siblings: Siblings, moves: Any, outputs: Any, values: Any) -> int:
    """The player's outputs and values after each move of a list; those of a finished game are its result."""
    p = game.to_move(s)
    siblings.forget()
    outcomes = game.network.outcomes
    for i in range(len(moves)):
        after = game.result(s, moves[i])
        if game.is_terminal(after):
            values[i] = game.utility(after, p)
            for k in range(game.network.outputs):
                outputs[i, k] = outcomes.target(game, after, p, k)
            continue
        values[i] = siblings.value(game, after, p)
        same = game.side(game.viewer(after)) == game.side(p)
        for k in range(game.network.outputs):
            outputs[i, k] = siblings.out[k] if same else outcomes.turned(siblings.out, k)
    return 0


LOOK, LOOK_AFTER_MOVES = Routine(look), Routine(look_after_moves)


def outputs(game: Game, states: Sequence[Any]) -> Any:
    """The network's outputs for states that are not terminal: one row for each, as `game.viewer` sees it."""
    siblings = _siblings(game)
    program = _program(LOOK, game, siblings)
    found = np.zeros((len(states), game.network.outputs))
    for row, s in zip(found, states, strict=True):
        program(s)
        row[:] = siblings.out
    return found


def after_moves(game: Game, s: Any) -> tuple[list[Any], Any, Any]:
    """The legal moves, and what the network says after each to the player to move: outputs and values."""
    moves = game.legal(s)
    found, values = np.zeros((len(moves), game.network.outputs)), np.zeros(len(moves))
    if moves:
        _program(LOOK_AFTER_MOVES, game, _siblings(game), np.array(moves, np.int64), found, values)(s)
    return moves, found, values


def _siblings(game: Game) -> Siblings:
    if not has_network(game):
        raise Unsuitable(f"{game.title} has no network: give it one by `with_network`")
    return Siblings(game.network)


def _program(routine: Routine, game: Game, *arguments: Any) -> Any:
    """The compiled program, or plain Python if the game's states cannot be compiled."""
    if why_not_compiled(game) is None:
        return routine.compiled(game, *arguments)
    return lambda s: routine.run_plain(game, s, *arguments)
