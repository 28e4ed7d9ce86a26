"""The score of a position: who owns which points, with stones that the players agree are dead removed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from zermelo.games.go import names
from zermelo.games.go.rules import Go
from zermelo.games.go.state import GoState
from zermelo.kernel.words import contains, count_items, difference, union, words_at


@dataclass(frozen=True)
class Score:
    """Points of both players by area scoring, and the owner of each point that has one, "black" or "white"."""

    black: float
    white: float
    owners: Mapping[str, str]

    @property
    def result(self) -> str:
        """The result as GTP and SGF write it: B+3.5, W+10 or 0."""
        lead = self.black - self.white
        return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"


def territory(game: Go, s: GoState, dead: Iterable[str] = ()) -> Score:
    """The score of a position.

    dead     the names of points whose stones are removed first. By default all stones count as alive, as in the rules
             of Tromp and Taylor, in which the players capture dead stones before they pass.
    """
    black, white = game.colours(s)
    removed = difference(black, black)
    for name in dead:
        p = names.point_named(game, name)
        if p == game.points or not contains(union(black, white), p):
            raise ValueError(f"there is no stone on {name.strip()}, so it cannot be dead")
        removed = union(removed, words_at(game.place, p, removed))
    areas = game.areas(difference(black, removed), difference(white, removed))
    owners = {
        names.point_name(game, p): colour
        for p in range(game.points)
        for area, colour in zip(areas, ("black", "white"), strict=True)
        if contains(area, p)
    }
    by_black, by_white = (float(count_items(area)) for area in areas)
    return Score(by_black, by_white + game.compensation, owners)
