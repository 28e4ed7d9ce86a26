"""What the engine remembers of a search: the history of moves, and evaluations."""

from __future__ import annotations

from typing import Any

from zermelo import games
from zermelo.games.breakthrough import Breakthrough
from zermelo.search.engine import Engine
from zermelo.search.engine.ordering import NO_SLOT, slot_of

MOVE, OTHER, REPLY = 5, 6, 7


def memory_of_a_line(*slots: int) -> Any:
    """A memory in which these moves led to the ply after them."""
    memory = Engine(games.load("breakthrough"), table=1, compile=False).memories[0]
    for ply, slot in enumerate(slots):
        memory.path[ply], memory.slots[ply] = MOVE, slot
    return memory


def test_a_null_move_has_no_countermove() -> None:
    """The move that was searched before the null move at the same ply is not the one that is refuted."""
    memory = memory_of_a_line(slot_of(OTHER), NO_SLOT)
    memory.credit(2, 0, REPLY, 3)
    assert (memory.counters == -1).all()
    assert memory.slot_before(2, 1) == NO_SLOT
    assert memory.slot_before(2, 2) == slot_of(OTHER)


def test_a_move_has_a_countermove() -> None:
    memory = memory_of_a_line(slot_of(OTHER), slot_of(MOVE))
    memory.credit(2, 0, REPLY, 3)
    assert memory.counters[0, slot_of(MOVE)] == REPLY
    assert memory.quiet_rank(2, 0, REPLY, slot_of(MOVE), slot_of(OTHER)) > memory.quiet_rank(2, 0, REPLY, NO_SLOT, -1)


class Counting(Breakthrough):
    """Counts its evaluations."""

    asked = 0

    def evaluate(self, s: Any, p: int) -> float:
        type(self).asked += 1
        return super().evaluate(s, p)


class Remembered(Counting):
    asked = 0
    costly_evaluation = True


def test_remembered_evaluations_change_nothing_but_the_work() -> None:
    found = [Engine(game, compile=False).think(nodes=3000) for game in (Counting(5, 5), Remembered(5, 5))]
    assert found[0].value == found[1].value
    assert found[0].line == found[1].line
    assert found[0].nodes == found[1].nodes
    assert 0 < Remembered.asked < Counting.asked


def test_an_engine_that_is_cleared_evaluates_again() -> None:
    engine = Engine(Remembered(5, 5), compile=False)
    Remembered.asked = 0
    engine.think(nodes=500)
    asked = Remembered.asked
    engine.clear()
    engine.think(nodes=500)
    assert Remembered.asked == 2 * asked
