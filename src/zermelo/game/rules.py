"""The rules of a game: the textbook's six elements. Every game defines them; everything else is optional.

A state is a value: hashable, never changed. If it is a NamedTuple of fixed-width integers, the same rules also run
compiled. Players are numbered from 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zermelo.game.traits import Declarations

State = Any
Action = Any


class Rules(Declarations):
    """The elements of a game (Russell and Norvig)."""

    def initial(self) -> State:
        """S0, the state in which the game begins."""
        raise NotImplementedError

    def to_move(self, s: State) -> int:
        """The player whose turn it is, or CHANCE."""
        raise NotImplementedError

    def actions(self, s: State) -> Iterable[Action]:
        """Yields the legal moves."""
        raise NotImplementedError

    def result(self, s: State, a: Action) -> State:
        """The state that a move, or a chance outcome, leads to."""
        raise NotImplementedError

    def is_terminal(self, s: State) -> bool:
        """Is the game over?"""
        raise NotImplementedError

    def utility(self, s: State, p: int) -> float:
        """The utility of the end of the game to player p."""
        raise NotImplementedError
