"""The longest win of a class, as a game: both players make best moves by the tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo.game.errors import UnknownName
from zermelo.lookup.probing import Tables
from zermelo.lookup.retrograde import is_in_use


def longest_win(tables: Tables, name: str) -> tuple[Any, list[Any]]:
    """A position of a class with the longest win for the player to move, and the moves to the end of the game.

    With distances to conversion, the moves go on in the following classes. UnknownName if no position is won.
    """
    game = tables.game
    files = dict(tables.files)
    if name not in tables.names:
        raise UnknownName(f"there is no table of {name!r}; there are {', '.join(tables.names) or 'none'}")
    c = game.class_names().index(name)
    codes = files[c].values(game, tables.compiled)
    for i in np.argsort(-codes.astype(np.int64), kind="stable"):  # indices without a position have any code
        if codes[i] <= 0:
            raise UnknownName(f"no position of {name} is won for the player to move")
        start = game.state_at(c, int(i))
        if is_in_use(game, start, c, int(i)):
            return start, list(best_line(tables, start))
    raise UnknownName(f"{name} has no position")


def best_line(tables: Tables, start: Any) -> Iterator[Any]:
    """Yields the moves from a decided position to the end of the game, if both players follow the tables."""
    game, s = tables.game, start
    while not game.is_terminal(s):
        a, verdict = tables.best_moves(s)[0]
        if verdict.value == 0:
            break
        yield a
        s = game.result(s, a)
