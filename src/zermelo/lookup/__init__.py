"""What is known beforehand: opening books."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from zermelo.game.protocol import Game
from zermelo.kernel.random import Random


class OpeningBook(Protocol):
    """Whatever knows moves of the opening."""

    def choose(self, s: Any, random: Random, count: int = ..., *, best: bool = ...) -> Any:
        """A move for this position, of some weight, at random or the best; None where nothing is known."""


Known = TypeVar("Known")


def one_of(found: Sequence[Known], weight: Callable[[Known], float], random: Random) -> Known | None:
    """One of what is known, each as likely as its weight; None where nothing has any."""
    left = random.uniform() * sum(map(weight, found))
    for each in found:
        left -= weight(each)
        if left < 0:
            return each
    return None


def open_book(path: str | Path, game: Game) -> OpeningBook:
    """The book in a file: Polyglot's where its name ends in .bin, otherwise made of the games in it."""
    if Path(path).suffix.casefold() == ".bin":
        from zermelo.lookup.polyglot import PolyglotBook

        return PolyglotBook(path, game)
    from zermelo.lookup.book import Book

    return Book.from_file(path, game)
