"""Opening books with weighted moves, for any game: `.npz` files, as `scripts/build_book.py` writes them.

A move is known by the positions before and after it, each by its key for books. Symmetric positions share a key, so a
book needs only one of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo import games
from zermelo.game.errors import NotationError
from zermelo.game.protocol import Game
from zermelo.kernel.archives import read_arrays
from zermelo.kernel.random import Random
from zermelo.lookup import one_of

COLUMNS: dict[str, Any] = {"before": np.dtype(np.uint64), "after": np.dtype(np.uint64), "weight": np.dtype(np.uint16)}
"""The arrays of a file, with one row for each move."""


class WeightedMove(NamedTuple):
    """A move of a book, its name, and its weight."""

    action: Any
    name: str
    weight: int


class WeightedBook:
    """A book of weighted moves, read from a file."""

    def __init__(self, path: str | Path, game: Game):
        if not Path(path).is_file():
            raise NotationError(f"there is no file {str(path)!r} to read a book from")
        try:
            found = read_arrays(path)
        except ValueError as error:
            raise NotationError(f"{path} is not an opening book: {error}") from None
        columns = [found.get(name, np.empty((0, 0))) for name in COLUMNS]
        shape = columns[0].shape
        if any(
            c.shape != shape or len(shape) != 1 or c.dtype != kind
            for c, kind in zip(columns, COLUMNS.values(), strict=True)
        ):
            raise NotationError(f"{path} is not an opening book: it needs the arrays {', '.join(COLUMNS)}")
        name = str(found.get("game", ""))
        if name != game.name:
            raise NotationError(f"{path} is a book of {name or 'an unknown game'}, and this is {game.name}")
        self.game, self.count = game, len(columns[0])
        self._positions: dict[int, dict[int, int]] = {}
        for before, after, weight in zip(*(column.tolist() for column in columns), strict=True):
            self._positions.setdefault(before, {})[after] = weight

    def __len__(self) -> int:
        return self.count

    def moves(self, s: Any, count: int = 1) -> list[WeightedMove]:
        """The legal moves that the book has here, of at least this weight, the one with the greatest weight first."""
        game = self.game
        known = self._positions.get(game.book_key(s))
        if not known:
            return []
        weights = ((a, known.get(game.book_key(game.result(s, a)), 0)) for a in game.legal(s))
        found = [WeightedMove(a, game.action_name(s, a), weight) for a, weight in weights if weight >= count]
        return sorted(found, key=lambda move: (-move.weight, move.name))

    def choose(self, s: Any, random: Random, count: int = 1, *, best: bool = False) -> Any:
        """A move of at least this weight: with a probability proportional to its weight, or the best; None: no such."""
        found = self.moves(s, max(count, 1))
        if best and found:
            return found[0].action
        chosen = one_of(found, lambda move: move.weight, random)
        return None if chosen is None else chosen.action


def game_of_book(path: str | Path) -> Game:
    """The registered game of a book."""
    try:
        name = str(read_arrays(path).get("game", ""))
    except ValueError as error:
        raise NotationError(f"{path} is not an opening book: {error}") from None
    for each in games.names():
        if each == name.partition("(")[0].casefold() and games.load(each).name == name:
            return games.load(each)
    raise NotationError(f"{path} is a book of {name or 'an unknown game'}, which is not one of the games here")


def save_weighted(path: Path, game: Game, entries: Iterable[tuple[int, int, int]]) -> None:
    """Write a book: the keys of the position before and after each move, and its weight."""
    rows = np.array(sorted(entries), np.uint64).reshape(-1, 3)
    before, after, weight = (rows[:, i].astype(kind) for i, kind in enumerate(COLUMNS.values()))
    np.savez_compressed(path, game=np.array(game.name), before=before, after=after, weight=weight)
