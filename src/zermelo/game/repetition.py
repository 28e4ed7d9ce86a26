"""How often a key is in a game's `history`, in constant time: a hash table of places in the history.

`history_index` has for each slot a place in `history`, and `history_slots` for each place its slot. A slot is in use
only if both refer to each other and the place is within the history (Briggs and Torczon, *An efficient representation
for sparse sets*, 1993). So a search that goes back shortens the history, and touches nothing here.
"""

from __future__ import annotations

from typing import Any

from zermelo.game.state import u64


def slots_for(keys: int) -> int:
    """The number of slots for so many keys: a power of two, and at least half of the slots stay free."""
    return 1 << (2 * keys).bit_length()


def first_slot(game: Any, key: int) -> int:
    """The slot that a key belongs in. If it is in use, the key is in one of the next slots."""
    return int(u64(key) ^ u64(key) >> 32) & len(game.history_index) - 1


def is_used(game: Any, slot: int) -> bool:
    """Is a key of the present history in this slot?"""
    place = game.history_index[slot]
    return bool(place < game.history_length[0] and game.history_slots[place] == slot)


def index_key(game: Any, key: int) -> None:
    """Enter the key at the end of the history, before the history's length includes it."""
    slot = first_slot(game, key)
    while is_used(game, slot):
        slot = slot + 1 & len(game.history_index) - 1
    game.history_index[slot] = game.history_length[0]
    game.history_slots[game.history_length[0]] = slot


def count_key(game: Any, key: int) -> int:
    """How often the history has this key. Equal keys are in slots without a gap: none was freed before a later one."""
    count = 0
    if len(game.history_index) == 0:  # a game that keeps no table is searched from the start
        for i in range(game.history_length[0]):
            if game.history[i] == key:
                count += 1
    else:
        slot = first_slot(game, key)
        while is_used(game, slot):
            if game.history[game.history_index[slot]] == key:
                count += 1
            slot = slot + 1 & len(game.history_index) - 1
    return count
