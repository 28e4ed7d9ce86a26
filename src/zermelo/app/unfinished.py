"""Unfinished games of the terminal: where they are saved, and how they are found again."""

from __future__ import annotations

import datetime
import os
from pathlib import Path

from zermelo.app.saved import games_in
from zermelo.game.errors import GameError
from zermelo.play.record import Record


def saved_in(path: Path) -> Record:
    """The only game in a file."""
    found = games_in(path)
    if len(found) != 1:
        raise GameError(f"{path} has {len(found)} games; a file to resume must have exactly one")
    return found[0]


def folder() -> Path:
    """Where unfinished games are saved: ZERMELO_STATE, or the user's state folder."""
    chosen = os.environ.get("ZERMELO_STATE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "zermelo"


def from_anywhere(what: str) -> str:
    """A game's name that is valid in every folder: a file with its absolute path."""
    path, dot, cls = what.partition(".py")
    return f"{Path(path).absolute()}{dot}{cls}" if dot else what


def fresh_file() -> Path:
    """A new file for a game that starts now."""
    name = f"game-{datetime.datetime.now():%Y%m%d-%H%M%S-%f}.jsonl"
    return folder() / name


def unfinished(what: str | None = None) -> Path | None:
    """The file of the last unfinished game, of this kind or of any; None: there is none."""
    wanted = None if what is None else from_anywhere(what)
    for path in sorted(folder().glob("game-*.jsonl"), reverse=True):
        try:
            record = saved_in(path)
        except (GameError, OSError):
            continue
        if record.ended is None and wanted in (None, record.game):
            return path
    return None
