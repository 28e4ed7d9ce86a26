"""What a search is asked (`Question`), and what answers it (`Searcher`)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.game.errors import GameError, StateError
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.stopping import StopToken
from zermelo.search.analysis import Analysis
from zermelo.search.checks import listed

if TYPE_CHECKING:
    from zermelo.search.engine import Clock, Progress
    from zermelo.search.registry import Algorithm
    from zermelo.search.search import Search


@dataclass(frozen=True)
class Question:
    """A position, the limits of the search, and what the answer is to contain. See `analyse` for each field."""

    game: Game
    state: Any
    history: Sequence[Any] = ()
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    clock: Clock | None = None
    all_moves: bool = False
    lines: int | None = None
    deepening: bool | None = None
    observer: Any = None
    bookkeeping: type[Search] | None = None
    stop: StopToken | None = None
    on_progress: Callable[[Progress], Any] | None = None
    seed: int | None = None  # of random numbers, if the algorithm's options do not name one
    by_name: bool = True  # was the algorithm named, or chosen by default?

    @property
    def is_limited(self) -> bool:
        """Is there a limit of nodes or of time?"""
        return self.nodes is not None or self.seconds is not None or self.clock is not None

    @functools.cached_property
    def here(self) -> Game:
        """The game with the positions so far, up to this one."""
        return self.game.remembering([*self.history, self.state])

    @functools.cached_property
    def mover(self) -> int:
        """The player to move, or CHANCE."""
        return self.game.to_move(self.state)

    @functools.cached_property
    def player(self) -> int:
        """The player for whom values are computed: the one to move, or at a chance node player 0."""
        return 0 if self.mover == CHANCE else self.mover

    @functools.cached_property
    def actions(self) -> list[Any]:
        """The legal moves; none at a chance node."""
        return [] if self.mover == CHANCE else listed(self.here, self.state)

    def check(self) -> None:
        """Raise an error if there is no move to find."""
        game = self.game
        if self.here.is_terminal(self.state):
            worth = ", ".join(f"{game.utility(self.state, p):g}" for p in range(game.players))
            raise StateError(f"the game of {game.title} is over in this state, at ({worth}): there is no move to find")
        if self.mover != CHANCE and not 0 <= self.mover < game.players:
            raise GameError(
                f"to_move gives {self.mover}, but {game.title} has players 0 to {game.players - 1} and CHANCE"
            )


class Searcher:
    """An algorithm made ready for one game. It may keep what it learns from one question for the next."""

    def __init__(self, algorithm: Algorithm, game: Game, compile: bool | None, options: dict[str, Any]):
        self.algorithm, self.game, self.compile, self.options = algorithm, game, compile, options

    def analyse(self, question: Question) -> Analysis:
        """Search within the limits, and answer."""
        raise NotImplementedError

    def clear(self) -> None:
        """Forget what was learned from earlier questions."""
