"""The file of a match: its settings in the first line, then every game as soon as it is finished.

Whatever happens to the process, the games in the file are whole, and the match goes on from there.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zermelo.game.errors import GameError
from zermelo.play.files import read_games, read_lines
from zermelo.play.record import Record

TOURNAMENT = "tournament"
"""What `"zermelo"` says in the line with the settings."""


class GameFile:
    """A file of games that grows, and that only one match at a time writes to."""

    def __init__(self, path: Path, settings: dict[str, Any]):
        self.path = path
        self.settings = {"zermelo": TOURNAMENT, **settings}
        if path.exists() and not path.is_file():
            raise ValueError(f"games cannot be kept in {path}: it is no plain file")
        with self._told():
            path.parent.mkdir(parents=True, exist_ok=True)
            self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            self._lock()
            self.records = self._read()
        except BaseException:
            self.close()
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError(f"another match is writing to {self.path}: give this one another file") from None

    def _read(self) -> list[Record]:
        """The games that are there already; a line that was never finished is cut off."""
        data = self.path.read_bytes()
        settings = _line(json.dumps(self.settings, ensure_ascii=False))
        if settings.startswith(data):  # a new file, or one whose first line was never finished
            os.ftruncate(self.descriptor, 0)
            self._write(settings)
            return []
        first = settings_of(self.path)  # before anything is cut off: it may be somebody's own file
        expected = json.loads(json.dumps(self.settings))
        there, here = _flat(first), _flat(expected)
        different = [name for name in {**there, **here} if there.get(name) != here.get(name)]
        if different:
            told = "; ".join(f"{name} is {there.get(name)!r} there, not {here.get(name)!r}" for name in different)
            raise ValueError(f"{self.path} holds another match ({told}): give this one another file")
        os.ftruncate(self.descriptor, data.rfind(b"\n") + 1)
        return list(self._games(set(expected["players"])))

    def _games(self, players: set[str]) -> Iterator[Record]:
        """The games of the file, each of which must be one of this match."""
        numbers = set[int | None]()
        for record in read_games(self.path):
            reason = None
            if record.number is None:
                reason = "a game has no number"
            elif record.number in numbers:
                reason = f"game {record.number} is there twice"
            elif not set(record.players) <= players:
                reason = f"game {record.number} has other players, {', '.join(record.players)}"
            elif record.ended is None:
                reason = f"game {record.number} is not finished"
            if reason is not None:
                raise GameError(f"{self.path} is damaged: {reason}; remove its line, and it is played again")
            numbers.add(record.number)
            yield record

    def append(self, record: Record) -> None:
        """Keep a finished game."""
        self._write(_line(record.line()))
        self.records.append(record)

    def _write(self, data: bytes) -> None:
        with self._told():
            while data:
                data = data[os.write(self.descriptor, data) :]

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise ValueError(f"games cannot be kept in {self.path}: {error.strerror}") from None

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self.descriptor)


def settings_of(path: str | Path) -> dict[str, Any]:
    """The settings in the first line of a match's file."""
    with contextlib.suppress(GameError):
        first = next(read_lines(Path(path)), {})
        if first.get("zermelo") == TOURNAMENT:
            return first
    raise GameError(f"{path} is not the file of a match: its first line has no settings")


def _flat(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings, with the conditions among them each by itself."""
    return {
        **{name: value for name, value in settings.items() if name != "conditions"},
        **settings.get("conditions", {}),
    }


def _line(text: str) -> bytes:
    """A line of JSON as bytes; half of a surrogate pair, which somebody's error may have in it, as JSON's escape."""
    return text.encode(errors="backslashreplace") + b"\n"
