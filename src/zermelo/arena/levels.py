"""Levels for people to play against: named players from beginner to full strength, with measured ratings.

The ratings of a game's levels are measured by letting them play each other (`scripts/measure_levels.py`), and kept in
`levels.json`. Other games, including users' own, have the same players without ratings.
"""

from __future__ import annotations

import difflib
import functools
import json
from dataclasses import dataclass
from importlib import resources
from typing import Any

from zermelo.game.errors import UnknownName
from zermelo.game.protocol import Game
from zermelo.pictures.page import table
from zermelo.search.registry import choose, find, suitable


@dataclass(frozen=True)
class Level:
    """A name for people, the player in words, and its measured rating: Elo points above random play."""

    name: str
    player: str
    elo: float | None = None
    error: float | None = None  # half of the 95 % interval

    def __str__(self) -> str:
        rating = "not measured" if self.elo is None else f"{self.elo:+.0f} ± {self.error:.0f} Elo"
        return f"{self.name:<14}{rating:<22}{self.player}"


RANDOM = Level("random", "random", 0.0, 0.0)


class Levels(list[Level]):
    """The levels of a game; a notebook shows them as a table."""

    def _repr_html_(self) -> str:
        rating = ("not measured" if each.elo is None else f"{each.elo:+.0f} ± {each.error:.0f}" for each in self)
        rows = ((each.name, elo, each.player) for each, elo in zip(self, rating, strict=True))
        return table(rows, ("level", "Elo above random play", "player"))


def levels(game: Game) -> Levels:
    """The levels of a game, the weakest first."""
    measured = _measured().get(game.name)
    if measured is not None:
        return Levels(Level(**each) for each in measured)
    return Levels(unmeasured(game))


def level(game: Game, name: str) -> Level:
    """The level of that name."""
    there = {each.name: each for each in levels(game)}
    wanted = name.strip().casefold()
    if wanted not in there:
        near = difflib.get_close_matches(wanted, there, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise UnknownName(f"{game.name} has no level {name!r}; {hint}it has {', '.join(there)}")
    return there[wanted]


def unmeasured(game: Game) -> list[Level]:
    """The levels of a game that was not measured."""
    traits = game.traits
    if not suitable(traits):
        return [RANDOM]
    searcher = strongest(game)
    has_depth = "depth" in find(searcher).limits
    weak = ("depth=1", "depth=2", "depth=3") if has_depth else ("nodes=30", "nodes=200", "nodes=2000")
    made = [
        Level("beginner", f"{searcher}:{weak[0]},random=0.4"),
        Level("casual", f"{searcher}:{weak[1]},random=0.15"),
        Level("club", f"{searcher}:{weak[2]}"),
        Level("expert", f"{searcher}:{'nodes=10000' if searcher == 'engine' else 'seconds=0.1'}"),
        Level("full", f"{searcher}:seconds=1"),
    ]
    return [RANDOM, *made]


@functools.lru_cache(64)
def strongest(game: Game) -> str:
    """The strongest player: the algorithm that `analyse` uses by default."""
    return choose(game)[0].name


@functools.cache
def _measured() -> dict[str, list[dict[str, Any]]]:
    file = resources.files("zermelo.arena").joinpath("levels.json")
    found: dict[str, list[dict[str, Any]]] = json.loads(file.read_text()) if file.is_file() else {}
    return found
