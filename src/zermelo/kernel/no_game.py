"""A game with nothing in it, for routines that compute with arrays and know no game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.game.protocol import Game
from zermelo.game.state import u8


class Empty(NamedTuple):
    """The only state of no game."""

    nothing: u8


class NoGame(Game):
    """A game without moves. Routines that need no game take it, so that one program serves all games."""

    def __init__(self, what: str = "No game"):
        """`what` is computed, for the message while it is compiled."""
        self.what = what

    @property
    def title(self) -> str:
        return self.what

    def initial(self) -> Empty:
        return Empty(0)

    def to_move(self, s: Empty) -> int:
        return 0

    def actions(self, s: Empty) -> Iterator[int]:
        for a in range(0):
            yield a

    def result(self, s: Empty, a: int) -> Empty:
        return s

    def is_terminal(self, s: Empty) -> bool:
        return True

    def utility(self, s: Empty, p: int) -> float:
        return 0.0
