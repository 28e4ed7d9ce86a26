"""Files of solved classes: a header, the directory of the blocks, and the packed blocks.

A file is written under another name and renamed when it is complete. The header and the directory have a checksum that
is compared when the file is opened, and each block has one that is compared when it is unpacked. So a damaged or
truncated file is an error and never a wrong value.
"""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.errors import ZermeloError
from zermelo.game.protocol import Game
from zermelo.kernel.files import write_whole
from zermelo.kernel.table_files import DamagedTable
from zermelo.lookup.packing import (
    BLOCK,
    LONGEST,
    PACK,
    PADDING,
    PALETTE,
    RUNS,
    UNPACK_ALL,
    canonical_codes,
    code_lengths,
    lookup_table,
)
from zermelo.lookup.retrograde import INVALID

MAGIC = b"zermelo class 2\n"
DISTANCES = ("win", "conversion")
"""What a distance counts: plies to the win, or to the next class."""


@dataclass(frozen=True)
class ClassFile:
    """A solved class in a file, whose blocks have not been read.

    about     what the header says: game, class, distance, size, counts, longest win
    start     where the packed blocks begin
    ends      for each block, where it ends after `start`
    checks    for each block its checksum
    palette   the values of the symbols
    lengths   the lengths of the symbols' codes
    """

    path: Path
    about: dict[str, Any]
    start: int
    ends: np.ndarray[Any, Any]
    checks: np.ndarray[Any, Any]
    palette: np.ndarray[Any, Any]
    lengths: np.ndarray[Any, Any]

    @property
    def size(self) -> int:
        """The number of indices."""
        return int(self.about["size"])

    @property
    def starts(self) -> np.ndarray[Any, Any]:
        """Where each block begins after `start`, and where the last one ends."""
        return np.concatenate([[0], self.ends]).astype(np.int64)

    @property
    def bytes(self) -> int:
        """The size of the file."""
        return self.start + int(self.ends[-1]) + PADDING

    def values(self, game: Game, compiled: bool = True) -> np.ndarray[Any, Any]:
        """The codes of all indices. An index without a position has any code."""
        out = np.zeros(self.size, np.int16)
        data = np.memmap(self.path, np.uint8, "r", self.start)
        arguments = (
            data, self.starts, lookup_table(self.lengths), self.palette, len(self.palette), out,
            self.checks.astype(np.int64),
        )  # fmt: skip
        initial = game.initial()
        if compiled:
            fault = UNPACK_ALL.compiled(game, *arguments)(initial)
        else:
            fault = UNPACK_ALL.run_plain(game, initial, *arguments)
        if fault >= 0:
            raise damaged(self.path, f"block {fault} does not match its checksum")
        return out


def class_path(folder: Path, game: Game, name: str, distance: str) -> Path:
    """The file of a class: chess/KQK.win, below the folder of tables."""
    return folder / folder_name(game) / f"{name}.{distance}"


def folder_name(game: Game) -> str:
    """The folder of a game's tables: chess, or with parameters that matter small_chess_4."""
    rules = game.timeless()
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(rules).__name__)
    if rules.name != type(game)().timeless().name:
        name += "_" + "_".join(str(value) for value in rules._parameters().values())
    return re.sub(r"\W+", "_", name.casefold())


def write_class(path: Path, game: Game, values: Any, about: dict[str, Any], compiled: bool = True) -> int:
    """Write the codes of a class; returns the size of the file. `about` is kept in its header."""
    codes = np.asarray(values)
    palette = np.unique(codes)
    palette = palette[palette != INVALID]
    if len(palette) == 0:
        palette = np.zeros(1, np.int16)
    if len(palette) > 1 << PALETTE:
        raise ZermeloError(f"{path} would have {len(palette):,} different values, but there is room for {1 << PALETTE}")
    places = np.zeros(1 << 16, np.int64)
    places[palette.astype(np.int64) + 32768] = np.arange(len(palette))
    symbols, counts = np.zeros(2 * BLOCK, np.int64), np.zeros(len(palette) + RUNS, np.int64)
    blocks = -(-len(codes) // BLOCK)
    ends, checks = np.zeros(blocks, np.int64), np.zeros(blocks, np.int64)

    def packed(codes_of: Any, lengths: Any, data: Any) -> int:
        arguments = (codes, places, len(palette), symbols, counts, codes_of, lengths, ends, checks, data, INVALID)
        if compiled:
            return int(PACK.compiled(game, *arguments)(game.initial()))
        return int(PACK.run_plain(game, game.initial(), *arguments))

    none = np.zeros(0, np.int64)
    packed(none, none, np.zeros(0, np.uint8))
    lengths = code_lengths(counts)
    data = np.zeros(int((counts * lengths).sum()) // 8 + blocks + PADDING, np.uint8)
    end = packed(canonical_codes(lengths), lengths, data)
    header = {**about, "size": len(codes), "palette": palette.tolist(), "lengths": lengths.tolist()}
    directory = ends.astype("<u8").tobytes() + checks.astype("<u4").tobytes()
    text = json.dumps(header).encode()
    content = len(text).to_bytes(4, "little") + text + directory
    head = MAGIC + zlib.crc32(content).to_bytes(4, "little") + content
    write_file(path, head + data[: end + PADDING].tobytes())
    return len(head) + end + PADDING


def write_file(path: Path, content: bytes) -> None:
    """Write the file of a class, and its folder if there is none."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content, durable=True)
    except OSError as error:
        raise ZermeloError(f"{path} cannot be written: {error.strerror}") from None


def open_class(path: Path) -> ClassFile:
    """Read the header and the directory of a file. Its size must be right too."""
    try:
        size = path.stat().st_size
        with open(path, "rb") as file:
            start = file.read(len(MAGIC) + 8)
            if start[: len(MAGIC)] != MAGIC or len(start) < len(MAGIC) + 8:
                raise damaged(path, "it does not begin as a table of a class does")
            length = int.from_bytes(start[-4:], "little")
            if length > size:
                raise damaged(path, "its header is damaged")
            text = file.read(length)
            header = _header(path, text)
            blocks = -(-int(header["size"]) // BLOCK)
            directory = file.read(12 * blocks)
    except OSError as error:
        raise DamagedTable(f"{path} cannot be read: {error.strerror}") from None
    if zlib.crc32(start[-4:] + text + directory).to_bytes(4, "little") != start[len(MAGIC) : len(MAGIC) + 4]:
        raise damaged(path, "its header does not match its checksum")
    ends = np.frombuffer(directory[: 8 * blocks], "<u8").astype(np.int64)
    checks = np.frombuffer(directory[8 * blocks :], "<u4").astype(np.int64)
    palette, lengths = np.array(header.pop("palette"), np.int16), np.array(header.pop("lengths"), np.int64)
    found = ClassFile(path, header, len(start) + len(text) + len(directory), ends, checks, palette, lengths)
    if size != found.bytes:
        raise damaged(path, f"it has {size:,} bytes and should have {found.bytes:,}")
    if (np.diff(found.starts) < 0).any() or not _is_decodable(palette, lengths):
        raise damaged(path, "its directory is impossible")  # compiled code would read outside of the file
    return found


def _is_decodable(palette: Any, lengths: Any) -> bool:
    """Are there as many codes as symbols, none too long, and no more than fit?"""
    if not 0 < len(palette) <= 1 << PALETTE or len(lengths) != len(palette) + RUNS:
        return False
    used = lengths[lengths != 0]
    return bool(((used > 0) & (used <= LONGEST)).all() and (0.5**used).sum() <= 1)


def _header(path: Path, text: bytes) -> dict[str, Any]:
    try:
        header: dict[str, Any] = json.loads(text)
        int(header["size"])
    except (ValueError, KeyError, TypeError):
        raise damaged(path, "its header is damaged") from None
    return header


def damaged(path: Path, what: str) -> DamagedTable:
    """The error for a file that cannot be used."""
    return DamagedTable(f"{path} is damaged: {what}; delete it and build it again with `zermelo table`")
