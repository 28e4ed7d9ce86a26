"""Positions as pictures: `draw` makes an SVG of any position, and `show` an object that a notebook shows as one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.game.protocol import Game
from zermelo.kernel.files import write_whole
from zermelo.pictures.svg import draw

__all__ = ["Picture", "draw", "show", "squares_of"]


@dataclass(frozen=True)
class Picture:
    """A picture of a position: in a notebook as SVG, printed as text."""

    text: str
    svg: str = field(repr=False)

    def save(self, path: str | Path) -> None:
        """Write the SVG to a file."""
        write_whole(Path(path), self.svg.encode())

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.text


def squares_of(game: Game, s: Any, a: Any) -> tuple[str, ...]:
    """The squares that show a move: its path, or the squares that it changes if it has several."""
    paths = list(game.paths(s, a))
    if len(paths) < 2:
        return tuple(paths[0]) if paths else ()
    before, after = game.picture(s), game.picture(game.result(s, a))
    if before is None or after is None:
        return ()
    return tuple(
        name for name in {**before.pieces, **after.pieces} if before.pieces.get(name) != after.pieces.get(name)
    )


def show(game: Game, state: Any = None, *, marked: Iterable[str] = (), flipped: bool = False) -> Picture:
    """A picture of a state, by default of the one in which the game begins.

    marked     squares to be pointed out, by their names
    flipped    seen from the other side
    """
    s = game.initial() if state is None else game.checked(state)
    return Picture(game.text(s), draw(game, s, marked=marked, flipped=flipped))
