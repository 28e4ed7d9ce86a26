"""A computer player that never keeps people waiting for the compiler."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from zermelo.app.compiling import Preparation, ready_player
from zermelo.arena.player import Choice, Player, Turn
from zermelo.arena.roster import PLAIN_SECONDS, plainly, player_of
from zermelo.game.protocol import Game
from zermelo.kernel.stopping import StopToken

LOADING = 1.5
"""Seconds to wait for a program that is probably in the cache."""
CHECKED = 0.05
"""Seconds between two looks at whether the program is ready."""


class PromptPlayer(Player):
    """A player that answers in plain Python until its program is compiled, in the background.

    words            the player, as for `zermelo match`
    what, settings   the game in words
    changed          called when compiling begins, and when it is over
    """

    def __init__(
        self,
        words: str,
        game: Game,
        what: str,
        settings: Sequence[str],
        changed: Callable[[Preparation], None] | None = None,
    ):
        self.name, self.game = words, game
        plain = plainly(words, game)
        self.preparation: Preparation | None = None
        self._made: dict[str, Player] = {}
        self._begun: set[str] = set()
        if plain is not None:
            player_of(plain, game).close()  # reports errors at once
            self.preparation = Preparation(game, what, settings, words, lambda: ready_player(words, game), changed)
        else:
            self._made[words] = player_of(words, game)

    def prepare(self) -> None:
        """Start compiling, because the player is needed soon."""
        if self.preparation is not None:
            self.preparation.begin()

    def begin(self, game: Game) -> None:
        self._begun.clear()

    def choose(self, turn: Turn) -> Choice:
        preparation = self.preparation
        if preparation is None:
            return self._ask(self.name, turn)
        preparation.begin()
        if preparation.is_cached:
            _wait(preparation.ready, LOADING, turn.stop)
        if preparation.state == "plain":  # for ever, so it takes its time
            return self._ask(plainly(self.name, self.game, math.inf) or self.name, turn)
        if preparation.made is not None:
            return self._ask_compiled(preparation.made, turn)
        with StopToken(turn.stop) as token, _stopped_by(preparation.ready, token):
            choice = self._ask(plainly(self.name, self.game, PLAIN_SECONDS) or self.name, turn, token)
        if preparation.made is not None:
            return self._ask_compiled(preparation.made, turn)
        return choice

    def _ask_compiled(self, player: Player, turn: Turn) -> Choice:
        self._made.setdefault(self.name, player)
        return self._ask(self.name, turn)

    def _ask(self, words: str, turn: Turn, token: StopToken | None = None) -> Choice:
        player = self._made.get(words)
        if player is None:
            player = self._made[words] = player_of(words, self.game)
        if words not in self._begun:
            player.begin(self.game)
            self._begun.add(words)
        choice = player.choose(turn if token is None else dataclasses.replace(turn, stop=token))
        return choice if isinstance(choice, Choice) else Choice(choice)

    def close(self) -> None:
        if self.preparation is not None:
            self.preparation.close()
            if self.preparation.made is not None:
                self._made[self.name] = self.preparation.made
        for player in self._made.values():
            player.close()
        self._made.clear()


def _wait(ready: threading.Event, seconds: float, token: StopToken | None) -> None:
    """Wait until something is ready, or the token is stopped."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and not ready.wait(CHECKED):
        if token is not None and token.is_set:
            return


@contextlib.contextmanager
def _stopped_by(ready: threading.Event, token: StopToken) -> Iterator[None]:
    """Within this context, the token is stopped when something is ready."""
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            if ready.wait(CHECKED):
                token.stop()
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        over.set()
