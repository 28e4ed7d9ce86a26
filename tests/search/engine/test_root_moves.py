"""The engine with some of the moves only, and what it tells of several lines."""

from __future__ import annotations

import pytest

from zermelo import Engine, IllegalAction, games
from zermelo.search.engine import deepening
from zermelo.search.engine.answers import Progress

TIC_TAC_TOE = games.load("tic_tac_toe")
WINNING = TIC_TAC_TOE.play("1", "4", "2", "5")  # 3 wins


@pytest.mark.parametrize("compile", [True, False])
def test_only_these_moves_are_chosen_from(compile: bool) -> None:
    engine = Engine(TIC_TAC_TOE, compile=compile)
    assert engine.think(WINNING).action == 2
    among = engine.think(WINNING, moves=[5, 6, 8])
    assert (among.action, among.value) == (5, 0.0)  # it blocks the row, and nobody wins
    assert engine.think(WINNING, moves=[6]).value == -1.0
    assert engine.think(WINNING).action == 2  # nothing of it is remembered


def test_several_lines_among_them() -> None:
    told: list[Progress] = []
    analysis = Engine(TIC_TAC_TOE).think(WINNING, moves=[8, 6, 5], lines=5, on_progress=told.append)
    assert next(move.action for move in analysis.moves if move.exact) == 5
    assert {move.action for move in analysis.moves} == {5, 6, 8}
    assert {each.line[0] for each in told[-1].lines} == {5, 6, 8}
    values = [each.value for each in told[-1].lines]
    assert values == sorted(values, reverse=True)
    assert told[-1].lines[0].line == told[-1].line
    assert told[-1].deepest >= 1


def test_moves_that_cannot_be_chosen_from() -> None:
    engine = Engine(TIC_TAC_TOE)
    with pytest.raises(IllegalAction, match="0 is not a legal move here"):
        engine.think(WINNING, moves=[0])
    with pytest.raises(ValueError, match="at least one move"):
        engine.think(WINNING, moves=[])


def test_every_line_is_proven_if_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an evaluation only proofs say something: of each of the lines, not only of the best."""
    monkeypatch.setattr(deepening, "LOOK", 0.0)  # prove at once
    game = games.load("connect_four")
    s = game.play(*"217127227233267733")
    engine = Engine(game)
    found = engine.think(s, lines=7, nodes=20_000_000)
    assert found.moves
    assert all(move.proven for move in found.moves)
    for move in found.moves:
        after = game.result(s, move.action)
        if game.is_terminal(after):
            continue
        reply = engine.solve(after)
        assert move.value == -reply.value
        assert move.distance == (None if reply.distance is None else reply.distance + 1)
    values = [move.value for move in found.moves]
    assert values == sorted(values, reverse=True)
