"""Compiling the registered games in advance: `python -m zermelo.app.warming`, which the app runs in the background."""

from __future__ import annotations

import functools
import os
import signal

from zermelo import games
from zermelo.app.compiling import ANALYSIS, Preparation, bind, ready_engine, ready_player
from zermelo.arena.levels import levels, strongest

FIRST = ("tic_tac_toe", "connect_four", "chess", "othello", "backgammon")
"""The games that most people try first."""


def preparations(name: str) -> list[Preparation]:
    """What the app and the terminal need for a game: its analysis, the strongest player, and the levels."""
    game = games.load(name)
    found = [Preparation(game, name, (), ANALYSIS, functools.partial(ready_engine, game))]
    words = [f"{strongest(game)}:seconds=1", *(f"level:{each.name}" for each in levels(game)[-1:])]
    for each in words:
        found.append(Preparation(game, name, (), each, functools.partial(ready_player, each, game)))
    return found


def warm(name: str) -> None:
    """Compile a game, unless that has been done."""
    for preparation in preparations(name):
        if not preparation.is_cached and preparation.reason is None:
            preparation.make()
            preparation.mark()


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this process
    bind()
    os.nice(17)  # whatever else runs has priority
    for name in (*FIRST, *(name for name in games.names() if name not in FIRST)):
        warm(name)


if __name__ == "__main__":
    main()
