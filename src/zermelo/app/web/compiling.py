"""Whether the search of the game on the page is compiled. Until then it runs as plain Python."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from zermelo.app.compiling import ANALYSIS, Preparation, ready_engine
from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import Game
from zermelo.search.engine import Engine

PLAIN_TABLE = 8
"""MiB for the table of an engine in plain Python, which visits few positions."""


class Readiness(Preparation):
    """The compiled programs for analysing a game, which most players use too."""

    def __init__(self, what: str, settings: tuple[str, ...], game: Game, changed: Callable[[Any], None]):
        super().__init__(game, what, settings, ANALYSIS, lambda: ready_engine(game), changed)
        self._plain: Engine | None = None

    @property
    def engine(self) -> Engine | None:
        """The engine, compiled if it is ready; None if the game needs another algorithm."""
        if self.made is None and self._plain is None:
            with contextlib.suppress(Unsuitable):
                self._plain = Engine(self.game, compile=False, table=PLAIN_TABLE)
        made: Engine | None = self.made
        return made or self._plain
