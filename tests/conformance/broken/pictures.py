"""The race on a board, and boards on which moves cannot be pointed out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from broken.race import Race, breaks
from zermelo.game.board import Board, Piece

PLACES = (tuple(str(total) for total in range(9)),)
TOKEN = Piece("the token")


class Shown(Race):
    """A token on a row of places."""

    def picture(self, s: Any) -> Board | None:
        return Board(PLACES, {str(s[0]): TOKEN})

    def paths(self, s: Any, a: Any) -> Iterable[Any]:
        return ((str(s[0]), str(s[0] + a)),)


class Offered(Shown):
    """One square that shows the total: which move is meant, people are asked, as at a promotion."""

    def picture(self, s: Any) -> Board | None:
        return Board((("total",),), {"total": Piece("the total", "text", symbol=str(s[0]))})

    def paths(self, s: Any, a: Any) -> Iterable[Any]:
        return (("total",),)


@breaks("wrong-type")
class PictureInWords(Shown):
    def picture(self, s: Any) -> Board | None:
        return "a board"  # type: ignore[return-value]


@breaks("wrong-type")
class NoPictureOfTheEnd(Shown):
    def picture(self, s: Any) -> Board | None:
        return 0 if self.is_terminal(s) else super().picture(s)  # type: ignore[return-value]


@breaks("raises")
class TokenOffTheBoard(Shown):
    def picture(self, s: Any) -> Board | None:
        return Board(PLACES, {str(s[0] + 5): TOKEN})


@breaks("bad-paths")
class PathOffTheBoard(Shown):
    def paths(self, s: Any, a: Any) -> Iterable[Any]:
        return ((str(s[0]), str(s[0] + 5 * a)),)


@breaks("bad-paths")
class PathsOnNothing(Shown):
    def picture(self, s: Any) -> Board | None:
        return None


@breaks("bad-paths")
class PathsOfNumbers(Shown):
    def paths(self, s: Any, a: Any) -> Iterable[Any]:
        return ((s[0], s[0] + a),)


@breaks("bad-paths")
class BarePath(Shown):
    def paths(self, s: Any, a: Any) -> Iterable[Any]:
        return str(s[0]), str(s[0] + a)


@breaks("paths-ambiguous")
class OnlyTheOrigin(Shown):
    def paths(self, s: Any, a: Any) -> Iterable[Any]:
        return ((str(s[0]),),)


@breaks("paths-ambiguous")
class OnTheWay(Shown):
    def paths(self, s: Any, a: Any) -> Iterable[Any]:
        return (tuple(str(total) for total in range(s[0], s[0] + a + 1)),)
