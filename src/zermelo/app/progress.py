"""What a search has found so far, as one line for the terminal."""

from __future__ import annotations

import time
from typing import Any

from zermelo.game.protocol import Game
from zermelo.search.wording import Worth, words


class Progress:
    """Follows a search: pass `tell` as `on_progress`, and the object itself to `waiting`.

    doing   what the search does, such as "proving"
    """

    def __init__(self, game: Game, state: Any, doing: str):
        self.game, self.state, self.doing = game, state, doing
        self.began = time.monotonic()
        self.latest: Any = None

    def tell(self, progress: Any) -> None:
        """The search has finished a depth."""
        self.latest = progress

    def __call__(self) -> str:
        passed = time.monotonic() - self.began
        if self.latest is None:
            return f"{self.doing}: {passed:.0f} s; Ctrl-C stops"
        return f"{self.doing}: {self.so_far()}, {passed:.0f} s; Ctrl-C stops"

    def so_far(self) -> str:
        """The last finished depth: its best move, its value and its cost."""
        found = self.latest
        best = f"{self.game.action_name(self.state, found.line[0])} " if found.line else ""
        player = max(self.game.to_move(self.state), 0)
        worth = words(self.game, Worth(found.value, player, found.distance, found.exact))
        return f"{found.counted} {found.depth}, {best}{worth}, {found.nodes:,} nodes"
