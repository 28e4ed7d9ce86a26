"""Games whose rules ask how often a position has occurred: the search answers as brute force over whole paths does."""

from __future__ import annotations

from typing import Any

import pytest

from support.history_games import NoRepeats, RingWalk
from zermelo import Game, IllegalAction, StateError, analyse

MODES = pytest.mark.parametrize("compile", [pytest.param(True, id="compiled"), pytest.param(False, id="plain")])


def brute_force(game: Game, path: list[Any], player: int) -> float:
    """Minimax over whole paths, the rules asked with all that came before."""
    rules, s = game.remembering(path), path[-1]
    if rules.is_terminal(s):
        return rules.utility(s, player)
    values = [brute_force(game, [*path, rules.result(s, a)], player) for a in list(rules.actions(s))]
    return max(values) if rules.to_move(s) == player else min(values)


@pytest.mark.slow
@MODES
@pytest.mark.parametrize("kind", [RingWalk, NoRepeats])
def test_every_algorithm_and_option_agrees_with_brute_force(kind: type[RingWalk], compile: bool) -> None:
    for cells in [5] if compile else range(3, 8):  # each size is a program of its own
        game = kind(cells)
        right = brute_force(game, [game.initial()], 0)
        for algorithm in ("minimax", "alpha_beta", "star1", "star2", "beam", "expectiminimax"):
            for options in ({}, {"all_moves": True}, {"deepening": True}):
                found = analyse(game, algorithm=algorithm, compile=compile, **options)  # type: ignore[arg-type]
                assert (found.value, found.exact) == (right, True), (cells, algorithm, options)
        won = analyse(game, algorithm="and_or", compile=compile)
        assert won.value == (1 if right == 1 else 0)
        assert won.strategy is None


@MODES
def test_what_came_before_the_root_counts(compile: bool) -> None:
    game = NoRepeats(5)
    path = [game.initial()]
    for a in (1, 1, 2):
        path.append(game.result(path[-1], a))
        rules = game.remembering(path)
        if rules.is_terminal(path[-1]):
            break
        found = analyse(game, path[-1], history=path[:-1], compile=compile)
        assert found.value == brute_force(game, path, found.player)
    start = RingWalk().initial()
    with pytest.raises(StateError, match="is over in this state"):
        analyse(RingWalk(), start, history=[start], compile=compile)


def test_play_keeps_the_past_in_mind() -> None:
    game = NoRepeats(2)
    with pytest.raises(IllegalAction):
        game.play(2, 2, 2)
