"""Files of positions: a header, then records without gaps, appended in blocks of whole games.

A file that a killed process has left is cut after the last game that is complete. A lock keeps a second process away
from a file in use, so that several commands can fill one folder, each with a file of its own.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.game.protocol import Game
from zermelo.kernel.files import write_whole
from zermelo.learn.positions.playing import FIRST, LAST
from zermelo.learn.positions.records import record_type

MAGIC = b"ZERMPOS1"
SUFFIX = ".zpos"
NOT_RULES = ("evaluation", "network", "weights")
"""Parameters of games that do not change the rules."""
AT_A_TIME = 1 << 16
"""How many records are looked at together to find the end of the last game."""


class NotPositions(GameError):
    """A file that holds no positions, or those of another game."""


class InUse(GameError):
    """A file that another process is writing."""


def read_header(path: Path) -> tuple[dict[str, Any], int]:
    """What a file says about itself, and the size of its header."""
    try:
        with path.open("rb") as file:
            start = file.read(12)
            size = int.from_bytes(start[8:12], "little")
            about = json.loads(file.read(size - 12)) if start[:8] == MAGIC and 12 < size < 1 << 24 else None
    except (OSError, ValueError):
        about = None
    if not isinstance(about, dict):
        raise NotPositions(f"{path} is no file of positions")
    return about, size


def header(about: dict[str, Any]) -> bytes:
    """The bytes that a file begins with."""
    text = json.dumps(about).encode()
    size = -(-(12 + len(text)) // 64) * 64
    return MAGIC + size.to_bytes(4, "little") + text.ljust(size - 12)


def shape_of(kind: np.dtype[Any]) -> list[Any]:
    """The type of the records as plain data."""
    found: list[Any] = json.loads(json.dumps(kind.descr))
    return found


def rules_name(game: Game) -> str:
    """The name of the game without what changes only its evaluation: positions are the same for all of them."""
    shown = (f"{k}={v}" for k, v in game._parameters().items() if k not in NOT_RULES)
    return f"{type(game).__name__}({', '.join(shown)})"


class Appender:
    """Appends blocks of whole games to a file, which is created or resumed. `count` says how many records it has."""

    def __init__(self, path: Path, game: Game, settings: dict[str, Any]):
        self.path, self.kind = path, record_type(game)
        about = {"game": rules_name(game), "fields": shape_of(self.kind), "settings": settings}
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            write_whole(path, header(about))
        self.file = path.open("r+b", buffering=0)
        try:
            self._lock()
            found, self.start = read_header(path)
            for name, wanted in about.items():
                if found.get(name) != wanted:
                    raise NotPositions(
                        f"{path} was made with another {name}: {found.get(name)!r}, not {wanted!r}; use another folder"
                    )
            self.count = whole_games(path, self.start, self.kind)
            require_undamaged(path, self.start, self.kind, self.count)
            end = self.start + self.count * self.kind.itemsize
            if self.file.seek(0, os.SEEK_END) != end:
                self.file.truncate(end)
                self.file.seek(end)
        except BaseException:
            self.file.close()
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InUse(f"{self.path} is being written by another process") from None

    def append(self, records: Any) -> None:
        """Append a block of whole games."""
        data = memoryview(np.ascontiguousarray(records).tobytes())
        while data:
            data = data[self.file.write(data) :]
        self.count += len(records)

    def close(self) -> None:
        self.file.close()

    def __enter__(self) -> Appender:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def free_file(folder: Path, game: Game, settings: dict[str, Any]) -> Appender:
    """The first file of a folder that no other process is writing."""
    for number in itertools.count():
        with contextlib.suppress(InUse):
            return Appender(folder / f"positions-{number}{SUFFIX}", game, settings)
    raise AssertionError


def whole_games(path: Path, start: int, kind: np.dtype[Any]) -> int:
    """How many records there are up to the end of the last whole game."""
    count = max(path.stat().st_size - start, 0) // kind.itemsize
    while count > 0:
        first = max(count - AT_A_TIME, 0)
        some = np.fromfile(path, kind, count - first, offset=start + first * kind.itemsize)
        ends = np.flatnonzero(some["flags"] & LAST)
        if len(ends):
            return first + int(ends[-1]) + 1
        count = first
    return 0


def require_undamaged(path: Path, start: int, kind: np.dtype[Any], count: int) -> None:
    """Raise an error unless games follow each other, their plies count up, and scores and results are numbers.

    This finds holes, shifted records and foreign bytes: compiled rules would read a nonsensical state without a check.
    """
    flags, ply = LAST, -1
    for begin in range(0, count, AT_A_TIME):
        some = np.fromfile(path, kind, min(AT_A_TIME, count - begin), offset=start + begin * kind.itemsize)
        before = np.append(flags, some["flags"][:-1]) & LAST != 0
        follows = some["ply"].astype(np.int64) == np.append(ply, some["ply"][:-1].astype(np.int64)) + 1
        right = np.where(before, some["flags"] & FIRST != 0, follows & (some["flags"] & FIRST == 0))
        right &= np.isfinite(some["score"]) & np.isfinite(some["result"])
        if not right.all():
            raise NotPositions(
                f"{path} is damaged at position {begin + int(np.argmin(right)):,} of {count:,}: delete this file; "
                "the other files of the folder can be used without it"
            )
        flags, ply = int(some["flags"][-1]), int(some["ply"][-1])


def files_in(where: str | Path | Iterable[str | Path]) -> list[Path]:
    """The files of positions in a folder, or these files."""
    if not isinstance(where, str | Path):
        return [path for each in where for path in files_in(each)]
    path = Path(where)
    return sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]


def count_in(where: str | Path | Iterable[str | Path], game: Game) -> int:
    """How many positions there are."""
    kind = record_type(game)
    total = 0
    for path in files_in(where):
        with contextlib.suppress(FileNotFoundError):
            total += max(path.stat().st_size - read_header(path)[1], 0) // kind.itemsize
    return total


def load(where: str | Path | Iterable[str | Path], game: Game, most: int | None = None) -> Any:
    """The positions of a folder, or of some files, as one array of records; at most so many, from the start."""
    kind = record_type(game)
    found = [np.zeros(0, kind)]
    left = most
    for path in files_in(where):
        about, start = read_header(path)
        if about.get("game") != rules_name(game) or about.get("fields") != shape_of(kind):
            raise NotPositions(f"{path} holds positions of {about.get('game')!r}, and not of {rules_name(game)}")
        count = whole_games(path, start, kind)
        require_undamaged(path, start, kind, count)
        some = np.fromfile(path, kind, count if left is None else min(left, count), offset=start)
        left = None if left is None else left - len(some)
        found.append(some)
    return np.concatenate(found)
