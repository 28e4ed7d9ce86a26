"""Files of large tables: a header that describes arrays, then the arrays, which are read as memory maps.

A file is complete or it is not there. It is built under another name (see `Unfinished`) and renamed at the end. The
header has the checksum of every block of data, so a damaged or truncated file is an error and never a wrong value.
"""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

try:
    import fcntl
except ImportError:  # not a POSIX system: two builders at once are not noticed
    fcntl = None  # type: ignore[assignment]

from zermelo.game.errors import ZermeloError

MAGIC = b"zermelo table 1\n"
HEADER = 1 << 16
"""Bytes before the first array."""
BLOCK = 1 << 22
"""Bytes with a checksum of their own."""

Shapes = dict[str, tuple[str, tuple[int, ...]]]
"""The arrays of a file: the type of the elements, and the shape."""


class DamagedTable(ZermeloError, ValueError):
    """A table file that cannot be used; the message says what is wrong with it and what to do."""


def table_directory() -> Path:
    """The folder of the tables: ZERMELO_TABLES, or one in the user's data folder."""
    chosen = os.environ.get("ZERMELO_TABLES")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "zermelo" / "tables"


def size_of(shapes: Shapes) -> int:
    """How many bytes a file with these arrays has."""
    return HEADER + sum(_bytes_of(dtype, shape) for dtype, shape in shapes.values())


def read_table(path: Path, kind: str) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """What the header says of a file of this kind, and its arrays, read-only. Every checksum is compared."""
    header = _header(path)
    if header is None or header.get("kind") != kind or not header.get("complete"):
        raise _damaged(path, f"it is not a complete table of the kind {kind}")
    arrays = _mapped(path, header["shapes"], "r")
    blocks = _checksums(path, size_of(header["shapes"]))
    if blocks != header["blocks"]:
        first = next(i for i, (one, other) in enumerate(zip(blocks, header["blocks"], strict=False)) if one != other)
        raise _damaged(path, f"the data at byte {HEADER + first * BLOCK:,} or after does not match its checksum")
    return header["about"], arrays


class Unfinished:
    """A table that is being built, in a file of its own. What was computed before an interruption is kept.

    done   how many steps are finished
    """

    def __init__(self, path: Path, kind: str, shapes: Shapes):
        self.path, self.kind, self.shapes = path, kind, shapes
        self.part = path.with_name(f"{path.name}.part")
        self.done = 0
        self.arrays: dict[str, np.ndarray[Any, Any]] = {}

    @contextlib.contextmanager
    def opened(self) -> Iterator[Unfinished]:
        """Within this context the arrays can be written. Only one process can build a table."""
        with _locked(self.part) as file:
            header = _header(self.part, quietly=True)
            wanted = json.loads(json.dumps(self.shapes))
            if header is None or header.get("kind") != self.kind or header.get("shapes") != wanted:
                file.truncate(0)
                _reserve(file, size_of(self.shapes), self.part)
                header = {"done": 0}
            self.done = int(header["done"])
            self.arrays = _mapped(self.part, self.shapes, "r+")
            try:
                yield self
            finally:
                self.arrays = {}

    def advance(self, done: int) -> None:
        """Record that this many steps are finished: first their results reach the disk, then the header."""
        for array in self.arrays.values():
            if isinstance(array, np.memmap):
                array.flush()
        self._write({"done": done})
        self.done = done

    def finish(self, about: dict[str, Any]) -> None:
        """Give the file its checksums and its name."""
        self.advance(self.done)
        blocks = _checksums(self.part, size_of(self.shapes))
        self._write({"done": self.done, "complete": True, "about": about, "blocks": blocks})
        os.replace(self.part, self.path)

    def _write(self, more: dict[str, Any]) -> None:
        _write_header(self.part, {"kind": self.kind, "shapes": self.shapes, **more})


def _bytes_of(dtype: str, shape: tuple[int, ...]) -> int:
    return int(np.dtype(dtype).itemsize * int(np.prod(shape, dtype=np.int64)))


def _mapped(path: Path, shapes: Shapes, mode: Any) -> dict[str, np.ndarray[Any, Any]]:
    found: dict[str, np.ndarray[Any, Any]] = {}
    offset = HEADER
    for name, (dtype, shape) in shapes.items():
        found[name] = np.memmap(path, dtype, mode, offset, tuple(shape))
        offset += _bytes_of(dtype, shape)
    return found


def _header(path: Path, quietly: bool = False) -> dict[str, Any] | None:
    """The header of a file; an error, or quietly None, if it is damaged or the file too short."""
    size = path.stat().st_size
    with open(path, "rb") as file:
        raw = file.read(HEADER)
    start = len(MAGIC) + 12
    try:
        length, checksum = int(raw[len(MAGIC) : len(MAGIC) + 4].hex(), 16), raw[len(MAGIC) + 4 : start]
        text = raw[start : start + length]
        if raw[: len(MAGIC)] != MAGIC or f"{zlib.crc32(text):08x}".encode() != checksum:
            raise ValueError
        header: dict[str, Any] = json.loads(text)
        if any(np.dtype(dtype).kind not in "iuf" for dtype, _ in header["shapes"].values()):
            raise ValueError
        wanted = size_of(header["shapes"])
    except (ValueError, TypeError, KeyError, AttributeError):
        if quietly:
            return None
        raise _damaged(path, "its header is not that of a table") from None
    if size != wanted:
        if quietly:
            return None
        raise _damaged(path, f"it has {size:,} bytes and should have {wanted:,}")
    return header


def _write_header(path: Path, header: dict[str, Any]) -> None:
    text = json.dumps(header).encode()
    raw = MAGIC + len(text).to_bytes(4, "big") + f"{zlib.crc32(text):08x}".encode() + text
    if len(raw) > HEADER:
        raise ZermeloError(f"the header of {path} is longer than {HEADER:,} bytes: the table is too large")
    with open(path, "r+b") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())


def _checksums(path: Path, size: int) -> list[int]:
    found = []
    with open(path, "rb") as file:
        file.seek(HEADER)
        while file.tell() < size:
            found.append(zlib.crc32(file.read(BLOCK)))
    return found


def _reserve(file: Any, size: int, path: Path) -> None:
    """Make the file as long as it will be, so that a full disk is an error now and not a crash later."""
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size)
        else:
            file.truncate(size)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise ZermeloError(f"there is no room for {size / 1e6:,.1f} MB in {path.parent}: {error.strerror}") from None


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[Any]:
    """A file that only this process has locked. It is created if it does not exist."""
    while True:
        with _writable(path) as file:
            _lock(file, path)
            if _is_at(file, path):
                yield file
                return  # otherwise another builder has finished and removed its file between the two steps


def _writable(path: Path) -> BinaryIO:
    """The file at a path, opened; it and its folder are made if they are not there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return open(path, "a+b")
    except OSError as error:
        raise ZermeloError(f"{path} cannot be written: {error.strerror}") from None


def _is_at(file: Any, path: Path) -> bool:
    """Is the open file still the one with this name?"""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _lock(file: Any, path: Path) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise ZermeloError(f"another process is building {path}: wait for it, or stop it") from None


def _damaged(path: Path, what: str) -> DamagedTable:
    return DamagedTable(f"{path} is damaged: {what}; delete it and build it again with `zermelo table`")
