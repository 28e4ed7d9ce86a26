"""`Player`: is shown a `Turn` and chooses a move. Everything that plays in the arena is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.game.errors import ZermeloError
from zermelo.game.protocol import Game
from zermelo.kernel.random import Random
from zermelo.kernel.stopping import StopToken
from zermelo.play.play import Play
from zermelo.play.position import Position
from zermelo.search.analysis import Analysis
from zermelo.search.engine import Clock

PATIENCE = 120.0
"""The default per-move timeout in seconds, without a clock."""


class PlayerError(ZermeloError, RuntimeError):
    """A player that cannot continue, such as a program that died or does not answer. It loses the game."""


class Resigned(Exception):
    """A player gives up the game."""


@dataclass(frozen=True)
class Turn:
    """What a player is shown when it is to move.

    If the game hides something, there is one state, which the player cannot tell from the true one, and no moves.
    """

    game: Game
    states: Sequence[Any]  # from the first one to the present one
    moves: Sequence[str | None]  # by their names, as in a saved game
    player: int
    random: Random  # the player's own
    clock: Clock | None = None  # None: no clock
    clocks: Sequence[Clock] = ()  # of all seats
    patience: float = PATIENCE  # the timeout in seconds, without a clock
    stop: StopToken | None = None  # stops the search for this move

    @staticmethod
    def of(play: Play, random: Random, position: Position | None = None, **about: Any) -> Turn:
        """The turn of the player to move in a position, by default the present one: what it may see."""
        mover = play.game.to_move((position or play.here).state)
        view = play.view(mover, random, position)
        return Turn(play.game, view.states, view.moves, mover, random, **about)

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def history(self) -> Sequence[Any]:
        return self.states[:-1]

    def legal(self) -> list[Any]:
        """The legal moves."""
        return self.game.remembering(self.states).legal(self.state)


@dataclass(frozen=True)
class Choice:
    """A move, and optionally the player's value of the position and its analysis.

    source   where the move comes from if not from a search, such as "book"
    """

    action: Any
    value: float | None = None
    analysis: Analysis | None = None
    source: str = ""


class Player:
    """The base class of players. Your own player only needs `choose`, which may return a bare move."""

    name = "player"
    is_person = False  # a person at the terminal, without a time limit

    def begin(self, game: Game) -> None:
        """A new game starts: forget the last one. Do slow preparations here, such as compiling."""

    def choose(self, turn: Turn) -> Any:
        """The move to make: a Choice, or an action."""
        raise NotImplementedError

    def close(self) -> None:
        """There are no more games: release resources."""
