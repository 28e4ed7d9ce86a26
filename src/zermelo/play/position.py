"""A node of the move tree: a position that occurred in a game, the move that led to it, and what followed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

UNNAMED: Any = object()
"""The move has not been named yet: names take a while to compute, so they are made on demand."""


class Position:
    """A position in a game in progress.

    state    the state of the game
    action   the move or chance outcome that led here; None: the first position, or a state drawn by the seed
    before   the position before; None: the first position
    after    the positions that follow: the main line first, then the variations
    ply      the number of moves before this position, chance included
    comment  what somebody wrote about the move, and `glyphs`, the numbers of PGN's marks such as 1 for "!"
    """

    __slots__ = ("action", "after", "before", "comment", "glyphs", "name", "ply", "state")

    def __init__(self, state: Any, action: Any = None, before: Position | None = None):
        self.state, self.action, self.before = state, action, before
        self.after: list[Position] = []
        self.ply: int = 0 if before is None else before.ply + 1
        self.name: str | None = UNNAMED  # see Play.name_of
        self.comment = ""
        self.glyphs: tuple[int, ...] = ()

    def line(self) -> list[Position]:
        """All positions from the first one to this one."""
        found, at = [self], self.before
        while at is not None:
            found.append(at)
            at = at.before
        return found[::-1]

    def main_line(self) -> Iterator[Position]:
        """This position and those that follow in the main line."""
        at = self
        yield at
        while at.after:
            at = at.after[0]
            yield at
