"""What computes for the game on the page: its compiled program, its computer players, and the meaning of values."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from zermelo.app.compiling import Preparation
from zermelo.app.prompt import PromptPlayer
from zermelo.app.web.analyst import can_analyse, simulations_of
from zermelo.app.web.compiling import Readiness
from zermelo.app.web.findings import Judge
from zermelo.app.web.table import PERSON, GameTable
from zermelo.app.web.thinker import require_wanted
from zermelo.arena.player import Choice, Turn
from zermelo.arena.roster import plainly, player_of
from zermelo.game.protocol import Game
from zermelo.games.resolve import version_of
from zermelo.kernel.stopping import StopToken
from zermelo.search.analysis import Analysis
from zermelo.search.question import Searcher

CHECKED = 0.05
"""Seconds between two looks at whether a result is still wanted."""


class Computer:
    """The computer players of one game, and whether its search is compiled.

    key           which game it is
    can_analyse   can its positions be analysed?
    changed       called when the program is being compiled, and when it is ready
    """

    def __init__(self, table: GameTable, guard: threading.RLock, changed: Callable[[Computer], None]):
        self.game, self.guard, self.table, self.changed = table.game, guard, table, changed
        self.key = key_of(table.what, table.settings)
        self.can_analyse = can_analyse(table.game)
        self.judge = Judge(table.game)
        self.readiness = Readiness(table.what, table.settings, table.game, self._readiness_changed)
        self._players: dict[str, PromptPlayer] = {}
        self._is_new = False
        self._simulations: dict[bool, Searcher | None] = {}

    def choose(self, words: str, turn: Turn, token: StopToken) -> Choice:
        """The choice of a player: by its compiled program, or in plain Python while that is being compiled."""
        with self.guard:
            require_wanted(token)
            player = self._players.get(words)
            if player is None:
                player = self._players[words] = self._player(words)
        return player.choose(turn)

    def _player(self, words: str) -> PromptPlayer:
        return PromptPlayer(words, self.game, self.table.what, self.table.settings, lambda _: self.changed(self))

    def wait(self, seconds: float, token: StopToken) -> None:
        """Wait until positions can be analysed by the compiled program, for at most this many seconds."""
        self.readiness.begin()
        _wait(self.readiness.ready, seconds, token)

    def simulations(self, compiled: bool) -> Searcher | None:
        """The Monte Carlo search that analyses this game, with its tree; None if another algorithm is stronger."""
        if compiled not in self._simulations:
            self._simulations = {compiled: simulations_of(self.game, compiled)}
        return self._simulations[compiled]

    def verdict(self, analysis: Analysis) -> str:
        """The value of a position in words."""
        return analysis.verdict

    def status(self) -> dict[str, Any]:
        """Whether the programs are compiled, for the page."""
        shown = next((each for each in self._preparations if each.state == "compiling"), self.readiness)
        state = "compiling" if shown.state == "loading" else shown.state
        seconds = time.monotonic() - shown.began if state == "compiling" else shown.seconds
        return {"kind": "readiness", "state": state, "seconds": seconds, "reason": shown.reason}

    def _readiness_changed(self, readiness: Preparation) -> None:
        self._is_new = readiness.ready.is_set()
        self.changed(self)

    def recompiled(self) -> bool:
        """Has the analysis got its compiled program, since this was last asked?"""
        was_new, self._is_new = self._is_new, False
        return was_new

    @property
    def _preparations(self) -> list[Preparation]:
        players = (player.preparation for player in self._players.values())
        return [self.readiness, *(each for each in players if each is not None)]

    def new_game(self) -> None:
        """Players forget the game before."""
        for player in self._players.values():
            player.begin(self.game)

    def close(self) -> None:
        self.readiness.close()
        for player in self._players.values():
            player.close()
        self._players.clear()


def _wait(event: threading.Event, seconds: float, token: StopToken) -> None:
    """Wait for an event, for at most this many seconds; raise Outdated if the result is no longer wanted."""
    until = time.monotonic() + seconds
    while not event.wait(min(max(until - time.monotonic(), 0.0), CHECKED)):
        require_wanted(token)
        if time.monotonic() >= until:
            return


def key_of(what: str, settings: Sequence[str]) -> tuple[str, tuple[str, ...], float]:
    """Which game it is: a file that has changed is another one."""
    return what, tuple(settings), version_of(what)


def require_player(words: str, game: Game) -> None:
    """Raise an error if these words do not describe a player."""
    if words != PERSON:
        player_of(plainly(words, game) or words, game).close()
