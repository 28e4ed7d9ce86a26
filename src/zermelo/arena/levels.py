"""Levels for people to play against: named players from beginner to full strength, with measured ratings.

The ratings of a game's levels are measured by letting them play each other (`scripts/measure_levels.py`), and kept in
`levels.json`. Other games, including users' own, have the same players without ratings.
"""

from __future__ import annotations

import difflib
import functools
import json
import math
from dataclasses import dataclass
from importlib import resources
from typing import Any

from zermelo.game.errors import UnknownName
from zermelo.game.presentation import OWN
from zermelo.game.protocol import Game
from zermelo.pictures.page import table
from zermelo.search import by_dice
from zermelo.search.by_mcts import KNOWLEDGE
from zermelo.search.registry import find, suitable


@dataclass(frozen=True)
class Level:
    """A name for people, the player in words, and its measured rating: Elo points above random play."""

    name: str
    player: str
    elo: float | None = None
    error: float | None = None  # half of the 95 % interval

    def __str__(self) -> str:
        rating = "not measured" if self.elo is None else f"{self.elo:+.0f} ± {self.error:.0f} Elo above random"
        rating = "0 Elo" if self.player == "random" else rating
        return f"{self.name:<14}{rating:<36}{self.player}"


READERS = ("expert", "master", "full")
"""The levels that know openings: they use the book that comes with the game, if there is one."""
RANDOM = Level("random", "random", 0.0, 0.0)
BY_PLIES = (
    Level("beginner", "dice:plies=0,mistakes=0.6"),
    Level("casual", "dice:plies=0,mistakes=0.3"),
    Level("club", "dice:plies=0,mistakes=0.1"),
    Level("expert", "dice:plies=0"),
    Level("full", "dice:plies=2"),
)
"""The levels of games with dice and a network. There is none at one ply because it was not stronger than zero plies in
600 games of backgammon: −0.05 ± 0.05 points per game."""


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
        raise UnknownName(f"{game.title} has no level {name!r}; {hint}it has {', '.join(there)}")
    return there[wanted]


def unmeasured(game: Game) -> list[Level]:
    """The levels of a game that was not measured."""
    traits = game.traits
    if not suitable(traits):
        return [RANDOM]
    searcher = strongest(game)
    if searcher == "dice":
        return [RANDOM, *BY_PLIES]
    weak = ("nodes=30", "nodes=200", "nodes=2000") if searcher == "mcts" else ("depth=1", "depth=2", "depth=3")
    low, high = game.utility_range
    slips = ("mistakes=0.8", "mistakes=0.4") if math.isfinite(high - low) else ("random=0.4", "random=0.15")
    made = [
        Level("beginner", f"{searcher}:{weak[0]},{slips[0]}"),
        Level("casual", f"{searcher}:{weak[1]},{slips[1]}"),
        Level("club", f"{searcher}:{weak[2]}"),
        Level("expert", f"{searcher}:{'nodes=10000' if searcher == 'engine' else 'seconds=0.1'}"),
        Level("full", full_strength(game, 1, book=False)),
    ]
    if traits.hidden:
        made.insert(-1, Level("pimc", "pimc:seconds=0.5"))
    return [RANDOM, *made]


def strongest(game: Game) -> str:
    """The strongest player, by what a game declares: the app asks before any rule may be called, since one could hang.

    "auto" is the algorithm that `analyse` uses by default. It is found when the player is needed.
    """
    traits = game.traits
    if traits.hidden or (traits.chance and not traits.lists_outcomes):
        return "mcts"
    if by_dice.strength(game) > 0 and find("dice").objection(traits) is None:
        return "dice"
    is_duel = traits.sides <= 2 and (traits.zero_sum or traits.sides == 1) and not traits.chance
    return "engine" if is_duel and any(game.offers(name) for name in KNOWLEDGE) else "auto"


def full_strength(game: Game, seconds: float, *, book: bool = True) -> str:
    """The words for the strongest player with this time per move; it uses the game's own strategy or opening book."""
    if game.own_strategy() is not None:
        return "equilibrium"
    if game.traits.hidden:
        return f"auto:seconds={seconds:g}"  # the equilibrium of a small game
    read = f",book={OWN}" if book and game.own_book() is not None else ""
    return f"{strongest(game)}:seconds={seconds:g}{read}"


@functools.cache
def _measured() -> dict[str, list[dict[str, Any]]]:
    file = resources.files("zermelo.arena").joinpath("levels.json")
    found: dict[str, list[dict[str, Any]]] = json.loads(file.read_text()) if file.is_file() else {}
    return found
