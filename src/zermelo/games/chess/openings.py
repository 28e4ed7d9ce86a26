"""Names of openings, with their codes in the Encyclopaedia of Chess Openings (ECO).

The file openings.tsv has one opening per line: the key of its position, the code, the name and the moves. A position is
known by its key, so other orders of moves have the same name. The names are those in general use.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from zermelo.games.chess.board import ChessState

FILE = Path(__file__).with_name("openings.tsv")
LONGEST = 40
"""Plies after which no position has a name."""


class Opening(NamedTuple):
    """An opening: its ECO code, its name, and the moves that lead to it."""

    eco: str
    name: str
    moves: str

    def __str__(self) -> str:
        return f"{self.eco} {self.name}"


@functools.cache
def openings() -> dict[int, Opening]:
    """All openings, by the keys of their positions."""
    rows = (line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines())
    return {int(key, 16): Opening(eco, name, moves) for key, eco, name, moves in rows}


def opening_of(states: Sequence[ChessState]) -> Opening | None:
    """The opening of a game: that of the last position with a name. None if no position has one."""
    known = openings()
    for s in reversed(states[:LONGEST]):
        found = known.get(int(s.key))
        if found is not None:
            return found
    return None
