"""Looking positions up in finished tables: memory-mapped files, and a cache of unpacked blocks with a fixed size."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.errors import UnknownName
from zermelo.game.protocol import Game
from zermelo.kernel.mapped import mapped_files
from zermelo.kernel.parts import Part
from zermelo.kernel.routine import Routine, why_not_compiled
from zermelo.kernel.table_files import DamagedTable, table_directory
from zermelo.lookup.building import ClassBuilder, require_numbering
from zermelo.lookup.class_files import ClassFile, class_path, damaged, folder_name
from zermelo.lookup.packing import BLOCK, LONGEST, PALETTE, SHIFT, checksum, lookup_table, unpack
from zermelo.lookup.retrograde import INVALID

CACHE = 16.0
"""MiB of unpacked blocks that each thread keeps."""
PROBES, UNPACKED, DAMAGED = range(3)
"""Places in `Prober.counts`."""


class Prober(Part):
    """The tables of a game, as compiled code reads them. Each thread has one, and they share the files.

    slots       for each class its number among the open files; -1: none
    blocks      for each open file, the number of its first block
    sizes       for each open file, its number of indices
    starts      for each block, where it begins in `data`, and where the last one of its file ends
    tags        which block is at each place of the cache; -1: none
    counts      probes, unpacked blocks, and 1 + the number of a damaged block
    """

    settled = True

    def __init__(self, classes: int, files: list[tuple[int, ClassFile]], cache: float = CACHE):
        self.data, offsets = mapped_files([file.path for _, file in files])
        self.slots = np.full(classes, -1, np.int64)
        self.blocks, self.sizes, self.kinds = (np.zeros(max(len(files), 1), np.int64) for _ in range(3))
        self.look = np.zeros(max(len(files), 1) << LONGEST, np.int32)
        self.palette = np.zeros(max(len(files), 1) << PALETTE, np.int16)
        starts, checks = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        number = 0
        for slot, ((c, file), offset) in enumerate(zip(files, offsets, strict=True)):
            self.slots[c], self.blocks[slot], self.sizes[slot] = slot, number, file.size
            self.kinds[slot] = len(file.palette)
            self.look[slot << LONGEST : slot + 1 << LONGEST] = lookup_table(file.lengths)
            self.palette[slot << PALETTE : (slot << PALETTE) + len(file.palette)] = file.palette
            starts.append(file.starts + file.start + offset)
            checks.append(np.append(file.checks, 0))
            number += len(file.ends) + 1
        self.starts, self.checks = np.concatenate(starts), np.concatenate(checks)
        self.places = 1 << max(int(cache * (1 << 20) / (2 * BLOCK)), 1).bit_length() - 1
        self.tags, self.cache = np.full(self.places, -1, np.int64), np.zeros(self.places * BLOCK, np.int16)
        self.counts = np.zeros(3, np.int64)

    def another(self) -> Prober:
        """A prober for another thread: the same files, and a cache of its own."""
        made = object.__new__(Prober)
        vars(made).update(self.__getstate__())
        made.tags, made.cache = np.full(self.places, -1, np.int64), np.zeros(len(self.cache), np.int16)
        made.counts = np.zeros(3, np.int64)
        return made

    def code_of(self, game: Any, s: Any) -> int:
        """The code of a state, as in `retrograde`; INVALID if no table has it."""
        c = game.class_of(s)
        if c < 0:
            return INVALID
        slot = int(self.slots[c])
        if slot < 0:
            return INVALID
        self.counts[PROBES] += 1
        i = game.index_of(s)
        block = int(self.blocks[slot]) + (i >> SHIFT)
        place = block & self.places - 1
        if self.tags[place] != block and not self.fill(slot, block, place, i >> SHIFT << SHIFT):
            return INVALID
        return int(self.cache[(place << SHIFT) + (i & BLOCK - 1)])

    def fill(self, slot: int, block: int, place: int, first: int) -> bool:
        """Unpack a block into the cache; False if it is damaged."""
        self.counts[UNPACKED] += 1
        self.tags[place] = -1
        start, end = int(self.starts[block]), int(self.starts[block + 1])
        count = min(BLOCK, int(self.sizes[slot]) - first)
        if checksum(self.data, start, end) == self.checks[block]:
            kinds, at = int(self.kinds[slot]), place << SHIFT
            done = unpack(self.data, start, self.look, slot << LONGEST, self.palette, kinds, self.cache, at, count)
            if done == count:
                self.tags[place] = block
                return True
        self.counts[DAMAGED] = block + 1
        return False


def probe(game: Any, s: Any, prober: Prober) -> int:
    """The code of one state."""
    return prober.code_of(game, s)


PROBE = Routine(probe)


@dataclass(frozen=True)
class Verdict:
    """What a table says of a position: 1, 0 or -1 for the player to move, and the plies to the end or conversion."""

    value: int
    distance: int | None

    @classmethod
    def of(cls, code: int) -> Verdict:
        """The verdict of a code."""
        return cls(0, None) if code == 0 else cls(1 if code > 0 else -1, abs(code) - 1)

    def __str__(self) -> str:
        if self.value == 0:
            return "draw"
        return f"{'win' if self.value > 0 else 'loss'} in {self.distance} pl{'y' if self.distance == 1 else 'ies'}"


class Tables:
    """The finished tables of a game in a folder.

    game      the game; its rules on repetition and clocks are ignored
    folder    by default the folder of tables
    distance  "win" or "conversion"
    cache     MiB of unpacked positions to keep
    """

    def __init__(self, game: Game, folder: Path | None = None, distance: str = "win", cache: float = CACHE):
        self.game, self.distance = require_numbering(game), distance
        self.folder = folder or table_directory()
        builder = ClassBuilder(self.game, self.folder, distance)
        self.files = [
            (c, builder.opened(c)) for c in range(len(builder.names)) if builder.path(c).exists()
        ]  # a damaged file is an error, not a gap
        self.names = tuple(builder.names[c] for c, _ in self.files)
        """The classes that are there."""
        self.prober = Prober(len(builder.names), self.files, cache)
        self.compiled = why_not_compiled(self.game) is None
        self._program: Any = None

    def code(self, s: Any) -> int:
        """The code of a position; INVALID if it is in none of the tables."""
        if self.compiled:
            if self._program is None:
                self._program = PROBE.compiled(self.game, self.prober)
            code = int(self._program(s))
        else:
            code = int(self.prober.code_of(self.game, s))
        if code == INVALID and self.prober.counts[DAMAGED] != 0:
            raise self.damage(int(self.prober.counts[DAMAGED]))
        return code

    def __getitem__(self, s: Any) -> Verdict:
        """What the tables say of a position; UnknownName if they do not have it."""
        code = self.code(s)
        if code == INVALID:
            place, c = self.folder / folder_name(self.game), self.game.class_of(s)
            if c < 0:
                raise UnknownName("no table can have this position: it is in no class")
            raise UnknownName(
                f"there is no table of {self.game.class_names()[c]} in {place}: build it with `zermelo table`"
            )
        return Verdict.of(code)

    def __contains__(self, s: Any) -> bool:
        return self.code(s) != INVALID

    def damage(self, fault: int) -> DamagedTable:
        """The error about the block that a prober has found to be damaged."""
        block = fault - 1
        slot = int(np.searchsorted(self.prober.blocks[: len(self.files)], block, "right")) - 1
        number = block - int(self.prober.blocks[slot])
        return damaged(self.files[slot][1].path, f"block {number} does not match its checksum")

    def best_moves(self, s: Any) -> list[tuple[Any, Verdict]]:
        """All moves with what they lead to, for the player who makes them, the best first: quick wins, late losses."""
        game, c = self.game, self.game.class_of(s)
        found = [(a, Verdict.of(-self._step(game.result(s, a), c))) for a in game.actions(s)]

        def worth(move: tuple[Any, Verdict]) -> tuple[int, int]:
            verdict = move[1]
            return verdict.value, -verdict.value * (verdict.distance or 0)

        return sorted(found, key=worth, reverse=True)

    def _step(self, after: Any, c: int) -> int:
        """The code of the state after a move from a state of class c, one ply further away."""
        game, there = self.game, self.game.class_of(after)
        if game.is_terminal(after):
            utility = game.utility(after, game.to_move(after))
            code = 1 if utility > 0 else -1 if utility < 0 else 0
        elif there >= 0:
            code = self.code(after)
            if code == INVALID:
                raise UnknownName(f"a move leads to {game.class_names()[there]}, whose table is missing: build it")
            if self.distance == "conversion" and there != c:
                code = min(max(code, -1), 1)  # the move is the conversion
        else:  # such as a position with a capture en passant
            codes = [self._step(game.result(after, a), c) for a in game.actions(after)]
            lost = [code for code in codes if code < 0]
            code = -max(lost) if lost else 0 if 0 in codes else -max(codes)
        return code + 1 if code > 0 else code - 1 if code < 0 else 0


_opened: dict[Any, Tables] = {}


def open_tables(game: Game) -> Tables | None:
    """The tables of a game in the folder of tables, with distances to the win; None if there are none."""
    if not game.offers("class_of"):
        return None
    folder = table_directory()
    here = class_path(folder, game, "x", "win").parent
    files = tuple(sorted((str(path), path.stat().st_mtime_ns) for path in here.glob("*.win")))
    if not files:
        return None
    if files not in _opened:
        _opened.clear()
        _opened[files] = Tables(game, folder)
    return _opened[files]
