"""The file of a match: its settings in the first line, then every game as soon as it is finished.

If the process dies, the games in the file are complete, and the match can be resumed.
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
"""The value of `"zermelo"` in the line with the settings."""


class GameFile:
    """The file of a match. Only one match at a time can write to it."""

    def __init__(self, path: Path, settings: dict[str, Any]):
        self.path = path
        self.settings = {"zermelo": TOURNAMENT, **settings}
        if path.exists() and not path.is_file():
            raise ValueError(f"games cannot be saved in {path}: it is not a regular file")
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
            raise ValueError(f"another match is writing to {self.path}: choose another file") from None

    def _read(self) -> list[Record]:
        """The games in the file; an incomplete last line is removed."""
        data = self.path.read_bytes()
        settings = _line(json.dumps(self.settings, ensure_ascii=False))
        if settings.startswith(data):  # a new file, or an incomplete first line
            os.ftruncate(self.descriptor, 0)
            self._write(settings)
            return []
        first = settings_of(self.path)  # before anything is removed: it may be a file of another kind
        expected = json.loads(json.dumps(self.settings))
        there, here = _flat(first), _flat(expected)
        different = [name for name in {**there, **here} if there.get(name) != here.get(name)]
        if different:
            told = "; ".join(f"{name} is {there.get(name)!r} there, not {here.get(name)!r}" for name in different)
            raise ValueError(f"{self.path} belongs to another match ({told}): choose another file")
        os.ftruncate(self.descriptor, data.rfind(b"\n") + 1)
        return list(self._games(set(expected["players"])))

    def _games(self, players: set[str]) -> Iterator[Record]:
        """The games of the file, checked to belong to this match."""
        numbers = set[int | None]()
        for record in read_games(self.path):
            reason = None
            if record.number is None:
                reason = "a game has no number"
            elif record.number in numbers:
                reason = f"game {record.number} occurs twice"
            elif not set(record.players) <= players:
                reason = f"game {record.number} has other players, {', '.join(record.players)}"
            elif record.ended is None:
                reason = f"game {record.number} is not finished"
            if reason is not None:
                raise GameError(f"{self.path} is damaged: {reason}; remove its line to play it again")
            numbers.add(record.number)
            yield record

    def append(self, record: Record) -> None:
        """Save a finished game."""
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
            raise ValueError(f"games cannot be saved in {self.path}: {error.strerror}") from None

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
    """The settings in one flat dictionary, with the conditions."""
    return {
        **{name: value for name, value in settings.items() if name != "conditions"},
        **settings.get("conditions", {}),
    }


def _line(text: str) -> bytes:
    """A line of JSON as bytes. Lone surrogates, which an error message may contain, are escaped."""
    return text.encode(errors="backslashreplace") + b"\n"
