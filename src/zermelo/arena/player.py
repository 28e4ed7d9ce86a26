"""What a player is: somebody who is shown a turn and chooses a move. Everything that plays in the arena is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.game.errors import ZermeloError
from zermelo.game.protocol import Game
from zermelo.kernel.random import Random
from zermelo.kernel.stopping import StopToken
from zermelo.play.play import Play
from zermelo.search.analysis import Analysis
from zermelo.search.engine import Clock

PATIENCE = 120.0
"""How many seconds a player may take for a move where no clock runs, unless somebody says otherwise."""


class PlayerError(ZermeloError, RuntimeError):
    """A player that cannot go on: a program that died or does not answer. It loses the game."""


@dataclass(frozen=True)
class Turn:
    """What a player is shown when it is to move.

    If the game hides something, there is one state, which the player cannot tell from the true one, and no moves.
    """

    game: Game
    states: Sequence[Any]  # from the first one on; the present one last
    moves: Sequence[str | None]  # by their names, as in a saved game
    player: int
    random: Random  # the player's own
    clock: Clock | None = None  # None: nobody counts
    clocks: Sequence[Clock] = ()  # of all seats, the player's own among them
    patience: float = PATIENCE  # for how many seconds it is waited for where nobody counts
    stop: StopToken | None = None  # stops the search for this move

    @staticmethod
    def of(play: Play, random: Random, **clocks: Any) -> Turn:
        """The turn of the player to move: what it may see of a game in progress."""
        mover = play.game.to_move(play.state)
        view = play.view(mover, random)
        return Turn(play.game, view.states, view.moves, mover, random, **clocks)

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
    """A move, what its player thinks that the position is worth to it, and why, where it says so."""

    action: Any
    value: float | None = None
    analysis: Analysis | None = None


class Player:
    """The base class of players. A player of one's own needs `choose` alone, which may return a bare move."""

    name = "player"
    is_person = False  # somebody at this terminal, who may think for as long as they like

    def begin(self, game: Game) -> None:
        """A new game: nothing is left of the one before. What takes long, such as compiling, happens here."""

    def choose(self, turn: Turn) -> Any:
        """The move to make: a Choice, or an action."""
        raise NotImplementedError

    def close(self) -> None:
        """No more games."""
