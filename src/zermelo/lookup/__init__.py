"""Knowledge prepared in advance: opening books and endgame tables."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from zermelo.game.presentation import OWN
from zermelo.game.protocol import Game
from zermelo.kernel.random import Random


class OpeningBook(Protocol):
    """Anything that knows opening moves."""

    def choose(self, s: Any, random: Random, count: int = ..., *, best: bool = ...) -> Any:
        """A move for this position, at random by weight or the best; None if the book has none."""


Known = TypeVar("Known")


def one_of(found: Sequence[Known], weight: Callable[[Known], float], random: Random) -> Known | None:
    """One of the items, with a probability proportional to its weight; None if all weights are 0."""
    left = random.uniform() * sum(map(weight, found))
    for each in found:
        left -= weight(each)
        if left < 0:
            return each
    return None


def file_of(game: Game, name: str) -> Path | None:
    """The file of this name that comes with a game, next to its rules; None if there is none."""
    try:
        found = Path(inspect.getfile(type(game))).parent / name
    except (OSError, TypeError):  # a class that was written in a notebook has no file
        return None
    return found if found.is_file() else None


def open_book(path: str | Path, game: Game) -> OpeningBook:
    """The book in a file, or "own", the one that comes with the game.

    The ending of its name says what it is: .bin a Polyglot book, .npz a book of weighted moves, otherwise games.
    """
    if str(path) == OWN:
        own = game.own_book()
        if own is None:
            raise ValueError(f"{game.title} has no opening book of its own: give a file, as in book=games.jsonl")
        path = own
    if Path(path).suffix.casefold() == ".bin":
        from zermelo.lookup.polyglot import PolyglotBook

        return PolyglotBook(path, game)
    if Path(path).suffix.casefold() == ".npz":
        from zermelo.lookup.weighted import WeightedBook

        return WeightedBook(path, game)
    from zermelo.lookup.book import Book

    return Book.from_file(path, game)
