"""Positions of Go as values: the stones of both players in as few 64-bit words as the board needs."""

from __future__ import annotations

from typing import Any, NamedTuple, get_type_hints

from zermelo.game.state import u8, u16, u64
from zermelo.kernel.words import Words


class GoState(NamedTuple):
    """The fields of a position. A game's states are of `STATES[words]`, which has the same fields.

    own, other  the stones of the player to move and of the opponent: bit (size + 1) · row + column, from A1
    stones      a key of all stones and their colours, updated by every move
    ko          the point that the simple ko rule forbids, or the number of a pass if there is none
    passes      passes in a row
    mover       0 for Black, 1 for White
    moves       moves so far, passes included
    black_lost  black stones captured so far; `white_lost`: white ones
    last        the last move, or the number of a pass
    """

    own: Words
    other: Words
    stones: u64
    ko: u16
    passes: u8
    mover: u8
    moves: u16
    black_lost: u16
    white_lost: u16
    last: u16


def _state(words: int) -> Any:
    hints = get_type_hints(GoState)
    fields = [(name, tuple[(u64,) * words] if hint == Words else hint) for name, hint in hints.items()]  # type: ignore[misc]
    made: Any = NamedTuple(f"GoState{words}", fields)  # type: ignore[misc]
    made.__doc__, made.__module__ = f"A position on a board that needs {words} words: see `GoState`.", __name__
    return made


GoState1, GoState2, GoState3, GoState4, GoState5, GoState6 = (_state(words) for words in range(1, 7))
STATES: dict[int, Any] = dict(enumerate((GoState1, GoState2, GoState3, GoState4, GoState5, GoState6), 1))


def words_for(size: int) -> int:
    """How many words a board of this size needs, with its unused column."""
    return (size * (size + 1) + 63) // 64
