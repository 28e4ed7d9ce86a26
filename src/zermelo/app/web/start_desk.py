"""The desk of the start page: draws a card for every game."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from zermelo.app.web.cards import card
from zermelo.app.web.desk import Say
from zermelo.app.web.faults import in_words

PAUSE = 0.2
"""Seconds after the first card."""


class StartDesk:
    """Draws cards one by one, on a thread of its own, because loading a game takes a moment."""

    def __init__(self, say: Say):
        self.say = say
        self.guard = threading.RLock()
        self._wanted: list[str] = []
        self._drawing = False

    def do_cards(self, of: Sequence[str]) -> None:
        self._wanted = list(of)
        if not self._drawing:
            self._drawing = True
            threading.Thread(target=self._draw, daemon=True).start()

    def leave(self) -> None:
        self._wanted = []

    def _draw(self) -> None:
        is_first = True
        while True:
            with self.guard:
                if not self._wanted:
                    self._drawing = False
                    return
                what = self._wanted.pop(0)
            try:
                self.say(card(what))
            except Exception as error:  # a game of the user's own
                self.say({"kind": "card", "game": what, "error": in_words(error)})
            if is_first:  # the game that is chosen: the page shows it before it is busy with the others
                time.sleep(PAUSE)
                is_first = False
