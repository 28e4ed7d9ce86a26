"""What computes for the game on the page: its compiled program, its computer players, and the meaning of values."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from zermelo.app.web.analyst import can_analyse
from zermelo.app.web.compiling import PLAIN_TABLE, Readiness
from zermelo.app.web.findings import Judge
from zermelo.app.web.table import PERSON, GameTable, version_of
from zermelo.app.web.thinker import Outdated, require_wanted
from zermelo.arena.levels import level
from zermelo.arena.player import Choice, Player, Turn
from zermelo.arena.roster import SIMPLE, player_of
from zermelo.game.protocol import Game
from zermelo.kernel.stopping import StopToken
from zermelo.search.analysis import Analysis
from zermelo.search.registry import algorithms

WAITED, PLAIN_SECONDS = 2.5, 1.0
"""Seconds that players wait for the compiled program, and that they then think about a move without it."""


class Computer:
    """The computer players of one game, and whether its search is compiled.

    key           which game it is
    can_analyse   can its positions be analysed?
    changed       called when the program is being compiled, and when it is ready
    """

    def __init__(self, table: GameTable, guard: threading.RLock, changed: Callable[[Computer], None]):
        self.game, self.guard = table.game, guard
        self.key = key_of(table.what, table.settings)
        self.can_analyse = can_analyse(table.game)
        self.judge = Judge(table.game)
        self.readiness = Readiness(table.what, table.settings, table.game, lambda _: changed(self))
        self._players: dict[str, Player] = {}
        self._begun: set[str] = set()  # the players that know that this is a new game

    def choose(self, words: str, turn: Turn, token: StopToken) -> Choice:
        """The choice of a player: by the compiled program, or in plain Python while compiling takes long."""
        if plainly(words, self.game) not in SIMPLE:
            self.wait(WAITED, token)
        with self.guard:
            require_wanted(token)
            if self.readiness.state != "compiled":
                words = plainly(words, self.game)
            player = self._players.get(words)
        if player is None or words not in self._begun:
            player = player or player_of(words, self.game)
            player.begin(self.game)
        with self.guard:
            require_wanted(token)
            self._players[words] = player
            self._begun.add(words)
        choice = player.choose(turn)
        return choice if isinstance(choice, Choice) else Choice(choice)

    def wait(self, seconds: float, token: StopToken) -> None:
        """Wait until the program is compiled, for at most this many seconds since compiling began."""
        readiness = self.readiness
        readiness.begin()
        while not readiness.ready.is_set():
            left = readiness.began + seconds - time.monotonic()
            if left <= 0:
                return
            if token.wait(None if left == float("inf") else left):
                raise Outdated

    def verdict(self, analysis: Analysis) -> str:
        """The value of a position in words."""
        return analysis.verdict

    def status(self) -> dict[str, Any]:
        """Whether the program is compiled, for the page."""
        readiness = self.readiness
        seconds = time.monotonic() - readiness.began if readiness.state == "compiling" else readiness.seconds
        return {"kind": "readiness", "state": readiness.state, "seconds": seconds, "reason": readiness.reason}

    def new_game(self) -> None:
        """Players forget the game before."""
        self._begun.clear()

    def recompiled(self) -> None:
        """The program is ready: players that think in plain Python are replaced."""
        self._players.clear()
        self._begun.clear()

    def close(self) -> None:
        self.readiness.close()
        for player in self._players.values():
            player.close()
        self._players.clear()


def key_of(what: str, settings: Sequence[str]) -> tuple[str, tuple[str, ...], float]:
    """Which game it is: a file that has changed is another one."""
    return what, tuple(settings), version_of(what)


def require_player(words: str, game: Game) -> None:
    """Raise an error if these words do not describe a player."""
    if words != PERSON:
        player_of(plainly(words, game), game).close()


def plainly(words: str, game: Game) -> str:
    """The same player in plain Python, with a short thinking time."""
    kind, _, name = words.partition(":")
    if kind == "level":
        words = level(game, name).player
    kind, _, options = words.partition(":")
    if kind in SIMPLE:
        return words
    more = ["compile=False"]
    more += [f"seconds={PLAIN_SECONDS}"] * ("seconds=" not in options)
    more += [f"table={PLAIN_TABLE}"] * ("table=" not in options and _has_table(kind))
    return f"{kind}:{','.join(filter(None, (options, *more)))}"


def _has_table(kind: str) -> bool:
    return any(each.name == kind and "table" in each.options for each in algorithms())
