"""What the search learns about the order of moves."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo import games
from zermelo.search.engine import Engine
from zermelo.search.engine.moves import LEFT_OUT, TRIED, learn_from_cutoff, slot_in
from zermelo.search.engine.ordering import MOST_EXPERIENCE, PAIR_SLOTS, pair_of
from zermelo.search.engine.scores import UPPER
from zermelo.search.engine.switches import REDUCTIONS
from zermelo.search.engine.table import NO_INDEX
from zermelo.search.engine.transpositions import kept_index


@pytest.fixture
def memory() -> Any:
    """The memory of an engine for chess, in plain Python, with the switches of a search by depth."""
    engine = Engine(games.load("chess"), table=1, endgames=False, compile=False)
    engine.think(engine.game.initial(), depth=1)
    engine.clear()
    return engine.memories[0]


def test_a_history_learns_and_stays_within_its_bounds(memory: Any) -> None:
    for _ in range(3):
        memory.experience(0, 0, 7, 3, 1)
    learned = memory.history[0, 7]
    assert learned > 3 * 400  # after three cutoffs at a depth of 3 it matters already
    for _ in range(1000):
        memory.experience(0, 0, 7, 30, 1)
    assert learned < memory.history[0, 7] <= MOST_EXPERIENCE
    for _ in range(1000):
        memory.experience(0, 0, 7, 30, -1)
    assert -MOST_EXPERIENCE <= memory.history[0, 7] < -learned


def test_the_history_of_a_move_after_another_ends_at_a_null_move(memory: Any) -> None:
    memory.slots[0], memory.slots[1] = 5, -1
    memory.experience(2, 0, 7, 3, 1)
    assert memory.pairs[pair_of(5, 7)] > 0
    assert (memory.pairs != 0).sum() == 1
    assert memory.slot_before(2, 1) == -1
    assert memory.slot_before(2, 2) == 5


def test_pairs_have_slots_of_their_own() -> None:
    assert len({pair_of(before, slot) for before in range(768) for slot in range(0, 768, 7)}) == 768 * 110
    assert all(0 <= pair_of(n, 4095 - n) < PAIR_SLOTS**2 for n in range(4096))


def test_moves_of_one_kind_share_a_slot(memory: Any) -> None:
    game = games.load("chess")
    s = game.from_fen("4k3/8/8/8/2N3N1/8/8/R3K3 w - - 0 1")
    slots = {name: slot_in(game, s, memory, game.action_named(s, name)) for name in ("Nce5", "Nge5", "Ncd2", "Rd1")}
    assert slots["Nce5"] == slots["Nge5"]
    assert len(set(slots.values())) == 3
    other = game.from_fen("4k3/8/8/8/2n3n1/8/8/R3K3 b - - 0 1")
    assert slot_in(game, other, memory, game.action_named(other, "Nce5")) != slots["Nce5"]


def test_only_moves_that_were_searched_are_debited(memory: Any) -> None:
    game = games.load("chess")
    s = game.initial()
    names = ("e4", "d4", "c4", "Nf3")
    moves = [game.action_named(s, name) for name in names]
    slots = [slot_in(game, s, memory, a) for a in moves]
    memory.moves[0, : len(moves)], memory.order[0, : len(moves)] = moves, (TRIED, TRIED, TRIED, 0.0)
    memory.rank_of[0, : len(moves)] = (0, LEFT_OUT, 0, 0)
    learn_from_cutoff(game, s, memory, 0, 0, 2, 2, len(moves), 4)  # c4 was better, e4 worse, d4 left out, Nf3 waits
    history = [int(memory.history[0, slot]) for slot in slots]
    assert history[0] < 0 < history[2]
    assert history[1] == history[3] == 0
    learn_from_cutoff(game, s, memory, 0, 0, 2, 2, len(moves), 0)  # quiescence search teaches nothing
    assert history == [int(memory.history[0, slot]) for slot in slots]


def test_a_node_in_which_no_move_was_good_keeps_the_move_of_its_entry(memory: Any) -> None:
    memory.store(0, 1, 5, 9, 3, 1, UPPER)
    data = memory.look_up(0, 1)
    assert kept_index(memory, data, 10, 10, 4) == 9
    assert kept_index(memory, data, 11, 10, 4) == 4
    assert kept_index(memory, 0, 10, 10, 4) == NO_INDEX
    memory.switches[REDUCTIONS] = 0
    assert kept_index(memory, data, 10, 10, 4) == 4
