"""Chess opening books in Polyglot's format (Letouzey 2007): `.bin` files, in which positions are found by key.

A file is a list of entries of 16 bytes, sorted by key: the key of a position, a move, its weight, and a number that
programs learn with. A binary search reads only the entries that it needs, so large books cost no more than small ones.
"""

from __future__ import annotations

import itertools
import mmap
import struct
from pathlib import Path
from typing import NamedTuple

from zermelo.game.errors import NotationError
from zermelo.game.protocol import Game
from zermelo.games.chess import Chess, ChessState
from zermelo.kernel.random import Random
from zermelo.lookup import one_of

ENTRY = struct.Struct(">QHHI")
"""Key, move, weight and learning data, big-endian."""
PROBES = 64
"""Entries to check when a file is opened, to see whether it is sorted."""


class PolyglotMove(NamedTuple):
    """A move of the book, by its name, and how much it is to be preferred."""

    action: int
    name: str
    weight: int


class PolyglotBook:
    """A book of chess openings in a file."""

    def __init__(self, path: str | Path, game: Game):
        if not isinstance(game, Chess):
            raise NotationError(f"{path} is a book of chess openings, and this is {game.title}")
        if not Path(path).is_file():
            raise NotationError(f"there is no file {str(path)!r} to read a book from")
        self.game = game
        size = Path(path).stat().st_size
        if size == 0 or size % ENTRY.size:
            raise NotationError(
                f"{path} is no Polyglot book: it has {size:,} bytes, and a book has entries of {ENTRY.size} bytes each"
            )
        with open(path, "rb") as file:
            self.entries = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.count = size // ENTRY.size
        steps = range(0, self.count, max(self.count // PROBES, 1))
        for before, after in itertools.pairwise(steps):
            if self.key_at(before) > self.key_at(after):
                raise NotationError(f"{path} is not a Polyglot book: its entries {before} and {after} are not sorted")

    def __len__(self) -> int:
        return self.count

    def key_at(self, number: int) -> int:
        key: int = ENTRY.unpack_from(self.entries, number * ENTRY.size)[0]
        return key

    def moves(self, s: ChessState, count: int = 1) -> list[PolyglotMove]:
        """The legal moves that the book has here, of at least this weight, the weightiest first."""
        low, high = 0, self.count
        while low < high:
            middle = (low + high) // 2
            if self.key_at(middle) < s.key:
                low = middle + 1
            else:
                high = middle
        legal = set(self.game.actions(s))
        found: dict[int, PolyglotMove] = {}
        for number in range(low, self.count):
            key, word, weight, _ = ENTRY.unpack_from(self.entries, number * ENTRY.size)
            if key != s.key:
                break
            a = action_of(word)
            if a in legal and weight >= count and a not in found:
                found[a] = PolyglotMove(a, self.game.action_name(s, a), weight)
        return sorted(found.values(), key=lambda move: (-move.weight, move.name))

    def choose(self, s: ChessState, random: Random, count: int = 1, *, best: bool = False) -> int | None:
        """One of the moves of at least this weight: each as likely as its weight, or the best; None: no such."""
        found = self.moves(s, max(count, 1))
        if best and found:
            return found[0].action
        chosen = one_of(found, lambda move: move.weight, random)
        return None if chosen is None else chosen.action


def action_of(word: int) -> int:
    """A move of the book as the rules write it: in both, castling is the king that takes its rook."""
    target, origin, promoted = word & 63, word >> 6 & 63, word >> 12 & 7
    return origin | target << 6 | promoted << 12


def word_of(a: int) -> int:
    """The inverse of `action_of`."""
    return (a >> 6 & 63) | (a & 63) << 6 | (a >> 12) << 12
